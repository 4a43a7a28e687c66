//! Starting other programs so that the kernel keeps their limits, and so that they end with this process.
//!
//! A program is started by this executable's own command `confine`, which limits itself, asks for a signal at the death of
//! its parent, and becomes the program. Where there is no such executable (in tests of the library), it is started as it is.

use super::{ambient, tree};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getppid, prlimit, set_child_subreaper, set_parent_process_death_signal, setrlimit,
};
use std::ffi::OsString;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A program and its arguments.
#[derive(Debug, Clone)]
pub struct Program {
    /// The file.
    pub path: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// What is set in its environment.
    pub environment: Vec<(&'static str, OsString)>,
    /// The folder that it runs in, where that is not the current one.
    pub folder: Option<PathBuf>,
}

impl Program {
    /// A program without arguments.
    pub fn new(path: impl Into<PathBuf>) -> Program {
        Program { path: path.into(), arguments: Vec::new(), environment: Vec::new(), folder: None }
    }

    /// The same with one more argument.
    pub fn argument(mut self, argument: impl Into<OsString>) -> Program {
        self.arguments.push(argument.into());
        self
    }

    /// The same with more arguments.
    pub fn arguments<T: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = T>) -> Program {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }
}

/// What the kernel keeps a program to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Confinement {
    /// Bytes of memory that it can write to.
    pub memory: Option<u64>,
    /// Seconds of processor time.
    pub seconds: Option<u64>,
    /// Whether it starts programs of its own, which then are ended with it.
    pub has_children: bool,
}

/// The command that starts a program, confined.
///
/// # Errors
/// Where there is no such program.
pub fn command(program: &Program, confinement: Confinement) -> io::Result<Command> {
    check(program)?;
    let mut command = match &ambient().confiner {
        None => Command::new(&program.path),
        Some(confiner) => {
            let mut command = Command::new(confiner);
            command.arg("confine").arg("--parent").arg(std::process::id().to_string());
            for (name, limit) in [("--memory", confinement.memory), ("--seconds", confinement.seconds)] {
                command.args(limit.into_iter().flat_map(|limit| [name.to_owned(), limit.to_string()]));
            }
            command.args(confinement.has_children.then_some("--watch")).arg("--").arg(&program.path);
            command
        }
    };
    command.args(&program.arguments).envs(program.environment.iter().map(|(name, value)| (name, value)));
    if let Some(folder) = &program.folder {
        command.current_dir(folder);
    }
    Ok(command)
}

/// That the program is one, which the command that confines it could not tell us.
fn check(program: &Program) -> io::Result<()> {
    if program.path.components().count() == 1 && !program.path.has_root() {
        // A name is looked up when it is started; only tests do that.
        return Ok(());
    }
    let about = program.path.metadata()?;
    match about.is_file() && about.permissions().mode() & 0o111 != 0 {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is no program that can be executed")),
    }
}

/// Limits the memory of a child that was started without being confined.
pub fn limit_memory(child: &Child, confinement: Confinement) {
    let (None, Some(bytes)) = (&ambient().confiner, confinement.memory) else { return };
    let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
    // A child that has ended already has no limits to set.
    let _ = prlimit(i32::try_from(child.id()).ok().and_then(Pid::from_raw), Resource::Data, limit);
}

/// What is to be started, and where the result goes.
type Order = (Command, Sender<io::Result<Child>>);

/// Starts a command. One thread, which lives as long as this process, starts all of them: the kernel takes the death of a
/// thread for the death of the parent.
///
/// # Errors
/// Where it cannot be started.
pub fn spawn(command: Command) -> io::Result<Child> {
    static ORDERS: OnceLock<Mutex<Sender<Order>>> = OnceLock::new();
    let gone = || io::Error::other("the thread that starts programs is gone");
    let orders = match ORDERS.get() {
        Some(orders) => orders,
        None => {
            let (sender, receiver) = channel::<Order>();
            let serve = move || {
                for (mut command, reply) in receiver {
                    // Whoever asked may have been given up meanwhile; then so is the child.
                    if let Err(unwanted) = reply.send(command.spawn())
                        && let Ok(mut child) = unwanted.0
                    {
                        let _ = child.kill();
                    }
                }
            };
            std::thread::Builder::new().name("tandem-starter".to_owned()).stack_size(STARTER_STACK).spawn(serve)?;
            ORDERS.get_or_init(|| Mutex::new(sender))
        }
    };
    let (reply, started) = channel();
    orders.lock().unwrap_or_else(PoisonError::into_inner).send((command, reply)).map_err(|_| gone())?;
    started.recv().map_err(|_| gone())?
}

const STARTER_STACK: usize = 256 << 10;

/// Ends a child and all that it started.
pub fn kill(child: &mut Child) {
    if let Ok(id) = i32::try_from(child.id()) {
        tree::kill_tree(id);
    }
    // It may have ended already.
    let _ = child.kill();
    let _ = child.wait();
}

/// Limits this process, and sees that it ends with its parent. Says whether the parent is still there.
///
/// # Errors
/// Where the kernel refuses.
pub fn confine_self(parent: i32, confinement: Confinement) -> io::Result<bool> {
    let signal = if confinement.has_children { Signal::TERM } else { Signal::KILL };
    set_parent_process_death_signal(Some(signal))?;
    if confinement.has_children {
        adopt_orphans();
    }
    let set = |resource, limit: u64| setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) });
    set(Resource::Core, 0)?;
    if let Some(bytes) = confinement.memory {
        set(Resource::Data, bytes)?;
    }
    if let Some(seconds) = confinement.seconds {
        set(Resource::Cpu, seconds)?;
    }
    Ok(getppid().is_some_and(|now| now.as_raw_nonzero().get() == parent))
}

/// Becomes the program; returns only where that fails.
pub fn become_program(program: &Program) -> io::Error {
    Command::new(&program.path).args(&program.arguments).exec()
}

/// Starts the program, waits for it, and ends what it left. Tells how it ended.
///
/// # Errors
/// Where it cannot be started.
pub fn watch(program: &Program) -> io::Result<u8> {
    let status = Command::new(&program.path).args(&program.arguments).status();
    tree::kill_descendants();
    Ok(exit_code(status?))
}

fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    u8::try_from(code).unwrap_or(1)
}

/// Processes whose parent ended become children of this one, so that it can end them too.
pub fn adopt_orphans() {
    // Without it, those are left to themselves.
    let _ = set_child_subreaper(Pid::from_raw(1));
}

//! Class initialisation: where a class has to be looked at, and what happens then.
//!
//! A class has a variable for its state and a procedure that initialises it, what is above it first. What is
//! initialised before the main method, because nobody can tell the difference, has neither.

use super::branch::{compare, int};
use super::{INT, Lower, Lowered};
use crate::frontend::java::class::{Class, Field, Method, Origin};
use crate::frontend::java::code::{Instruction, InvokeKind, Member};
use crate::frontend::java::reach::{Trap, before, is_related};
use crate::frontend::java::world::{ClassId, MethodId};
use crate::program::{BinaryOp, Expr, OFFSET, ProcId, Region, Statement, Type, VarId};
use crate::term::Integer;
use rustc_hash::FxHashSet;

/// What leaves the initialiser of a class is one.
const ERROR: &str = "java/lang/Error";

/// The state of a class that is not initialised yet, and of one that is or is being so.
const FRESH: i64 = 0;
const STARTED: i64 = 1;
const FAILED: i64 = 2;
/// With threads: the state of one that is. While it is being so, its lock is held.
const DONE: i64 = 3;

impl Lower<'_> {
    /// Whether nobody can tell when the class is initialised: it is Tandem's own, or only sets its constants.
    pub(super) fn starts_early(&self, class: ClassId) -> bool {
        if self.world.class(class).origin == Origin::Model {
            return true;
        }
        // What is initialised before it may look at its fields, which are not set then.
        if !before(self.world, class).into_iter().all(|above| self.starts_early(above)) {
            return false;
        }
        let Some(initialiser) = self.class_initialiser(class) else { return true };
        // A field that is inherited is of a class that may be used without this one.
        let Class { name, fields, .. } = self.world.class(class);
        let is_own = |member: &Member| {
            let is_meant = |f: &Field| f.name == member.name && f.ty.descriptor() == *member.descriptor;
            member.class == *name && fields.iter().any(is_meant)
        };
        let code = self.world.method(initialiser).code.as_ref().expect("initialisers have code");
        let is_plain = |(index, instruction): (usize, &Instruction)| match instruction {
            Instruction::Constant(_) | Instruction::Return(None) | Instruction::Nop => true,
            Instruction::PutStatic(member) => is_own(member),
            Instruction::Invoke(_, member) => &*member.name == "desiredAssertionStatus",
            Instruction::If(_, target) | Instruction::Goto(target) => *target > index,
            _ => false,
        };
        code.handlers.is_empty() && code.instructions.iter().enumerate().all(is_plain)
    }

    /// Whether a class has to be looked at before it is used.
    fn needs_look(&mut self, class: ClassId) -> bool {
        if !self.has_work(class) || self.is_sure(class) {
            return false;
        }
        // Others may have started the class, and wait for what is above it.
        self.reached.has_threads
            || self.class_initialiser(class).is_some_and(|_| !self.starts_early(class))
            || before(self.world, class).into_iter().any(|above| self.needs_look(above))
    }

    /// Whether more has to be done for a class, or for one above it, than is done before the main method.
    fn has_work(&self, class: ClassId) -> bool {
        if self.started.contains(&class) {
            return false;
        }
        self.class_initialiser(class).is_some_and(|_| !self.starts_early(class))
            || before(self.world, class).into_iter().any(|above| self.has_work(above))
    }

    /// Whether the method that is being lowered runs only where the class is initialised, or this thread is about it.
    fn is_sure(&mut self, class: ClassId) -> bool {
        let Some(method) = self.body.method else { return false };
        if !self.world.chain(method.class).any(|above| above == class) {
            return false;
        }
        let Method { is_static, name, .. } = self.world.method(method);
        // Whoever calls these looks at the method's own class first; an object can outlive what made its class fail, and
        // can get to another thread before its class is initialised.
        let (is_static, is_entered) = (*is_static, *is_static || &**name == "<init>");
        let is_entered = is_entered && (is_static && class == method.class || !self.starts_below(class));
        is_entered || !self.reached.has_threads && !self.may_fail(class)
    }

    /// Whether the program may go on after the initialisation of a class has failed.
    fn may_fail(&self, class: ClassId) -> bool {
        let Some(error) = self.world.known(ERROR) else { return true };
        let mut order = Vec::new();
        self.initialised_before(class, &mut order);
        let initialisers: Vec<MethodId> = order.into_iter().filter_map(|class| self.class_initialiser(class)).collect();
        let is_caught = |(caught, methods): &(Option<ClassId>, FxHashSet<MethodId>)| {
            is_related(self.world, error, *caught) && initialisers.iter().any(|method| methods.contains(method))
        };
        self.coverage.iter().any(is_caught)
    }

    /// Whether a class below this one may be initialised while this one is being so, and is done before it.
    fn starts_below(&mut self, class: ClassId) -> bool {
        if let Some(known) = self.starts_below.get(&class) {
            return *known;
        }
        let mut order = Vec::new();
        self.initialised_before(class, &mut order);
        let initialisers = order.into_iter().filter_map(|class| self.class_initialiser(class)).collect();
        let is_below = |name: &str| {
            self.world.known(name).is_some_and(|below| below != class && self.world.is_subtype(below, class))
        };
        let starts = |instruction: &Instruction| match instruction {
            Instruction::New(name) => is_below(name),
            Instruction::GetStatic(member) | Instruction::PutStatic(member) => is_below(&member.class),
            Instruction::Invoke(InvokeKind::Static, member) => is_below(&member.class),
            _ => false,
        };
        let code_starts = |method: MethodId| {
            let code = self.world.method(method).code.as_ref();
            code.is_some_and(|code| code.instructions.iter().any(starts))
        };
        let found = self.called_from(initialisers).into_iter().any(code_starts);
        self.starts_below.insert(class, found);
        found
    }

    /// The state of a class as it is now.
    fn class_state(&mut self, state: VarId) -> Expr {
        if !self.reached.has_threads {
            return Expr::Var(state);
        }
        let variable = self.temporary(INT);
        self.protect(&[variable]);
        self.emit_shared(Statement::Assign(vec![(variable, Expr::Var(state))]), true);
        Expr::Var(variable)
    }

    fn set_class_state(&mut self, state: VarId, value: i64) {
        self.emit_shared(Statement::Assign(vec![(state, int(value))]), true);
    }

    /// Initialises a class, unless that is done or was begun.
    pub(super) fn initialise(&mut self, class: ClassId) -> Lowered<()> {
        if !self.is_reachable() || !self.needs_look(class) {
            return Ok(());
        }
        let (state, callee) = self.initialiser(class)?;
        self.protect_globals();
        let known = self.body.not_null.clone();
        let (go, next) = (self.location(), self.location());
        let done = if self.reached.has_threads { DONE } else { STARTED };
        let is_fresh = compare(BinaryOp::Ne, self.class_state(state), int(done));
        self.branch(is_fresh, go, next);
        self.start_at(go);
        self.emit_alone(Statement::Call { target: None, callee, arguments: Vec::new() });
        self.check_exception();
        self.go_to(next);
        self.start_at(next);
        self.body.not_null = known;
        Ok(())
    }

    /// The variable that tells of a class's state, and the procedure that initialises it.
    fn initialiser(&mut self, class: ClassId) -> Lowered<(VarId, ProcId)> {
        if let Some(known) = self.initialisers.get(&class) {
            return Ok(*known);
        }
        let name = self.class_name(class);
        let state = self.global(&format!("{name}.<state>"), INT, int(FRESH));
        let id = self.new_procedure(&format!("initialise {name}"));
        self.initialisers.insert(class, (state, id));
        let outer = std::mem::take(&mut self.body);
        self.begin(id);
        // What is thrown here is caught wherever the class's own initialiser is.
        let mut order = Vec::new();
        self.initialised_before(class, &mut order);
        self.body.method = order.into_iter().rev().find_map(|class| self.class_initialiser(class));
        let exit = self.body.exit.expect("a procedure was begun");
        if self.reached.has_threads {
            let lock = self.fixed_object(&format!("lock of {name}"));
            let size = Expr::Int(Integer::from(1), OFFSET);
            self.early.push((lock, Statement::Allocate { target: lock, size, region: Region::Static, zeroed: true }));
            self.monitor(Expr::Var(lock), true);
            self.body.monitor = Some(Expr::Var(lock));
            let now = self.class_state(state);
            let is_begun = [STARTED, DONE].map(|state| compare(BinaryOp::Eq, now.clone(), int(state)));
            let (begun, next) = (self.location(), self.location());
            self.branch(Expr::Or(is_begun.to_vec()), begun, next);
            self.start_at(begun);
            self.leave_monitor();
            self.go_to(exit);
            self.start_at(next);
        }
        let failed = compare(BinaryOp::Eq, self.class_state(state), int(FAILED));
        let message = format!("Could not initialize class {}", self.world.class(class).name.replace('/', "."));
        let message = self.literal(&message.encode_utf16().collect());
        self.trap_if(failed, Trap::NotInitialized, &[Expr::Var(message)])?;
        self.set_class_state(state, STARTED);
        self.body.method = None;
        for above in before(self.world, class) {
            self.initialise(above)?;
        }
        if let Some(initialiser) = self.class_initialiser(class).filter(|_| !self.starts_early(class)) {
            let callee = self.procedure(initialiser);
            self.emit_alone(Statement::Call { target: None, callee, arguments: Vec::new() });
            self.check_exception();
        }
        if self.reached.has_threads {
            self.set_class_state(state, DONE);
            self.leave_monitor();
        }
        self.go_to(exit);
        for (_, location) in std::mem::take(&mut self.body.open_dispatches) {
            self.start_at(location);
            self.fail_initialiser(state)?;
        }
        self.finish();
        self.body = outer;
        Ok((state, id))
    }

    /// An exception has left a class's initialiser: it is wrapped unless it is an error.
    fn fail_initialiser(&mut self, state: VarId) -> Lowered<()> {
        self.set_class_state(state, FAILED);
        let maker = Trap::InInitializer.maker();
        let maker = self.world.resolve_method(&maker).map_err(|error| self.wrong(error.to_string()))?;
        let exit = self.body.exit.expect("a procedure was begun");
        if self.reached.methods.contains(&maker) {
            let (wrapped, callee) = (self.temporary(Type::Pointer), self.procedure(maker));
            // Errors go on as they are; the method gives back its argument then.
            self.emit(Statement::Assign(vec![(wrapped, Expr::Var(self.exception)), (self.exception, Expr::Null)]));
            let arguments = vec![Expr::Var(wrapped)];
            self.emit_alone(Statement::Call { target: Some(wrapped), callee, arguments });
            self.emit(Statement::Assign(vec![(self.exception, Expr::Var(wrapped))]));
        }
        self.leave_monitor();
        self.go_to(exit);
        Ok(())
    }
}

//! Java, from class files to a Program.
//!
//! The steps: [`input`] collects class files from what the user names, and has sources compiled. [`class`] reads a class
//! file into a form of its own, in which [`dynamic`] replaces what `invokedynamic` does. [`reach`] finds what the main
//! method can reach among the user's classes, the models of the [`library`], and the JDK's own classes. [`lower`] makes
//! a Program of that.

pub mod class;
pub mod classpath;
mod code;
mod dynamic;
pub mod input;
pub mod library;
mod lower;
mod null_message;
mod reach;
mod trap;
pub mod types;
mod world;

use crate::program::{Diagnostic, FrontendErrors, Program, Property, SourceFiles};
use classpath::Classpath;
use input::Input;
use types::source_name;
use world::{LinkError, MethodId, World};

/// What to look for in a Java program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// What the program is called.
    pub name: String,
    /// The class whose main method starts the program, where the user said which; `Class.method` names another method.
    pub main: Option<String>,
    /// Whether the program is to be executed for a user: what it prints is kept, and the status that it ends with.
    pub executes: bool,
    /// Whether a false assertion counts as an exception that nothing catches.
    pub assertions_are_exceptions: bool,
    /// Whether an exception that nothing catches counts, besides false assertions.
    pub exceptions_count: bool,
    /// Whether the property is of states: no exception counts.
    pub asks_states: bool,
    /// Whether a thread that waits sleeps until it is notified. It may also wake on its own, as Java has it.
    pub sleeps_until_notified: bool,
    /// The name of the property, where Java programs have no such property.
    pub meaningless: Option<&'static str>,
}

impl Options {
    /// What to look for to decide a property.
    pub fn for_property(property: &Property) -> Options {
        use Property as P;
        let has_meaning = |part: &Property| matches!(part, P::Assert | P::NoException | P::NoDeadlock | P::NoDataRace);
        let has_meaning = property.parts().iter().all(has_meaning);
        let exceptions_count = property.parts().contains(&P::NoException);
        Options {
            meaningless: (!has_meaning).then(|| property.name()),
            assertions_are_exceptions: exceptions_count && !property.parts().contains(&P::Assert),
            exceptions_count,
            asks_states: property.is_of_states(),
            // One that may always wake is never stuck.
            sleeps_until_notified: *property == Property::NoDeadlock,
            ..Options::default()
        }
    }
}

/// Compiles sources and lowers the program in them.
pub fn lower_sources(files: &SourceFiles, options: &Options) -> Result<Program, FrontendErrors> {
    lower_input(&input::compile(files)?, options)
}

/// Lowers the program in class files.
pub fn lower_input(input: &Input, options: &Options) -> Result<Program, FrontendErrors> {
    if let Some(property) = options.meaningless {
        let message = format!("the property {property} is of C programs, and this is Java");
        let hint = "ask for assert, no-exception, no-deadlock or no-data-race";
        return Err(Diagnostic::general(message).hint(hint).into());
    }
    let home = classpath::jdk_home().ok_or_else(input::no_jdk)?;
    let general = |error: String| FrontendErrors::from(Diagnostic::general(error));
    let classes = input.classes.iter().map(|(name, bytes)| (name.as_str().into(), bytes.as_slice().into()));
    let classpath = Classpath::new(classes, Some(&home)).map_err(|error| general(error.to_string()))?;
    let mut world = World::new(classpath);
    let main = find_main(&mut world, input, options)?;
    let reached = reach::reach(&mut world, main, options.executes).map_err(|error| general(error.to_string()))?;
    let name = source_name(&world.class(main.class).name);
    let options = Options { name, ..options.clone() };
    lower::lower(&mut world, &reached, main, &input.sources, &options)
}

const MAIN: (&str, &str) = ("main", "([Ljava/lang/String;)V");

/// The method in which the program starts.
fn find_main(world: &mut World, input: &Input, options: &Options) -> Result<MethodId, FrontendErrors> {
    if let Some(wanted) = &options.main {
        return named_main(world, input, wanted);
    }
    let mut found = Vec::new();
    for name in input.classes.keys() {
        match world.load(name) {
            Ok(class) => {
                let index = world.class(class).method(MAIN.0, MAIN.1);
                let is_main = |index: &usize| world.class(class).methods[*index].is_static;
                found.extend(index.filter(is_main).map(|i| (name.clone(), MethodId { class, index: i as u32 })));
            }
            Err(LinkError::Broken(problem)) => return Err(Diagnostic::general(problem).into()),
            Err(_) => {}
        }
    }
    let is_usual = |name: &str| name == "Main" || name.ends_with("/Main");
    match found.as_slice() {
        [] => Err(Diagnostic::general("no class has a method `public static void main(String[])`")
            .hint("give the folder or the files of the whole program")
            .into()),
        [(_, only)] => Ok(*only),
        several => match several.iter().filter(|(name, _)| is_usual(name)).collect::<Vec<_>>().as_slice() {
            [(_, main)] => Ok(*main),
            _ => {
                let names: Vec<String> = several.iter().map(|(name, _)| source_name(name)).collect();
                let message = format!("several classes have a main method: {}", names.join(", "));
                Err(Diagnostic::general(message).hint("choose one with --main CLASS").into())
            }
        },
    }
}

fn named_main(world: &mut World, input: &Input, wanted: &str) -> Result<MethodId, FrontendErrors> {
    let path = wanted.replace('.', "/");
    if input.classes.contains_key(&path) {
        let class = world.load(&path).map_err(|error| Diagnostic::general(error.to_string()))?;
        let index = world.class(class).method(MAIN.0, MAIN.1);
        if let Some(index) = index.filter(|index| world.class(class).methods[*index].is_static) {
            return Ok(MethodId { class, index: index as u32 });
        }
        let message = format!("class {wanted} has no method `public static void main(String[])`");
        return Err(Diagnostic::general(message).into());
    }
    if let Some((class, method)) = path.rsplit_once('/')
        && input.classes.contains_key(class)
    {
        let id = world.load(class).map_err(|error| Diagnostic::general(error.to_string()))?;
        let methods = &world.class(id).methods;
        let fits = |m: &class::Method| {
            let plain = m.signature.parameters.is_empty() || &*m.descriptor == MAIN.1;
            &*m.name == method && m.is_static && plain && m.signature.result.is_none() && m.code.is_some()
        };
        if let Some(index) = methods.iter().position(fits) {
            return Ok(MethodId { class: id, index: index as u32 });
        }
    }
    let mut known: Vec<String> = input.classes.keys().map(|name| source_name(name)).collect();
    known.truncate(20);
    let message = format!("there is no class or static method {wanted}");
    Err(Diagnostic::general(message).hint(format!("the classes are {}", known.join(", "))).into())
}

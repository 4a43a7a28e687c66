//! From the typed tree to a Program: objects become variables or memory, statements become edges.
//!
//! - A scalar object whose address is never taken is a variable. Every other object is in memory, and a variable
//!   points to it: one of static storage is made in `init`, a local one at the start of each activation.
//! - An expression becomes a pure Program expression. What it does on the way is emitted before it, in order; an
//!   operand that was read before is kept in a temporary where later operands could change it.
//! - A division by zero, a shift out of range and a call of no function are edges to error locations, see
//!   [`undefined`]. Overflow and bad accesses are too where the [`Checks`] ask for them; otherwise signed integers
//!   wrap, and a bad access is a fault.
//! - Only what `main` can reach is lowered. [`cleanup`](crate::transform::cleanup) then removes what no execution needs.

mod arithmetic;
mod body;
mod bounds;
mod builtin;
mod call;
mod condition;
mod constants;
mod constructor;
mod effects;
mod ends;
pub mod entry;
mod expression;
mod external;
mod function;
mod heap;
mod initialiser;
mod inner;
mod input;
mod library;
mod link;
mod members;
mod memory;
mod output;
mod parts;
mod place;
mod pointers;
mod reads;
mod results;
mod sequence;
mod shapes;
mod spans;
mod start;
mod statement;
mod steps;
mod storage;
#[cfg(test)]
mod tests;
mod thread;
mod tracking;
mod undefined;
mod unsupported;
mod variadic;

use super::preprocess::Preprocessor;
use super::tree::{self, FunctionId, ObjectId, StringId, Unit};
use super::types::DataModel;
use crate::program::{
    Diagnostic, ErrorKind, FrontendErrors, Id, IdVec, ProcId, Procedure, Program, Property, Rules, SourceFiles, Span,
    VarId,
};
use crate::transform::cleanup;
use body::Body;
use effects::Effects;
use ends::Ends;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};
use thread::Threads;

/// How a C program is read, and what to look for in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// What the preprocessor is told.
    pub preprocessor: Preprocessor,
    /// The same for files, by their names, where it is told something else.
    pub of_files: BTreeMap<String, Preprocessor>,
    /// Whose rules hold for what C leaves open.
    pub rules: Rules,
    /// Which errors get edges of their own.
    pub checks: Checks,
    /// The functions whose call is an error, and which.
    pub error_functions: BTreeMap<String, ErrorKind>,
    /// Whether the property is about calls of these functions.
    pub asks_calls: bool,
    /// Whether a thread that waits for a condition may wake on its own, as POSIX has it.
    pub spurious_wakeups: bool,
    /// Whether an input is read in a step of its own.
    pub inputs_apart: bool,
    /// Whether the strings that are printed count as read, by threads that may race with others.
    pub reads_printed: bool,
    /// Whether the program is to be executed for a user: what it prints is kept, and the status that it ends with, in
    /// the global [`EXIT_STATUS`](crate::program::EXIT_STATUS). Neither matters to any property.
    pub executes: bool,
    /// Whether a program with a statement that is not supported is refused, even if no execution comes there.
    pub strict: bool,
}

/// Which errors get edges of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checks {
    /// Signed operations whose result does not fit.
    pub overflow: bool,
    /// Accesses through bad pointers.
    pub memory: bool,
    /// Frees of what is not the start of a live object on the heap.
    pub frees: bool,
    /// Objects on the heap that are lost.
    pub tracking: bool,
    /// Where `main` returns, those too that only its variables point to.
    pub lost_at_end: bool,
    /// Divisions by zero and shifts out of range; they are looked for in any case, and this tells that they count.
    pub arithmetic: bool,
    /// Indices outside arrays that are parts of objects.
    pub bounds: bool,
    /// Reads of variables that nothing was assigned to.
    pub reads: bool,
    /// Expressions that are undefined in other ways.
    pub expressions: bool,
    /// Objects on the heap that are not freed at the end.
    pub cleanup: bool,
}

impl Default for Options {
    fn default() -> Self {
        let names = ["__VERIFIER_error", "reach_error"].into_iter();
        let error_functions = names.map(|name| (name.to_owned(), ErrorKind::Call(name.to_owned()))).collect();
        Options {
            preprocessor: Preprocessor::default(),
            of_files: BTreeMap::new(),
            rules: Rules::Language,
            checks: Checks::default(),
            error_functions,
            asks_calls: false,
            spurious_wakeups: true,
            inputs_apart: false,
            reads_printed: false,
            executes: false,
            strict: false,
        }
    }
}

impl Options {
    fn looking_for(checks: Checks) -> Options {
        Options { checks, ..Options::default() }
    }

    /// What to look for to decide a property.
    pub fn for_property(property: &Property) -> Options {
        let default = Options::default();
        match property {
            Property::UnreachCall(name) => {
                let error_functions = BTreeMap::from([(name.clone(), ErrorKind::Call(name.clone()))]);
                Options { error_functions, asks_calls: true, ..default }
            }
            Property::Assert => {
                let names = default.error_functions.keys().cloned();
                let error_functions = names.map(|name| (name, ErrorKind::Assertion)).collect();
                Options { error_functions, ..default }
            }
            Property::NoOverflow => Options { checks: Checks { overflow: true, ..Checks::default() }, ..default },
            Property::NoUndefinedArithmetic => {
                Options { checks: Checks { overflow: true, arithmetic: true, ..Checks::default() }, ..default }
            }
            Property::ValidMemsafety => {
                let lost = Checks { tracking: true, lost_at_end: true, ..Checks::default() };
                Options::looking_for(Checks { memory: true, frees: true, ..lost })
            }
            Property::ValidDeref => Options::looking_for(Checks { memory: true, ..Checks::default() }),
            Property::ArrayBounds => Options::looking_for(Checks { bounds: true, ..Checks::default() }),
            Property::NoUndefinedExpression => Options::looking_for(Checks { expressions: true, ..Checks::default() }),
            Property::NoUninitialisedRead => Options::looking_for(Checks { reads: true, ..Checks::default() }),
            Property::ValidFree => Options::looking_for(Checks { frees: true, ..Checks::default() }),
            Property::ValidMemtrack => {
                Options::looking_for(Checks { tracking: true, lost_at_end: true, ..Checks::default() })
            }
            Property::NoLeak => Options::looking_for(Checks { tracking: true, ..Checks::default() }),
            Property::ValidMemcleanup => {
                Options::looking_for(Checks { memory: true, frees: true, cleanup: true, ..Checks::default() })
            }
            // A thread that may always wake is never stuck. Whether one waits must not depend on an input of the same step.
            Property::NoDeadlock => Options { spurious_wakeups: false, inputs_apart: true, ..default },
            // What a step does to memory must not depend on an input that it reads.
            Property::NoDataRace => Options { inputs_apart: true, reads_printed: true, ..default },
            Property::NoException => default,
            Property::Several(parts) => parts.iter().fold(default, |all, part| all.and(Options::for_property(part))),
        }
    }

    /// What to look for to decide two properties, neither of them of states, at once.
    fn and(self, other: Options) -> Options {
        let (a, b) = (self.checks, other.checks);
        let checks = Checks {
            overflow: a.overflow || b.overflow,
            memory: a.memory || b.memory,
            frees: a.frees || b.frees,
            tracking: a.tracking || b.tracking,
            lost_at_end: a.lost_at_end || b.lost_at_end,
            arithmetic: a.arithmetic || b.arithmetic,
            bounds: a.bounds || b.bounds,
            reads: a.reads || b.reads,
            expressions: a.expressions || b.expressions,
            cleanup: a.cleanup || b.cleanup,
        };
        // A function whose call is asked for is no assertion besides.
        let mut error_functions = self.error_functions;
        let is_asked = |options: bool, kind: &ErrorKind| options || *kind == ErrorKind::Assertion;
        for (name, kind) in other.error_functions {
            if is_asked(other.asks_calls, &kind) && !(self.asks_calls && error_functions.contains_key(&name)) {
                error_functions.insert(name, kind);
            }
        }
        Options { checks, error_functions, asks_calls: self.asks_calls || other.asks_calls, ..Options::default() }
    }
}

/// Reads C files and lowers them as one program.
pub fn lower_files(files: &SourceFiles, model: DataModel, options: &Options) -> Result<Program, FrontendErrors> {
    let mut units = Vec::new();
    let mut errors = Vec::new();
    for id in files.ids() {
        let preprocessor = options.of_files.get(&files[id].name).unwrap_or(&options.preprocessor);
        match super::read(files, id, model, preprocessor) {
            Ok(unit) => units.push(unit),
            Err(found) => errors.extend(found.0),
        }
    }
    if !errors.is_empty() || units.is_empty() {
        errors.truncate(super::MAX_ERRORS);
        return Err(FrontendErrors(errors));
    }
    link::check(&units, files)?;
    let library = super::library::units(&units, model, Id::new(files.len()));
    units.extend(library);
    lower(&units, files, options)
}

/// Lowers a program; functions and objects of external linkage are one by their name in all units. There is a unit for
/// each of the sources; those behind them are of the library.
pub fn lower(units: &[Unit], sources: &SourceFiles, options: &Options) -> Result<Program, FrontendErrors> {
    let has_threads = units.iter().any(effects::starts_threads);
    let effects_of = |followed: &reads::Followed| -> Vec<Effects> {
        let of_units = units.iter().zip(followed);
        of_units.map(|(unit, followed)| Effects::of(unit, options, has_threads, followed)).collect()
    };
    let candidates = reads::candidates(units, options, sources.len());
    let effects = effects_of(&candidates);
    let lower = lower_all(units, &effects, sources, options, &candidates);
    let doubtful = lower.doubtful.clone();
    if doubtful == candidates {
        return finish(lower, units);
    }
    let effects = effects_of(&doubtful);
    finish(lower_all(units, &effects, sources, options, &doubtful), units)
}

/// Lowers all that `main` can reach, once more where threads turn out to end in calls.
fn lower_all<'u>(
    units: &'u [Unit],
    effects: &'u [Effects],
    sources: &SourceFiles,
    options: &'u Options,
    followed: &'u reads::Followed,
) -> Lower<'u> {
    let mut lower = Lower::new(units, effects, sources, options, Ends::default());
    loop {
        lower.followed = followed;
        match lower.start() {
            Ok(()) => lower.lower_reachable(),
            Err(error) => lower.errors.push(error),
        }
        let Some(in_calls) = lower.more_ends() else { return lower };
        let ends = Ends::of(in_calls);
        lower = Lower::new(units, effects, sources, options, ends);
    }
}

/// The program, once all is lowered.
fn finish(mut lower: Lower<'_>, units: &[Unit]) -> Result<Program, FrontendErrors> {
    let options = lower.options;
    if !lower.errors.is_empty() {
        let files = lower.user_units;
        let known = |span: &Span| span.file.index() < files;
        lower.errors.iter_mut().for_each(|error| error.span = error.span.filter(known));
        return Err(FrontendErrors(lower.errors));
    }
    let mut program = lower.program;
    results::settle(&mut program, &lower.bare_ends, &lower.record_calls);
    inner::assume_ended(&mut program, lower.inner.into_values());
    if let Some(span) = units.iter().find_map(|unit| unit.weak_order).filter(|_| lower.has_threads) {
        let text = "atomic accesses of weaker orders are seen in the order of the program".to_owned();
        program.assumptions.push(crate::program::Assumption { text, span: Some(span) });
    }
    if options.checks.tracking && tracking::has_heap(&program) {
        tracking::check_recursion(&mut program);
    } else {
        tracking::remove_checks(&mut program);
    }
    if lower.has_threads {
        // Where no two threads race, none sees a part of a copy.
        steps::split(&mut program, &lower.bulk, !options.reads_printed);
    }
    spans::forget_library(&mut program);
    members::assume_kept(&mut program, units, options);
    constants::forget_unless_exposed(&mut program, &lower.constants);
    let steps = cleanup::Steps { fixed: &lower.fixed, inputs_apart: options.inputs_apart };
    cleanup::cleanup(&mut program, lower.has_threads.then_some(steps));
    undefined::remark_ends(&mut program, options);
    link::remark_missing(&mut program, units, options);
    Ok(program)
}

type Lowered<T> = Result<T, Diagnostic>;

/// Where an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Storage {
    /// The variable is the object.
    Variable(VarId),
    /// The variable points to the object.
    Memory(VarId),
}

/// A unit and what was made of it so far.
struct Linked<'u> {
    unit: &'u Unit,
    effects: &'u Effects,
    procedures: FxHashMap<FunctionId, ProcId>,
    statics: FxHashMap<ObjectId, Storage>,
    strings: FxHashMap<StringId, VarId>,
}

struct Lower<'u> {
    options: &'u Options,
    linked: Vec<Linked<'u>>,
    /// The unit that is being lowered, and its number.
    unit: &'u Unit,
    effects: &'u Effects,
    current: usize,
    program: Program,
    body: Body,
    /// The functions that are called but not lowered yet.
    waiting: VecDeque<(usize, FunctionId, ProcId)>,
    /// The functions of external linkage that are defined, by name.
    defined: FxHashMap<&'u str, (usize, FunctionId)>,
    /// Those that the library defines, whether the program has its own or not.
    library: FxHashMap<&'u str, (usize, FunctionId)>,
    /// The objects of external linkage that are defined, by name.
    defined_objects: FxHashMap<&'u str, (usize, ObjectId)>,
    /// The variables that point to an object in memory and never change.
    fixed: FxHashSet<VarId>,
    /// Those of them that point to what must not be written.
    constants: FxHashSet<VarId>,
    /// How many bytes the objects have that such variables point to, where that is known.
    sizes: FxHashMap<VarId, u64>,
    /// The names of variables that are taken.
    names: FxHashSet<(Option<ProcId>, String)>,
    /// Objects that nothing ever writes, with their sizes.
    unwritten: Vec<(VarId, u64)>,
    /// Whether what is lowered belongs to `init`.
    inside_init: bool,
    has_threads: bool,
    /// Where the status goes that the program ends with, if that is wanted.
    exit_status: Option<VarId>,
    /// How many units are the user's; those behind them are of the library.
    user_units: usize,
    threads: Threads,
    /// Counts the objects on the heap.
    heap: Option<VarId>,
    /// The copies that other threads may see in parts.
    bulk: Vec<parts::Bulk>,
    errors: Vec<Diagnostic>,
    /// The shapes of types, by unit.
    shapes: FxHashMap<(usize, crate::frontend::c::types::Ty), crate::program::ShapeId>,
    /// Statements that are not supported.
    unsupported: unsupported::Unsupported,
    /// The objects that other files can write, once they were asked for.
    visible: Option<Vec<(usize, ObjectId)>>,
    assumed: FxHashSet<String>,
    /// The objects of inner blocks, by procedure.
    inner: BTreeMap<ProcId, Vec<inner::Noted>>,
    /// The objects with a truth value that says whether they have a value.
    followed: &'u [FxHashSet<ObjectId>],
    /// Those of them that may have none where they are read.
    doubtful: reads::Followed,
    /// The ends of functions without a `return`.
    bare_ends: BTreeMap<ProcId, results::BareEnd>,
    /// Whether calls of functions that give structures use them.
    record_calls: results::RecordCalls,
}

impl<'u> Lower<'u> {
    fn new(
        units: &'u [Unit],
        effects: &'u [Effects],
        sources: &SourceFiles,
        options: &'u Options,
        ends: Ends,
    ) -> Lower<'u> {
        let (mut defined, mut library) = (FxHashMap::default(), FxHashMap::default());
        let mut defined_objects = FxHashMap::default();
        let user_units = sources.len();
        for (number, unit) in units.iter().enumerate() {
            for (id, function) in unit.functions.enumerate() {
                if let (Some(name), false) = (&function.alias, function.is_static) {
                    let of_unit = unit.find_function(name).filter(|id| unit.functions[*id].definition.is_some());
                    defined.extend(of_unit.map(|id| (&*function.name, (number, id))));
                }
                if function.definition.is_some() && !function.is_static {
                    // One that is not weak goes before one that is, and any before one that is inline only.
                    let rank = |unit: &Unit, id: FunctionId| (unit.functions[id].is_weak, unit.functions[id].is_inline);
                    let better = |old: &(usize, FunctionId)| rank(unit, id) < rank(&units[old.0], old.1);
                    // The program's own goes before the library's, also where it is weak.
                    let is_missing = |old: &(usize, FunctionId)| units[old.0].functions[old.1].is_inline;
                    let old = defined.get(&*function.name);
                    if old.is_none_or(|old| if number < user_units { better(old) } else { is_missing(old) }) {
                        defined.insert(&*function.name, (number, id));
                    }
                    if number >= user_units {
                        library.insert(&*function.name, (number, id));
                    }
                }
            }
            for (id, object) in unit.objects.enumerate() {
                if object.storage == tree::Storage::Global && object.is_defined {
                    let rank = |object: &tree::Object| (object.is_weak, object.init.is_none());
                    let better = |old: &(usize, ObjectId)| rank(object) < rank(&units[old.0].objects[old.1]);
                    if defined_objects.get(&*object.name).is_none_or(better) {
                        defined_objects.insert(&*object.name, (number, id));
                    }
                }
            }
        }
        let linked = units.iter().zip(effects).map(|(unit, effects)| Linked {
            unit,
            effects,
            procedures: FxHashMap::default(),
            statics: FxHashMap::default(),
            strings: FxHashMap::default(),
        });
        let linked: Vec<Linked<'u>> = linked.collect();
        let has_threads = effects.iter().any(|effects| effects.has_threads);
        let threads = Threads::of(&linked, has_threads, units[0].types.model.pointer_bytes(), ends);
        let program = Program {
            name: sources.iter().next().map_or(String::new(), |file| file.name.clone()),
            sources: sources.clone(),
            variables: IdVec::new(),
            init: Vec::new(),
            procedures: IdVec::new(),
            main: Id::new(0),
            pointer_bytes: units[0].types.model.pointer_bytes() as u32,
            header_bytes: 0,
            main_ends_all: true,
            rules: options.rules,
            classes: Vec::new(),
            shapes: Default::default(),
            assumptions: Vec::new(),
            remarks: Vec::new(),
        };
        Lower {
            options,
            linked,
            unit: &units[0],
            effects: &effects[0],
            current: 0,
            program,
            body: Body::default(),
            waiting: VecDeque::new(),
            defined,
            library,
            defined_objects,
            fixed: FxHashSet::default(),
            constants: FxHashSet::default(),
            sizes: FxHashMap::default(),
            names: FxHashSet::default(),
            has_threads,
            user_units,
            threads,
            heap: None,
            unwritten: Vec::new(),
            inside_init: false,
            exit_status: None,
            bulk: Vec::new(),
            errors: Vec::new(),
            shapes: FxHashMap::default(),
            unsupported: unsupported::Unsupported::default(),
            visible: None,
            assumed: FxHashSet::default(),
            inner: BTreeMap::new(),
            followed: &[],
            doubtful: vec![FxHashSet::default(); units.len()],
            bare_ends: BTreeMap::new(),
            record_calls: BTreeMap::new(),
        }
    }
}

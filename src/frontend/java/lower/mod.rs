//! From reached classes to a Program.
//!
//! - A local variable of a method is a variable, one for each place and kind. An operand of the stack machine is an
//!   expression, or a variable for its depth and kind where it has to outlive what follows.
//! - An object is a heap object of typed cells: the number of its class, its identity hash code, its fields; an array
//!   has its length in place of the hash code, and its elements. A reference points to the start of its object.
//! - A static field is a global variable.
//! - An exception on its way is in a global variable, and every call is followed by a look at it. Where nothing on the
//!   stack can catch what is thrown, there is an error location instead.
//! - What is not modelled is an error location of its own kind: an execution that gets there has no known future.

mod body;
mod branch;
mod call;
mod clone;
mod hash;
mod initialise;
mod instruction;
mod method;
mod native;
mod object;
mod stack;
mod start;
mod thread;
mod throw;
mod told;

use super::Options;
use super::class::Origin;
use super::reach::Reached;
use super::types::source_name;
use super::world::{BODY_OFFSET, ClassId, LinkError, MethodId, World};
use crate::program::{
    Diagnostic, Expr, FileId, FrontendErrors, Id, IdVec, LocId, ObjectClass, ObjectField, ProcId, Procedure, Program,
    Role, Rules, Scope, SourceFiles, Span, Type, VarId, Variable,
};
use crate::transform::cleanup;
use body::Body;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;

type Lowered<T> = Result<T, Diagnostic>;

/// The type of class numbers, array lengths and hash codes.
const INT: Type = Type::Machine(crate::program::MachineInt { width: 32, signed: true });

/// Lowers a program of which everything reached is known.
pub fn lower(
    world: &mut World,
    reached: &Reached,
    main: MethodId,
    sources: &SourceFiles,
    options: &Options,
) -> Result<Program, FrontendErrors> {
    let mut lower = Lower::new(world, reached, sources, options);
    lower.number_classes();
    lower.find_coverage();
    lower.find_recursion();
    lower.start(main)?;
    while let Some(method) = lower.waiting.pop_front() {
        lower.method(method)?;
    }
    lower.drop_idle_checks();
    lower.finish_start();
    lower.finish_threads();
    lower.fill_text_table();
    lower.fill_literal_table();
    lower.make_used_objects();
    lower.name_objects();
    let mut program = lower.program;
    let steps = cleanup::Steps { fixed: &lower.fixed, inputs_apart: options.asks_states };
    cleanup::cleanup(&mut program, reached.has_threads.then_some(steps));
    Ok(program)
}

struct Lower<'w> {
    world: &'w mut World,
    reached: &'w Reached,
    options: &'w Options,
    program: Program,
    body: Body,
    procedures: FxHashMap<MethodId, ProcId>,
    /// The methods that are called but not lowered yet.
    waiting: VecDeque<MethodId>,
    /// The numbers of the classes of which objects are made, and those classes in that order.
    numbers: FxHashMap<ClassId, i32>,
    numbered: Vec<ClassId>,
    statics: FxHashMap<(ClassId, Rc<str>, String), VarId>,
    literals: FxHashMap<Rc<[u16]>, VarId>,
    class_objects: FxHashMap<ClassId, VarId>,
    class_table: Option<VarId>,
    /// The array of all literals, where somebody asks for it.
    literal_table: Option<VarId>,
    texts: told::Texts,
    initialisers: FxHashMap<ClassId, (VarId, ProcId)>,
    uncaught: Option<ProcId>,
    /// The object of each thread, where anybody asks for it.
    thread: Option<VarId>,
    /// What a thread runs that is started.
    entry: Option<ProcId>,
    /// Where the first thread goes when the main method has ended.
    main_end: Option<LocId>,
    /// Where exceptions leave the main method.
    uncaught_at: Vec<LocId>,
    /// The exception on its way, null if there is none.
    exception: VarId,
    /// For each class that is caught somewhere, the methods that may run where it is.
    coverage: Vec<(Option<ClassId>, FxHashSet<MethodId>)>,
    /// The methods that may run while a class is initialised.
    initialising: FxHashSet<MethodId>,
    names: FxHashSet<(Option<ProcId>, String)>,
    procedure_names: FxHashSet<String>,
    /// For each source file, where its lines start.
    lines: IdVec<FileId, Vec<usize>>,
    files: FxHashMap<ClassId, Option<FileId>>,
    /// The classes that are initialised before the main method starts.
    started: FxHashSet<ClassId>,
    /// Whether a class below each class may be done before it is.
    starts_below: FxHashMap<ClassId, bool>,
    recursion: stack::Recursion,
    exit_status: Option<VarId>,
    /// Variables that always point to an object: literals, class objects.
    fixed: FxHashSet<VarId>,
    /// What makes objects before the program starts, each statement with the variable of its object.
    early: Vec<(VarId, crate::program::Statement)>,
    /// Places that look whether a call has thrown.
    checks: Vec<(ProcId, LocId)>,
}

impl<'w> Lower<'w> {
    fn new(world: &'w mut World, reached: &'w Reached, sources: &SourceFiles, options: &'w Options) -> Lower<'w> {
        let starts = |text: &str| [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let program = Program {
            name: options.name.clone(),
            sources: sources.clone(),
            variables: IdVec::new(),
            init: Vec::new(),
            procedures: IdVec::new(),
            main: ProcId::new(0),
            pointer_bytes: 8,
            header_bytes: BODY_OFFSET as u32,
            main_ends_all: false,
            rules: Rules::Language,
            classes: Vec::new(),
            shapes: Default::default(),
            assumptions: Vec::new(),
            remarks: Vec::new(),
        };
        let mut lower = Lower {
            world,
            reached,
            options,
            program,
            body: Body::default(),
            procedures: FxHashMap::default(),
            waiting: VecDeque::new(),
            numbers: FxHashMap::default(),
            numbered: Vec::new(),
            statics: FxHashMap::default(),
            literals: FxHashMap::default(),
            class_objects: FxHashMap::default(),
            class_table: None,
            literal_table: None,
            texts: told::Texts::default(),
            initialisers: FxHashMap::default(),
            uncaught: None,
            thread: None,
            entry: None,
            main_end: None,
            uncaught_at: Vec::new(),
            exception: VarId::new(0),
            coverage: Vec::new(),
            initialising: FxHashSet::default(),
            names: FxHashSet::default(),
            procedure_names: FxHashSet::default(),
            lines: sources.iter().map(|file| starts(&file.text)).collect(),
            files: FxHashMap::default(),
            started: FxHashSet::default(),
            starts_below: FxHashMap::default(),
            recursion: stack::Recursion::default(),
            exit_status: None,
            fixed: FxHashSet::default(),
            early: Vec::new(),
            checks: Vec::new(),
        };
        lower.exception = lower.global("exception", Type::Pointer, Expr::Null);
        lower.make_own(lower.exception);
        lower
    }

    /// Tells how the objects of each class lie in memory.
    fn name_objects(&mut self) {
        for class in self.numbered.clone() {
            let mut fields = Vec::new();
            for above in self.world.chain(class) {
                for field in self.world.class(above).fields.iter().filter(|field| !field.is_static) {
                    if let Some(offset) = self.world.offset_of(above, field) {
                        let (name, ty) = (field.name.to_string(), field.ty.cell_type());
                        fields.push(ObjectField { name, offset: offset as u32, ty });
                    }
                }
            }
            let elements = self.world.class(class).element.as_ref().map(|ty| (BODY_OFFSET as u32, ty.cell_type()));
            let (name, number) = (self.class_name(class), self.numbers[&class]);
            self.program.classes.push(ObjectClass { name, number, fields, elements });
        }
    }

    /// A new global with its first value.
    fn global(&mut self, name: &str, ty: Type, value: Expr) -> VarId {
        let name = self.unique_name(None, name);
        let variable = Variable { name, ty, scope: Scope::Global, role: Role::Data, span: None };
        let id = self.program.variables.push(variable);
        self.program.init.push(crate::program::Statement::Assign(vec![(id, value)]));
        id
    }

    /// A name that no other variable of the scope has.
    fn unique_name(&mut self, scope: Option<ProcId>, name: &str) -> String {
        let mut unique = name.to_owned();
        let mut number = 2;
        while !self.names.insert((scope, unique.clone())) {
            unique = format!("{name}.{number}");
            number += 1;
        }
        unique
    }

    /// Numbers the classes of which objects are made, each before those that extend it.
    fn number_classes(&mut self) {
        let mut children: FxHashMap<ClassId, Vec<ClassId>> = FxHashMap::default();
        for (id, loaded) in self.world.classes.enumerate() {
            if let Some(parent) = loaded.parent {
                children.entry(parent).or_default().push(id);
            }
        }
        let root = self.world.known("java/lang/Object");
        let mut waiting: Vec<ClassId> = root.into_iter().collect();
        while let Some(class) = waiting.pop() {
            if self.reached.instantiated.contains(&class) {
                self.numbered.push(class);
                self.numbers.insert(class, self.numbered.len() as i32);
            }
            waiting.extend(children.get(&class).into_iter().flatten().rev());
        }
    }

    /// Finds out for each class that is caught which methods may run inside, and which may run while a class is
    /// initialised.
    fn find_coverage(&mut self) {
        let is_initialiser = |method: &&MethodId| &*self.world.method(**method).name == "<clinit>";
        self.initialising = self.called_from(self.reached.calls.keys().filter(is_initialiser).copied().collect());
        for caught in &self.reached.caught {
            let mut waiting: Vec<MethodId> = Vec::new();
            for (method, calls) in &self.reached.calls {
                let Some(code) = &self.world.method(*method).code else { continue };
                if self.is_thread_entry(*method) {
                    continue;
                }
                let ranges: Vec<_> = code
                    .handlers
                    .iter()
                    .filter(|handler| handler.class.as_ref().and_then(|name| self.world.known(name)) == *caught)
                    .collect();
                let is_inside = |index: usize| ranges.iter().any(|h| h.start <= index && index < h.end);
                waiting.extend(calls.iter().filter(|(index, _)| is_inside(*index)).flat_map(|(_, called)| called));
            }
            self.coverage.push((*caught, self.called_from(waiting)));
        }
    }

    /// The methods, and all that they may call.
    fn called_from(&self, mut waiting: Vec<MethodId>) -> FxHashSet<MethodId> {
        let mut found: FxHashSet<MethodId> = FxHashSet::default();
        while let Some(method) = waiting.pop() {
            if found.insert(method) {
                let calls = self.reached.calls.get(&method).into_iter().flatten();
                waiting.extend(calls.flat_map(|(_, called)| called));
            }
        }
        found
    }

    /// The procedure of a method that has code; where there is none yet, its code is lowered later.
    fn procedure(&mut self, method: MethodId) -> ProcId {
        if let Some(known) = self.procedures.get(&method) {
            return *known;
        }
        let mut name = self.world.method_name(method);
        if self.procedure_names.contains(&name) {
            let result = &self.world.method(method).signature.result;
            let result = result.as_ref().map_or_else(|| "void".to_owned(), |ty| ty.to_string());
            name = format!("{name}: {result}");
        }
        let id = self.new_procedure(&name);
        self.procedures.insert(method, id);
        self.waiting.push_back(method);
        let (is_static, kinds) = {
            let method = self.world.method(method);
            (method.is_static, method.signature.parameters.iter().map(|ty| ty.kind()).collect::<Vec<_>>())
        };
        let receiver = (!is_static).then_some(super::types::Kind::Reference);
        let mut slot = 0;
        for kind in receiver.into_iter().chain(kinds) {
            let name = self.local_name(method, slot, kind);
            let variable = self.new_local(id, &name, kind.program_type());
            self.program.procedures[id].parameters.push(variable);
            slot += if kind.is_wide() { 2 } else { 1 };
        }
        id
    }

    /// What a local variable is called.
    fn local_name(&self, method: MethodId, slot: u16, kind: super::types::Kind) -> String {
        let method = self.world.method(method);
        if slot == 0 && !method.is_static {
            return "this".to_owned();
        }
        let names = method.code.iter().flat_map(|code| &code.names);
        let mut found: Vec<&str> = Vec::new();
        for known in names.filter(|known| known.slot == slot && known.kind == kind) {
            if !found.contains(&&*known.name) {
                found.push(&known.name);
            }
        }
        match found.len() {
            0 => format!("local{slot}{}", kind.letter()),
            _ => found[..found.len().min(3)].join("/"),
        }
    }

    fn new_procedure(&mut self, name: &str) -> ProcId {
        let mut unique = name.to_owned();
        let mut number = 2;
        while !self.procedure_names.insert(unique.clone()) {
            unique = format!("{name}#{number}");
            number += 1;
        }
        let mut locations = IdVec::new();
        let entry: LocId = locations.push(crate::program::Location::default());
        let exit = locations.push(crate::program::Location::default());
        let parameters = Vec::new();
        let edges = IdVec::new();
        self.program.procedures.push(Procedure {
            name: unique,
            parameters,
            result: None,
            locations,
            edges,
            entry,
            exit,
            span: None,
        })
    }

    fn new_local(&mut self, procedure: ProcId, name: &str, ty: Type) -> VarId {
        let name = self.unique_name(Some(procedure), name);
        let scope = Scope::Local(procedure);
        self.program.variables.push(Variable { name, ty, scope, role: Role::Data, span: None })
    }

    /// The place of a line of a class's source.
    fn line_span(&mut self, class: ClassId, line: u32) -> Option<Span> {
        if line == 0 || self.world.class(class).origin != Origin::User {
            return None;
        }
        let file = match self.files.get(&class) {
            Some(known) => *known,
            None => {
                let found = self.source_of(class);
                self.files.insert(class, found);
                found
            }
        }?;
        let starts = &self.lines[file];
        let start = *starts.get(line as usize - 1)?;
        let text = &self.program.sources[file].text;
        let end = starts.get(line as usize).copied().unwrap_or(text.len());
        let whole = &text[start..end];
        let from = start + (whole.len() - whole.trim_start().len());
        let to = start + whole.trim_end().len();
        (from < to).then(|| Span::new(file, from, to))
    }

    fn source_of(&self, class: ClassId) -> Option<FileId> {
        let class = self.world.class(class);
        let file = class.source_file.as_ref()?;
        let path = match class.name.rsplit_once('/') {
            Some((package, _)) => format!("{package}/{file}"),
            None => file.to_string(),
        };
        let is_meant = |name: &str| {
            let name = name.replace('\\', "/");
            name == path || name.ends_with(&format!("/{path}"))
        };
        let mut found = self.program.sources.enumerate().filter(|(_, source)| is_meant(&source.name));
        match (found.next(), found.next()) {
            (Some((only, _)), None) => Some(only),
            _ => None,
        }
    }

    /// A message about a method that cannot be lowered.
    fn wrong(&self, what: impl Into<String>) -> Diagnostic {
        let place = match self.body.method {
            Some(method) => self.world.method_name(method),
            None => "the program".to_owned(),
        };
        let mut message = Diagnostic::general(format!("{place}: {}", what.into()));
        message.span = self.body.span;
        message
    }

    /// What is said of a class or member that cannot be used.
    fn unlinked(&self, error: LinkError) -> String {
        match error {
            LinkError::NotModelled(name) => name,
            LinkError::NoClass(name) => format!("class {name}, which is not among the files,"),
            LinkError::NoMember(name) => format!("{name}, which is not there,"),
            LinkError::Broken(problem) => problem,
        }
    }

    fn class_name(&self, class: ClassId) -> String {
        source_name(&self.world.class(class).name)
    }
}

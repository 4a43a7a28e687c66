//! Functions: each that `main` can reach becomes a procedure.

use super::body::Body;
use super::{Checks, Lower, Lowered, Procedure, Storage};
use crate::frontend::c::MAX_ERRORS;
use crate::frontend::c::tree::{Definition, Function, FunctionId, ObjectId};
use crate::frontend::c::types::Ty;
use crate::program::{Diagnostic, Expr, IdVec, LocId, OFFSET, ProcId, Statement, Type, VarId};
use crate::term::Integer;

/// What functions of the library call as the program defines it.
const REPLACED: [&str; 4] = ["malloc", "calloc", "realloc", "free"];

/// Functions of such names run without other threads in between.
const ATOMIC_PREFIX: &str = "__VERIFIER_atomic_";

impl<'u> Lower<'u> {
    /// Finds where the program starts.
    pub(super) fn start(&mut self) -> Lowered<()> {
        let options = self.options;
        if let Some(entry) = &options.preprocessor.entry {
            return self.start_at_function(entry);
        }
        let Some((number, main)) = self.defined.get("main").copied() else {
            return Err(Diagnostic::general("there is no function `main`").hint("a program starts there"));
        };
        self.enter_unit(number);
        self.program.main = self.procedure(number, main);
        if self.options.executes {
            self.exit_status = Some(self.global(crate::program::EXIT_STATUS, Type::machine(32, true), None));
        }
        Ok(())
    }

    /// Lowers what is called until nothing new is.
    pub(super) fn lower_reachable(&mut self) {
        while let Some((number, function, procedure)) = self.waiting.pop_front() {
            self.enter_unit(number);
            if let Err(error) = self.lower_supported(function, procedure)
                && !self.errors.contains(&error)
            {
                self.errors.push(error);
                if self.errors.len() >= MAX_ERRORS {
                    return;
                }
            }
        }
    }

    /// Goes on with another unit.
    pub(super) fn enter_unit(&mut self, number: usize) {
        self.current = number;
        self.unit = self.linked[number].unit;
        self.effects = self.linked[number].effects;
    }

    /// Which errors get edges here.
    pub(super) fn checks(&self) -> Checks {
        if self.inside_init { Checks::default() } else { self.options.checks }
    }

    /// Whether what is lowered may be reached twice in one activation.
    pub(super) fn may_repeat(&self) -> bool {
        self.body.has_labels || !self.body.continues.is_empty()
    }

    /// The unit and id of the definition of a function, where there is one.
    pub(super) fn definition_of_function(&self, function: FunctionId) -> Option<(usize, FunctionId)> {
        let node = &self.unit.functions[function];
        if let Some(name) = &node.alias {
            let of_unit = self.unit.find_function(name).filter(|id| self.unit.functions[*id].definition.is_some());
            return of_unit.map(|id| (self.current, id));
        }
        if node.definition.is_some() && (node.is_static || !node.is_weak) {
            return Some((self.current, function));
        }
        let functions = if self.calls_library(&node.name) { &self.library } else { &self.defined };
        let (number, definition) = functions.get(&*node.name).copied().filter(|_| !node.is_static)?;
        // A function of the program that has the name of one of the library, and other types, is another function.
        let is_other = number >= self.user_units && !self.takes_the_same(function, number, definition);
        (!is_other).then_some((number, definition))
    }

    /// Whether a name is the library's function of that name here: functions of the library call no others of the
    /// program's, whatever their names, but for those that allocate, which a program can replace.
    fn calls_library(&self, name: &str) -> bool {
        self.current >= self.user_units && !REPLACED.contains(&name)
    }

    /// The procedure of a function that is defined; it will be lowered.
    pub(super) fn procedure(&mut self, number: usize, function: FunctionId) -> ProcId {
        if let Some(procedure) = self.linked[number].procedures.get(&function) {
            return *procedure;
        }
        let node = &self.linked[number].unit.functions[function];
        let mut name = node.name.to_string();
        while self.program.procedures.iter().any(|procedure| procedure.name == name) {
            name.push('\'');
        }
        let nowhere: LocId = crate::program::Id::new(0);
        let id = self.program.procedures.push(Procedure {
            name,
            parameters: Vec::new(),
            result: None,
            locations: IdVec::new(),
            edges: IdVec::new(),
            entry: nowhere,
            exit: nowhere,
            span: Some(node.span),
        });
        self.linked[number].procedures.insert(function, id);
        self.waiting.push_back((number, function, id));
        id
    }

    pub(super) fn lower_function(&mut self, function: FunctionId, procedure: ProcId) -> Lowered<()> {
        let node: &'u Function = &self.unit.functions[function];
        let definition = node.definition.as_ref().expect("only functions with a definition wait to be lowered");
        // What is not supported makes a function be lowered once more.
        self.bare_ends.remove(&procedure);
        self.body = Body::new(Some(procedure), Some(node.span));
        self.body.has_labels = definition.labels.iter().any(|label| label.name.is_some());
        let is_atomic = self.has_threads && node.name.starts_with(ATOMIC_PREFIX);
        self.body.is_atomic = is_atomic;
        let (entry, begin) = (self.location(), self.location());
        let exit = self.location();
        self.body.exit = Some(exit);
        self.start_at(begin);
        if is_atomic {
            self.emit(Statement::AtomicBegin);
        }
        let is_main = self.program.main == procedure;
        let parameters = self.parameters(definition, node.ty, is_main)?;
        if is_main {
            self.run_constructors()?;
        }
        for local in &definition.locals {
            let storage = self.make_local(*local)?;
            if matches!(storage, Storage::Variable(_)) && !definition.labels.is_empty() {
                // A jump may pass by its declaration.
                self.forget_contents(*local, storage)?;
            }
        }
        self.statement(definition.body)?;
        if let (true, Some(result)) = (is_main, self.body.result) {
            // The end of `main` is as good as `return 0`.
            let zero = self.constant(0, self.program.variables[result].ty);
            self.emit(Statement::Assign(vec![(result, zero)]));
            self.set_exit_status(Some(Expr::Var(result)));
        } else if let Some(result) = self.body.result {
            self.end_without_value(procedure);
            // Where a function ends without a `return`, its result is any value.
            self.emit_input(result, Some(node.span));
        } else if self.body.result_pointer.is_some() {
            self.end_without_value(procedure);
        }
        self.finish_function()?;
        self.finish_jumps();
        if self.checks().memory {
            self.note_inner_objects(procedure, definition);
        }
        let mut body = std::mem::take(&mut self.body);
        let reads = std::mem::take(&mut body.reads);
        let made = &mut self.program.procedures[procedure];
        made.parameters = parameters;
        made.result = body.result;
        made.locations = body.locations;
        made.edges = body.edges;
        made.entry = entry;
        made.exit = exit;
        let edge = crate::program::Edge {
            source: entry,
            target: begin,
            label: None,
            block: body.entry_block,
            span: Some(node.span),
            places: Vec::new(),
        };
        made.edges.push(edge);
        self.note_doubtful(procedure, &reads);
        Ok(())
    }

    /// Makes the parameters and the result; tells the parameters of the procedure.
    fn parameters(&mut self, definition: &Definition, ty: Ty, is_main: bool) -> Lowered<Vec<VarId>> {
        let unit = self.unit;
        let function = unit.types.as_function(ty).expect("a function has a function type");
        let mut parameters = Vec::new();
        if is_main {
            self.start_first_thread()?;
        } else if self.threads.has_own() {
            let own = self.local("&thread", Type::Pointer, None);
            self.body.own = Some(own);
            parameters.push(own);
        }
        if self.is_record(function.result) {
            let pointer = self.local("&result", Type::Pointer, None);
            self.body.result_pointer = Some(pointer);
            parameters.push(pointer);
        } else if !unit.types.is_void(function.result) {
            let ty = self.scalar_type(function.result)?;
            self.body.result = Some(self.local("result", ty, None));
        }
        if is_main {
            let mut given = Vec::new();
            for (index, object) in definition.parameters.iter().enumerate() {
                let parameter = self.parameter(*object)?;
                self.main_parameter(index, parameter);
                given.push(parameter);
            }
            self.main_strings(definition, &given)?;
        } else {
            for object in &definition.parameters {
                parameters.push(self.parameter(*object)?);
            }
        }
        if function.is_variadic {
            let pointer = self.local("&arguments", Type::Pointer, None);
            self.body.variable_arguments = Some(pointer);
            parameters.push(pointer);
        }
        Ok(parameters)
    }

    fn parameter(&mut self, object: ObjectId) -> Lowered<VarId> {
        let unit = self.unit;
        let node = &unit.objects[object];
        let span = self.body.span.replace(node.span);
        let name = if node.name.is_empty() { "unnamed" } else { &*node.name };
        let parameter = match self.scalar(node.ty) {
            Some(ty) => {
                let parameter = self.local(name, ty, Some(node.span));
                self.note_shape(parameter, node.ty);
                if self.needs_memory(object) {
                    if let Storage::Memory(pointer) = self.make_local(object)? {
                        let address = Expr::Var(pointer);
                        self.body.entry_block.push(Statement::Store { address, value: Expr::Var(parameter) });
                    }
                } else {
                    self.body.locals.insert(object, Storage::Variable(parameter));
                }
                parameter
            }
            None => {
                let size = self.size(node.ty)?;
                let parameter = self.local(&format!("{name}.argument"), Type::Pointer, Some(node.span));
                if let (Storage::Memory(pointer), true) = (self.make_local(object)?, size > 0) {
                    let (target, source) = (Expr::Var(pointer), Expr::Var(parameter));
                    let bytes = Expr::Int(Integer::from(size as i64), OFFSET);
                    let copy = Statement::Copy { target, source, bytes };
                    let parts = self.parts_of(node.ty);
                    self.note_parts(&copy, parts);
                    self.body.entry_block.push(copy);
                }
                parameter
            }
        };
        self.body.span = span;
        Ok(parameter)
    }

    /// Control returns to the caller.
    pub(super) fn finish_function(&mut self) -> Lowered<()> {
        if self.body.procedure == Some(self.program.main) {
            self.run_at_return()?;
            self.check_leaks(true);
        }
        if self.body.is_atomic {
            self.emit(Statement::AtomicEnd);
        }
        let exit = self.body.exit.expect("a function that is being lowered has an exit");
        self.go_to(exit);
        Ok(())
    }

    /// The address of a function.
    pub(super) fn function_pointer(&mut self, function: FunctionId) -> Lowered<Expr> {
        match self.definition_of_function(function) {
            Some((number, function)) => Ok(Expr::Function(self.procedure(number, function))),
            None => {
                let name = &self.unit.functions[function].name;
                Err(self.refuse(&format!("the address of `{name}`, which is not defined, is")))
            }
        }
    }
}

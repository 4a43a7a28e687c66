//! Exceptions: how they are thrown, on their way, caught and not caught.

use super::body::Operand;
use super::branch::compare;
use super::object::{class_number_of, default_value};
use super::{INT, Lower, Lowered};
use crate::frontend::java::class::Origin;
use crate::frontend::java::code::{Constant, Instruction, InvokeKind, Member, StackOp};
use crate::frontend::java::library::NATIVE;
use crate::frontend::java::reach::{Trap, fillers, is_related};
use crate::frontend::java::types::{JavaType, Kind, Signature};
use crate::frontend::java::world::ClassId;
use crate::program::{BinaryOp, ErrorKind, Expr, IdVec, LocId, ProcId, Statement, Type};
use rustc_hash::FxHashMap;

const ASSERTION_ERROR: &str = "java/lang/AssertionError";
/// How many constructors call each other where an exception is made, at most.
const MAX_CONSTRUCTORS: usize = 20;

impl Lower<'_> {
    /// Throws an exception of the virtual machine's own if the condition holds.
    pub(super) fn trap_if(&mut self, condition: Expr, trap: Trap, arguments: &[Expr]) -> Lowered<()> {
        if condition == Expr::Bool(false) || !self.is_reachable() {
            return Ok(());
        }
        let known = self.body.not_null.clone();
        let (bad, next) = (self.location(), self.location());
        self.branch(condition, bad, next);
        self.start_at(bad);
        self.trap(trap, arguments)?;
        self.start_at(next);
        self.body.not_null = known;
        Ok(())
    }

    fn trap(&mut self, trap: Trap, arguments: &[Expr]) -> Lowered<()> {
        let class = self.world.load(trap.class()).map_err(|error| self.wrong(error.to_string()))?;
        if !self.is_caught(Some(class)) {
            let error = self.uncaught_location(class);
            self.go_to(error);
            return Ok(());
        }
        let maker = self.world.resolve_method(&trap.maker()).map_err(|error| self.wrong(error.to_string()))?;
        let callee = self.procedure(maker);
        let made = self.temporary(Type::Pointer);
        let arguments = match trap {
            Trap::NullPointer => vec![self.null_number()],
            _ => arguments.to_vec(),
        };
        self.emit_alone(Statement::Call { target: Some(made), callee, arguments });
        self.raise(Expr::Var(made));
        Ok(())
    }

    /// Whether something on the stack may catch an exception of the class, or of any, that is thrown here.
    fn is_caught(&self, thrown: Option<ClassId>) -> bool {
        let relates = |caught: Option<ClassId>| thrown.is_none_or(|thrown| is_related(self.world, thrown, caught));
        let Some(method) = self.body.method else { return false };
        // What initialises a class has no handlers of its own.
        let mut handlers = self.body.code.iter().flat_map(|code| code.handlers_at(self.body.index));
        let own = handlers.any(|handler| match &handler.class {
            None => true,
            Some(name) => self.world.known(name).is_some_and(|class| relates(Some(class))),
        });
        // What leaves the initialiser of a class is another exception from there on.
        let is_wrapped = self.initialising.contains(&method);
        let wrapper = self.world.known(Trap::InInitializer.class());
        let relates_to_wrapper =
            |caught: Option<ClassId>| wrapper.is_some_and(|wrapper| is_related(self.world, wrapper, caught));
        let is_handled = |caught: Option<ClassId>| relates(caught) || is_wrapped && relates_to_wrapper(caught);
        own || is_wrapped && self.options.executes
            || self.coverage.iter().any(|(caught, methods)| is_handled(*caught) && methods.contains(&method))
            || self.reached.has_threads && !thrown.is_some_and(|class| self.counts(class))
    }

    /// Whether an exception of the class that nothing catches is an error. Others end the thread alone.
    pub(super) fn counts(&self, class: ClassId) -> bool {
        let is_asked = !self.options.asks_states && !self.options.executes;
        is_asked && (self.options.exceptions_count || self.is_assertion(class))
    }

    /// The error that an uncaught exception of the class is.
    fn uncaught_location(&mut self, class: ClassId) -> LocId {
        self.uncaught_location_with(class, "")
    }

    /// The same, with more to say.
    pub(super) fn uncaught_location_with(&mut self, class: ClassId, more: &str) -> LocId {
        let name = self.class_name(class);
        let is_assertion = self.is_assertion(class);
        match is_assertion && !self.options.assertions_are_exceptions {
            true => self.error_location(ErrorKind::Assertion, "the assertion is false".to_owned()),
            false => {
                let message = format!("uncaught exception {name}{more}");
                self.error_location(ErrorKind::UncaughtException(name), message)
            }
        }
    }

    fn is_assertion(&self, class: ClassId) -> bool {
        self.world.known(ASSERTION_ERROR).is_some_and(|above| self.world.is_subtype(class, above))
    }

    /// Throws the object on top.
    pub(super) fn throw(&mut self) -> Lowered<()> {
        self.simplify_top(1)?;
        let operand = self.pop()?;
        self.expect(operand.kind == Kind::Reference)?;
        match operand.exact {
            Some(class) if !self.is_caught(Some(class)) => {
                let error = self.uncaught_location(class);
                self.go_to(error);
            }
            exact => {
                if exact.is_none() {
                    self.null_check(&operand.expr)?;
                }
                if self.is_caught(exact) {
                    self.raise(operand.expr);
                } else {
                    self.end_uncaught(operand.expr);
                }
            }
        }
        Ok(())
    }

    /// Where a library's exception is made only to be thrown, with nothing to catch it, goes to the error at once.
    pub(super) fn ends_uncaught(&mut self, class: ClassId) -> bool {
        let Some(code) = self.body.code.clone() else { return false };
        let mut rest = code.instructions[self.body.index + 1..].iter();
        if self.world.class(class).origin == Origin::User
            || !matches!(rest.next(), Some(Instruction::Stack(StackOp::Dup)))
        {
            return false;
        }
        let is_plain = |i: &Instruction| matches!(i, Instruction::Constant(_) | Instruction::Load(..));
        let mut rest = rest.skip_while(|instruction| is_plain(instruction));
        let name = self.world.class(class).name.clone();
        let is_made = |member: &Member| member.class == name && &*member.name == "<init>";
        let maker = match rest.next() {
            Some(Instruction::Invoke(_, member)) if is_made(member) => member,
            _ => return false,
        };
        let is_thrown = matches!(rest.next(), Some(Instruction::Throw));
        // The message of an assertion is any object; a literal is its own text.
        let is_literal = &*name == ASSERTION_ERROR
            && &*maker.descriptor == "(Ljava/lang/Object;)V"
            && matches!(code.instructions[self.body.index + 2], Instruction::Constant(Constant::String(_)));
        if !is_thrown || !is_literal && !self.is_silent(maker, 0) || self.is_caught(Some(class)) {
            return false;
        }
        let error = self.uncaught_location(class);
        self.go_to(error);
        true
    }

    /// Whether a library's exception can be made without anybody noticing: it asks no object for anything, and nothing
    /// goes wrong.
    fn is_silent(&mut self, maker: &Member, depth: usize) -> bool {
        let Ok(maker) = self.world.resolve_method(maker) else { return false };
        let Some(code) = self.world.method(maker).code.clone() else { return false };
        code.handlers.is_empty()
            && depth < MAX_CONSTRUCTORS
            && code.instructions.iter().all(|instruction| match instruction {
                Instruction::Constant(_) | Instruction::Load(..) | Instruction::PutField(_) => true,
                Instruction::If(..) | Instruction::Goto(_) | Instruction::Return(None) => true,
                // Only the program's own exceptions have code for this.
                Instruction::Invoke(InvokeKind::Static, member) if &*member.class == NATIVE => &*member.name == "fill",
                Instruction::Invoke(InvokeKind::Static, member) => {
                    let takes = Signature::parse(&member.descriptor).map(|signature| signature.parameters);
                    let is_number = |ty: &JavaType| !matches!(ty, JavaType::Reference(_));
                    &*member.class == "java/lang/String" && takes.is_some_and(|all| all.iter().all(is_number))
                }
                Instruction::Invoke(InvokeKind::Special, member) => {
                    &*member.class == "java/lang/Object" || self.is_silent(member, depth + 1)
                }
                _ => false,
            })
    }

    /// An exception that is being made calls the method of its own for that, if it has one.
    pub(super) fn fill_in_stack_trace(&mut self, exception: &Expr) -> Lowered<()> {
        let found = fillers(self.world, self.reached);
        if found.is_empty() {
            return Ok(());
        }
        let number = self.keep(class_number_of(exception), INT);
        let unused = self.temporary(Type::Pointer);
        let join = self.location();
        for (method, classes) in found {
            let (this, next) = (self.location(), self.location());
            self.branch(self.is_one_of(&number, &classes), this, next);
            self.start_at(this);
            self.call(method, vec![exception.clone()], Some((unused, Kind::Reference)))?;
            self.go_to(join);
            self.start_at(next);
        }
        self.go_to(join);
        self.start_at(join);
        Ok(())
    }

    /// Sends an exception on its way.
    pub(super) fn raise(&mut self, exception: Expr) {
        self.emit(Statement::Assign(vec![(self.exception, exception)]));
        let location = self.dispatch_location();
        self.go_to(location);
    }

    /// After a call: goes on if it has not thrown, else to the handlers.
    pub(super) fn check_exception(&mut self) {
        if !self.is_reachable() {
            return;
        }
        let here = self.here();
        self.body.checks.push(here);
        let next = self.location();
        let thrown = self.dispatch_location();
        let none = compare(BinaryOp::Eq, Expr::Var(self.exception), Expr::Null);
        let known = self.body.not_null.clone();
        self.branch(none, next, thrown);
        self.start_at(next);
        self.body.not_null = known;
    }

    /// Where the exception on its way goes from here.
    fn dispatch_location(&mut self) -> LocId {
        let mut handlers = Vec::new();
        if let Some(code) = &self.body.code {
            for (number, handler) in code.handlers.iter().enumerate() {
                if handler.start <= self.body.index && self.body.index < handler.end {
                    handlers.push(number);
                    if handler.class.is_none() {
                        break;
                    }
                }
            }
        }
        if let Some(known) = self.body.dispatches.get(&handlers) {
            return *known;
        }
        let location = self.location();
        self.body.dispatches.insert(handlers.clone(), location);
        self.body.open_dispatches.push((handlers, location));
        location
    }

    /// The edges from where an exception is on its way to the handlers, and out of the method.
    pub(super) fn dispatch(&mut self, handlers: &[usize], location: LocId) -> Lowered<()> {
        let code = self.body.code.clone();
        self.body.span = None;
        self.start_at(location);
        let exception = Expr::Var(self.exception);
        for number in handlers {
            let handler = &code.as_ref().expect("only methods have handlers").handlers[*number];
            let fits = match &handler.class {
                None => Expr::Bool(true),
                Some(name) => match self.world.known(name) {
                    Some(class) => self.is_instance(&class_number_of(&exception), class),
                    None => Expr::Bool(false),
                },
            };
            let (caught, next) = (self.location(), self.location());
            self.branch(fits.clone(), caught, next);
            if fits != Expr::Bool(false) {
                self.start_at(caught);
                let variable = self.operand(0, Kind::Reference);
                self.body.stack = vec![Operand::new(Expr::Var(variable), Kind::Reference)];
                let pairs = vec![(variable, exception.clone()), (self.exception, Expr::Null)];
                self.emit(Statement::Assign(pairs));
                let target = self.block_location(handler.target)?;
                self.go_to(target);
            }
            if fits == Expr::Bool(true) {
                return Ok(());
            }
            self.start_at(next);
        }
        if let Some((variable, kind)) = self.body.result {
            self.emit(Statement::Assign(vec![(variable, default_value(kind))]));
        }
        self.leave_monitor();
        let exit = self.body.exit.expect("a procedure was begun");
        self.go_to(exit);
        Ok(())
    }

    /// Ends the program with an exception that nothing catches.
    pub(super) fn end_uncaught(&mut self, exception: Expr) {
        let callee = self.uncaught_procedure();
        self.emit_alone(Statement::Call { target: None, callee, arguments: vec![exception] });
        self.stop();
    }

    /// The procedure that ends the program with an exception of whatever class.
    pub(super) fn uncaught_procedure(&mut self) -> ProcId {
        if let Some(known) = self.uncaught {
            return known;
        }
        let id = self.new_procedure("uncaught");
        self.uncaught = Some(id);
        let parameter = self.new_local(id, "exception", Type::Pointer);
        self.program.procedures[id].parameters.push(parameter);
        let outer = std::mem::take(&mut self.body);
        self.begin(id);
        let throwable = self.world.known("java/lang/Throwable").expect("reached before anything else");
        let number = class_number_of(&Expr::Var(parameter));
        for class in self.numbered.clone() {
            let ends_thread = self.reached.has_threads && !self.counts(class);
            if self.world.is_subtype(class, throwable) && !ends_thread {
                let (this, next) = (self.location(), self.location());
                self.branch(self.is_one_of(&number, &[class]), this, next);
                self.start_at(this);
                let error = self.uncaught_location(class);
                self.go_to(error);
                self.start_at(next);
            }
        }
        if self.reached.has_threads {
            let exit = self.body.exit.expect("a procedure was begun");
            self.go_to(exit);
        } else {
            self.stop();
        }
        self.finish();
        self.body = outer;
        id
    }

    /// Removes the looks at the exception after calls that never throw.
    pub(super) fn drop_idle_checks(&mut self) {
        let throwing = self.throwing_procedures();
        let mut by_procedure: FxHashMap<ProcId, Vec<LocId>> = FxHashMap::default();
        for (procedure, location) in std::mem::take(&mut self.checks) {
            by_procedure.entry(procedure).or_default().push(location);
        }
        for (id, locations) in by_procedure {
            let procedure = &mut self.program.procedures[id];
            let mut idle: IdVec<LocId, bool> = procedure.locations.iter().map(|_| false).collect();
            locations.into_iter().for_each(|location| idle[location] = true);
            for edge in &procedure.edges {
                if idle[edge.target] && edge.call().is_none_or(|(_, callee, _)| throwing[callee]) {
                    idle[edge.target] = false;
                }
            }
            let edges = std::mem::take(&mut procedure.edges).into_items();
            let is_thrown =
                |statement: &Statement| matches!(statement, Statement::Assume(Expr::Binary(BinaryOp::Ne, _, _)));
            for mut edge in edges {
                if idle[edge.source] {
                    if edge.block.iter().any(is_thrown) {
                        continue;
                    }
                    edge.block.clear();
                }
                procedure.edges.push(edge);
            }
        }
    }

    /// Whether each procedure may leave an exception on its way.
    fn throwing_procedures(&self) -> IdVec<ProcId, bool> {
        let sets = |statement: &Statement| match statement {
            Statement::Assign(pairs) => pairs.iter().any(|(v, value)| *v == self.exception && *value != Expr::Null),
            _ => false,
        };
        let mut callers: IdVec<ProcId, Vec<ProcId>> = self.program.procedures.iter().map(|_| Vec::new()).collect();
        let mut throwing: IdVec<ProcId, bool> = self.program.procedures.iter().map(|_| false).collect();
        let mut waiting = Vec::new();
        for (id, procedure) in self.program.procedures.enumerate() {
            for edge in &procedure.edges {
                if let Some((_, callee, _)) = edge.call() {
                    callers[callee].push(id);
                }
                if edge.block.iter().any(sets) {
                    waiting.push(id);
                }
            }
        }
        while let Some(id) = waiting.pop() {
            if !std::mem::replace(&mut throwing[id], true) {
                waiting.extend(callers[id].iter().copied());
            }
        }
        throwing
    }
}

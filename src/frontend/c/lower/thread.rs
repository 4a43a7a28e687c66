//! Threads: how they start and end, what each has for itself, what they wait for.
//!
//! Where a program asks which thread it is in, or has objects of a thread's own, every procedure is passed a pointer to
//! an object of its thread: the thread's number, and those objects behind it.

use super::body::Body;
use super::call::{Arguments, Target};
use super::ends::Ends;
use super::{Linked, Lower, Lowered, Storage};
use crate::frontend::c::tree::{self, ExprId, FunctionId, ObjectId};
use crate::program::{
    BinaryOp, Edge, Expr, Id, IdVec, OFFSET, ProcId, Procedure, Region, Statement, Type, UnaryOp, VarId,
};
use crate::term::Integer;
use rustc_hash::FxHashMap;

/// How many results of threads are kept. Asking for that of a later thread is a fault.
const MAX_RESULTS: u32 = 64;
/// What the library does where a thread ends.
const AT_END: &str = "__thread_ends";
/// What is told where a lock is tried that somebody has: `EBUSY`.
const BUSY: i32 = 16;

/// Whose functions start and join a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Api {
    /// `<pthread.h>`: a thread gives a pointer.
    Posix,
    /// `<threads.h>`: a thread gives an `int`.
    C11,
}

impl Api {
    fn of(name: &str) -> Api {
        if name.starts_with("thrd_") { Api::C11 } else { Api::Posix }
    }

    /// The type of what a thread gives when it ends.
    fn result(self) -> Type {
        match self {
            Api::Posix => Type::Pointer,
            Api::C11 => Type::machine(32, true),
        }
    }
}

/// What the threads of a program have.
#[derive(Debug, Default)]
pub(super) struct Threads {
    /// Whether procedures are passed the object of their thread.
    has_own: bool,
    /// Where in it the objects of a thread's own are, in the order of units.
    own: Vec<((usize, ObjectId), u64)>,
    size: u64,
    /// The object for what threads give when they end.
    results: Option<VarId>,
    /// The number of the last thread.
    last: Option<VarId>,
    starts: FxHashMap<(usize, FunctionId, Api), ProcId>,
    /// Whether the result of a thread is asked for.
    asks_results: bool,
    /// How calls may end the thread.
    pub(super) ends: Ends,
}

impl Threads {
    /// What the threads of these units need.
    pub(super) fn of(linked: &[Linked<'_>], has_threads: bool, pointer_bytes: u64, ends: Ends) -> Threads {
        // Behind the number are whether the thread ends, and with which result, where calls may end it.
        let (has_own, words) = if ends.in_calls.is_empty() { (false, 1) } else { (true, 3) };
        let mut threads = Threads { size: words * pointer_bytes, has_own, ends, ..Threads::default() };
        if !has_threads {
            return threads;
        }
        for (number, Linked { unit, .. }) in linked.iter().enumerate() {
            for (id, object) in unit.objects.enumerate() {
                if object.is_thread_local && object.is_defined {
                    let offset = threads.size.next_multiple_of(16);
                    threads.size = offset + unit.types.size_of(object.ty).unwrap_or(0);
                    threads.own.push(((number, id), offset));
                    threads.has_own = true;
                }
            }
            for expr in &unit.exprs {
                match &expr.kind {
                    tree::ExprKind::Function(function) => {
                        let name = &*unit.functions[*function].name;
                        threads.has_own |= matches!(name, "pthread_self" | "thrd_current");
                    }
                    tree::ExprKind::Call { callee, arguments } => {
                        let name = unit.direct_callee(*callee).map(|function| &*unit.functions[function].name);
                        let is_join = matches!(name, Some("pthread_join" | "thrd_join"));
                        threads.asks_results |= is_join && arguments.get(1).is_some_and(|to| !is_null(unit, *to));
                    }
                    _ => {}
                }
            }
        }
        threads
    }

    /// Whether procedures are passed the object of their thread.
    pub(super) fn has_own(&self) -> bool {
        self.has_own
    }
}

/// Whether an expression is the null pointer, whatever it is converted to.
fn is_null(unit: &tree::Unit, mut expr: ExprId) -> bool {
    while let tree::ExprKind::Convert(_, inner) = unit.exprs[expr].kind {
        expr = inner;
    }
    matches!(unit.exprs[expr].kind, tree::ExprKind::Int(0))
}

impl<'u> Lower<'u> {
    /// Where an object of a thread's own is, in the procedure that is being lowered.
    pub(super) fn thread_object(&mut self, object: ObjectId) -> Lowered<Storage> {
        if let Some(storage) = self.body.locals.get(&object) {
            return Ok(*storage);
        }
        let definition = self.definition_of(object);
        let offset = self.threads.own.iter().find(|(known, _)| *known == definition).map(|(_, offset)| *offset);
        let (Some(offset), Some(own)) = (offset, self.body.own) else {
            return Err(self.refuse("this use of an object of a thread's own is"));
        };
        let node = &self.unit.objects[object];
        let pointer = self.local(&format!("&{}", node.name), Type::Pointer, Some(node.span));
        self.fixed.insert(pointer);
        let address = self.offset_by(Expr::Var(own), offset);
        self.body.entry_block.push(Statement::Assign(vec![(pointer, address)]));
        self.body.locals.insert(object, Storage::Memory(pointer));
        Ok(Storage::Memory(pointer))
    }

    /// The object of the first thread is made where `main` starts.
    pub(super) fn start_first_thread(&mut self) -> Lowered<()> {
        if !self.threads.has_own {
            return Ok(());
        }
        let own = self.local("&thread", Type::Pointer, None);
        self.fixed.insert(own);
        self.body.own = Some(own);
        let allocate = self.own_object(own);
        self.body.entry_block.insert(0, allocate);
        self.initialise_own(own)
    }

    fn own_object(&self, target: VarId) -> Statement {
        let size = Expr::Int(Integer::from(self.threads.size as i64), OFFSET);
        Statement::Allocate { target, size, region: Region::Stack, zeroed: true }
    }

    /// Gives the objects of a thread's own their first values.
    fn initialise_own(&mut self, own: VarId) -> Lowered<()> {
        let from = self.current;
        for ((number, object), offset) in self.threads.own.clone() {
            self.enter_unit(number);
            let unit = self.unit;
            if let Some(initialiser) = &unit.objects[object].init {
                let address = self.offset_by(Expr::Var(own), offset);
                for item in &initialiser.items {
                    self.store_item(address.clone(), item)?;
                }
            }
        }
        self.enter_unit(from);
        Ok(())
    }

    /// The type of the numbers of threads.
    pub(super) fn word(&self) -> Type {
        Type::machine(8 * self.program.pointer_bytes, false)
    }

    fn last_thread(&mut self) -> VarId {
        if let Some(last) = self.threads.last {
            return last;
        }
        let word = self.word();
        let last = self.global("%threads", word, None);
        self.program.init.push(Statement::Assign(vec![(last, Expr::Int(Integer::ZERO, word))]));
        self.threads.last = Some(last);
        last
    }

    /// Where the result of a thread of that number is kept.
    fn result_of(&mut self, number: Expr) -> Expr {
        let bytes = self.program.pointer_bytes;
        let results = match self.threads.results {
            Some(results) => results,
            None => {
                let results = self.global("&results", Type::Pointer, None);
                self.fixed.insert(results);
                let size = Expr::Int(Integer::from(MAX_RESULTS * bytes), OFFSET);
                let allocate = Statement::Allocate { target: results, size, region: Region::Static, zeroed: false };
                self.program.init.push(allocate);
                self.threads.results = Some(results);
                results
            }
        };
        let number = self.to_type(OFFSET, number);
        let offset = Expr::binary(BinaryOp::Mul, number, Expr::Int(Integer::from(bytes), OFFSET));
        Expr::binary(BinaryOp::PointerAdd, Expr::Var(results), offset)
    }

    /// The procedure that a thread runs which starts in a function: it makes what the thread has for itself, calls the
    /// function, and keeps its result.
    fn thread_procedure(
        &mut self,
        number: usize,
        function: FunctionId,
        parameter: Option<Type>,
        api: Api,
    ) -> Lowered<ProcId> {
        if let Some(known) = self.threads.starts.get(&(number, function, api)) {
            return Ok(*known);
        }
        let mut name = format!("thread {}", self.linked[number].unit.functions[function].name).replace(' ', ".");
        while self.program.procedures.iter().any(|procedure| procedure.name == name) {
            name.push('\'');
        }
        let nowhere = Id::new(0);
        let procedure = self.program.procedures.push(Procedure {
            name,
            parameters: Vec::new(),
            result: None,
            locations: IdVec::new(),
            edges: IdVec::new(),
            entry: nowhere,
            exit: nowhere,
            span: None,
        });
        self.threads.starts.insert((number, function, api), procedure);
        let caller = std::mem::replace(&mut self.body, Body::new(Some(procedure), None));
        let made = self.thread_body(number, function, parameter, api);
        let body = std::mem::replace(&mut self.body, caller);
        let (parameters, entry, begin, exit) = made?;
        let made = &mut self.program.procedures[procedure];
        made.parameters = parameters;
        made.locations = body.locations;
        made.edges = body.edges;
        made.entry = entry;
        made.exit = exit;
        made.edges.push(Edge {
            source: entry,
            target: begin,
            label: None,
            block: body.entry_block,
            span: None,
            places: Vec::new(),
        });
        Ok(procedure)
    }

    fn thread_body(
        &mut self,
        number: usize,
        function: FunctionId,
        parameter: Option<Type>,
        api: Api,
    ) -> Lowered<(Vec<VarId>, crate::program::LocId, crate::program::LocId, crate::program::LocId)> {
        let (entry, begin, exit) = (self.location(), self.location(), self.location());
        self.start_at(begin);
        let word = self.word();
        let own_number = self.local("number", word, None);
        let argument = parameter.map(|ty| self.local("argument", ty, None));
        if self.threads.has_own {
            let own = self.local("&thread", Type::Pointer, None);
            self.fixed.insert(own);
            self.body.own = Some(own);
            let allocate = self.own_object(own);
            self.body.entry_block.push(allocate);
            self.emit(Statement::Store { address: Expr::Var(own), value: Expr::Var(own_number) });
            self.initialise_own(own)?;
        }
        let arguments = Arguments::of_scalar(argument.map(Expr::Var).zip(parameter));
        let result = self.scalar_result(number, function).filter(|_| self.threads.asks_results);
        let target = match result {
            Some(ty) => Target::Variable(self.temporary(ty)),
            None => Target::Nothing,
        };
        self.defined_call(number, function, arguments, &target)?;
        if self.threads.asks_results {
            let value = match target {
                Target::Variable(result) => Some(self.to_type(api.result(), Expr::Var(result))),
                _ => None,
            };
            if let Some(value) = self.result_at_end(value, api.result()) {
                let address = self.result_of(Expr::Var(own_number));
                self.emit_visible(Statement::Store { address, value });
            }
        }
        self.run_at_end()?;
        self.go_to(exit);
        Ok(([own_number].into_iter().chain(argument).collect(), entry, begin, exit))
    }

    /// Calls what the library does at the end of a thread.
    pub(super) fn run_at_end(&mut self) -> Lowered<()> {
        match self.defined.get(AT_END).copied() {
            Some((number, function)) if number >= self.user_units => {
                self.defined_call(number, function, Arguments::default(), &Target::Nothing)
            }
            _ => Ok(()),
        }
    }

    /// A call of a function of `<pthread.h>` or `<threads.h>`; tells whether it is known.
    pub(super) fn thread_call(&mut self, name: &str, arguments: &[ExprId], target: &Target) -> Lowered<bool> {
        if matches!(name, "pthread_join" | "pthread_mutex_lock" | "pthread_cond_wait" | "__mutex_take") {
            // It may wait for ever.
            self.check_lost(false);
        }
        match (name, arguments) {
            ("pthread_create", [handle, attributes, start, argument]) => {
                self.spawn(*handle, Some(*attributes), *start, *argument)?;
            }
            ("thrd_create", [handle, start, argument]) => self.spawn(*handle, None, *start, *argument)?,
            ("pthread_join" | "thrd_join", [thread, result]) => self.join(*thread, *result, Api::of(name))?,
            ("pthread_mutex_lock" | "__mutex_take" | "__mutex_take_again", [lock]) => {
                let lock = self.value(*lock)?;
                self.emit_visible(Statement::Lock { lock, reentrant: name == "__mutex_take_again" });
            }
            ("pthread_mutex_trylock", [lock]) => {
                self.try_lock(*lock, target)?;
                return Ok(true);
            }
            ("__mutex_is_taken" | "__mutex_is_mine", [lock]) => {
                let lock = self.value(*lock)?;
                let asked = if name == "__mutex_is_mine" { UnaryOp::HoldsLock } else { UnaryOp::IsLocked };
                let answer = super::arithmetic::cast(Type::machine(32, true), Expr::unary(asked, lock));
                let answer = self.read_step(answer);
                self.give(target, answer)?;
                return Ok(true);
            }
            ("pthread_mutex_unlock" | "__mutex_give", [lock]) => {
                let lock = self.value(*lock)?;
                self.emit_visible(Statement::Unlock(lock));
            }
            ("pthread_cond_wait", [condition, lock]) => {
                let condition = self.value(*condition)?;
                let condition = self.keep_across(condition, *lock);
                let lock = self.value(*lock)?;
                self.wait(condition, lock)?;
            }
            ("pthread_cond_signal" | "pthread_cond_broadcast", [condition]) => {
                let condition = self.value(*condition)?;
                let all = name == "pthread_cond_broadcast";
                if !self.options.spurious_wakeups {
                    self.emit_visible(Statement::Notify { condition, all });
                }
            }
            (
                "pthread_mutex_init"
                | "pthread_mutex_destroy"
                | "pthread_cond_init"
                | "pthread_cond_destroy"
                | "pthread_attr_init"
                | "pthread_attr_destroy"
                | "pthread_attr_setdetachstate"
                | "pthread_attr_setguardsize"
                | "pthread_attr_setinheritsched"
                | "pthread_attr_setschedparam"
                | "pthread_attr_setschedpolicy"
                | "pthread_attr_setscope"
                | "pthread_attr_setstack"
                | "pthread_attr_setstackaddr"
                | "pthread_attr_setstacksize"
                | "pthread_condattr_destroy"
                | "pthread_condattr_init"
                | "pthread_condattr_setclock"
                | "pthread_condattr_setpshared"
                | "pthread_mutexattr_setpshared"
                | "pthread_rwlockattr_destroy"
                | "pthread_rwlockattr_init"
                | "pthread_rwlockattr_setpshared"
                | "pthread_setname_np"
                | "pthread_detach"
                | "thrd_detach"
                | "pthread_mutexattr_init"
                | "pthread_mutexattr_destroy",
                _,
            ) => {
                self.arguments(arguments)?;
            }
            ("pthread_exit" | "thrd_exit", [result]) => {
                self.end_thread(*result)?;
                return Ok(true);
            }
            ("pthread_self" | "thrd_current", []) => {
                let number = match self.body.own {
                    Some(own) => Expr::Load(self.word(), Box::new(Expr::Var(own))),
                    None => Expr::Int(Integer::ZERO, self.word()),
                };
                self.give(target, number)?;
                return Ok(true);
            }
            ("pthread_equal" | "thrd_equal", [_, _]) => {
                let values = self.arguments(arguments)?.values;
                let equal = Expr::binary(BinaryOp::Eq, values[0].clone(), values[1].clone());
                self.give(target, super::arithmetic::cast(Type::machine(32, true), equal))?;
                return Ok(true);
            }
            ("pthread_yield" | "sched_yield" | "thrd_yield", []) => {}
            _ => return Ok(false),
        }
        self.zero_result(target)?;
        Ok(true)
    }

    /// Waits for the end of a thread, and takes its result.
    fn join(&mut self, thread: ExprId, result: ExprId, api: Api) -> Lowered<()> {
        let number = self.value(thread)?;
        let number = self.keep(number);
        if is_null(self.unit, result) {
            self.emit_visible(Statement::Join(number));
            return Ok(());
        }
        let to = self.value(result)?;
        let to = self.keep(to);
        self.emit_visible(Statement::Join(number.clone()));
        let (some, end) = (self.location(), self.location());
        let is_some = self.truth(to.clone());
        self.branch(is_some, some, end);
        self.start_at(some);
        let address = self.result_of(number);
        let value = self.read_step(Expr::Load(api.result(), Box::new(address)));
        let size = match api {
            Api::Posix => self.program.pointer_bytes,
            Api::C11 => 4,
        };
        let bytes = Expr::Int(Integer::from(size), OFFSET);
        let to = self.check_access(to, bytes)?;
        self.emit_visible(Statement::Store { address: to, value });
        self.go_to(end);
        self.start_at(end);
        Ok(())
    }

    /// Waits for a condition. A thread may wake on its own, so that a notification is not needed to go on: the lock is
    /// released, and taken again.
    fn wait(&mut self, condition: Expr, lock: Expr) -> Lowered<()> {
        if !self.options.spurious_wakeups {
            self.emit_visible(Statement::Wait { condition, lock });
            self.here();
            return Ok(());
        }
        let lock = self.keep(lock);
        self.emit_visible(Statement::Unlock(lock.clone()));
        self.here();
        self.emit_visible(Statement::Lock { lock, reentrant: false });
        Ok(())
    }

    /// Whether a function is called by its name.
    pub(super) fn is_called_directly(&self, number: usize, function: FunctionId) -> bool {
        let unit = self.linked[number].unit;
        unit.exprs.iter().any(|expr| match &expr.kind {
            tree::ExprKind::Call { callee, .. } => unit.direct_callee(*callee) == Some(function),
            _ => false,
        })
    }

    /// Starts a thread in a function that is named, or in whichever of those whose address is taken a pointer points to.
    fn spawn(&mut self, handle: ExprId, attributes: Option<ExprId>, start: ExprId, argument: ExprId) -> Lowered<()> {
        let handle = self.value(handle)?;
        let handle = self.keep_across(handle, argument);
        let handle = self.keep(handle);
        if let Some(attributes) = attributes {
            self.effect(attributes)?;
        }
        let api = if attributes.is_some() { Api::Posix } else { Api::C11 };
        if let Some(function) = self.named_start(start) {
            let argument = self.value(argument)?;
            return self.spawn_in(handle, function, argument, api);
        }
        let pointer = self.value(start)?;
        let pointer = self.keep(pointer);
        let argument = self.value(argument)?;
        let argument = self.keep(argument);
        let fits = |lower: &mut Self, (number, function)| {
            let is_pointer = matches!(lower.scalar_parameters(number, function)[..], [Some(Type::Pointer)]);
            is_pointer && lower.scalar_result(number, function) == Some(api.result())
        };
        self.for_each_callee(pointer, fits, |lower, function| {
            lower.spawn_in(handle.clone(), function, argument.clone(), api)
        })
    }

    fn spawn_in(&mut self, handle: Expr, function: (usize, FunctionId), argument: Expr, api: Api) -> Lowered<()> {
        let (unit_number, function) = function;
        let parameter = match self.scalar_parameters(unit_number, function)[..] {
            [] => None,
            [Some(ty)] if ty == Type::Pointer || ty.is_integer() => Some(ty),
            [_] => return Err(self.refuse("a thread that starts in a function of such a parameter is")),
            _ => return Err(self.refuse("a thread that starts in a function of several parameters is")),
        };
        let argument = parameter.map(|ty| self.to_type(ty, argument));
        let word = self.word();
        let number = self.temporary(word);
        if self.threads.has_own || self.threads.asks_results || self.defined.contains_key(AT_END) {
            let callee = self.thread_procedure(unit_number, function, parameter, api)?;
            let last = self.last_thread();
            let next = Expr::binary(BinaryOp::Add, Expr::Var(last), Expr::Int(Integer::ONE, word));
            // Threads are numbered in the order in which they start, so this is the number of the new one.
            self.emit_visible(Statement::AtomicBegin);
            self.emit(Statement::Assign(vec![(last, next)]));
            let arguments = [Expr::Var(last)].into_iter().chain(argument).collect();
            self.emit(Statement::Spawn { target: Some(number), callee, arguments });
            self.end_atomic();
        } else {
            let callee = self.procedure(unit_number, function);
            let arguments = argument.into_iter().collect();
            self.emit_visible(Statement::Spawn { target: Some(number), callee, arguments });
        }
        self.emit_visible(Statement::Store { address: handle, value: Expr::Var(number) });
        Ok(())
    }

    /// The function that a thread starts in, where it is named.
    fn named_start(&mut self, start: ExprId) -> Option<(usize, FunctionId)> {
        let unit = self.unit;
        let mut expr = start;
        while let tree::ExprKind::Convert(_, inner) = unit.exprs[expr].kind {
            expr = inner;
        }
        unit.direct_callee(expr).and_then(|function| self.definition_of_function(function))
    }

    /// Takes a lock if nobody has it; the result tells.
    fn try_lock(&mut self, lock: ExprId, target: &Target) -> Lowered<()> {
        let lock = self.value(lock)?;
        let lock = self.keep(lock);
        let result = self.temporary(Type::machine(32, true));
        let number = |number: i32| Expr::Int(Integer::from(number), Type::machine(32, true));
        self.emit_visible(Statement::AtomicBegin);
        let (taken, free, end) = (self.location(), self.location(), self.location());
        self.branch(Expr::unary(UnaryOp::IsLocked, lock.clone()), taken, free);
        self.start_at(taken);
        self.emit(Statement::Assign(vec![(result, number(BUSY))]));
        self.go_to(end);
        self.start_at(free);
        self.emit(Statement::Lock { lock, reentrant: false });
        self.emit(Statement::Assign(vec![(result, number(0))]));
        self.go_to(end);
        self.start_at(end);
        self.end_atomic();
        self.give(target, Expr::Var(result))
    }
}

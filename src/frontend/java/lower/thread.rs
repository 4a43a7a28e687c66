//! Threads and monitors: how threads start and end, locks, what others can see of an access.
//!
//! An object's monitor is the Program's lock of its address. Where no thread is ever started, and nobody asks who holds a
//! lock, none of this is in the Program.

use super::branch::{compare, int};
use super::native::Target;
use super::object::{at, element_place};
use super::{INT, Lower, Lowered};
use crate::frontend::java::class::Origin;
use crate::frontend::java::code::{Code, Instruction, Member};
use crate::frontend::java::library::THREAD;
use crate::frontend::java::reach::thread_method;
use crate::frontend::java::types::{JavaType, Kind};
use crate::frontend::java::world::MethodId;
use crate::program::{BinaryOp, Expr, ProcId, Role, Statement, Type, UnaryOp, VarId};
use std::rc::Rc;

/// The parameters of the methods in which threads wait: at an object, so long at an object, and for a condition of a lock.
const WAIT: &str = "(Ljava/lang/Object;)V";
const TIMED_WAIT: &str = "(Ljava/lang/Object;J)V";
const AWAIT: &str = "(Ljava/lang/Object;Ljava/lang/Object;Z)V";

impl Lower<'_> {
    /// Each thread has a global of its own, if there are several.
    pub(super) fn make_own(&mut self, variable: VarId) {
        if self.reached.has_threads {
            self.program.variables[variable].role = Role::Own;
        }
    }

    /// Whether the method is where threads start: what nothing else catches is caught there.
    pub(super) fn is_thread_entry(&self, method: MethodId) -> bool {
        &*self.world.class(method.class).name == THREAD && &*self.world.method(method).name == "enter"
    }

    /// Takes the lock of an object, or gives it back.
    pub(super) fn monitor(&mut self, object: Expr, enters: bool) {
        if !self.reached.has_threads {
            return;
        }
        self.emit_alone(match enters {
            true => Statement::Lock { lock: object, reentrant: true },
            false => Statement::Unlock(object),
        });
    }

    /// A method that is synchronized takes the lock of its object or class where it starts.
    pub(super) fn enter_monitor(&mut self, method: MethodId) -> Lowered<()> {
        let (is_synchronized, is_static) = {
            let method = self.world.method(method);
            (method.is_synchronized, method.is_static)
        };
        if !is_synchronized || !self.reached.has_threads {
            return Ok(());
        }
        let object = if is_static {
            Expr::Var(self.class_object(method.class))
        } else {
            let this = self.local(0, Kind::Reference);
            if self.body.keeps_this {
                Expr::Var(this)
            } else {
                let procedure = self.body.procedure.expect("a procedure was begun");
                let kept = self.new_local(procedure, "monitor", Type::Pointer);
                self.emit(Statement::Assign(vec![(kept, Expr::Var(this))]));
                Expr::Var(kept)
            }
        };
        self.monitor(object.clone(), true);
        self.body.monitor = Some(object);
        Ok(())
    }

    /// Gives back the lock that the method took where it started.
    pub(super) fn leave_monitor(&mut self) {
        if let Some(object) = self.body.monitor.clone() {
            self.monitor(object, false);
        }
    }

    /// Puts what is in memory now on the stack, in a variable; what is volatile is no data race.
    pub(super) fn push_shared(&mut self, expr: Expr, kind: Kind, is_volatile: bool) {
        if !is_volatile || !self.reached.has_threads {
            return self.push_kept(expr, kind);
        }
        let variable = self.operand(self.body.stack.len(), kind);
        self.protect(&[variable]);
        self.emit_shared(Statement::Assign(vec![(variable, expr)]), true);
        self.push_expr(Expr::Var(variable), kind);
    }

    /// Accesses memory that threads may share; what is volatile is no data race.
    pub(super) fn emit_shared(&mut self, statement: Statement, is_volatile: bool) {
        if is_volatile && self.reached.has_threads {
            self.emit_together(vec![Statement::AtomicBegin, statement, Statement::AtomicEnd]);
        } else {
            self.emit(statement);
        }
    }

    /// The variable for the object of each thread.
    pub(super) fn thread_variable(&mut self) -> VarId {
        if let Some(known) = self.thread {
            return known;
        }
        let variable = self.global("thread", Type::Pointer, Expr::Null);
        self.make_own(variable);
        self.thread = Some(variable);
        variable
    }

    /// The first thread gets its object, where anybody asks for that.
    pub(super) fn make_first_thread(&mut self) -> Lowered<()> {
        let maker = thread_method("first", "()Ljava/lang/Thread;");
        let Ok(maker) = self.world.resolve_method(&maker) else { return Ok(()) };
        if self.reached.methods.contains(&maker) {
            let variable = self.thread_variable();
            let callee = self.procedure(maker);
            self.emit_alone(Statement::Call { target: Some(variable), callee, arguments: Vec::new() });
        }
        Ok(())
    }

    /// What the first thread does at its end.
    pub(super) fn end_first_thread(&mut self) -> Lowered<()> {
        if !self.reached.has_threads {
            return Ok(());
        }
        let end = self.here();
        self.main_end = Some(end);
        let argument = Expr::Var(self.thread_variable());
        self.call_thread_method("end", argument)
    }

    fn call_thread_method(&mut self, name: &str, argument: Expr) -> Lowered<()> {
        let member = thread_method(name, "(Ljava/lang/Thread;)V");
        let method = self.world.resolve_method(&member).map_err(|error| self.wrong(error.to_string()))?;
        let callee = self.procedure(method);
        self.emit_alone(Statement::Call { target: None, callee, arguments: vec![argument] });
        Ok(())
    }

    /// The procedure that a new thread runs.
    fn entry_procedure(&mut self) -> Lowered<ProcId> {
        if let Some(known) = self.entry {
            return Ok(known);
        }
        let id = self.new_procedure("thread");
        self.entry = Some(id);
        let object = self.new_local(id, "object", Type::Pointer);
        self.program.procedures[id].parameters.push(object);
        let own = self.thread_variable();
        let outer = std::mem::take(&mut self.body);
        self.begin(id);
        self.emit(Statement::Assign(vec![(own, Expr::Var(object)), (self.exception, Expr::Null)]));
        self.call_thread_method("enter", Expr::Var(object))?;
        let exit = self.body.exit.expect("a procedure was begun");
        self.go_to(exit);
        self.finish();
        self.body = outer;
        Ok(id)
    }

    /// The native methods that have to do with threads; tells whether this is one.
    pub(super) fn thread_native(&mut self, name: &str, arguments: &[Expr], target: Target) -> Lowered<bool> {
        let has_threads = self.reached.has_threads;
        match name {
            "currentThread" => {
                let variable = self.thread_variable();
                self.set(target, Expr::Var(variable));
            }
            "start" => {
                let callee = self.entry_procedure()?;
                let target = target.map(|(variable, _)| variable);
                self.emit_alone(Statement::Spawn { target, callee, arguments: arguments.to_vec() });
            }
            "join" => self.emit_alone(Statement::Join(arguments[0].clone())),
            "lock" => self.monitor(arguments[0].clone(), true),
            "unlock" => self.monitor(arguments[0].clone(), false),
            "holds" => self.set(target, lock_test(UnaryOp::HoldsLock, &arguments[0])),
            "isLocked" => self.set(target, lock_test(UnaryOp::IsLocked, &arguments[0])),
            "lockAtomic" if has_threads => self.emit_together(vec![
                Statement::Lock { lock: arguments[0].clone(), reentrant: true },
                Statement::AtomicBegin,
            ]),
            "lockAtomic" => {}
            "atomicBegin" if has_threads => self.emit(Statement::AtomicBegin),
            "atomicEnd" if has_threads => self.emit(Statement::AtomicEnd),
            "atomicBegin" | "atomicEnd" => {}
            "sleep" => self.sleep(&arguments[0]),
            "wake" => self.emit(Statement::Notify { condition: arguments[0].clone(), all: true }),
            "await" => {
                let [monitor] = arguments else { unreachable!("its parameters") };
                self.emit_alone(Statement::Wait { condition: monitor.clone(), lock: monitor.clone() });
            }
            "notify" | "notifyAll" => {
                self.emit_alone(Statement::Notify { condition: arguments[0].clone(), all: name == "notifyAll" });
            }
            "awaitEnd" => self.await_end(&arguments[0], &arguments[1]),
            "choose" => self.choose(&arguments[0], target),
            "uncaught" => {
                let callee = self.uncaught_procedure();
                self.emit_alone(Statement::Call { target: None, callee, arguments: arguments.to_vec() });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether a method of threads can be called.
    fn reaches(&mut self, name: &str, descriptor: &str) -> bool {
        let method = self.world.resolve_method(&thread_method(name, descriptor)).ok();
        method.is_some_and(|method| self.reached.methods.contains(&method))
    }

    /// Whether anybody takes several permits of a semaphore at once.
    pub(super) fn takes_several_permits(&mut self) -> bool {
        let methods = [
            ("acquire", "(I)V"),
            ("acquireUninterruptibly", "(I)V"),
            ("tryAcquire", "(IJLjava/util/concurrent/TimeUnit;)Z"),
        ];
        methods.into_iter().any(|(name, descriptor)| {
            let class = "java/util/concurrent/Semaphore".into();
            let member = Member { class, name: name.into(), descriptor: descriptor.into() };
            self.world.resolve_method(&member).is_ok_and(|method| self.reached.has(method))
        })
    }

    /// Whether a thread that waits may wake on its own.
    fn wakes_alone(&self) -> bool {
        !self.options.sleeps_until_notified && !self.options.executes
    }

    /// What a native method says of the program that is the same throughout.
    pub(super) fn known_of_threads(&mut self, name: &str) -> Option<bool> {
        Some(match name {
            "hasThreads" => self.reached.has_threads,
            "wakesAlone" => self.wakes_alone(),
            "joinsByEnd" => self.joins_by_end(),
            "asksForEnds" => self.asks_for_ends(),
            "waitsForEver" => self.waits_for_ever(),
            "hasInterrupts" => self.has_interrupts(),
            "hasDaemons" => self.reaches("setDaemon", "(Z)V"),
            "hasWaiting" => {
                let at_objects = [("await", WAIT), ("await", TIMED_WAIT), ("join", "()V"), ("join", "(J)V")];
                let is_by_model = !self.waits_for_ever() && at_objects.iter().any(|(name, of)| self.reaches(name, of));
                !self.wakes_alone() && (is_by_model || self.reaches("await", AWAIT))
            }
            _ => return None,
        })
    }

    fn has_interrupts(&mut self) -> bool {
        self.reaches("interrupt", "()V")
    }

    /// Whether who waits at an object does so until it is notified: there is neither an interrupt nor a limit on the time.
    fn waits_for_ever(&mut self) -> bool {
        !self.wakes_alone() && !self.has_interrupts() && !self.reaches("await", TIMED_WAIT)
    }

    /// Whether to wait for a thread is to wait for its end. Nothing else ends that if there are no interrupts; and where threads
    /// sleep until they are notified, if nobody else waits at threads, to whom a notification could go. Then the model of `wait`
    /// refuses a thread as a monitor where this says so, and that of `join` one that holds the thread's lock; so it does not
    /// where that is to be expected.
    fn joins_by_end(&mut self) -> bool {
        if self.has_interrupts() {
            return false;
        }
        !self.reached.methods.iter().any(|method| self.joins_with_a_lock(*method) || self.waits_at_itself(*method))
    }

    /// Whether anybody may ask whether a thread has ended. Who waits for its end by its number does not.
    fn asks_for_ends(&mut self) -> bool {
        let asking = [
            ("isAlive", "()Z"),
            ("hasEnded", "()Z"),
            ("join", "(J)V"),
            ("join", "(JI)V"),
            ("setDaemon", "(Z)V"),
            ("setPriority", "(I)V"),
        ];
        !self.joins_by_end() || asking.into_iter().any(|(name, descriptor)| self.reaches(name, descriptor))
    }

    /// Whether a method of the user's that takes locks waits for the end of a thread.
    fn joins_with_a_lock(&self, method: MethodId) -> bool {
        let known = self.world.method(method);
        let takes = |code: &Code| code.instructions.iter().any(|i| matches!(i, Instruction::MonitorEnter));
        self.world.class(method.class).origin == Origin::User
            && (known.is_synchronized || known.code.as_deref().is_some_and(takes))
            && self.calls_of_threads(method).any(|(_, name)| &*name == "join")
    }

    /// Whether a method of one of the user's classes of threads waits at its own object.
    fn waits_at_itself(&self, method: MethodId) -> bool {
        let Some(thread) = self.world.known(THREAD) else { return false };
        let Some(code) = &self.world.method(method).code else { return false };
        let on_this = |call: usize| {
            let before = call.saturating_sub(2)..call;
            code.instructions[before].iter().any(|i| matches!(i, Instruction::Load(Kind::Reference, 0)))
        };
        self.world.class(method.class).origin == Origin::User
            && self.world.is_subtype(method.class, thread)
            && self.calls_of_threads(method).any(|(index, name)| matches!(&*name, "wait" | "await") && on_this(index))
    }

    /// The calls that a method makes of methods of objects and of threads: which instruction, and what is called.
    fn calls_of_threads(&self, method: MethodId) -> impl Iterator<Item = (usize, Rc<str>)> + '_ {
        let calls = self.reached.calls.get(&method).into_iter().flatten();
        calls.flat_map(|(index, called)| called.iter().map(move |called| (*index, *called))).filter_map(
            |(index, called)| {
                let is_theirs = matches!(&*self.world.class(called.class).name, THREAD | "java/lang/Object");
                is_theirs.then(|| (index, self.world.method(called).name.clone()))
            },
        )
    }

    /// Ends the atomic section and sleeps until the thread is woken. The lock is of nobody else.
    fn sleep(&mut self, me: &Expr) {
        if self.wakes_alone() {
            self.emit(Statement::AtomicEnd);
            return;
        }
        let lock = at(me, 4);
        self.emit_together(vec![
            Statement::AtomicEnd,
            Statement::Lock { lock: lock.clone(), reentrant: false },
            Statement::Wait { condition: me.clone(), lock: lock.clone() },
        ]);
        self.emit_alone(Statement::Unlock(lock));
    }

    /// When a thread is not running, or this one is interrupted, takes its lock and starts an atomic section.
    fn await_end(&mut self, thread: &Expr, me: &Expr) {
        let (started, ended) = (self.field_offset(THREAD, "started", "I"), self.field_offset(THREAD, "ended", "I"));
        let interrupted = self.field_offset(THREAD, "isInterrupted", "Z");
        let load = |offset| Expr::Load(INT, Box::new(at(thread, offset)));
        let is_new = compare(BinaryOp::Eq, load(started), int(0));
        let has_ended = compare(BinaryOp::Ne, load(ended), int(0));
        let flag = super::object::load_cell(&JavaType::Boolean, at(me, interrupted));
        let is_interrupted = compare(BinaryOp::Ne, flag, int(0));
        let condition = Statement::Assume(Expr::Or(vec![is_new, has_ended, is_interrupted]));
        let lock = Statement::Lock { lock: thread.clone(), reentrant: true };
        self.emit_together(vec![Statement::AtomicBegin, condition, lock]);
    }

    /// Any number below the given one, read in one step with its bounds.
    fn choose(&mut self, below: &Expr, target: Target) {
        let Some((variable, _)) = target else { return };
        let at_least = Expr::binary(BinaryOp::Ge, Expr::Var(variable), int(0));
        let at_most = Expr::binary(BinaryOp::Lt, Expr::Var(variable), below.clone());
        self.emit_together(vec![
            Statement::Havoc { target: variable, span: None },
            Statement::Assume(Expr::And(vec![at_least, at_most])),
        ]);
    }

    /// Copies elements of an array one after the other, as other threads may see; the ends that overlap last.
    pub(super) fn copy_one_by_one(&mut self, arguments: [&Expr; 5], ty: &JavaType) {
        let [from, start, to, position, length] = arguments.map(Clone::clone);
        let (index, end, step) = (self.temporary(INT), self.temporary(INT), self.temporary(INT));
        let (forward, backward, head) = (self.location(), self.location(), self.location());
        let is_forward = Expr::Or(vec![
            compare(BinaryOp::Ne, from.clone(), to.clone()),
            Expr::binary(BinaryOp::Ge, start.clone(), position.clone()),
        ]);
        self.branch(is_forward, forward, backward);
        self.start_at(forward);
        self.emit(Statement::Assign(vec![(index, int(0)), (end, length.clone()), (step, int(1))]));
        self.go_to(head);
        self.start_at(backward);
        let last = Expr::binary(BinaryOp::Sub, length, int(1));
        self.emit(Statement::Assign(vec![(index, last), (end, int(-1)), (step, int(-1))]));
        self.go_to(head);
        self.start_at(head);
        let (again, done) = (self.location(), self.location());
        self.branch(Expr::binary(BinaryOp::Eq, Expr::Var(index), Expr::Var(end)), done, again);
        self.start_at(again);
        let offset = |base: Expr| Expr::binary(BinaryOp::Add, base, Expr::Var(index));
        let cell = ty.cell_type();
        let value = self.temporary(cell);
        let source = element_place(&from, &offset(start), ty);
        self.emit(Statement::Assign(vec![(value, Expr::Load(cell, Box::new(source)))]));
        let address = element_place(&to, &offset(position), ty);
        self.emit(Statement::Store { address, value: Expr::Var(value) });
        let next = Expr::binary(BinaryOp::Add, Expr::Var(index), Expr::Var(step));
        self.emit(Statement::Assign(vec![(index, next)]));
        self.go_to(head);
        self.start_at(done);
    }
}

fn lock_test(op: UnaryOp, object: &Expr) -> Expr {
    Expr::Cast(INT, Box::new(Expr::unary(op, object.clone())))
}

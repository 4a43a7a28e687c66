//! Functions that are not defined in the program but have a known meaning: SV-COMP's, the C library's, pthreads'.

use super::arithmetic::cast;
use super::call::Target;
use super::{Lower, Lowered, Storage};
use crate::frontend::c::tree::ExprId;
use crate::program::{BinaryOp, ErrorKind, Expr, OFFSET, Region, Statement, Type};
use crate::term::Integer;

/// The status that a shell shows for a program that was aborted.
const ABORTED: i64 = 128 + 6;

impl Lower<'_> {
    /// A call of a function that has a meaning without a definition; tells whether it has.
    pub(super) fn library_call(
        &mut self,
        name: &str,
        arguments: &[ExprId],
        target: &Target,
        expr: ExprId,
    ) -> Lowered<bool> {
        match name {
            "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" | "klee_assume" => {
                let [condition] = arguments else { return Err(self.wrong_arguments(name)) };
                let condition = self.condition(*condition)?;
                if self.current >= self.user_units && !self.options.spurious_wakeups {
                    self.assume(
                        "no thread waits for ever for a semaphore, a barrier or a lock of such a kind".to_owned(),
                    );
                }
                self.emit(Statement::Assume(condition));
            }
            "assert" | "__VERIFIER_assert" => {
                let [condition] = arguments else { return Err(self.wrong_arguments(name)) };
                let condition = self.condition(*condition)?;
                self.check(condition, ErrorKind::Assertion, "an assertion is false".to_owned());
            }
            "__CPROVER_assert" | "__ESBMC_assert" => {
                let [condition, ..] = arguments else { return Err(self.wrong_arguments(name)) };
                let condition = self.condition(*condition)?;
                self.check(condition, ErrorKind::Assertion, "an assertion is false".to_owned());
            }
            "klee_make_symbolic" => {
                let [pointer, size, ..] = arguments else { return Err(self.wrong_arguments(name)) };
                self.make_symbolic(*pointer, *size)?;
            }
            "__assert_fail" | "__assert" | "__assert_func" | "__assert_rtn" | "__assert_perror_fail" => {
                self.arguments(arguments)?;
                self.check_lost(false);
                let error = self.error_location(ErrorKind::Assertion, "an assertion is false".to_owned());
                self.go_to(error);
            }
            "exit" => {
                let values = self.arguments(arguments)?.values;
                self.exit(values.into_iter().next())?;
            }
            "_exit" | "_Exit" | "quick_exit" => {
                let values = self.arguments(arguments)?.values;
                self.exit_at_once(values.into_iter().next());
            }
            "atexit" if self.has_threads => return Err(self.refuse("`atexit` in a program with threads is")),
            "abort" | "__builtin_trap" => {
                self.arguments(arguments)?;
                self.abort();
            }
            "__VERIFIER_atomic_begin" => self.emit_visible(Statement::AtomicBegin),
            "__VERIFIER_atomic_end" => self.end_atomic(),
            "malloc" | "calloc" | "realloc" | "free" | "alloca" | "__tandem_apart" | "memcpy" | "memmove"
            | "memset" | "mempcpy" | "bzero" | "valloc" | "cfree" | "__builtin_alloca" => {
                return self.memory_call(name, arguments, target).map(|()| true);
            }
            _ if name.starts_with("__VERIFIER_nondet_") => self.nondet(name, arguments, target, expr)?,
            _ if name.starts_with("__mutex_") && self.current >= self.user_units => {
                return self.thread_call(name, arguments, target);
            }
            _ if name.starts_with("pthread_") || name.starts_with("thrd_") || name == "sched_yield" => {
                return self.thread_call(name, arguments, target);
            }
            "fflush" => {
                self.arguments(arguments)?;
                self.zero_result(target)?;
            }
            _ if self.output_call(name, arguments, target)? => {}
            _ if self.scan_call(name, arguments, target)? || self.buffer_call(name, arguments, target)? => {}
            _ if self.text_scan_call(name, arguments, target)? => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A call that does not fit what is known of the function.
    pub(super) fn wrong_arguments(&self, name: &str) -> crate::program::Diagnostic {
        self.refuse(&format!("this call of `{name}` is"))
    }

    /// The whole program ends here, with all its threads.
    pub(super) fn end_program(&mut self) {
        if self.has_threads {
            self.emit_visible(Statement::AtomicBegin);
        }
        self.stop();
    }

    /// The whole program ends here, with a status, after the functions that are to run at its end.
    pub(super) fn exit(&mut self, status: Option<Expr>) -> Lowered<()> {
        let status = match self.runs_at_exit() {
            true => {
                let status = status.map(|status| self.keep(status));
                self.helper_call("__run_at_exit", Vec::new(), &Target::Nothing)?;
                status
            }
            false => status,
        };
        self.exit_at_once(status);
        Ok(())
    }

    /// Whether there may be functions that are to run at the end of the program.
    fn runs_at_exit(&self) -> bool {
        self.defined.get("atexit").is_some_and(|(number, _)| *number >= self.user_units)
    }

    /// Where `main` returns, runs the functions that are to run at the end of the program.
    pub(super) fn run_at_return(&mut self) -> Lowered<()> {
        // A function that the verification starts at is not the end of the program.
        if !self.runs_at_exit() || self.options.preprocessor.entry.is_some() {
            return Ok(());
        }
        if self.is_main_called() {
            return Err(self.refuse("`atexit` in a program that calls `main` is"));
        }
        let has_objects = self.body.locals.values().any(|storage| matches!(storage, Storage::Memory(_)));
        if self.checks().memory && has_objects {
            self.assume("no function that runs at the end uses an object of `main`".to_owned());
        }
        self.helper_call("__run_at_exit", Vec::new(), &Target::Nothing)
    }

    /// The whole program ends here, with a status.
    fn exit_at_once(&mut self, status: Option<Expr>) {
        self.set_exit_status(status);
        self.check_leaks(false);
        self.end_program();
    }

    /// The whole program ends here by a signal, which a shell shows as a status.
    pub(super) fn abort(&mut self) {
        self.set_exit_status(Some(Expr::Int(Integer::from(ABORTED), Type::machine(32, true))));
        self.end_program();
    }

    /// Notes the status that the program ends with.
    pub(super) fn set_exit_status(&mut self, status: Option<Expr>) {
        if let (Some(variable), Some(status)) = (self.exit_status, status)
            && self.type_of(&status).is_integer()
        {
            let status = cast(Type::machine(32, true), status);
            self.emit_visible(Statement::Assign(vec![(variable, status)]));
        }
    }

    /// Gives a result to the target of a call.
    pub(super) fn give(&mut self, target: &Target, value: Expr) -> Lowered<()> {
        if let Target::Variable(variable) = target {
            let ty = self.program.variables[*variable].ty;
            let value = match (ty, &value) {
                (Type::Machine(_), Expr::Int(..)) => cast(ty, value),
                (Type::Bool, Expr::Int(..)) => self.truth(value),
                _ => value,
            };
            if self.type_of(&value) != ty {
                return Err(self.refuse("a library function that is declared with another type is"));
            }
            self.emit(Statement::Assign(vec![(*variable, value)]));
        }
        Ok(())
    }

    pub(super) fn zero_result(&mut self, target: &Target) -> Lowered<()> {
        self.give(target, Expr::Int(Integer::ZERO, Type::machine(32, true)))
    }

    fn nondet(&mut self, name: &str, arguments: &[ExprId], target: &Target, expr: ExprId) -> Lowered<()> {
        self.arguments(arguments)?;
        let span = Some(self.unit.exprs[expr].span);
        match target {
            Target::Variable(variable) => {
                let ty = self.program.variables[*variable].ty;
                self.emit_input(*variable, span);
                if name == "__VERIFIER_nondet_bool" && ty.is_integer() {
                    let at_most = Expr::binary(BinaryOp::Le, Expr::Var(*variable), Expr::Int(Integer::ONE, ty));
                    let at_least = Expr::binary(BinaryOp::Ge, Expr::Var(*variable), Expr::Int(Integer::ZERO, ty));
                    self.emit(Statement::Assume(super::arithmetic::and(vec![at_least, at_most])));
                }
                Ok(())
            }
            // An input that is not used is still read, so that inputs keep their order.
            Target::Nothing => match self.scalar(self.unit.exprs[expr].ty) {
                Some(ty) => {
                    let any = self.temporary(ty);
                    self.emit_input(any, span);
                    Ok(())
                }
                None => Ok(()),
            },
            Target::Room { .. } => Err(self.refuse(&format!("the result of `{name}` is"))),
        }
    }

    fn memory_call(&mut self, name: &str, arguments: &[ExprId], target: &Target) -> Lowered<()> {
        let values = self.arguments(arguments)?.values;
        match (name, &values[..]) {
            ("malloc" | "valloc", [size]) => self.allocated(size.clone(), Region::Heap, false, target),
            ("alloca" | "__builtin_alloca", [size]) => self.allocated(size.clone(), Region::Stack, false, target),
            ("calloc", [count, size]) => self.allocated_zeroed(count.clone(), size.clone(), target),
            ("realloc", [pointer, size]) => self.reallocated(pointer.clone(), size.clone(), target),
            ("free" | "cfree", [pointer]) => {
                self.free(pointer.clone());
                Ok(())
            }
            ("memcpy" | "memmove" | "mempcpy", [to, from, bytes]) => {
                let (to, from) = (self.keep(to.clone()), self.keep(from.clone()));
                let bytes = self.keep(cast(OFFSET, bytes.clone()));
                let parts = self.parts_behind(&arguments[..2], &bytes, name == "memmove");
                if name != "memmove" {
                    self.check_apart(&to, &from, &bytes);
                }
                self.copy_bytes(to.clone(), from, bytes.clone(), parts)?;
                let result = if name == "mempcpy" { Expr::binary(BinaryOp::PointerAdd, to, bytes) } else { to };
                self.give(target, result)
            }
            ("__tandem_apart", [to, from, bytes]) => {
                let (to, from) = (self.keep(to.clone()), self.keep(from.clone()));
                let bytes = self.keep(cast(OFFSET, bytes.clone()));
                self.check_apart(&to, &from, &bytes);
                Ok(())
            }
            ("memset", [to, byte, bytes]) => {
                let to = self.keep(to.clone());
                let bytes = cast(OFFSET, bytes.clone());
                let parts = self.parts_behind(&arguments[..1], &bytes, false);
                self.fill(to.clone(), cast(Type::machine(8, false), byte.clone()), bytes, parts)?;
                self.give(target, to)
            }
            ("bzero", [to, bytes]) => {
                let zero = Expr::Int(Integer::ZERO, Type::machine(8, false));
                let bytes = cast(OFFSET, bytes.clone());
                let parts = self.parts_behind(&arguments[..1], &bytes, false);
                self.fill(to.clone(), zero, bytes, parts)
            }
            _ => Err(self.wrong_arguments(name)),
        }
    }
}

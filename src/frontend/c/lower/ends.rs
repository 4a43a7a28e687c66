//! Where a thread ends in the middle of a call: the call returns, its callers are told, and return as well.
//!
//! Which calls may end their thread is seen only once they are lowered, so that a program in which some do is lowered again.

use super::{Lower, Lowered};
use crate::frontend::c::tree::{ExprId, FunctionId};
use crate::program::{BinaryOp, Expr, ProcId, Statement, Type};
use crate::term::Integer;
use rustc_hash::{FxHashMap, FxHashSet};

/// A function: its unit, and its number there.
type Definition = (usize, FunctionId);

/// What is known of the ends of threads.
#[derive(Debug, Clone, Default)]
pub(super) struct Ends {
    /// The functions that may end the thread that calls them.
    pub in_calls: FxHashSet<Definition>,
    /// Those in which a thread ends, as far as they were lowered.
    ends: FxHashSet<Definition>,
    /// Who calls whom.
    calls: FxHashSet<(ProcId, Definition)>,
}

impl Ends {
    /// Where these functions may end the thread that calls them.
    pub(super) fn of(in_calls: FxHashSet<Definition>) -> Ends {
        Ends { in_calls, ..Ends::default() }
    }
}

impl Lower<'_> {
    /// The functions that may end the thread that calls them, if there are more than was known.
    pub(super) fn more_ends(&self) -> Option<FxHashSet<Definition>> {
        let Ends { in_calls, ends, calls } = &self.threads.ends;
        let all = self.linked.iter().enumerate();
        let definitions: FxHashMap<ProcId, Definition> = all
            .flat_map(|(number, linked)| linked.procedures.iter().map(move |(f, procedure)| (*procedure, (number, *f))))
            .collect();
        // A function that only threads start in is called by what has no definition.
        let calls = calls.iter().filter_map(|(caller, callee)| Some((*definitions.get(caller)?, *callee)));
        let calls: Vec<(Definition, Definition)> = calls.collect();
        let mut may_end: FxHashSet<Definition> = ends.union(in_calls).copied().collect();
        loop {
            let before = may_end.len();
            may_end.extend(
                calls
                    .iter()
                    .filter(|(_, callee)| may_end.contains(callee))
                    .map(|(caller, _)| *caller)
                    .collect::<Vec<_>>(),
            );
            if may_end.len() == before {
                break;
            }
        }
        let called: FxHashSet<Definition> = calls.iter().map(|(_, callee)| *callee).collect();
        let mut found = in_calls.clone();
        found.extend(may_end.intersection(&called));
        (found.len() > in_calls.len()).then_some(found)
    }

    /// The thread ends here, with a result.
    pub(super) fn end_thread(&mut self, result: ExprId) -> Lowered<()> {
        let procedure = self.body.procedure.expect("a call is in a procedure");
        if procedure == self.program.main {
            self.effect(result)?;
            return self.end_first_thread();
        }
        let Some(definition) = self.definition_of_procedure(procedure) else {
            let name = &self.program.procedures[procedure].name;
            return Err(self.refuse(&format!("the end of a thread in `{name}` is")));
        };
        self.threads.ends.ends.insert(definition);
        if self.threads.ends.in_calls.contains(&definition) {
            let value = self.value(result)?;
            let value = self.to_type(Type::Pointer, value);
            let (flag, kept) = self.end_places();
            self.emit_visible(Statement::Store { address: kept, value });
            let value = Expr::Int(Integer::ONE, self.word());
            self.emit_visible(Statement::Store { address: flag, value });
            return self.return_nothing();
        }
        match self.body.result {
            Some(variable) => {
                let value = self.value(result)?;
                let value = self.to_type(self.program.variables[variable].ty, value);
                self.emit(Statement::Assign(vec![(variable, value)]));
            }
            None => self.effect(result)?,
        }
        self.finish_function()
    }

    /// After a call: if the thread is to end, this activation returns.
    pub(super) fn return_at_end(&mut self, number: usize, function: FunctionId) -> Lowered<()> {
        let Some(procedure) = self.body.procedure else { return Ok(()) };
        self.threads.ends.calls.insert((procedure, (number, function)));
        let is_own = procedure == self.program.main || self.definition_of_procedure(procedure).is_some();
        if !is_own || !self.threads.ends.in_calls.contains(&(number, function)) {
            return Ok(());
        }
        let (leave, go_on) = (self.location(), self.location());
        let is_end = self.is_at_end();
        self.branch(is_end, leave, go_on);
        self.start_at(leave);
        match procedure == self.program.main {
            true => self.end_first_thread()?,
            false => self.return_nothing()?,
        }
        self.start_at(go_on);
        Ok(())
    }

    /// The result of a thread after its first function has returned.
    pub(super) fn result_at_end(&mut self, result: Option<Expr>, ty: Type) -> Option<Expr> {
        if self.threads.ends.in_calls.is_empty() {
            return result;
        }
        let kept = self.temporary(ty);
        let (ended, returned, end) = (self.location(), self.location(), self.location());
        let is_end = self.is_at_end();
        self.branch(is_end, ended, returned);
        self.start_at(ended);
        let (_, place) = self.end_places();
        let value = self.read_step(Expr::Load(Type::Pointer, Box::new(place)));
        let value = self.to_type(ty, value);
        self.emit(Statement::Assign(vec![(kept, value)]));
        self.go_to(end);
        self.start_at(returned);
        let value = result.unwrap_or_else(|| self.constant(0, ty));
        self.emit(Statement::Assign(vec![(kept, value)]));
        self.go_to(end);
        self.start_at(end);
        Some(Expr::Var(kept))
    }

    fn definition_of_procedure(&self, procedure: ProcId) -> Option<Definition> {
        let found = self.linked[self.current].procedures.iter().find(|(_, known)| **known == procedure);
        found.map(|(function, _)| (self.current, *function))
    }

    /// Where the object of the thread says whether it ends, and has its result.
    fn end_places(&mut self) -> (Expr, Expr) {
        let own = Expr::Var(self.body.own.expect("procedures know their thread where calls may end it"));
        let bytes = u64::from(self.program.pointer_bytes);
        (self.offset_by(own.clone(), bytes), self.offset_by(own, 2 * bytes))
    }

    fn is_at_end(&mut self) -> Expr {
        let (flag, _) = self.end_places();
        let word = self.word();
        let flag = self.read_step(Expr::Load(word, Box::new(flag)));
        Expr::binary(BinaryOp::Ne, flag, Expr::Int(Integer::ZERO, word))
    }

    /// The first thread ends. The others go on; nobody joins it.
    fn end_first_thread(&mut self) -> Lowered<()> {
        self.run_at_end()?;
        self.stop();
        Ok(())
    }

    /// The activation ends, and what it gives is not looked at.
    fn return_nothing(&mut self) -> Lowered<()> {
        if let Some(result) = self.body.result {
            match self.program.variables[result].ty {
                ty @ (Type::Bool | Type::Machine(_) | Type::Pointer) => {
                    let zero = self.constant(0, ty);
                    self.emit(Statement::Assign(vec![(result, zero)]));
                }
                _ => self.emit_input(result, self.body.span),
            }
        }
        self.finish_function()
    }
}

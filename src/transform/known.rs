//! What is known of the variables of one thread, wherever it is: constants, and pointers that are not null.
//!
//! The walk over an instance's places takes no edge whose condition is false for what is known there, so that code which
//! no execution reaches has no place in the result: the null tests of a library on objects that were just made, or the
//! cases of a method for arguments that nobody passes. Only variables that no other thread can write are looked at, and
//! globals that nobody writes after `init`.

use crate::program::{BinaryOp, Expr, ProcId, Program, Role, Scope, Statement, Type, UnaryOp, VarId};
use crate::term::Integer;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// What is known of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fact {
    /// It is this number.
    Number(Integer),
    /// It is this truth value.
    Truth(bool),
    /// It is the null pointer.
    Null,
    /// It is a pointer that does not equal null.
    NotNull,
}

/// What is known of variables; nothing of those that are not in it.
pub(super) type Facts = BTreeMap<VarId, Fact>;

/// What holds for the whole program.
pub(super) struct Known<'p> {
    program: &'p Program,
    /// What `init` leaves in globals that nobody writes later.
    fixed: Facts,
    /// What it leaves in the first thread's own globals.
    first: Facts,
}

impl<'p> Known<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let mut known = Known { program, fixed: Facts::new(), first: Facts::new() };
        let mut after = Facts::new();
        program.init.iter().for_each(|statement| known.write(statement, &mut after));
        let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        let changing: FxHashSet<VarId> = edges.flat_map(|e| e.block.iter().flat_map(Statement::targets)).collect();
        for (variable, fact) in after {
            if program.variables[variable].role == Role::Own {
                known.first.insert(variable, fact);
            } else if !changing.contains(&variable) {
                known.fixed.insert(variable, fact);
            }
        }
        known
    }

    /// What the first thread knows where it starts.
    pub(super) fn at_start(&self) -> Facts {
        self.first.clone()
    }

    /// What is known after an edge was taken to its end; nothing if no execution takes it.
    pub(super) fn after_edge(&self, block: &[Statement], before: &Facts) -> Option<Facts> {
        let mut facts = before.clone();
        let mut may_fault = false;
        for statement in block {
            may_fault |= !matches!(
                statement,
                Statement::Assume(_) | Statement::Assign(_) | Statement::Havoc { .. } | Statement::Call { .. }
            );
            may_fault |= statement.expressions().into_iter().any(Expr::has_load);
            match statement {
                // A fault before the condition is asked, or where it is, is one of the program's.
                Statement::Assume(condition) if !may_fault && !self.assume(condition, &mut facts) => return None,
                Statement::Assume(_) => {}
                Statement::Call { callee, arguments, .. } => facts = self.entering(*callee, arguments, facts),
                other => self.write(other, &mut facts),
            }
        }
        Some(facts)
    }

    /// What is known after a procedure has returned, with its result in the caller's variable.
    pub(super) fn after_return(&self, procedure: ProcId, target: Option<VarId>, before: &Facts) -> Facts {
        let result = self.program.procedures[procedure].result.and_then(|result| before.get(&result).cloned());
        let mut facts = self.without_locals(procedure, before.clone());
        if let Some(target) = target {
            self.set(target, result, &mut facts);
        }
        facts
    }

    /// What a thread knows where it starts that one of the starts on an edge makes.
    pub(super) fn at_spawn(&self, block: &[Statement], start: usize, before: &Facts) -> Facts {
        let is_spawn = |statement: &&Statement| matches!(statement, Statement::Spawn { .. });
        let mut facts = before.clone();
        let mut left = start;
        for statement in block {
            match statement {
                Statement::Spawn { callee, arguments, .. } if left == 0 => {
                    return self.parameters(*callee, arguments, &facts);
                }
                other => {
                    left -= usize::from(is_spawn(&other));
                    self.write(other, &mut facts);
                }
            }
        }
        Facts::new()
    }

    fn entering(&self, callee: ProcId, arguments: &[Expr], before: Facts) -> Facts {
        let parameters = self.parameters(callee, arguments, &before);
        let mut facts = self.without_locals(callee, before);
        facts.extend(parameters);
        facts
    }

    fn parameters(&self, callee: ProcId, arguments: &[Expr], facts: &Facts) -> Facts {
        let parameters = self.program.procedures[callee].parameters.iter().zip(arguments);
        parameters.filter_map(|(parameter, e)| Some((*parameter, self.value(e, facts)?))).collect()
    }

    /// What is known after a call that returned, of what only the caller can write.
    pub(super) fn over_call(&self, target: Option<VarId>, before: &Facts) -> Facts {
        let mut facts = before.clone();
        facts.retain(|variable, _| self.program.variables[*variable].scope != Scope::Global);
        target.into_iter().for_each(|target| self.set(target, None, &mut facts));
        facts
    }

    fn without_locals(&self, procedure: ProcId, mut facts: Facts) -> Facts {
        facts.retain(|variable, _| self.program.variables[*variable].scope != Scope::Local(procedure));
        facts
    }

    /// What a statement leaves in the variables that it writes.
    fn write(&self, statement: &Statement, facts: &mut Facts) {
        match statement {
            Statement::Assign(pairs) => {
                let values: Vec<Option<Fact>> = pairs.iter().map(|(_, e)| self.value(e, facts)).collect();
                pairs.iter().zip(values).for_each(|((target, _), value)| self.set(*target, value, facts));
            }
            Statement::Allocate { target, .. } => self.set(*target, Some(Fact::NotNull), facts),
            other => other.targets().into_iter().for_each(|target| self.set(target, None, facts)),
        }
    }

    fn set(&self, target: VarId, value: Option<Fact>, facts: &mut Facts) {
        match value {
            Some(fact) => facts.insert(target, fact),
            None => facts.remove(&target),
        };
    }

    /// Adds what a condition says; tells whether it can hold.
    fn assume(&self, condition: &Expr, facts: &mut Facts) -> bool {
        match (condition, self.value(condition, facts)) {
            (_, Some(Fact::Truth(truth))) => return truth,
            (Expr::And(all), _) => return all.iter().all(|part| self.assume(part, facts)),
            (Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b), _) => self.learn(*op, a, b, facts),
            (Expr::Unary(UnaryOp::Not, inner), _) => {
                if let Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) = &**inner {
                    self.learn(if *op == BinaryOp::Eq { BinaryOp::Ne } else { BinaryOp::Eq }, a, b, facts);
                }
            }
            _ => {}
        }
        true
    }

    /// Two values are equal, or differ.
    fn learn(&self, op: BinaryOp, a: &Expr, b: &Expr, facts: &mut Facts) {
        for (variable, other) in [(a, b), (b, a)] {
            let Expr::Var(variable) = variable else { continue };
            if !self.is_own(*variable) {
                continue;
            }
            match (op, self.value(other, facts)) {
                // Nothing is learned of what equals a pointer that is not null: equal pointers need not be the same.
                (BinaryOp::Eq, Some(fact)) if fact != Fact::NotNull => self.set(*variable, Some(fact), facts),
                (BinaryOp::Ne, Some(Fact::Null)) => self.set(*variable, Some(Fact::NotNull), facts),
                _ => {}
            }
        }
    }

    /// Whether no other thread writes the variable.
    fn is_own(&self, variable: VarId) -> bool {
        let variable = &self.program.variables[variable];
        variable.scope != Scope::Global || variable.role == Role::Own
    }

    fn of_variable(&self, variable: VarId, facts: &Facts) -> Option<Fact> {
        let own = facts.get(&variable).filter(|_| self.is_own(variable));
        own.or_else(|| self.fixed.get(&variable)).cloned()
    }

    /// The value of an expression, where it is known.
    pub(super) fn value(&self, expr: &Expr, facts: &Facts) -> Option<Fact> {
        match expr {
            Expr::Bool(truth) => Some(Fact::Truth(*truth)),
            Expr::Int(number, _) => Some(Fact::Number(number.clone())),
            Expr::Null => Some(Fact::Null),
            Expr::Function(_) => Some(Fact::NotNull),
            Expr::Var(variable) => self.of_variable(*variable, facts),
            Expr::Unary(UnaryOp::Not, a) => match self.value(a, facts)? {
                Fact::Truth(truth) => Some(Fact::Truth(!truth)),
                _ => None,
            },
            Expr::Binary(op, a, b) => self.binary(*op, a, b, facts),
            Expr::And(all) => self.all(all, true, facts),
            Expr::Or(any) => self.all(any, false, facts),
            Expr::Cast(Type::Machine(to), a) => match self.value(a, facts)? {
                Fact::Number(number) => Some(Fact::Number(to.wrap(&number))),
                Fact::Truth(truth) => Some(Fact::Number(Integer::from(i64::from(truth)))),
                Fact::Null | Fact::NotNull => None,
            },
            _ => None,
        }
    }

    /// Whether all parts have that truth value, as in a conjunction for true and in the negation of a disjunction else.
    fn all(&self, parts: &[Expr], wanted: bool, facts: &Facts) -> Option<Fact> {
        let mut is_known = true;
        for part in parts {
            match self.value(part, facts) {
                Some(Fact::Truth(truth)) if truth != wanted => return Some(Fact::Truth(!wanted)),
                Some(Fact::Truth(_)) => {}
                _ => is_known = false,
            }
        }
        is_known.then_some(Fact::Truth(wanted))
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr, facts: &Facts) -> Option<Fact> {
        use BinaryOp::*;
        let ty = a.type_in(self.program);
        let wrapped = |number: Integer| match ty {
            Type::Machine(machine) => Some(Fact::Number(machine.wrap(&number))),
            Type::Int => Some(Fact::Number(number)),
            _ => None,
        };
        match (self.value(a, facts)?, self.value(b, facts)?) {
            (Fact::Number(a), Fact::Number(b)) => match op {
                Add => wrapped(a + b),
                Sub => wrapped(a - b),
                Mul => wrapped(a * b),
                Eq => Some(Fact::Truth(a == b)),
                Ne => Some(Fact::Truth(a != b)),
                Lt => Some(Fact::Truth(a < b)),
                Le => Some(Fact::Truth(a <= b)),
                Gt => Some(Fact::Truth(a > b)),
                Ge => Some(Fact::Truth(a >= b)),
                _ => None,
            },
            (Fact::Null, Fact::Null) => match op {
                Eq => Some(Fact::Truth(true)),
                Ne => Some(Fact::Truth(false)),
                _ => None,
            },
            (Fact::Null, Fact::NotNull) | (Fact::NotNull, Fact::Null) => match op {
                Eq => Some(Fact::Truth(false)),
                Ne => Some(Fact::Truth(true)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Leaves what both know; tells whether that is less than the first did.
pub(super) fn join(facts: &mut Facts, other: &Facts) -> bool {
    let before = facts.len();
    facts.retain(|variable, fact| other.get(variable) == Some(fact));
    facts.len() < before
}

//! Functions that end without a `return`, although they give a value: undefined where the value is used (C11 6.9.1,
//! paragraph 12).

use super::Lower;
use super::undefined::MISSING;
use crate::program::{EdgeId, ErrorKind, Expr, LocId, ProcId, Program, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// The end of a function without a `return`: a way to an error, and one to the caller, with any value.
#[derive(Debug, Clone, Copy)]
pub(super) struct BareEnd {
    error: LocId,
    to_error: EdgeId,
    to_caller: EdgeId,
}

/// Whether calls use the structure that a function gives: what some do, and what others do. It does not come back as a
/// result, but to where an argument points.
pub(super) type RecordCalls = BTreeMap<ProcId, BTreeSet<bool>>;

impl Lower<'_> {
    /// Control comes to the end of the function, whose value is missing.
    pub(super) fn end_without_value(&mut self, procedure: ProcId) {
        if !self.checks().expressions || !self.is_user_code() || !self.is_reached() {
            return;
        }
        let error = self.error_location(ErrorKind::UndefinedExpression, MISSING.to_owned());
        let (source, next) = (self.here(), self.location());
        let span = self.body.span;
        let to_error = self.edge(source, error, Vec::new(), span);
        let to_caller = self.edge(source, next, Vec::new(), span);
        self.leave();
        self.start_at(next);
        self.bare_ends.insert(procedure, BareEnd { error, to_error, to_caller });
    }
}

/// With all calls known: where every call uses the value, the end is an error, and where none does, it is none. Else
/// nothing is known of what follows.
pub(super) fn settle(program: &mut Program, ends: &BTreeMap<ProcId, BareEnd>, records: &RecordCalls) {
    for (procedure, end) in ends {
        let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        let calls = edges.flat_map(|edge| &edge.block).filter_map(|statement| match statement {
            Statement::Call { target, callee, .. } if callee == procedure => Some(target.is_some()),
            _ => None,
        });
        let calls = records.get(procedure).cloned().unwrap_or_else(|| calls.collect());
        let is_used = calls.contains(&true);
        let made = &mut program.procedures[*procedure];
        let never = || vec![Statement::Assume(Expr::Bool(false))];
        if !is_used {
            made.edges[end.to_error].block = never();
            made.locations[end.error].error = None;
            continue;
        }
        made.edges[end.to_caller].block = never();
        if calls.contains(&false)
            && let Some(failure) = &mut made.locations[end.error].error
        {
            failure.kind = ErrorKind::Undefined(MISSING.to_owned());
        }
    }
}

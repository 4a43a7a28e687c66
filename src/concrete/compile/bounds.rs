//! What the rest of a block lets through of an input.

use super::{Compiler, Node, Slot};
use crate::program::{BinaryOp, Expr, Statement, VarId};
use rustc_hash::FxHashSet;

/// What the rest of a block lets through of an input, in the state where the input is read.
#[derive(Debug, Clone, Default)]
pub(in crate::concrete) struct Bounds {
    pub low: Option<Bound>,
    pub high: Option<Bound>,
    /// What is read up to where the bounds come from. Where one of these has no value, an input beyond the bounds may
    /// lead to a fault rather than be blocked, and the bounds say nothing.
    pub reads: Vec<Slot>,
}

/// A number that bounds an input, to be worked out in the state where the input is read.
#[derive(Debug, Clone)]
pub(in crate::concrete) enum Bound {
    /// The value of an expression, plus a number.
    Value(Node, i64),
    /// The least of several.
    Least(Vec<Bound>),
    /// The greatest of several.
    Greatest(Vec<Bound>),
}

impl Compiler<'_> {
    /// What the assumptions in the rest of a block say at most of the variable, in the state where the rest starts.
    /// They say nothing behind a statement that could fault, since a fault is not to be missed.
    pub(super) fn bounds(&self, target: VarId, rest: &[Statement]) -> Bounds {
        let (mut low, mut high) = (Vec::new(), Vec::new());
        let mut written = FxHashSet::from_iter([target]);
        let (mut reads, mut reads_so_far) = (Vec::new(), Vec::new());
        for statement in rest {
            if !faults_only_on_undefined(statement) {
                break;
            }
            for expr in statement.expressions() {
                expr.for_each_var(&mut |var| {
                    if !written.contains(&var) {
                        reads_so_far.push(self.slots[var]);
                    }
                });
            }
            if let Statement::Assume(condition) = statement {
                let (l, h) = self.bounds_of(target, condition, &written);
                if l.is_some() || h.is_some() {
                    reads.append(&mut reads_so_far);
                }
                low.extend(l);
                high.extend(h);
            }
            let targets = statement.targets();
            if targets.contains(&target) {
                break;
            }
            written.extend(targets);
        }
        let all = |bounds: Vec<Bound>, join: fn(Vec<Bound>) -> Bound| (!bounds.is_empty()).then(|| join(bounds));
        Bounds { low: all(low, Bound::Greatest), high: all(high, Bound::Least), reads }
    }

    fn bounds_of(&self, target: VarId, condition: &Expr, written: &FxHashSet<VarId>) -> (Option<Bound>, Option<Bound>) {
        match condition {
            Expr::And(all) => {
                let parts = all.iter().map(|e| self.bounds_of(target, e, written));
                let (low, high): (Vec<_>, Vec<_>) = parts.unzip();
                let some = |bounds: Vec<Option<Bound>>| {
                    let known: Vec<Bound> = bounds.into_iter().flatten().collect();
                    (!known.is_empty()).then_some(known)
                };
                (some(low).map(Bound::Greatest), some(high).map(Bound::Least))
            }
            Expr::Or(all) if !all.is_empty() => {
                let parts = all.iter().map(|e| self.bounds_of(target, e, written));
                let (low, high): (Vec<_>, Vec<_>) = parts.unzip();
                let every = |bounds: Vec<Option<Bound>>| bounds.into_iter().collect::<Option<Vec<Bound>>>();
                (every(low).map(Bound::Least), every(high).map(Bound::Greatest))
            }
            Expr::Binary(op, a, b) if **a == Expr::Var(target) => self.bound_by(*op, b, written),
            Expr::Binary(op, a, b) if **b == Expr::Var(target) => {
                let turned = match op {
                    BinaryOp::Lt => BinaryOp::Gt,
                    BinaryOp::Le => BinaryOp::Ge,
                    BinaryOp::Gt => BinaryOp::Lt,
                    BinaryOp::Ge => BinaryOp::Le,
                    other => *other,
                };
                self.bound_by(turned, a, written)
            }
            _ => (None, None),
        }
    }

    /// The bounds that `target op other` gives, where the other side is known when the input is read.
    fn bound_by(&self, op: BinaryOp, other: &Expr, written: &FxHashSet<VarId>) -> (Option<Bound>, Option<Bound>) {
        let mut known = other.type_in(self.program).is_integer();
        other.for_each_var(&mut |var| known &= !written.contains(&var));
        if !known {
            return (None, None);
        }
        let bound = |plus: i64| Some(Bound::Value(self.node(other), plus));
        match op {
            BinaryOp::Eq => (bound(0), bound(0)),
            BinaryOp::Lt => (None, bound(-1)),
            BinaryOp::Le => (None, bound(0)),
            BinaryOp::Gt => (bound(1), None),
            BinaryOp::Ge => (bound(0), None),
            _ => (None, None),
        }
    }
}

/// Whether the statement cannot fault where all variables that it reads have values.
fn faults_only_on_undefined(statement: &Statement) -> bool {
    let plain = matches!(
        statement,
        Statement::Assume(_)
            | Statement::Assign(_)
            | Statement::Havoc { .. }
            | Statement::AtomicBegin
            | Statement::AtomicEnd
    );
    plain && !statement.expressions().into_iter().any(Expr::has_load)
}

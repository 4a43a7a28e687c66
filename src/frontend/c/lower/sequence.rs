//! Side effects that nothing orders (C11 6.5, paragraph 2): two on one object, or one and a use of the object's value.
//!
//! Two places are one where both are the same named object, or the same member or element as it is written with names and
//! constants that neither operand changes. Others of one type that are written so, one of them through a pointer, are one
//! where their addresses are. Places that are found through memory, or with names that an operand changes, are not looked
//! at. What a call does is ordered with all else.

use crate::frontend::c::tree::{ExprId, ExprKind, ObjectId, Unit};
use rustc_hash::{FxHashMap, FxHashSet};

/// The accesses that nothing orders with others of the same expression.
#[derive(Debug, Default)]
pub(super) struct Conflicts {
    /// Those to one place, and whether the other one surely takes place.
    pub same: FxHashMap<ExprId, bool>,
    /// Those where two places must not be one.
    pub apart: FxHashMap<ExprId, Vec<(ExprId, ExprId)>>,
}

impl Conflicts {
    /// Whether the access is one of them.
    pub(super) fn has(&self, access: ExprId) -> bool {
        self.same.contains_key(&access) || self.apart.contains_key(&access)
    }
}

/// An access to a place.
#[derive(Debug, Clone, Copy)]
struct Access {
    /// The load or assignment.
    node: ExprId,
    place: ExprId,
    is_write: bool,
    /// Whether the operand may be evaluated without it.
    is_conditional: bool,
}

/// Finds the conflicts of a unit.
pub(super) fn conflicts(unit: &Unit) -> Conflicts {
    let mut found = Conflicts::default();
    let mut has_write: FxHashSet<ExprId> = FxHashSet::default();
    for (id, expr) in unit.exprs.enumerate() {
        let mut writes = is_assignment(&expr.kind);
        let mut parts = Vec::new();
        expr.kind.for_each_child(|child| {
            writes |= has_write.contains(&child);
            parts.push(child);
        });
        if !writes {
            continue;
        }
        has_write.insert(id);
        let operands = unordered_operands(&expr.kind);
        if operands.iter().any(|operand| has_write.contains(operand)) {
            let accesses: Vec<Vec<Access>> = operands.iter().map(|operand| all_accesses(unit, *operand)).collect();
            for (index, first) in accesses.iter().enumerate() {
                for second in &accesses[index + 1..] {
                    compare(unit, first, second, &mut found);
                }
            }
        }
        if let Some(own) = own_write(id, &expr.kind) {
            let open: Vec<Access> = parts.iter().flat_map(|part| open_writes(unit, *part)).collect();
            // The value is known before it is stored, so that only what the operands change besides is in conflict.
            compare(unit, &[own], &open, &mut found);
            // A place that is read and written is read as an operand.
            if let ExprKind::AssignOp { target, value, .. } | ExprKind::AssignPointerAdd { target, index: value, .. } =
                expr.kind
            {
                let read = Access { is_write: false, place: target, ..own };
                compare(unit, &[read], &all_accesses(unit, value), &mut found);
            }
        }
    }
    found
}

fn is_assignment(kind: &ExprKind) -> bool {
    use ExprKind::{Assign, AssignOp, AssignPointerAdd, Increment};
    matches!(kind, Assign { .. } | AssignOp { .. } | AssignPointerAdd { .. } | Increment { .. })
}

fn own_write(node: ExprId, kind: &ExprKind) -> Option<Access> {
    match kind {
        ExprKind::Assign { target, .. }
        | ExprKind::AssignOp { target, .. }
        | ExprKind::AssignPointerAdd { target, .. }
        | ExprKind::Increment { target, .. } => {
            Some(Access { node, place: *target, is_write: true, is_conditional: false })
        }
        _ => None,
    }
}

/// The operands that are evaluated in no order.
fn unordered_operands(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Binary(_, left, right)
        | ExprKind::PointerAdd { pointer: left, index: right, .. }
        | ExprKind::PointerDifference { left, right, .. }
        | ExprKind::Assign { target: left, value: right }
        | ExprKind::AssignOp { target: left, value: right, .. }
        | ExprKind::AssignPointerAdd { target: left, index: right, .. } => vec![*left, *right],
        ExprKind::Call { callee, arguments } => std::iter::once(*callee).chain(arguments.iter().copied()).collect(),
        ExprKind::Builtin(_, arguments) => arguments.to_vec(),
        _ => Vec::new(),
    }
}

/// All accesses of an operand, but for those of its blocks.
fn all_accesses(unit: &Unit, operand: ExprId) -> Vec<Access> {
    let mut found = Vec::new();
    let mut open = vec![(operand, false)];
    while let Some((node, is_conditional)) = open.pop() {
        let kind = &unit.exprs[node].kind;
        if let Some(own) = own_write(node, kind) {
            found.push(Access { is_conditional, ..own });
        }
        match kind {
            ExprKind::Load(place) => {
                found.push(Access { node, place: *place, is_write: false, is_conditional });
                open.push((*place, is_conditional));
            }
            ExprKind::LogicalAnd(left, right) | ExprKind::LogicalOr(left, right) => {
                open.extend([(*left, is_conditional), (*right, true)]);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                open.extend([(*condition, is_conditional), (*then, true), (*otherwise, true)]);
            }
            ExprKind::Elvis { value, otherwise, .. } => open.extend([(*value, is_conditional), (*otherwise, true)]),
            kind => kind.for_each_child(|child| open.push((child, is_conditional))),
        }
    }
    found
}

/// The side effects of an operand that may come after its value is known.
fn open_writes(unit: &Unit, operand: ExprId) -> Vec<Access> {
    let mut found = Vec::new();
    let mut open = vec![(operand, false)];
    while let Some((node, is_conditional)) = open.pop() {
        let kind = &unit.exprs[node].kind;
        if let Some(own) = own_write(node, kind) {
            found.push(Access { is_conditional, ..own });
        }
        match kind {
            ExprKind::Call { .. } | ExprKind::Statements { .. } => {}
            ExprKind::Comma(_, right) => open.push((*right, is_conditional)),
            ExprKind::LogicalAnd(_, right) | ExprKind::LogicalOr(_, right) => open.push((*right, true)),
            ExprKind::Conditional { then, otherwise, .. } => open.extend([(*then, true), (*otherwise, true)]),
            ExprKind::Elvis { otherwise, .. } => open.push((*otherwise, true)),
            kind => kind.for_each_child(|child| open.push((child, is_conditional))),
        }
    }
    found
}

/// Notes the pairs of one place, one of them a side effect.
fn compare(unit: &Unit, left: &[Access], right: &[Access], found: &mut Conflicts) {
    for a in left {
        for b in right.iter().filter(|b| a.is_write || b.is_write) {
            let is_one = is_one_place(unit, a.place, b.place);
            let is_moved = |place: ExprId| is_moved(unit, place, left, right);
            if is_moved(a.place) || !is_one && (is_moved(b.place) || !may_be_one(unit, a.place, b.place)) {
                continue;
            }
            // The error is where the one is that may not take place.
            let (node, is_sure) = match (a.is_conditional, b.is_conditional) {
                (false, _) => (b.node, true),
                (true, false) => (a.node, true),
                (true, true) => (b.node, false),
            };
            if is_one {
                let known = found.same.entry(node).or_insert(is_sure);
                *known |= is_sure;
            } else if is_sure {
                found.apart.entry(node).or_default().push((a.place, b.place));
            }
        }
    }
}

/// Whether two places are written alike, with names and constants.
fn is_one_place(unit: &Unit, a: ExprId, b: ExprId) -> bool {
    use ExprKind::{Convert, Decay, Deref, Int, Load, Member, Object, PointerAdd};
    match (&unit.exprs[a].kind, &unit.exprs[b].kind) {
        (Object(a), Object(b)) => a == b,
        (Int(a), Int(b)) => a == b,
        (Deref(a), Deref(b)) | (Load(a), Load(b)) | (Decay(a), Decay(b)) => is_one_place(unit, *a, *b),
        (Convert(from, a), Convert(to, b)) => from == to && is_one_place(unit, *a, *b),
        (Member { base: a, offset: at, bits }, Member { base: b, offset: other_at, bits: other_bits }) => {
            at == other_at && bits == other_bits && is_one_place(unit, *a, *b)
        }
        (
            PointerAdd { pointer: a, index: i, stride, is_subtraction },
            PointerAdd { pointer: b, index: j, stride: other, is_subtraction: is_other },
        ) => (stride, is_subtraction) == (other, is_other) && is_one_place(unit, *a, *b) && is_one_place(unit, *i, *j),
        _ => false,
    }
}

/// Whether two places that are written differently may be one: they have one type, and a pointer leads to one of them.
fn may_be_one(unit: &Unit, a: ExprId, b: ExprId) -> bool {
    let ty = |place: ExprId| unit.exprs[place].ty.unqualified();
    let (root, other) = (root(unit, a), root(unit, b));
    let is_pointed_to = |place: ExprId| match unit.exprs[place].kind {
        ExprKind::Deref(_) => Some(true),
        ExprKind::Object(object) => unit.objects[object].is_address_taken.then_some(false),
        _ => None,
    };
    let (Some(first), Some(second)) = (is_pointed_to(root), is_pointed_to(other)) else { return false };
    let is_plain = |place: ExprId| {
        let mut open = vec![place];
        while let Some(node) = open.pop() {
            let kind = &unit.exprs[node].kind;
            use ExprKind::{Convert, Decay, Deref, Int, Load, Member, Object, PointerAdd};
            let is_whole = !matches!(kind, Member { bits: Some(_), .. });
            let is_name = matches!(
                kind,
                Object(_) | Deref(_) | Member { .. } | PointerAdd { .. } | Load(_) | Decay(_) | Int(_) | Convert(..)
            );
            if !is_name || !is_whole {
                return false;
            }
            kind.for_each_child(|child| open.push(child));
        }
        true
    };
    // Members of one structure are apart.
    ty(a) == ty(b) && (first || second) && !is_one_place(unit, root, other) && is_plain(a) && is_plain(b)
}

/// What a place is a member of, or itself.
fn root(unit: &Unit, mut place: ExprId) -> ExprId {
    while let ExprKind::Member { base, .. } = unit.exprs[place].kind {
        place = base;
    }
    place
}

/// Whether a name that the place is made of is changed by one of the accesses, or is itself found through memory.
fn is_moved(unit: &Unit, place: ExprId, left: &[Access], right: &[Access]) -> bool {
    let mut open = vec![place];
    while let Some(node) = open.pop() {
        if let ExprKind::Load(inner) = unit.exprs[node].kind {
            let ExprKind::Object(object) = unit.exprs[inner].kind else { return true };
            let changes = |access: &Access| access.is_write && names(unit, access.place, object);
            if left.iter().chain(right).any(changes) {
                return true;
            }
        }
        unit.exprs[node].kind.for_each_child(|child| open.push(child));
    }
    false
}

fn names(unit: &Unit, place: ExprId, object: ObjectId) -> bool {
    matches!(unit.exprs[place].kind, ExprKind::Object(named) if named == object)
}

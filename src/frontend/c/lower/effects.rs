//! What evaluating each expression may do, found once for a whole unit.

use super::Options;
use super::bounds::inner_element;
use super::pointers::new_alignment;
use super::sequence::{self, Conflicts};
use crate::frontend::c::tree::{
    BinaryOp, Conversion, Expr as Node, ExprId, ExprKind, FunctionId, ObjectId, Storage, UnaryOp, Unit,
};
use crate::frontend::c::types::TypeKind;
use crate::program::IdVec;
use rustc_hash::FxHashSet;

/// What evaluating an expression may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Effect {
    /// It may write globals and memory.
    pub writes_shared: bool,
    /// It may write locals.
    pub writes_locals: bool,
    /// It may fault, end in an error, or give way to other threads; or it needs control flow.
    pub is_partial: bool,
}

impl Effect {
    const ALL: Effect = Effect { writes_shared: true, writes_locals: true, is_partial: true };

    fn join(self, other: Effect) -> Effect {
        Effect {
            writes_shared: self.writes_shared || other.writes_shared,
            writes_locals: self.writes_locals || other.writes_locals,
            is_partial: self.is_partial || other.is_partial,
        }
    }

    /// Whether it changes nothing and always has a value.
    pub(crate) fn is_total(self) -> bool {
        self == Effect::default()
    }
}

/// What is known of a unit before it is lowered.
#[derive(Debug)]
pub(super) struct Effects {
    of: IdVec<ExprId, Effect>,
    /// The functions that are used other than by calling them, in the order of their ids.
    pub address_taken: Vec<FunctionId>,
    /// Whether the program starts threads.
    pub has_threads: bool,
    /// The accesses that nothing orders with others of their expressions.
    conflicts: Conflicts,
}

/// Whether a unit starts threads.
pub(super) fn starts_threads(unit: &Unit) -> bool {
    unit.exprs.iter().any(|expr| match expr.kind {
        ExprKind::Function(function) => matches!(&*unit.functions[function].name, "pthread_create" | "thrd_create"),
        _ => false,
    })
}

impl Effects {
    /// Looks at every expression of a unit; reads of the followed objects are checked.
    pub(crate) fn of(unit: &Unit, options: &Options, has_threads: bool, followed: &FxHashSet<ObjectId>) -> Effects {
        let mut direct = FxHashSet::default();
        for expr in &unit.exprs {
            if let ExprKind::Call { callee, .. } = expr.kind
                && unit.direct_callee(callee).is_some()
            {
                direct.insert(callee);
            }
        }
        let mut address_taken: Vec<FunctionId> = Vec::new();
        for (id, expr) in unit.exprs.enumerate() {
            if let ExprKind::FunctionPointer(inner) = expr.kind
                && let ExprKind::Function(function) = unit.exprs[inner].kind
                && !direct.contains(&id)
            {
                address_taken.push(function);
            }
        }
        address_taken.sort_unstable();
        address_taken.dedup();
        let mut of: IdVec<ExprId, Effect> = IdVec::new();
        let is_looked_at = !options.rules.undefined_ends() && !options.executes;
        let conflicts = if is_looked_at { sequence::conflicts(unit) } else { Conflicts::default() };
        for (id, expr) in unit.exprs.enumerate() {
            let mut effect = own_effect(unit, options, has_threads, followed, expr);
            effect.is_partial |= conflicts.has(id);
            expr.kind.for_each_child(|child| effect = effect.join(of[child]));
            of.push(effect);
        }
        Effects { of, address_taken, has_threads, conflicts }
    }

    /// The accesses that nothing orders with others of their expressions.
    pub(crate) fn conflicts(&self) -> &Conflicts {
        &self.conflicts
    }

    /// What evaluating the expression may do.
    pub(crate) fn get(&self, expr: ExprId) -> Effect {
        self.of[expr]
    }
}

fn own_effect(
    unit: &Unit,
    options: &Options,
    has_threads: bool,
    followed: &FxHashSet<ObjectId>,
    expr: &Node,
) -> Effect {
    let (kind, ty) = (&expr.kind, expr.ty);
    let partial = Effect { is_partial: true, ..Effect::default() };
    let is_signed = |e: ExprId| unit.types.int_format(unit.exprs[e].ty).is_none_or(|(_, signed)| signed);
    match kind {
        ExprKind::Load(place) => match unit.exprs[*place].kind {
            ExprKind::Object(object) if followed.contains(&object) => partial,
            ExprKind::Object(object) => {
                let object = &unit.objects[object];
                let is_shared = has_threads && matches!(object.storage, Storage::Global | Storage::Static);
                let is_memory = object.is_address_taken || !unit.types.is_scalar(object.ty);
                if is_shared || is_memory { partial } else { Effect::default() }
            }
            _ => partial,
        },
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => match unit.constant(*divisor) {
            Some(value) if value != 0 && (value != -1 || !is_signed(*divisor)) => Effect::default(),
            _ if unit.types.as_float(unit.exprs[*divisor].ty).is_some() => Effect::default(),
            _ => partial,
        },
        ExprKind::Binary(op, left, count) if op.is_shift() => {
            let overflows = options.checks.overflow && *op == BinaryOp::Shl && is_signed(*left);
            if overflows || !is_in_width(unit, *left, *count) { partial } else { Effect::default() }
        }
        ExprKind::Binary(op, left, _) if options.checks.expressions && is_pointer_order(unit, *op, *left) => partial,
        ExprKind::Binary(op, left, _) => {
            let can_overflow = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
            if options.checks.overflow && can_overflow && is_signed(*left) { partial } else { Effect::default() }
        }
        ExprKind::Deref(pointer) if options.checks.bounds && inner_element(unit, *pointer).is_some() => partial,
        ExprKind::PointerAdd { .. } if options.checks.expressions || options.checks.bounds => partial,
        ExprKind::Convert(Conversion::Pointer, from)
            if options.checks.expressions && new_alignment(&unit.types, unit.exprs[*from].ty, ty).is_some() =>
        {
            partial
        }
        ExprKind::Convert(Conversion::FloatToInteger, _) if options.checks.arithmetic => partial,
        ExprKind::PointerDifference { .. } if !options.rules.undefined_ends() => partial,
        ExprKind::Unary(UnaryOp::Minus, operand) if options.checks.overflow && is_signed(*operand) => partial,
        ExprKind::Call { .. } => Effect { writes_shared: true, writes_locals: false, is_partial: true },
        ExprKind::Assign { .. }
        | ExprKind::AssignOp { .. }
        | ExprKind::AssignPointerAdd { .. }
        | ExprKind::Increment { .. }
        | ExprKind::Builtin(..)
        | ExprKind::VaArg(_)
        | ExprKind::CompoundLiteral(..)
        | ExprKind::Temporary(_)
        | ExprKind::Statements { .. } => Effect::ALL,
        ExprKind::Elvis { .. } | ExprKind::Saved(_) => partial,
        ExprKind::VlaLength(_) => Effect::default(),
        _ => Effect::default(),
    }
}

/// Whether an expression asks for the order of two pointers.
fn is_pointer_order(unit: &Unit, op: BinaryOp, left: ExprId) -> bool {
    let is_order = op.is_comparison() && !matches!(op, BinaryOp::Eq | BinaryOp::Ne);
    is_order && matches!(unit.types.kind(unit.exprs[left].ty), TypeKind::Pointer(_))
}

/// Whether a number of bits, which is constant or masked, is from zero to less than the width of what is shifted.
fn is_in_width(unit: &Unit, shifted: ExprId, count: ExprId) -> bool {
    let width = unit.types.int_format(unit.exprs[shifted].ty).map_or(0, |(width, _)| i128::from(width));
    let is_below = |expr: ExprId| unit.constant(expr).is_some_and(|value| (0..width).contains(&value));
    match unit.exprs[count].kind {
        ExprKind::Binary(BinaryOp::And, a, b) => is_below(a) || is_below(b) || is_below(count),
        _ => is_below(count),
    }
}

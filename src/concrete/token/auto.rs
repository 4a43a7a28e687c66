//! Which variables to make abstract when nobody says: those that only guard loops. They count, and are compared with
//! constants; nothing else depends on them.

use super::Spec;
use crate::concrete::is_operand;
use crate::program::{BinaryOp, Expr, Program, Statement, Type, UnaryOp, VarId};
use crate::term::Integer;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A counter that is compared with more constants is no guard of a loop.
const MAX_CONSTANTS: usize = 8;

/// What was seen of a variable.
#[derive(Default)]
struct Uses {
    counts: bool,
    /// The constants that it is compared with.
    constants: BTreeSet<Integer>,
    has_others: bool,
}

/// The variables that only guard loops, each with an abstraction.
pub(super) fn loop_guards(program: &Program) -> Vec<(VarId, &'static Spec)> {
    let mut uses: FxHashMap<VarId, Uses> = FxHashMap::default();
    let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
    for statement in program.init.iter().chain(edges.flat_map(|edge| &edge.block)) {
        look_at(statement, &mut uses);
    }
    let results: FxHashSet<VarId> = program.procedures.iter().filter_map(|procedure| procedure.result).collect();
    let is_guard = |id: &VarId| {
        let variable = &program.variables[*id];
        let is_named = !is_operand(&variable.name) && !variable.name.starts_with(['%', '&']);
        is_named
            && variable.ty.is_integer()
            && !results.contains(id)
            && uses.get(id).is_some_and(|uses| {
                uses.counts && !uses.has_others && (1..=MAX_CONSTANTS).contains(&uses.constants.len())
            })
    };
    // Its sign, or more where it is compared with more than zero.
    let spec = |id: VarId| {
        let constants: Vec<String> = uses[&id].constants.iter().map(Integer::to_string).collect();
        let text = if constants == ["0"] { "signs".to_owned() } else { format!("points({})", constants.join(",")) };
        Spec::parse(&text).expect("an abstraction")
    };
    program.variables.ids().filter(is_guard).map(|id| (id, spec(id))).collect()
}

fn look_at(statement: &Statement, uses: &mut FxHashMap<VarId, Uses>) {
    match statement {
        Statement::Assume(condition) => look_at_condition(condition, uses),
        Statement::Assign(pairs) => {
            for (target, value) in pairs {
                match value {
                    _ if is_count(*target, value) => uses.entry(*target).or_default().counts = true,
                    other => note_others(other, uses),
                }
            }
        }
        other => other.expressions().into_iter().for_each(|expr| note_others(expr, uses)),
    }
}

/// Whether the value is that of the variable plus a constant.
fn is_count(variable: VarId, value: &Expr) -> bool {
    match value {
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
            **a == Expr::Var(variable) && matches!(**b, Expr::Int(..))
                || **b == Expr::Var(variable) && matches!(**a, Expr::Int(..))
        }
        _ => false,
    }
}

fn look_at_condition(condition: &Expr, uses: &mut FxHashMap<VarId, Uses>) {
    match condition {
        Expr::And(all) | Expr::Or(all) => all.iter().for_each(|part| look_at_condition(part, uses)),
        Expr::Unary(UnaryOp::Not, a) => look_at_condition(a, uses),
        Expr::Binary(op, a, b) if op.is_predicate() => match (&**a, &**b) {
            (Expr::Var(variable), Expr::Int(n, _)) | (Expr::Int(n, _), Expr::Var(variable)) => {
                uses.entry(*variable).or_default().constants.insert(n.clone());
            }
            _ => note_others(condition, uses),
        },
        other => note_others(other, uses),
    }
}

fn note_others(expr: &Expr, uses: &mut FxHashMap<VarId, Uses>) {
    expr.for_each_var(&mut |variable| uses.entry(variable).or_default().has_others = true);
}

/// The results of the calls that make a value abstract in programs for Abstract Pathfinder, `Debug.makeAbstractInteger(10)`.
pub(super) fn made_abstract(program: &Program) -> Vec<(VarId, &'static Spec)> {
    let makes = |name: &str| {
        let name = name.split('(').next().unwrap_or(name);
        ["Debug.makeAbstractInteger", "Debug.makeAbstractReal"]
            .iter()
            .any(|known| name.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with(['.', '$'])))
    };
    let signs = Spec::parse("signs").expect("an abstraction");
    let results = program.procedures.iter().filter(|procedure| makes(&procedure.name)).filter_map(|p| p.result);
    let is_number = |id: &VarId| !matches!(program.variables[*id].ty, Type::Bool | Type::Pointer);
    results.filter(is_number).map(|id| (id, signs)).collect()
}

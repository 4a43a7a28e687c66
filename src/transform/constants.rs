//! Constants in place of variables that have one value wherever they are read.

use super::known::{Fact, Facts, Known, join};
use crate::program::{Edge, Expr, IdVec, LocId, ProcId, Program, Statement, Type};

/// What is known at each location of a procedure; nothing of one that no execution reaches.
pub(super) type AtLocations = IdVec<LocId, Option<Facts>>;

/// What is known at the locations of a procedure, whatever it is called with.
pub(super) fn facts_at(known: &Known<'_>, program: &Program, id: ProcId) -> AtLocations {
    let procedure = &program.procedures[id];
    let outgoing = procedure.outgoing();
    let mut found: AtLocations = procedure.locations.iter().map(|_| None).collect();
    found[procedure.entry] = Some(Facts::new());
    let mut waiting = vec![procedure.entry];
    while let Some(location) = waiting.pop() {
        for edge in &outgoing[location] {
            let edge = &procedure.edges[*edge];
            let Some(after) = found[location].as_ref().and_then(|before| after(known, edge, before)) else { continue };
            let is_new = match &mut found[edge.target] {
                Some(facts) => join(facts, &after),
                empty => {
                    *empty = Some(after);
                    true
                }
            };
            if is_new {
                waiting.push(edge.target);
            }
        }
    }
    found
}

/// What is known after an edge; nothing if no execution takes it.
pub(super) fn after(known: &Known<'_>, edge: &Edge, before: &Facts) -> Option<Facts> {
    match edge.call() {
        Some((target, ..)) => Some(known.over_call(target, before)),
        None => known.after_edge(&edge.block, before),
    }
}

/// How many locations, times variables, a procedure has at most that is looked at. What is known at one location is kept
/// apart from what is at others: a procedure of a Java library took ten gigabytes.
const MAX_FACTS: usize = 200_000;

/// Whether a procedure is looked at.
pub(super) fn is_small(program: &Program, id: ProcId) -> bool {
    program.procedures[id].locations.len() * program.locals(id).count() <= MAX_FACTS
}

/// The program with constants in place of variables.
pub(super) fn propagate_constants(program: &Program) -> Program {
    let known = Known::of(program);
    let mut result = program.clone();
    for id in program.procedures.ids().filter(|id| is_small(program, *id)) {
        let at = facts_at(&known, program, id);
        for edge in result.procedures[id].edges.iter_mut() {
            let Some(before) = &at[edge.source] else { continue };
            let mut facts = before.clone();
            for statement in &mut edge.block {
                let next = known.after_edge(std::slice::from_ref(statement), &facts);
                for expr in statement.expressions_mut() {
                    replace(&known, program, expr, &facts);
                }
                match (next, &*statement) {
                    (_, Statement::Call { .. }) => {}
                    (Some(next), _) => facts = next,
                    (None, _) => break,
                }
            }
        }
    }
    result
}

/// Replaces what has a known value by it.
fn replace(known: &Known<'_>, program: &Program, expr: &mut Expr, facts: &Facts) {
    if !expr.has_load() {
        match (known.value(expr, facts), expr.type_in(program)) {
            (Some(Fact::Number(number)), ty @ (Type::Machine(_) | Type::Int)) => {
                *expr = Expr::Int(number, ty);
                return;
            }
            (Some(Fact::Truth(truth)), Type::Bool) => {
                *expr = Expr::Bool(truth);
                return;
            }
            _ => {}
        }
    }
    expr.operands_mut().into_iter().for_each(|operand| replace(known, program, operand, facts));
}

#[cfg(test)]
mod tests {
    use super::propagate_constants;
    use crate::program::text::{parse, print};
    use crate::program::{FileId, Id};

    #[test]
    fn what_has_one_value_is_replaced_and_what_loops_change_is_not() {
        let text = "global g: i32 init { g := 7i32; } procedure main() { local n: i32 local i: i32 location a entry \
            location b location z exit edge a -> b { n := g * 2i32; i := 0i32; } edge b -> b { assume i < n; i := i + 1i32; } \
            edge b -> z { assume i >= n; } }";
        let program = parse(text, FileId::new(0)).expect("it is a program");
        let result = print(&propagate_constants(&program));
        assert!(result.contains("n := 14i32"), "{result}");
        assert!(result.contains("assume i < 14i32"), "{result}");
        assert!(result.contains("i := i + 1i32"), "{result}");
    }
}

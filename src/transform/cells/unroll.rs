//! Loops inside others that have a few iterations, the same number always, are unrolled: the accesses of an iteration of
//! the outer loop are then at constant distances from each other.

use super::counter::{Counter, guard_of};
use super::loops::{body_of, steps_of};
use crate::program::{Edge, EdgeId, LocId, Location, ProcId, Procedure, Program};
use crate::transform::constants::{after, facts_at, is_small, propagate_constants};
use crate::transform::known::{Fact, Known};
use rustc_hash::FxHashMap;

/// How many iterations are unrolled at most. Rows of a table that are written one element at a time have two to five in
/// the programs that this was made for.
const MAX_ITERATIONS: usize = 8;

/// How many loops are unrolled at most, one after the other.
const MAX_LOOPS: usize = 16;

/// The program with constants in place of variables, and such loops unrolled.
pub(super) fn unroll_inner_loops(program: &Program) -> Program {
    let mut result = propagate_constants(program);
    for _ in 0..MAX_LOOPS {
        let Some((id, found)) = find(&result) else { break };
        unroll(&mut result.procedures[id], &found);
        result = propagate_constants(&result);
    }
    result
}

/// A loop inside another.
struct Inner {
    header: LocId,
    body: Vec<LocId>,
    /// The edges of its header and its body.
    edges: Vec<EdgeId>,
    /// How many iterations it has.
    iterations: usize,
}

fn find(program: &Program) -> Option<(ProcId, Inner)> {
    let known = Known::of(program);
    for (id, procedure) in program.procedures.enumerate().filter(|(id, _)| is_small(program, *id)) {
        let mut at = None;
        for header in procedure.locations.ids() {
            let Some(body) = body_of(procedure, header) else { continue };
            let is_inside = |location: LocId| location == header || body.contains(&location);
            let all = procedure.edges.enumerate().filter(|(_, data)| is_inside(data.source));
            let (exits, edges): (Vec<_>, Vec<_>) =
                all.partition(|(_, data)| data.source == header && !is_inside(data.target));
            let [exits, edges]: [Vec<EdgeId>; 2] = [exits, edges].map(|all| all.iter().map(|(id, _)| *id).collect());
            if !leads_back(procedure, header, &body) {
                continue;
            }
            let Some(guard) = guard_of(procedure, header, &edges, &exits) else { continue };
            let Some(steps) = steps_of(program, procedure, header, &edges, guard.1) else { continue };
            let Some(counter) = Counter::new(program, guard, steps[0].by) else { continue };
            let at = at.get_or_insert_with(|| facts_at(&known, program, id));
            let into = procedure.edges.iter().filter(|edge| edge.target == header && !is_inside(edge.source));
            let entering = into.filter_map(|edge| after(&known, edge, at[edge.source].as_ref()?));
            let first: Vec<Option<Fact>> = entering.map(|facts| facts.get(&counter.variable).cloned()).collect();
            let [Some(Fact::Number(first)), rest @ ..] = &first[..] else { continue };
            let is_same = rest.iter().all(|other| *other == Some(Fact::Number(first.clone())));
            let values = counter.values_from(first, MAX_ITERATIONS).filter(|values| is_same && !values.is_empty());
            if let Some(values) = values {
                let edges = edges.into_iter().chain(exits).collect();
                return Some((id, Inner { header, body, edges, iterations: values.len() }));
            }
        }
    }
    None
}

/// Whether a loop is inside another: a way leads from it back to it from outside.
fn leads_back(procedure: &Procedure, header: LocId, body: &[LocId]) -> bool {
    let is_inside = |location: LocId| location == header || body.contains(&location);
    let leaving = procedure.edges.iter().filter(|edge| is_inside(edge.source) && !is_inside(edge.target));
    procedure.reached_from(leaving.map(|edge| edge.target)).into_iter().any(is_inside)
}

/// The header and the body once for each iteration, and the header once more.
fn unroll(procedure: &mut Procedure, inner: &Inner) {
    let edges: Vec<Edge> = inner.edges.iter().map(|edge| procedure.edges[*edge].clone()).collect();
    let copy = |procedure: &mut Procedure, location: LocId| {
        let location = Location { name: None, ..procedure.locations[location].clone() };
        procedure.locations.push(location)
    };
    // The first iteration is where the loop was: only its edges back go on to the next.
    let mut back: Vec<EdgeId> =
        inner.edges.iter().copied().filter(|edge| procedure.edges[*edge].target == inner.header).collect();
    for number in 1..=inner.iterations {
        let header = copy(procedure, inner.header);
        let copies: FxHashMap<LocId, LocId> =
            inner.body.iter().map(|location| (*location, copy(procedure, *location))).collect();
        for edge in std::mem::take(&mut back) {
            procedure.edges[edge].target = header;
        }
        for edge in &edges {
            let is_entering =
                edge.source == inner.header && (edge.target == inner.header || copies.contains_key(&edge.target));
            if number == inner.iterations && (is_entering || edge.source != inner.header) {
                continue;
            }
            let source = copies.get(&edge.source).copied().unwrap_or(header);
            let target = copies.get(&edge.target).copied().unwrap_or(edge.target);
            let new = procedure.edges.push(Edge { source, target, ..edge.clone() });
            back.extend((edge.target == inner.header).then_some(new));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unroll_inner_loops;
    use crate::program::text::{parse, print};
    use crate::program::{FileId, Id};

    #[test]
    fn a_short_loop_inside_another_is_unrolled_and_the_outer_one_is_not() {
        let text = "global s: i32 init { s := 0i32; } procedure main() { local i: i32 local j: i32 location a entry \
            location b location c location z exit edge a -> b { i := 0i32; } \
            edge b -> c { assume i < 1000i32; j := 3i32; } edge c -> c { assume j >= 1i32; s := s + j; j := j - 1i32; } \
            edge c -> b { assume j < 1i32; i := i + 1i32; } edge b -> z { assume i >= 1000i32; } }";
        let program = parse(text, FileId::new(0)).expect("it is a program");
        let result = print(&unroll_inner_loops(&program));
        for added in ["s := s + 3i32", "s := s + 2i32", "s := s + 1i32"] {
            assert_eq!(result.matches(added).count(), 1, "{result}");
        }
        assert_eq!(result.matches("i := i + 1i32").count(), 4, "an exit after each iteration: {result}");
        assert!(result.contains("assume i < 1000i32"), "{result}");
    }
}

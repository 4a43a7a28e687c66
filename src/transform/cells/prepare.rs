//! Programs whose accesses are checked (Java) in the form that arrays are looked for in.
//!
//! Before every access such a program looks whether the reference is null and the index within the array's length, and
//! what it reads goes through variables of its own. Here what no property counts is left out, conditions are over what is
//! read, and headers of objects are read before loops that do not change them. None of this changes which errors that
//! count can be reached.

use super::counter::mentions;
use super::hoist::hoist_headers;
use crate::program::{EdgeId, Expr, LocId, ProcId, Procedure, Program, Property, Statement, Type, VarId};
use crate::transform::cleanup::cleanup;
use rustc_hash::FxHashSet;

/// The program in that form.
pub(super) fn prepare(program: &Program, property: &Property) -> Program {
    let mut result = program.clone();
    for procedure in result.procedures.iter_mut() {
        leave_out_uncounted(procedure, property);
    }
    cleanup(&mut result, None);
    for id in result.procedures.ids() {
        read_in_conditions(&mut result, id);
        hoist_headers(&mut result, id);
    }
    result
}

/// Leaves out edges to errors that the property does not count: executions end there.
fn leave_out_uncounted(procedure: &mut Procedure, property: &Property) {
    let edges = std::mem::take(&mut procedure.edges);
    let counts = |location: LocId| {
        let error = &procedure.locations[location].error;
        error.as_ref().is_none_or(|error| property.counts(&error.kind))
    };
    procedure.edges = edges.into_items().into_iter().filter(|edge| counts(edge.target)).collect();
}

/// Where a value is read from memory for the conditions that come right after it and nothing else, they read it.
fn read_in_conditions(program: &mut Program, id: ProcId) {
    let is_number = |variable: &VarId| program.variables[*variable].ty != Type::Pointer;
    let locals: FxHashSet<VarId> = program.locals(id).filter(is_number).collect();
    let procedure = &mut program.procedures[id];
    let outgoing = procedure.outgoing();
    for first in procedure.edges.ids().collect::<Vec<_>>() {
        let middle = procedure.edges[first].target;
        let is_only_way = procedure.edges.iter().filter(|edge| edge.target == middle).count() == 1;
        if !is_only_way || middle == procedure.entry || outgoing[middle].is_empty() {
            continue;
        }
        for number in (0..procedure.edges[first].block.len()).rev() {
            let Some((variable, value)) = last_read(procedure, first, number) else { continue };
            let ends_there = |next: &EdgeId| is_for_conditions(procedure, *next, variable);
            if !locals.contains(&variable) || !outgoing[middle].iter().all(ends_there) {
                continue;
            }
            for next in &outgoing[middle] {
                for statement in &mut procedure.edges[*next].block {
                    let Statement::Assume(condition) = statement else { break };
                    *condition = substitute(condition, variable, &value);
                }
            }
            procedure.edges[first].block.remove(number);
        }
    }
}

/// The variable that a statement gives a value read from memory, if it is the same at the end of the edge.
fn last_read(procedure: &Procedure, edge: EdgeId, number: usize) -> Option<(VarId, Expr)> {
    let block = &procedure.edges[edge].block;
    let Statement::Assign(pairs) = &block[number] else { return None };
    let [(variable, value)] = &pairs[..] else { return None };
    let is_same = block[number + 1..].iter().all(|statement| {
        let is_plain = matches!(statement, Statement::Assume(_) | Statement::Assign(_));
        let is_kept = !statement.targets().iter().any(|target| target == variable || mentions(value, *target));
        is_plain && is_kept && !statement.expressions().iter().any(|expr| mentions(expr, *variable))
    });
    (value.has_load() && is_same && !mentions(value, *variable)).then(|| (*variable, value.clone()))
}

/// Whether an edge begins with conditions, and the value of a variable before it is read in these alone.
fn is_for_conditions(procedure: &Procedure, edge: EdgeId, variable: VarId) -> bool {
    let data = &procedure.edges[edge];
    let is_condition = |statement: &&Statement| matches!(statement, Statement::Assume(_));
    let first = data.block.iter().take_while(is_condition).count();
    first > 0 && !is_read(procedure, &data.block[first..], data.target, variable)
}

/// Whether the value that a local has before statements is read there, or from a location on.
fn is_read(procedure: &Procedure, block: &[Statement], target: LocId, variable: VarId) -> bool {
    // Whether it is read, if that or a new value comes first.
    let in_block = |block: &[Statement]| {
        for statement in block {
            if statement.expressions().iter().any(|expr| mentions(expr, variable)) {
                return Some(true);
            }
            if statement.targets().contains(&variable) {
                return Some(false);
            }
        }
        None
    };
    if let Some(answer) = in_block(block) {
        return answer;
    }
    let outgoing = procedure.outgoing();
    let (mut seen, mut waiting) = (FxHashSet::default(), vec![target]);
    while let Some(location) = waiting.pop() {
        if location == procedure.exit && procedure.result == Some(variable) {
            return true;
        }
        if !seen.insert(location) {
            continue;
        }
        for edge in outgoing[location].iter().map(|edge| &procedure.edges[*edge]) {
            match in_block(&edge.block) {
                Some(true) => return true,
                Some(false) => {}
                None => waiting.push(edge.target),
            }
        }
    }
    false
}

/// The expression with a value in place of a variable.
pub(super) fn substitute(expr: &Expr, variable: VarId, value: &Expr) -> Expr {
    replace(expr, &|part| (*part == Expr::Var(variable)).then(|| value.clone()))
}

/// The expression with others in place of parts of it.
pub(super) fn replace(expr: &Expr, by: &impl Fn(&Expr) -> Option<Expr>) -> Expr {
    by(expr).unwrap_or_else(|| {
        let mut result = expr.clone();
        result.operands_mut().into_iter().for_each(|operand| *operand = replace(operand, by));
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::FileId;
    use crate::program::Id;
    use crate::program::text::{parse, print};

    /// A loop over an array, as the front end for Java makes it.
    const LOOP: &str = r#"
        pointer_bytes 8 header_bytes 8
        init { }
        procedure main() {
            local a: ptr local i: i32 local n: i32 local v: i32
            location start entry
            location head
            location guard
            location check
            location body
            location read
            location done exit
            location nowhere error "exception:java.lang.NullPointerException" "null"
            location outside error "exception:java.lang.ArrayIndexOutOfBoundsException" "outside"
            location wrong error "assertion" "wrong"
            edge start -> head { a := allocate(heap, 48i64, zeroed); [pointer_add(a, 4i64)] := 10i32; i := 0i32; }
            edge head -> nowhere { assume a == null; }
            edge head -> guard { assume a != null; n := i32[pointer_add(a, 4i64)]; }
            edge guard -> done { assume i >= n; }
            edge guard -> check { assume i < n; }
            edge check -> outside { assume i < 0i32 || i >= i32[pointer_add(a, 4i64)]; }
            edge check -> read {
                assume !(i < 0i32 || i >= i32[pointer_add(a, 4i64)]);
                v := i32[pointer_add(a, i64(i) * 4i64 + 8i64)];
            }
            edge read -> wrong { assume v != 0i32; }
            edge read -> body { assume v == 0i32; }
            edge body -> head { i := i + 1i32; }
        }
    "#;

    #[test]
    fn loops_begin_with_their_conditions_and_read_no_header() {
        let program = parse(LOOP, FileId::new(0)).expect("it is a program");
        let text = print(&prepare(&program, &Property::Assert));
        assert!(!text.contains("v :="), "the element is read in the conditions:\n{text}");
        assert!(text.contains("assume i >= `a!header"), "the guard is over what was read before:\n{text}");
        assert_eq!(text.matches("i32[pointer_add(a, 4i64)]").count(), 1, "it is read once, before the loop");
    }
}

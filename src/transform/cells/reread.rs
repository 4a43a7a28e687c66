//! An element that is read again, with nothing written since, is what it was: it is read once.
//!
//! Two reads elsewhere than at a tracked cell give any two values, so that `if (a[i] > max) max = a[i];` would leave
//! any number in `max`.

use super::add_variable;
use super::counter::mentions;
use super::prepare::replace;
use crate::program::{EdgeId, Expr, Id, LocId, Procedure, Program, Scope, Statement};
use std::collections::BTreeMap;

/// An edge, and which statement of its block.
type At = (EdgeId, usize);

/// A read, and the statement that was the first to do it.
#[derive(Debug, Clone)]
struct Known {
    load: Expr,
    first: At,
}

/// The statements that read something again, by which statement was the first, and what it is.
type Again = BTreeMap<At, Vec<(Expr, Vec<At>)>>;

/// Makes what is read first a variable where an assignment after it reads the same.
pub(super) fn read_once(program: &mut Program) {
    for id in program.procedures.ids().collect::<Vec<_>>() {
        let mut first_reads: Vec<(At, Statement)> = Vec::new();
        for (first, reads) in reads_again(&program.procedures[id]) {
            for (load, assignments) in reads {
                let Expr::Load(ty, _) = load else { continue };
                let own = add_variable(program, "cell%read", ty, Scope::Local(id));
                for (edge, number) in assignments.into_iter().chain([first]) {
                    for expr in program.procedures[id].edges[edge].block[number].expressions_mut() {
                        *expr = replace(expr, &|part| (*part == load).then_some(Expr::Var(own)));
                    }
                }
                first_reads.push((first, Statement::Assign(vec![(own, load)])));
            }
        }
        // The last of an edge first, so that the numbers of the others stay.
        for ((edge, number), read) in first_reads.into_iter().rev() {
            program.procedures[id].edges[edge].block.insert(number, read);
        }
    }
}

/// What assignments read that was read on every way to them.
fn reads_again(procedure: &Procedure) -> Again {
    let outgoing = procedure.outgoing();
    let mut entering = vec![0; procedure.locations.len()];
    procedure.edges.iter().for_each(|edge| entering[edge.target.index()] += 1);
    let is_joined = |location: LocId| location == procedure.entry || entering[location.index()] != 1;
    let roots = procedure.locations.ids().filter(|location| is_joined(*location));
    let mut waiting: Vec<(LocId, Vec<Known>)> = roots.map(|location| (location, Vec::new())).collect();
    let mut again = Again::new();
    while let Some((location, known)) = waiting.pop() {
        for &edge in &outgoing[location] {
            let data = &procedure.edges[edge];
            let mut known = known.clone();
            for (number, statement) in data.block.iter().enumerate() {
                step(&mut known, (edge, number), statement, &mut again);
            }
            if !is_joined(data.target) {
                waiting.push((data.target, known));
            }
        }
    }
    again
}

/// What is known to be read after a statement, and what the statement reads again.
fn step(known: &mut Vec<Known>, at: At, statement: &Statement, again: &mut Again) {
    match statement {
        Statement::Assume(condition) => add_reads(known, at, condition),
        Statement::Assign(pairs) => {
            // What is added to is left as it is: sums are recognised by what is added.
            for (_, value) in pairs.iter().filter(|(target, value)| !mentions(value, *target)) {
                for Known { load, first } in known.iter().filter(|known| reads(value, &known.load)) {
                    let of_first = again.entry(*first).or_default();
                    match of_first.iter_mut().find(|(other, _)| other == load) {
                        Some((_, all)) => all.push(at),
                        None => of_first.push((load.clone(), vec![at])),
                    }
                }
            }
            pairs.iter().for_each(|(_, value)| add_reads(known, at, value));
        }
        Statement::Havoc { .. } => {}
        _ => known.clear(),
    }
    for target in statement.targets() {
        known.retain(|Known { load, .. }| !mentions(load, target));
    }
}

/// Whether a read is part of an expression.
fn reads(expr: &Expr, load: &Expr) -> bool {
    expr == load || expr.operands().into_iter().any(|operand| reads(operand, load))
}

/// Adds what is read wherever an expression is evaluated.
fn add_reads(known: &mut Vec<Known>, at: At, expr: &Expr) {
    match expr {
        Expr::Load(_, address) if !address.has_load() => {
            if !known.iter().any(|known| known.load == *expr) {
                known.push(Known { load: expr.clone(), first: at });
            }
        }
        _ => expr.always_evaluated().for_each(|operand| add_reads(known, at, operand)),
    }
}

#[cfg(test)]
mod tests {
    use super::read_once;
    use crate::program::text::{parse, print};
    use crate::program::{FileId, Id};

    fn after(block: &str, next: &str) -> String {
        let text = format!(
            "pointer_bytes 8 global p: ptr global i: i32 global max: i32 procedure main() {{ location a entry location b \
             location z exit edge a -> b {{ {block} }} edge b -> z {{ {next} }} }}"
        );
        let mut program = parse(&text, FileId::new(0)).expect("it is a program");
        read_once(&mut program);
        print(&program)
    }

    const COMPARED: &str = "assume i32[pointer_add(p, i64(i))] > max;";
    const TAKEN: &str = "max := i32[pointer_add(p, i64(i))];";

    #[test]
    fn what_is_read_again_is_read_once() {
        for result in [after(COMPARED, TAKEN), after(&format!("{COMPARED} {TAKEN}"), "")] {
            assert_eq!(result.matches("i32[").count(), 1, "{result}");
            assert!(result.contains("assume `cell%read` > max"), "{result}");
            assert!(result.contains("max := `cell%read`"), "{result}");
        }
    }

    #[test]
    fn writes_and_other_places_are_read_again() {
        for between in ["[p] := 1i32;", "i := i + 1i32;"] {
            let result = after(&format!("{COMPARED} {between}"), TAKEN);
            assert_eq!(result.matches("i32[").count(), 2, "{result}");
        }
    }
}

//! Right proofs are accepted; with a piece taken out or changed they are refused.

use super::*;
use crate::engine::bounded::{BoundedConfig, Merging};
use crate::engine::{self, Claim, EngineConfig, Proof};
use crate::program::{FileId, Id, Property, text};

/// A sum of three inputs; a choice keeps states apart that come together later.
const SUM: &str = "
main main
global sum: int
init { sum := 0; }
procedure main() {
  local i: int
  local x: int
  local low: bool
  location start entry  location head  location body  location joined  location after  location done exit
  location wrong error \"assertion\" \"the sum is too large\"
  edge start -> head { i := 0; low := true; }
  edge head -> body { assume i < 3; havoc x; assume x >= 0; assume x <= 5; }
  edge body -> joined { assume x > 2; low := false; }
  edge body -> joined { assume x <= 2; low := true; }
  edge joined -> head { sum := sum + x; i := i + 1; }
  edge head -> after { assume i >= 3; }
  edge after -> wrong { assume sum > 15; }
  edge after -> wrong { assume i != 3; }
  edge after -> done { assume sum <= 15; assume i == 3; }
}";

/// A recursive procedure of a few activations.
const COUNTDOWN: &str = "
main main
global count: int
init { count := 0; }
procedure down(n) -> r {
  local n: int
  local r: int
  location start entry  location inner  location back  location done exit
  edge start -> done { assume n <= 0; r := 0; }
  edge start -> inner { assume n > 0; }
  edge inner -> back { r := call down(n - 1); }
  edge back -> done { r := r + 1; count := count + n; }
}
procedure main() {
  local n: int
  local r: int
  location start entry  location called  location after  location done exit
  location wrong error \"assertion\" \"the result is another\"
  edge start -> called { havoc n; assume n >= 0; assume n <= 3; }
  edge called -> after { r := call down(n); }
  edge after -> wrong { assume r != n; }
  edge after -> wrong { assume count * 2 != n * (n + 1); }
  edge after -> done { assume r == n; assume count * 2 == n * (n + 1); }
}";

/// A loop without an end, over two states.
const ENDLESS: &str = "
main main
global turn: bool
init { turn := false; }
procedure main() {
  local x: int
  location head entry  location read  location done exit
  location wrong error \"assertion\" \"it is not so\"
  edge head -> read { havoc x; }
  edge read -> head { assume x > 0; turn := !turn; }
  edge read -> wrong { assume x <= 0; assume x > 1; }
  edge read -> done { assume x <= 0; assume x <= 1; }
}";

const PROGRAMS: [&str; 3] = [SUM, COUNTDOWN, ENDLESS];

fn task(program: &str) -> Task {
    let program = text::parse(program, FileId::new(0)).expect("the program is valid");
    Task { program, property: Property::Assert }
}

fn claim(task: &Task, steps: Option<u32>, merging: Merging) -> Claim {
    let config = BoundedConfig { steps, merging: Some(merging), ..BoundedConfig::default() };
    engine::verify(task, &EngineConfig::Bounded(config), &Budget::unlimited()).claim
}

fn proof(task: &Task, merging: Merging) -> Unrolling {
    match claim(task, None, merging) {
        Claim::Safe { proof: Proof::Unrolling(proof), .. } => *proof,
        Claim::Unknown(stop) => panic!("it is safe: {stop}"),
        _ => panic!("it is safe"),
    }
}

fn checked(task: &Task, proof: Unrolling) -> Result<String, Failure> {
    check(task, proof, &ConfirmConfig::default(), &Budget::unlimited())
}

/// A proof of the program is refused with any of so many changes.
#[track_caller]
fn assert_refused(program: &str, merging: Merging, changes: &dyn Fn(&mut Unrolling, usize) -> bool) {
    let task = task(program);
    let mut refused = 0;
    for number in 0.. {
        let mut proof = proof(&task, merging);
        if !changes(&mut proof, number) {
            break;
        }
        let result = checked(&task, proof);
        assert!(result.is_err(), "change {number}: {result:?}");
        refused += 1;
    }
    assert!(refused > 0, "there is nothing to change");
}

#[test]
fn right_proofs_are_accepted() {
    for program in PROGRAMS {
        let task = task(program);
        // Merged, the states of an endless loop are no constants, and never the same.
        let mergings = if program == ENDLESS { &[Merging::Known][..] } else { &[Merging::Known, Merging::All] };
        for merging in mergings {
            let result = checked(&task, proof(&task, *merging));
            assert!(result.is_ok(), "{merging:?}, {result:?}: {program}");
        }
    }
}

#[test]
fn an_unrolling_that_is_cut_off_is_no_proof() {
    for merging in [Merging::Known, Merging::All] {
        assert!(matches!(claim(&task(SUM), Some(2), merging), Claim::Unknown(_)));
        assert!(matches!(claim(&task(SUM), Some(9), merging), Claim::Safe { .. }));
    }
}

#[test]
fn a_proof_without_one_of_its_nodes_is_refused() {
    for program in PROGRAMS {
        assert_refused(program, Merging::Known, &|proof, number| {
            for node in &mut proof.nodes {
                node.successors.retain(|next| *next != number);
            }
            if number == 0 {
                proof.nodes.clear();
                return true;
            }
            number < proof.nodes.len()
        });
    }
}

#[test]
fn a_proof_with_another_value_is_refused() {
    for (program, merging) in [(SUM, Merging::Known), (SUM, Merging::All), (COUNTDOWN, Merging::Known)] {
        assert_refused(program, merging, &|proof, number| {
            let terms = &mut proof.terms;
            let mut values = proof.nodes.iter_mut().flat_map(|node| &mut node.values);
            let Some((symbol, value)) = values.nth(number) else { return false };
            *value = match terms.symbol_sort(*symbol) {
                Sort::Bool => terms.not(*value),
                _ => {
                    let one = terms.int(1);
                    terms.add(*value, one)
                }
            };
            true
        });
    }
}

#[test]
fn a_proof_with_another_value_put_aside_is_refused() {
    assert_refused(COUNTDOWN, Merging::Known, &|proof, number| {
        let terms = &mut proof.terms;
        let mut values = proof.callers.iter_mut().flat_map(|caller| &mut caller.saved);
        let Some((_, value)) = values.nth(number) else { return false };
        let one = terms.int(1);
        *value = terms.add(*value, one);
        true
    });
}

#[test]
fn a_proof_that_knows_too_little_is_refused() {
    for (program, merging) in [(SUM, Merging::All), (COUNTDOWN, Merging::Known)] {
        // Neither what holds nor what variables are can be left out everywhere.
        assert_refused(program, merging, &|proof, number| {
            match number {
                0 => proof.nodes.iter_mut().for_each(|node| node.values.clear()),
                1 => proof.nodes.iter_mut().for_each(|node| {
                    node.conditions.clear();
                    node.above = None;
                }),
                _ => return false,
            }
            true
        });
    }
}

#[test]
fn a_proof_that_claims_too_much_is_refused() {
    for program in PROGRAMS {
        assert_refused(program, Merging::Known, &|proof, number| {
            let never = proof.terms.bool(false);
            let Some(node) = proof.nodes.get_mut(number) else { return false };
            node.conditions.push(never);
            true
        });
    }
}

#[test]
fn inputs_that_are_read_twice_are_refused() {
    assert_refused(SUM, Merging::Known, &|proof, number| {
        let Some(later) = proof.nodes.get(number + 2) else { return false };
        // The last blocks read nothing, whatever their times.
        let reads = later.values.iter().any(|(_, value)| !proof.terms.is_value(*value));
        proof.nodes[number + 1].time = proof.nodes[0].time;
        proof.nodes[number + 2].time = proof.nodes[0].time;
        reads && number < 1
    });
}

#[test]
fn a_proof_that_speaks_of_what_was_not_read_is_refused() {
    for number in 0..3 {
        let task = task(SUM);
        let mut proof = proof(&task, Merging::All);
        let foreign = match number {
            // Of nobody, of a variable, and of what its own block reads.
            0 => proof.terms.var("of!nobody", Sort::Bool),
            1 => {
                let sum = proof.nodes[0].values[0].0;
                let sum = proof.terms.of_symbol(sum);
                proof.terms.eq(sum, sum)
            }
            _ => proof.nodes[2].conditions[0],
        };
        let is_open = !proof.terms.is_value(foreign);
        proof.nodes[1].conditions.push(foreign);
        assert_eq!(checked(&task, proof).is_err(), is_open, "{number}");
    }
}

#[test]
fn references_that_lead_nowhere_are_refused() {
    let task = task(SUM);
    let changes: [&dyn Fn(&mut Unrolling); 4] = [
        &|proof| proof.nodes[1].above = Some(1),
        &|proof| proof.nodes[1].caller = Some(0),
        &|proof| proof.nodes[1].successors.push(1000),
        &|proof| proof.stacks.push(proof.stacks[0].clone()),
    ];
    for (number, change) in changes.iter().enumerate() {
        let mut proof = proof(&task, Merging::Known);
        change(&mut proof);
        let result = checked(&task, proof);
        assert!(matches!(result, Err(Failure::Wrong(_))), "{number}: {result:?}");
    }
}

#[test]
fn a_proof_of_another_program_is_refused() {
    let wrong = SUM.replace("sum > 15", "sum > 14");
    let proof = proof(&task(SUM), Merging::All);
    let result = checked(&task(&wrong), proof);
    assert!(matches!(result, Err(Failure::Wrong(_))), "{result:?}");
}

#[test]
fn what_was_not_answered_is_no_proof() {
    let task = task(SUM);
    let proof = proof(&task, Merging::All);
    let unknown = &mut |_: &_, _| Answer::Unknown(crate::solver::Reason::Limit);
    let result = check_with(&task, proof, &Budget::unlimited(), unknown);
    assert!(matches!(result, Err(Failure::Stopped(_))), "{result:?}");
}

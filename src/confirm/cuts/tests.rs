//! Right proofs are accepted; with a piece taken out they are refused.

use super::*;
use crate::engine::{self, CegarConfig, Claim, EngineConfig, Proof, cegar::DomainChoice};
use crate::program::{FileId, Id, Property, text};

/// The result of a recursive procedure, and a global that it counts in, are what its parameter was.
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
  edge back -> done { r := r + 1; count := count + 1; }
}
procedure main() {
  local n: int
  local r: int
  location start entry  location called  location after  location done exit
  location wrong error \"assertion\" \"the result is another\"
  edge start -> called { havoc n; assume n >= 0; }
  edge called -> after { r := call down(n); }
  edge after -> wrong { assume r != n; }
  edge after -> done { assume r == n; }
}";

fn task() -> Task {
    let program = text::parse(COUNTDOWN, FileId::new(0)).expect("the program is valid");
    Task { program, property: Property::Assert }
}

fn proof(task: &Task) -> CutInvariants {
    let config = CegarConfig { domain: DomainChoice::Predicates, ..CegarConfig::default() };
    let claim = engine::verify(task, &EngineConfig::Cegar(config), &Budget::unlimited()).claim;
    let Claim::Safe { proof: Proof::Cuts(proof), .. } = claim else { panic!("it is safe") };
    *proof
}

fn checked(task: &Task, proof: CutInvariants) -> Result<String, Failure> {
    check(task, proof, &ConfirmConfig::default(), &Budget::unlimited())
}

#[track_caller]
fn assert_refused(change: impl FnOnce(&Task, &mut CutInvariants)) {
    let task = task();
    let mut proof = proof(&task);
    change(&task, &mut proof);
    let result = checked(&task, proof);
    assert!(matches!(result, Err(Failure::Wrong(_))), "{result:?}");
}

fn of_main(task: &Task) -> impl Fn(&&mut CutActivation) -> bool {
    let main = task.program.main;
    move |activation| activation.procedure == main
}

#[test]
fn a_right_proof_is_accepted() {
    let task = task();
    let proof = proof(&task);
    assert!(checked(&task, proof).is_ok());
}

#[test]
fn a_proof_with_a_piece_taken_out_is_refused() {
    assert_refused(|_, proof| proof.activations.clear());
    assert_refused(|task, proof| proof.activations.retain(|activation| activation.procedure == task.program.main));
    assert_refused(|task, proof| {
        proof.activations.iter_mut().filter(of_main(task)).for_each(|activation| activation.cuts.clear());
    });
    assert_refused(|_, proof| proof.activations.iter_mut().for_each(|activation| activation.exits.clear()));
}

#[test]
fn a_proof_that_knows_too_little_is_refused() {
    assert_refused(|_, proof| {
        let exits = proof.activations.iter_mut().flat_map(|activation| &mut activation.exits);
        exits.for_each(|exit| exit.literals.clear());
    });
}

#[test]
fn a_proof_that_claims_too_much_is_refused() {
    assert_refused(|_, proof| {
        let never = proof.terms.bool(false);
        proof.activations.iter_mut().for_each(|activation| activation.entry.literals.push(never));
    });
    assert_refused(|_, proof| {
        let never = proof.terms.bool(false);
        let exits = proof.activations.iter_mut().flat_map(|activation| &mut activation.exits);
        exits.for_each(|exit| exit.literals.push(never));
    });
}

#[test]
fn a_proof_about_what_is_not_visible_is_refused() {
    assert_refused(|task, proof| {
        let foreign = proof.terms.var("of!nobody", Sort::Bool);
        let mut main = proof.activations.iter_mut().filter(of_main(task));
        main.next().expect("the main procedure has an activation").entry.literals.push(foreign);
    });
}

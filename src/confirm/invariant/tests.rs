//! A solver that does not answer gives no verdict. Right and wrong invariants are in `tests/confirm_invariants.rs`.

use super::*;
use crate::engine::Stop;
use crate::program::{Property, SourceFile, Statement, text};
use crate::solver::Reason;
use std::collections::BTreeMap;

const COUNTER: &str = "global x: int\ninit { x := 0; }\nprocedure main() {\n location a entry\n location c exit\n \
                       location b error \"assertion\" \"x is negative\"\n edge a -> a { x := x + 1; }\n \
                       edge a -> b { assume x < 0; }\n}\n";

#[test]
fn a_solver_that_does_not_know_gives_no_verdict() {
    let files = [SourceFile { name: "m.tandem".into(), text: COUNTER.into() }].into_iter().collect();
    let task = Task { program: text::lower(&files).expect("the program is right"), property: Property::Assert };
    let mut terms = Terms::new();
    let encoder = Encoder::new(&task.program, &mut terms);
    let main = &task.program.procedures[task.program.main];
    let [_, into_error] = main.edges.iter().collect::<Vec<_>>()[..] else { panic!("two edges") };
    let [Statement::Assume(negative)] = into_error.block.as_slice() else { panic!("an assumption") };
    let holds = encoder.expr(&mut terms, &negative.clone().negate()).expect("plain integers");
    let right = LocationInvariants { terms, at: BTreeMap::from([((task.program.main, main.entry), holds)]) };
    let mut ask = |_: &Terms, _: TermId| Answer::Unknown(Reason::Limit);
    let stopped = check_with(&task, right, &Budget::unlimited(), &mut ask);
    assert!(matches!(stopped, Err(Failure::Stopped(Stop::Solver(_)))), "{stopped:?}");
}

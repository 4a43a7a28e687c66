//! Random C programs, explored with values and with tokens: every way in which the first can end is among those of the
//! second.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use tandem::concrete::successors::Execution;
use tandem::concrete::token::Abstractions;
use tandem::concrete::{Packed, Value};
use tandem::frontend::c::lower::{Options, lower_files};
use tandem::frontend::c::types::DataModel;
use tandem::program::{Id, Program, Property, SourceFile, SourceFiles, ThreadId, VarId};
use tandem::term::Random;

/// A program with more states is not explored to its end.
const MAX_STATES: usize = 3000;

const TYPES: [&str; 6] = ["int", "unsigned", "signed char", "unsigned char", "short", "long long"];
const SPECS: [&str; 6] = ["signs", "evenness", "interval(-3,5)", "range(-2,3)", "signs+evenness", "points(0,4)"];

fn expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return match random.below(4) {
            0 => format!("{}", random.below(9) as i64 - 3),
            1 => "a[(unsigned)g0 % 3u]".to_owned(),
            _ => format!("g{}", random.below(4)),
        };
    }
    let (a, b) = (expression(random, depth - 1), expression(random, depth - 1));
    match random.below(12) {
        0 => format!("(int)((unsigned)({a}) + (unsigned)({b}))"),
        1 => format!("(int)((unsigned)({a}) - (unsigned)({b}))"),
        2 => format!("(int)((unsigned)({a}) * (unsigned)({b}))"),
        3 => format!("(({b}) != 0 && ({b}) != -1 ? (int)({a}) / (int)({b}) : 1)"),
        4 => format!("(({b}) != 0 && ({b}) != -1 ? (int)({a}) % (int)({b}) : 2)"),
        5 => format!("(({a}) & ({b}))"),
        6 => format!("(({a}) ^ ({b}))"),
        7 => format!("(({a}) | ({b}))"),
        8 => format!("((int)({a}) >> (({b}) & 7))"),
        9 => format!("(({a}) < ({b}))"),
        10 => format!("(signed char)({a})"),
        _ => format!("f((int)({a}))"),
    }
}

fn statement(random: &mut Random, depth: usize, text: &mut String) {
    let target = random.below(4);
    match random.below(if depth == 0 { 4 } else { 7 }) {
        0 | 1 => writeln!(text, "g{target} = {};", expression(random, 1)).unwrap(),
        2 => writeln!(text, "a[{}] = {};", random.below(3), expression(random, 1)).unwrap(),
        3 => writeln!(text, "a[(unsigned)g{target} % 3u] = g{};", random.below(4)).unwrap(),
        4 => {
            writeln!(
                text,
                "if ({}) {{",
                if random.once_in(3) { "__VERIFIER_nondet_bool()".to_owned() } else { expression(random, 1) }
            )
            .unwrap();
            statement(random, depth - 1, text);
            text.push_str("} else {\n");
            statement(random, depth - 1, text);
            text.push_str("}\n");
        }
        5 => {
            writeln!(text, "for (int i = 0; i < {}; i++) {{", random.between(1, 3)).unwrap();
            statement(random, depth - 1, text);
            text.push_str("}\n");
        }
        _ => {
            writeln!(text, "switch (g{target}) {{ case 0: g0 = 1; break; case 3:").unwrap();
            statement(random, depth - 1, text);
            text.push_str("default: g1 = 2; }\n");
        }
    }
}

fn program(random: &mut Random) -> String {
    let mut text =
        "extern _Bool __VERIFIER_nondet_bool(void);\nint a[3];\nint f(int k) { return k > 2 ? k - 2 : k; }\n"
            .to_owned();
    for g in 0..4 {
        writeln!(text, "{} g{g} = {};", TYPES[random.below(TYPES.len())], random.below(7)).unwrap();
    }
    text.push_str("int main(void) {\n");
    for _ in 0..random.between(2, 5) {
        statement(random, 2, &mut text);
    }
    // What is in memory is seen in the end.
    text.push_str("g0 = a[0]; g1 = a[1]; g2 = a[2];\nreturn 0;\n}\n");
    text
}

/// The values of the globals in the ends of all executions; none if there are too many states, or faults.
fn ends(program: &Program, abstractions: &Abstractions) -> Option<Vec<Vec<Value>>> {
    let property = Property::UnreachCall("reach_error".to_owned());
    let mut execution = Execution::with(program, &property, abstractions);
    let keep_on = &|| Ok::<(), ()>(());
    let mut open: Vec<Packed> =
        execution.initial_states(keep_on).ok()?.into_iter().map(|arrival| arrival.state).collect();
    let mut seen: BTreeSet<Packed> = BTreeSet::new();
    let mut found = Vec::new();
    while let Some(state) = open.pop() {
        if !seen.insert(state) {
            continue;
        }
        if seen.len() > MAX_STATES {
            return None;
        }
        execution.load(state);
        let machine = execution.machine();
        if machine.control().ended() {
            let globals: Vec<VarId> = program.globals().collect();
            found.push(globals.iter().map(|g| machine.value(ThreadId::new(0), *g).unwrap()).collect());
            continue;
        }
        let mut steps = Vec::new();
        execution.steps(&mut steps);
        for step in steps {
            let mut states = Vec::new();
            execution.states_after(step, keep_on, &mut states).ok()?;
            open.extend(states.into_iter().map(|arrival| arrival.state));
        }
    }
    execution.notes.is_empty().then_some(found)
}

fn stands_for(general: &[Value], specific: &[Value]) -> bool {
    general.iter().zip(specific).all(|(general, specific)| match general {
        Value::Token(token) => token.meaning().contains(specific),
        other => other == specific,
    })
}

#[test]
fn tokens_stand_for_every_end() {
    let mut random = Random::new(2012);
    let (mut compared, mut with_tokens) = (0, 0);
    for _ in 0..400 {
        let source = program(&mut random);
        let mut files = SourceFiles::new();
        files.push(SourceFile { name: "random.c".to_owned(), text: source.clone() });
        let property = Property::UnreachCall("reach_error".to_owned());
        let lowered = lower_files(&files, DataModel::Lp64, &Options::for_property(&property));
        let program = lowered.unwrap_or_else(|error| panic!("{error:?}\n{source}"));
        let Some(concrete) = ends(&program, &Abstractions::default()) else { continue };
        let abstracted = ["g0", "g1", "g2", "g3", "f.k"].into_iter().filter(|_| random.once_in(2));
        let lines: Vec<String> =
            abstracted.collect::<Vec<_>>().iter().map(|name| format!("{name}={}", random.choose(&SPECS))).collect();
        let Ok(abstractions) = Abstractions::parse(&program, lines.iter().map(String::as_str)) else { continue };
        let Some(with) = ends(&program, &abstractions) else { continue };
        compared += 1;
        with_tokens += usize::from(with.iter().flatten().any(|value| matches!(value, Value::Token(_))));
        for end in &concrete {
            assert!(
                with.iter().any(|general| stands_for(general, end)),
                "{end:?} is lost with {lines:?}\n{source}\n{with:?}"
            );
        }
    }
    assert!(compared > 150 && with_tokens > 100, "{compared} programs, {with_tokens} with tokens in the end");
}

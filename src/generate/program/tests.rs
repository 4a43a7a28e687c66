//! Random programs are valid, and print and read back as themselves.

use super::*;
use crate::program::text::{parse, print};
use crate::program::{Expr, FileId, Id, Program, Statement, validate};
use std::collections::BTreeSet;

#[track_caller]
fn round_trip(program: &Program) -> String {
    assert_eq!(validate(program), Ok(()), "{program:#?}");
    let text = print(program);
    match parse(&text, FileId::new(0)) {
        Ok(again) => assert_eq!(again, *program, "{text}"),
        Err(errors) => panic!("{errors:#?}\n{text}"),
    }
    text
}

fn statements(program: &Program) -> impl Iterator<Item = &Statement> {
    program.init.iter().chain(program.procedures.iter().flat_map(|p| p.edges.iter().flat_map(|e| &e.block)))
}

/// The name of a variant, as derived `Debug` writes it.
fn variant(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}").chars().take_while(|c| c.is_alphanumeric()).collect()
}

fn collect(expr: &Expr, found: &mut BTreeSet<String>) {
    found.insert(variant(expr));
    match expr {
        Expr::Unary(op, _) => {
            found.insert(format!("{op:?}"));
        }
        Expr::Binary(op, ..) => {
            found.insert(format!("{op:?}"));
        }
        _ => {}
    }
    expr.operands().into_iter().for_each(|operand| collect(operand, found));
}

#[test]
fn random_programs_print_and_read_back() {
    let mut found = BTreeSet::new();
    for seed in 0..3_000 {
        let program = generate(seed, &GenerateConfig::default());
        round_trip(&program);
        for statement in statements(&program) {
            found.insert(variant(statement));
            statement.expressions().into_iter().for_each(|e| collect(e, &mut found));
        }
    }
    // 19 statements, 13 kinds of expressions, 9 unary and 19 binary operators.
    assert_eq!(found.len(), 19 + 13 + 9 + 19, "{found:?}");
}

#[test]
fn random_executable_programs_are_valid() {
    for seed in 0..1_000 {
        let config = ExecutableConfig { mathematical: seed % 2 == 0, ..ExecutableConfig::default() };
        let program = generate_executable(seed, &config);
        round_trip(&program);
        assert_eq!(program, generate_executable(seed, &config));
    }
}

#[test]
fn random_programs_with_threads_are_valid() {
    for seed in 0..1_000 {
        let program = generate_threaded(seed, &ThreadedConfig::default());
        round_trip(&program);
        assert_eq!(program, generate_threaded(seed, &ThreadedConfig::default()));
    }
}

#[test]
fn changed_texts_are_read_or_refused() {
    let config = GenerateConfig { procedures: 2, variables: 6, edges: 3, ..GenerateConfig::default() };
    let mut read_back = 0;
    for seed in 0..1_000 {
        let mut random = Random::new(seed);
        let mut text: Vec<char> = print(&generate(seed, &config)).chars().collect();
        for _ in 0..random.between(1, 3) {
            let at = random.below(text.len());
            match random.below(3) {
                0 => text.truncate(at.max(1)),
                1 => drop(text.remove(at)),
                _ => text.insert(
                    at,
                    *random.choose(&['(', ')', '{', '}', ';', '"', '`', '-', '1', 'x', ' ', '@', '\\', 'é']),
                ),
            }
        }
        if let Ok(program) = parse(&text.into_iter().collect::<String>(), FileId::new(0)) {
            round_trip(&program);
            read_back += 1;
        }
    }
    assert!((20..980).contains(&read_back), "{read_back} of the changed texts are programs");
}

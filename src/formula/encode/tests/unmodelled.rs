//! Over-approximation of what cannot be expressed, and names of inputs.

use super::*;

fn abstracted(block: &str, terms: &mut Terms) -> Result<(Transition, Vec<&'static str>), &'static str> {
    let program = program(block);
    let encoder = Encoder::with_arithmetic(&program, terms, Arithmetic::Integers);
    let result = encoder.abstract_edge(terms, ProcId::new(0), EdgeId::new(0));
    let result = result.map(|(t, constructs)| (t, constructs.into_iter().map(|c| c.construct).collect()));
    result.map_err(|unsupported| unsupported.construct)
}

#[test]
fn an_unmodelled_value_is_any_of_its_type() {
    let terms = &mut Terms::new();
    let (transition, constructs) = abstracted("c := i8[p] + 1i8; assume p == null; x := x + 1;", terms).unwrap();
    assert_eq!(constructs, ["a read of memory", "a pointer"]);
    let [read, equal] = transition.unmodelled[..] else { panic!("{transition:?}") };
    assert_eq!((read.ty, read.construct), (Type::machine(8, true), "a read of memory"));
    assert_eq!((equal.ty, equal.construct), (Type::Bool, "a pointer"));
    assert_eq!(terms.as_symbol(transition.guard), Some(equal.symbol));
    assert_eq!(transition.updates.len(), 2);
    let program = program("");
    let encoder = Encoder::with_arithmetic(&program, terms, Arithmetic::Integers);
    assert!(encoder.unmodelled_in_range(terms, &read).is_some());
    assert!(encoder.unmodelled_in_range(terms, &equal).is_none());
    assert!(terms.symbols_of(transition.updates.iter().map(|u| u.1)).contains(&read.symbol));
}

#[test]
fn what_changes_no_variable_is_listed_and_ignored() {
    let terms = &mut Terms::new();
    let block = "p := allocate(heap, 1i64); [p] := i8[p]; copy p, p, 1i64; fill p, 0u8, 1i64; write p, \"a\"; free p; p := null; havoc p;";
    let (transition, constructs) = abstracted(block, terms).unwrap();
    let write = "a write to memory";
    let expected = ["an allocation", write, "a copy of memory", write, write, "a free"];
    assert_eq!(constructs, [&expected[..], &["a pointer", "a pointer"]].concat());
    assert_eq!(transition, Transition::identity(terms));
}

#[test]
fn parts_of_what_is_unmodelled_are_left_out() {
    let terms = &mut Terms::new();
    let (transition, constructs) = abstracted("assume pointer_add(p, i64[p]) == p; x := x;", terms).unwrap();
    assert_eq!((transition.unmodelled.len(), constructs), (1, vec!["a pointer"]));
}

#[test]
fn calls_and_threads_stay_refused() {
    let terms = &mut Terms::new();
    assert_eq!(abstracted("call main();", terms).unwrap_err(), "a call");
    assert_eq!(abstracted("x := spawn main();", terms).unwrap_err(), "the start of a thread");
    assert_eq!(abstracted("atomic begin;", terms).unwrap_err(), "an atomic section");
    assert_eq!(abstracted("lock p;", terms).unwrap_err(), "a lock");
}

#[test]
fn named_inputs_give_the_same_terms_again() {
    let terms = &mut Terms::new();
    let block = "havoc c; havoc x; assume x > y; c := c + i8[p];";
    let named = |terms: &mut Terms, prefix: &str| abstracted(block, terms).unwrap().0.with_inputs_named(terms, prefix);
    let first = named(terms, "e1");
    assert_eq!(first, named(terms, "e1"));
    assert_eq!(first, first.with_inputs_named(terms, "e1"));
    assert_ne!(first, named(terms, "e2"));
    let symbols = first.inputs.iter().map(|i| i.symbol).chain(first.unmodelled.iter().map(|u| u.symbol));
    assert_eq!(symbols.map(|s| terms.name(s)).collect::<Vec<_>>(), ["e1!0", "e1!1", "e1!2"]);
    let other_sort = "havoc b; assume b;";
    let other = abstracted(other_sort, terms).unwrap().0.with_inputs_named(terms, "e1");
    assert_eq!(terms.name(other.inputs[0].symbol), "e1!0'");
}

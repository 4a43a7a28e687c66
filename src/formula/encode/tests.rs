//! Blocks as transitions.

use super::*;
use crate::program::text::parse;
use crate::program::{FileId, Id};

/// The program whose only edge has the block.
fn program(block: &str) -> Program {
    let text = format!(
        "global x: int global y: int global b: bool global c: i8 global p: ptr
        procedure main() {{ location a entry location z exit edge a -> z {{ {block} }} }}"
    );
    parse(&text, FileId::new(0)).unwrap()
}

fn edge(program: &Program, terms: &mut Terms) -> Result<Transition, Unsupported> {
    Encoder::new(program, terms).edge(terms, ProcId::new(0), EdgeId::new(0))
}

#[test]
fn statements_compose() {
    let program = program("x := x + 1; assume x < y; x, y := y, x; havoc b; assume b;");
    let terms = &mut Terms::new();
    let transition = edge(&program, terms).unwrap();
    let (x, y) = (terms.var("x", Sort::Int), terms.var("y", Sort::Int));
    let one = terms.int(1);
    let more = terms.add(x, one);
    let less = terms.lt(more, y);
    let [input] = transition.inputs[..] else { panic!("{transition:?}") };
    let symbol = |terms: &mut Terms, name, sort| {
        let term = terms.var(name, sort);
        terms.as_symbol(term).unwrap()
    };
    let value = terms.of_symbol(input.symbol);
    assert_eq!(transition.guard, terms.and([less, value]));
    let (sx, sy, sb) = (symbol(terms, "x", Sort::Int), symbol(terms, "y", Sort::Int), symbol(terms, "b", Sort::Bool));
    assert_eq!(transition.updates, [(sx, y), (sy, more), (sb, value)]);
    let post = terms.le(x, y);
    let pre = transition.pre(terms, post);
    let expected = terms.le(y, more);
    assert_eq!(pre, terms.and([transition.guard, expected]));
    let wp = transition.wp(terms, post);
    assert_eq!(wp, terms.implies(transition.guard, expected));
}

#[test]
fn an_update_to_itself_is_none() {
    let program = program("x := y; havoc x; x, y := y, y; x, y := y, y;");
    let terms = &mut Terms::new();
    let transition = edge(&program, terms).unwrap();
    assert_eq!(transition.updates.len(), 1);
    assert_eq!(transition.inputs.len(), 1);
}

#[test]
fn transitions_compose_as_blocks_do() {
    let (first, second) = ("x := x + y; assume b;", "y := x - 1; assume y > 3; b := x < y;");
    let terms = &mut Terms::new();
    let one = edge(&program(first), terms).unwrap();
    let other = edge(&program(second), terms).unwrap();
    let both = edge(&program(&format!("{first} {second}")), terms).unwrap();
    assert_eq!(one.then(terms, &other), both);
    let identity = Transition::identity(terms);
    assert_eq!(identity.then(terms, &both).updates, both.updates);
}

#[test]
fn fresh_inputs_are_other_symbols() {
    let program = program("havoc x; assume x > y; havoc x;");
    let terms = &mut Terms::new();
    let transition = edge(&program, terms).unwrap();
    let again = transition.with_fresh_inputs(terms);
    let symbols = |t: &Transition| t.inputs.iter().map(|i| i.symbol).collect::<Vec<_>>();
    assert!(symbols(&again).iter().all(|s| !symbols(&transition).contains(s)));
    assert_eq!(terms.as_symbol(again.updates[0].1), Some(again.inputs[1].symbol));
    assert_ne!(again.guard, transition.guard);
}

#[test]
fn symbols_are_unique_and_stable() {
    let text = "global x: int global `f::x`: int global p: ptr
        procedure main() { location a entry exit }
        procedure f() { local x: bool location a entry exit }";
    let program = parse(text, FileId::new(0)).unwrap();
    let terms = &mut Terms::new();
    let encoder = Encoder::new(&program, terms);
    let names: Vec<Option<&str>> = program.variables.ids().map(|v| encoder.symbol(v).map(|s| terms.name(s))).collect();
    assert_eq!(names, [Some("x"), Some("f::x"), None, Some("f::x'")]);
    let first = encoder.symbols;
    assert_eq!(Encoder::new(&program, terms).symbols, first);
    let symbol = first[VarId::new(3)].unwrap();
    assert_eq!(Encoder::new(&program, terms).variable(symbol), Some(VarId::new(3)));
}

#[test]
fn what_is_not_supported_is_named() {
    let construct = |block: &str| edge(&program(block), &mut Terms::new()).unwrap_err().construct;
    assert_eq!(construct("call main();"), "a call");
    assert_eq!(construct("havoc p;"), "a pointer");
    assert_eq!(construct("p := null;"), "a pointer");
    assert_eq!(construct("assume i8[p] == c;"), "a read of memory");
    assert_eq!(construct("[p] := c;"), "a write to memory");
    assert_eq!(construct("p := allocate(heap, 1i64);"), "an allocation");
    assert_eq!(construct("x := spawn main();"), "the start of a thread");
    assert_eq!(construct("assume is_live(p);"), "a pointer");
    assert_eq!(construct("atomic begin;"), "an atomic section");
}

#[test]
fn init_reads_what_it_has_written() {
    let encoded = |init: &str| {
        let text =
            format!("global x: int global y: int init {{ {init} }} procedure main() {{ location a entry exit }}");
        let program = parse(&text, FileId::new(0)).unwrap();
        let terms = &mut Terms::new();
        Encoder::new(&program, terms).init(terms)
    };
    assert_eq!(encoded("havoc x; y := x; assume x > y;").unwrap().updates.len(), 2);
    assert!(encoded("y := x;").is_err());
    assert!(encoded("x, y := 1, x;").is_err());
}

mod integers;
mod unmodelled;

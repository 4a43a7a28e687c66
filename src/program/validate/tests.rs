//! One test per rule: a small valid program broken in exactly that way.

use super::*;
use crate::program::{
    BinaryOp, Edge, ErrorKind, Expr, Failure, FloatKind, Location, OFFSET, Piece, Procedure, Region, Role, SourceFile,
    Type, UnaryOp, Variable,
};
use crate::program::{FileId, Id, Rules};
use crate::term::Integer;

const X: usize = 0;
const B: usize = 1;
const P: usize = 2;
const A: usize = 3;
const M: usize = 4;

fn v(index: usize) -> VarId {
    VarId::new(index)
}

fn var(index: usize) -> Expr {
    Expr::Var(v(index))
}

fn u8_literal(value: i64) -> Expr {
    Expr::Int(value.into(), Type::machine(8, false))
}

fn edge(source: usize, target: usize, block: Vec<Statement>) -> Edge {
    Edge { source: LocId::new(source), target: LocId::new(target), label: None, block, span: None, places: Vec::new() }
}

fn procedure(name: &str, edges: Vec<Edge>) -> Procedure {
    let failure = Failure { kind: ErrorKind::Assertion, message: "no".into() };
    let error = Location { error: Some(failure), ..Location::default() };
    Procedure {
        name: name.into(),
        parameters: vec![],
        result: None,
        locations: [Location::default(), Location::default(), error].into_iter().collect(),
        edges: edges.into_iter().collect(),
        entry: LocId::new(0),
        exit: LocId::new(1),
        span: None,
    }
}

/// Globals `x: int`, `b: u8`, `p: ptr`; `main`, with the local `m: int`, calls `f(a: u8) -> a`.
fn base() -> Program {
    let main = ProcId::new(0);
    let callee = ProcId::new(1);
    let variable = |name: &str, ty, scope| Variable { name: name.into(), ty, scope, role: Role::Data, span: None };
    let variables = [
        variable("x", Type::Int, Scope::Global),
        variable("b", Type::machine(8, false), Scope::Global),
        variable("p", Type::Pointer, Scope::Global),
        variable("a", Type::machine(8, false), Scope::Local(callee)),
        variable("m", Type::Int, Scope::Local(main)),
    ];
    let call = Statement::Call { target: Some(v(B)), callee, arguments: vec![var(B)] };
    let wait = Statement::Wait { condition: var(P), lock: var(P) };
    let edges = vec![edge(0, 0, vec![call]), edge(0, 1, vec![]), edge(0, 2, vec![wait])];
    let f = Procedure { parameters: vec![v(A)], result: Some(v(A)), ..procedure("f", vec![edge(0, 1, vec![])]) };
    Program {
        name: "base".into(),
        sources: [SourceFile { name: "s".into(), text: "é".into() }].into_iter().collect(),
        variables: variables.into_iter().collect(),
        init: vec![Statement::Assign(vec![(v(X), Expr::int(0))])],
        procedures: [procedure("main", edges), f].into_iter().collect(),
        main,
        pointer_bytes: 8,
        header_bytes: 0,
        main_ends_all: true,
        rules: Rules::Language,
        classes: Vec::new(),
        shapes: Default::default(),
        assumptions: Vec::new(),
        remarks: Vec::new(),
    }
}

fn main_of(program: &mut Program) -> &mut Procedure {
    &mut program.procedures[ProcId::new(0)]
}

#[track_caller]
fn breaks(rule: Rule, change: impl FnOnce(&mut Program)) {
    assert_eq!(validate(&base()), Ok(()));
    let mut program = base();
    change(&mut program);
    let problems = validate(&program).expect_err("the rule is broken");
    assert_eq!(problems.iter().map(|p| p.rule).collect::<Vec<_>>(), [rule], "{problems:?}");
    assert!(!problems[0].to_string().is_empty());
}

/// Breaks the rule by one more edge with the statement.
#[track_caller]
fn statement_breaks(rule: Rule, statement: Statement) {
    breaks(rule, |p| {
        main_of(p).edges.push(edge(0, 1, vec![statement]));
    });
}

#[track_caller]
fn expr_breaks(rule: Rule, expr: Expr) {
    statement_breaks(rule, Statement::Assume(expr));
}

#[test]
fn pointer_size() {
    breaks(Rule::PointerSize, |p| p.pointer_bytes = 2);
}

#[test]
fn main_exists_without_parameters() {
    breaks(Rule::Main, |p| p.main = ProcId::new(7));
    breaks(Rule::Main, |p| p.main = ProcId::new(1));
}

#[test]
fn names() {
    breaks(Rule::Names, |p| p.variables[v(X)].name.clear());
    breaks(Rule::Names, |p| p.variables[v(X)].name = "b".into());
    breaks(Rule::Names, |p| main_of(p).name = "f".into());
    breaks(Rule::Names, |p| main_of(p).name.clear());
    let mut shadowing = base();
    shadowing.variables[v(M)].name = "x".into();
    assert_eq!(validate(&shadowing), Ok(()));
}

#[test]
fn widths() {
    for width in [0, 129] {
        let ty = Type::machine(width, true);
        breaks(Rule::Width, |p| {
            let variable = Variable { name: "w".into(), ty, ..p.variables[v(X)].clone() };
            p.variables.push(variable);
        });
        expr_breaks(Rule::Width, Expr::Cast(ty, Box::new(var(X))));
        expr_breaks(Rule::Width, Expr::Load(ty, Box::new(var(P))));
        expr_breaks(Rule::Width, Expr::Int(Integer::ZERO, ty));
    }
}

#[test]
fn ids_in_range() {
    breaks(Rule::Range, |p| {
        let scope = Scope::Local(ProcId::new(9));
        let variable = Variable { name: "w".into(), scope, ..p.variables[v(X)].clone() };
        p.variables.push(variable);
    });
    breaks(Rule::Range, |p| main_of(p).result = Some(v(99)));
    breaks(Rule::Range, |p| main_of(p).entry = LocId::new(9));
    breaks(Rule::Range, |p| main_of(p).exit = LocId::new(9));
    breaks(Rule::Range, |p| main_of(p).edges[EdgeId::new(1)].source = LocId::new(9));
    breaks(Rule::Range, |p| main_of(p).edges[EdgeId::new(1)].target = LocId::new(9));
    expr_breaks(Rule::Range, var(99));
    expr_breaks(Rule::Range, Expr::unary(UnaryOp::IsLive, Expr::Function(ProcId::new(9))));
    let unknown = ProcId::new(9);
    statement_breaks(Rule::Range, Statement::Call { target: None, callee: unknown, arguments: vec![] });
}

#[test]
fn parameters_and_result_are_own_locals() {
    breaks(Rule::Parameters, |p| p.procedures[ProcId::new(1)].parameters = vec![v(B)]);
    breaks(Rule::Parameters, |p| {
        main_of(p).edges[EdgeId::new(0)].block.clear();
        p.procedures[ProcId::new(1)].parameters = vec![v(A), v(A)];
    });
    breaks(Rule::Result, |p| main_of(p).result = Some(v(X)));
}

#[test]
fn nothing_leaves_exit_or_error() {
    breaks(Rule::Leaving, |p| {
        main_of(p).edges.push(edge(1, 0, vec![]));
    });
    breaks(Rule::Leaving, |p| {
        main_of(p).edges.push(edge(2, 0, vec![]));
    });
    breaks(Rule::ExitError, |p| main_of(p).exit = LocId::new(2));
}

#[test]
fn scopes() {
    expr_breaks(Rule::Scope, Expr::binary(BinaryOp::Eq, var(A), var(B)));
    statement_breaks(Rule::Scope, Statement::Havoc { target: v(A), span: None });
    breaks(Rule::Scope, |p| p.init.push(Statement::Havoc { target: v(M), span: None }));
}

#[test]
fn init_is_simple() {
    let zero = || Expr::Int(Integer::ZERO, OFFSET);
    for statement in [
        Statement::Call { target: None, callee: ProcId::new(0), arguments: vec![] },
        Statement::Spawn { target: None, callee: ProcId::new(0), arguments: vec![] },
        Statement::Join(var(X)),
        Statement::Lock { lock: var(P), reentrant: false },
        Statement::Unlock(var(P)),
        Statement::Wait { condition: var(P), lock: var(P) },
        Statement::Notify { condition: var(P), all: true },
        Statement::AtomicBegin,
        Statement::AtomicEnd,
        Statement::Allocate { target: v(P), size: zero(), region: Region::Stack, zeroed: true },
    ] {
        breaks(Rule::Init, |p| p.init.push(statement));
    }
}

#[test]
fn operands() {
    use BinaryOp::*;
    for (op, a, b) in [
        (Add, var(X), var(B)),
        (Sub, var(P), var(P)),
        (Div, var(X), var(X)),
        (Shl, var(X), var(X)),
        (Lt, Expr::Bool(true), Expr::Bool(true)),
        (Eq, var(X), var(B)),
        (Implies, var(X), var(X)),
        (PointerAdd, var(P), var(X)),
        (SameObject, var(P), var(X)),
    ] {
        expr_breaks(Rule::Operands, Expr::binary(op, a, b));
    }
    for (op, a) in [
        (UnaryOp::Not, var(X)),
        (UnaryOp::Neg, var(P)),
        (UnaryOp::BitNot, var(X)),
        (UnaryOp::Offset, var(X)),
        (UnaryOp::ObjectSize, var(B)),
        (UnaryOp::IsLive, var(B)),
        (UnaryOp::HoldsLock, var(B)),
        (UnaryOp::IsNan, var(B)),
        (UnaryOp::SignBit, var(X)),
    ] {
        expr_breaks(Rule::Operands, Expr::unary(op, a));
    }
    let ite = |c, a, b| Expr::binary(Eq, Expr::Ite(Box::new(c), Box::new(a), Box::new(b)), Expr::int(1));
    expr_breaks(Rule::Operands, ite(var(X), var(X), var(X)));
    expr_breaks(Rule::Operands, ite(Expr::Bool(true), var(X), var(B)));
    expr_breaks(Rule::Operands, Expr::And(vec![var(X)]));
    expr_breaks(Rule::Operands, Expr::Or(vec![Expr::Bool(true), var(P)]));
    expr_breaks(Rule::Operands, Expr::Cast(Type::Pointer, Box::new(var(X))));
    let float = Type::Float(FloatKind::F64);
    expr_breaks(Rule::Operands, Expr::Cast(Type::Pointer, Box::new(Expr::Float(0, FloatKind::F64))));
    expr_breaks(Rule::Operands, Expr::Cast(float, Box::new(var(P))));
    expr_breaks(Rule::Operands, Expr::Cast(float, Box::new(var(X))));
    expr_breaks(Rule::Operands, Expr::Cast(Type::Int, Box::new(Expr::Float(0, FloatKind::F64))));
    expr_breaks(Rule::Operands, Expr::binary(Rem, Expr::Float(0, FloatKind::F64), Expr::Float(0, FloatKind::F64)));
    expr_breaks(Rule::Operands, Expr::binary(Eq, Expr::Float(0, FloatKind::F32), Expr::Float(0, FloatKind::F64)));
    let copy = |bytes| Statement::Copy { target: var(P), source: var(P), bytes };
    statement_breaks(Rule::Operands, copy(var(X)));
    let zero = Expr::Int(Integer::ZERO, OFFSET);
    statement_breaks(Rule::Operands, Statement::Write { target: var(X), bytes: [1, 2].into() });
    statement_breaks(Rule::Operands, Statement::Fill { target: var(P), byte: zero.clone(), bytes: zero });
    for (expr, style) in [(var(X), "%x"), (var(P), "%d"), (var(B), "%s"), (var(B), "%f")] {
        let style = style.parse().expect("a style");
        statement_breaks(Rule::Operands, Statement::Output(vec![Piece::Value { expr, style }]));
    }
    expr_breaks(Rule::Operands, Expr::Cast(Type::Int, Box::new(var(P))));
    expr_breaks(Rule::Operands, Expr::Load(Type::Bool, Box::new(var(X))));
    expr_breaks(Rule::Operands, Expr::Int(Integer::ONE, Type::Bool));
    expr_breaks(Rule::Operands, var(X));
    statement_breaks(Rule::Operands, Statement::Join(var(P)));
    statement_breaks(Rule::Operands, Statement::Free(var(X)));
    statement_breaks(Rule::Operands, Statement::Unlock(var(X)));
    statement_breaks(Rule::Operands, Statement::Notify { condition: var(X), all: false });
    let size = var(X);
    statement_breaks(Rule::Operands, Statement::Allocate { target: v(P), size, region: Region::Heap, zeroed: false });
}

#[test]
fn literals() {
    expr_breaks(Rule::Literal, Expr::binary(BinaryOp::Eq, var(B), u8_literal(256)));
    expr_breaks(Rule::Literal, Expr::binary(BinaryOp::Eq, var(B), u8_literal(-1)));
    expr_breaks(Rule::Literal, Expr::unary(UnaryOp::IsNan, Expr::Float(1 << 32, FloatKind::F32)));
    let huge = Expr::int(Integer::power_of_two(MAX_LITERAL_BITS - 1));
    expr_breaks(Rule::Literal, Expr::binary(BinaryOp::Eq, var(X), huge));
}

#[test]
fn storable() {
    statement_breaks(Rule::Storable, Statement::Store { address: var(P), value: var(X) });
    expr_breaks(Rule::Storable, Expr::Load(Type::Int, Box::new(var(P))));
}

#[test]
fn depth() {
    let nested = |depth| (1..depth).fold(Expr::Bool(true), |e, _| Expr::unary(UnaryOp::Not, e));
    expr_breaks(Rule::Depth, nested(MAX_DEPTH + 1));
    let mut deepest = base();
    main_of(&mut deepest).edges.push(edge(0, 1, vec![Statement::Assume(nested(MAX_DEPTH))]));
    assert_eq!(validate(&deepest), Ok(()));
}

#[test]
fn assignments() {
    let twice = Statement::Assign(vec![(v(X), var(X)), (v(X), Expr::int(1))]);
    statement_breaks(Rule::AssignOnce, twice);
    statement_breaks(Rule::AssignType, Statement::Assign(vec![(v(X), var(B))]));
    let callee = ProcId::new(0);
    statement_breaks(Rule::AssignType, Statement::Spawn { target: Some(v(P)), callee, arguments: vec![] });
    let size = Expr::Int(Integer::ZERO, OFFSET);
    statement_breaks(Rule::AssignType, Statement::Allocate { target: v(X), size, region: Region::Heap, zeroed: false });
}

#[test]
fn calls() {
    let callee = ProcId::new(1);
    let call = |target, arguments| Statement::Call { target, callee, arguments };
    breaks(Rule::CallAlone, |p| {
        main_of(p).edges.push(edge(0, 1, vec![Statement::AtomicBegin, call(None, vec![var(B)])]));
    });
    statement_breaks(Rule::Arguments, call(None, vec![]));
    statement_breaks(Rule::Arguments, call(None, vec![var(X)]));
    statement_breaks(Rule::Arguments, call(Some(v(X)), vec![var(B)]));
    let no_result = Statement::Call { target: Some(v(X)), callee: ProcId::new(0), arguments: vec![] };
    statement_breaks(Rule::Arguments, no_result);
    statement_breaks(Rule::Arguments, Statement::Spawn { target: None, callee, arguments: vec![] });
}

#[test]
fn wait_is_last() {
    breaks(Rule::WaitLast, |p| {
        let wait = Statement::Wait { condition: var(P), lock: var(P) };
        main_of(p).edges.push(edge(0, 1, vec![wait, Statement::AtomicBegin]));
    });
}

#[test]
fn spans() {
    for (file, start, end) in [(1, 0, 0), (0, 0, 3), (0, 2, 0), (0, 0, 1)] {
        let span = Some(Span::new(FileId::new(file), start, end));
        breaks(Rule::Span, |p| p.variables[v(X)].span = span);
        breaks(Rule::Span, |p| main_of(p).span = span);
        breaks(Rule::Span, |p| main_of(p).locations[LocId::new(0)].span = span);
        breaks(Rule::Span, |p| main_of(p).edges[EdgeId::new(0)].span = span);
        statement_breaks(Rule::Span, Statement::Havoc { target: v(X), span });
    }
}

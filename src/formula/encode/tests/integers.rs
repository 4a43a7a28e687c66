//! Machine integers as mathematical integers: corners, and agreement with bit-vectors on all values of small types.

use super::*;
use crate::program::{BinaryOp, MachineInt, UnaryOp};
use crate::term::Random;
use crate::term::eval::{Assignment, Value, eval};

/// A program with two variables of each of the types.
fn variables(types: &[Type]) -> Program {
    let mut text = String::new();
    for (index, ty) in types.iter().enumerate() {
        text += &format!("global x{index}: {ty} global y{index}: {ty} ");
    }
    parse(&format!("{text} procedure main() {{ location a entry exit }}"), FileId::new(0)).unwrap()
}

fn signed(width: u32) -> Type {
    Type::machine(width, true)
}

fn unsigned(width: u32) -> Type {
    Type::machine(width, false)
}

fn literal(value: i64, ty: Type) -> Expr {
    Expr::Int(value.into(), ty)
}

/// All values of a type of few bits, or some of a wide one.
fn values(ty: Type) -> Vec<Integer> {
    let Type::Machine(machine) = ty else { return (-9..9).map(Integer::from).collect() };
    if machine.width <= 5 {
        let all = (0..1i64 << machine.width).map(Integer::from);
        return all.map(|n| &machine.min() + &n).collect();
    }
    let near = (-3..3).map(Integer::from);
    let all = near.flat_map(|n| [n.clone(), &machine.min() + &n, &machine.max() + &n, n.shift_left(machine.width / 2)]);
    all.map(|n| machine.wrap(&n)).collect()
}

/// Both terms of an expression and how to compare their values.
struct Pair<'p> {
    program: &'p Program,
    terms: Terms,
    encoders: [Encoder<'p>; 2],
}

impl<'p> Pair<'p> {
    fn new(program: &'p Program) -> Pair<'p> {
        let mut terms = Terms::new();
        let encoders = [Arithmetic::Bits, Arithmetic::Integers]
            .map(|arithmetic| Encoder::with_arithmetic(program, &mut terms, arithmetic));
        Pair { program, terms, encoders }
    }

    fn value(&self, number: &Integer, ty: Type, arithmetic: Arithmetic) -> Value {
        match (ty, arithmetic) {
            (Type::Machine(machine), Arithmetic::Bits) => {
                Value::BitVec(number.wrap_unsigned(machine.width), machine.width)
            }
            _ => Value::Int(number.clone()),
        }
    }

    /// The expression's value as a number, by each encoding, where the variables have those values.
    fn numbers(&self, encoded: [TermId; 2], ty: Type, given: &[(VarId, Integer)]) -> [Value; 2] {
        let of = |index: usize| {
            let encoder = &self.encoders[index];
            let pairs = given.iter().map(|(variable, number)| {
                let ty = self.program.variables[*variable].ty;
                (encoder.symbol(*variable).unwrap(), self.value(number, ty, encoder.arithmetic()))
            });
            let assignment: Assignment = pairs.collect();
            match (eval(&self.terms, encoded[index], &assignment), ty) {
                (Value::BitVec(bits, _), Type::Machine(machine)) => Value::Int(machine.wrap(&bits)),
                (other, _) => other,
            }
        };
        [of(0), of(1)]
    }

    /// The two encodings agree on all values of the first variables of the types.
    fn agree(&mut self, expr: &Expr) {
        let ty = expr.type_in(self.program);
        let [bits, integers] = &self.encoders;
        let encoded = [bits.expr(&mut self.terms, expr).unwrap(), integers.expr(&mut self.terms, expr).unwrap()];
        let mut used = Vec::new();
        expr.for_each_var(&mut |variable| {
            if !used.contains(&variable) {
                used.push(variable);
            }
        });
        let mut assignments = vec![Vec::new()];
        for variable in used {
            let with = |given: &Vec<(VarId, Integer)>| {
                let more = values(self.program.variables[variable].ty).into_iter();
                let given = given.clone();
                more.map(move |n| [given.clone(), vec![(variable, n)]].concat()).collect::<Vec<_>>()
            };
            assignments = assignments.iter().flat_map(with).collect();
        }
        // Of many, some spread over all.
        let every = (assignments.len() / 300).max(1);
        for given in assignments.iter().step_by(every) {
            let [bits, integers] = self.numbers(encoded, ty, given);
            assert_eq!(bits, integers, "{expr:?} where {given:?}");
            if let (Value::Int(n), Type::Machine(machine)) = (&integers, ty) {
                assert!(machine.min() <= *n && *n <= machine.max(), "{expr:?} where {given:?}");
            }
        }
    }
}

const OPERATORS: [BinaryOp; 16] = {
    use BinaryOp::*;
    [Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr, Eq, Ne, Lt, Le, Gt, Ge]
};

#[test]
fn operators_agree_with_bit_vectors_on_all_small_values() {
    for ty in [1, 2, 3, 4].into_iter().flat_map(|width| [signed(width), unsigned(width)]) {
        let program = variables(&[ty]);
        let mut pair = Pair::new(&program);
        let (x, y) = (Expr::Var(VarId::new(0)), Expr::Var(VarId::new(1)));
        for op in OPERATORS {
            pair.agree(&Expr::binary(op, x.clone(), y.clone()));
            pair.agree(&Expr::binary(op, x.clone(), x.clone()));
            for n in values(ty) {
                pair.agree(&Expr::binary(op, x.clone(), Expr::Int(n.clone(), ty)));
                pair.agree(&Expr::binary(op, Expr::Int(n, ty), x.clone()));
            }
        }
        for op in [UnaryOp::Neg, UnaryOp::BitNot] {
            pair.agree(&Expr::unary(op, x.clone()));
        }
    }
}

#[test]
fn operators_agree_with_bit_vectors_on_wide_types() {
    for ty in [8, 32, 33, 64, 128].into_iter().flat_map(|width| [signed(width), unsigned(width)]) {
        let program = variables(&[ty]);
        let mut pair = Pair::new(&program);
        let (x, y) = (Expr::Var(VarId::new(0)), Expr::Var(VarId::new(1)));
        for op in OPERATORS {
            pair.agree(&Expr::binary(op, x.clone(), y.clone()));
            for n in values(ty).into_iter().step_by(3) {
                pair.agree(&Expr::binary(op, x.clone(), Expr::Int(n, ty)));
            }
        }
    }
}

#[test]
fn casts_agree_with_bit_vectors() {
    let mut types: Vec<Type> = [1, 3, 4, 5, 8].into_iter().flat_map(|width| [signed(width), unsigned(width)]).collect();
    types.push(Type::Int);
    let program = variables(&types);
    let mut pair = Pair::new(&program);
    for (id, variable) in program.variables.enumerate().step_by(2) {
        for &to in types.iter().chain([&Type::Bool]) {
            let cast = Expr::Cast(to, Box::new(Expr::Var(id)));
            pair.agree(&cast);
            pair.agree(&Expr::Cast(variable.ty, Box::new(cast)));
        }
    }
    for to in types {
        let condition = Expr::binary(BinaryOp::Lt, Expr::Var(VarId::new(0)), Expr::Var(VarId::new(1)));
        pair.agree(&Expr::Cast(to, Box::new(condition)));
    }
}

/// A random expression over the program's variables.
fn random_expr(random: &mut Random, program: &Program, types: &[Type], ty: Type, depth: u32) -> Expr {
    let machine = match ty {
        Type::Machine(machine) => machine,
        _ => {
            let of = *random.choose(types);
            let (a, b) =
                (random_expr(random, program, types, of, depth), random_expr(random, program, types, of, depth));
            return Expr::binary(*random.choose(&OPERATORS[10..]), a, b);
        }
    };
    let Some(depth) = depth.checked_sub(1) else {
        let of_type: Vec<VarId> = program.variables.enumerate().filter(|(_, v)| v.ty == ty).map(|(id, _)| id).collect();
        return match random.below(3) {
            0 => Expr::Int(machine.wrap(&Integer::from(random.next_u64())), ty),
            _ => Expr::Var(*random.choose(&of_type)),
        };
    };
    let mut part = |ty: Type| Box::new(random_expr(random, program, types, ty, depth));
    let (a, b, c) = (part(ty), part(ty), part(Type::Bool));
    let other = {
        let from = *random.choose(types);
        Box::new(random_expr(random, program, types, from, depth))
    };
    match random.below(9) {
        0 => Expr::Ite(c, a, b),
        1 | 2 => Expr::Cast(ty, other),
        3 => Expr::Cast(ty, c),
        4 => Expr::unary(*random.choose(&[UnaryOp::Neg, UnaryOp::BitNot]), *a),
        5 | 6 => Expr::binary(*random.choose(&OPERATORS[..2]), *a, *b),
        _ => Expr::binary(*random.choose(&OPERATORS[..10]), *a, *b),
    }
}

#[test]
fn nested_expressions_agree_with_bit_vectors() {
    let random = &mut Random::new(7);
    let types = [signed(3), unsigned(3), unsigned(4), signed(2)];
    let program = variables(&types);
    for round in 0..200 {
        let ty = types[round % types.len()];
        let expr = random_expr(random, &program, &types, ty, 1 + round as u32 % 3);
        Pair::new(&program).agree(&expr);
    }
}

/// The term of an expression over `x` and `y` of the type.
fn term(ty: Type, expr: impl Fn(Expr, Expr) -> Expr) -> String {
    let program = variables(&[ty]);
    let terms = &mut Terms::new();
    let encoder = Encoder::with_arithmetic(&program, terms, Arithmetic::Integers);
    let expr = expr(Expr::Var(VarId::new(0)), Expr::Var(VarId::new(1)));
    let term = encoder.expr(terms, &expr).unwrap();
    crate::term::infix::infix(terms, term)
}

#[test]
fn constants_fold_at_the_corners() {
    use BinaryOp::*;
    let folded =
        |op: BinaryOp, a: i64, b: i64, ty: Type| term(ty, |_, _| Expr::binary(op, literal(a, ty), literal(b, ty)));
    assert_eq!(folded(Div, -128, -1, signed(8)), "-128");
    assert_eq!(folded(Rem, -128, -1, signed(8)), "0");
    assert_eq!(folded(Div, -7, 2, signed(8)), "-3");
    assert_eq!(folded(Rem, -7, 2, signed(8)), "-1");
    assert_eq!(folded(Div, 7, -2, signed(8)), "-3");
    assert_eq!(folded(Rem, 7, -2, signed(8)), "1");
    assert_eq!(folded(Div, 7, 0, signed(8)), "-1");
    assert_eq!(folded(Div, -7, 0, signed(8)), "1");
    assert_eq!(folded(Div, 7, 0, unsigned(8)), "255");
    assert_eq!(folded(Rem, 7, 0, unsigned(8)), "7");
    assert_eq!(folded(Add, 255, 1, unsigned(8)), "0");
    assert_eq!(folded(Sub, 0, 1, unsigned(8)), "255");
    assert_eq!(folded(Shl, 1, 8, unsigned(8)), "0");
    assert_eq!(folded(Shl, 1, 7, signed(8)), "-128");
    assert_eq!(folded(Shr, -3, 9, signed(8)), "-1");
    assert_eq!(folded(Shr, -3, 1, signed(8)), "-2");
    assert_eq!(folded(Shr, -3, -1, signed(8)), "-1");
    assert_eq!(folded(Shr, 200, 8, unsigned(8)), "0");
}

#[test]
fn what_cannot_wrap_is_left_alone() {
    use BinaryOp::*;
    let wide = |e: Expr| Expr::Cast(signed(64), Box::new(e));
    assert_eq!(term(signed(32), |x, y| Expr::binary(Add, wide(x), wide(y))), "x0 + y0");
    assert_eq!(term(unsigned(8), |x, _| Expr::binary(Ge, x, literal(0, unsigned(8)))), "true");
    assert_eq!(term(unsigned(8), |x, _| Expr::binary(BitAnd, x, literal(255, unsigned(8)))), "x0");
    assert_eq!(term(unsigned(8), |x, _| Expr::binary(Div, x, literal(4, unsigned(8)))), "x0 div 4");
}

#[test]
fn sums_are_corrected_once() {
    let ty = signed(32);
    let to_unsigned = |e: Expr| Expr::Cast(unsigned(32), Box::new(e));
    let sum = |x: Expr, y: Expr| Expr::binary(BinaryOp::Add, to_unsigned(x), to_unsigned(y));
    let direct = term(ty, |x, y| Expr::binary(BinaryOp::Add, x, y));
    assert_eq!(term(ty, |x, y| Expr::Cast(ty, Box::new(sum(x, y)))), direct);
    let one = |e: Expr| Expr::binary(BinaryOp::Add, e, literal(1, ty));
    let two = |e: Expr| Expr::binary(BinaryOp::Add, e, literal(2, ty));
    assert_eq!(term(ty, |x, _| one(one(x))), term(ty, |x, _| two(x)));
}

#[test]
fn ranges_are_those_of_the_types() {
    let text = "global c: i8 global n: int global b: bool
        procedure main() { location a entry location z exit edge a -> z { havoc c; havoc n; } }";
    let program = parse(text, FileId::new(0)).unwrap();
    let terms = &mut Terms::new();
    for arithmetic in [Arithmetic::Bits, Arithmetic::Integers] {
        let encoder = Encoder::with_arithmetic(&program, terms, arithmetic);
        let transition = encoder.edge(terms, ProcId::new(0), EdgeId::new(0)).unwrap();
        let ranges: Vec<bool> = program
            .variables
            .ids()
            .map(|variable| encoder.in_range(terms, encoder.symbol(variable).unwrap()).is_some())
            .collect();
        let inputs: Vec<bool> = transition.inputs.iter().map(|i| encoder.input_in_range(terms, i).is_some()).collect();
        let has = arithmetic == Arithmetic::Integers;
        assert_eq!(ranges, [has, false, false]);
        assert_eq!(inputs, [has, false]);
    }
    let encoder = Encoder::with_arithmetic(&program, terms, Arithmetic::Integers);
    let symbol = encoder.symbol(VarId::new(0)).unwrap();
    let range = encoder.in_range(terms, symbol).unwrap();
    for (n, inside) in [(-129, false), (-128, true), (127, true), (128, false)] {
        let assignment = Assignment::from_iter([(symbol, Value::Int(n.into()))]);
        assert_eq!(eval(terms, range, &assignment), Value::Bool(inside));
    }
}

#[test]
fn programs_suit_integers_where_they_are_linear() {
    let suits = |block: &str| {
        let text = format!(
            "global x: i32 global y: i32 global b: bool global f: f64
            procedure main() {{ location a entry location z exit edge a -> z {{ call g(x); }} }}
            procedure g(v) {{ local v: i32 location a entry location z exit edge a -> z {{ {block} }} }}
            procedure h() {{ location a entry location z exit edge a -> z {{ x := x ^ y; }} }}"
        );
        integer_encoding(&parse(&text, FileId::new(0)).unwrap())
    };
    assert_eq!(suits("x := x + y * 3i32; y := x / 5i32; x := y % -3i32; assume x < y;"), IntegerEncoding::Exact);
    assert_eq!(
        suits("x := x & 255i32; y := x << 3i32; x := y >> 2i32; x := x | 1i32; x := ~x;"),
        IntegerEncoding::Exact
    );
    assert_eq!(suits("x := i32(b) & i32(x < y); y := y * i32(b);"), IntegerEncoding::Exact);
    assert_eq!(suits("x := 7i32; y := y * x;"), IntegerEncoding::Exact);
    assert_eq!(suits("f := -f; havoc f; assume f > f; f := f64(b); b := is_nan(f);"), IntegerEncoding::Exact);
    assert_eq!(suits("f := f * f;"), IntegerEncoding::Exact);
    assert_eq!(suits("f := f * f; assume f < f64\"1.0\";"), IntegerEncoding::ExceptFloats);
    assert_eq!(suits("x := i32(f);"), IntegerEncoding::ExceptFloats);
    assert_eq!(suits("f := f64(x); assume f < f64\"1.0\";"), IntegerEncoding::ExceptFloats);
    assert_eq!(suits("b := i64(x) * i64(y) >= 0i64;"), IntegerEncoding::Exact);
    assert_eq!(suits("x := x * y;"), IntegerEncoding::ExceptProducts);
    assert_eq!(suits("x := x * y; y := x / y;"), IntegerEncoding::Unsuitable);
    assert_eq!(suits("x := x / y;"), IntegerEncoding::Unsuitable);
    assert_eq!(suits("x := x % y;"), IntegerEncoding::Unsuitable);
    assert_eq!(suits("x := x ^ y;"), IntegerEncoding::Unsuitable);
    assert_eq!(suits("x := x << y;"), IntegerEncoding::Unsuitable);
    assert_eq!(suits("call g(x * y);"), IntegerEncoding::ExceptProducts);
}

#[test]
fn a_machine_integer_is_never_out_of_range_for_its_type() {
    let machine = MachineInt { width: 8, signed: false };
    let program = variables(&[Type::Machine(machine)]);
    let terms = &mut Terms::new();
    let encoder = Encoder::with_arithmetic(&program, terms, Arithmetic::Integers);
    assert_eq!(encoder.arithmetic(), Arithmetic::Integers);
    let symbol = encoder.symbol(VarId::new(0)).unwrap();
    assert_eq!(terms.symbol_sort(symbol), Sort::Int);
    let sum = Expr::binary(BinaryOp::Add, Expr::Var(VarId::new(0)), literal(1, Type::Machine(machine)));
    let sum = encoder.expr(terms, &sum).unwrap();
    for (before, after) in [(0, 1), (254, 255), (255, 0)] {
        let assignment = Assignment::from_iter([(symbol, Value::Int(before.into()))]);
        assert_eq!(eval(terms, sum, &assignment), Value::Int(after.into()));
    }
}

//! The laws of abstractions and operators: exhaustively for narrow types, at random for wide ones.

use super::integers::{IntegerSet, binary, cast, compare, unary};
use super::progression::Progression;
use super::{Kind, Meaning, Spec};
use crate::concrete::Value;
use crate::concrete::eval::reference;
use crate::program::{BinaryOp, FloatKind, MachineInt, Type, UnaryOp};
use crate::term::{Integer, Random};

const SPECS: [&str; 9] = [
    "signs",
    "evenness",
    "interval(-2,3)",
    "interval(0,5)",
    "range(-1,2)",
    "points(0,3)",
    "interval(0,4)+evenness",
    "signs+evenness",
    "signs+range(2,5)+evenness",
];

fn narrow() -> impl Iterator<Item = MachineInt> {
    (3..=5).flat_map(|width| [true, false].map(|signed| MachineInt { width, signed }))
}

fn values(machine: MachineInt) -> Vec<Integer> {
    let (low, high) = (machine.min().to_i64().expect("narrow"), machine.max().to_i64().expect("narrow"));
    (low..=high).map(Integer::from).collect()
}

fn set(kind: &Kind) -> &IntegerSet {
    match &kind.meaning {
        Meaning::Integers(set) => set,
        Meaning::Floats(_) => panic!("integers have integers as tokens"),
    }
}

fn members(set: &[Progression], all: &[Integer]) -> Vec<Integer> {
    all.iter().filter(|n| set.iter().any(|part| part.contains(n))).cloned().collect()
}

/// The tokens that a set of results meets.
fn tokens(kinds: &[Kind], results: &IntegerSet) -> Vec<String> {
    let meets = |kind: &&Kind| !kind.meaning.meet(&Meaning::Integers(results.clone())).is_empty();
    kinds.iter().filter(meets).map(|kind| kind.name.clone()).collect()
}

/// The tokens that have a result.
fn best(kinds: &[Kind], results: &[Integer]) -> Vec<String> {
    let has = |kind: &&Kind| results.iter().any(|n| kind.meaning.contains(&Value::Int(n.clone())));
    kinds.iter().filter(has).map(|kind| kind.name.clone()).collect()
}

#[test]
fn every_value_has_one_token() {
    for spec in SPECS {
        let spec = Spec::parse(spec).expect("an abstraction");
        for machine in narrow() {
            let kinds = spec.tokens(Type::Machine(machine));
            for n in values(machine) {
                let holding = kinds.iter().filter(|kind| kind.meaning.contains(&Value::Int(n.clone()))).count();
                assert_eq!(holding, 1, "{n} of {machine} in {}", spec.name());
            }
            assert!(kinds.iter().all(|kind| !members(set(kind), &values(machine)).is_empty()), "{}", spec.name());
        }
    }
}

#[test]
fn operators_are_as_precise_as_tokens_allow() {
    use BinaryOp::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
    for machine in narrow() {
        let all = values(machine);
        for spec in SPECS {
            let kinds = Spec::parse(spec).expect("an abstraction").tokens(Type::Machine(machine));
            let choices: Vec<&IntegerSet> = kinds.iter().map(set).collect();
            // The other operand is a token or a number.
            let numbers = all.iter().map(|n| vec![Progression::single(n.clone())]);
            let others: Vec<IntegerSet> = kinds.iter().map(|kind| set(kind).clone()).chain(numbers).collect();
            for (a, b) in kinds.iter().map(set).flat_map(|a| others.iter().map(move |b| (a, b))) {
                for (a, b) in [(a, b), (b, a)] {
                    let (xs, ys) = (members(a, &all), members(b, &all));
                    for op in [Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr] {
                        let pairs = xs.iter().flat_map(|x| ys.iter().map(move |y| (x, y)));
                        let exact: Vec<Integer> = pairs.map(|(x, y)| reference(op, machine, x, y)).collect();
                        let found = tokens(&kinds, &binary(op, Some(machine), a, b, &choices));
                        assert_eq!(found, best(&kinds, &exact), "{op:?} of {a:?} and {b:?} as {machine}, {spec}");
                    }
                    compares_exactly((a, &xs), (b, &ys));
                }
            }
        }
    }
}

fn compares_exactly((a, xs): (&IntegerSet, &[Integer]), (b, ys): (&IntegerSet, &[Integer])) {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    for op in [Eq, Ne, Lt, Le, Gt, Ge] {
        let any =
            |wanted: bool| xs.iter().any(|x| ys.iter().any(|y| crate::concrete::eval::compare(op, x, y) == wanted));
        assert_eq!(compare(op, a, b), (any(true), any(false)), "{op:?} of {a:?} and {b:?}");
    }
}

#[test]
fn casts_are_exact() {
    for from in narrow() {
        for spec in SPECS {
            let spec = Spec::parse(spec).expect("an abstraction");
            for kind in spec.tokens(Type::Machine(from)) {
                let xs = members(set(&kind), &values(from));
                for to in narrow() {
                    let kinds = spec.tokens(Type::Machine(to));
                    let exact: Vec<Integer> = xs.iter().map(|x| to.wrap(x)).collect();
                    assert_eq!(tokens(&kinds, &cast(Some(to), set(&kind))), best(&kinds, &exact));
                }
                let kinds = spec.tokens(Type::Machine(from));
                let negated: Vec<Integer> = xs.iter().map(|x| from.wrap(&-x.clone())).collect();
                assert_eq!(tokens(&kinds, &unary(UnaryOp::Neg, Some(from), set(&kind))), best(&kinds, &negated));
                let inverted: Vec<Integer> = xs.iter().map(|x| from.wrap(&!x)).collect();
                assert_eq!(tokens(&kinds, &unary(UnaryOp::BitNot, Some(from), set(&kind))), best(&kinds, &inverted));
            }
        }
    }
}

/// A member of a token, at random.
fn sample(set: &IntegerSet, random: &mut Random) -> Integer {
    let part = &set[random.below(set.len())];
    let near = |n: &Integer, steps: i64| n + &(&Integer::from(steps) * part.step());
    let step = match random.below(3) {
        0 => 0,
        1 => random.below(8) as i64,
        _ => (random.next_u64() >> (2 + random.below(60))) as i64,
    };
    let found = match (part.low(), part.high()) {
        (Some(low), _) if random.below(2) == 0 => near(low, step),
        (_, Some(high)) => near(high, -step),
        (Some(low), None) => near(low, step),
        (None, None) => near(part.rest(), if random.below(2) == 0 { step } else { -step }),
    };
    if part.contains(&found) { found } else { part.low().or(part.high()).unwrap_or(part.rest()).clone() }
}

#[test]
fn wide_operators_are_sound() {
    use BinaryOp::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
    let mut random = Random::new(17);
    let types: Vec<MachineInt> = [8, 16, 32, 64, 128]
        .iter()
        .flat_map(|w| [true, false].map(|signed| MachineInt { width: *w, signed }))
        .collect();
    let ops = [Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr];
    for _ in 0..20_000 {
        let machine = types[random.below(types.len())];
        let spec = SPECS[random.below(SPECS.len())];
        let op = ops[random.below(ops.len())];
        let kinds = Spec::parse(spec).expect("an abstraction").tokens(Type::Machine(machine));
        let choices: Vec<&IntegerSet> = kinds.iter().map(set).collect();
        let (a, b) = (choices[random.below(choices.len())], choices[random.below(choices.len())]);
        let (x, y) = (sample(a, &mut random), sample(b, &mut random));
        let b = if random.below(2) == 0 { b.clone() } else { vec![Progression::single(y.clone())] };
        let result = reference(op, machine, &x, &y);
        let found = binary(op, Some(machine), a, &b, &choices);
        let holds = found.iter().any(|part| part.contains(&result));
        assert!(holds, "{x} {op:?} {y} = {result} of {machine} is not in {found:?}, {spec}");
    }
}

#[test]
fn floating_point_operators_are_sound() {
    let numbers = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        3.0,
        10.0,
        10.5,
        -7.25,
        f64::MAX,
        f64::MIN,
        5e-324,
        -5e-324,
        1e-300,
        1e300,
        1e-40,
        3e38,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        0.1,
        2147483647.0,
        1.0000001,
    ];
    for spec in ["signs", "interval(0,10)", "interval(0.1,0.3)", "points(-1,0,2.5)", "signs+interval(-1,10)"] {
        let spec = Spec::parse(spec).expect("an abstraction");
        for kind in [FloatKind::F32, FloatKind::F64] {
            let kinds = spec.tokens(Type::Float(kind));
            let floats = |kind: &Kind| match &kind.meaning {
                Meaning::Floats(set) => set.clone(),
                Meaning::Integers(_) => panic!("floating-point numbers have no integers as tokens"),
            };
            let bits: Vec<u64> = numbers.iter().map(|x| kind.of_f64(*x)).collect();
            let token = |bits: u64| {
                let mut all = kinds.iter().filter(|token| token.meaning.contains(&Value::Float(bits, kind)));
                let first =
                    all.next().unwrap_or_else(|| panic!("{} has no token of {}", kind.print(bits), spec.name()));
                assert!(all.next().is_none(), "{} has two tokens of {}", kind.print(bits), spec.name());
                floats(first)
            };
            for (a, b) in bits.iter().flat_map(|a| bits.iter().map(move |b| (*a, *b))) {
                for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div] {
                    let result = kind.to_f64(kind.arithmetic(op, a, b));
                    let found = token(a).arithmetic(op, kind, &token(b));
                    assert!(found.contains(result), "{op:?} of {} and {}", kind.print(a), kind.print(b));
                }
                for op in [BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge] {
                    let (can_hold, can_fail) = token(a).compare(op, &token(b));
                    assert!(if kind.compare(op, a, b) { can_hold } else { can_fail }, "{op:?}");
                }
                assert!(token(a).negated().contains(-kind.to_f64(a)) || kind.is_nan(a));
            }
        }
    }
}

#[test]
fn words_that_are_no_abstraction_are_told() {
    for text in ["sign", "interval(3)", "interval(5,2)", "range(0,100000)", "interval(0,x)", "range(0.5,2)", "signs("] {
        assert!(Spec::parse(text).is_err(), "{text}");
    }
    assert_eq!(Spec::parse("signs+evenness").map(Spec::name), Spec::parse("evenness + signs").map(Spec::name));
    assert!(!Spec::parse("evenness").expect("an abstraction").unfit(Type::Float(FloatKind::F64)).is_empty());
}

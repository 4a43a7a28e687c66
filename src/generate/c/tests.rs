//! Tests of the random programs that need no compiler: what is known of values is right, and every feature occurs.

use super::scalar::{Model, PerModel, Range, Scalar, common};
use super::value::{Binary, Expression, Level, View};
use super::{Config, program};
use crate::frontend::c::{DataModel, read};
use crate::program::{SourceFile, SourceFiles};
use crate::term::Random;

#[test]
fn a_seed_repeats_a_program() {
    let of = |seed| program(seed, &Config::of_seed(seed));
    assert_eq!(of(7), of(7));
    assert_ne!(of(7), of(8));
}

/// A random number, often at the ends of the range.
fn value_in(random: &mut Random, range: Range) -> i128 {
    let inner = range.least + (random.next_u64() as i128).rem_euclid(range.most - range.least + 1);
    *random.choose(&[range.least, range.most, inner, 0.clamp(range.least, range.most)])
}

fn random_view(random: &mut Random, model: Model) -> View {
    let scalar = *random.choose(&Scalar::ALL);
    let whole = scalar.range(model);
    let small = Range::new(whole.least.max(-40), whole.most.min(40));
    let around = if random.percent(50) { whole } else { small };
    let (one, other) = (value_in(random, around), value_in(random, around));
    View { scalar, range: Range::new(one.min(other), one.max(other)) }
}

/// The value converted to the type, as gcc does it.
fn converted(value: i128, scalar: Scalar, model: Model) -> i128 {
    if scalar == Scalar::Bool {
        return i128::from(value != 0);
    }
    let whole = scalar.range(model);
    whole.least + (value - whole.least).rem_euclid(1 << scalar.bits(model))
}

/// What C's operator gives for two values; none where that is undefined.
fn computed(operator: Binary, left: (i128, Scalar), right: (i128, Scalar), model: Model) -> Option<(i128, Scalar)> {
    let shifts = matches!(operator, Binary::Shl | Binary::Shr);
    let scalar = if shifts { left.1.promoted() } else { common(left.1, right.1, model) };
    let a = converted(left.0, scalar, model);
    let b = if shifts { right.0 } else { converted(right.0, scalar, model) };
    if shifts && !(0..i128::from(scalar.bits(model))).contains(&b) {
        return None;
    }
    let exact = match operator {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        // The product of two 64-bit numbers has at most 128 bits, of which only the lower ones count.
        Binary::Mul if !scalar.is_signed() => (a as u128).wrapping_mul(b as u128) as i128 & u64::MAX as i128,
        Binary::Mul => a * b,
        Binary::Div => a.checked_div(b)?,
        Binary::Rem if a == scalar.range(model).least && a < 0 && b == -1 => return None,
        Binary::Rem => a.checked_rem(b)?,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl if a < 0 => return None,
        Binary::Shl => a << b,
        Binary::Shr => a >> b,
    };
    let overflows = scalar.is_signed() && !scalar.range(model).contains(exact);
    (!overflows).then(|| (converted(exact, scalar, model), scalar))
}

#[test]
fn what_is_known_of_an_operator_holds_for_values() {
    let mut random = Random::new(1);
    let mut defined = 0;
    for _ in 0..300_000 {
        let model = *random.choose(&Model::ALL);
        let operator = *random.choose(&Binary::ALL);
        let (left, right) = (random_view(&mut random, model), random_view(&mut random, model));
        let Some(result) = View::binary(operator, left, right, model) else { continue };
        defined += 1;
        let (a, b) = (value_in(&mut random, left.range), value_in(&mut random, right.range));
        let found = computed(operator, (a, left.scalar), (b, right.scalar), model);
        let fits = found.is_some_and(|(value, scalar)| scalar == result.scalar && result.range.contains(value));
        assert!(
            fits,
            "{a} {} {b} in {left:?}, {right:?}, {model:?}: {found:?} is not of {result:?}",
            operator.symbol()
        );
    }
    assert!(defined > 50_000, "{defined}");
}

#[test]
fn what_is_known_of_conversions_and_signs_holds_for_values() {
    let mut random = Random::new(2);
    for _ in 0..100_000 {
        let model = *random.choose(&Model::ALL);
        let view = random_view(&mut random, model);
        let value = value_in(&mut random, view.range);
        let scalar = *random.choose(&Scalar::ALL);
        assert!(
            view.convert(scalar, model).range.contains(converted(value, scalar, model)),
            "{view:?} {value} {scalar:?}"
        );
        let promoted = view.scalar.promoted();
        assert!(view.complement(model).range.contains(converted(!value, promoted, model)), "~{value} of {view:?}");
        if let Some(negated) = view.negate(model) {
            let found = converted(-value, promoted, model);
            assert!(negated.range.contains(found), "-{value} of {view:?}");
            assert!(!promoted.is_signed() || found == -value, "-{value} of {view:?}");
        }
    }
}

#[test]
fn an_overflow_is_refused_where_only_one_model_has_it() {
    let long = |range| Expression::ranged("x".to_owned(), Level::Primary, Scalar::Long, range);
    let big = long(Range::only(2_000_000_000));
    assert!(View::binary(Binary::Add, big.view[Model::Lp64], big.view[Model::Lp64], Model::Lp64).is_some());
    assert!(Expression::binary(Binary::Add, &big, &big).is_none());
    assert!(Expression::binary(Binary::Shl, &long(Range::only(1)), &Expression::int(32)).is_none());
}

#[test]
fn literals_have_the_types_that_c_gives_them() {
    let check = |value, radix, suffix: &str, expected: [Scalar; 2]| {
        let literal = Expression::literal(value, radix, suffix);
        let found = PerModel::of(|model| literal.view[model].scalar);
        assert_eq!(Model::ALL.map(|model| found[model]), expected, "{}", literal.text);
    };
    check(7, 10, "", [Scalar::Int, Scalar::Int]);
    check(2_147_483_648, 10, "", [Scalar::Long, Scalar::LongLong]);
    check(2_147_483_648, 16, "", [Scalar::Unsigned, Scalar::Unsigned]);
    check(2_147_483_648, 8, "L", [Scalar::Long, Scalar::UnsignedLong]);
    check(4_294_967_296, 10, "u", [Scalar::UnsignedLong, Scalar::UnsignedLongLong]);
    check(1, 10, "LLU", [Scalar::UnsignedLongLong, Scalar::UnsignedLongLong]);
}

#[test]
fn every_feature_occurs_and_can_be_left_out() {
    type Change = fn(&mut Config);
    let features: [(&str, Change); 9] = [
        ("__builtin_strlen", |config| config.library = false),
        ("goto ", |config| config.gotos = false),
        ("union ", |config| (config.unions, config.floats) = (false, false)),
        (" : 3;", |config| config.bit_fields = false),
        (" ?: ", |config| config.gnu = false),
        ("bits_of(", |config| config.floats = false),
        (" vla", |config| config.variable_length = false),
        ("(const unsigned char *)", |config| config.bytes = false),
        ("->", |config| config.pointers = false),
    ];
    for (needle, leave_out) in features {
        let with = (0..40).filter(|seed| program(*seed, &Config::default()).contains(needle)).count();
        let mut config = Config::default();
        leave_out(&mut config);
        let without = (0..40).filter(|seed| program(*seed, &config).contains(needle)).count();
        assert!(with >= 8 && without == 0, "{needle:?} is in {with} programs with and {without} without");
    }
    let all: String = (0..100).map(|seed| program(seed, &Config::default())).collect();
    let others = [
        "switch (",
        "while (",
        "do {",
        "for (;;)",
        "static ",
        "const ",
        "enum ",
        "typedef ",
        "(*fp",
        "table",
        ">>=",
        "register ",
        "continue;",
        "break;",
        "default:",
        " ... ",
        "fuel - 1",
        "_Bool",
        "[3][",
        ", .",
        "sizeof",
        "? ",
        "&&",
        "__builtin_memcpy",
        "__builtin_va_arg",
        "__builtin_popcount",
        "packed",
        "realloc",
    ];
    for needle in others {
        assert!(all.contains(needle), "no {needle:?}");
    }
}

#[test]
fn the_front_end_reads_every_program() {
    for seed in 0..150 {
        let text = program(seed, &Config::of_seed(seed));
        let mut files = SourceFiles::new();
        let file = files.push(SourceFile { name: format!("{seed}.c"), text });
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            if let Err(errors) = read(&files, file, model, &Default::default()) {
                panic!("seed {seed}, {model:?}: {errors}");
            }
        }
    }
}

//! What definitions say is what the evaluator does. `solver` asks whether it is what a theory of floats says, too.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

use super::FloatKind::{F32, F64};
use super::*;
use crate::term::Random;
use crate::term::{Assignment, eval};

const ARITHMETIC: [FloatOp; 4] = [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div];
const COMPARISONS: [FloatOp; 3] = [FloatOp::Lt, FloatOp::Le, FloatOp::Eq];

/// Bits that are near something interesting, or any.
fn random_bits(random: &mut Random, width: u32) -> Integer {
    let fraction = if width == 64 { 52 } else { 23.min(width - 1) };
    let any = Integer::from(random.next_u64()).shift_left(64) + Integer::from(random.next_u64());
    if width < 8 {
        return any.wrap_unsigned(width);
    }
    let all = || Integer::power_of_two(width);
    let near = match random.below(8) {
        0 => Integer::ZERO,
        1 => Integer::power_of_two(fraction),
        2 => Integer::power_of_two(width - 1) - Integer::power_of_two(fraction),
        3 => Integer::power_of_two(width - 1),
        4 => all() - Integer::power_of_two(random.below(width as usize) as u32),
        5 => {
            // A number near one.
            let exponent = Integer::power_of_two(width - 2) - Integer::power_of_two(fraction);
            exponent + Integer::from(random.below(40) as i64 - 20).shift_left(fraction)
        }
        _ => return any.wrap_unsigned(width),
    };
    let sign = if random.once_in(2) { Integer::power_of_two(width - 1) } else { Integer::ZERO };
    let offset = match random.below(3) {
        0 => Integer::ZERO,
        1 => Integer::from(random.below(9) as i64 - 4),
        _ => Integer::from(random.next_u64()).wrap_unsigned(fraction),
    };
    (near + offset + sign).wrap_unsigned(width)
}

/// The definition of the operator over symbols has the evaluator's values.
fn agrees(op: FloatOp, width: u32, arguments: usize, rounds: usize) {
    let random = &mut Random::new(u64::from(width) + 7);
    let mut terms = Terms::new();
    let args: Vec<TermId> =
        (0..arguments).map(|number| terms.var(&format!("x{number}"), Sort::BitVec(width))).collect();
    let circuit = op.circuit(&mut terms, &args);
    for round in 0..rounds {
        let mut values: Vec<Value> = (0..arguments).map(|_| Value::BitVec(random_bits(random, width), width)).collect();
        if arguments == 2 && round % 8 == 0 {
            values[1] = values[0].clone();
        }
        let symbols = args.iter().map(|arg| terms.as_symbol(*arg).unwrap());
        let assignment: Assignment = symbols.zip(values.iter().cloned()).collect();
        let expected = op.apply(&values);
        assert_eq!(eval(&terms, circuit, &assignment), expected, "{} {values:x?}", op.name(width));
    }
}

#[test]
fn definitions_are_what_the_evaluator_does() {
    for kind in [F32, F64] {
        for op in ARITHMETIC.into_iter().chain(COMPARISONS) {
            agrees(op, kind.width(), 2, 4_000);
        }
        let other = if kind == F32 { F64 } else { F32 };
        agrees(FloatOp::Convert(other), kind.width(), 1, 4_000);
        for width in [1, 2, 3, 8, 16, 31, 32, 33, 63, 64, 65, 127, 128] {
            agrees(FloatOp::ToSigned(width), kind.width(), 1, 800);
            agrees(FloatOp::ToUnsigned(width), kind.width(), 1, 800);
            agrees(FloatOp::OfSigned(kind), width, 1, 800);
            agrees(FloatOp::OfUnsigned(kind), width, 1, 800);
        }
    }
}

#[test]
fn names_are_read_back() {
    let more = [FloatOp::Convert(F64), FloatOp::OfSigned(F32), FloatOp::OfUnsigned(F64), FloatOp::ToSigned(7)];
    for op in ARITHMETIC.into_iter().chain(COMPARISONS).chain(more).chain([FloatOp::ToUnsigned(128)]) {
        assert_eq!(FloatOp::of_name(&op.name(32)), Some((op, 32)));
    }
    for wrong in ["float.add", "float.add.32.64", "float.add.032", "float.convert.32.33", "float.of.32", "add.32"] {
        assert_eq!(FloatOp::of_name(wrong), None, "{wrong}");
    }
}

/// That a circuit over `a` and `b` is, for every number, what a term of the theory of floating-point numbers is.
fn same_as_theory(terms: &Terms, circuit: TermId, result: &str, of: Format, inputs: &[(&str, String)]) -> String {
    let declared: String = inputs.iter().map(|(name, sort)| format!("(declare-const {name} {sort})")).collect();
    let Format { exponent, fraction } = of;
    let read = format!("((_ to_fp {exponent} {}) {})", fraction + 1, smtlib::print(terms, circuit));
    format!("{declared}(assert (not (= {read} {result})))")
}

fn to_fp(format: Format, of: &str) -> String {
    format!("((_ to_fp {} {}) {of})", format.exponent, format.fraction + 1)
}

/// Queries that are unsatisfiable exactly if the circuits are, on small formats, what SMT-LIB's theory of floats says.
pub(crate) fn theory_queries() -> Vec<String> {
    let mut queries = Vec::new();
    for format in
        [Format { exponent: 3, fraction: 3 }, Format { exponent: 4, fraction: 3 }, Format { exponent: 2, fraction: 4 }]
    {
        let sort = format!("(_ BitVec {})", format.width());
        let inputs = [("a", sort.clone()), ("b", sort)];
        let mut terms = Terms::new();
        let [a, b] = ["a", "b"].map(|name| terms.var(name, Sort::BitVec(format.width())));
        let [x, y] = ["a", "b"].map(|name| to_fp(format, name));
        let operations = [
            ("fp.add RNE", circuit::sum(&mut terms, format, a, b, false)),
            ("fp.sub RNE", circuit::sum(&mut terms, format, a, b, true)),
            ("fp.mul RNE", circuit::product(&mut terms, format, a, b)),
            ("fp.div RNE", circuit::quotient(&mut terms, format, a, b)),
        ];
        for (name, circuit) in operations {
            queries.push(same_as_theory(&terms, circuit, &format!("({name} {x} {y})"), format, &inputs));
        }
        let comparisons = [
            ("fp.lt", circuit::less(&mut terms, format, a, b)),
            ("fp.leq", circuit::at_most(&mut terms, format, a, b)),
            ("fp.eq", circuit::equal(&mut terms, format, a, b)),
        ];
        for (name, circuit) in comparisons {
            let declared: String = inputs.iter().map(|(name, sort)| format!("(declare-const {name} {sort})")).collect();
            queries.push(format!("{declared}(assert (xor ({name} {x} {y}) {}))", smtlib::print(&terms, circuit)));
        }
        for width in [1, 3, 5, 9] {
            let integer = terms.var(&format!("i{width}"), Sort::BitVec(width));
            let inputs = [(&*format!("i{width}"), format!("(_ BitVec {width})"))];
            for (name, signed) in [("to_fp", true), ("to_fp_unsigned", false)] {
                let circuit = circuit::of_integer(&mut terms, format, integer, signed);
                let theory = format!("((_ {name} {} {}) RNE i{width})", format.exponent, format.fraction + 1);
                queries.push(same_as_theory(&terms, circuit, &theory, format, &inputs));
            }
        }
    }
    let (small, large) = (Format { exponent: 3, fraction: 3 }, Format { exponent: 5, fraction: 6 });
    for (from, to) in [(small, large), (large, small)] {
        let mut terms = Terms::new();
        let a = terms.var("a", Sort::BitVec(from.width()));
        let circuit = circuit::convert(&mut terms, from, to, a);
        let theory = format!("((_ to_fp {} {}) RNE {})", to.exponent, to.fraction + 1, to_fp(from, "a"));
        queries.push(same_as_theory(&terms, circuit, &theory, to, &[("a", format!("(_ BitVec {})", from.width()))]));
    }
    queries
}

//! Floating-point numbers of IEEE 754, by their bits: operators on bit-vectors of 32 and 64 bits.
//!
//! Arithmetic rounds to nearest, ties to even. Where an operand is not a number the result is the first such operand,
//! made quiet; where the operands are numbers and the result is none, it is the quiet one with the sign set and no
//! payload. That is what x86-64 does, and it makes every execution repeat bit by bit.
//!
//! What an operator gives for constants is worked out here, for the interpreter of programs too. A solver is told
//! what an operator is by a definition over bit-vectors (`circuit.rs`), so that it needs no theory of its own for it,
//! and NaN has the same bits everywhere. Negation, the absolute value and the like are plain operators on
//! bit-vectors.

mod circuit;
mod kind;

use super::{Integer, Op, Sort, TermId, Terms, Value, smtlib};
use circuit::Format;
pub use kind::FloatKind;

/// An operator on floating-point numbers; of which format they are, the width of the first argument says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// Less; false where one is NaN.
    Lt,
    /// At most; false where one is NaN.
    Le,
    /// Equal: zeros are equal, NaN equals nothing.
    Eq,
    /// The nearest number of another format.
    Convert(FloatKind),
    /// The number nearest to an integer in two's complement, of at most 128 bits.
    OfSigned(FloatKind),
    /// The number nearest to a natural number of at most 128 bits.
    OfUnsigned(FloatKind),
    /// The integer of so many bits, at most 128, in two's complement, that is nearest towards zero; the nearest end
    /// of their range from outside it, 0 for NaN.
    ToSigned(u32),
    /// The like for natural numbers.
    ToUnsigned(u32),
}

/// The widest integers that are converted.
const WIDEST: u32 = 128;

impl FloatOp {
    /// What a solver knows the operator by, where its first argument has that width.
    pub fn name(self, width: u32) -> String {
        match self {
            FloatOp::Add => format!("float.add.{width}"),
            FloatOp::Sub => format!("float.sub.{width}"),
            FloatOp::Mul => format!("float.mul.{width}"),
            FloatOp::Div => format!("float.div.{width}"),
            FloatOp::Lt => format!("float.lt.{width}"),
            FloatOp::Le => format!("float.le.{width}"),
            FloatOp::Eq => format!("float.eq.{width}"),
            FloatOp::Convert(to) => format!("float.convert.{width}.{}", to.width()),
            FloatOp::OfSigned(to) => format!("float.of_signed.{width}.{}", to.width()),
            FloatOp::OfUnsigned(to) => format!("float.of_unsigned.{width}.{}", to.width()),
            FloatOp::ToSigned(to) => format!("float.to_signed.{width}.{to}"),
            FloatOp::ToUnsigned(to) => format!("float.to_unsigned.{width}.{to}"),
        }
    }

    /// The operator of that name, and the width of its first argument.
    pub(super) fn of_name(name: &str) -> Option<(FloatOp, u32)> {
        let mut parts = name.strip_prefix("float.")?.split('.');
        let (operator, width) = (parts.next()?, parts.next()?.parse().ok()?);
        let to: Option<u32> = parts.next().and_then(|to| to.parse().ok());
        let op = match (operator, to) {
            ("add", None) => FloatOp::Add,
            ("sub", None) => FloatOp::Sub,
            ("mul", None) => FloatOp::Mul,
            ("div", None) => FloatOp::Div,
            ("lt", None) => FloatOp::Lt,
            ("le", None) => FloatOp::Le,
            ("eq", None) => FloatOp::Eq,
            ("convert", Some(to)) => FloatOp::Convert(FloatKind::of_width(to)?),
            ("of_signed", Some(to)) => FloatOp::OfSigned(FloatKind::of_width(to)?),
            ("of_unsigned", Some(to)) => FloatOp::OfUnsigned(FloatKind::of_width(to)?),
            ("to_signed", Some(to)) => FloatOp::ToSigned(to),
            ("to_unsigned", Some(to)) => FloatOp::ToUnsigned(to),
            _ => return None,
        };
        (op.name(width) == name).then_some((op, width))
    }

    /// The sort of the result, where the arguments have sorts that the operator takes.
    pub fn result(self, arguments: &[Sort]) -> Option<Sort> {
        let width = arguments.first()?.width()?;
        let float = FloatKind::of_width(width);
        match (self, arguments.len()) {
            (FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div, 2) if arguments[0] == arguments[1] => {
                float.map(|_| arguments[0])
            }
            (FloatOp::Lt | FloatOp::Le | FloatOp::Eq, 2) if arguments[0] == arguments[1] => float.map(|_| Sort::Bool),
            (FloatOp::Convert(to), 1) if float? != to => Some(Sort::BitVec(to.width())),
            (FloatOp::OfSigned(to) | FloatOp::OfUnsigned(to), 1) => {
                (width <= WIDEST).then_some(Sort::BitVec(to.width()))
            }
            (FloatOp::ToSigned(to) | FloatOp::ToUnsigned(to), 1) if (1..=WIDEST).contains(&to) => {
                float.map(|_| Sort::BitVec(to))
            }
            _ => None,
        }
    }

    /// The value for values that the operator takes.
    pub(super) fn apply(self, args: &[Value]) -> Value {
        let argument = |at: usize| -> &Integer { args[at].as_integer().expect("the argument is a bit-vector") };
        let bits = |at: usize| argument(at).to_u64().expect("a floating-point number has at most 64 bits");
        let width = args[0].sort().width().expect("the argument is a bit-vector");
        let kind = || FloatKind::of_width(width).expect("the width is that of a format");
        let float = |bits: u64, kind: FloatKind| Value::BitVec(Integer::from(bits), kind.width());
        match self {
            FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div => {
                float(kind().operate(self, bits(0), bits(1)), kind())
            }
            FloatOp::Lt | FloatOp::Le | FloatOp::Eq => Value::Bool(kind().relate(self, bits(0), bits(1))),
            FloatOp::Convert(to) => float(to.convert(bits(0), kind()), to),
            FloatOp::OfSigned(to) => float(to.of_integer(&argument(0).wrap_signed(width)), to),
            FloatOp::OfUnsigned(to) => float(to.of_integer(argument(0)), to),
            FloatOp::ToSigned(to) => Value::BitVec(kind().to_whole(bits(0), to, true).wrap_unsigned(to), to),
            FloatOp::ToUnsigned(to) => Value::BitVec(kind().to_whole(bits(0), to, false), to),
        }
    }

    /// The operator's definition over bit-vectors, as a command, where its first argument has that width.
    pub fn definition(self, width: u32) -> String {
        let mut terms = Terms::new();
        let two = matches!(self, FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div)
            || matches!(self, FloatOp::Lt | FloatOp::Le | FloatOp::Eq);
        let names = if two { &["a", "b"][..] } else { &["a"] };
        let args: Vec<TermId> = names.iter().map(|name| terms.var(name, Sort::BitVec(width))).collect();
        let body = self.circuit(&mut terms, &args);
        let parameters: Vec<String> = names.iter().map(|name| format!("({name} (_ BitVec {width}))")).collect();
        let (name, sort) = (self.name(width), terms.sort(body));
        format!("(define-fun {name} ({}) {sort} {})\n", parameters.join(" "), smtlib::print(&terms, body))
    }

    /// What the operator is, by operators on bit-vectors.
    fn circuit(self, terms: &mut Terms, args: &[TermId]) -> TermId {
        let width = terms.sort(args[0]).width().expect("the argument is a bit-vector");
        let format = || Format::of(FloatKind::of_width(width).expect("the width is that of a format"));
        match self {
            FloatOp::Add => circuit::sum(terms, format(), args[0], args[1], false),
            FloatOp::Sub => circuit::sum(terms, format(), args[0], args[1], true),
            FloatOp::Mul => circuit::product(terms, format(), args[0], args[1]),
            FloatOp::Div => circuit::quotient(terms, format(), args[0], args[1]),
            FloatOp::Lt => circuit::less(terms, format(), args[0], args[1]),
            FloatOp::Le => circuit::at_most(terms, format(), args[0], args[1]),
            FloatOp::Eq => circuit::equal(terms, format(), args[0], args[1]),
            FloatOp::Convert(to) => circuit::convert(terms, format(), Format::of(to), args[0]),
            FloatOp::OfSigned(to) => circuit::of_integer(terms, Format::of(to), args[0], true),
            FloatOp::OfUnsigned(to) => circuit::of_integer(terms, Format::of(to), args[0], false),
            FloatOp::ToSigned(to) => circuit::to_integer(terms, format(), args[0], to, true),
            FloatOp::ToUnsigned(to) => circuit::to_integer(terms, format(), args[0], to, false),
        }
    }
}

impl FloatKind {
    /// Sum, difference, product or quotient.
    pub fn operate(self, op: FloatOp, a: u64, b: u64) -> u64 {
        if let Some(nan) = [a, b].into_iter().find(|&bits| self.is_nan(bits)) {
            return self.quiet(nan);
        }
        macro_rules! operate {
            ($float:ty, $bits:ty) => {{
                let (a, b) = (<$float>::from_bits(a as $bits), <$float>::from_bits(b as $bits));
                let result = match op {
                    FloatOp::Add => a + b,
                    FloatOp::Sub => a - b,
                    FloatOp::Mul => a * b,
                    FloatOp::Div => a / b,
                    _ => unreachable!("{op:?} is no arithmetic"),
                };
                u64::from(result.to_bits())
            }};
        }
        let result = match self {
            FloatKind::F32 => operate!(f32, u32),
            FloatKind::F64 => operate!(f64, u64),
        };
        if self.is_nan(result) { self.quiet(self.sign() | self.exponent_bits()) } else { result }
    }

    /// A comparison: NaN is neither equal to, less nor greater than anything.
    pub fn relate(self, op: FloatOp, a: u64, b: u64) -> bool {
        let (a, b) = (self.to_f64(a), self.to_f64(b));
        match op {
            FloatOp::Eq => a == b,
            FloatOp::Lt => a < b,
            FloatOp::Le => a <= b,
            _ => unreachable!("{op:?} is no comparison"),
        }
    }
}

impl Terms {
    /// An operator on floating-point numbers.
    pub fn float(&mut self, op: FloatOp, args: &[TermId]) -> TermId {
        self.make(Op::Float(op), args)
    }

    /// A floating-point number by its bits.
    pub fn float_number(&mut self, bits: u64, kind: FloatKind) -> TermId {
        self.bit_vec(bits, kind.width())
    }

    /// The sign of a floating-point number flipped, whatever it is.
    pub fn float_neg(&mut self, kind: FloatKind, a: TermId) -> TermId {
        let sign = self.bit_vec(kind.sign(), kind.width());
        self.bv_xor(a, sign)
    }

    /// Whether the bits are those of no number.
    pub fn float_is_nan(&mut self, a: TermId) -> TermId {
        let number = self.float(FloatOp::Eq, &[a, a]);
        self.not(number)
    }

    /// Whether the bits are those of an infinity.
    pub fn float_is_infinite(&mut self, kind: FloatKind, a: TermId) -> TermId {
        let magnitude = self.extract(kind.width() - 2, 0, a);
        let infinity = self.bit_vec(kind.exponent_bits(), kind.width() - 1);
        self.eq(magnitude, infinity)
    }

    /// Whether the number is a zero of either sign.
    pub fn float_is_zero(&mut self, kind: FloatKind, a: TermId) -> TermId {
        let magnitude = self.extract(kind.width() - 2, 0, a);
        let zero = self.bit_vec(0, kind.width() - 1);
        self.eq(magnitude, zero)
    }

    /// Whether the sign is set.
    pub fn float_sign(&mut self, kind: FloatKind, a: TermId) -> TermId {
        let sign = self.extract(kind.width() - 1, kind.width() - 1, a);
        let set = self.bit_vec(1, 1);
        self.eq(sign, set)
    }
}

#[cfg(test)]
pub(crate) mod tests;

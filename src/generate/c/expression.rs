//! Random expressions without side effects.

use super::Generator;
use super::place::{Reads, Wanted};
use super::scalar::{Model, Range, Scalar};
use super::types::Type;
use super::value::{Binary, Expression, Level, above};

/// Characters as literals write them, with their values.
const CHARACTERS: [(&str, i32); 12] = [
    ("'a'", 97),
    ("'Z'", 90),
    ("'0'", 48),
    ("' '", 32),
    ("'\\n'", 10),
    ("'\\t'", 9),
    ("'\\''", 39),
    ("'\\\\'", 92),
    ("'\\0'", 0),
    ("'\\x7f'", 127),
    ("'\\xff'", -1),
    ("'\\201'", -127),
];

impl Generator<'_> {
    /// A random expression of an integer type, at most so deep.
    pub(super) fn expression(&mut self, depth: usize, reads: Reads) -> Expression {
        let expression =
            if depth == 0 || self.random.percent(10) { self.leaf(reads) } else { self.operation(depth - 1, reads) };
        if self.random.percent(5) { expression.parenthesised() } else { expression }
    }

    /// A condition, at most so deep.
    pub(super) fn condition(&mut self, depth: usize, reads: Reads) -> Expression {
        match self.random.below(10) {
            0..6 => self.comparison(depth, reads),
            6..8 => self.logical(depth, reads),
            _ => self.expression(depth, reads),
        }
    }

    fn operation(&mut self, depth: usize, reads: Reads) -> Expression {
        match self.random.below(100) {
            0..45 => {
                let operator = *self.random.choose(&Binary::ALL);
                let (left, right) = (self.expression(depth, reads), self.expression(depth, reads));
                self.joined(operator, left, right)
            }
            45..57 => self.unary(depth, reads),
            57..66 => {
                let scalar = self.scalar();
                self.expression(depth, reads).cast(scalar)
            }
            66..75 => self.comparison(depth, reads),
            75..82 => self.logical(depth, reads),
            82..90 => {
                let condition = self.condition(depth, reads);
                let (yes, no) = (self.expression(depth, reads), self.expression(depth, reads));
                Expression::conditional(&condition, &yes, &no)
            }
            90..93 => self.comma(depth, reads),
            93..96 if self.config.pointers && reads == Reads::Any => self.pointer_relation(reads),
            96..98 if self.config.gnu && reads != Reads::Nothing => self.gnu_expression(depth, reads),
            _ => self.leaf(reads),
        }
    }

    fn unary(&mut self, depth: usize, reads: Reads) -> Expression {
        let operand = self.expression(depth, reads);
        match self.random.below(5) {
            0 => operand.complement(),
            1 => operand.plus(),
            2 => Expression::truth(format!("!{}", operand.at(Level::Unary)), Level::Unary),
            _ => match operand.negate() {
                Some(negated) => negated,
                None => self.bounded(operand).negate().expect("a bounded value is far from overflow"),
            },
        }
    }

    fn comparison(&mut self, depth: usize, reads: Reads) -> Expression {
        if self.config.floats && self.random.percent(8) && reads == Reads::Any {
            return self.floating_comparison();
        }
        let (left, right) = (self.expression(depth, reads), self.expression(depth, reads));
        let (symbol, level) = *self.random.choose(&[
            ("<", Level::Relation),
            (">", Level::Relation),
            ("<=", Level::Relation),
            (">=", Level::Relation),
            ("==", Level::Equality),
            ("!=", Level::Equality),
        ]);
        Expression::truth(format!("{} {symbol} {}", left.at(level), right.at(above(level))), level)
    }

    fn logical(&mut self, depth: usize, reads: Reads) -> Expression {
        let (left, right) = (self.condition(depth, reads), self.condition(depth, reads));
        let (symbol, level) = *self.random.choose(&[("&&", Level::LogicalAnd), ("||", Level::LogicalOr)]);
        Expression::truth(format!("{} {symbol} {}", left.at(level), right.at(above(level))), level)
    }

    /// `(a, x)`, where `x` is read from a variable: gcc 12 stops at a conversion of `(1, 2)` to `_Bool`.
    fn comma(&mut self, depth: usize, reads: Reads) -> Expression {
        let Some(place) = self.scalar_place(Wanted::read(reads)) else { return self.leaf(reads) };
        let first = self.expression(depth, reads).at(Level::Assignment);
        Expression::after(&first, &self.read(&place)).parenthesised()
    }

    fn gnu_expression(&mut self, depth: usize, reads: Reads) -> Expression {
        let value = self.expression(depth, reads);
        let other = self.expression(depth, reads);
        if !self.statement_expressions || self.random.percent(50) {
            let full = Expression::conditional(&value, &value, &other);
            let text = format!("{} ?: {}", value.at(Level::LogicalOr), other.at(Level::Conditional));
            return Expression { text, ..full };
        }
        let name = self.fresh("t");
        let value = value.plus();
        let text = format!("({{ __typeof__({0}) {name} = {0}; {name}; }})", value.text);
        Expression { text, level: Level::Primary, ..value }
    }

    /// The two joined by the operator; where that can be undefined, the operands are bounded or converted first.
    pub(super) fn joined(&mut self, operator: Binary, left: Expression, right: Expression) -> Expression {
        let right = self.right_operand(operator, &left, right);
        if let Some(joined) = Expression::binary(operator, &left, &right) {
            return joined;
        }
        if self.random.percent(50) {
            let bounded = self.bounded(left.clone());
            let right = if operator == Binary::Mul || !right.is_within(Range::new(-100_000, 100_000)) {
                let right = self.bounded(right.clone());
                self.right_operand(operator, &bounded, right)
            } else {
                right.clone()
            };
            if let Some(joined) = Expression::binary(operator, &bounded, &right) {
                return joined;
            }
        }
        let wide = [Scalar::Unsigned, Scalar::UnsignedLong, Scalar::UnsignedLongLong];
        let wide = *self.random.choose(&wide);
        let left = left.cast(wide);
        let right = self.right_operand(operator, &left, right);
        let right = if operator == Binary::Shl { right } else { right.cast(wide) };
        let right = if operator == Binary::Div || operator == Binary::Rem { self.nonzero(right) } else { right };
        let joined = Expression::binary(operator, &left, &right).expect("unsigned operators are defined");
        match wide {
            Scalar::Unsigned if self.random.percent(60) => joined.cast(Scalar::Int),
            Scalar::UnsignedLong if self.random.percent(60) => joined.cast(Scalar::Long),
            Scalar::UnsignedLongLong if self.random.percent(60) => joined.cast(Scalar::LongLong),
            _ => joined,
        }
    }

    /// The right operand made fit for the operator: no zero divisor, no shift beyond the width.
    pub(super) fn right_operand(&mut self, operator: Binary, left: &Expression, right: Expression) -> Expression {
        match operator {
            Binary::Div | Binary::Rem => self.nonzero(right),
            Binary::Shl | Binary::Shr => {
                let width = Model::ALL.map(|model| left.view[model].scalar.promoted().bits(model));
                let most = i128::from(width[0].min(width[1])) - 1;
                if right.is_within(Range::new(0, most)) {
                    return right;
                }
                let mask = Expression::int(if self.random.percent(50) { most as i32 } else { 7 });
                Expression::binary(Binary::And, &right, &mask).expect("a bitwise operator is defined")
            }
            _ => right,
        }
    }

    fn nonzero(&mut self, value: Expression) -> Expression {
        if value.view.all(|view| !view.range.contains(0)) {
            return value;
        }
        let limit = self.random.between(1, 300) as i32;
        let positive = match self.random.below(3) {
            0 => Expression::binary(Binary::Rem, &value, &Expression::int(limit))
                .and_then(|rest| Expression::binary(Binary::Add, &rest, &Expression::int(limit))),
            1 => Expression::binary(Binary::Or, &value, &Expression::int(1)),
            _ => None,
        };
        let positive = positive.filter(|positive| positive.view.all(|view| !view.range.contains(0)));
        let masked = || Expression::binary(Binary::And, &value, &Expression::int(limit));
        let positive = positive.or_else(|| Expression::binary(Binary::Add, &masked()?, &Expression::int(1)));
        let positive = positive.expect("a small sum does not overflow");
        match positive.negate() {
            Some(negated) if self.random.percent(30) && negated.view.all(|view| view.scalar.is_signed()) => negated,
            _ => positive,
        }
    }

    /// The value made small: its square is an `int`.
    pub(super) fn bounded(&mut self, value: Expression) -> Expression {
        let limit = self.random.between(2, 30_000) as i32;
        let bounded = match self.random.below(4) {
            0 => Expression::binary(Binary::Rem, &value, &Expression::int(limit)),
            1 => Expression::binary(Binary::And, &value, &Expression::int(limit)),
            2 => Some(value.cast(Scalar::Short)),
            _ => None,
        };
        let signed = |bounded: &Expression| bounded.view.all(|view| view.scalar.promoted().is_signed());
        let bounded = bounded.filter(|bounded| bounded.is_within(Range::new(-32_768, 32_767)) && signed(bounded));
        bounded.unwrap_or_else(|| value.cast(*self.random.choose(&[Scalar::SignedChar, Scalar::Short, Scalar::Char])))
    }

    fn leaf(&mut self, reads: Reads) -> Expression {
        if self.random.percent(70)
            && let Some(place) = self.scalar_place(Wanted::read(reads))
        {
            return self.read(&place);
        }
        match self.random.below(20) {
            0..2 => {
                let (text, value) = *self.random.choose(&CHARACTERS);
                let range = Range::only(i128::from(value));
                Expression::ranged(text.to_owned(), Level::Primary, Scalar::Int, range)
            }
            2..4 if !self.enumerations.is_empty() => {
                let enumeration = self.random.below(self.enumerations.len());
                let (name, value) = self.random.choose(&self.enumerations[enumeration].constants).clone();
                Expression::ranged(name, Level::Primary, Scalar::Int, Range::only(i128::from(value)))
            }
            4..6 => self.size_of(reads),
            6 if reads != Reads::Nothing && self.config.arrays => self.literal_element(reads),
            7 if reads == Reads::Any && self.config.floats => self.floating_to_integer(),
            _ => self.literal(),
        }
    }

    /// A random integer literal.
    pub(super) fn literal(&mut self) -> Expression {
        let value = match self.random.below(10) {
            0..6 => self.random.below(20) as u64,
            6 => 1 << self.random.below(64),
            7 => (1 << self.random.below(64)) - 1,
            8 => self.random.below(100_000) as u64,
            _ => self.random.next_u64() >> self.random.below(64),
        };
        let suffix = match self.random.below(20) {
            0..12 => "",
            12..15 => "u",
            15 => "L",
            16 => "ul",
            17 => "ll",
            18 => "LLU",
            _ => "uLL",
        };
        let radix = *self.random.choose(&[10, 10, 10, 16, 16, 8]);
        // A decimal literal that only an unsigned type holds has no type without the letter for it.
        let signed = radix == 10 && !suffix.to_lowercase().contains('u');
        Expression::literal(if signed { value & (u64::MAX >> 1) } else { value }, radix, suffix)
    }

    /// `sizeof` of a type or of an expression.
    fn size_of(&mut self, reads: Reads) -> Expression {
        let whole = Range::new(1, 100_000);
        let operand = if self.random.percent(60) {
            let ty = self.object_type(2);
            format!("({})", self.type_name(&ty))
        } else {
            // The sign promotes a bit-field, of which there is no `sizeof`.
            format!(" {}", self.expression(1, reads).plus().at(Level::Unary))
        };
        let unsigned_long = Expression::ranged(format!("sizeof{operand}"), Level::Unary, Scalar::UnsignedLong, whole);
        // Its type is `unsigned int` where `long` has 32 bits, which the conversion hides from what is computed.
        if self.random.percent(50) { unsigned_long.cast(Scalar::UnsignedLong) } else { unsigned_long.cast(Scalar::Int) }
    }

    /// An element of a string literal.
    fn literal_element(&mut self, reads: Reads) -> Expression {
        let (text, length) = self.string(6);
        let index = self.index(length + 1, reads);
        Expression::any(format!("{text}[{}]", index.text), Level::Postfix, Scalar::Char)
    }

    /// A string literal of at most so many characters, and how many it has.
    pub(super) fn string(&mut self, most: usize) -> (String, usize) {
        let length = self.random.between(0, most);
        let mut text = String::from("\"");
        for position in 0..length {
            // A literal in two parts, so that an escape does not take in what follows it.
            if position > 0 && self.random.percent(20) || text.ends_with("x0f") {
                text.push_str("\" \"");
            }
            let letters = ["a", "b", "X", "7", " ", "\\n", "\\\\", "\\\"", "\\001", "\\x0f", "\\377", "%", "?"];
            text.push_str(letters[self.random.below(letters.len())]);
        }
        text.push('"');
        (text, length)
    }

    /// A comparison or difference of pointers into one array.
    fn pointer_relation(&mut self, reads: Reads) -> Expression {
        let Some(place) = self.place(Wanted::read(reads), &|ty| matches!(ty, Type::Array(..))) else {
            return self.leaf(reads);
        };
        let Type::Array(_, length) = place.ty else { unreachable!("only arrays are accepted") };
        let base = if place.level >= Level::Postfix { place.text } else { format!("({})", place.text) };
        let (left, right) = (self.index(length, reads), self.index(length, reads));
        let left = format!("&{base}[{}]", left.text);
        let right = format!("{base} + {}", right.at(Level::Product));
        match self.random.below(3) {
            0 => {
                let range = Range::new(1 - length as i128, length as i128 - 1);
                Expression::ranged(format!("(int)({left} - ({right}))"), Level::Unary, Scalar::Int, range)
            }
            1 => Expression::truth(format!("{left} < {right}"), Level::Relation),
            _ => Expression::truth(format!("{left} == {right}"), Level::Equality),
        }
    }
}

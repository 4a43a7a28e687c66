//! Expressions with what is known of their values: built only where no execution of them is undefined.

use super::scalar::{Model, PerModel, Range, Scalar, common};

/// How strongly an expression binds, as C's grammar has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// `a, b`
    Comma,
    /// `a = b`
    Assignment,
    /// `a ? b : c`
    Conditional,
    /// `a || b`
    LogicalOr,
    /// `a && b`
    LogicalAnd,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
    /// `a & b`
    And,
    /// `a == b`
    Equality,
    /// `a < b`
    Relation,
    /// `a << b`
    Shift,
    /// `a + b`
    Sum,
    /// `a * b`
    Product,
    /// `-a`, `(t)a`
    Unary,
    /// `a[b]`, `a.b`, `a(b)`
    Postfix,
    /// A name, a literal or something in parentheses.
    Primary,
}

/// A binary operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
}

impl Binary {
    /// Every operator.
    pub(super) const ALL: [Binary; 10] = [
        Binary::Add,
        Binary::Sub,
        Binary::Mul,
        Binary::Div,
        Binary::Rem,
        Binary::And,
        Binary::Or,
        Binary::Xor,
        Binary::Shl,
        Binary::Shr,
    ];

    /// How it is written.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Rem => "%",
            Binary::And => "&",
            Binary::Or => "|",
            Binary::Xor => "^",
            Binary::Shl => "<<",
            Binary::Shr => ">>",
        }
    }

    /// How strongly it binds.
    pub(super) fn level(self) -> Level {
        match self {
            Binary::Add | Binary::Sub => Level::Sum,
            Binary::Mul | Binary::Div | Binary::Rem => Level::Product,
            Binary::And => Level::And,
            Binary::Or => Level::Or,
            Binary::Xor => Level::Xor,
            Binary::Shl | Binary::Shr => Level::Shift,
        }
    }
}

/// The type of a value and a range that holds it, in one data model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct View {
    /// Its type.
    pub(super) scalar: Scalar,
    /// What it is at least and at most.
    pub(super) range: Range,
}

impl View {
    /// Any value of the type.
    pub(super) fn any(scalar: Scalar, model: Model) -> View {
        View { scalar, range: scalar.range(model) }
    }

    /// The value after a conversion.
    pub(super) fn convert(self, scalar: Scalar, model: Model) -> View {
        let whole = scalar.range(model);
        View { scalar, range: if self.range.within(whole) { self.range } else { whole } }
    }

    /// The value after the integer promotions.
    pub(super) fn promote(self, model: Model) -> View {
        self.convert(self.scalar.promoted(), model)
    }

    /// The result of an operator; none where some values make it undefined.
    pub(super) fn binary(operator: Binary, left: View, right: View, model: Model) -> Option<View> {
        if matches!(operator, Binary::Shl | Binary::Shr) {
            return shift(operator, left.promote(model), right.promote(model), model);
        }
        let scalar = common(left.scalar, right.scalar, model);
        let (a, b) = (left.convert(scalar, model).range, right.convert(scalar, model).range);
        let range = match operator {
            Binary::Add => sum(a, b),
            Binary::Sub => sum(a, Range::new(-b.most, -b.least)),
            Binary::Mul => product(a, b),
            Binary::Div | Binary::Rem => Some(quotient(operator, a, b, scalar.range(model))?),
            Binary::And | Binary::Or | Binary::Xor => Some(bitwise(operator, a, b)),
            Binary::Shl | Binary::Shr => unreachable!("shifts are handled above"),
        };
        wrapped(scalar, range, model)
    }

    /// The result of `-`; none where it can overflow.
    pub(super) fn negate(self, model: Model) -> Option<View> {
        let value = self.promote(model);
        wrapped(value.scalar, Some(Range::new(-value.range.most, -value.range.least)), model)
    }

    /// The result of `~`.
    pub(super) fn complement(self, model: Model) -> View {
        let View { scalar, range } = self.promote(model);
        let top = if scalar.is_signed() { -1 } else { scalar.range(model).most };
        View { scalar, range: Range::new(top - range.most, top - range.least) }
    }
}

/// The value of that type, where the exact result lies in the range: an unsigned one wraps, a signed one must fit.
fn wrapped(scalar: Scalar, exact: Option<Range>, model: Model) -> Option<View> {
    let whole = scalar.range(model);
    match exact {
        Some(range) if range.within(whole) => Some(View { scalar, range }),
        _ if scalar.is_signed() => None,
        _ => Some(View { scalar, range: whole }),
    }
}

fn sum(a: Range, b: Range) -> Option<Range> {
    Some(Range::new(a.least.checked_add(b.least)?, a.most.checked_add(b.most)?))
}

fn product(a: Range, b: Range) -> Option<Range> {
    Some(Range::hull([
        a.least.checked_mul(b.least)?,
        a.least.checked_mul(b.most)?,
        a.most.checked_mul(b.least)?,
        a.most.checked_mul(b.most)?,
    ]))
}

fn quotient(operator: Binary, a: Range, b: Range, whole: Range) -> Option<Range> {
    if b.contains(0) || (whole.least < 0 && a.contains(whole.least) && b.contains(-1)) {
        return None;
    }
    if operator == Binary::Div {
        return Some(Range::hull([a.least / b.least, a.least / b.most, a.most / b.least, a.most / b.most]));
    }
    let below = b.least.abs().max(b.most.abs()) - 1;
    let least = if a.least < 0 { a.least.max(-below) } else { 0 };
    Some(Range::new(least, if a.most > 0 { a.most.min(below) } else { 0 }))
}

fn bitwise(operator: Binary, a: Range, b: Range) -> Range {
    let bits = (0..127).find(|bits| {
        let whole = Range::new(-(1 << bits), (1 << bits) - 1);
        a.within(whole) && b.within(whole)
    });
    let bits = bits.expect("values of C have at most 64 bits");
    let natural = a.least >= 0 && b.least >= 0;
    let whole = Range::new(if natural { 0 } else { -(1 << bits) }, (1 << bits) - 1);
    match operator {
        Binary::And if natural => Range::new(0, a.most.min(b.most)),
        Binary::And if a.least >= 0 => Range::new(0, a.most),
        Binary::And if b.least >= 0 => Range::new(0, b.most),
        Binary::Or if natural => Range::new(a.least.max(b.least), whole.most),
        _ => whole,
    }
}

fn shift(operator: Binary, left: View, right: View, model: Model) -> Option<View> {
    if !right.range.within(Range::new(0, i128::from(left.scalar.bits(model)) - 1)) {
        return None;
    }
    let (a, by) = (left.range, right.range);
    if operator == Binary::Shr {
        let far = if a.least < 0 { -1 } else { 0 };
        return Some(View { range: Range::hull([a.least >> by.least, a.most >> by.least, far, 0]), ..left });
    }
    if left.scalar.is_signed() && a.least < 0 {
        return None;
    }
    wrapped(left.scalar, a.most.checked_mul(1 << by.most).map(|most| Range::new(0, most)), model)
}

/// An expression without undefined behaviour.
#[derive(Debug, Clone)]
pub(super) struct Expression {
    /// How it is written.
    pub(super) text: String,
    /// How strongly it binds.
    pub(super) level: Level,
    /// What is known of its value.
    pub(super) view: PerModel<View>,
}

impl Expression {
    /// An expression of any value of a type.
    pub(super) fn any(text: String, level: Level, scalar: Scalar) -> Expression {
        Expression { text, level, view: PerModel::of(|model| View::any(scalar, model)) }
    }

    /// An expression of a type that lies in a range.
    pub(super) fn ranged(text: String, level: Level, scalar: Scalar, range: Range) -> Expression {
        Expression { text, level, view: PerModel::of(|_| View { scalar, range }) }
    }

    /// A truth value.
    pub(super) fn truth(text: String, level: Level) -> Expression {
        Expression::ranged(text, level, Scalar::Int, Range::new(0, 1))
    }

    /// A number of type `int`, small enough for it.
    pub(super) fn int(value: i32) -> Expression {
        let level = if value < 0 { Level::Unary } else { Level::Primary };
        Expression::ranged(value.to_string(), level, Scalar::Int, Range::only(i128::from(value)))
    }

    /// An integer literal of that radix (8, 10 or 16) and suffix, typed as C types literals.
    pub(super) fn literal(value: u64, radix: u32, suffix: &str) -> Expression {
        let text = match radix {
            16 => format!("{value:#x}{suffix}"),
            8 => format!("0{value:o}{suffix}"),
            _ => format!("{value}{suffix}"),
        };
        let suffix = suffix.to_lowercase();
        let view = PerModel::of(|model| {
            let scalar = literal_scalar(value, radix != 10, &suffix, model);
            View { scalar, range: Range::only(i128::from(value)) }
        });
        Expression { text, level: Level::Primary, view }
    }

    /// How it is written where it must bind at least so strongly.
    pub(super) fn at(&self, level: Level) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    /// The same in parentheses.
    pub(super) fn parenthesised(self) -> Expression {
        Expression { text: format!("({})", self.text), level: Level::Primary, ..self }
    }

    /// Whether its value lies in the range, in both models.
    pub(super) fn is_within(&self, range: Range) -> bool {
        self.view.all(|view| view.range.within(range))
    }

    /// The expression converted by a cast.
    pub(super) fn cast(&self, scalar: Scalar) -> Expression {
        let view = PerModel::of(|model| self.view[model].convert(scalar, model));
        Expression { text: format!("({}){}", scalar.name(), self.at(Level::Unary)), level: Level::Unary, view }
    }

    /// The two joined by an operator; none where some values make that undefined.
    pub(super) fn binary(operator: Binary, left: &Expression, right: &Expression) -> Option<Expression> {
        let view = PerModel::both(|model| View::binary(operator, left.view[model], right.view[model], model))?;
        let level = operator.level();
        let text = format!("{} {} {}", left.at(level), operator.symbol(), right.at(above(level)));
        Some(Expression { text, level, view })
    }

    /// `-e`; none where it can overflow.
    pub(super) fn negate(&self) -> Option<Expression> {
        let view = PerModel::both(|model| self.view[model].negate(model))?;
        Some(Expression { text: prefix('-', self), level: Level::Unary, view })
    }

    /// `~e`
    pub(super) fn complement(&self) -> Expression {
        let view = PerModel::of(|model| self.view[model].complement(model));
        Expression { text: prefix('~', self), level: Level::Unary, view }
    }

    /// `+e`
    pub(super) fn plus(&self) -> Expression {
        let view = PerModel::of(|model| self.view[model].promote(model));
        Expression { text: prefix('+', self), level: Level::Unary, view }
    }

    /// `c ? a : b`
    pub(super) fn conditional(condition: &Expression, yes: &Expression, no: &Expression) -> Expression {
        let view = PerModel::of(|model| {
            let (yes, no) = (yes.view[model], no.view[model]);
            let scalar = common(yes.scalar, no.scalar, model);
            View { scalar, range: yes.convert(scalar, model).range.join(no.convert(scalar, model).range) }
        });
        let condition = condition.at(Level::LogicalOr);
        let text = format!("{condition} ? {} : {}", yes.at(Level::Comma), no.at(Level::Conditional));
        Expression { text, level: Level::Conditional, view }
    }

    /// `a, b`, where `a` is written as given.
    pub(super) fn after(first: &str, value: &Expression) -> Expression {
        let text = format!("{first}, {}", value.at(Level::Assignment));
        Expression { text, level: Level::Comma, view: value.view }
    }
}

/// The next stronger level.
pub(super) fn above(level: Level) -> Level {
    match level {
        Level::Comma => Level::Assignment,
        Level::Assignment => Level::Conditional,
        Level::Conditional => Level::LogicalOr,
        Level::LogicalOr => Level::LogicalAnd,
        Level::LogicalAnd => Level::Or,
        Level::Or => Level::Xor,
        Level::Xor => Level::And,
        Level::And => Level::Equality,
        Level::Equality => Level::Relation,
        Level::Relation => Level::Shift,
        Level::Shift => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product => Level::Unary,
        Level::Unary => Level::Postfix,
        Level::Postfix | Level::Primary => Level::Primary,
    }
}

/// A prefix operator before an operand, apart from a sign that it would merge with.
fn prefix(operator: char, operand: &Expression) -> String {
    let operand = operand.at(Level::Unary);
    if operand.starts_with(operator) { format!("{operator} {operand}") } else { format!("{operator}{operand}") }
}

/// The type of a literal: the first that holds it among those its form allows.
fn literal_scalar(value: u64, any_sign: bool, suffix: &str, model: Model) -> Scalar {
    let candidates =
        [Scalar::Int, Scalar::Unsigned, Scalar::Long, Scalar::UnsignedLong, Scalar::LongLong, Scalar::UnsignedLongLong];
    let longs = suffix.matches('l').count();
    let allowed = candidates.into_iter().skip(2 * longs).filter(|scalar| match (suffix.contains('u'), any_sign) {
        (true, _) => !scalar.is_signed(),
        (false, true) => true,
        (false, false) => scalar.is_signed(),
    });
    let fits = allowed.into_iter().find(|scalar| scalar.range(model).contains(i128::from(value)));
    fits.unwrap_or(Scalar::UnsignedLongLong)
}

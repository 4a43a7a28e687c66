//! Random arithmetic in floating point. A value that is stored is always finite and of moderate size, so that what is
//! printed does not depend on which of the many not-a-numbers a compiler makes.

use super::Generator;
use super::place::{Place, Reads, Wanted};
use super::scalar::{Range, Scalar};
use super::types::Type;
use super::value::{Expression, Level};

impl Generator<'_> {
    /// `float` or `double`.
    pub(super) fn floating_type(&mut self) -> Type {
        if self.random.percent(40) { Type::Float } else { Type::Double }
    }

    /// A place of a floating type.
    pub(super) fn floating_place(&mut self, wanted: Wanted) -> Option<Place> {
        self.place(wanted, &|ty| matches!(ty, Type::Float | Type::Double))
    }

    /// A floating constant that every compiler reads the same way.
    pub(super) fn floating_literal(&mut self) -> String {
        let text = match self.random.below(5) {
            0 => format!("{}.{}", self.random.below(1000), self.random.below(1000)),
            1 => format!("{}.5e-{}", self.random.below(50), self.random.below(6)),
            2 => format!("0x1.{:x}p{}", self.random.below(4096), self.random.below(12)),
            3 => format!(".{}", self.random.below(100)),
            _ => format!("{}.", self.random.below(100)),
        };
        if self.random.percent(20) { format!("{text}f") } else { text }
    }

    /// A floating expression, at most so deep; it binds as a unary one.
    pub(super) fn floating(&mut self, depth: usize, reads: Reads) -> String {
        if depth == 0 || self.random.percent(15) {
            return match self.floating_place(Wanted::read(reads)) {
                Some(place) if self.random.percent(65) => place.text,
                _ if self.random.percent(30) && reads != Reads::Nothing => {
                    let value = self.expression(1, reads);
                    format!("({})({})", self.random.choose(&["double", "float"]), value.text)
                }
                _ => self.floating_literal(),
            };
        }
        let left = self.floating(depth - 1, reads);
        let right = self.floating(depth - 1, reads);
        match self.random.below(10) {
            0..3 => format!("({left} + {right})"),
            3..6 => format!("({left} - {right})"),
            6..8 => format!("({left} * {right})"),
            8 => format!("({left} / ({right} * {right} + 1.5))"),
            _ => format!("(- {left})"),
        }
    }

    /// A comparison of floating values.
    pub(super) fn floating_comparison(&mut self) -> Expression {
        let (left, right) = (self.floating(1, Reads::Any), self.floating(1, Reads::Any));
        let symbol = self.random.choose(&["<", ">", "<=", ">="]);
        Expression::truth(format!("{left} {symbol} {right}"), Level::Relation)
    }

    /// An integer made from a floating value, which is small enough for it.
    pub(super) fn floating_to_integer(&mut self) -> Expression {
        let Some(place) = self.floating_place(Wanted::read(Reads::Any)) else { return self.literal() };
        let value = place.text;
        let text = format!("({value} > -1e6 && {value} < 1e6 ? (int)({value}) : 7)");
        Expression::ranged(text, Level::Primary, Scalar::Int, Range::new(-1_000_000, 1_000_000))
    }

    /// Writes an assignment to a floating place, and another where the value is not moderate.
    pub(super) fn floating_assignment(&mut self) -> bool {
        let Some(place) = self.floating_place(Wanted::write(Reads::Any)) else { return false };
        let name = self.fresh("d");
        let value = self.floating(2, Reads::Any);
        let ty = self.random.choose(&["double", "float"]);
        let operator = *self.random.choose(&["+=", "-=", "*="]);
        let more = if self.random.percent(50) {
            format!(" {name} {operator} {};", self.floating_literal())
        } else {
            String::new()
        };
        let usual = self.random.below(9);
        let bound = format!("if (!({name} > -1e9 && {name} < 1e9)) {name} = {usual};");
        self.line(&format!("{{ {ty} {name} = {value};{more} {bound} {} = {name}; }}", place.text));
        true
    }
}

//! Variables, and the places in them that an expression can read, a statement write, a pointer point to.

use super::Generator;
use super::scalar::{Range, Scalar};
use super::types::{Form, Type, is_wide, read_bits};
use super::value::{Binary, Expression, Level};

/// A variable in scope.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    /// Its name.
    pub(super) name: String,
    /// Its type.
    pub(super) ty: Type,
    /// Whether it may be written.
    pub(super) writable: bool,
    /// Whether only its name leads to it: it is local, and its address is never taken.
    pub(super) private: bool,
    /// What its value is at least and at most, where that is known.
    pub(super) range: Option<Range>,
    /// The depth of the block it is declared in; 0 for the file.
    pub(super) depth: usize,
    /// The depth of the block with which it ends; 0 if it lasts as long as the program.
    pub(super) lifetime: usize,
    /// Whether it is initialised; until then it only hides others of its name.
    pub(super) ready: bool,
}

/// What an expression may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    /// Every variable in scope.
    Any,
    /// Only what no call can change.
    Private,
    /// Nothing: the expression is constant.
    Nothing,
}

/// Part of a variable.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// How it is written.
    pub(super) text: String,
    /// How strongly that binds.
    pub(super) level: Level,
    /// Its type.
    pub(super) ty: Type,
    /// Its width, if it is a bit-field.
    pub(super) bits: Option<u32>,
    /// What its value is at least and at most, where that is known.
    pub(super) range: Option<Range>,
    /// The depth of the block with which it ends.
    pub(super) lifetime: usize,
    /// Whether it is a whole variable.
    pub(super) whole: bool,
}

/// Which places are wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// What may be read.
    pub(super) reads: Reads,
    /// Whether the way there is constant: through no pointer, with constant indices.
    pub(super) constant: bool,
    /// Only those that may be written.
    pub(super) writable: bool,
    /// Only those a pointer that ends with the block of this depth may point to.
    pub(super) target: Option<usize>,
}

impl Wanted {
    /// Places to read.
    pub(super) fn read(reads: Reads) -> Wanted {
        Wanted { reads, constant: false, writable: false, target: None }
    }

    /// Places to write.
    pub(super) fn write(reads: Reads) -> Wanted {
        Wanted { reads, constant: false, writable: true, target: None }
    }

    /// Places to point to from a pointer that ends with the block of that depth.
    pub(super) fn target(lifetime: usize) -> Wanted {
        Wanted { reads: Reads::Any, constant: false, writable: true, target: Some(lifetime) }
    }

    /// Places whose address is constant.
    pub(super) fn constant_target() -> Wanted {
        Wanted { constant: true, ..Wanted::target(0) }
    }

    fn through_pointers(self) -> bool {
        self.reads == Reads::Any && !self.constant
    }

    fn index_reads(self) -> Reads {
        if self.constant { Reads::Nothing } else { self.reads }
    }
}

impl Generator<'_> {
    /// A random place that is wanted and accepted, by its type and, for a bit-field, its width.
    pub(super) fn place(&mut self, wanted: Wanted, accept: &dyn Fn(&Type) -> bool) -> Option<Place> {
        let found: Vec<usize> = (0..self.variables.len())
            .filter(|index| {
                let variable = &self.variables[*index];
                self.is_visible(*index) && fits(variable, wanted) && self.reaches(&variable.ty, wanted, accept)
            })
            .collect();
        if found.is_empty() {
            return None;
        }
        let variable = self.variables[*self.random.choose(&found)].clone();
        let mut place = Place {
            text: variable.name,
            level: Level::Primary,
            ty: variable.ty,
            bits: None,
            range: variable.range,
            lifetime: variable.lifetime,
            whole: true,
        };
        while !accept(&place.ty) || (self.can_descend(&place, wanted, accept) && self.random.percent(70)) {
            place = self.descend(place, wanted, accept);
        }
        Some(place)
    }

    /// A random place of an integer, bit-fields and enumerations among them.
    pub(super) fn scalar_place(&mut self, wanted: Wanted) -> Option<Place> {
        self.place(wanted, &|ty| matches!(ty, Type::Scalar(_) | Type::Enumeration(_)))
    }

    /// The value of a place of an integer.
    pub(super) fn read(&self, place: &Place) -> Expression {
        let scalar = self.scalar_of(&place.ty);
        match (place.bits, place.range) {
            (Some(bits), _) => read_bits(place.text.clone(), place.level, scalar, bits),
            (None, Some(range)) => Expression::ranged(place.text.clone(), place.level, scalar, range),
            (None, None) => Expression::any(place.text.clone(), place.level, scalar),
        }
    }

    /// Whether the place is a bit-field whose own type compilers do not agree on.
    pub(super) fn is_wide(&self, place: &Place) -> bool {
        place.bits.is_some_and(|bits| is_wide(self.scalar_of(&place.ty), bits))
    }

    /// The integer type of a scalar or enumeration.
    pub(super) fn scalar_of(&self, ty: &Type) -> Scalar {
        match ty {
            Type::Scalar(scalar) => *scalar,
            Type::Enumeration(index) => self.enumerations[*index].scalar(),
            other => unreachable!("{other:?} is no integer"),
        }
    }

    /// An index below the length.
    pub(super) fn index(&mut self, length: usize, reads: Reads) -> Expression {
        let bounds = Range::new(0, length as i128 - 1);
        if reads != Reads::Nothing && self.random.percent(50) {
            let counters: Vec<usize> = (0..self.variables.len())
                .filter(|index| {
                    self.is_visible(*index) && self.variables[*index].range.is_some_and(|r| r.within(bounds))
                })
                .collect();
            if !counters.is_empty() {
                let counter = &self.variables[*self.random.choose(&counters)];
                let scalar = self.scalar_of(&counter.ty);
                return Expression::ranged(counter.name.clone(), Level::Primary, scalar, bounds);
            }
        }
        if reads == Reads::Nothing || length == 1 || self.index_depth >= 2 || self.random.percent(40) {
            return Expression::int(self.random.below(length) as i32);
        }
        self.index_depth += 1;
        let value = self.expression(1, reads);
        self.index_depth -= 1;
        let index = if length.is_power_of_two() && self.random.percent(60) {
            Expression::binary(Binary::And, &value, &Expression::int(length as i32 - 1))
        } else {
            let narrow = *self.random.choose(&[Scalar::Unsigned, Scalar::UnsignedChar, Scalar::UnsignedLong]);
            Expression::binary(Binary::Rem, &value.cast(narrow), &Expression::int(length as i32))
        };
        index.filter(|index| index.is_within(bounds)).unwrap_or_else(|| Expression::int(0))
    }

    /// Whether the variable is initialised and not hidden by another of its name.
    pub(super) fn is_visible(&self, index: usize) -> bool {
        let variable = &self.variables[index];
        variable.ready && !self.variables[index + 1..].iter().any(|later| later.name == variable.name)
    }

    fn can_descend(&self, place: &Place, wanted: Wanted, accept: &dyn Fn(&Type) -> bool) -> bool {
        match &place.ty {
            Type::Array(element, _) => self.reaches(element, wanted, accept),
            Type::Record(index) => self.has_way(*index, wanted, accept),
            Type::Pointer(target) | Type::Cursor(target, ..) => {
                wanted.through_pointers() && self.reaches(target, wanted, accept)
            }
            _ => false,
        }
    }

    fn reaches(&self, ty: &Type, wanted: Wanted, accept: &dyn Fn(&Type) -> bool) -> bool {
        if accept(ty) {
            return true;
        }
        match ty {
            Type::Array(element, _) => self.reaches(element, wanted, accept),
            Type::Record(index) => self.has_way(*index, wanted, accept),
            Type::Pointer(target) | Type::Cursor(target, ..) => {
                wanted.through_pointers() && self.reaches(target, wanted, accept)
            }
            _ => false,
        }
    }

    fn has_way(&self, record: usize, wanted: Wanted, accept: &dyn Fn(&Type) -> bool) -> bool {
        (0..self.records[record].fields.len()).any(|field| self.is_way(record, field, wanted, accept))
    }

    fn is_way(&self, record: usize, field: usize, wanted: Wanted, accept: &dyn Fn(&Type) -> bool) -> bool {
        let record = &self.records[record];
        let field = &record.fields[field];
        record.form != Form::Choice
            && !(wanted.target.is_some() && field.bits.is_some())
            && self.reaches(&field.ty, wanted, accept)
    }

    fn descend(&mut self, place: Place, wanted: Wanted, accept: &dyn Fn(&Type) -> bool) -> Place {
        let Place { text, level, lifetime, .. } = place;
        let postfix = if level >= Level::Postfix { text.clone() } else { format!("({text})") };
        let unary = if level >= Level::Unary { text } else { format!("({text})") };
        let (text, level, ty, bits) = match place.ty {
            Type::Array(element, length) => {
                let index = self.index(length, wanted.index_reads());
                let (text, level) = self.element(&postfix, &index);
                (text, level, *element, None)
            }
            Type::Record(record) => {
                let ways: Vec<usize> = (0..self.records[record].fields.len())
                    .filter(|field| self.is_way(record, *field, wanted, accept))
                    .collect();
                let field = self.records[record].fields[*self.random.choose(&ways)].clone();
                let arrow = postfix.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')'));
                let text = match arrow.filter(|inner| is_simple(inner)) {
                    Some(inner) if self.random.percent(70) => format!("{inner}->{}", field.name),
                    _ => format!("{postfix}.{}", field.name),
                };
                (text, Level::Postfix, field.ty, field.bits)
            }
            Type::Pointer(target) if self.random.percent(85) => (format!("*{unary}"), Level::Unary, *target, None),
            Type::Pointer(target) => (format!("{postfix}[0]"), Level::Postfix, *target, None),
            Type::Cursor(element, before, after) => {
                let index = self.index(before + after + 1, wanted.index_reads());
                let is_int = index.view.all(|view| view.scalar.promoted() == Scalar::Int);
                let index = if is_int { index } else { index.cast(Scalar::Int) };
                let shifted = Expression::binary(Binary::Sub, &index, &Expression::int(before as i32));
                let index = shifted.filter(|_| before > 0).unwrap_or(index);
                let (text, level) = self.element(&postfix, &index);
                (text, level, *element, None)
            }
            other => unreachable!("nothing is in {other:?}"),
        };
        Place { text, level, ty, bits, range: None, lifetime, whole: false }
    }

    /// An element of an array or behind a pointer: `a[i]`, `*(a + i)` or `i[a]`.
    fn element(&mut self, array: &str, index: &Expression) -> (String, Level) {
        match self.random.below(12) {
            0 => (format!("*({array} + {})", index.at(Level::Product)), Level::Unary),
            1 => (format!("{}[{array}]", index.at(Level::Primary)), Level::Postfix),
            _ => (format!("{array}[{}]", index.text), Level::Postfix),
        }
    }
}

/// Whether the variable may be the start of the way to a wanted place.
fn fits(variable: &Variable, wanted: Wanted) -> bool {
    let readable = match wanted.reads {
        Reads::Any => true,
        Reads::Private => variable.private,
        Reads::Nothing => false,
    };
    let target = wanted.target.is_none_or(|lifetime| !variable.private && variable.lifetime <= lifetime);
    readable && target && (variable.writable || !wanted.writable)
}

fn is_simple(text: &str) -> bool {
    text.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

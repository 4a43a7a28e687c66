//! How the content of an object is written: a symbol for each offset that is read, or arrays over its elements.
//!
//! An array has the offsets of bytes for indices. There is one for each *field* of the elements: the offsets that are
//! the same modulo the elements' size, and that are read and written at one width. Where widths mix, elements are bytes.

use super::{alike, size_of};
use crate::program::{MachineInt, Type};
use crate::term::{Offsets, gcd};
use std::collections::BTreeMap;

/// The way an object's content is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Layout {
    /// The offsets with a symbol of their own.
    pub(super) cells: BTreeMap<i64, Type>,
    /// The elements of the arrays; then cells are only of what lies before them.
    pub(super) elements: Option<Elements>,
}

impl Layout {
    /// Takes in what is read of another object.
    pub(super) fn take(&mut self, other: &Layout, pointer_bytes: u32) {
        if let Some(elements) = &mut self.elements {
            let fields = other.elements.iter().flat_map(|others| others.fields().map(|field| (others.stride, field)));
            for (step, (rest, ty)) in fields {
                elements.read(Offsets { rest, step }, ty, pointer_bytes);
            }
            return;
        }
        for (&at, &ty) in &other.cells {
            let end = at + size_of(ty, pointer_bytes);
            let before = self.cells.range(..end).next_back();
            if before.is_none_or(|(&start, &known)| start + size_of(known, pointer_bytes) <= at) {
                self.cells.insert(at, ty);
            }
        }
    }
}

/// What an object is an array of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Elements {
    /// How many bytes an element has.
    stride: i64,
    /// Where in an element there are fields: no two overlap.
    fields: BTreeMap<i64, Type>,
}

/// What a write to an array changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Affected {
    /// Nothing that is read.
    Nothing,
    /// One field, as a whole.
    Field(i64, Type),
    /// Parts of fields, or several.
    Parts,
}

/// The type of bytes where widths mix.
pub(in crate::formula) const BYTE: Type = Type::Machine(MachineInt { width: 8, signed: false });

impl Elements {
    /// Elements of which nothing is read yet.
    pub(super) fn new(stride: i64) -> Elements {
        Elements { stride: stride.max(1), fields: BTreeMap::new() }
    }

    /// Elements that are bytes, whatever is read and written.
    pub(super) fn bytes() -> Elements {
        Elements { stride: 1, fields: BTreeMap::from([(0, BYTE)]) }
    }

    /// Whether elements are bytes of wider values.
    pub(super) fn is_bytes(&self) -> bool {
        self.stride == 1 && self.fields.get(&0) == Some(&BYTE)
    }

    /// The fields, with where they are in an element.
    pub(super) fn fields(&self) -> impl Iterator<Item = (i64, Type)> + '_ {
        self.fields.iter().map(|(rest, ty)| (*rest, *ty))
    }

    /// How far elements are apart.
    pub(super) fn stride(&self) -> i64 {
        self.stride
    }

    /// Makes a field of what is read at the offsets; where that does not go with the others, elements become bytes.
    pub(super) fn read(&mut self, at: Offsets, ty: Type, pointer_bytes: u32) {
        let before = std::mem::replace(self, Elements::new(gcd(self.stride, at.step)));
        if before.is_bytes() {
            *self = before;
            return;
        }
        let old = before.fields.into_iter().map(|(rest, ty)| (Offsets::at(rest), ty));
        for (at, ty) in old.chain([(at, ty)]) {
            match self.affected(at, ty, pointer_bytes) {
                Affected::Field(..) => {}
                Affected::Nothing if size_of(ty, pointer_bytes) <= self.stride => {
                    self.fields.insert(at.rest.rem_euclid(self.stride), ty);
                }
                _ => {
                    *self = Elements::bytes();
                    return;
                }
            }
        }
    }

    /// What a value of that type at the offsets has to do with the fields.
    pub(super) fn affected(&self, at: Offsets, ty: Type, pointer_bytes: u32) -> Affected {
        let bytes = size_of(ty, pointer_bytes);
        let stride = gcd(self.stride, at.step);
        let rest = at.rest.rem_euclid(stride);
        let apart = |field: i64, width: i64| {
            let field = field.rem_euclid(stride);
            (field - rest).rem_euclid(stride) >= bytes && (rest - field).rem_euclid(stride) >= width
        };
        let mut touched = self.fields().filter(|(field, ty)| !apart(*field, size_of(*ty, pointer_bytes)));
        match (touched.next(), touched.next()) {
            (None, _) => Affected::Nothing,
            (Some((field, known)), None) if stride == self.stride && field == rest && alike(known, ty) => {
                Affected::Field(field, known)
            }
            _ => Affected::Parts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Type = Type::Machine(MachineInt { width: 32, signed: true });
    const LONG: Type = Type::Machine(MachineInt { width: 64, signed: true });

    fn of(accesses: &[(i64, i64, Type)]) -> Elements {
        let mut elements = Elements::new(accesses[0].1);
        for &(rest, step, ty) in accesses {
            elements.read(Offsets { rest, step }, ty, 8);
        }
        elements
    }

    #[test]
    fn fields_of_structs_stay_apart() {
        let elements = of(&[(0, 16, INT), (8, 16, LONG), (4, 16, INT), (24, 0, LONG)]);
        assert_eq!(elements.fields().collect::<Vec<_>>(), [(0, INT), (4, INT), (8, LONG)]);
        assert_eq!(elements.affected(Offsets { rest: 8, step: 32 }, LONG, 8), Affected::Field(8, LONG));
        assert_eq!(elements.affected(Offsets { rest: 12, step: 16 }, INT, 8), Affected::Parts);
    }

    #[test]
    fn a_finer_step_makes_one_field_of_several() {
        let elements = of(&[(0, 16, INT), (4, 16, INT), (0, 4, INT)]);
        assert_eq!((elements.stride(), elements.fields().count()), (4, 1));
    }

    #[test]
    fn widths_that_mix_are_bytes() {
        assert!(of(&[(0, 4, INT), (0, 1, BYTE)]).is_bytes());
        assert!(of(&[(0, 8, LONG), (4, 0, INT)]).is_bytes());
        // An access that is not aligned overlaps with its neighbours.
        assert!(of(&[(0, 1, INT)]).is_bytes());
        assert!(!of(&[(3, 1, BYTE)]).fields().any(|(rest, _)| rest != 0));
    }

    #[test]
    fn elements_may_begin_behind_a_header() {
        let elements = of(&[(4, 8, LONG)]);
        assert_eq!(elements.affected(Offsets::at(12), LONG, 8), Affected::Field(4, LONG));
        assert_eq!(elements.affected(Offsets::at(8), LONG, 8), Affected::Parts);
    }
}

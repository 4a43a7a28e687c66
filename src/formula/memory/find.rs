//! Cells and fields of objects: what there is at an offset, and what is made of it when it is read.

use super::layout::{Affected, Elements};
use super::{BYTE, Cell, Found, Memory, Object, Representation, Wanted, alike, is_region, size_of};
use crate::formula::encode::Arithmetic;
use crate::program::{OFFSET, Type};
use crate::term::{Offsets, Sort, Symbol, Terms, gcd};

/// How far elements are apart in objects that would not need to be arrays: no field of a small structure is one with another.
const FORCED_STRIDE: i64 = 64;

impl Memory {
    /// What is read at offsets of an object as a type, which may make a cell or a field of it.
    pub(in crate::formula) fn find(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        object: Object,
        at: Offsets,
        ty: Type,
    ) -> Found {
        if arithmetic.sort_of(ty).is_err() && ty != Type::Pointer {
            return Found::Opaque;
        }
        let number = object.number;
        if at.step != 0 || self.is_array_at(number, at.rest) {
            return self.find_field(terms, arithmetic, object, at, ty);
        }
        let (bytes, pointer_bytes) = (self.bytes_of(ty), self.pointer_bytes);
        if at.rest >= self.header_bytes {
            match self.representation {
                Representation::Chosen | Representation::Regions => {}
                Representation::Arrays | Representation::RegionsOfArrays => self.make_array(number, FORCED_STRIDE),
                Representation::Bytes => self.mix(number),
            }
        }
        let layout = self.layouts.entry(number).or_default();
        let mut ty = ty;
        match layout.cells.get(&at.rest) {
            Some(&known) if known == ty => {}
            Some(&known) if alike(known, ty) => ty = known,
            _ => {
                let overlaps = layout
                    .cells
                    .range(..at.rest + bytes)
                    .next_back()
                    .is_some_and(|(&start, &known)| start + size_of(known, pointer_bytes) > at.rest);
                if overlaps {
                    self.mix(number);
                    return Found::Opaque;
                }
                self.grown = true;
                layout.cells.insert(at.rest, ty);
            }
        }
        Found::Cell(self.cell(terms, arithmetic, object, at.rest, ty))
    }

    /// Whether the content of an object at an offset is in arrays.
    pub(in crate::formula) fn is_array_at(&self, object: i64, at: i64) -> bool {
        at >= self.header_bytes && self.layouts.get(&object).is_some_and(|layout| layout.elements.is_some())
    }

    /// Whether the content of an object behind its header is in arrays.
    pub(in crate::formula) fn is_array(&self, object: i64) -> bool {
        self.is_array_at(object, self.header_bytes)
    }

    fn find_field(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        object: Object,
        at: Offsets,
        ty: Type,
    ) -> Found {
        let number = object.number;
        self.make_array(number, at.step);
        let pointer_bytes = self.pointer_bytes;
        let Some(elements) = self.layouts.get_mut(&number).and_then(|layout| layout.elements.as_mut()) else {
            return Found::Opaque;
        };
        let mut after = elements.clone();
        after.read(at, ty, pointer_bytes);
        if after.is_bytes() && !elements.is_bytes() && elements.fields().next().is_some() {
            self.mix(number);
            return Found::Opaque;
        }
        self.grown |= *elements != after;
        *elements = after;
        let is_bytes = elements.is_bytes();
        let affected = elements.affected(at, ty, pointer_bytes);
        match affected {
            Affected::Field(rest, known) => Found::Field(self.field(terms, arithmetic, object, rest, known)),
            _ if is_bytes && ty != Type::Pointer => Found::Bytes(self.field(terms, arithmetic, object, 0, BYTE)),
            _ => Found::Opaque,
        }
    }

    /// What a write of that type at offsets of an array changes: a field, or bytes of what is read.
    pub(in crate::formula) fn find_written(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        object: Object,
        at: Offsets,
        ty: Type,
    ) -> Option<Found> {
        let pointer_bytes = self.pointer_bytes;
        let affected = |elements: &Elements| elements.affected(at, ty, pointer_bytes);
        match self.layouts.get(&object.number).and_then(|layout| layout.elements.as_ref()).map(affected)? {
            Affected::Nothing => None,
            Affected::Field(rest, known) => Some(Found::Field(self.field(terms, arithmetic, object, rest, known))),
            Affected::Parts => {
                self.mix(object.number);
                Some(match ty {
                    Type::Pointer => Found::Opaque,
                    _ => Found::Bytes(self.field(terms, arithmetic, object, 0, BYTE)),
                })
            }
        }
    }

    /// Wants an object written as arrays of elements that are so many bytes apart, if it is not written so already.
    pub(in crate::formula) fn make_array(&mut self, object: i64, stride: i64) {
        if self.layouts.get(&object).is_some_and(|layout| layout.elements.is_some()) {
            return;
        }
        let wanted = self.wanted.entry(object).or_insert(Wanted::Elements(stride));
        if let Wanted::Elements(known) = wanted {
            *known = gcd(*known, stride);
        }
    }

    /// Wants an object written as bytes.
    pub(in crate::formula) fn mix(&mut self, object: i64) {
        let elements = self.layouts.get(&object).and_then(|layout| layout.elements.as_ref());
        if !elements.is_some_and(Elements::is_bytes) {
            self.wanted.insert(object, Wanted::Bytes);
        }
    }

    /// Writes an object as arrays.
    pub(super) fn lay_out(&mut self, object: i64, wanted: Wanted) {
        let layout = self.layouts.entry(object).or_default();
        let cells = layout.cells.split_off(&self.header_bytes);
        let mut elements = match wanted {
            Wanted::Elements(stride) => Elements::new(stride),
            Wanted::Bytes => Elements::bytes(),
        };
        for (at, ty) in cells {
            elements.read(Offsets::at(at), ty, self.pointer_bytes);
        }
        layout.elements = Some(elements);
    }

    /// The fields of an object that is written as arrays, with where they are in an element and how far elements are
    /// apart.
    pub(in crate::formula) fn fields(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        object: Object,
    ) -> Vec<(Offsets, Cell)> {
        let Some(elements) = self.layouts.get(&object.number).and_then(|layout| layout.elements.clone()) else {
            return Vec::new();
        };
        let step = elements.stride();
        let of = |(rest, ty)| (Offsets { rest, step }, self.field(terms, arithmetic, object, rest, ty));
        elements.fields().map(of).collect()
    }

    /// The cells of an object that a write of many places at offsets may change.
    pub(in crate::formula) fn may_touch_cells(&self, object: i64, at: Offsets, ty: Type) -> bool {
        let Some(layout) = self.layouts.get(&object) else { return false };
        let mut elements = Elements::new(at.step);
        elements.read(at, ty, self.pointer_bytes);
        let cells = layout.cells.range(self.header_bytes..);
        let touches = |(start, ty): (&i64, &Type)| {
            elements.affected(Offsets::at(*start), *ty, self.pointer_bytes) != Affected::Nothing
        };
        cells.into_iter().any(touches)
    }

    /// Whether an object of a size can be read and written at offsets as a type without being written as bytes for that.
    pub(in crate::formula) fn admits(&self, object: i64, at: Offsets, ty: Type, size: Option<i64>) -> bool {
        let bytes = self.bytes_of(ty);
        if size.is_some_and(|size| size < bytes || at.step == 0 && at.rest > size - bytes) {
            return true;
        }
        let Some(layout) = self.layouts.get(&object) else { return at.step == 0 || at.step >= bytes };
        let mut elements = match &layout.elements {
            Some(elements) => elements.clone(),
            None if at.step == 0 => {
                let mut touched = layout.cells.range(..at.rest + bytes).rev();
                return touched.next().is_none_or(|(&start, &known)| {
                    start + self.bytes_of(known) <= at.rest || start == at.rest && alike(known, ty)
                });
            }
            None => Elements::new(at.step),
        };
        let was_bytes = elements.is_bytes();
        for (&start, &known) in layout.cells.range(self.header_bytes..) {
            elements.read(Offsets::at(start), known, self.pointer_bytes);
        }
        elements.read(at, ty, self.pointer_bytes);
        was_bytes || !elements.is_bytes() || ty == BYTE
    }

    /// The symbol whose value is the size of an object, where that is not a known number.
    pub(in crate::formula) fn size_symbol(&mut self, terms: &mut Terms, arithmetic: Arithmetic, object: i64) -> Symbol {
        self.symbol(terms, arithmetic, object, &format!("size!{object}"), OFFSET, false)
    }

    /// Whether the symbol's value is the size of one object. It is not negative: no object has such a size.
    pub fn is_size(&self, terms: &Terms, symbol: Symbol) -> bool {
        let is_region = self.owner(symbol).is_none_or(is_region);
        !is_region && terms.name(symbol).starts_with("size!")
    }

    /// The cells of an object that overlap with a piece of it.
    pub(in crate::formula) fn overlapping(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        object: Object,
        at: i64,
        bytes: i64,
    ) -> Vec<(i64, Cell)> {
        let Some(layout) = self.layouts.get(&object.number) else { return Vec::new() };
        let end = at.saturating_add(bytes);
        let found = layout.cells.range(..end).filter(|(start, ty)| *start + size_of(**ty, self.pointer_bytes) > at);
        let found: Vec<(i64, Type)> = found.map(|(start, ty)| (*start, *ty)).collect();
        found.into_iter().map(|(start, ty)| (start, self.cell(terms, arithmetic, object, start, ty))).collect()
    }

    /// The object and the offset of a cell, by one of its symbols.
    pub fn place_of_cell(&self, terms: &Terms, symbol: Symbol) -> Option<(i64, i64)> {
        self.type_of(symbol)?;
        let mut parts = terms.name(symbol).strip_prefix("cell!")?.split('!');
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    }

    /// All cells of an object, with their offsets.
    pub(in crate::formula) fn cells(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        object: Object,
    ) -> Vec<(i64, Cell)> {
        self.overlapping(terms, arithmetic, object, 0, i64::MAX)
    }

    /// Makes cells of pointers that are copied from one object to another.
    pub(in crate::formula) fn copy_pointers(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        from: (Object, i64),
        to: (Object, i64),
        bytes: i64,
    ) {
        if !self.keeps_pointers {
            return;
        }
        for (place, cell) in self.overlapping(terms, arithmetic, from.0, from.1, bytes) {
            let target = place - from.1 + to.1;
            if cell.ty == Type::Pointer && target >= to.1 && target + self.bytes_of(cell.ty) <= to.1 + bytes {
                self.find(terms, arithmetic, to.0, Offsets::at(target), cell.ty);
            }
        }
    }

    fn cell(&mut self, terms: &mut Terms, arithmetic: Arithmetic, object: Object, at: i64, ty: Type) -> Cell {
        let kind = if is_region(object.number) { "region" } else { "cell" };
        self.named(terms, arithmetic, object, &format!("{kind}!{}!{at}!{ty}", object.number), ty, false)
    }

    /// The arrays of a field.
    fn field(&mut self, terms: &mut Terms, arithmetic: Arithmetic, object: Object, rest: i64, ty: Type) -> Cell {
        let number = object.number;
        let elements = self.layouts.get(&number).and_then(|layout| layout.elements.as_ref());
        let stride = elements.map_or(1, Elements::stride);
        self.named(terms, arithmetic, object, &format!("array!{number}!{rest}!{stride}!{ty}"), ty, true)
    }

    fn named(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        Object { number, member }: Object,
        name: &str,
        ty: Type,
        is_array: bool,
    ) -> Cell {
        let is_noted = self.is_written_noted(number);
        let mut symbol = |name: String, ty| self.symbol(terms, arithmetic, number, &name, ty, is_array);
        let (value, offset) = match ty {
            Type::Pointer => {
                (symbol(format!("{name}!object"), Type::Int), Some(symbol(format!("{name}!offset"), OFFSET)))
            }
            ty => (symbol(name.to_owned(), ty), None),
        };
        let written = is_noted.then(|| symbol(format!("{name}!written"), Type::Bool));
        if offset.is_none() {
            return Cell { ty, member, value, offset, written };
        }
        match is_array || is_region(number) {
            true => self.pointer_arrays.insert(value, number),
            false => self.objects.insert(value, number),
        };
        Cell { ty, member, value, offset, written }
    }

    /// Whether it is noted which cells of an object were written.
    fn is_written_noted(&self, object: i64) -> bool {
        self.has_copies
            && match is_region(object) {
                true => self.has_unwritten_members(object),
                false => !self.zeroed[object as usize - 1],
            }
    }

    pub(super) fn symbol(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        object: i64,
        name: &str,
        ty: Type,
        is_array: bool,
    ) -> Symbol {
        let mut sort = arithmetic.sort_of(ty).expect("a cell's parts have sorts");
        if is_array {
            let index = arithmetic.sort_of(OFFSET).expect("offsets have a sort");
            sort = Sort::array(index, sort);
        }
        if is_region(object) {
            sort = Sort::array(Sort::Int, sort);
        }
        let term = terms.var(&format!("{name}!{sort}"), sort);
        let symbol = terms.as_symbol(term).expect("a free constant is its symbol");
        self.types.insert(symbol, (ty, object));
        symbol
    }
}

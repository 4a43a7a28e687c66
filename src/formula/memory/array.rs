//! Reads and writes of objects that are written as arrays.

use super::access::Content;
use super::{BYTE, Cell, Found, Object, PointerTerm};
use crate::formula::encode::block::Block;
use crate::formula::encode::{Arithmetic, FirstContent, Unsupported};
use crate::program::{BinaryOp, MachineInt, OFFSET, Type};
use crate::term::{Integer, Offsets, Sort, Symbol, TermId, Terms};

impl Block<'_, '_> {
    /// What an object has at an offset of which it is known what it has in common with others.
    pub(in crate::formula) fn read_array(
        &mut self,
        terms: &mut Terms,
        object: Object,
        offset: TermId,
        offsets: Option<Offsets>,
        ty: Type,
    ) -> Content {
        let (Some(offsets), Some(access)) = (offsets, &mut self.access) else { return Content::Unknown };
        match access.memory.find(terms, self.encoder.arithmetic, object, offsets, ty) {
            Found::Cell(cell) => self.content(terms, cell, ty),
            Found::Field(field) => self.element(terms, field, offset, ty),
            Found::Bytes(bytes) => self.read_bytes(terms, bytes, offset, ty).unwrap_or(Content::Unknown),
            Found::Opaque => Content::Unknown,
        }
    }

    /// What a field's array holds at an offset.
    fn element(&mut self, terms: &mut Terms, field: Cell, offset: TermId, ty: Type) -> Content {
        match field.offset {
            Some(offsets) => {
                let object = self.selected(terms, (field.member, field.value), Type::Int, offset);
                let offset = self.selected(terms, (field.member, offsets), OFFSET, offset);
                Content::Pointer(self.simplest(terms, PointerTerm { object, offset }))
            }
            None => {
                let value = self.selected(terms, (field.member, field.value), field.ty, offset);
                match field.ty == ty {
                    true => Content::Scalar(value),
                    false => self.reinterpret(terms, field.ty, ty, value).map_or(Content::Unknown, Content::Scalar),
                }
            }
        }
    }

    /// An element of an array. It is a value of its type, whatever the array is.
    fn selected(
        &mut self,
        terms: &mut Terms,
        (member, array): (Option<TermId>, Symbol),
        ty: Type,
        offset: TermId,
    ) -> TermId {
        let array = self.symbol_value(terms, member, array);
        let value = terms.select(array, offset);
        self.take_as(terms, value, ty);
        self.restrict_to_type(terms, value, ty);
        value
    }

    /// A value of several bytes.
    fn read_bytes(&mut self, terms: &mut Terms, bytes: Cell, offset: TermId, ty: Type) -> Option<Content> {
        let machine = unsigned(ty)?;
        let mut parts = Vec::new();
        for number in 0..i64::from(machine.bytes()) {
            let at = self.behind(terms, offset, number);
            parts.push(self.selected(terms, (bytes.member, bytes.value), BYTE, at));
        }
        let value = match self.encoder.arithmetic {
            Arithmetic::Bits => parts.into_iter().reduce(|low, high| terms.concat(high, low))?,
            Arithmetic::Integers => {
                let mut sum = terms.int(0);
                for (number, part) in parts.into_iter().enumerate() {
                    let factor = terms.int(Integer::power_of_two(8 * number as u32));
                    let part = terms.mul(part, factor);
                    sum = terms.add(sum, part);
                }
                self.restrict_to_type(terms, sum, Type::Machine(machine));
                sum
            }
        };
        let from = Type::Machine(machine);
        if from == ty {
            return Some(Content::Scalar(value));
        }
        self.reinterpret(terms, from, ty, value).ok().map(Content::Scalar)
    }

    /// The offset so many bytes after another; both are inside an object.
    pub(in crate::formula) fn behind(&self, terms: &mut Terms, offset: TermId, bytes: i64) -> TermId {
        let more = self.encoder.offset(terms, bytes);
        match self.encoder.arithmetic {
            Arithmetic::Bits => terms.bv_add(offset, more),
            Arithmetic::Integers => terms.add(offset, more),
        }
    }

    /// Whether what is read of an array at an offset was ever written, as far as that is noted.
    pub(in crate::formula) fn written_in(
        &mut self,
        terms: &mut Terms,
        found: Found,
        offset: TermId,
        ty: Type,
    ) -> TermId {
        let (Found::Field(cell) | Found::Bytes(cell)) = found else { return terms.bool(true) };
        let Some(written) = cell.written else { return terms.bool(true) };
        let array = self.symbol_value(terms, cell.member, written);
        let memory = &self.access.as_ref().expect("memory is known here").memory;
        let bytes = if matches!(found, Found::Bytes(_)) { memory.bytes_of(ty) } else { 1 };
        let mut all = Vec::new();
        for number in 0..bytes {
            let at = self.behind(terms, offset, number);
            all.push(terms.select(array, at));
        }
        terms.and(all)
    }

    /// Where the condition holds, notes whether a place of a copy was ever written.
    pub(in crate::formula) fn set_written(
        &mut self,
        terms: &mut Terms,
        flag: (Option<TermId>, Symbol),
        offset: TermId,
        written: TermId,
        condition: TermId,
    ) {
        self.store_in(terms, flag, offset, written, condition);
    }

    /// Where the condition holds, an object has the content at an offset.
    pub(super) fn write_array(
        &mut self,
        terms: &mut Terms,
        object: Object,
        (offset, offsets): (TermId, Option<Offsets>),
        ty: Type,
        content: Content,
        condition: TermId,
    ) {
        let arithmetic = self.encoder.arithmetic;
        let memory = &mut self.access.as_mut().expect("memory is known here").memory;
        let number = object.number;
        let Some(offsets) = offsets else { return self.write_somewhere(terms, object) };
        if !memory.is_array(number) {
            // Of what no cell is made nothing is read so far.
            let keeps = ty == Type::Pointer && memory.keeps_pointers;
            if !keeps && !memory.may_touch_cells(number, offsets, ty) {
                return;
            }
            memory.make_array(number, offsets.step);
        }
        if ty == Type::Pointer && memory.keeps_pointers {
            memory.find(terms, arithmetic, object, offsets, ty);
        }
        match memory.find_written(terms, arithmetic, object, offsets, ty) {
            None | Some(Found::Cell(_)) => {}
            Some(Found::Field(field)) => {
                let content = self.converted(terms, content, ty, field);
                self.set_element(terms, field, offset, content, condition);
            }
            Some(Found::Bytes(bytes)) => self.write_as_bytes(terms, bytes, offset, ty, content, condition),
            Some(Found::Opaque) => {
                let anything = self.any_value(terms, Type::Bool, Sort::Bool, Unsupported::new("a write to memory"));
                let condition = terms.and([condition, anything]);
                self.havoc_arrays(terms, object, condition);
            }
        }
    }

    /// Where the condition holds, a field's array holds the content at an offset.
    pub(in crate::formula) fn set_element(
        &mut self,
        terms: &mut Terms,
        field: Cell,
        offset: TermId,
        content: Content,
        condition: TermId,
    ) {
        let parts: Vec<(Symbol, Type, Option<TermId>)> = match (content, field.offset) {
            (Content::Pointer(pointer), Some(offsets)) => {
                vec![(field.value, Type::Int, Some(pointer.object)), (offsets, OFFSET, Some(pointer.offset))]
            }
            (_, Some(offsets)) => vec![(field.value, Type::Int, None), (offsets, OFFSET, None)],
            (Content::Scalar(value), None) => vec![(field.value, field.ty, Some(value))],
            (_, None) => vec![(field.value, field.ty, None)],
        };
        let truth = terms.bool(true);
        let written = field.written.map(|written| (written, Type::Bool, Some(truth)));
        for (symbol, ty, value) in parts.into_iter().chain(written) {
            let value = value.unwrap_or_else(|| {
                let sort = self.encoder.sort_of(ty).expect("a cell's parts have sorts");
                self.any_value(terms, ty, sort, Unsupported::new("a write to memory"))
            });
            self.store_in(terms, (field.member, symbol), offset, value, condition);
        }
    }

    fn store_in(
        &mut self,
        terms: &mut Terms,
        (member, symbol): (Option<TermId>, Symbol),
        offset: TermId,
        value: TermId,
        condition: TermId,
    ) {
        let array = self.symbol_value(terms, member, symbol);
        let before = terms.select(array, offset);
        let value = terms.ite(condition, value, before);
        let array = terms.store(array, offset, value);
        self.set_symbol(terms, member, symbol, array);
    }

    fn write_as_bytes(
        &mut self,
        terms: &mut Terms,
        bytes: Cell,
        offset: TermId,
        ty: Type,
        content: Content,
        condition: TermId,
    ) {
        let size = self.access.as_ref().expect("memory is known here").memory.bytes_of(ty);
        let parts = match content {
            Content::Scalar(value) => self.bytes_of_value(terms, ty, value),
            _ => None,
        };
        for number in 0..size {
            let at = self.behind(terms, offset, number);
            let part = parts.as_ref().map_or(Content::Unknown, |parts| Content::Scalar(parts[number as usize]));
            self.set_element(terms, bytes, at, part, condition);
        }
    }

    /// The bytes of a value, the lowest first.
    fn bytes_of_value(&mut self, terms: &mut Terms, ty: Type, value: TermId) -> Option<Vec<TermId>> {
        let machine = unsigned(ty)?;
        let value = match ty == Type::Machine(machine) {
            true => value,
            false => self.reinterpret(terms, ty, Type::Machine(machine), value).ok()?,
        };
        let part = |number: u32| match self.encoder.arithmetic {
            Arithmetic::Bits => terms.extract(8 * number + 7, 8 * number, value),
            Arithmetic::Integers => {
                let (above, byte) = (terms.int(Integer::power_of_two(8 * number)), terms.int(256));
                let rest = terms.div(value, above);
                if number + 1 == machine.bytes() { rest } else { terms.modulo(rest, byte) }
            }
        };
        Some((0..machine.bytes()).map(part).collect())
    }

    /// Where the condition holds, the arrays of an object are any.
    pub(super) fn havoc_arrays(&mut self, terms: &mut Terms, object: Object, condition: TermId) {
        let access = self.access.as_mut().expect("memory is known here");
        for (_, field) in access.memory.fields(terms, self.encoder.arithmetic, object) {
            for symbol in field.symbols() {
                let before = self.symbol_value(terms, field.member, symbol);
                let sort = terms.sort(before);
                let access = self.access.as_ref().expect("memory is known here");
                let ty = access.memory.type_of(symbol).expect("it is a cell's");
                let anything = self.any_value(terms, ty, sort, Unsupported::new("a write to memory"));
                let array = terms.ite(condition, anything, before);
                self.set_symbol(terms, field.member, symbol, array);
            }
        }
    }

    /// The arrays of a field hold the content everywhere.
    pub(in crate::formula) fn fill_arrays(&mut self, terms: &mut Terms, field: Cell, content: Content) {
        let truth = terms.bool(true);
        let parts = match (content, field.offset) {
            (Content::Scalar(value), None) => vec![(field.value, value)],
            (Content::Pointer(pointer), Some(offsets)) => {
                vec![(field.value, pointer.object), (offsets, pointer.offset)]
            }
            _ => {
                let mut parts = Vec::new();
                for symbol in [Some(field.value), field.offset].into_iter().flatten() {
                    let access = self.access.as_ref().expect("memory is known here");
                    let ty = access.memory.type_of(symbol).expect("it is a cell's");
                    let sort = self.sort_of_content(terms, field, symbol);
                    let anything = self.any_value(terms, ty, sort, Unsupported::new("a write to memory"));
                    parts.push((symbol, anything));
                }
                parts
            }
        };
        for (symbol, value) in parts.into_iter().chain(field.written.map(|written| (written, truth))) {
            let sort = self.sort_of_content(terms, field, symbol);
            let array = if terms.sort(value) == sort { value } else { terms.const_array(sort, value) };
            self.set_symbol(terms, field.member, symbol, array);
        }
    }

    /// The sort of what a symbol is for an object: of a member of a region, that of the array's elements.
    fn sort_of_content(&self, terms: &Terms, cell: Cell, symbol: Symbol) -> Sort {
        match (cell.member, terms.symbol_sort(symbol)) {
            (Some(_), Sort::Array(members)) => members.element(),
            (_, sort) => sort,
        }
    }

    /// An object has so many bytes, which are not negative.
    pub(super) fn start_size(&mut self, terms: &mut Terms, object: Object, bytes: TermId) {
        let access = self.access.as_mut().expect("memory is known here");
        let symbol = access.memory.size_symbol(terms, self.encoder.arithmetic, object.number);
        self.set_symbol(terms, object.member, symbol, bytes);
        let none = self.encoder.offset(terms, 0);
        let negative = self.binary(terms, BinaryOp::Lt, OFFSET, bytes, none).expect("offsets are compared");
        self.fault(terms, negative);
    }

    /// The first content of the arrays of an object.
    pub(super) fn start_arrays(&mut self, terms: &mut Terms, object: Object, zeroed: bool, statement: u32) {
        let access = self.access.as_mut().expect("memory is known here");
        for (offset, field) in access.memory.fields(terms, self.encoder.arithmetic, object) {
            if zeroed {
                let zero = self.zero(terms, field.ty);
                self.fill_arrays(terms, field, zero);
                continue;
            }
            self.start_field(terms, field, FirstContent::made(statement, offset));
        }
    }

    /// The arrays of a field hold what was never written.
    pub(in crate::formula) fn start_field(&mut self, terms: &mut Terms, field: Cell, place: FirstContent) {
        self.as_first(place, field.offset.is_some(), |block| block.fill_arrays(terms, field, Content::Unknown));
        if let Some(written) = field.written {
            let no = terms.bool(false);
            let none = terms.const_array(self.sort_of_content(terms, field, written), no);
            self.set_symbol(terms, field.member, written, none);
        }
    }
}

/// The machine integer that has the bits of a type.
pub(in crate::formula) fn unsigned(ty: Type) -> Option<MachineInt> {
    match ty {
        Type::Machine(machine) if machine.width % 8 == 0 => Some(MachineInt { signed: false, ..machine }),
        Type::Float(kind) if kind.width() == 8 * kind.bytes() => {
            Some(MachineInt { width: kind.width(), signed: false })
        }
        _ => None,
    }
}

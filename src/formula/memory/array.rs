//! Reads and writes of objects that are written as arrays.

use super::access::Content;
use super::{BYTE, Cell, Found, PointerTerm};
use crate::formula::encode::block::Block;
use crate::formula::encode::{Arithmetic, FirstContent, Unsupported};
use crate::program::{BinaryOp, MachineInt, OFFSET, Type};
use crate::term::{Integer, Offsets, Sort, Symbol, TermId, Terms};

impl Block<'_, '_> {
    /// What an object has at an offset of which it is known what it has in common with others.
    pub(in crate::formula) fn read_array(
        &mut self,
        terms: &mut Terms,
        number: i64,
        offset: TermId,
        offsets: Option<Offsets>,
        ty: Type,
    ) -> Content {
        let (Some(offsets), Some(access)) = (offsets, &mut self.access) else { return Content::Unknown };
        match access.memory.find(terms, self.encoder.arithmetic, number, offsets, ty) {
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
                let object = self.selected(terms, field.value, Type::Int, offset);
                let offset = self.selected(terms, offsets, OFFSET, offset);
                Content::Pointer(self.simplest(terms, PointerTerm { object, offset }))
            }
            None => {
                let value = self.selected(terms, field.value, field.ty, offset);
                match field.ty == ty {
                    true => Content::Scalar(value),
                    false => self.reinterpret(terms, field.ty, ty, value).map_or(Content::Unknown, Content::Scalar),
                }
            }
        }
    }

    /// An element of an array. It is a value of its type, whatever the array is.
    fn selected(&mut self, terms: &mut Terms, array: Symbol, ty: Type, offset: TermId) -> TermId {
        let array = self.array_value(terms, array);
        let value = terms.select(array, offset);
        if let (Arithmetic::Integers, Type::Machine(machine)) = (self.encoder.arithmetic, ty) {
            let (least, most) = (terms.int(machine.min()), terms.int(machine.max()));
            let (above, below) = (terms.le(least, value), terms.le(value, most));
            self.guards.extend([above, below]);
        }
        self.restrict_to_type(terms, value, ty);
        value
    }

    /// The array that a symbol is now.
    pub(in crate::formula) fn array_value(&self, terms: &mut Terms, symbol: Symbol) -> TermId {
        let access = self.access.as_ref().expect("memory is known here");
        access.cells.get(&symbol).copied().unwrap_or_else(|| terms.of_symbol(symbol))
    }

    pub(in crate::formula) fn set_array(&mut self, symbol: Symbol, value: TermId) {
        self.access.as_mut().expect("memory is known here").cells.insert(symbol, value);
    }

    /// A value of several bytes.
    fn read_bytes(&mut self, terms: &mut Terms, bytes: Cell, offset: TermId, ty: Type) -> Option<Content> {
        let machine = unsigned(ty)?;
        let mut parts = Vec::new();
        for number in 0..i64::from(machine.bytes()) {
            let at = self.behind(terms, offset, number);
            parts.push(self.selected(terms, bytes.value, BYTE, at));
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
        let array = self.array_value(terms, written);
        let memory = &self.access.as_ref().expect("memory is known here").memory;
        let bytes = if matches!(found, Found::Bytes(_)) { memory.bytes_of(ty) } else { 1 };
        let mut all = Vec::new();
        for number in 0..bytes {
            let at = self.behind(terms, offset, number);
            all.push(terms.select(array, at));
        }
        terms.and(all)
    }

    /// Notes whether a place of a copy was ever written.
    pub(in crate::formula) fn set_written(&mut self, terms: &mut Terms, flag: Symbol, offset: TermId, written: TermId) {
        let truth = terms.bool(true);
        self.store_in(terms, flag, offset, written, truth);
    }

    /// Where the condition holds, an object has the content at an offset.
    pub(super) fn write_array(
        &mut self,
        terms: &mut Terms,
        number: i64,
        (offset, offsets): (TermId, Option<Offsets>),
        ty: Type,
        content: Content,
        condition: TermId,
    ) {
        let arithmetic = self.encoder.arithmetic;
        let memory = &mut self.access.as_mut().expect("memory is known here").memory;
        let Some(offsets) = offsets else { return self.write_somewhere(terms, number) };
        if !memory.is_array(number) {
            // Of what no cell is made nothing is read so far.
            let keeps = ty == Type::Pointer && memory.keeps_pointers;
            if !keeps && !memory.may_touch_cells(number, offsets, ty) {
                return;
            }
            memory.make_array(number, offsets.step);
        }
        if ty == Type::Pointer && memory.keeps_pointers {
            memory.find(terms, arithmetic, number, offsets, ty);
        }
        match memory.find_written(terms, arithmetic, number, offsets, ty) {
            None | Some(Found::Cell(_)) => {}
            Some(Found::Field(field)) => {
                let content = self.converted(terms, content, ty, field);
                self.set_element(terms, field, offset, content, condition);
            }
            Some(Found::Bytes(bytes)) => self.write_as_bytes(terms, bytes, offset, ty, content, condition),
            Some(Found::Opaque) => {
                let anything = self.any_value(terms, Type::Bool, Sort::Bool, Unsupported::new("a write to memory"));
                let condition = terms.and([condition, anything]);
                self.havoc_arrays(terms, number, condition);
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
            self.store_in(terms, symbol, offset, value, condition);
        }
    }

    fn store_in(&mut self, terms: &mut Terms, symbol: Symbol, offset: TermId, value: TermId, condition: TermId) {
        let array = self.array_value(terms, symbol);
        let before = terms.select(array, offset);
        let value = terms.ite(condition, value, before);
        let array = terms.store(array, offset, value);
        self.set_array(symbol, array);
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

    /// Something in the arrays of an object is written, it is not known what.
    pub(super) fn write_arrays_somewhere(&mut self, terms: &mut Terms, number: i64) {
        let condition = terms.bool(true);
        self.havoc_arrays(terms, number, condition);
    }

    /// Where the condition holds, the arrays of an object are any.
    fn havoc_arrays(&mut self, terms: &mut Terms, number: i64, condition: TermId) {
        let access = self.access.as_mut().expect("memory is known here");
        for (_, field) in access.memory.fields(terms, self.encoder.arithmetic, number) {
            for symbol in field.symbols() {
                let sort = terms.symbol_sort(symbol);
                let access = self.access.as_ref().expect("memory is known here");
                let ty = access.memory.type_of(symbol).expect("it is a cell's");
                let anything = self.any_value(terms, ty, sort, Unsupported::new("a write to memory"));
                let before = self.array_value(terms, symbol);
                let array = terms.ite(condition, anything, before);
                self.set_array(symbol, array);
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
                    let sort = terms.symbol_sort(symbol);
                    let anything = self.any_value(terms, ty, sort, Unsupported::new("a write to memory"));
                    parts.push((symbol, anything));
                }
                parts
            }
        };
        for (symbol, value) in parts.into_iter().chain(field.written.map(|written| (written, truth))) {
            let sort = terms.symbol_sort(symbol);
            let array = if terms.sort(value) == sort { value } else { terms.const_array(sort, value) };
            self.set_array(symbol, array);
        }
    }

    /// An object has so many bytes, which are not negative.
    pub(super) fn start_size(&mut self, terms: &mut Terms, number: i64, bytes: TermId) {
        let access = self.access.as_mut().expect("memory is known here");
        let symbol = access.memory.size_symbol(terms, self.encoder.arithmetic, number);
        access.cells.insert(symbol, bytes);
        let none = self.encoder.offset(terms, 0);
        let negative = self.binary(terms, BinaryOp::Lt, OFFSET, bytes, none).expect("offsets are compared");
        self.fault(terms, negative);
    }

    /// The first content of the arrays of an object.
    pub(super) fn start_arrays(&mut self, terms: &mut Terms, number: i64, zeroed: bool, statement: u32) {
        let access = self.access.as_mut().expect("memory is known here");
        for (offset, field) in access.memory.fields(terms, self.encoder.arithmetic, number) {
            let no = terms.bool(false);
            if zeroed {
                let zero = self.zero(terms, field.ty);
                self.fill_arrays(terms, field, zero);
                continue;
            }
            for symbol in [Some(field.value), field.offset].into_iter().flatten() {
                let constructs = self.constructs.len();
                let unmodelled = self.unmodelled.len();
                let access = self.access.as_ref().expect("memory is known here");
                let ty = access.memory.type_of(symbol).expect("it is a cell's");
                let sort = terms.symbol_sort(symbol);
                let anything = self.any_value(terms, ty, sort, Unsupported::new("a write to memory"));
                if field.offset.is_none() {
                    // It is an input like any other.
                    self.constructs.truncate(constructs);
                    let place = FirstContent { statement, offset };
                    self.unmodelled[unmodelled..].iter_mut().for_each(|input| input.first_of = Some(place));
                } else {
                    self.constructs[constructs..].iter_mut().for_each(|construct| construct.is_any = true);
                }
                self.set_array(symbol, anything);
            }
            if let Some(written) = field.written {
                let none = terms.const_array(terms.symbol_sort(written), no);
                self.set_array(written, none);
            }
        }
    }
}

/// The machine integer that has the bits of a type.
fn unsigned(ty: Type) -> Option<MachineInt> {
    match ty {
        Type::Machine(machine) if machine.width % 8 == 0 => Some(MachineInt { signed: false, ..machine }),
        Type::Float(kind) if kind.width() == 8 * kind.bytes() => {
            Some(MachineInt { width: kind.width(), signed: false })
        }
        _ => None,
    }
}

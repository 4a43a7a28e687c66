//! Members of regions as terms: how they are made, which of them live, and their contents.

use super::access::Content;
use super::{Memory, Object, PointerTerm, Site, is_region};
use crate::formula::encode::block::Block;
use crate::formula::encode::{Arithmetic, FirstContent, Unsupported};
use crate::program::{Region, Type, VarId};
use crate::term::{Offsets, Symbol, TermId, Terms};

/// An object that a statement makes.
pub(super) struct Made {
    pub(super) target: VarId,
    /// How many bytes it has.
    pub(super) bytes: TermId,
    /// The same where that is known.
    pub(super) size: Option<i64>,
    pub(super) lifetime: Region,
    pub(super) zeroed: bool,
}

impl Block<'_, '_> {
    /// What a symbol of an object holds: of a member of a region, what the array holds for it.
    pub(in crate::formula) fn symbol_value(&self, terms: &mut Terms, member: Option<TermId>, symbol: Symbol) -> TermId {
        let access = self.access.as_ref().expect("memory is known here");
        let all = access.cells.get(&symbol).copied().unwrap_or_else(|| terms.of_symbol(symbol));
        match member {
            Some(member) => terms.select(all, member),
            None => all,
        }
    }

    /// Gives a symbol of an object another value.
    pub(in crate::formula) fn set_symbol(
        &mut self,
        terms: &mut Terms,
        member: Option<TermId>,
        symbol: Symbol,
        value: TermId,
    ) {
        let value = match member {
            Some(member) => {
                let all = self.symbol_value(terms, None, symbol);
                terms.store(all, member, value)
            }
            None => value,
        };
        self.access.as_mut().expect("memory is known here").cells.insert(symbol, value);
    }

    /// A value that is read of an array is one of its type, whatever the array is.
    pub(super) fn take_as(&mut self, terms: &mut Terms, value: TermId, ty: Type) {
        if let (Arithmetic::Integers, Type::Machine(machine)) = (self.encoder.arithmetic, ty) {
            let (least, most) = (terms.int(machine.min()), terms.int(machine.max()));
            let (above, below) = (terms.le(least, value), terms.le(value, most));
            self.guards.extend([above, below]);
        }
    }

    /// Before anything is made, regions have no members. What their arrays hold is open, and never read.
    pub(in crate::formula) fn start_regions(&mut self, terms: &mut Terms) {
        let Some(access) = &mut self.access else { return };
        let regions: Vec<i64> = access.memory.region_objects().map(|(number, _)| number).collect();
        for number in regions {
            let access = self.access.as_mut().expect("memory is known here");
            let next = access.memory.next_member(terms, number);
            for symbol in access.memory.symbols_of_region(terms, self.encoder.arithmetic, number) {
                let value = match symbol == next {
                    true => terms.int(Memory::first_member(number)),
                    false => self.any_content(terms, symbol),
                };
                self.set_symbol(terms, None, symbol, value);
            }
        }
    }

    /// A value that a symbol of memory may have before anything is written.
    fn any_content(&mut self, terms: &mut Terms, symbol: Symbol) -> TermId {
        let memory = &self.access.as_ref().expect("memory is known here").memory;
        let ty = memory.type_of(symbol).expect("it is a symbol of memory");
        let before = self.constructs.len();
        let value = self.any_value(terms, ty, terms.symbol_sort(symbol), Unsupported::new("a read of memory"));
        self.constructs.truncate(before);
        value
    }

    /// Makes a member of a region; `false` if its objects cannot be that.
    pub(super) fn make_member(&mut self, terms: &mut Terms, number: i64, site: &Site, made: &Made) -> bool {
        let arithmetic = self.encoder.arithmetic;
        let access = self.access.as_mut().expect("memory is known here");
        if !access.memory.note_member(number, site, made.size, made.lifetime, made.zeroed) {
            return false;
        }
        let statement = access.statement;
        let next = access.memory.next_member(terms, number);
        let member = self.symbol_value(terms, None, next);
        let access = self.access.as_ref().expect("memory is known here");
        let step = terms.int(access.memory.member_step());
        let after = terms.add(member, step);
        self.set_symbol(terms, None, next, after);
        let object = Object { number, member: Some(member) };
        let access = self.access.as_mut().expect("memory is known here");
        if let Some(shape) = &mut access.shape {
            shape.values_mut().filter(|object| !object.live).for_each(|object| object.reused = true);
        }
        let is_sized = access.memory.member_size(number).is_none();
        if access.memory.members_end(number) {
            let live = access.memory.live_members(terms, arithmetic, number);
            let truth = terms.bool(true);
            self.set_symbol(terms, object.member, live, truth);
        }
        let access = self.access.as_mut().expect("memory is known here");
        let cells = access.memory.cells(terms, arithmetic, object);
        if is_sized {
            self.start_size(terms, object, made.bytes);
        }
        for (offset, cell) in cells {
            let place = FirstContent::made(statement, Offsets::at(offset));
            self.start_cell(terms, cell, made.zeroed, place);
        }
        self.start_arrays(terms, object, made.zeroed, statement);
        let pointer = PointerTerm { object: member, offset: self.encoder.offset(terms, 0) };
        self.pointers.insert(made.target, pointer);
        true
    }

    /// When an object, if it is one of these, was not freed.
    pub(in crate::formula) fn lives(&mut self, terms: &mut Terms, object: Object) -> TermId {
        if self.live_object(object.number).is_none() {
            return terms.bool(false);
        }
        let access = self.access.as_mut().expect("memory is known here");
        if object.member.is_none() || !access.memory.members_end(object.number) {
            return terms.bool(true);
        }
        let live = access.memory.live_members(terms, self.encoder.arithmetic, object.number);
        self.symbol_value(terms, object.member, live)
    }

    /// The same, for members alone: whether others live, shapes say.
    pub(in crate::formula) fn lives_if_member(&mut self, terms: &mut Terms, object: Object) -> TermId {
        match object.member {
            Some(_) => self.lives(terms, object),
            None => terms.bool(true),
        }
    }

    /// Ends the life of a member of a region where the condition holds.
    pub(in crate::formula) fn end_member(&mut self, terms: &mut Terms, object: Object, condition: TermId) {
        let access = self.access.as_mut().expect("memory is known here");
        access.memory.note_freed_member(object.number);
        let live = access.memory.live_members(terms, self.encoder.arithmetic, object.number);
        let before = self.symbol_value(terms, object.member, live);
        let stays = terms.not(condition);
        let after = terms.and([before, stays]);
        self.set_symbol(terms, object.member, live, after);
    }

    /// Something of any members of a region is written, it is not known what.
    pub(super) fn write_members_somewhere(&mut self, terms: &mut Terms, number: i64) {
        let access = self.access.as_mut().expect("memory is known here");
        let object = Object::from(number);
        let cells = access.memory.cells(terms, self.encoder.arithmetic, object);
        let fields = access.memory.fields(terms, self.encoder.arithmetic, object);
        let contents = cells.into_iter().map(|(_, cell)| cell).chain(fields.into_iter().map(|(_, field)| field));
        for symbol in contents.flat_map(|cell| cell.symbols()).collect::<Vec<_>>() {
            let memory = &self.access.as_ref().expect("memory is known here").memory;
            let ty = memory.type_of(symbol).expect("it is a symbol of memory");
            let anything = self.any_value(terms, ty, terms.symbol_sort(symbol), Unsupported::new("a write to memory"));
            self.set_symbol(terms, None, symbol, anything);
        }
    }

    /// A content of a type that is not known.
    pub(super) fn any_of_type(&mut self, terms: &mut Terms, ty: Type) -> Content {
        let unsupported = Unsupported::new("a read of memory");
        match ty {
            Type::Pointer => Content::Pointer(self.any_pointer(terms, unsupported)),
            ty => match self.encoder.sort_of(ty) {
                Ok(sort) => Content::Scalar(self.any_value(terms, ty, sort, unsupported)),
                Err(_) => Content::Unknown,
            },
        }
    }

    /// Whether one of these objects is a member of a region.
    pub(in crate::formula) fn has_member(cases: &[(TermId, Object)]) -> bool {
        cases.iter().any(|(_, object)| is_region(object.number))
    }
}

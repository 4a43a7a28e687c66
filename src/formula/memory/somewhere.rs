//! Accesses to an object at an offset of which little is known: whichever cell is there, or any value.

use super::access::Content;
use super::{Object, alike};
use crate::formula::encode::block::Block;
use crate::program::{BinaryOp, OFFSET, Type};
use crate::term::{Offsets, Op, TermId, Terms};

impl Block<'_, '_> {
    /// What an object may have at an offset: what a cell there has, or any value where there is none.
    pub(super) fn read_somewhere(&mut self, terms: &mut Terms, object: Object, offset: TermId, ty: Type) -> Content {
        let mut content = self.any_of_type(terms, ty);
        self.find_from_start(terms, object, offset, ty);
        let access = self.access.as_mut().expect("memory is known here");
        for (at, cell) in access.memory.cells(terms, self.encoder.arithmetic, object) {
            if alike(cell.ty, ty) {
                let place = self.encoder.offset(terms, at);
                let here = terms.eq(offset, place);
                let value = self.content(terms, cell, ty);
                content = self.choose(terms, here, value, content);
            }
        }
        content
    }

    /// Where the condition holds, an object has the content at an offset. Cells that only overlap with it have any value.
    pub(super) fn write_somewhere_at(
        &mut self,
        terms: &mut Terms,
        object: Object,
        (offset, ty): (TermId, Type),
        content: Content,
        condition: TermId,
    ) {
        let access = self.access.as_mut().expect("memory is known here");
        if access.memory.is_array(object.number) {
            return self.write_somewhere_if(terms, object, condition);
        }
        if ty == Type::Pointer && access.memory.keeps_pointers {
            self.find_from_start(terms, object, offset, ty);
        }
        let access = self.access.as_mut().expect("memory is known here");
        let bytes = access.memory.bytes_of(ty);
        for (at, cell) in access.memory.cells(terms, self.encoder.arithmetic, object) {
            let memory = &self.access.as_ref().expect("memory is known here").memory;
            let (before, behind) = (at - bytes, at + memory.bytes_of(cell.ty));
            let [before, place, behind] = [before, at, behind].map(|at| self.encoder.offset(terms, at));
            let mut less =
                |terms: &mut Terms, a, b| self.binary(terms, BinaryOp::Lt, OFFSET, a, b).expect("offsets are compared");
            let (is_after, is_before) = (less(terms, before, offset), less(terms, offset, behind));
            let mut overlaps = vec![condition, is_after, is_before];
            if alike(cell.ty, ty) {
                let is_here = terms.eq(offset, place);
                overlaps.push(terms.not(is_here));
                let (content, here) = (self.converted(terms, content, ty, cell), terms.and([condition, is_here]));
                self.fill_cell(terms, cell, content, here);
            }
            let overlaps = terms.and(overlaps);
            if terms.op(overlaps) != &Op::Bool(false) {
                self.fill_cell(terms, cell, Content::Unknown, overlaps);
            }
        }
    }

    /// Makes the cell that members of a region have if the pointer that an offset is reckoned from is to the start of one.
    /// Objects with a number are only tried: what is made of them may not be what they are used for.
    fn find_from_start(&mut self, terms: &mut Terms, object: Object, offset: TermId, ty: Type) {
        if object.member.is_none() {
            return;
        }
        let at = self.behind_unknown(terms, offset);
        let size = self.live_object(object.number).and_then(|object| object.size);
        let access = self.access.as_mut().expect("memory is known here");
        let is_there = 0 <= at && size.is_none_or(|size| at <= size - access.memory.bytes_of(ty));
        if is_there
            && !access.memory.is_array(object.number)
            && access.memory.admits(object.number, Offsets::at(at), ty, size)
        {
            access.memory.find(terms, self.encoder.arithmetic, object, Offsets::at(at), ty);
        }
    }

    /// How far an offset is behind what is not known of it.
    fn behind_unknown(&self, terms: &mut Terms, offset: TermId) -> i64 {
        let known = self.known_here(terms, offset);
        let parts = match terms.op(known) {
            Op::Add | Op::BvAdd => terms.args(known).to_vec(),
            _ => return 0,
        };
        parts.into_iter().filter_map(|part| self.constant(terms, part)?.to_i64()).fold(0, i64::wrapping_add)
    }
}

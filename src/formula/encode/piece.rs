//! Frees, copies, fills and writes of bytes: what is done to whole pieces of memory.

use super::Unsupported;
use super::block::Block;
use crate::formula::memory::access::Content;
use crate::formula::memory::{Found, PointerTerm};
use crate::program::{BinaryOp, Expr, OFFSET, Region, Type};
use crate::term::{Integer, Op, TermId, Terms};

/// A piece of an object whose bounds are known, and are inside the object.
#[derive(Clone, Copy)]
struct Piece {
    object: i64,
    start: i64,
    bytes: i64,
}

impl Block<'_, '_> {
    /// Ends the life of an object.
    pub(in crate::formula) fn free(&mut self, terms: &mut Terms, pointer: &Expr) -> Result<(), Unsupported> {
        let pointer = self.pointer(terms, pointer)?;
        let Some(cases) = self.cases(terms, pointer.object) else {
            self.fault_anywhere(terms, "a free");
            self.access.as_mut().expect("memory is known here").shape = None;
            return Ok(());
        };
        let start = self.encoder.offset(terms, 0);
        let inside = terms.ne(pointer.offset, start);
        let mut bad = Vec::new();
        for &(condition, number) in &cases {
            let is_on_heap = self.live_object(number).is_some_and(|object| object.region == Region::Heap);
            bad.push(if is_on_heap { terms.and([condition, inside]) } else { condition });
        }
        let bad = terms.or(bad);
        self.fault(terms, bad);
        let access = self.access.as_mut().expect("memory is known here");
        let [(_, number)] = cases[..] else {
            // Which of the objects lives on is not known.
            access.shape = None;
            return Ok(());
        };
        if let Some(object) = access.shape.as_mut().and_then(|shape| shape.get_mut(&number)) {
            object.live = false;
        }
        Ok(())
    }

    /// The piece of memory at a pointer, if it is known and inside its object. When it is not inside is noted.
    fn piece(
        &mut self,
        terms: &mut Terms,
        pointer: PointerTerm,
        bytes: TermId,
        construct: &'static str,
    ) -> Option<Piece> {
        let none = self.encoder.offset(terms, 0);
        let some = terms.ne(bytes, none);
        let Some(cases) = self.cases(terms, pointer.object) else {
            self.under(terms, some, |block, terms| block.fault_anywhere(terms, construct));
            return None;
        };
        let mut bad = Vec::new();
        for &(condition, number) in &cases {
            let outside = match self.live_object(number) {
                Some(object) => self.outside(terms, object.size, pointer.offset, bytes),
                None => terms.bool(true),
            };
            bad.push(terms.and([condition, some, outside]));
        }
        let bad = terms.or(bad);
        let bad_here = self.known_here(terms, bad);
        self.fault(terms, bad);
        let [(_, object)] = cases[..] else { return None };
        let start = self.constant(terms, pointer.offset)?.to_i64()?;
        let bytes = self.constant(terms, bytes)?.to_i64()?;
        // What always faults has no effect.
        let is_inside = terms.op(bad_here) == &Op::Bool(false);
        Some(Piece { object, start, bytes: if is_inside { bytes } else { 0 } })
    }

    /// When that many bytes at an offset are not all inside an object of a size.
    fn outside(&mut self, terms: &mut Terms, size: i64, offset: TermId, bytes: TermId) -> TermId {
        let (none, all) = (self.encoder.offset(terms, 0), self.encoder.offset(terms, size));
        let mut compare =
            |terms: &mut Terms, op, a, b| self.binary(terms, op, OFFSET, a, b).expect("offsets are numbers");
        let negative = compare(terms, BinaryOp::Lt, bytes, none);
        let too_many = compare(terms, BinaryOp::Gt, bytes, all);
        let before = compare(terms, BinaryOp::Lt, offset, none);
        // It does not wrap: there are no more bytes than the object has.
        let last = compare(terms, BinaryOp::Sub, all, bytes);
        let behind = compare(terms, BinaryOp::Gt, offset, last);
        terms.or([negative, too_many, before, behind])
    }

    /// The object that a pointer is into may have changed in any way, or all may.
    fn changed(&mut self, terms: &mut Terms, target: PointerTerm) {
        match self.cases(terms, target.object) {
            Some(cases) => cases.into_iter().for_each(|(_, number)| {
                if self.live_object(number).is_some() {
                    self.write_somewhere(terms, number);
                }
            }),
            None => self.write_anywhere(terms),
        }
    }

    /// Copies bytes.
    pub(in crate::formula) fn copy(&mut self, terms: &mut Terms, parts: [&Expr; 3]) -> Result<(), Unsupported> {
        let (target, source) = (self.pointer(terms, parts[0])?, self.pointer(terms, parts[1])?);
        let bytes = self.expr(terms, parts[2])?;
        let to = self.piece(terms, target, bytes, "a copy of memory");
        let from = self.piece(terms, source, bytes, "a copy of memory");
        let (Some(Piece { object: to, start: at, bytes }), Some(from)) = (to, from) else {
            self.changed(terms, target);
            return Ok(());
        };
        if bytes == 0 || from.bytes == 0 {
            return Ok(());
        }
        let Piece { object: from, start, .. } = from;
        let arithmetic = self.encoder.arithmetic;
        let access = self.access.as_mut().expect("memory is known here");
        access.memory.copy_pointers(terms, arithmetic, (from, start), (to, at), bytes);
        let cells = access.memory.overlapping(terms, arithmetic, to, at, bytes);
        let mut contents = Vec::new();
        for (place, cell) in cells {
            let access = self.access.as_mut().expect("memory is known here");
            let whole = place >= at && place + access.memory.bytes_of(cell.ty) <= at + bytes;
            match access.memory.find(terms, arithmetic, from, place - at + start, cell.ty) {
                Found::Cell(source) if whole => {
                    let content = self.content(terms, source, cell.ty);
                    let truth = terms.bool(true);
                    let written = source.written.map(|written| self.cell_value(terms, written, Type::Bool));
                    contents.push((cell, content, written.unwrap_or(truth)));
                }
                _ => {
                    self.access.as_mut().expect("memory is known here").memory.make_opaque(to);
                    return Ok(());
                }
            }
        }
        let truth = terms.bool(true);
        for (cell, content, written) in contents {
            // A copy of what was never written is any value again.
            if terms.op(written) != &Op::Bool(true) {
                self.fill_cell(terms, cell, Content::Unknown, truth);
            }
            self.fill_cell(terms, cell, content, written);
            if let Some(flag) = cell.written {
                self.access.as_mut().expect("memory is known here").cells.insert(flag, written);
            }
        }
        Ok(())
    }

    /// Writes one byte to several places.
    pub(in crate::formula) fn fill(&mut self, terms: &mut Terms, parts: [&Expr; 3]) -> Result<(), Unsupported> {
        let target = self.pointer(terms, parts[0])?;
        let (byte, bytes) = (self.expr(terms, parts[1])?, self.expr(terms, parts[2])?);
        let Some(Piece { object: to, start: at, bytes }) = self.piece(terms, target, bytes, "a write to memory") else {
            self.changed(terms, target);
            return Ok(());
        };
        if bytes == 0 {
            return Ok(());
        }
        let byte = self.constant(terms, byte).map(|byte| byte.wrap_unsigned(8).to_le_bytes(1)[0]);
        let contents = |_: i64, size: i64| byte.map(|byte| vec![byte; size as usize]);
        self.put(terms, Piece { object: to, start: at, bytes }, contents);
        Ok(())
    }

    /// Writes bytes that are known.
    pub(super) fn write_bytes(&mut self, terms: &mut Terms, target: &Expr, bytes: &[u8]) -> Result<(), Unsupported> {
        let target = self.pointer(terms, target)?;
        let size = self.encoder.offset(terms, bytes.len() as i64);
        let Some(piece) = self.piece(terms, target, size, "a write to memory") else {
            self.changed(terms, target);
            return Ok(());
        };
        if piece.bytes > 0 {
            let contents = |at: i64, size: i64| Some(bytes[at as usize..(at + size) as usize].to_vec());
            self.put(terms, piece, contents);
        }
        Ok(())
    }

    /// Puts bytes into the cells of a piece: `bytes_at` tells as many as asked for, from so many after its start on, if
    /// they are known.
    fn put(&mut self, terms: &mut Terms, piece: Piece, bytes_at: impl Fn(i64, i64) -> Option<Vec<u8>>) {
        let Piece { object: to, start: at, bytes } = piece;
        let access = self.access.as_mut().expect("memory is known here");
        let cells = access.memory.overlapping(terms, self.encoder.arithmetic, to, at, bytes);
        let truth = terms.bool(true);
        for (place, cell) in cells {
            let access = self.access.as_mut().expect("memory is known here");
            let size = access.memory.bytes_of(cell.ty);
            if place < at || place + size > at + bytes {
                access.memory.make_opaque(to);
                return;
            }
            let content = match (bytes_at(place - at, size), cell.ty) {
                (Some(bytes), _) if bytes.iter().all(|byte| *byte == 0) => self.zero(terms, cell),
                (Some(bytes), Type::Machine(machine)) if machine.width % 8 == 0 => {
                    let number = Integer::from_le_bytes(&bytes, machine.signed);
                    Content::Scalar(self.encoder.number(terms, &number, cell.ty))
                }
                (Some(bytes), Type::Float(kind)) => {
                    let number = Integer::from_le_bytes(&bytes, false);
                    Content::Scalar(terms.bit_vec(number, kind.width()))
                }
                _ => Content::Unknown,
            };
            self.fill_cell(terms, cell, content, truth);
        }
    }
}

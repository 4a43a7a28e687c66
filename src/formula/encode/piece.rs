//! Frees, copies, fills and writes of bytes: what is done to whole pieces of memory.

use super::block::Block;
use super::{Arithmetic, FirstContent, Unsupported};
use crate::formula::memory::access::Content;
use crate::formula::memory::{BYTE, Cell, Found, Object, PointerTerm, remainder, unsigned};
use crate::program::points::Sites;
use crate::program::{BinaryOp, Expr, OFFSET, Region, Type};
use crate::term::{Integer, Offsets, Op, Symbol, TermId, Terms};

/// How many places of a piece are copied or filled one by one, at most.
const MAX_SPOTS: i64 = 64;

/// The same where what is written there is known.
const MAX_KNOWN_SPOTS: i64 = 4096;

/// The same where it is not known how many of them are meant: each is a choice then. Chosen by thought: buffers for lines have
/// 64 to 256 bytes.
const MAX_OPEN_SPOTS: i64 = 256;

/// A piece of an object that is inside it.
#[derive(Clone, Copy)]
struct Piece {
    object: Object,
    /// Where it begins.
    start: TermId,
    /// The same where it is known.
    at: Option<i64>,
    /// What is known of that otherwise.
    offsets: Offsets,
    /// How many bytes it has, at most.
    bytes: i64,
    /// How many it has, where that is not a known number.
    length: Option<TermId>,
    /// Whether it is the whole object.
    is_whole: bool,
}

/// A place of a piece that is read somewhere.
struct Spot {
    /// How far from the start of the piece.
    behind: i64,
    cell: Cell,
    /// Whether it is a field, at the offset, or a cell.
    is_field: bool,
}

impl Block<'_, '_> {
    /// Ends the life of an object.
    pub(in crate::formula) fn free(&mut self, terms: &mut Terms, pointer: &Expr) -> Result<(), Unsupported> {
        let address = pointer;
        let pointer = self.pointer(terms, pointer)?;
        let Some(cases) = self.cases_with_members(terms, pointer.object) else {
            self.fault_anywhere(terms, "a free", false);
            self.access.as_mut().expect("memory is known here").shape = None;
            return Ok(());
        };
        let start = self.encoder.offset(terms, 0);
        let inside = terms.ne(pointer.offset, start);
        let mut bad = Vec::new();
        for &(condition, object) in &cases {
            let is_on_heap = self.live_object(object.number).is_some_and(|object| object.region == Region::Heap);
            let lives = self.lives_if_member(terms, object);
            let ended = terms.not(lives);
            let wrong = terms.or([inside, ended]);
            bad.push(if is_on_heap { terms.and([condition, wrong]) } else { condition });
        }
        let bad = terms.or(bad);
        let trusts = self.trusts_unknown(address) && Self::has_member(&cases);
        self.fault_unless(terms, trusts, bad);
        let [(_, Object { number, member: None })] = cases[..] else {
            self.free_one_of(terms, &cases);
            return Ok(());
        };
        let access = self.access.as_mut().expect("memory is known here");
        if let Some(object) = access.shape.as_mut().and_then(|shape| shape.get_mut(&number)) {
            object.live = false;
        }
        Ok(())
    }

    /// Ends the life of one of several objects: they have to be members of regions for that.
    fn free_one_of(&mut self, terms: &mut Terms, cases: &[(TermId, Object)]) {
        let mut named = Vec::new();
        for &(condition, object) in cases {
            let is_on_heap = self.live_object(object.number).is_some_and(|object| object.region == Region::Heap);
            match object.member {
                Some(_) if is_on_heap => self.end_member(terms, object, condition),
                None if is_on_heap => named.push(object.number),
                _ => {}
            }
        }
        if !named.is_empty() {
            let access = self.access.as_mut().expect("memory is known here");
            access.memory.want_regions_for(&named);
            // Which of the objects lives on is not known.
            access.shape = None;
        }
    }

    /// The objects that a pointer can be into; where that is not known, all there are, if some are members of regions.
    fn cases_with_members(&mut self, terms: &mut Terms, object: TermId) -> Option<Vec<(TermId, Object)>> {
        match self.cases(terms, object) {
            None if self.access.as_ref()?.memory.has_regions() => self.candidates(terms, object, Sites::MAX),
            cases => cases,
        }
    }

    /// The piece of memory at a pointer, if its object and its size are known. When it is not inside is noted.
    fn piece(
        &mut self,
        terms: &mut Terms,
        pointer: PointerTerm,
        bytes: TermId,
        construct: &'static str,
    ) -> Option<Piece> {
        let none = self.encoder.offset(terms, 0);
        let some = terms.ne(bytes, none);
        let Some(mut cases) = self.cases_with_members(terms, pointer.object) else {
            self.under(terms, some, |block, terms| block.fault_anywhere(terms, construct, false));
            return None;
        };
        let mut bad = Vec::new();
        for &(condition, object) in &cases {
            let outside = match self.live_object(object.number) {
                Some(allocated) => {
                    let size = self.size_of(terms, object, &allocated);
                    let outside = self.outside(terms, size, pointer.offset, bytes);
                    let lives = self.lives_if_member(terms, object);
                    let ended = terms.not(lives);
                    terms.or([outside, ended])
                }
                None => terms.bool(true),
            };
            bad.push(terms.and([condition, some, outside]));
        }
        let bad = terms.or(bad);
        let bad_here = self.known_here(terms, bad);
        self.fault(terms, bad);
        if Self::has_member(&cases) {
            // What always faults has no effect.
            cases.retain(|(_, object)| self.live_object(object.number).is_some());
        }
        let [(_, object)] = cases[..] else { return None };
        let at = self.constant(terms, pointer.offset).and_then(|at| at.to_i64());
        let size = self.live_object(object.number).map(|allocated| self.size_of(terms, object, &allocated));
        let is_whole =
            at == Some(0) && size.is_some_and(|size| self.known_here(terms, size) == self.known_here(terms, bytes));
        let constant = self.constant(terms, bytes).and_then(|bytes| bytes.to_i64());
        let length = (constant.is_none() && !is_whole).then_some(bytes);
        // It is inside the object.
        let most = || {
            let size = self.live_object(object.number)?.size?;
            Some((size - at.filter(|at| *at >= 0).unwrap_or(0)).max(0))
        };
        let bytes = constant.or_else(|| if is_whole { None } else { most() }).unwrap_or(i64::MAX);
        let known = self.known_here(terms, pointer.offset);
        let offsets = match at {
            Some(at) => Offsets::at(at),
            None => {
                let (rest, step) = remainder(terms, known);
                let step = i64::try_from(step.max(1)).ok()?;
                Offsets { rest: i64::try_from(rest.rem_euclid(i128::from(step))).ok()?, step }
            }
        };
        // What always faults has no effect.
        let bytes = if terms.op(bad_here) == &Op::Bool(true) { 0 } else { bytes };
        Some(Piece { object, start: pointer.offset, at, offsets, bytes, length, is_whole })
    }

    /// When that many bytes at an offset are not all inside an object of a size.
    fn outside(&mut self, terms: &mut Terms, all: TermId, offset: TermId, bytes: TermId) -> TermId {
        let none = self.encoder.offset(terms, 0);
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
            Some(cases) => cases.into_iter().for_each(|(_, object)| {
                if self.live_object(object.number).is_some() {
                    self.write_somewhere(terms, object);
                }
            }),
            None => self.write_anywhere(terms),
        }
    }

    /// The places of a piece that are read somewhere, if they are few; an object of which parts of values are meant is
    /// written as bytes from now on.
    fn spots(&mut self, terms: &mut Terms, piece: Piece, most: i64) -> Option<Vec<Spot>> {
        let arithmetic = self.encoder.arithmetic;
        let length = piece.length.map(|length| self.known_here(terms, length)).map(|length| remainder(terms, length));
        // Whether the piece may end inside a value.
        let ends_inside = |behind: i64, size: i64| {
            length.is_some_and(|(rest, step)| {
                let first = i128::from(behind) + 1;
                (rest - first).rem_euclid(step.max(1)) < i128::from(size - 1)
            })
        };
        let most = if length.is_some() { most.min(MAX_OPEN_SPOTS) } else { most };
        let memory = &mut self.access.as_mut().expect("memory is known here").memory;
        let number = piece.object.number;
        if piece.at.is_none() && !memory.is_array(number) {
            // A piece that begins anywhere is one of an array.
            if memory.cells(terms, arithmetic, piece.object).is_empty() {
                return Some(Vec::new());
            }
            memory.make_array(number, piece.offsets.step);
        }
        let end = |start: i64| start.saturating_add(piece.bytes);
        let mut spots = Vec::new();
        if let Some(at) = piece.at {
            for (place, cell) in memory.overlapping(terms, arithmetic, piece.object, at, piece.bytes) {
                let size = memory.bytes_of(cell.ty);
                if place < at || place + size > end(at) || ends_inside(place - at, size) {
                    memory.mix(number);
                    return None;
                }
                spots.push(Spot { behind: place - at, cell, is_field: false });
            }
        }
        for (offsets, field) in memory.fields(terms, arithmetic, piece.object) {
            if piece.at.is_none() && piece.offsets.step % offsets.step != 0 {
                return None;
            }
            let size = memory.bytes_of(field.ty);
            let mut behind = (offsets.rest - piece.offsets.rest).rem_euclid(offsets.step);
            if behind + size - offsets.step > 0 {
                // A value that begins before the piece reaches into it.
                memory.mix(number);
                return None;
            }
            if (piece.bytes - behind) / offsets.step > most {
                return None;
            }
            while behind < piece.bytes {
                if behind + size > piece.bytes || ends_inside(behind, size) {
                    memory.mix(number);
                    return None;
                }
                spots.push(Spot { behind, cell: field, is_field: true });
                behind += offsets.step;
            }
        }
        Some(spots)
    }

    /// When a spot is one of a piece.
    fn is_meant(&mut self, terms: &mut Terms, piece: Piece, spot: &Spot) -> TermId {
        let Some(length) = piece.length else { return terms.bool(true) };
        let size = self.access.as_ref().expect("memory is known here").memory.bytes_of(spot.cell.ty);
        let end = self.encoder.offset(terms, spot.behind + size);
        self.binary(terms, BinaryOp::Le, OFFSET, end, length).expect("offsets are compared")
    }

    /// Puts a content where a spot is.
    fn put_at(&mut self, terms: &mut Terms, piece: Piece, spot: &Spot, content: Content, condition: TermId) {
        match spot.is_field {
            true => {
                let offset = self.behind(terms, piece.start, spot.behind);
                self.set_element(terms, spot.cell, offset, content, condition);
            }
            false => self.fill_cell(terms, spot.cell, content, condition),
        }
    }

    /// Copies bytes.
    pub(in crate::formula) fn copy(&mut self, terms: &mut Terms, parts: [&Expr; 3]) -> Result<(), Unsupported> {
        let (target, source) = (self.pointer(terms, parts[0])?, self.pointer(terms, parts[1])?);
        let bytes = self.expr(terms, parts[2])?;
        let to = self.piece(terms, target, bytes, "a copy of memory");
        let from = self.piece(terms, source, bytes, "a copy of memory");
        let (Some(to), Some(from)) = (to, from) else {
            self.changed(terms, target);
            return Ok(());
        };
        let to = Piece { bytes: to.bytes.min(from.bytes), ..to };
        if to.bytes == 0 || from.bytes == 0 {
            return Ok(());
        }
        if let (Some(at), Some(start)) = (to.at, from.at) {
            let access = self.access.as_mut().expect("memory is known here");
            let size = to.bytes;
            let (from, to) = ((from.object, start), (to.object, at));
            access.memory.copy_pointers(terms, self.encoder.arithmetic, from, to, size);
        }
        let Some(spots) = self.spots(terms, to, MAX_SPOTS) else {
            if !(to.is_whole && from.is_whole && self.copy_arrays(terms, to, from)) {
                self.changed(terms, target);
            }
            return Ok(());
        };
        let mut contents = Vec::new();
        for spot in spots {
            let (content, written) = self.source_of(terms, from, &spot);
            contents.push((spot, content, written));
        }
        for (spot, content, written) in contents {
            let here = self.is_meant(terms, to, &spot);
            // A copy of what was never written is any value again.
            if terms.op(written) != &Op::Bool(true) {
                let place = FirstContent::copied(self.number_of_statement(), Offsets::at(spot.behind));
                self.as_first(place, spot.cell.offset.is_some(), |block| {
                    block.put_at(terms, to, &spot, Content::Unknown, here);
                });
            }
            let with_content = terms.and([here, written]);
            self.put_at(terms, to, &spot, content, with_content);
            if let Some(flag) = spot.cell.written {
                match spot.is_field {
                    true => {
                        let offset = self.behind(terms, to.start, spot.behind);
                        self.set_written(terms, (spot.cell.member, flag), offset, written, here);
                    }
                    false => {
                        let before = self.symbol_value(terms, spot.cell.member, flag);
                        let after = terms.ite(here, written, before);
                        self.set_symbol(terms, spot.cell.member, flag, after);
                    }
                }
            }
        }
        Ok(())
    }

    /// What a place of a copy gets, and whether that was ever written.
    fn source_of(&mut self, terms: &mut Terms, from: Piece, spot: &Spot) -> (Content, TermId) {
        let truth = terms.bool(true);
        let offset = self.behind(terms, from.start, spot.behind);
        let Some(rest) = from.offsets.rest.checked_add(spot.behind) else { return (Content::Unknown, truth) };
        let offsets = Offsets { rest, step: from.offsets.step };
        let access = self.access.as_mut().expect("memory is known here");
        match access.memory.find(terms, self.encoder.arithmetic, from.object, offsets, spot.cell.ty) {
            Found::Cell(source) => {
                let content = self.content(terms, source, spot.cell.ty);
                let written = source.written.map(|written| self.cell_value(terms, source.member, written, Type::Bool));
                (content, written.unwrap_or(truth))
            }
            found => {
                let content = self.read_array(terms, from.object, offset, Some(offsets), spot.cell.ty);
                (content, self.written_in(terms, found, offset, spot.cell.ty))
            }
        }
    }

    /// Copies a whole object to another one, array by array; `false` where their fields differ.
    fn copy_arrays(&mut self, terms: &mut Terms, to: Piece, from: Piece) -> bool {
        let arithmetic = self.encoder.arithmetic;
        let (mut values, mut unwritten) = (Vec::new(), Vec::new());
        let access = self.access.as_mut().expect("memory is known here");
        for (offsets, field) in access.memory.fields(terms, arithmetic, to.object) {
            let access = self.access.as_mut().expect("memory is known here");
            let found = access.memory.find(terms, arithmetic, from.object, offsets, field.ty);
            let source = match found {
                Found::Field(source) | Found::Bytes(source) if source.ty == field.ty => source,
                _ => return false,
            };
            if self.is_unwritten(terms, source) {
                unwritten.push((offsets, field));
                continue;
            }
            // What of it was never written would be any value again.
            if source.written.is_some() || field.written.is_some() {
                return false;
            }
            let pairs = field.symbols().zip(source.symbols());
            values.extend(pairs.map(|(to, from)| ((field.member, to), (source.member, from))));
        }
        let mut value = |(member, symbol)| self.symbol_value(terms, member, symbol);
        let values: Vec<((Option<TermId>, Symbol), TermId)> =
            values.into_iter().map(|(to, from)| (to, value(from))).collect();
        values.into_iter().for_each(|((member, to), value)| self.set_symbol(terms, member, to, value));
        let statement = self.number_of_statement();
        for (offsets, field) in unwritten {
            self.start_field(terms, field, FirstContent::copied(statement, offsets));
        }
        true
    }

    /// Whether it is known that nothing of an array was ever written.
    fn is_unwritten(&self, terms: &mut Terms, field: Cell) -> bool {
        let Some(written) = field.written else { return false };
        let written = self.symbol_value(terms, field.member, written);
        let written = self.known_here(terms, written);
        let (Op::ConstArray(..), [all]) = (terms.op(written), terms.args(written)) else { return false };
        terms.op(*all) == &Op::Bool(false)
    }

    /// Which statement of its block is next.
    fn number_of_statement(&self) -> u32 {
        self.access.as_ref().map_or(0, |access| access.statement)
    }

    /// Writes one byte to several places.
    pub(in crate::formula) fn fill(&mut self, terms: &mut Terms, parts: [&Expr; 3]) -> Result<(), Unsupported> {
        let target = self.pointer(terms, parts[0])?;
        let (byte, bytes) = (self.expr(terms, parts[1])?, self.expr(terms, parts[2])?);
        let Some(piece) = self.piece(terms, target, bytes, "a write to memory") else {
            self.changed(terms, target);
            return Ok(());
        };
        if piece.bytes == 0 {
            return Ok(());
        }
        let is_byte = parts[1].type_in(self.encoder.program) == BYTE;
        let number = self.constant(terms, byte).map(|byte| byte.wrap_unsigned(8).to_le_bytes(1)[0]);
        let content_at = |block: &mut Self, terms: &mut Terms, _: i64, cell: Cell| match number {
            Some(number) => {
                let size = block.access.as_ref().expect("memory is known here").memory.bytes_of(cell.ty);
                block.content_of_bytes(terms, &vec![number; size as usize], cell)
            }
            None if is_byte => block.repeated(terms, byte, cell),
            None => Content::Unknown,
        };
        if piece.is_whole {
            let access = self.access.as_mut().expect("memory is known here");
            for (_, field) in access.memory.fields(terms, self.encoder.arithmetic, piece.object) {
                let content = content_at(self, terms, 0, field);
                self.fill_arrays(terms, field, content);
            }
        }
        self.put(terms, piece, target, content_at);
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
            let content_at = |block: &mut Self, terms: &mut Terms, at: i64, cell: Cell| {
                let size = block.access.as_ref().expect("memory is known here").memory.bytes_of(cell.ty);
                block.content_of_bytes(terms, &bytes[at as usize..(at + size) as usize], cell)
            };
            let piece = Piece { is_whole: false, ..piece };
            self.put(terms, piece, target, content_at);
        }
        Ok(())
    }

    /// Puts contents into a piece: `content_at` tells that of a cell which is so many bytes after its start. The arrays of a
    /// whole object have theirs already.
    fn put(
        &mut self,
        terms: &mut Terms,
        piece: Piece,
        target: PointerTerm,
        content_at: impl Fn(&mut Self, &mut Terms, i64, Cell) -> Content,
    ) {
        let spots = match piece.is_whole {
            true => {
                let memory = &mut self.access.as_mut().expect("memory is known here").memory;
                let cells = memory.cells(terms, self.encoder.arithmetic, piece.object);
                Some(cells.into_iter().map(|(behind, cell)| Spot { behind, cell, is_field: false }).collect())
            }
            false => self.spots(terms, piece, MAX_KNOWN_SPOTS),
        };
        let Some(spots) = spots else { return self.changed(terms, target) };
        for spot in spots {
            let content = content_at(self, terms, spot.behind, spot.cell);
            let here = self.is_meant(terms, piece, &spot);
            self.put_at(terms, piece, &spot, content, here);
        }
    }

    /// Bytes as a content of a cell.
    fn content_of_bytes(&mut self, terms: &mut Terms, bytes: &[u8], cell: Cell) -> Content {
        match cell.ty {
            _ if bytes.iter().all(|byte| *byte == 0) => self.zero(terms, cell.ty),
            Type::Machine(machine) if machine.width % 8 == 0 => {
                let number = Integer::from_le_bytes(bytes, machine.signed);
                Content::Scalar(self.encoder.number(terms, &number, cell.ty))
            }
            Type::Float(kind) => {
                let number = Integer::from_le_bytes(bytes, false);
                Content::Scalar(terms.bit_vec(number, kind.width()))
            }
            _ => Content::Unknown,
        }
    }

    /// A byte, again and again, as a content of a cell.
    fn repeated(&mut self, terms: &mut Terms, byte: TermId, cell: Cell) -> Content {
        let Some(machine) = unsigned(cell.ty) else { return Content::Unknown };
        let number = match self.encoder.arithmetic {
            Arithmetic::Bits => (1..machine.bytes()).fold(byte, |all, _| terms.concat(all, byte)),
            Arithmetic::Integers => {
                let ones = Integer::from_le_bytes(&vec![1; machine.bytes() as usize], false);
                let ones = terms.int(ones);
                terms.mul(ones, byte)
            }
        };
        let from = Type::Machine(machine);
        if from == cell.ty {
            return Content::Scalar(number);
        }
        self.reinterpret(terms, from, cell.ty, number).map_or(Content::Unknown, Content::Scalar)
    }
}

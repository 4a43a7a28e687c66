//! Reads and writes of memory as terms over cells.

use super::candidates::Case;
use super::members::Made;
use super::remainder::offsets_of;
use super::{Allocated, Cell, Found, Memory, Object, PointerTerm, Shape, Site, alike, is_region, remainder};
use crate::formula::encode::block::Block;
use crate::formula::encode::{Arithmetic, FirstContent, Unsupported};
use crate::program::control::Frame;
use crate::program::webs::StatementAt;
use crate::program::{BinaryOp, EdgeId, Expr, OFFSET, Region, Type, VarId};
use crate::term::{Integer, Interval, Offsets, Op, Sort, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// How many places an access can be to, at most, to be expressed.
pub(super) const MAX_PLACES: usize = 64;

/// What a block needs to know to speak of memory.
pub struct Access<'e> {
    /// The tables.
    pub memory: &'e mut Memory,
    /// The objects at the place; `None` where they are not known.
    pub shape: Option<Shape>,
    /// What is known of the values of symbols at the place.
    pub known: &'e FxHashMap<Symbol, TermId>,
    /// The location stack.
    pub stack: &'e [Frame],
    /// The edge; none for `init`.
    pub edge: Option<EdgeId>,
    /// Whether objects on the stack can be expressed here.
    pub has_stack: bool,
    /// Whether an access through a pointer into an object that is not known is taken to be valid.
    pub trusts_unknown: bool,
    /// The values of cells that have others than before.
    pub cells: FxHashMap<Symbol, TermId>,
    /// Which statement of the block is next.
    pub statement: u32,
}

impl<'e> Access<'e> {
    /// The statement that is next; none in `init`.
    pub fn at(&self) -> Option<StatementAt> {
        Some((self.stack.last()?.procedure, self.edge?, self.statement as usize))
    }

    /// Before the first statement of an edge at a stack, where these values are known.
    pub fn new(
        terms: &Terms,
        memory: &'e mut Memory,
        known: &'e FxHashMap<Symbol, TermId>,
        stack: &'e [Frame],
        edge: Option<EdgeId>,
        has_stack: bool,
    ) -> Access<'e> {
        let shape = match edge {
            None => Some(memory.region_objects().collect()),
            Some(_) => known.get(&memory.shape_symbol()).and_then(|number| memory.shape_of(terms, *number)),
        };
        let cells = FxHashMap::default();
        Access { memory, shape, known, stack, edge, has_stack, trusts_unknown: false, cells, statement: 0 }
    }
}

/// A value of any type that memory can hold.
#[derive(Debug, Clone, Copy)]
pub(in crate::formula) enum Content {
    Scalar(TermId),
    Pointer(PointerTerm),
    /// It cannot be expressed.
    Unknown,
}

/// The offsets that an access can be at.
struct Places {
    /// Where they are few, with when each is meant, given that one of them is.
    few: Option<Vec<(i64, TermId)>>,
    /// What they have in common; `None` where the header of an object may be meant, and what lies behind it.
    offsets: Option<Offsets>,
    /// When the access is outside the object.
    outside: TermId,
}

impl Block<'_, '_> {
    /// The object of a number, where there is one; `None` if the objects are not known.
    pub(in crate::formula) fn allocated(&self, number: i64) -> Option<Option<Allocated>> {
        let access = self.access.as_ref()?;
        let found = access.shape.as_ref()?.get(&number).cloned();
        if !is_region(number) {
            return Some(found);
        }
        Some(found.map(|object| Allocated { size: access.memory.member_size(number), ..object }))
    }

    /// Evaluates something that is only evaluated where the condition holds.
    pub(in crate::formula) fn under<T>(
        &mut self,
        terms: &mut Terms,
        condition: TermId,
        evaluate: impl FnOnce(&mut Self, &mut Terms) -> T,
    ) -> T {
        self.conditions.push(condition);
        let result = evaluate(self, terms);
        self.conditions.pop();
        result
    }

    /// The execution has no meaning where this holds.
    pub(in crate::formula) fn fault(&mut self, terms: &mut Terms, condition: TermId) {
        let here = terms.and(self.conditions.iter().copied().chain([condition]));
        if terms.op(here) == &Op::Bool(false) {
            return;
        }
        let first = terms.and(self.guards.iter().copied().chain([here]));
        self.faults.push(first);
        self.guards.push(terms.not(here));
    }

    /// An access through a pointer into an object that is not known may be invalid. One that says itself when it is null
    /// is never taken to be valid.
    pub(in crate::formula) fn fault_anywhere(&mut self, terms: &mut Terms, construct: &'static str, says_null: bool) {
        let is_trusted = self.access.as_ref().is_some_and(|access| access.trusts_unknown);
        if (is_trusted || self.encoder.program.checks_accesses()) && !says_null {
            return;
        }
        let invalid = self.any_value(terms, Type::Bool, Sort::Bool, Unsupported::new(construct));
        self.fault(terms, invalid);
    }

    /// A scalar in memory.
    pub(in crate::formula) fn load(
        &mut self,
        terms: &mut Terms,
        ty: Type,
        address: &Expr,
    ) -> Result<TermId, Unsupported> {
        match self.loaded(terms, ty, address)? {
            Content::Scalar(value) => Ok(value),
            _ => Err(Unsupported::new("a read of memory")),
        }
    }

    /// A pointer in memory.
    pub(in crate::formula) fn load_pointer(
        &mut self,
        terms: &mut Terms,
        address: &Expr,
    ) -> Result<PointerTerm, Unsupported> {
        match self.loaded(terms, Type::Pointer, address)? {
            Content::Pointer(pointer) => Ok(pointer),
            _ => Err(Unsupported::new("a read of memory")),
        }
    }

    fn loaded(&mut self, terms: &mut Terms, ty: Type, address: &Expr) -> Result<Content, Unsupported> {
        if self.access.is_none() {
            return Err(Unsupported::new("a read of memory"));
        }
        let pointer = self.pointer(terms, address)?;
        let Some(cases) = self.accessed(terms, pointer, ty, address) else {
            self.fault_anywhere(terms, "a read of memory", says_null(address));
            return Err(Unsupported::new("a read of memory"));
        };
        let mut result: Option<Content> = None;
        let mut bad = Vec::new();
        let trusts =
            self.trusts_unknown(address) && cases.iter().any(|case| !case.admits || is_region(case.object.number));
        for Case { condition, object, admits } in cases {
            let (mut content, outside) = self.read(terms, object, pointer.offset, ty, admits);
            if content.is_some() && !admits {
                content = Some(self.read_somewhere(terms, object, pointer.offset, ty));
            }
            bad.push(terms.and([condition, outside]));
            result = match (content, result) {
                (None, before) => before,
                (Some(content), None) => Some(content),
                (Some(content), Some(before)) => Some(self.choose(terms, condition, content, before)),
            };
        }
        let bad = terms.or(bad);
        self.fault_unless(terms, trusts, bad);
        // Where there is nothing that it can be, no execution goes on with it.
        Ok(result.unwrap_or_else(|| self.zero(terms, ty)))
    }

    /// What is in an object at an offset, if it has a meaning, and when it has none.
    fn read(
        &mut self,
        terms: &mut Terms,
        object: Object,
        offset: TermId,
        ty: Type,
        admits: bool,
    ) -> (Option<Content>, TermId) {
        let Some(allocated) = self.live_object(object.number) else { return (None, terms.bool(true)) };
        let Places { few, offsets, outside } = self.places(terms, object, &allocated, offset, ty);
        if !admits {
            return (Some(Content::Unknown), outside);
        }
        let Some(few) = few else {
            return (Some(self.read_array(terms, object, offset, offsets, ty)), outside);
        };
        let mut result: Option<Content> = None;
        for (at, here) in few {
            let access = self.access.as_mut().expect("memory is known here");
            let content = match access.memory.find(terms, self.encoder.arithmetic, object, Offsets::at(at), ty) {
                Found::Cell(cell) => self.content(terms, cell, ty),
                _ => self.read_array(terms, object, offset, offsets, ty),
            };
            result = Some(match result {
                None => content,
                Some(before) => self.choose(terms, here, content, before),
            });
        }
        (result, outside)
    }

    pub(in crate::formula) fn live_object(&self, number: i64) -> Option<Allocated> {
        self.allocated(number).flatten().filter(|object| object.live)
    }

    /// One content where the condition holds, else the other.
    pub(super) fn choose(&self, terms: &mut Terms, condition: TermId, then: Content, otherwise: Content) -> Content {
        match (then, otherwise) {
            (Content::Scalar(a), Content::Scalar(b)) => Content::Scalar(terms.ite(condition, a, b)),
            (Content::Pointer(a), Content::Pointer(b)) => Content::Pointer(PointerTerm {
                object: terms.ite(condition, a.object, b.object),
                offset: terms.ite(condition, a.offset, b.offset),
            }),
            _ => Content::Unknown,
        }
    }

    pub(in crate::formula) fn cell_value(
        &mut self,
        terms: &mut Terms,
        member: Option<TermId>,
        symbol: Symbol,
        ty: Type,
    ) -> TermId {
        let value = self.symbol_value(terms, member, symbol);
        if member.is_some() {
            self.take_as(terms, value, ty);
        }
        self.restrict_to_type(terms, value, ty);
        value
    }

    /// The content of a cell as a type that is like its own.
    pub(in crate::formula) fn content(&mut self, terms: &mut Terms, cell: Cell, ty: Type) -> Content {
        let value =
            self.cell_value(terms, cell.member, cell.value, if cell.offset.is_some() { Type::Int } else { cell.ty });
        match cell.offset {
            Some(offset) => {
                let pointer =
                    PointerTerm { object: value, offset: self.cell_value(terms, cell.member, offset, OFFSET) };
                Content::Pointer(self.simplest(terms, pointer))
            }
            None if cell.ty == ty => Content::Scalar(value),
            None => self.reinterpret(terms, cell.ty, ty, value).map_or(Content::Unknown, Content::Scalar),
        }
    }

    /// The size of an object.
    pub(in crate::formula) fn size_of(&mut self, terms: &mut Terms, object: Object, allocated: &Allocated) -> TermId {
        match allocated.size {
            Some(size) => self.encoder.offset(terms, size),
            None => {
                let access = self.access.as_mut().expect("memory is known here");
                let symbol = access.memory.size_symbol(terms, self.encoder.arithmetic, object.number);
                let size = self.cell_value(terms, object.member, symbol, OFFSET);
                if let (None, Arithmetic::Integers, Type::Machine(offsets)) =
                    (object.member, self.encoder.arithmetic, OFFSET)
                {
                    self.restrict(terms, size, &Interval::new(Integer::ZERO, offsets.max()));
                }
                size
            }
        }
    }

    /// The places in an object that an offset can be.
    fn places(&mut self, terms: &mut Terms, object: Object, allocated: &Allocated, offset: TermId, ty: Type) -> Places {
        let mut places = self.places_inside(terms, object, allocated, offset, ty);
        if object.member.is_some() {
            let lives = self.lives(terms, object);
            let ended = terms.not(lives);
            places.outside = terms.or([places.outside, ended]);
        }
        places
    }

    /// The same, where the object lives.
    fn places_inside(
        &mut self,
        terms: &mut Terms,
        object: Object,
        allocated: &Allocated,
        offset: TermId,
        ty: Type,
    ) -> Places {
        let memory = &self.access.as_ref().expect("memory is known here").memory;
        let (bytes, is_array) = (memory.bytes_of(ty), memory.is_array(object.number));
        let (size, constant) = (self.size_of(terms, object, allocated), self.constant(terms, offset));
        if let (Some(at), Some(size)) = (&constant, allocated.size) {
            let at = at.to_i64().filter(|at| (0..=size - bytes).contains(at));
            let few = at.map(|at| (at, terms.bool(true)));
            let offsets = at.map(Offsets::at);
            return Places { few: Some(few.into_iter().collect()), offsets, outside: terms.bool(at.is_none()) };
        }
        let known = self.known_here(terms, offset);
        let (rest, step) = remainder(terms, known);
        let step = if constant.is_some() { 0 } else { step.max(1) };
        // Elements lie behind the header, where there is one.
        let header = i128::from(self.encoder.program.header_bytes);
        let least = if rest >= header { header } else { 0 };
        let first = i64::try_from(least).expect("headers are small");
        let first = self.encoder.offset(terms, first);
        let order = |block: &mut Self, terms: &mut Terms, a, b| {
            block.binary(terms, BinaryOp::Lt, OFFSET, a, b).expect("offsets are compared")
        };
        // The size is not negative, and that of a value is small.
        let width = self.encoder.offset(terms, -bytes);
        let last = self.binary(terms, BinaryOp::Add, OFFSET, size, width).expect("offsets are added");
        let (below, above) = (order(self, terms, offset, first), order(self, terms, last, offset));
        let outside = terms.or([below, above]);
        let offsets = offsets_of(rest, step).filter(|_| least == header || step == 0);
        let Some(last) = allocated.size.map(|size| i128::from(size - bytes)) else {
            let inside = offsets.filter(|at| at.rest >= 0).map(|at| (at.rest, terms.bool(true)));
            let few = constant.is_some().then(|| inside.into_iter().collect());
            return Places { few, offsets, outside };
        };
        let mut at = least + (rest - least).rem_euclid(step);
        if last >= 0 && last / step >= MAX_PLACES as i128 || is_array {
            return Places { few: None, offsets, outside };
        }
        let mut few = Vec::new();
        while at <= last {
            let place = i64::try_from(at).expect("it is in the object");
            let term = self.encoder.offset(terms, place);
            few.push((place, terms.eq(offset, term)));
            at += step;
        }
        Places { few: Some(few), offsets, outside }
    }

    /// Writes to memory.
    pub(in crate::formula) fn store(
        &mut self,
        terms: &mut Terms,
        address: &Expr,
        value: &Expr,
    ) -> Result<(), Unsupported> {
        let ty = value.type_in(self.encoder.program);
        let content = match ty {
            Type::Pointer => Content::Pointer(self.pointer(terms, value)?),
            // What cannot be expressed is still evaluated, for what it reads.
            _ => self.expr(terms, value).map_or(Content::Unknown, Content::Scalar),
        };
        let pointer = self.pointer(terms, address)?;
        let Some(cases) = self.accessed(terms, pointer, ty, address) else {
            self.fault_anywhere(terms, "a write to memory", says_null(address));
            self.write_anywhere(terms);
            return Ok(());
        };
        let mut bad = Vec::new();
        let trusts =
            self.trusts_unknown(address) && cases.iter().any(|case| !case.admits || is_region(case.object.number));
        for Case { condition, object, admits } in cases {
            let Some(allocated) = self.live_object(object.number) else {
                bad.push(condition);
                continue;
            };
            let Places { few, offsets, outside } = self.places(terms, object, &allocated, pointer.offset, ty);
            bad.push(terms.and([condition, outside]));
            if !admits {
                self.write_somewhere_at(terms, object, (pointer.offset, ty), content, condition);
                continue;
            }
            match few {
                None => self.write_array(terms, object, (pointer.offset, offsets), ty, content, condition),
                Some(few) => {
                    for (at, here) in few {
                        let here = terms.and([condition, here]);
                        self.write(terms, object, at, ty, content, here);
                    }
                }
            }
        }
        let bad = terms.or(bad);
        self.fault_unless(terms, trusts, bad);
        Ok(())
    }

    /// Whether an access through a pointer of which nothing is known, or which may be to any member of a region, is taken to
    /// be valid.
    pub(in crate::formula) fn trusts_unknown(&self, address: &Expr) -> bool {
        !says_null(address) && self.access.as_ref().is_some_and(|access| access.trusts_unknown)
    }

    /// The execution has no meaning where this holds; or it is taken not to hold.
    pub(in crate::formula) fn fault_unless(&mut self, terms: &mut Terms, trusts: bool, condition: TermId) {
        if !trusts {
            return self.fault(terms, condition);
        }
        let here = terms.and(self.conditions.iter().copied().chain([condition]));
        self.guards.push(terms.not(here));
    }

    /// Where the condition holds, an object has the content at an offset.
    pub(in crate::formula) fn write(
        &mut self,
        terms: &mut Terms,
        object: Object,
        at: i64,
        ty: Type,
        content: Content,
        condition: TermId,
    ) {
        let access = self.access.as_mut().expect("memory is known here");
        let bytes = access.memory.bytes_of(ty);
        if ty == Type::Pointer && access.memory.keeps_pointers {
            access.memory.find(terms, self.encoder.arithmetic, object, Offsets::at(at), ty);
        }
        if access.memory.is_array_at(object.number, at) {
            let offset = self.encoder.offset(terms, at);
            self.write_array(terms, object, (offset, Some(Offsets::at(at))), ty, content, condition);
            return;
        }
        let cells = access.memory.overlapping(terms, self.encoder.arithmetic, object, at, bytes);
        for (start, cell) in cells {
            if start != at || !alike(cell.ty, ty) {
                self.access.as_mut().expect("memory is known here").memory.mix(object.number);
                return;
            }
            let content = self.converted(terms, content, ty, cell);
            self.fill_cell(terms, cell, content, condition);
        }
    }

    /// A content of a type as one of a cell.
    pub(in crate::formula) fn converted(
        &mut self,
        terms: &mut Terms,
        content: Content,
        ty: Type,
        cell: Cell,
    ) -> Content {
        match (content, cell.offset) {
            (Content::Scalar(value), None) if cell.ty != ty => {
                self.reinterpret(terms, ty, cell.ty, value).map_or(Content::Unknown, Content::Scalar)
            }
            (Content::Pointer(_), None) | (Content::Scalar(_), Some(_)) => Content::Unknown,
            (content, _) => content,
        }
    }

    /// Where the condition holds, a cell has the content.
    pub(in crate::formula) fn fill_cell(&mut self, terms: &mut Terms, cell: Cell, content: Content, condition: TermId) {
        let parts: Vec<(Symbol, Type, Option<TermId>)> = match (content, cell.offset) {
            (Content::Pointer(pointer), Some(offset)) => {
                vec![(cell.value, Type::Int, Some(pointer.object)), (offset, OFFSET, Some(pointer.offset))]
            }
            (_, Some(offset)) => vec![(cell.value, Type::Int, None), (offset, OFFSET, None)],
            (Content::Scalar(value), None) => vec![(cell.value, cell.ty, Some(value))],
            (_, None) => vec![(cell.value, cell.ty, None)],
        };
        let truth = terms.bool(true);
        let written = cell.written.map(|written| (written, Type::Bool, Some(truth)));
        for (symbol, ty, value) in parts.into_iter().chain(written) {
            let value = value.unwrap_or_else(|| {
                let sort = self.encoder.sort_of(ty).expect("a cell's parts have sorts");
                self.any_value(terms, ty, sort, Unsupported::new("a write to memory"))
            });
            let before = self.symbol_value(terms, cell.member, symbol);
            self.restrict_to_type(terms, before, ty);
            let after = terms.ite(condition, value, before);
            self.restrict_to_type(terms, after, ty);
            self.set_symbol(terms, cell.member, symbol, after);
        }
    }

    /// Something of an object is written, it is not known what.
    pub(in crate::formula) fn write_somewhere(&mut self, terms: &mut Terms, object: Object) {
        let truth = terms.bool(true);
        self.write_somewhere_if(terms, object, truth);
    }

    /// The same, where the condition holds.
    pub(super) fn write_somewhere_if(&mut self, terms: &mut Terms, object: Object, condition: TermId) {
        if is_region(object.number) && object.member.is_none() {
            return self.write_members_somewhere(terms, object.number);
        }
        let access = self.access.as_mut().expect("memory is known here");
        let cells = access.memory.cells(terms, self.encoder.arithmetic, object);
        for (_, cell) in cells {
            let anything = self.any_value(terms, Type::Bool, Sort::Bool, Unsupported::new("a write to memory"));
            let changed = terms.and([condition, anything]);
            self.fill_cell(terms, cell, Content::Unknown, changed);
        }
        self.havoc_arrays(terms, object, condition);
    }

    /// Something in memory is written, it is not known what.
    pub(in crate::formula) fn write_anywhere(&mut self, terms: &mut Terms) {
        let Some(shape) = self.access.as_ref().and_then(|access| access.shape.clone()) else {
            // Where even the objects are not known, every cell of all may have changed.
            let symbols = self.access.as_ref().map(|access| access.memory.symbols()).unwrap_or_default();
            for symbol in symbols {
                let Some(access) = &self.access else { return };
                if symbol == access.memory.shape_symbol() {
                    continue;
                }
                let ty = access.memory.type_of(symbol).expect("it is a cell's");
                let sort = terms.symbol_sort(symbol);
                let anything = self.any_value(terms, ty, sort, Unsupported::new("a write to memory"));
                self.access.as_mut().expect("memory is known here").cells.insert(symbol, anything);
            }
            return;
        };
        for (number, object) in shape {
            if object.live {
                self.write_somewhere(terms, number.into());
            }
        }
    }

    /// Makes an object.
    pub(in crate::formula) fn allocate(
        &mut self,
        terms: &mut Terms,
        target: VarId,
        size: &Expr,
        region: Region,
        zeroed: bool,
    ) -> Result<(), Unsupported> {
        let bytes = self.expr(terms, size)?;
        let size = self.constant(terms, bytes).map(|size| size.to_i64().filter(|size| *size >= 0));
        if size == Some(None) {
            // No object has a negative size. Of Java programs it stands for arrays that are too long to be executed, which
            // formulas have no limit for: nothing is made here, and null cannot be written to.
            let faults = terms.bool(!self.encoder.program.checks_accesses());
            self.fault(terms, faults);
            let nowhere = PointerTerm { object: terms.int(0), offset: self.encoder.offset(terms, 0) };
            self.pointers.insert(target, nowhere);
            return Ok(());
        }
        let access = self.access.as_mut().expect("memory is known here");
        let possible = !region.is_on_stack() || access.has_stack;
        let site = Site { stack: access.stack.into(), edge: access.edge, statement: access.statement };
        if let Some(number) = access.memory.region_of_site(&site) {
            let made = Made { target, bytes, size: size.flatten(), lifetime: region, zeroed };
            if self.make_member(terms, number, &site, &made) {
                return Ok(());
            }
        }
        let access = self.access.as_mut().expect("memory is known here");
        let number = match &access.shape {
            Some(shape) if possible => access.memory.allocate(site.clone(), zeroed, shape),
            _ => None,
        };
        let (Some(number), Some(shape)) = (number, &mut access.shape) else {
            access.memory.note_unnamed(&site);
            let unsupported = Unsupported::new("an allocation");
            let pointer = self.any_pointer(terms, unsupported);
            self.pointers.insert(target, pointer);
            return Ok(());
        };
        let frames = access.stack.len() as u32;
        shape.values_mut().filter(|object| !object.live).for_each(|object| object.reused = true);
        shape.insert(number, Allocated { size: size.flatten(), region, frames, live: true, reused: false });
        let cells = access.memory.cells(terms, self.encoder.arithmetic, number.into());
        let statement = access.statement;
        if size.is_none() {
            self.start_size(terms, number.into(), bytes);
        }
        for (offset, cell) in cells {
            self.start_cell(terms, cell, zeroed, FirstContent::made(statement, Offsets::at(offset)));
        }
        self.start_arrays(terms, number.into(), zeroed, statement);
        let pointer = PointerTerm { object: terms.int(number), offset: self.encoder.offset(terms, 0) };
        self.pointers.insert(target, pointer);
        Ok(())
    }

    /// What is any value in all this, is so in the program, too, because it was never written.
    pub(in crate::formula) fn as_first(&mut self, place: FirstContent, is_pointer: bool, fill: impl FnOnce(&mut Self)) {
        let (unmodelled, constructs) = (self.unmodelled.len(), self.constructs.len());
        fill(self);
        let first = FirstContent { is_pointer, ..place };
        self.unmodelled[unmodelled..].iter_mut().for_each(|input| input.first_of = Some(first));
        if is_pointer {
            // Which pointer it is cannot be said in an execution.
            self.constructs[constructs..].iter_mut().for_each(|construct| construct.is_any = true);
        } else {
            // It is an input like any other.
            self.constructs.truncate(constructs);
        }
    }

    /// The first content of a cell.
    pub(super) fn start_cell(&mut self, terms: &mut Terms, cell: Cell, zeroed: bool, place: FirstContent) {
        let truth = terms.bool(true);
        if zeroed {
            let content = self.zero(terms, cell.ty);
            self.fill_cell(terms, cell, content, truth);
            return;
        }
        self.as_first(place, cell.offset.is_some(), |block| {
            block.fill_cell(terms, cell, Content::Unknown, truth);
        });
        if let Some(written) = cell.written {
            let no = terms.bool(false);
            self.set_symbol(terms, cell.member, written, no);
        }
    }

    pub(in crate::formula) fn zero(&self, terms: &mut Terms, ty: Type) -> Content {
        match ty {
            Type::Bool => Content::Scalar(terms.bool(false)),
            Type::Pointer => {
                Content::Pointer(PointerTerm { object: terms.int(0), offset: self.encoder.offset(terms, 0) })
            }
            Type::Float(kind) => Content::Scalar(terms.float_number(0, kind)),
            ty => Content::Scalar(self.encoder.number(terms, &Integer::ZERO, ty)),
        }
    }
}

/// Whether a pointer is null somewhere by its text.
fn says_null(pointer: &Expr) -> bool {
    *pointer == Expr::Null || pointer.operands().into_iter().any(says_null)
}

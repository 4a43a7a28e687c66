//! Memory as variables: the tables that name objects and their cells.
//!
//! An object is named by where it was allocated and how many such objects there were already; which objects there are
//! at a place, their *shape*, is known there exactly. What is read of an object, and only that, becomes *cells*: a
//! symbol for an offset and a type. Where offsets are too many, or not known to be few, or values of different widths
//! overlap, the object is written as *arrays* instead (`layout.rs`). Cells and arrays are found while blocks are walked,
//! so tables grow; what was walked before they did is to be walked again.

pub(in crate::formula) mod access;
mod array;
mod layout;
mod pointer;
pub(in crate::formula) mod tracking;

pub use access::Access;

use crate::formula::encode::{Arithmetic, Encoder};
use crate::program::OFFSET;
use crate::program::control::Frame;
use crate::program::{EdgeId, Id, Program, Region, Statement, Type};
use crate::term::{Integer, Op, Sort, Symbol, TermId, Terms};
pub(in crate::formula) use layout::BYTE;
pub use layout::Offsets;
use layout::{Affected, Elements, Layout};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A pointer: the number of its object, and the offset into it. No object is 0, the offset then being an address;
/// procedures have negative numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PointerTerm {
    /// The object's number, of sort Int.
    pub object: TermId,
    /// The offset, as an `i64`.
    pub offset: TermId,
}

/// Where an object is made.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Site {
    /// The location stack.
    pub stack: Box<[Frame]>,
    /// The edge of the procedure on top; none for `init`.
    pub edge: Option<EdgeId>,
    /// Which statement of its block.
    pub statement: u32,
}

/// An object that was made.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Allocated {
    /// How many bytes it has; `None` where that is a symbol's value.
    pub size: Option<i64>,
    /// Its lifetime.
    pub region: Region,
    /// For an object on the stack, how many frames there were.
    pub frames: u32,
    /// Whether it was not freed.
    pub live: bool,
    /// Whether an object was made since it ended, which may have its address.
    pub reused: bool,
}

impl Allocated {
    /// Whether no other object can have its address.
    pub fn is_plain(&self) -> bool {
        self.live && self.region != Region::Literal
    }
}

/// The objects at a place, by number.
pub type Shape = BTreeMap<i64, Allocated>;

/// The symbols of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Its type.
    pub ty: Type,
    /// The value of a scalar, or the object of a pointer.
    pub value: Symbol,
    /// The offset of a pointer.
    pub offset: Option<Symbol>,
    /// Whether it was written, where that matters: a copy of what was not is any value again.
    pub written: Option<Symbol>,
}

impl Cell {
    /// All of its symbols.
    pub fn symbols(self) -> impl Iterator<Item = Symbol> {
        [Some(self.value), self.offset, self.written].into_iter().flatten()
    }
}

/// What there is at offsets of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::formula) enum Found {
    /// A cell.
    Cell(Cell),
    /// A field of elements, whose symbols are arrays.
    Field(Cell),
    /// Bytes of elements, as an array.
    Bytes(Cell),
    /// Something that is not expressed.
    Opaque,
}

/// What an object is to be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Arrays of elements that are so many bytes apart.
    Elements(i64),
    /// Bytes.
    Bytes,
}

/// The tables of objects, shapes and cells.
#[derive(Debug, Clone)]
pub struct Memory {
    /// The symbol whose value is the number of the shape.
    shape: Symbol,
    pointer_bytes: u32,
    header_bytes: i64,
    /// For each object, from number 1 on, whether its bytes are zero at first.
    zeroed: Vec<bool>,
    numbers: FxHashMap<(Site, u32), i64>,
    shapes: Vec<Shape>,
    shape_numbers: FxHashMap<Shape, usize>,
    layouts: BTreeMap<i64, Layout>,
    /// The types of the symbols of cells, and their objects; of an array, the type of what it holds.
    types: FxHashMap<Symbol, (Type, i64)>,
    /// Cells whose values are numbers of objects, with the objects they are in.
    objects: FxHashMap<Symbol, i64>,
    /// Arrays of such values, with the objects they are in.
    pointer_arrays: FxHashMap<Symbol, i64>,
    /// Whether there are more cells or fields than when this was asked last.
    grown: bool,
    /// Objects that cells do not suffice for, and what does.
    wanted: BTreeMap<i64, Wanted>,
    /// Whether an object was made that has no number.
    has_unnamed: bool,
    /// Whether the program copies memory.
    has_copies: bool,
    /// Whether every pointer that is stored is a cell.
    pub(in crate::formula) keeps_pointers: bool,
}

impl Memory {
    /// Without any object.
    pub fn new(program: &Program, terms: &mut Terms) -> Memory {
        let shape = terms.var("memory!", Sort::Int);
        Memory {
            shape: terms.as_symbol(shape).expect("a free constant is its symbol"),
            pointer_bytes: program.pointer_bytes,
            header_bytes: i64::from(program.header_bytes),
            zeroed: Vec::new(),
            numbers: FxHashMap::default(),
            shapes: Vec::new(),
            shape_numbers: FxHashMap::default(),
            layouts: BTreeMap::new(),
            types: FxHashMap::default(),
            objects: FxHashMap::default(),
            pointer_arrays: FxHashMap::default(),
            grown: false,
            wanted: BTreeMap::new(),
            has_unnamed: false,
            has_copies: has_copies(program),
            keeps_pointers: program.tracks_heap(),
        }
    }

    /// Whether every object and every shape has a number of its own.
    pub fn is_well_formed(&self) -> bool {
        let mut numbers: Vec<i64> = self.numbers.values().copied().collect();
        numbers.sort_unstable();
        let all = numbers.into_iter().eq(1..=self.zeroed.len() as i64);
        let numbered = |(number, shape)| self.shape_numbers.get(shape) == Some(&number);
        let laid_out = self.layouts.keys().all(|object| (1..=self.zeroed.len() as i64).contains(object));
        all && laid_out && self.shapes.iter().enumerate().all(numbered)
    }

    /// The symbol whose value is the number of the shape.
    pub fn shape_symbol(&self) -> Symbol {
        self.shape
    }

    /// The shape with the number that a term is.
    pub fn shape_of(&self, terms: &Terms, number: TermId) -> Option<Shape> {
        let Op::Int(number) = terms.op(number) else { return None };
        self.shapes.get(usize::try_from(number.to_i64()?).ok()?).cloned()
    }

    /// The number of a shape, as a term.
    pub fn number_of(&mut self, terms: &mut Terms, shape: &Shape) -> TermId {
        let next = self.shapes.len();
        let number = *self.shape_numbers.entry(shape.clone()).or_insert(next);
        if number == next {
            self.shapes.push(shape.clone());
        }
        terms.int(number as i64)
    }

    /// Whether cells were found since this was asked last. Arrays are made only where nothing else was found: an offset
    /// that is not known may be, once the cell that it comes from is.
    pub fn cells_changed(&mut self) -> bool {
        let wanted = std::mem::take(&mut self.wanted);
        if std::mem::take(&mut self.grown) {
            return true;
        }
        let changed = !wanted.is_empty();
        wanted.into_iter().for_each(|(object, wanted)| self.lay_out(object, wanted));
        changed
    }

    /// The type of a cell's symbol; of the parts of a pointer, those of numbers and offsets; of an array, that of what it
    /// holds.
    pub fn type_of(&self, symbol: Symbol) -> Option<Type> {
        if symbol == self.shape { Some(Type::Int) } else { self.types.get(&symbol).map(|(ty, _)| *ty) }
    }

    /// The object of a cell's symbol.
    pub fn owner(&self, symbol: Symbol) -> Option<i64> {
        self.types.get(&symbol).map(|(_, owner)| *owner)
    }

    /// All symbols that there are.
    pub fn symbols(&self) -> Vec<Symbol> {
        let mut all: Vec<Symbol> = self.types.keys().copied().chain([self.shape]).collect();
        all.sort_unstable();
        all
    }

    /// Whether the value of the symbol is the number of an object, or of the shape.
    pub fn is_number(&self, symbol: Symbol) -> bool {
        symbol == self.shape || self.objects.contains_key(&symbol)
    }

    /// The symbols of cells of live objects whose values are numbers of objects.
    pub fn pointer_cells_in<'m>(&'m self, shape: &'m Shape) -> impl Iterator<Item = Symbol> + 'm {
        let live = |number: &i64| shape.get(number).is_some_and(|object| object.live);
        self.objects.iter().filter(move |(_, owner)| live(owner)).map(|(symbol, _)| *symbol)
    }

    /// Whether a live object has an array of numbers of objects.
    pub fn has_pointer_arrays_in(&self, shape: &Shape) -> bool {
        self.pointer_arrays.values().any(|owner| shape.get(owner).is_some_and(|object| object.live))
    }

    /// Whether there may be objects that have no number.
    pub(in crate::formula) fn has_unnamed(&self) -> bool {
        self.has_unnamed
    }

    /// Notes that an object was made that has no number.
    pub(in crate::formula) fn note_unnamed(&mut self) {
        self.grown |= !self.has_unnamed;
        self.has_unnamed = true;
    }

    /// The number of the next object that is made at a site where these objects are.
    pub(in crate::formula) fn allocate(&mut self, site: Site, zeroed: bool, shape: &Shape) -> Option<i64> {
        for occurrence in 0..MAX_OF_SITE {
            let next = self.zeroed.len() as i64 + 1;
            let number = *self.numbers.entry((site.clone(), occurrence)).or_insert(next);
            if number == next {
                self.zeroed.push(zeroed);
            }
            if self.zeroed[number as usize - 1] != zeroed {
                return None;
            }
            if !shape.contains_key(&number) {
                return Some(number);
            }
        }
        None
    }

    /// How many bytes a value of the type takes.
    pub(in crate::formula) fn bytes_of(&self, ty: Type) -> i64 {
        size_of(ty, self.pointer_bytes)
    }

    /// What is read at offsets of an object as a type, which may make a cell or a field of it.
    pub(in crate::formula) fn find(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        object: i64,
        at: Offsets,
        ty: Type,
    ) -> Found {
        if arithmetic.sort_of(ty).is_err() && ty != Type::Pointer {
            return Found::Opaque;
        }
        if at.step != 0 || self.is_array_at(object, at.rest) {
            return self.find_field(terms, arithmetic, object, at, ty);
        }
        let (bytes, pointer_bytes) = (self.bytes_of(ty), self.pointer_bytes);
        let layout = self.layouts.entry(object).or_default();
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
                    self.mix(object);
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

    fn find_field(&mut self, terms: &mut Terms, arithmetic: Arithmetic, object: i64, at: Offsets, ty: Type) -> Found {
        self.make_array(object, at.step);
        let pointer_bytes = self.pointer_bytes;
        let Some(elements) = self.layouts.get_mut(&object).and_then(|layout| layout.elements.as_mut()) else {
            return Found::Opaque;
        };
        let mut after = elements.clone();
        after.read(at, ty, pointer_bytes);
        if after.is_bytes() && !elements.is_bytes() && elements.fields().next().is_some() {
            self.mix(object);
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
        object: i64,
        at: Offsets,
        ty: Type,
    ) -> Option<Found> {
        let pointer_bytes = self.pointer_bytes;
        let affected = |elements: &Elements| elements.affected(at, ty, pointer_bytes);
        match self.layouts.get(&object).and_then(|layout| layout.elements.as_ref()).map(affected)? {
            Affected::Nothing => None,
            Affected::Field(rest, known) => Some(Found::Field(self.field(terms, arithmetic, object, rest, known))),
            Affected::Parts => {
                self.mix(object);
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
            *known = layout::gcd(*known, stride);
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
    fn lay_out(&mut self, object: i64, wanted: Wanted) {
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
        object: i64,
    ) -> Vec<(Offsets, Cell)> {
        let Some(elements) = self.layouts.get(&object).and_then(|layout| layout.elements.clone()) else {
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

    /// The cells of an object that overlap with a piece of it.
    pub(in crate::formula) fn overlapping(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        object: i64,
        at: i64,
        bytes: i64,
    ) -> Vec<(i64, Cell)> {
        let Some(layout) = self.layouts.get(&object) else { return Vec::new() };
        let end = at.saturating_add(bytes);
        let found = layout.cells.range(..end).filter(|(start, ty)| *start + size_of(**ty, self.pointer_bytes) > at);
        let found: Vec<(i64, Type)> = found.map(|(start, ty)| (*start, *ty)).collect();
        found.into_iter().map(|(start, ty)| (start, self.cell(terms, arithmetic, object, start, ty))).collect()
    }

    /// All cells of an object, with their offsets.
    pub(in crate::formula) fn cells(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        object: i64,
    ) -> Vec<(i64, Cell)> {
        self.overlapping(terms, arithmetic, object, 0, i64::MAX)
    }

    /// Makes cells of pointers that are copied from one object to another.
    pub(in crate::formula) fn copy_pointers(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        from: (i64, i64),
        to: (i64, i64),
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

    fn cell(&mut self, terms: &mut Terms, arithmetic: Arithmetic, object: i64, at: i64, ty: Type) -> Cell {
        self.named(terms, arithmetic, object, &format!("cell!{object}!{at}!{ty}"), ty, false)
    }

    /// The arrays of a field.
    fn field(&mut self, terms: &mut Terms, arithmetic: Arithmetic, object: i64, rest: i64, ty: Type) -> Cell {
        let elements = self.layouts.get(&object).and_then(|layout| layout.elements.as_ref());
        let stride = elements.map_or(1, Elements::stride);
        self.named(terms, arithmetic, object, &format!("array!{object}!{rest}!{stride}!{ty}"), ty, true)
    }

    fn named(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        object: i64,
        name: &str,
        ty: Type,
        is_array: bool,
    ) -> Cell {
        let mut symbol = |name: String, ty| self.symbol(terms, arithmetic, object, &name, ty, is_array);
        if ty != Type::Pointer {
            let value = symbol(name.to_owned(), ty);
            let written = self
                .is_written_noted(object)
                .then(|| self.symbol(terms, arithmetic, object, &format!("{name}!written"), Type::Bool, is_array));
            return Cell { ty, value, offset: None, written };
        }
        let value = symbol(format!("{name}!object"), Type::Int);
        let offset = symbol(format!("{name}!offset"), OFFSET);
        let written = self
            .is_written_noted(object)
            .then(|| self.symbol(terms, arithmetic, object, &format!("{name}!written"), Type::Bool, is_array));
        match is_array {
            true => self.pointer_arrays.insert(value, object),
            false => self.objects.insert(value, object),
        };
        Cell { ty, value, offset: Some(offset), written }
    }

    /// Whether it is noted which cells of an object were written.
    fn is_written_noted(&self, object: i64) -> bool {
        self.has_copies && !self.zeroed[object as usize - 1]
    }

    fn symbol(
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
        let term = terms.var(&format!("{name}!{sort}"), sort);
        let symbol = terms.as_symbol(term).expect("a free constant is its symbol");
        self.types.insert(symbol, (ty, object));
        symbol
    }
}

fn has_copies(program: &Program) -> bool {
    let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
    let mut statements = edges.flat_map(|edge| edge.block.iter()).chain(&program.init);
    statements.any(|statement| matches!(statement, Statement::Copy { .. }))
}

/// How many objects made at one site are told apart.
const MAX_OF_SITE: u32 = 64;

fn size_of(ty: Type, pointer_bytes: u32) -> i64 {
    match ty {
        Type::Bool => 1,
        Type::Machine(machine) => i64::from(machine.bytes()),
        Type::Pointer => i64::from(pointer_bytes),
        Type::Float(kind) => i64::from(kind.bytes()),
        Type::Int => unreachable!("mathematical integers are not in memory"),
    }
}

/// Whether values of the types are the same bits, read in another way: whole bytes, of machine integers and
/// floating-point numbers.
pub(in crate::formula) fn alike(a: Type, b: Type) -> bool {
    match (a, b) {
        (Type::Machine(a), Type::Machine(b)) => a.width == b.width && a.width % 8 == 0,
        (Type::Machine(machine), Type::Float(kind)) | (Type::Float(kind), Type::Machine(machine)) => {
            machine.width == kind.width()
        }
        _ => a == b,
    }
}

/// A remainder: the term is `rest` modulo `modulus`, whatever its symbols are; a modulus of 0 says that it is `rest`.
pub(in crate::formula) fn remainder(terms: &Terms, term: TermId) -> (i128, i128) {
    find_remainder(terms, term, 12)
}

const ANYTHING: (i128, i128) = (0, 1);

fn find_remainder(terms: &Terms, term: TermId, depth: u32) -> (i128, i128) {
    let Some(depth) = depth.checked_sub(1) else { return ANYTHING };
    let args = terms.args(term);
    let of = |term: TermId| find_remainder(terms, term, depth);
    let gcd = |a: i128, b: i128| {
        let (mut a, mut b) = (a.abs(), b.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let plus = |a: (i128, i128), b: (i128, i128)| Some((a.0.checked_add(b.0)?, gcd(a.1, b.1)));
    let times = |a: (i128, i128), b: (i128, i128)| match (a.1, b.1) {
        (_, 0) => Some((a.0.checked_mul(b.0)?, a.1.checked_mul(b.0)?)),
        (0, _) => Some((a.0.checked_mul(b.0)?, b.1.checked_mul(a.0)?)),
        _ => None,
    };
    // What wraps keeps remainders modulo powers of two only.
    let wrapped = |of: Option<(i128, i128)>, width: Option<u32>| {
        let (rest, modulus) = of?;
        let size = 1i128.checked_shl(width.filter(|w| *w < 100)?)?;
        let modulus = gcd(modulus, size);
        Some((if modulus == size { 0 } else { rest }, if modulus == size { 1 } else { modulus }))
    };
    let width = terms.sort(term).width();
    let found = match terms.op(term) {
        Op::Int(value) => value.to_string().parse().ok().map(|value| (value, 0)),
        Op::BitVec(value, width) => {
            let signed = value.wrap_signed(*width).to_i64();
            signed.map(|value| (i128::from(value), 0))
        }
        Op::Add => args.iter().map(|arg| of(*arg)).try_fold((0, 0), plus),
        Op::Mul => args.iter().map(|arg| of(*arg)).try_fold((1, 0), times),
        Op::Neg => times(of(args[0]), (-1, 0)),
        Op::BvAdd => wrapped(args.iter().map(|arg| of(*arg)).try_fold((0, 0), plus), width),
        Op::BvMul => wrapped(args.iter().map(|arg| of(*arg)).try_fold((1, 0), times), width),
        Op::BvNeg => wrapped(times(of(args[0]), (-1, 0)), width),
        Op::Ite => {
            let (a, b) = (of(args[1]), of(args[2]));
            a.0.checked_sub(b.0).map(|apart| (a.0, gcd(gcd(a.1, b.1), apart)))
        }
        _ => None,
    };
    found.unwrap_or(ANYTHING)
}

impl Encoder<'_> {
    /// An offset as a term.
    pub(in crate::formula) fn offset(&self, terms: &mut Terms, offset: i64) -> TermId {
        self.number(terms, &Integer::from(offset), OFFSET)
    }
}

/// The number of a procedure that is pointed to.
pub(in crate::formula) fn number_of_procedure(procedure: crate::program::ProcId) -> i64 {
    -1 - procedure.index() as i64
}

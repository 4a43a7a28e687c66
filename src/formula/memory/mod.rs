//! Memory as variables: the tables that name objects and their cells.
//!
//! An object is named by where it was allocated and how many such objects there were already; which objects there are
//! at a place, their *shape*, is known there exactly. What is read of an object, and only that, becomes *cells*: a
//! symbol for an offset and a type. Where offsets are too many, or not known to be few, or values of different widths
//! overlap, the object is written as *arrays* instead (`layout.rs`). Objects of one site that are too many to have a number
//! each are members of a *region* (`region.rs`). Cells, arrays and regions are found while blocks are walked, so tables
//! grow; what was walked before they did is to be walked again.

pub(in crate::formula) mod access;
mod array;
mod candidates;
pub mod every;
mod find;
mod layout;
mod members;
mod pointer;
mod region;
mod remainder;
mod somewhere;
pub(in crate::formula) mod tracking;

pub use access::Access;

use crate::formula::encode::Encoder;
use crate::program::OFFSET;
use crate::program::control::Frame;
use crate::program::points::{Points, Site as Place, Sites};
use crate::program::webs::StatementAt;
use crate::program::{EdgeId, Expr, Id, Program, Region, Statement, Type};
use crate::term::{Integer, Offsets, Op, Sort, Symbol, TermId, Terms};
pub(in crate::formula) use array::unsigned;
pub(in crate::formula) use layout::BYTE;
use layout::{Elements, Layout};
pub(in crate::formula) use region::Object;
pub(in crate::formula) use region::is_region;
use region::{Regions, lifetimes};
pub(in crate::formula) use remainder::remainder;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

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
    /// The member of a region whose cell is meant; then symbols are arrays over the members' numbers.
    pub member: Option<TermId>,
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

/// How contents of objects are written. The ways mean the same; tests compare them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Representation {
    /// Each as it is accessed: cells where these suffice, else arrays.
    #[default]
    Chosen,
    /// All as arrays of elements.
    Arrays,
    /// All as arrays of bytes.
    Bytes,
    /// All that does not end with an activation as regions.
    Regions,
    /// The same, with their members as arrays of elements.
    RegionsOfArrays,
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
    /// Where objects were made that have no number.
    unnamed: Sites,
    /// Which objects pointers can be into, where that is known, and the sites of objects with a number.
    points: Option<Arc<Points>>,
    made_at: Vec<Sites>,
    /// For each object with a number, the statement that made it.
    places: Vec<Option<Place>>,
    /// How long the objects live that statements make.
    lifetimes: BTreeMap<Place, Region>,
    regions: Regions,
    /// Whether the program copies memory.
    has_copies: bool,
    /// Whether pointers are made numbers.
    hides_pointers: bool,
    /// Whether objects stay that nothing leads to.
    keeps_all: bool,
    /// Whether every pointer that is stored is a cell.
    pub(in crate::formula) keeps_pointers: bool,
    representation: Representation,
}

impl Memory {
    /// Without any object.
    pub fn new(program: &Program, terms: &mut Terms, representation: Representation) -> Memory {
        let shape = terms.var("memory!", Sort::Int);
        // Only where types are checked does every pointer come from where pointers are written.
        let points = program.checks_accesses().then(|| Points::of(program)).flatten();
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
            unnamed: 0,
            points: points.map(Arc::new),
            made_at: Vec::new(),
            places: Vec::new(),
            lifetimes: lifetimes(program),
            regions: match representation {
                Representation::Regions | Representation::RegionsOfArrays => Regions::forced(program),
                _ => Regions::default(),
            },
            has_copies: has_copies(program),
            hides_pointers: hides_pointers(program),
            keeps_all: false,
            keeps_pointers: program.tracks_heap(),
            representation,
        }
    }

    /// Whether every object and every shape has a number of its own, and every region a counter.
    pub fn is_well_formed(&self, terms: &Terms) -> bool {
        let mut numbers: Vec<i64> = self.numbers.values().copied().collect();
        numbers.sort_unstable();
        let all = numbers.into_iter().eq(1..=self.zeroed.len() as i64);
        let numbered = |(number, shape)| self.shape_numbers.get(shape) == Some(&number);
        let is_known = |object: &i64| (1..=self.zeroed.len() as i64).contains(object) || is_region(*object);
        let laid_out = self.layouts.keys().all(is_known);
        all && laid_out && self.has_sound_regions(terms) && self.shapes.iter().enumerate().all(numbered)
    }

    /// From here on, objects stay that nothing leads to, unless they ended.
    pub(in crate::formula) fn keep_all(&mut self) {
        self.keeps_all = true;
    }

    /// How many objects have a number.
    pub fn count(&self) -> i64 {
        self.zeroed.len() as i64
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
    /// that is not known may be, once the cell that it comes from is. Regions are made last.
    pub fn cells_changed(&mut self) -> bool {
        let wanted = std::mem::take(&mut self.wanted);
        if std::mem::take(&mut self.grown) {
            self.regions.want_nothing();
            return true;
        }
        if !wanted.is_empty() {
            wanted.into_iter().for_each(|(object, wanted)| self.lay_out(object, wanted));
            self.regions.want_nothing();
            return true;
        }
        self.make_regions()
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

    /// The symbols of cells and arrays whose values are numbers of objects, with the objects that they are in.
    pub fn pointer_symbols(&self) -> impl Iterator<Item = (Symbol, i64)> + '_ {
        self.objects.iter().chain(&self.pointer_arrays).map(|(symbol, owner)| (*symbol, *owner))
    }

    /// Whether what nothing is seen to lead to cannot be come by: it does not matter what is lost, and pointers are neither
    /// made numbers nor in pieces of memory where bytes are told apart.
    pub(in crate::formula) fn shows_all_pointers_in(&self, shape: &Shape) -> bool {
        let is_bytes = |number: &i64| {
            let elements = self.layouts.get(number).and_then(|layout| layout.elements.as_ref());
            elements.is_some_and(Elements::is_bytes)
        };
        !self.keeps_all
            && !self.keeps_pointers
            && (!self.hides_pointers && !shape.keys().any(is_bytes) || self.points.is_some())
    }

    /// The sites of the objects that an expression, a pointer, can be into where a statement reads it.
    pub(in crate::formula) fn sites_of(&self, program: &Program, at: Option<StatementAt>, pointer: &Expr) -> Sites {
        self.points.as_ref().map_or(Sites::MAX, |points| points.target_at(program, at, pointer).sites)
    }

    /// Whether an expression, a pointer, is known to be to the start of an object, or null.
    pub(in crate::formula) fn is_at_start(&self, program: &Program, at: Option<StatementAt>, pointer: &Expr) -> bool {
        let offsets = self.points.as_ref().map(|points| points.target_at(program, at, pointer).offsets);
        offsets.is_some_and(|offsets| offsets == Offsets::at(0))
    }

    /// Whether an object was made at one of the sites.
    pub(in crate::formula) fn is_made_at(&self, object: i64, sites: Sites) -> bool {
        if is_region(object) {
            return self.has_members_of(object, sites);
        }
        let made_at = usize::try_from(object - 1).ok().and_then(|index| self.made_at.get(index));
        made_at.is_none_or(|site| site & sites != 0)
    }

    /// Whether there may be objects made at these sites that have no number.
    pub(in crate::formula) fn has_unnamed(&self, sites: Sites) -> bool {
        self.unnamed & sites != 0
    }

    /// Notes that an object was made that has no number.
    pub(in crate::formula) fn note_unnamed(&mut self, site: &Site) {
        let before = self.unnamed;
        self.unnamed |= self.set_of(site);
        self.grown |= self.unnamed != before;
    }

    /// The set of one site; of all where it is not known.
    fn set_of(&self, site: &Site) -> Sites {
        let edge = site.edge.map(|edge| (site.stack.last().map(|frame| frame.procedure), edge));
        let edge = match edge {
            Some((None, _)) => return Sites::MAX,
            Some((Some(procedure), edge)) => Some((procedure, edge)),
            None => None,
        };
        let known = self.points.as_ref().map(|points| points.set_of(edge, site.statement as usize));
        known.filter(|set| *set != 0).unwrap_or(Sites::MAX)
    }

    /// The number of the next object that is made at a site where these objects are.
    pub(in crate::formula) fn allocate(&mut self, site: Site, zeroed: bool, shape: &Shape) -> Option<i64> {
        for occurrence in 0..MAX_OF_SITE {
            let next = self.zeroed.len() as i64 + 1;
            let number = *self.numbers.entry((site.clone(), occurrence)).or_insert(next);
            if number == next {
                self.zeroed.push(zeroed);
                self.made_at.push(self.set_of(&site));
                self.places.push(site.place());
            }
            if self.zeroed[number as usize - 1] != zeroed {
                return None;
            }
            if !shape.contains_key(&number) {
                return Some(number);
            }
        }
        self.want_region_of(&site);
        None
    }

    /// How many bytes a value of the type takes.
    pub(in crate::formula) fn bytes_of(&self, ty: Type) -> i64 {
        size_of(ty, self.pointer_bytes)
    }
}

fn has_copies(program: &Program) -> bool {
    let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
    let mut statements = edges.flat_map(|edge| edge.block.iter()).chain(&program.init);
    statements.any(|statement| matches!(statement, Statement::Copy { .. }))
}

/// Whether pointers are made numbers anywhere.
fn hides_pointers(program: &Program) -> bool {
    fn hides(program: &Program, expr: &Expr) -> bool {
        let is_hidden = |inner: &Expr| inner.type_in(program) == Type::Pointer;
        matches!(expr, Expr::Cast(Type::Machine(_) | Type::Int, inner) if is_hidden(inner))
            || expr.operands().into_iter().any(|operand| hides(program, operand))
    }
    let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
    let mut statements = edges.flat_map(|edge| edge.block.iter()).chain(&program.init);
    statements.any(|statement| statement.expressions().into_iter().any(|expr| hides(program, expr)))
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

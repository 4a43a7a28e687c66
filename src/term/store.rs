//! The store: operators, symbols, and terms made once each.

use super::{FloatOp, Integer, Sort};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// A term of a [`Terms`] store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);

impl TermId {
    /// A number that tells terms of one store apart; arguments have smaller ones than what is built of them.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for TermId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// A free constant of a store: a name with a sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    /// One of 64 bits, see [`Terms::symbol_trace`].
    pub(super) fn trace(self) -> u64 {
        1 << (self.0 % 64)
    }
}

/// What a term does with its arguments. `And`, `Or`, `Add` and `Mul` take two or more; the rest take the
/// number that their name says.
///
/// Greater-than comparisons, `distinct` and binary minus on integers have no operator of their own: the
/// constructors of [`Terms`] express them by the ones here.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Op {
    /// A free constant.
    Var(Symbol),
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Integer),
    /// A bit-vector: its unsigned value, below 2^width, and its width.
    BitVec(Integer, u32),

    /// Not.
    Not,
    /// And.
    And,
    /// Or.
    Or,
    /// Implies.
    Implies,
    /// If, then, else; of any sort.
    Ite,
    /// Equality of two terms of one sort; on Bool, if and only if.
    Eq,

    /// Sum of integers.
    Add,
    /// Product of integers.
    Mul,
    /// Minus an integer.
    Neg,
    /// Quotient of integers, the remainder never negative; by zero, some value (SMT-LIB's `div`).
    Div,
    /// Remainder of integers, never negative; by zero, some value (SMT-LIB's `mod`).
    Mod,
    /// At most, on integers.
    Le,
    /// Less, on integers.
    Lt,

    /// Sum, wrapping.
    BvAdd,
    /// Difference, wrapping.
    BvSub,
    /// Product, wrapping.
    BvMul,
    /// Two's complement negation.
    BvNeg,
    /// Unsigned quotient; all ones by zero.
    BvUdiv,
    /// Unsigned remainder; the dividend by zero.
    BvUrem,
    /// Signed quotient, towards zero.
    BvSdiv,
    /// Signed remainder, with the sign of the dividend.
    BvSrem,
    /// Shift left, zeros from the right; zero from the width on.
    BvShl,
    /// Shift right, zeros from the left.
    BvLshr,
    /// Shift right, the sign from the left.
    BvAshr,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Bitwise not.
    BvNot,
    /// Unsigned less.
    BvUlt,
    /// Unsigned at most.
    BvUle,
    /// Signed less.
    BvSlt,
    /// Signed at most.
    BvSle,
    /// The first argument's bits above the second's.
    Concat,
    /// Bits from the first index down to the second, both included.
    Extract(u32, u32),
    /// Zeros added above; how many.
    ZeroExtend(u32),
    /// Copies of the sign added above; how many.
    SignExtend(u32),

    /// An integer modulo 2^width, as a bit-vector (`int2bv`).
    IntToBv(u32),
    /// A bit-vector as a natural number (`bv2nat`).
    BvToNat,

    /// An operator on floating-point numbers, which are bit-vectors of 32 or 64 bits.
    Float(FloatOp),

    /// The element of an array at an index.
    Select,
    /// An array with one element replaced.
    Store,
    /// The array, of the given sort, that holds one value everywhere.
    ConstArray(Sort),
}

struct Node {
    op: Op,
    sort: Sort,
    args_start: u32,
    args_len: u32,
    hash: u64,
    /// See [`Terms::symbol_trace`].
    symbols: u64,
    /// See [`Terms::written_size`].
    size: u32,
    /// See [`Terms::is_choice_of_constants`].
    is_choice: bool,
    /// See [`Terms::bounds`].
    bounds: Option<(i64, i64)>,
}

struct SymbolEntry {
    name: String,
    /// The name as SMT-LIB text, made once because printing is on the path of every query.
    text: String,
    sort: Sort,
}

/// Makes terms, each once, and answers questions about them.
///
/// [`Terms::make`] simplifies; [`Terms::raw`] does not. Every named constructor goes through `make`.
#[derive(Default)]
pub struct Terms {
    nodes: Vec<Node>,
    arguments: Vec<TermId>,
    table: HashTable<TermId>,
    symbols: Vec<SymbolEntry>,
    symbol_by_name: FxHashMap<String, Symbol>,
    /// The arrays that are values, in the one form that each has, with what they hold almost everywhere.
    array_values: FxHashMap<TermId, TermId>,
    /// Whether they are of an unrolled program.
    is_unrolled: bool,
}

impl Terms {
    /// An empty store.
    pub fn new() -> Terms {
        Terms::default()
    }

    /// From now on, terms are of an unrolled program: a read of an array all of whose stores are known is a choice between
    /// what was stored, and sums and extremes of choices have one form whatever their order.
    pub fn set_unrolled(&mut self) {
        self.is_unrolled = true;
    }

    /// Whether they are of an unrolled program.
    pub(super) fn is_unrolled(&self) -> bool {
        self.is_unrolled
    }

    /// How many distinct terms were made.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no term was made yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The terms from that number on, see [`TermId::index`].
    pub fn from_number(&self, first: usize) -> impl Iterator<Item = TermId> + use<> {
        let number = |index: usize| u32::try_from(index).expect("ids are 32 bits wide");
        (number(first)..number(self.len())).map(TermId)
    }

    /// What the term does.
    pub fn op(&self, term: TermId) -> &Op {
        &self.nodes[term.index()].op
    }

    /// What it does it with.
    pub fn args(&self, term: TermId) -> &[TermId] {
        let node = &self.nodes[term.index()];
        &self.arguments[node.args_start as usize..(node.args_start + node.args_len) as usize]
    }

    /// The sort of the term.
    pub fn sort(&self, term: TermId) -> Sort {
        self.nodes[term.index()].sort
    }

    /// What the symbols of a term leave in 64 bits: it has none of the symbols that leave nothing there.
    pub(super) fn symbol_trace(&self, term: TermId) -> u64 {
        self.nodes[term.index()].symbols
    }

    /// How many operations and operands a term has when it is written out, nothing shared; 2^32 - 1 where there are more.
    pub fn written_size(&self, term: TermId) -> u32 {
        self.nodes[term.index()].size
    }

    /// Whether the term is one of several constants, by conditions.
    pub(super) fn is_choice_of_constants(&self, term: TermId) -> bool {
        self.nodes[term.index()].is_choice
    }

    /// The least and the greatest value of an integer, where they are seen from the constants that it is made of.
    pub(super) fn bounds(&self, term: TermId) -> Option<(i64, i64)> {
        self.nodes[term.index()].bounds
    }

    /// The same of a term that is about to be made.
    fn bounds_of(&self, op: &Op, args: &[TermId]) -> Option<(i64, i64)> {
        let of = |arg: usize| self.bounds(args[arg]);
        let divisor = || self.as_int(args[1]).and_then(Integer::to_i64).filter(|divisor| *divisor > 0);
        match op {
            Op::Int(value) => value.to_i64().map(|value| (value, value)),
            Op::Ite => {
                let ((a, b), (c, d)) = (of(1)?, of(2)?);
                Some((a.min(c), b.max(d)))
            }
            Op::Add => args.iter().try_fold((0i64, 0i64), |(low, high), arg| {
                let (a, b) = self.bounds(*arg)?;
                Some((low.checked_add(a)?, high.checked_add(b)?))
            }),
            Op::Mul => args.iter().try_fold((1i64, 1i64), |(low, high), arg| {
                let (a, b) = self.bounds(*arg)?;
                let products = [low.checked_mul(a)?, low.checked_mul(b)?, high.checked_mul(a)?, high.checked_mul(b)?];
                Some((*products.iter().min()?, *products.iter().max()?))
            }),
            Op::Div => {
                let ((low, high), divisor) = (of(0)?, divisor()?);
                Some((low.div_euclid(divisor), high.div_euclid(divisor)))
            }
            Op::Mod => divisor().map(|divisor| (0, divisor - 1)),
            Op::BvToNat => {
                let width = self.sort(args[0]).width().filter(|width| *width < 63)?;
                Some((0, (1 << width) - 1))
            }
            _ => None,
        }
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol.0 as usize].name
    }

    /// The name of a symbol as SMT-LIB text, quoted or escaped where it has to be.
    pub fn symbol_text(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol.0 as usize].text
    }

    /// The sort of a symbol.
    pub fn symbol_sort(&self, symbol: Symbol) -> Sort {
        self.symbols[symbol.0 as usize].sort
    }

    /// The symbol of that name, where one was made.
    pub fn find_symbol(&self, name: &str) -> Option<Symbol> {
        self.symbol_by_name.get(name).copied()
    }

    /// The free constant of that name; its sort is fixed by the first call.
    ///
    /// # Panics
    /// If the name is known with another sort.
    pub fn var(&mut self, name: &str, sort: Sort) -> TermId {
        let symbol = match self.symbol_by_name.get(name) {
            Some(&symbol) => {
                assert_eq!(self.symbol_sort(symbol), sort, "the symbol {name} has one sort");
                symbol
            }
            None => {
                let symbol = Symbol(u32::try_from(self.symbols.len()).expect("fewer than 2^32 symbols"));
                let mut text = String::new();
                super::smtlib::write_symbol(name, &mut text);
                self.symbols.push(SymbolEntry { name: name.to_owned(), text, sort });
                self.symbol_by_name.insert(name.to_owned(), symbol);
                symbol
            }
        };
        self.raw(Op::Var(symbol), &[])
    }

    /// A free constant whose name, which starts with `prefix`, was not in use before.
    pub fn fresh_var(&mut self, prefix: &str, sort: Sort) -> TermId {
        let mut number = self.symbols.len();
        loop {
            let name = format!("{prefix}!{number}");
            if !self.symbol_by_name.contains_key(&name) {
                return self.var(&name, sort);
            }
            number += 1;
        }
    }

    /// The term itself, not simplified.
    ///
    /// # Panics
    /// If the arguments do not have the sorts that the operator takes.
    pub fn raw(&mut self, op: Op, args: &[TermId]) -> TermId {
        let hash = hash_of(&op, args);
        let Terms { nodes, arguments, table, .. } = self;
        let same = |&id: &TermId| {
            let node = &nodes[id.index()];
            node.op == op && &arguments[node.args_start as usize..(node.args_start + node.args_len) as usize] == args
        };
        if let Some(&found) = table.find(hash, same) {
            return found;
        }
        let sort = self.sort_of(&op, args);
        let id = TermId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        let args_start = u32::try_from(self.arguments.len()).expect("fewer than 2^32 arguments");
        self.arguments.extend_from_slice(args);
        let symbols = match op {
            Op::Var(symbol) => symbol.trace(),
            _ => args.iter().fold(0, |all, arg| all | self.symbol_trace(*arg)),
        };
        let size = args.iter().fold(1, |all: u32, arg| all.saturating_add(self.written_size(*arg)));
        let is_constant = |term: &TermId| matches!(self.op(*term), Op::Bool(_) | Op::Int(_) | Op::BitVec(..));
        let is_leaf = |term: &TermId| is_constant(term) || self.is_choice_of_constants(*term);
        let is_choice = op == Op::Ite && args[1..].iter().all(is_leaf);
        let bounds = if sort == Sort::Int { self.bounds_of(&op, args) } else { None };
        self.nodes.push(Node {
            op,
            sort,
            args_start,
            args_len: args.len() as u32,
            hash,
            symbols,
            size,
            is_choice,
            bounds,
        });
        let nodes = &self.nodes;
        self.table.insert_unique(hash, id, |id| nodes[id.index()].hash);
        if let Some(default) = self.default_of_value(id) {
            self.array_values.insert(id, default);
        }
        id
    }

    /// What a new term holds almost everywhere, if it is an array that is a value: constants stored in a constant array, in
    /// the order of their indices, none of them what is there anyway.
    fn default_of_value(&self, term: TermId) -> Option<TermId> {
        let Sort::Array(parts) = self.sort(term) else { return None };
        if !matches!(parts.index(), Sort::Int | Sort::BitVec(32..)) {
            return None;
        }
        match (self.op(term), self.args(term)) {
            (Op::ConstArray(_), &[element]) => self.is_value(element).then_some(element),
            (Op::Store, &[below, index, element]) => {
                let default = *self.array_values.get(&below)?;
                let is_last = match (self.op(below), self.args(below)) {
                    (Op::Store, &[_, last, _]) => self.as_value(last) < self.as_value(index),
                    _ => true,
                };
                (self.is_value(index) && self.is_value(element) && is_last && element != default).then_some(default)
            }
            _ => None,
        }
    }

    /// Whether the term is a constant, or an array of constants in the one form that it has.
    pub fn is_value(&self, term: TermId) -> bool {
        match self.op(term) {
            Op::Bool(_) | Op::Int(_) | Op::BitVec(..) => true,
            Op::ConstArray(_) | Op::Store => self.array_values.contains_key(&term),
            _ => false,
        }
    }

    /// What an array that is a value holds almost everywhere.
    pub(super) fn default_of(&self, array: TermId) -> Option<TermId> {
        self.array_values.get(&array).copied()
    }

    /// The term, simplified.
    pub fn make(&mut self, op: Op, args: &[TermId]) -> TermId {
        match super::simplify::rewrite(self, &op, args) {
            Some(simpler) => simpler,
            None => self.raw(op, args),
        }
    }

    /// The sort of the operator's result, after a check of its arguments' sorts.
    fn sort_of(&self, op: &Op, args: &[TermId]) -> Sort {
        use Op::*;
        let sort = |i: usize| self.sort(args[i]);
        // What takes these sorts and gives that one.
        let takes = |sorts: &[Sort], result: Sort| {
            let given: Vec<Sort> = args.iter().map(|&a| self.sort(a)).collect();
            assert_eq!(given, sorts, "the arguments of {op:?}");
            result
        };
        let all = |wanted: Sort, least: usize| {
            assert!(args.len() >= least && args.iter().all(|&a| self.sort(a) == wanted), "the arguments of {op:?}");
        };
        let vectors = || {
            let Sort::BitVec(width) = sort(0) else { panic!("{op:?} takes bit-vectors") };
            all(Sort::BitVec(width), 1);
            width
        };
        match op {
            Var(symbol) => self.symbol_sort(*symbol),
            Bool(_) => Sort::Bool,
            Int(_) => Sort::Int,
            BitVec(value, width) => {
                assert!(*width > 0 && value.fits(*width, false), "{value} is a {width}-bit value");
                Sort::BitVec(*width)
            }
            Not => takes(&[Sort::Bool], Sort::Bool),
            And | Or => {
                all(Sort::Bool, 2);
                Sort::Bool
            }
            Implies => takes(&[Sort::Bool, Sort::Bool], Sort::Bool),
            Ite => takes(&[Sort::Bool, sort(1), sort(1)], sort(1)),
            Eq => takes(&[sort(0), sort(0)], Sort::Bool),
            Add | Mul => {
                all(Sort::Int, 2);
                Sort::Int
            }
            Neg => takes(&[Sort::Int], Sort::Int),
            Div | Mod => takes(&[Sort::Int, Sort::Int], Sort::Int),
            Le | Lt => takes(&[Sort::Int, Sort::Int], Sort::Bool),
            BvAdd | BvSub | BvMul | BvUdiv | BvUrem | BvSdiv | BvSrem | BvShl | BvLshr | BvAshr | BvAnd | BvOr
            | BvXor => {
                assert_eq!(args.len(), 2, "the arguments of {op:?}");
                Sort::BitVec(vectors())
            }
            BvNeg | BvNot => {
                assert_eq!(args.len(), 1, "the arguments of {op:?}");
                Sort::BitVec(vectors())
            }
            BvUlt | BvUle | BvSlt | BvSle => {
                assert_eq!(args.len(), 2, "the arguments of {op:?}");
                vectors();
                Sort::Bool
            }
            Concat => match (sort(0), sort(1)) {
                (Sort::BitVec(high), Sort::BitVec(low)) => Sort::BitVec(high + low),
                other => panic!("concat of {other:?}"),
            },
            Extract(high, low) => {
                let width = vectors();
                assert!(low <= high && *high < width, "bits {high} to {low} of {width}");
                Sort::BitVec(high - low + 1)
            }
            ZeroExtend(more) | SignExtend(more) => Sort::BitVec(vectors() + more),
            IntToBv(width) => takes(&[Sort::Int], Sort::BitVec(*width)),
            BvToNat => {
                vectors();
                Sort::Int
            }
            Float(float) => {
                let given: Vec<Sort> = args.iter().map(|&a| self.sort(a)).collect();
                float.result(&given).unwrap_or_else(|| panic!("the arguments of {float:?} are {given:?}"))
            }
            Select => {
                let Sort::Array(array) = sort(0) else { panic!("select takes an array") };
                takes(&[sort(0), array.index()], array.element())
            }
            Store => {
                let Sort::Array(array) = sort(0) else { panic!("store takes an array") };
                takes(&[sort(0), array.index(), array.element()], sort(0))
            }
            ConstArray(array) => {
                let Sort::Array(parts) = array else { panic!("{array} is no array sort") };
                takes(&[parts.element()], *array)
            }
        }
    }
}

fn hash_of(op: &Op, args: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    args.hash(&mut hasher);
    hasher.finish()
}

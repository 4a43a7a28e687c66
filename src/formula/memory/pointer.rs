//! Pointers as terms: an object's number and an offset.

use super::{Object, PointerTerm, number_of_procedure};
use crate::formula::encode::Unsupported;
use crate::formula::encode::block::Block;
use crate::program::{BinaryOp, Expr, MachineInt, OFFSET, Region, Type, UnaryOp};
use crate::term::{Integer, Op, TermId, Terms};

/// What pointers are called where they are refused.
const POINTER: &str = "a pointer";

/// How many bytes an offset has.
const OFFSET_BYTES: u32 = 8;

/// No object lies in so many bytes at either end of memory.
const FREE_BYTES: i64 = 4096;

impl Block<'_, '_> {
    /// The pointer that an expression is. Where the block over-approximates, one that cannot be expressed is any.
    pub(in crate::formula) fn pointer(&mut self, terms: &mut Terms, expr: &Expr) -> Result<PointerTerm, Unsupported> {
        let pointer = match self.exact_pointer(terms, expr) {
            Err(unsupported) if self.over_approximates && self.access.is_some() => self.any_pointer(terms, unsupported),
            result => result?,
        };
        let is_reference = matches!(expr, Expr::Var(_) | Expr::Load(..)) && !terms.is_value(pointer.offset);
        let access = self.access.as_ref().filter(|_| is_reference);
        match access.is_some_and(|access| access.memory.is_at_start(self.encoder.program, access.at(), expr)) {
            true => Ok(PointerTerm { offset: self.encoder.offset(terms, 0), ..pointer }),
            false => Ok(pointer),
        }
    }

    /// Any pointer, because something cannot be expressed.
    pub(in crate::formula) fn any_pointer(&mut self, terms: &mut Terms, unsupported: Unsupported) -> PointerTerm {
        let sort = self.encoder.sort_of(Type::Int).expect("integers have a sort");
        let object = self.any_value(terms, Type::Int, sort, unsupported.clone());
        let sort = self.encoder.sort_of(OFFSET).expect("offsets have a sort");
        let offset = self.any_value(terms, OFFSET, sort, unsupported);
        PointerTerm { object, offset }
    }

    fn exact_pointer(&mut self, terms: &mut Terms, expr: &Expr) -> Result<PointerTerm, Unsupported> {
        if self.access.is_none() {
            return Err(Unsupported::new(if expr.has_load() { "a read of memory" } else { POINTER }));
        }
        match expr {
            Expr::Null => Ok(self.address(terms, 0)),
            Expr::Function(procedure) => {
                let object = terms.int(number_of_procedure(*procedure));
                Ok(PointerTerm { object, offset: self.encoder.offset(terms, 0) })
            }
            Expr::Var(variable) => match self.pointers.get(variable) {
                Some(known) => Ok(*known),
                None => {
                    let pointer = self.encoder.pointer_term(terms, *variable);
                    pointer.map(|pointer| self.simplest(terms, pointer)).ok_or_else(|| Unsupported::new(POINTER))
                }
            },
            Expr::Ite(condition, then, otherwise) => {
                let condition = self.expr(terms, condition)?;
                let known = self.truth_here(terms, condition);
                let then = self.under(terms, condition, |block, terms| block.pointer(terms, then));
                let negated = terms.not(condition);
                let otherwise = self.under(terms, negated, |block, terms| block.pointer(terms, otherwise));
                match (then, otherwise, known) {
                    // The condition stays: what is known here need not be known where the formula is used.
                    (Ok(then), Ok(otherwise), _) => Ok(PointerTerm {
                        object: terms.ite(condition, then.object, otherwise.object),
                        offset: terms.ite(condition, then.offset, otherwise.offset),
                    }),
                    (Ok(then), Err(_), Some(true)) => Ok(then),
                    (Err(_), Ok(otherwise), Some(false)) => Ok(otherwise),
                    (Err(unsupported), ..) | (_, Err(unsupported), _) => Err(unsupported),
                }
            }
            Expr::Binary(BinaryOp::PointerAdd, pointer, bytes) => {
                let pointer = self.pointer(terms, pointer)?;
                let bytes = self.expr(terms, bytes)?;
                self.pointer_add(terms, pointer, bytes)
            }
            Expr::Cast(Type::Pointer, inner) => self.cast_to_pointer(terms, inner),
            Expr::Load(_, address) => self.load_pointer(terms, address),
            _ => Err(Unsupported::new(POINTER)),
        }
    }

    /// The pointer to no object with that address.
    fn address(&mut self, terms: &mut Terms, address: i64) -> PointerTerm {
        PointerTerm { object: terms.int(0), offset: self.encoder.offset(terms, address) }
    }

    fn pointer_add(&mut self, terms: &mut Terms, from: PointerTerm, bytes: TermId) -> Result<PointerTerm, Unsupported> {
        let zero = self.encoder.offset(terms, 0);
        if bytes == zero {
            return Ok(from);
        }
        let may_be_address = |cases: Vec<(TermId, Object)>| cases.iter().any(|(_, object)| object.number == 0);
        let is_narrow = self.encoder.program.pointer_bytes < OFFSET_BYTES;
        if is_narrow && self.cases(terms, from.object).is_none_or(may_be_address) {
            // Addresses wrap at the size of pointers, offsets at that of an `i64`.
            let (start, more) = (self.constant(terms, from.offset), self.constant(terms, bytes));
            return match (self.constant(terms, from.object), start, more) {
                (Some(object), Some(start), Some(more)) if object.is_zero() => {
                    let address = self.wrapped_address(&(&start + &more));
                    Ok(self.address(terms, address))
                }
                _ => Err(Unsupported::new(POINTER)),
            };
        }
        let offset = self.binary(terms, BinaryOp::Add, OFFSET, from.offset, bytes)?;
        Ok(PointerTerm { offset, ..from })
    }

    fn cast_to_pointer(&mut self, terms: &mut Terms, inner: &Expr) -> Result<PointerTerm, Unsupported> {
        let program = self.encoder.program;
        match (inner, inner.type_in(program)) {
            (_, Type::Pointer) => self.pointer(terms, inner),
            // A pointer survives the way to a number that is wide enough and back.
            (Expr::Cast(Type::Machine(between), pointer), _)
                if pointer.type_in(program) == Type::Pointer && between.width >= 8 * program.pointer_bytes =>
            {
                self.pointer(terms, pointer)
            }
            _ => {
                let number = self.expr(terms, inner)?;
                let number = self.constant(terms, number).ok_or_else(|| Unsupported::new(POINTER))?;
                let address = self.wrapped_address(&number);
                match self.is_wild(address) {
                    true => Ok(self.address(terms, address)),
                    false => Err(Unsupported::new(POINTER)),
                }
            }
        }
    }

    /// An address modulo the size of pointers, as an `i64`.
    fn wrapped_address(&self, address: &Integer) -> i64 {
        let unsigned = address.wrap_unsigned(8 * self.encoder.program.pointer_bytes);
        unsigned.wrap_signed(64).to_i64().expect("64 bits fit")
    }

    /// Whether no object can be at the address.
    fn is_wild(&self, address: i64) -> bool {
        let size = Integer::power_of_two(8 * self.encoder.program.pointer_bytes);
        let unsigned = Integer::from(address).wrap_unsigned(64);
        unsigned < FREE_BYTES.into() || unsigned >= &size - &FREE_BYTES.into()
    }

    /// A pointer with its parts as numbers where they are known.
    pub(in crate::formula) fn simplest(&self, terms: &mut Terms, pointer: PointerTerm) -> PointerTerm {
        let simplest = |terms: &mut Terms, part: TermId| {
            let known = self.known_here(terms, part);
            if terms.is_value(known) { known } else { part }
        };
        PointerTerm { object: simplest(terms, pointer.object), offset: simplest(terms, pointer.offset) }
    }

    /// A term as far as its value is known at the place where memory is accessed.
    pub(in crate::formula) fn known_here(&self, terms: &mut Terms, term: TermId) -> TermId {
        match &self.access {
            Some(access) if !terms.is_value(term) => terms.substitute(term, access.known),
            _ => term,
        }
    }

    /// Whether a condition is known to hold, or not to.
    pub(in crate::formula) fn truth_here(&self, terms: &mut Terms, condition: TermId) -> Option<bool> {
        let known = self.known_here(terms, condition);
        match terms.op(known) {
            Op::Bool(truth) => Some(*truth),
            _ => None,
        }
    }

    /// The number that a term is, if it is known to be one.
    pub(in crate::formula) fn constant(&self, terms: &mut Terms, term: TermId) -> Option<Integer> {
        let term = self.known_here(terms, term);
        match terms.op(term) {
            Op::Int(value) => Some(value.clone()),
            Op::BitVec(value, width) => Some(value.wrap_signed(*width)),
            _ => None,
        }
    }

    /// An operator with one operand, a pointer.
    pub(in crate::formula) fn unary_on_pointer(
        &mut self,
        terms: &mut Terms,
        op: UnaryOp,
        operand: &Expr,
    ) -> Result<TermId, Unsupported> {
        let pointer = self.pointer(terms, operand)?;
        if op == UnaryOp::Offset {
            return Ok(pointer.offset);
        }
        let unknown = || Unsupported::new(POINTER);
        let access = self.access.as_ref().ok_or_else(unknown)?;
        let sites = access.memory.sites_of(self.encoder.program, access.at(), operand);
        let cases = self.candidates(terms, pointer.object, sites).ok_or_else(unknown)?;
        let mut result = match op {
            UnaryOp::IsLive | UnaryOp::IsFreeable | UnaryOp::IsConstant => terms.bool(false),
            UnaryOp::ObjectSize => self.encoder.offset(terms, 0),
            _ => return Err(unknown()),
        };
        for (condition, object) in cases {
            let number = object.number;
            let allocated = self.allocated(number).ok_or_else(unknown)?;
            let value = match op {
                UnaryOp::IsFreeable => {
                    let is_on_heap = allocated.is_some_and(|object| object.live && object.region == Region::Heap);
                    let (on_heap, start) = (terms.bool(is_on_heap), self.encoder.offset(terms, 0));
                    let at_start = terms.eq(pointer.offset, start);
                    let lives = self.lives_if_member(terms, object);
                    terms.and([on_heap, at_start, lives])
                }
                UnaryOp::IsLive => {
                    let is_named = terms.bool(number < 0 || allocated.is_some_and(|object| object.live));
                    let lives = self.lives_if_member(terms, object);
                    terms.and([is_named, lives])
                }
                UnaryOp::IsConstant => terms.bool(allocated.is_some_and(|object| object.region.is_constant())),
                _ => match allocated {
                    Some(allocated) => self.size_of(terms, object, &allocated),
                    None => self.encoder.offset(terms, 0),
                },
            };
            result = terms.ite(condition, value, result);
        }
        Ok(result)
    }

    /// A comparison of two pointers, or whether they are into one object.
    pub(in crate::formula) fn compare_pointers(
        &mut self,
        terms: &mut Terms,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
    ) -> Result<TermId, Unsupported> {
        let (a, b) = (self.pointer(terms, a)?, self.pointer(terms, b)?);
        match op {
            BinaryOp::Eq => self.pointers_equal(terms, a, b),
            BinaryOp::Ne => {
                let equal = self.pointers_equal(terms, a, b)?;
                Ok(terms.not(equal))
            }
            BinaryOp::SameObject => Ok(terms.eq(a.object, b.object)),
            _ => {
                let same = terms.eq(a.object, b.object);
                let wild = terms.int(0);
                let nowhere = terms.eq(a.object, wild);
                let (same, nowhere) = (self.known_here(terms, same), self.known_here(terms, nowhere));
                // Addresses are unsigned, and where objects lie is not known.
                if terms.op(same) != &Op::Bool(true) || terms.op(nowhere) != &Op::Bool(false) {
                    return Err(Unsupported::new(POINTER));
                }
                self.binary(terms, op, OFFSET, a.offset, b.offset)
            }
        }
    }

    fn pointers_equal(&mut self, terms: &mut Terms, a: PointerTerm, b: PointerTerm) -> Result<TermId, Unsupported> {
        let (objects, offsets) = (terms.eq(a.object, b.object), terms.eq(a.offset, b.offset));
        let equal = terms.and([objects, offsets]);
        // A wild pointer may have the address of an object, but null does not.
        let none = terms.int(0);
        let mut unknown = Vec::new();
        for (one, other) in [(a, b), (b, a)] {
            let (wild, somewhere) = (terms.eq(one.object, none), terms.ne(other.object, none));
            let possible = terms.and([wild, somewhere]);
            let possible = self.known_here(terms, possible);
            let is_free = self.constant(terms, one.offset).and_then(|address| address.to_i64());
            if terms.op(possible) != &Op::Bool(false) && !is_free.is_some_and(|address| self.is_wild(address)) {
                unknown.push(possible);
            }
        }
        unknown.extend(self.may_share_addresses(terms, a, b));
        if unknown.is_empty() {
            return Ok(equal);
        }
        let unsupported = Unsupported::new("a comparison that depends on where objects lie");
        if !self.over_approximates {
            return Err(unsupported);
        }
        let anything = self.any_value(terms, Type::Bool, crate::term::Sort::Bool, unsupported);
        let unknown = terms.or(unknown);
        Ok(terms.ite(unknown, anything, equal))
    }

    /// When pointers to different objects can have one address, wherever they lie.
    fn may_share_addresses(&mut self, terms: &mut Terms, a: PointerTerm, b: PointerTerm) -> Option<TermId> {
        if self.encoder.program.keeps_addresses() {
            return None;
        }
        let (of_a, of_b) = (self.cases(terms, a.object), self.cases(terms, b.object));
        let mut open = Vec::new();
        let (Some(of_a), Some(of_b)) = (&of_a, &of_b) else {
            // Of a pointer that can be any it is enough that it can be this one.
            for (cases, pointer) in [(of_a, a), (of_b, b)] {
                for (condition, object) in cases.unwrap_or_default() {
                    let number = object.number;
                    let apart = number <= 0 || self.allocated(number).flatten().is_some_and(|object| object.is_plain());
                    let outside = self.is_outside(terms, object, pointer.offset);
                    let lives = self.lives_if_member(terms, object);
                    let ended = terms.not(lives);
                    let shared = if apart { terms.or([outside, ended]) } else { terms.bool(number > 0) };
                    open.push(terms.and([condition, shared]));
                }
            }
            return self.possible(terms, open);
        };
        for (one, x) in of_a.iter().filter(|(_, object)| object.number != 0) {
            for (other, y) in of_b.iter().filter(|(_, object)| object.number != 0 && object != x) {
                let shared = match self.met(x.number, y.number) {
                    true => {
                        let (first, second) =
                            (self.is_outside(terms, *x, a.offset), self.is_outside(terms, *y, b.offset));
                        let lives = [self.lives_if_member(terms, *x), self.lives_if_member(terms, *y)];
                        let ended = lives.map(|lives| terms.not(lives));
                        terms.or([first, second].into_iter().chain(ended))
                    }
                    false => terms.bool(true),
                };
                // Of one region they may be the same.
                let differ = match x.number == y.number {
                    true => terms.ne(a.object, b.object),
                    false => terms.bool(true),
                };
                open.push(terms.and([*one, *other, differ, shared]));
            }
        }
        self.possible(terms, open)
    }

    fn possible(&self, terms: &mut Terms, cases: Vec<TermId>) -> Option<TermId> {
        let possible = terms.or(cases);
        let known = self.known_here(terms, possible);
        (terms.op(known) != &Op::Bool(false)).then_some(possible)
    }

    /// Whether two objects are sure to have been there at the same time, in places of their own.
    fn met(&self, a: i64, b: i64) -> bool {
        if a < 0 || b < 0 {
            return true;
        }
        let (Some(Some(a)), Some(Some(b))) = (self.allocated(a), self.allocated(b)) else { return false };
        let are_literals = a.region == Region::Literal && b.region == Region::Literal;
        !(are_literals || a.reused || b.reused)
    }

    /// When an offset is not that of a byte of an object. One of the heap without a byte has an address of its own.
    fn is_outside(&mut self, terms: &mut Terms, object: Object, offset: TermId) -> TermId {
        let Some(Some(allocated)) = self.allocated(object.number) else { return terms.bool(false) };
        let least = i64::from(allocated.region == Region::Heap);
        if let (Some(at), Some(size)) = (self.constant(terms, offset), allocated.size) {
            return terms.bool(at.is_negative() || at >= Integer::from(size.max(least)));
        }
        let mut end = self.size_of(terms, object, &allocated);
        if allocated.size.is_none_or(|size| size < least) {
            let least = self.encoder.offset(terms, least);
            let is_less = self.binary(terms, BinaryOp::Lt, OFFSET, end, least).expect("offsets are compared");
            end = terms.ite(is_less, least, end);
        }
        let first = self.encoder.offset(terms, 0);
        let below = self.binary(terms, BinaryOp::Lt, OFFSET, offset, first).expect("offsets are compared");
        let above = self.binary(terms, BinaryOp::Le, OFFSET, end, offset).expect("offsets are compared");
        terms.or([below, above])
    }

    /// A pointer as a truth value or a number.
    pub(in crate::formula) fn cast_pointer(
        &mut self,
        terms: &mut Terms,
        to: Type,
        inner: &Expr,
    ) -> Result<TermId, Unsupported> {
        let pointer = self.pointer(terms, inner)?;
        match to {
            Type::Bool => {
                let null = self.address(terms, 0);
                let equal = self.pointers_equal(terms, pointer, null)?;
                Ok(terms.not(equal))
            }
            Type::Machine(to) => match (self.constant(terms, pointer.object), self.constant(terms, pointer.offset)) {
                (Some(object), Some(address)) if object.is_zero() => Ok(self.machine_number(terms, to, &address)),
                _ => Err(Unsupported::new(POINTER)),
            },
            _ => Err(Unsupported::new(POINTER)),
        }
    }

    fn machine_number(&self, terms: &mut Terms, ty: MachineInt, number: &Integer) -> TermId {
        self.encoder.number(terms, &ty.wrap(number), Type::Machine(ty))
    }
}

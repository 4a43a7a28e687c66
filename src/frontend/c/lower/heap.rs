//! The heap: new objects, objects that are freed, and those that are left.

use super::arithmetic::{binary, cast};
use super::call::Target;
use super::parts::Parts;
use super::{Lower, Lowered};
use crate::program::{BinaryOp, ErrorKind, Expr, OFFSET, Region, Statement, Type, UnaryOp, VarId};
use crate::term::Integer;

impl Lower<'_> {
    /// New memory; there is always enough.
    pub(super) fn allocated(&mut self, size: Expr, region: Region, zeroed: bool, target: &Target) -> Lowered<()> {
        let pointer = match target {
            Target::Variable(variable) if self.program.variables[*variable].ty == Type::Pointer => *variable,
            _ => self.temporary(Type::Pointer),
        };
        self.emit_visible(Statement::Allocate { target: pointer, size: cast(OFFSET, size), region, zeroed });
        if region == Region::Heap {
            self.count_objects(BinaryOp::Add);
        }
        match target {
            Target::Variable(variable) if *variable == pointer => Ok(()),
            _ => self.give(target, Expr::Var(pointer)),
        }
    }

    /// An array of zeros, which there is none of where its size is more than `size_t` holds.
    pub(super) fn allocated_zeroed(&mut self, count: Expr, size: Expr, target: &Target) -> Lowered<()> {
        let (count, size) = (self.keep(count), self.keep(size));
        let bytes = binary(BinaryOp::Mul, cast(OFFSET, count.clone()), cast(OFFSET, size.clone()));
        match self.product_fits(&count, &size)? {
            Expr::Bool(true) => self.allocated(bytes, Region::Heap, true, target),
            Expr::Bool(false) => self.give(target, Expr::Null),
            fits => {
                let (some, none, end) = (self.location(), self.location(), self.location());
                self.branch(fits, some, none);
                self.start_at(some);
                self.allocated(bytes, Region::Heap, true, target)?;
                self.go_to(end);
                self.start_at(none);
                self.give(target, Expr::Null)?;
                self.go_to(end);
                self.start_at(end);
                Ok(())
            }
        }
    }

    /// Whether `size_t` holds a product of two of its numbers; a constant is tried first, as that needs no division by what is
    /// not known.
    fn product_fits(&mut self, a: &Expr, b: &Expr) -> Lowered<Expr> {
        let ty = self.scalar_type(self.unit.types.size_type())?;
        let greatest = self.constant(-1, ty);
        let (divisor, other) = if matches!(a, Expr::Int(..)) { (a, b) } else { (b, a) };
        if let (Expr::Int(divisor, _), Expr::Int(greatest, _)) = (divisor, &greatest) {
            let most = greatest.div_rem_truncated(divisor).map(|(most, _)| Expr::Int(most, ty));
            return Ok(most.map_or(Expr::Bool(true), |most| binary(BinaryOp::Le, other.clone(), most)));
        }
        let quotient = Expr::binary(BinaryOp::Div, greatest, divisor.clone());
        let is_zero = Expr::binary(BinaryOp::Eq, divisor.clone(), self.constant(0, ty));
        let is_small = Expr::binary(BinaryOp::Le, other.clone(), quotient);
        Ok(Expr::Ite(Box::new(is_zero), Box::new(Expr::Bool(true)), Box::new(is_small)))
    }

    /// Frees a pointer unless it is null.
    pub(super) fn free(&mut self, pointer: Expr) {
        let pointer = self.keep(pointer);
        let (some, end) = (self.location(), self.location());
        let is_some = self.truth(pointer.clone());
        self.branch(is_some, some, end);
        self.start_at(some);
        self.free_some(pointer);
        self.go_to(end);
        self.start_at(end);
    }

    fn free_some(&mut self, pointer: Expr) {
        if self.checks().frees {
            let fine = Expr::unary(UnaryOp::IsFreeable, pointer.clone());
            let message = "what is freed is not the start of a live object on the heap";
            self.check(fine, ErrorKind::InvalidFree, message.to_owned());
        }
        self.emit_visible(Statement::Free(pointer));
        self.count_objects(BinaryOp::Sub);
    }

    /// One object on the heap more or less.
    fn count_objects(&mut self, op: BinaryOp) {
        if self.options.checks.cleanup {
            let heap = self.heap_counter();
            let one = Expr::Int(Integer::ONE, OFFSET);
            self.emit(Statement::Assign(vec![(heap, Expr::binary(op, Expr::Var(heap), one))]));
        }
    }

    fn heap_counter(&mut self) -> VarId {
        if let Some(heap) = self.heap {
            return heap;
        }
        let heap = self.global("%heap", OFFSET, None);
        self.program.init.push(Statement::Assign(vec![(heap, Expr::Int(Integer::ZERO, OFFSET))]));
        self.heap = Some(heap);
        heap
    }

    /// The program ends here by itself, by the return from `main` or by `exit`: what is left on the heap is a leak, and
    /// what is lost then. A call of `exit` leaves the locals of the functions that are active, which may point to it.
    pub(super) fn check_leaks(&mut self, is_return: bool) {
        if !self.options.checks.cleanup && !self.options.checks.tracking {
            return;
        }
        if is_return && self.is_main_called() {
            self.assume("nothing is left on the heap where `main`, which is called, returns".to_owned());
            return;
        }
        if !self.options.checks.cleanup {
            self.check_lost(is_return && self.options.checks.lost_at_end);
            return;
        }
        let heap = self.heap_counter();
        let none = Expr::binary(BinaryOp::Eq, Expr::Var(heap), Expr::Int(Integer::ZERO, OFFSET));
        self.separate();
        self.check(none, ErrorKind::Leak, "an object on the heap is not freed at the end".to_owned());
    }

    /// Whether a function calls `main`.
    pub(super) fn is_main_called(&self) -> bool {
        let main = self.program.main;
        let entry = self.linked.iter().enumerate().find_map(|(number, linked)| {
            let mut known = linked.procedures.iter();
            known.find(|(_, procedure)| **procedure == main).map(|(function, _)| (number, *function))
        });
        entry.is_some_and(|(number, function)| self.is_called_directly(number, function))
    }

    pub(super) fn reallocated(&mut self, old: Expr, size: Expr, target: &Target) -> Lowered<()> {
        let old = self.keep(old);
        let size = self.keep(cast(OFFSET, size));
        let (saved, new) = (self.temporary(Type::Pointer), self.temporary(Type::Pointer));
        let allocate = |target: VarId| {
            let size = size.clone();
            Statement::Allocate { target, size, region: Region::Heap, zeroed: false }
        };
        let (some, none, end) = (self.location(), self.location(), self.location());
        let is_some = self.truth(old.clone());
        self.branch(is_some, some, none);
        self.start_at(some);
        // The new object may have the address of the old one: it is made after that has ended.
        self.emit_visible(allocate(saved));
        let old_size = Expr::unary(UnaryOp::ObjectSize, old.clone());
        let is_smaller = Expr::binary(BinaryOp::Lt, old_size.clone(), size.clone());
        let bytes = Expr::Ite(Box::new(is_smaller), Box::new(old_size), Box::new(size.clone()));
        // A thread that uses the old object meanwhile may also do so after its end.
        self.copy_bytes(Expr::Var(saved), old.clone(), bytes, Parts::Whole)?;
        self.free_some(old);
        self.emit_visible(allocate(new));
        let (target_bytes, source) = (Expr::Var(new), Expr::Var(saved));
        self.emit_visible(Statement::Copy { target: target_bytes, source, bytes: size.clone() });
        self.emit_visible(Statement::Free(Expr::Var(saved)));
        self.count_objects(BinaryOp::Add);
        self.go_to(end);
        self.start_at(none);
        self.emit_visible(allocate(new));
        self.count_objects(BinaryOp::Add);
        self.go_to(end);
        self.start_at(end);
        self.give(target, Expr::Var(new))
    }
}

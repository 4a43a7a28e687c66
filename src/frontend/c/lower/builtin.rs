//! What the compiler provides: functions of bits, of floating-point numbers, and atomic accesses.

use super::arithmetic::{and, binary, cast, or, program_op};
use super::call::Target;
use super::place::Place;
use super::{Lower, Lowered};
use crate::frontend::c::tree::{BinaryOp as Op, Builtin, ExprId, FloatComparison};
use crate::frontend::c::types::Ty;
use crate::program::{BinaryOp, Expr, FloatKind, MachineInt, Region, Statement, Type, UnaryOp, VarId};
use crate::term::Integer;

/// What C's `int` is.
const INT: Type = Type::Machine(MachineInt { width: 32, signed: true });

impl Lower<'_> {
    /// A builtin of the compiler whose value is not needed or has none.
    pub(super) fn builtin_effect(&mut self, builtin: Builtin, arguments: &[ExprId], expr: ExprId) -> Lowered<()> {
        match (builtin, arguments) {
            (Builtin::Trap, _) => self.abort(),
            (Builtin::Unreachable, _) => self.undefined(),
            (Builtin::Barrier, _) => {}
            (Builtin::VaEnd, [list]) => self.place(*list).map(drop)?,
            (Builtin::VaStart, [list]) => self.va_start(*list)?,
            (Builtin::VaCopy, [target, source]) => self.va_copy(*target, *source)?,
            (Builtin::Release, [pointer]) => {
                let ty = self.pointee(*pointer)?;
                let address = self.value(*pointer)?;
                let zero = self.zero(ty)?;
                self.write(&Place::Memory { address, bits: None, ty }, zero)?;
            }
            _ => {
                let value = self.builtin(builtin, arguments, expr)?;
                self.keep(value);
            }
        }
        Ok(())
    }

    /// A builtin of the compiler.
    pub(super) fn builtin(&mut self, builtin: Builtin, arguments: &[ExprId], expr: ExprId) -> Lowered<Expr> {
        let ty = self.unit.exprs[expr].ty;
        match (builtin, arguments) {
            (Builtin::Alloca, [size]) => {
                let size = self.value(*size)?;
                let pointer: VarId = self.temporary(Type::Pointer);
                self.allocated(size, Region::Stack, false, &Target::Variable(pointer))?;
                Ok(Expr::Var(pointer))
            }
            (
                Builtin::ByteSwap
                | Builtin::CountTrailingZeros
                | Builtin::CountLeadingZeros
                | Builtin::FindFirstSet
                | Builtin::PopCount
                | Builtin::Parity,
                [operand],
            ) => self.bits(builtin, *operand),
            (Builtin::Overflow(op), [left, right, result]) => self.overflow(op, *left, *right, *result),
            (Builtin::OverflowTest(op), [left, right, example]) => {
                let target = self.scalar_type(self.unit.exprs[*example].ty)?;
                let exact = self.exact(op, *left, *right)?;
                self.effect(*example)?;
                self.does_not_fit(exact, target)
            }
            (Builtin::FetchAnd(op), [pointer, value]) => self.update(op, *pointer, *value, false),
            (Builtin::AndFetch(op), [pointer, value]) => self.update(op, *pointer, *value, true),
            (Builtin::AtomicLoad, [pointer]) => {
                let ty = self.pointee(*pointer)?;
                let address = self.value(*pointer)?;
                let address = self.keep(address);
                self.atomically(|this| {
                    let value = this.read(&Place::Memory { address, bits: None, ty })?;
                    Ok(this.keep(value))
                })
            }
            (Builtin::Exchange, [pointer, value]) => self.exchange(*pointer, *value),
            (Builtin::CompareAndSwap | Builtin::CompareAndSwapBool, [pointer, expected, desired]) => {
                let (before, is_expected) = self.compare_and_swap(*pointer, *expected, *desired)?;
                Ok(if builtin == Builtin::CompareAndSwap { before } else { is_expected })
            }
            (Builtin::CompareExchange, [pointer, expected, desired]) => {
                self.compare_exchange(*pointer, *expected, *desired)
            }
            (Builtin::FrameAddress, _) => Err(self.refuse("the address of a frame is")),
            _ => self.floating(builtin, arguments, ty),
        }
    }

    /// What follows is undefined: the execution is not followed any further, and nothing is claimed about it.
    fn undefined(&mut self) {
        let byte = Type::machine(8, false);
        let dummy = self.temporary(byte);
        let nothing = Expr::Load(byte, Box::new(Expr::Null));
        self.emit_visible(Statement::Assign(vec![(dummy, nothing)]));
        self.stop();
    }

    /// The type that a pointer points to.
    fn pointee(&self, pointer: ExprId) -> Lowered<Ty> {
        let types = &self.unit.types;
        types.pointee(self.unit.exprs[pointer].ty).ok_or_else(|| self.refuse("this pointer is"))
    }

    /// Functions of the bits of an unsigned number, without a loop: sums over ever larger parts.
    fn bits(&mut self, builtin: Builtin, operand: ExprId) -> Lowered<Expr> {
        let value = self.value(operand)?;
        let value = self.keep(value);
        let Type::Machine(machine) = self.type_of(&value) else { return Err(self.refuse("this function of bits is")) };
        let ty = Type::Machine(machine);
        let number = |n: u32| Expr::Int(Integer::from(n), ty);
        if builtin == Builtin::ByteSwap {
            let byte = |i: u32| {
                let low = binary(BinaryOp::BitAnd, binary(BinaryOp::Shr, value.clone(), number(8 * i)), number(255));
                binary(BinaryOp::Shl, low, number(machine.width - 8 - 8 * i))
            };
            let bytes = (0..machine.width / 8).map(byte);
            let swapped = bytes.reduce(|a, b| binary(BinaryOp::BitOr, a, b));
            return Ok(swapped.expect("a number has bytes"));
        }
        let zero = Expr::binary(BinaryOp::Eq, value.clone(), number(0));
        let lowest = binary(BinaryOp::BitAnd, value.clone(), Expr::unary(UnaryOp::Neg, value.clone()));
        let below_lowest = binary(BinaryOp::Sub, lowest, number(1));
        Ok(match builtin {
            Builtin::PopCount => self.ones(value, machine),
            Builtin::Parity => {
                let ones = self.ones(value, machine);
                binary(BinaryOp::BitAnd, ones, Expr::Int(Integer::ONE, INT))
            }
            Builtin::CountTrailingZeros => self.ones(below_lowest, machine),
            Builtin::FindFirstSet => {
                let zeros = self.ones(below_lowest, machine);
                let first = binary(BinaryOp::Add, zeros, Expr::Int(Integer::ONE, INT));
                Expr::Ite(Box::new(zero), Box::new(Expr::Int(Integer::ZERO, INT)), Box::new(first))
            }
            _ => {
                // All bits below the highest are set too; then the zeros are those above it.
                let mut smeared = value;
                let mut distance = 1;
                while distance < machine.width {
                    let moved = binary(BinaryOp::Shr, smeared.clone(), number(distance));
                    smeared = binary(BinaryOp::BitOr, smeared, moved);
                    smeared = self.keep(smeared);
                    distance *= 2;
                }
                let ones = self.ones(smeared, machine);
                binary(BinaryOp::Sub, Expr::Int(Integer::from(machine.width), INT), ones)
            }
        })
    }

    /// How many bits are set, as an `int`.
    fn ones(&mut self, value: Expr, machine: MachineInt) -> Expr {
        let ty = Type::Machine(machine);
        let mut counts = value;
        let mut part = 1;
        while part < machine.width {
            // The parts of `part` bits hold their own counts; every two neighbours are added.
            let ones = Integer::power_of_two(part) - Integer::ONE;
            let starts = (0..machine.width / (2 * part)).map(|i| ones.clone().shift_left(2 * part * i));
            let mask = Expr::Int(starts.fold(Integer::ZERO, |a, b| a + b), ty);
            let kept = self.keep(counts);
            let low = binary(BinaryOp::BitAnd, kept.clone(), mask.clone());
            let moved = binary(BinaryOp::Shr, kept, Expr::Int(Integer::from(part), ty));
            counts = binary(BinaryOp::Add, low, binary(BinaryOp::BitAnd, moved, mask));
            part *= 2;
        }
        cast(INT, counts)
    }

    /// `a op b` in mathematical integers.
    fn exact(&mut self, op: Op, left: ExprId, right: ExprId) -> Lowered<Expr> {
        let a = self.value(left)?;
        let a = self.keep_across(a, right);
        let b = self.value(right)?;
        let (a, b) = (self.shallow(a), self.shallow(b));
        let formats = [self.type_of(&a), self.type_of(&b)].map(|ty| match ty {
            Type::Machine(machine) => (machine.width, machine.signed),
            _ => (1, false),
        });
        // A type that holds every result.
        let is_unsigned_product = op == Op::Mul && formats.iter().all(|(_, signed)| !signed);
        let is_narrow = formats.iter().all(|(width, _)| *width <= 64);
        let wide = if is_narrow { Type::machine(128, !is_unsigned_product) } else { Type::Int };
        Ok(binary(program_op(op), cast(wide, a), cast(wide, b)))
    }

    fn does_not_fit(&mut self, exact: Expr, target: Type) -> Lowered<Expr> {
        let (min, max) = match target {
            Type::Machine(machine) => (machine.min(), machine.max()),
            Type::Bool => (Integer::ZERO, Integer::ONE),
            _ => return Err(self.refuse("this test for overflow is")),
        };
        let wide = self.type_of(&exact);
        // A product of unsigned values is not negative, and its type has no such constants.
        let min = match wide {
            Type::Machine(machine) if !machine.signed => min.max(Integer::ZERO),
            _ => min,
        };
        let below = binary(BinaryOp::Lt, exact.clone(), Expr::Int(min, wide));
        Ok(or(vec![below, binary(BinaryOp::Gt, exact, Expr::Int(max, wide))]))
    }

    fn overflow(&mut self, op: Op, left: ExprId, right: ExprId, result: ExprId) -> Lowered<Expr> {
        let ty = self.pointee(result)?;
        let target = self.scalar_type(ty)?;
        let exact = self.exact(op, left, right)?;
        let exact = self.keep(exact);
        let address = self.value(result)?;
        let wrapped = match target {
            Type::Bool => self.truth(exact.clone()),
            target => cast(target, exact.clone()),
        };
        self.write(&Place::Memory { address, bits: None, ty }, wrapped)?;
        self.does_not_fit(exact, target)
    }

    /// Does what comes with no other thread in between.
    pub(super) fn atomically<T>(&mut self, inner: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        if !self.splits_steps() {
            return inner(self);
        }
        self.emit_visible(Statement::AtomicBegin);
        self.body.is_atomic = true;
        let result = inner(self);
        self.body.is_atomic = false;
        self.end_atomic();
        result
    }

    /// Where a pointer points to, evaluated once.
    fn pointed_to(&mut self, pointer: ExprId) -> Lowered<Place> {
        let ty = self.pointee(pointer)?;
        Ok(Place::Memory { address: self.kept(pointer)?, bits: None, ty })
    }

    /// A value, evaluated once.
    fn kept(&mut self, expr: ExprId) -> Lowered<Expr> {
        let value = self.value(expr)?;
        Ok(self.keep(value))
    }

    /// `*pointer op= value`; the value before or after.
    fn update(&mut self, op: Op, pointer: ExprId, value: ExprId, gives_after: bool) -> Lowered<Expr> {
        let place = self.pointed_to(pointer)?;
        let value = self.kept(value)?;
        self.atomically(|this| {
            let before = this.read(&place)?;
            let before = this.keep(before);
            // Atomic arithmetic wraps.
            let after = binary(program_op(op), before.clone(), value);
            let after = this.keep(after);
            this.write(&place, after.clone())?;
            Ok(if gives_after { after } else { before })
        })
    }

    fn exchange(&mut self, pointer: ExprId, value: ExprId) -> Lowered<Expr> {
        let place = self.pointed_to(pointer)?;
        let value = self.kept(value)?;
        self.atomically(|this| {
            let before = this.read(&place)?;
            let before = this.keep(before);
            this.write(&place, value)?;
            Ok(before)
        })
    }

    fn compare_and_swap(&mut self, pointer: ExprId, expected: ExprId, desired: ExprId) -> Lowered<(Expr, Expr)> {
        let place = self.pointed_to(pointer)?;
        let expected = self.kept(expected)?;
        let desired = self.kept(desired)?;
        self.atomically(|this| {
            let before = this.read(&place)?;
            let before = this.keep(before);
            let is_expected = Expr::binary(BinaryOp::Eq, before.clone(), expected);
            let is_expected = this.keep(is_expected);
            let (yes, no) = (this.location(), this.location());
            this.branch(is_expected.clone(), yes, no);
            this.start_at(yes);
            this.write(&place, desired)?;
            this.go_to(no);
            this.start_at(no);
            Ok((before, is_expected))
        })
    }

    /// Whether `*pointer` was as `*expected` and is `desired` now; if not, `*expected` is what it was.
    fn compare_exchange(&mut self, pointer: ExprId, expected: ExprId, desired: ExprId) -> Lowered<Expr> {
        let place = self.pointed_to(pointer)?;
        let other = self.pointed_to(expected)?;
        let desired = self.kept(desired)?;
        self.atomically(|this| {
            let before = this.read(&place)?;
            let before = this.keep(before);
            let expected = this.read(&other)?;
            let is_expected = this.keep(Expr::binary(BinaryOp::Eq, before.clone(), expected));
            let (yes, no, end) = (this.location(), this.location(), this.location());
            this.branch(is_expected.clone(), yes, no);
            this.start_at(yes);
            this.write(&place, desired)?;
            this.go_to(end);
            this.start_at(no);
            this.write(&other, before)?;
            this.go_to(end);
            this.start_at(end);
            Ok(is_expected)
        })
    }

    fn floating(&mut self, builtin: Builtin, arguments: &[ExprId], ty: Ty) -> Lowered<Expr> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let value = self.value(*argument)?;
            values.push(self.keep(value));
        }
        let as_int = |truth: Expr| cast(INT, truth);
        Ok(match (builtin, &values[..]) {
            (Builtin::Infinity, []) => self.float_constant(f64::INFINITY, ty)?,
            (Builtin::Nan, _) => self.float_constant(f64::NAN, ty)?,
            (Builtin::IsNan, [x]) => as_int(Expr::unary(UnaryOp::IsNan, x.clone())),
            (Builtin::IsInf { sign: false }, [x]) => as_int(Expr::unary(UnaryOp::IsInfinite, x.clone())),
            (Builtin::IsInf { sign: true }, [x]) => {
                let infinite = as_int(Expr::unary(UnaryOp::IsInfinite, x.clone()));
                let sign = Expr::unary(UnaryOp::SignBit, x.clone());
                let minus = Expr::unary(UnaryOp::Neg, infinite.clone());
                Expr::Ite(Box::new(sign), Box::new(minus), Box::new(infinite))
            }
            (Builtin::IsFinite, [x]) => as_int(is_finite(x)),
            (Builtin::SignBit, [x]) => as_int(Expr::unary(UnaryOp::SignBit, x.clone())),
            (Builtin::FloatAbs, [x]) => with_sign(x, Expr::Bool(false)),
            (Builtin::CopySign, [x, y]) => with_sign(x, Expr::unary(UnaryOp::SignBit, y.clone())),
            (Builtin::IsNormal, [x]) => as_int(and(vec![is_finite(x), self.is_large(x)?])),
            (Builtin::Classify, [nan, infinite, normal, subnormal, zero, x]) => {
                let is_zero = cast(Type::Bool, x.clone()).negate();
                let choose = |c: Expr, a: &Expr, b: Expr| Expr::Ite(Box::new(c), Box::new(a.clone()), Box::new(b));
                let small = choose(is_zero, zero, subnormal.clone());
                let finite = choose(self.is_large(x)?, normal, small);
                let number = choose(Expr::unary(UnaryOp::IsInfinite, x.clone()), infinite, finite);
                choose(Expr::unary(UnaryOp::IsNan, x.clone()), nan, number)
            }
            (Builtin::Compare(comparison), [x, y]) => as_int(compare(comparison, x, y)),
            _ => return Err(self.refuse(&format!("this function of the compiler (`{builtin:?}`) is"))),
        })
    }

    /// Whether the magnitude is at least that of the smallest normal number.
    fn is_large(&mut self, x: &Expr) -> Lowered<Expr> {
        let Type::Float(kind) = self.type_of(x) else { return Err(self.refuse("this number is")) };
        let least = match kind {
            FloatKind::F32 => f64::from(f32::MIN_POSITIVE),
            FloatKind::F64 => f64::MIN_POSITIVE,
        };
        let least = Expr::Float(kind.of_f64(least), kind);
        Ok(Expr::binary(BinaryOp::Ge, with_sign(x, Expr::Bool(false)), least))
    }
}

fn is_finite(x: &Expr) -> Expr {
    and(vec![Expr::unary(UnaryOp::IsNan, x.clone()).negate(), Expr::unary(UnaryOp::IsInfinite, x.clone()).negate()])
}

/// The number with its sign set or not.
fn with_sign(x: &Expr, negative: Expr) -> Expr {
    let minus = Expr::unary(UnaryOp::Neg, x.clone());
    let sign = Expr::unary(UnaryOp::SignBit, x.clone());
    let flips = match negative {
        Expr::Bool(false) => sign,
        negative => Expr::binary(BinaryOp::Ne, sign, negative),
    };
    Expr::Ite(Box::new(flips), Box::new(minus), Box::new(x.clone()))
}

fn compare(comparison: FloatComparison, x: &Expr, y: &Expr) -> Expr {
    let ordered = |op| Expr::binary(op, x.clone(), y.clone());
    match comparison {
        FloatComparison::Greater => ordered(BinaryOp::Gt),
        FloatComparison::GreaterEqual => ordered(BinaryOp::Ge),
        FloatComparison::Less => ordered(BinaryOp::Lt),
        FloatComparison::LessEqual => ordered(BinaryOp::Le),
        FloatComparison::LessGreater => or(vec![ordered(BinaryOp::Lt), ordered(BinaryOp::Gt)]),
        FloatComparison::Unordered => {
            or(vec![Expr::unary(UnaryOp::IsNan, x.clone()), Expr::unary(UnaryOp::IsNan, y.clone())])
        }
    }
}

//! Operators on floating-point numbers: bit-vectors of their bits, whatever machine integers are.

use super::block::Block;
use super::{Arithmetic, Unsupported};
use crate::program::{BinaryOp, FloatKind, MachineInt, Type, UnaryOp};
use crate::term::{FloatOp, Op, TermId, Terms};

impl Block<'_, '_> {
    /// An operator on one floating-point number.
    pub(in crate::formula) fn float_unary(
        &mut self,
        terms: &mut Terms,
        op: UnaryOp,
        kind: FloatKind,
        a: TermId,
    ) -> TermId {
        match op {
            UnaryOp::Neg => terms.float_neg(kind, a),
            UnaryOp::IsNan => terms.float_is_nan(a),
            UnaryOp::IsInfinite => terms.float_is_infinite(kind, a),
            UnaryOp::SignBit => terms.float_sign(kind, a),
            _ => unreachable!("a valid program has {op:?} on other types only"),
        }
    }

    /// An operator on two floating-point numbers.
    pub(in crate::formula) fn float_binary(
        &mut self,
        terms: &mut Terms,
        op: BinaryOp,
        a: TermId,
        b: TermId,
    ) -> Result<TermId, Unsupported> {
        Ok(match op {
            BinaryOp::Add => self.float_operation(terms, FloatOp::Add, &[a, b])?,
            BinaryOp::Sub => self.float_operation(terms, FloatOp::Sub, &[a, b])?,
            BinaryOp::Mul => self.float_operation(terms, FloatOp::Mul, &[a, b])?,
            BinaryOp::Div => self.float_operation(terms, FloatOp::Div, &[a, b])?,
            BinaryOp::Lt => terms.float(FloatOp::Lt, &[a, b]),
            BinaryOp::Le => terms.float(FloatOp::Le, &[a, b]),
            BinaryOp::Gt => terms.float(FloatOp::Lt, &[b, a]),
            BinaryOp::Ge => terms.float(FloatOp::Le, &[b, a]),
            BinaryOp::Eq => terms.float(FloatOp::Eq, &[a, b]),
            BinaryOp::Ne => {
                let equal = terms.float(FloatOp::Eq, &[a, b]);
                terms.not(equal)
            }
            _ => unreachable!("a valid program has {op:?} on other types only"),
        })
    }

    /// Arithmetic, which solvers do by bits: where integers are not, it is not expressed.
    fn float_operation(&mut self, terms: &mut Terms, op: FloatOp, args: &[TermId]) -> Result<TermId, Unsupported> {
        let result = terms.float(op, args);
        if self.encoder.arithmetic() == Arithmetic::Bits || matches!(terms.op(result), Op::BitVec(..)) {
            return Ok(result);
        }
        self.on_floats = true;
        Err(Unsupported::new("arithmetic with floating-point numbers"))
    }

    /// A cast from or to a floating-point number.
    pub(in crate::formula) fn cast_float(
        &mut self,
        terms: &mut Terms,
        from: Type,
        to: Type,
        a: TermId,
    ) -> Result<TermId, Unsupported> {
        Ok(match (from, to) {
            (Type::Float(from), Type::Float(to)) if from == to => a,
            (Type::Float(_), Type::Float(to)) => self.float_operation(terms, FloatOp::Convert(to), &[a])?,
            (Type::Float(kind), Type::Bool) => {
                let zero = terms.float_is_zero(kind, a);
                terms.not(zero)
            }
            (Type::Bool, Type::Float(kind)) => {
                let (one, zero) = (terms.float_number(kind.of_f64(1.0), kind), terms.float_number(0, kind));
                terms.ite(a, one, zero)
            }
            (Type::Float(_), Type::Machine(machine)) => {
                let op = match machine.signed {
                    true => FloatOp::ToSigned(machine.width),
                    false => FloatOp::ToUnsigned(machine.width),
                };
                let bits = self.float_operation(terms, op, &[a])?;
                self.integer_of_bits(terms, machine, bits)
            }
            (Type::Machine(machine), Type::Float(kind)) => {
                let bits = self.bits_of_integer(terms, machine, a);
                let op = if machine.signed { FloatOp::OfSigned(kind) } else { FloatOp::OfUnsigned(kind) };
                self.float_operation(terms, op, &[bits])?
            }
            _ => return Err(Unsupported::new("a cast of a floating-point number")),
        })
    }

    /// The value of a type that has the same bits as one of another type, which is like it.
    pub(in crate::formula) fn reinterpret(
        &mut self,
        terms: &mut Terms,
        from: Type,
        to: Type,
        a: TermId,
    ) -> Result<TermId, Unsupported> {
        match (from, to) {
            (Type::Float(_), Type::Machine(machine)) => Ok(self.integer_of_bits(terms, machine, a)),
            (Type::Machine(machine), Type::Float(_)) => Ok(self.bits_of_integer(terms, machine, a)),
            _ => self.cast(terms, from, to, a),
        }
    }

    fn integer_of_bits(&mut self, terms: &mut Terms, machine: MachineInt, bits: TermId) -> TermId {
        if self.encoder.arithmetic() == Arithmetic::Bits {
            return bits;
        }
        let number = if machine.signed { terms.bv_to_int(bits) } else { terms.bv_to_nat(bits) };
        self.on_floats |= !matches!(terms.op(number), Op::Int(_));
        self.restrict_to_type(terms, number, Type::Machine(machine));
        number
    }

    fn bits_of_integer(&mut self, terms: &mut Terms, machine: MachineInt, number: TermId) -> TermId {
        if self.encoder.arithmetic() == Arithmetic::Bits {
            return number;
        }
        let bits = terms.int_to_bv(machine.width, number);
        self.on_floats |= !matches!(terms.op(bits), Op::BitVec(..));
        bits
    }
}

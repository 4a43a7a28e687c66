//! Integer arithmetic and conversions, exactly as the machine does them.

use super::{Lower, Lowered};
use crate::frontend::c::tree::{BinaryOp as Op, Conversion, UnaryOp as TreeUnary};
use crate::frontend::c::types::{FloatKind, Ty, TypeKind};
use crate::program::{BinaryOp, Diagnostic, ErrorKind, Expr, MachineInt, Type, UnaryOp};
use crate::term::Integer;

impl Lower<'_> {
    /// The type of Program for values of a scalar C type.
    pub(super) fn scalar(&self, ty: Ty) -> Option<Type> {
        match self.unit.types.kind(ty) {
            TypeKind::Bool => Some(Type::Bool),
            TypeKind::Int(_) | TypeKind::Enum(_) => {
                self.unit.types.int_format(ty).map(|(width, signed)| Type::machine(width, signed))
            }
            TypeKind::Pointer(_) => Some(Type::Pointer),
            TypeKind::Float(kind) => float_type(*kind),
            _ => None,
        }
    }

    /// The same where it must be a scalar that is supported.
    pub(super) fn scalar_type(&self, ty: Ty) -> Lowered<Type> {
        self.scalar(ty).ok_or_else(|| {
            let shown = self.unit.types.display(ty, &self.unit.names);
            self.refuse(&format!("a value of type `{shown}` is"))
        })
    }

    /// What is not supported, at the place that is being lowered.
    pub(super) fn refuse(&self, what: &str) -> Diagnostic {
        let message = format!("{what} not supported");
        match self.body.span {
            Some(span) => Diagnostic::at(span, message, "used here"),
            None => Diagnostic::general(message),
        }
    }

    /// A constant of a scalar type.
    pub(super) fn constant(&self, value: i128, ty: Type) -> Expr {
        match ty {
            Type::Bool => Expr::Bool(value != 0),
            Type::Machine(machine) => Expr::Int(machine.wrap(&Integer::from(value)), ty),
            Type::Pointer if value == 0 => Expr::Null,
            Type::Pointer => {
                let address = Type::machine(8 * self.program.pointer_bytes, false);
                cast(Type::Pointer, self.constant(value, address))
            }
            _ => Expr::Int(Integer::from(value), ty),
        }
    }

    /// A value converted from one scalar C type to another.
    pub(super) fn convert(&mut self, conversion: Conversion, value: Expr, to: Ty) -> Lowered<Expr> {
        let ty = self.scalar_type(to)?;
        Ok(match conversion {
            Conversion::Null => Expr::Null,
            Conversion::Pointer => value,
            Conversion::Truth => self.truth(value),
            Conversion::IntegerToPointer => {
                let address = Type::machine(8 * self.program.pointer_bytes, false);
                match cast(address, value) {
                    Expr::Int(n, _) if n.is_zero() => Expr::Null,
                    // A pointer that went through an integer of its size is itself again.
                    address => cast(Type::Pointer, address),
                }
            }
            _ => {
                if let (Type::Float(kind), Type::Machine(machine)) = (self.type_of(&value), ty) {
                    self.check_whole(kind, machine, &value);
                }
                self.to_type(ty, value)
            }
        })
    }

    /// A value converted to a type, unless it has it.
    pub(super) fn to_type(&self, ty: Type, value: Expr) -> Expr {
        if self.type_of(&value) == ty { value } else { cast(ty, value) }
    }

    /// A value converted from one arithmetic or pointer type to another, by the types alone.
    pub(super) fn convert_between(&mut self, value: Expr, from: Ty, to: Ty) -> Lowered<Expr> {
        let types = &self.unit.types;
        if from.unqualified() == to.unqualified() {
            return Ok(value);
        }
        let conversion = match (types.kind(from), types.kind(to)) {
            (_, TypeKind::Bool) => Conversion::Truth,
            (TypeKind::Pointer(_), TypeKind::Pointer(_)) => Conversion::Pointer,
            (_, TypeKind::Pointer(_)) => Conversion::IntegerToPointer,
            _ => Conversion::Integer,
        };
        self.convert(conversion, value, to)
    }

    /// Whether a value is not zero or null.
    pub(super) fn truth(&self, value: Expr) -> Expr {
        match value {
            Expr::Bool(_) => value,
            Expr::Int(n, _) => Expr::Bool(!n.is_zero()),
            Expr::Null => Expr::Bool(false),
            Expr::Cast(Type::Machine(machine), inner) if self.type_of(&inner) == Type::Bool && machine.width > 1 => {
                *inner
            }
            value => match self.type_of(&value) {
                Type::Bool => value,
                Type::Pointer => Expr::binary(BinaryOp::Ne, value, Expr::Null),
                Type::Machine(_) => {
                    let zero = Expr::Int(Integer::ZERO, self.type_of(&value));
                    Expr::binary(BinaryOp::Ne, value, zero)
                }
                _ => cast(Type::Bool, value),
            },
        }
    }

    /// The opposite of a truth value.
    pub(super) fn negate(&self, condition: Expr) -> Expr {
        use BinaryOp::*;
        match condition {
            Expr::Binary(op, a, b) if matches!(op, Eq | Ne) || op.is_order() && self.type_of(&a).is_integer() => {
                let opposite = match op {
                    Eq => Ne,
                    Ne => Eq,
                    Lt => Ge,
                    Ge => Lt,
                    Gt => Le,
                    _ => Gt,
                };
                Expr::Binary(opposite, a, b)
            }
            other => other.negate(),
        }
    }

    /// `a op b` on numbers of one type, with the edges for what can go wrong.
    pub(super) fn arithmetic(&mut self, op: Op, left: Expr, right: Expr) -> Lowered<Expr> {
        let (left, right) = (self.shallow(left), self.shallow(right));
        let ty = self.type_of(&left);
        let Type::Machine(machine) = ty else {
            if ty == Type::Pointer && program_op(op).is_order() {
                self.check_order(&left, &right);
            }
            return Ok(Expr::binary(program_op(op), left, right));
        };
        match op {
            Op::Div | Op::Rem => self.check_division(machine, &left, &right),
            Op::Shl | Op::Shr => self.check_shift(op, machine, &left, &right),
            Op::Add | Op::Sub | Op::Mul if self.checks().overflow && machine.signed => {
                self.check_overflow(op, machine, &left, &right);
            }
            _ => {}
        }
        let right = if op.is_shift() { cast(ty, right) } else { right };
        Ok(binary(program_op(op), left, right))
    }

    fn check_overflow(&mut self, op: Op, machine: MachineInt, left: &Expr, right: &Expr) {
        if self.surely_fits(program_op(op), machine, left, right) {
            return;
        }
        // The exact result, in a type that holds it.
        let wide = if machine.width <= 64 { Type::machine(2 * machine.width, true) } else { Type::Int };
        let exact = binary(program_op(op), cast(wide, left.clone()), cast(wide, right.clone()));
        let limit = |value: Integer| Expr::Int(value, wide);
        let fits = and(vec![
            binary(BinaryOp::Ge, exact.clone(), limit(machine.min())),
            binary(BinaryOp::Le, exact, limit(machine.max())),
        ]);
        self.check(fits, ErrorKind::Overflow, overflow_message(op, machine));
    }

    /// An operator before its operand.
    pub(super) fn unary(&mut self, op: TreeUnary, operand: Expr) -> Lowered<Expr> {
        let operand = self.shallow(operand);
        Ok(match op {
            TreeUnary::Not => {
                let truth = self.truth(operand);
                cast(Type::machine(32, true), self.negate(truth))
            }
            TreeUnary::Complement => Expr::unary(UnaryOp::BitNot, operand),
            TreeUnary::Minus => {
                let ty = self.type_of(&operand);
                if let Type::Machine(machine) = ty
                    && machine.signed
                    && self.checks().overflow
                {
                    let fits = binary(BinaryOp::Ne, operand.clone(), Expr::Int(machine.min(), ty));
                    self.check(fits, ErrorKind::Overflow, overflow_message(Op::Sub, machine));
                }
                match (operand, ty) {
                    (Expr::Int(n, _), Type::Machine(machine)) => Expr::Int(machine.wrap(&-n), ty),
                    (operand, _) => Expr::unary(UnaryOp::Neg, operand),
                }
            }
        })
    }
}

fn overflow_message(op: Op, machine: MachineInt) -> String {
    let what = match op {
        Op::Add => "sum",
        Op::Sub => "difference",
        _ => "product",
    };
    format!("the {what} does not fit {} bits", machine.width)
}

/// The type of Program for a floating type.
fn float_type(kind: FloatKind) -> Option<Type> {
    match kind {
        FloatKind::Float => Some(Type::Float(crate::program::FloatKind::F32)),
        FloatKind::Double => Some(Type::Float(crate::program::FloatKind::F64)),
        FloatKind::LongDouble | FloatKind::Float128 => None,
    }
}

/// The byte offset of a pointer.
pub(super) fn offset_of(pointer: Expr) -> Expr {
    Expr::unary(UnaryOp::Offset, pointer)
}

/// The operator of Program.
pub(super) fn program_op(op: Op) -> BinaryOp {
    match op {
        Op::Add => BinaryOp::Add,
        Op::Sub => BinaryOp::Sub,
        Op::Mul => BinaryOp::Mul,
        Op::Div => BinaryOp::Div,
        Op::Rem => BinaryOp::Rem,
        Op::Shl => BinaryOp::Shl,
        Op::Shr => BinaryOp::Shr,
        Op::And => BinaryOp::BitAnd,
        Op::Or => BinaryOp::BitOr,
        Op::Xor => BinaryOp::BitXor,
        Op::Lt => BinaryOp::Lt,
        Op::Gt => BinaryOp::Gt,
        Op::Le => BinaryOp::Le,
        Op::Ge => BinaryOp::Ge,
        Op::Eq => BinaryOp::Eq,
        Op::Ne => BinaryOp::Ne,
    }
}

/// A value converted to a type; constants are converted now.
pub(super) fn cast(ty: Type, value: Expr) -> Expr {
    match (ty, value) {
        (Type::Machine(machine), Expr::Int(n, _)) => Expr::Int(machine.wrap(&n), ty),
        (Type::Int, Expr::Int(n, _)) => Expr::Int(n, ty),
        (Type::Machine(_) | Type::Int, Expr::Bool(b)) => Expr::Int(Integer::from(i32::from(b)), ty),
        (Type::Machine(_), Expr::Null) => Expr::Int(Integer::ZERO, ty),
        (_, Expr::Cast(inner, operand)) if inner == ty => Expr::Cast(ty, operand),
        (_, value) => Expr::Cast(ty, Box::new(value)),
    }
}

/// An operation on operands of one type; constants are computed now where that is simple.
pub(super) fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    use BinaryOp::*;
    if let (Expr::Int(m, ty), Expr::Int(n, _)) = (&a, &b) {
        let number = match op {
            Add => Some(m.clone() + n.clone()),
            Sub => Some(m.clone() - n.clone()),
            Mul => Some(m.clone() * n.clone()),
            _ => None,
        };
        if let Some(number) = number {
            let wrapped = if let Type::Machine(machine) = ty { machine.wrap(&number) } else { number };
            return Expr::Int(wrapped, *ty);
        }
        let truth = match op {
            Eq => Some(m == n),
            Ne => Some(m != n),
            Lt => Some(m < n),
            Le => Some(m <= n),
            Gt => Some(m > n),
            Ge => Some(m >= n),
            _ => None,
        };
        if let Some(truth) = truth {
            return Expr::Bool(truth);
        }
    }
    Expr::binary(op, a, b)
}

/// All of them, without those that are true.
pub(super) fn and(conditions: Vec<Expr>) -> Expr {
    let mut kept: Vec<Expr> = Vec::new();
    for condition in conditions {
        match condition {
            Expr::Bool(true) => {}
            Expr::Bool(false) => return Expr::Bool(false),
            Expr::And(inner) => kept.extend(inner),
            other => kept.push(other),
        }
    }
    match kept.len() {
        0 => Expr::Bool(true),
        1 => kept.remove(0),
        _ => Expr::And(kept),
    }
}

/// One of them, without those that are false.
pub(super) fn or(conditions: Vec<Expr>) -> Expr {
    let mut kept: Vec<Expr> = Vec::new();
    for condition in conditions {
        match condition {
            Expr::Bool(false) => {}
            Expr::Bool(true) => return Expr::Bool(true),
            Expr::Or(inner) => kept.extend(inner),
            other => kept.push(other),
        }
    }
    match kept.len() {
        0 => Expr::Bool(false),
        1 => kept.remove(0),
        _ => Expr::Or(kept),
    }
}

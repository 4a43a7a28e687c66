//! Random well-typed expressions.

use super::Random;
use crate::program::{BinaryOp, Expr, FloatKind, Id, MachineInt, OFFSET, ProcId, Type, UnaryOp, VarId};
use crate::term::Integer;

/// What expressions are made of.
pub(super) struct ExprSource<'a> {
    /// The variables that may occur.
    pub variables: &'a [(VarId, Type)],
    /// The types that may occur.
    pub types: &'a [Type],
    /// Whether memory may be read and pointers moved.
    pub memory: bool,
    /// How many procedures there are to point to.
    pub procedures: usize,
}

impl ExprSource<'_> {
    /// An expression of the type, nested at most that deep.
    pub(super) fn expr(&self, random: &mut Random, ty: Type, depth: usize) -> Expr {
        if depth == 0 || random.percent(15) {
            return self.leaf(random, ty);
        }
        let depth = depth - 1;
        if random.percent(10) {
            let condition = Box::new(self.expr(random, Type::Bool, depth));
            let (then, otherwise) = (self.expr(random, ty, depth), self.expr(random, ty, depth));
            return Expr::Ite(condition, Box::new(then), Box::new(otherwise));
        }
        if self.memory && ty != Type::Int && random.percent(8) {
            return Expr::Load(ty, Box::new(self.expr(random, Type::Pointer, depth)));
        }
        match ty {
            Type::Bool => self.boolean(random, depth),
            Type::Int => self.number(random, ty, depth, &[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul]),
            Type::Machine(_) => {
                use BinaryOp::*;
                self.number(random, ty, depth, &[Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr])
            }
            Type::Pointer if self.memory && random.percent(10) => {
                let number = Type::machine(*random.choose(&[8, 64]), false);
                Expr::Cast(ty, Box::new(self.expr(random, number, depth)))
            }
            Type::Pointer if self.memory => {
                let pointer = self.expr(random, Type::Pointer, depth);
                Expr::binary(BinaryOp::PointerAdd, pointer, self.expr(random, OFFSET, depth))
            }
            Type::Pointer => self.leaf(random, ty),
            Type::Float(kind) => self.float(random, kind, depth),
        }
    }

    fn leaf(&self, random: &mut Random, ty: Type) -> Expr {
        let of_type: Vec<VarId> = self.variables.iter().filter(|(_, t)| *t == ty).map(|(v, _)| *v).collect();
        if !of_type.is_empty() && random.percent(70) {
            return Expr::Var(*random.choose(&of_type));
        }
        if ty == Type::Pointer && self.memory && self.procedures > 0 && random.percent(10) {
            return Expr::Function(ProcId::new(random.below(self.procedures)));
        }
        literal(random, ty)
    }

    fn number(&self, random: &mut Random, ty: Type, depth: usize, operators: &[BinaryOp]) -> Expr {
        match random.below(10) {
            0 => Expr::unary(UnaryOp::Neg, self.expr(random, ty, depth)),
            1 if ty != Type::Int => Expr::unary(UnaryOp::BitNot, self.expr(random, ty, depth)),
            2 | 3 => {
                let wide = |t: &Type| ty == Type::Int && matches!(t, Type::Float(_) | Type::Pointer);
                let from = self.any_type(random, |t| !wide(t));
                Expr::Cast(ty, Box::new(self.expr(random, from, depth)))
            }
            4 if self.memory && ty == OFFSET => {
                let op = *random.choose(&[UnaryOp::Offset, UnaryOp::ObjectSize]);
                Expr::unary(op, self.expr(random, Type::Pointer, depth))
            }
            _ => {
                let op = *random.choose(operators);
                let a = self.expr(random, ty, depth);
                Expr::binary(op, a, self.expr(random, ty, depth))
            }
        }
    }

    fn float(&self, random: &mut Random, kind: FloatKind, depth: usize) -> Expr {
        use BinaryOp::*;
        let ty = Type::Float(kind);
        match random.below(8) {
            0 => Expr::unary(UnaryOp::Neg, self.expr(random, ty, depth)),
            1 | 2 => {
                let from = self.any_type(random, |t| !matches!(t, Type::Int | Type::Pointer));
                Expr::Cast(ty, Box::new(self.expr(random, from, depth)))
            }
            _ => {
                let op = *random.choose(&[Add, Sub, Mul, Div]);
                let a = self.expr(random, ty, depth);
                Expr::binary(op, a, self.expr(random, ty, depth))
            }
        }
    }

    fn boolean(&self, random: &mut Random, depth: usize) -> Expr {
        use BinaryOp::*;
        match random.below(10) {
            0 => Expr::unary(UnaryOp::Not, self.expr(random, Type::Bool, depth)),
            1 | 2 => {
                let count = random.below(4);
                let operands = (0..count).map(|_| self.expr(random, Type::Bool, depth)).collect();
                if random.percent(50) { Expr::And(operands) } else { Expr::Or(operands) }
            }
            3 => {
                let a = self.expr(random, Type::Bool, depth);
                Expr::binary(Implies, a, self.expr(random, Type::Bool, depth))
            }
            4 => {
                let from = self.any_type(random, |_| true);
                Expr::Cast(Type::Bool, Box::new(self.expr(random, from, depth)))
            }
            5 if self.memory => {
                let pointer = self.expr(random, Type::Pointer, depth);
                match random.below(2) {
                    0 => Expr::unary(UnaryOp::IsLive, pointer),
                    _ => Expr::binary(SameObject, pointer, self.expr(random, Type::Pointer, depth)),
                }
            }
            6 | 7 => {
                let ty = self.any_type(random, |_| true);
                let op = *random.choose(&[Eq, Ne]);
                let a = self.expr(random, ty, depth);
                Expr::binary(op, a, self.expr(random, ty, depth))
            }
            _ => {
                let ordered: Vec<Type> = self.types.iter().copied().filter(|t| *t != Type::Bool).collect();
                if ordered.is_empty() {
                    return self.leaf(random, Type::Bool);
                }
                let ty = *random.choose(&ordered);
                if let (Type::Float(_), true) = (ty, random.percent(50)) {
                    let op = *random.choose(&[UnaryOp::IsNan, UnaryOp::IsInfinite, UnaryOp::SignBit]);
                    return Expr::unary(op, self.expr(random, ty, depth));
                }
                let op = *random.choose(&[Lt, Le, Gt, Ge]);
                let a = self.expr(random, ty, depth);
                Expr::binary(op, a, self.expr(random, ty, depth))
            }
        }
    }

    fn any_type(&self, random: &mut Random, fits: impl Fn(&Type) -> bool) -> Type {
        let fit: Vec<Type> = self.types.iter().copied().filter(fits).collect();
        if fit.is_empty() { Type::Bool } else { *random.choose(&fit) }
    }
}

/// A random literal; null is the only pointer.
pub(super) fn literal(random: &mut Random, ty: Type) -> Expr {
    match ty {
        Type::Bool => Expr::Bool(random.percent(50)),
        Type::Pointer => Expr::Null,
        Type::Int if random.percent(5) => {
            let huge = Integer::power_of_two(random.between(60, 200) as u32) - Integer::from(random.below(9));
            Expr::Int(if random.percent(50) { huge } else { -huge }, ty)
        }
        Type::Int => Expr::int(random.between(0, 20) as i64 - 10),
        Type::Machine(machine) => Expr::Int(machine_literal(random, machine), ty),
        Type::Float(kind) => {
            let bits = match random.below(4) {
                0 => random.next_u64() >> (64 - kind.width()),
                1 => {
                    let odd = *random.choose(&["inf", "-inf", "-0.0"]);
                    kind.parse(odd).expect("each is a number")
                }
                _ => kind.of_f64(random.between(0, 40) as f64 / 4.0 - 5.0),
            };
            Expr::Float(bits, kind)
        }
    }
}

fn machine_literal(random: &mut Random, machine: MachineInt) -> Integer {
    match random.below(8) {
        0 => machine.min(),
        1 => machine.max(),
        2 => {
            let high = Integer::from(random.next_u64()) * Integer::power_of_two(64);
            machine.wrap(&(high + Integer::from(random.next_u64())))
        }
        _ => machine.wrap(&Integer::from(random.between(0, 8) as i64 - 4)),
    }
}

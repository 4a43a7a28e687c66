//! What each instruction does.

use super::body::{Operand, is_constant};
use super::branch::{int, three_way};
use super::{INT, Lower, Lowered};
use crate::frontend::java::code::{Constant, Instruction, Member, Operator, StackOp};
use crate::frontend::java::reach::{self, Trap};
use crate::frontend::java::types::{JavaType, Kind};
use crate::program::{BinaryOp, Expr, FloatKind, Type, UnaryOp};
use crate::term::Integer;

/// A `long`.
pub(super) fn long(value: i64) -> Expr {
    Expr::Int(Integer::from(value), Kind::Long.program_type())
}

impl Lower<'_> {
    /// Lowers one instruction.
    pub(super) fn instruction(&mut self, instruction: &Instruction) -> Lowered<()> {
        use Instruction as I;
        match instruction {
            I::Nop => {}
            I::Constant(constant) => self.constant(constant)?,
            I::Load(kind, slot) => {
                let variable = self.local(*slot, *kind);
                self.push_expr(Expr::Var(variable), *kind);
            }
            I::Store(kind, slot) => {
                let value = self.pop_kind(*kind)?;
                let variable = self.local(*slot, *kind);
                self.assign(variable, value);
            }
            I::Increment(slot, by) => {
                let variable = self.local(*slot, Kind::Int);
                let sum = Expr::binary(BinaryOp::Add, Expr::Var(variable), int(i64::from(*by)));
                self.assign(variable, sum);
            }
            I::ArrayLoad(element) => self.array_load(&element.java_type())?,
            I::ArrayStore(element) => self.array_store(&element.java_type())?,
            I::ArrayLength => self.array_length()?,
            I::Stack(op) => self.stack_op(*op)?,
            I::Binary(operator, kind) => self.binary(*operator, *kind)?,
            I::Negate(kind) => {
                let a = self.pop()?;
                self.expect(a.kind == *kind)?;
                let depth = a.depth + 1;
                self.push(Operand { depth, ..Operand::new(Expr::unary(UnaryOp::Neg, a.expr), *kind) });
            }
            I::Convert(from, to) => {
                let a = self.pop()?;
                self.expect(a.kind == *from)?;
                let depth = a.depth + 1;
                let expr = Expr::Cast(to.program_type(), Box::new(a.expr));
                self.push(Operand { depth, ..Operand::new(expr, *to) });
            }
            I::Narrow(ty) => {
                let a = self.pop()?;
                self.expect(a.kind == Kind::Int)?;
                let depth = a.depth + 2;
                let expr = narrow(a.expr, ty);
                self.push(Operand { depth, ..Operand::new(expr, Kind::Int) });
            }
            I::Compare(kind, unordered) => {
                self.simplify_top(2)?;
                let (b, a) = (self.pop_kind(*kind)?, self.pop_kind(*kind)?);
                let mut operand = Operand::new(three_way(*unordered, &a, &b), Kind::Int);
                operand.compared = Some(Box::new((*unordered, a, b)));
                operand.depth = 4;
                self.push(operand);
            }
            I::If(condition, target) => {
                let operand = self.pop()?;
                self.expect(operand.kind == Kind::Int)?;
                let condition = self.against_zero(operand, *condition);
                self.jump_if(condition, *target)?;
            }
            I::IfInts(condition, target) => self.if_ints(*condition, *target)?,
            I::IfReferences(condition, target) => self.if_references(*condition, *target)?,
            I::IfNull(condition, target) => self.if_null(*condition, *target)?,
            I::Goto(target) => self.go_to_block(*target)?,
            I::Switch { default, cases } => self.switch(*default, cases)?,
            I::Return(None) => self.return_value(None)?,
            I::Return(Some(kind)) => {
                let value = self.pop_kind(*kind)?;
                self.return_value(Some((value, *kind)))?;
            }
            I::GetField(member) => self.get_field(member)?,
            I::PutField(member) => self.put_field(member)?,
            I::GetStatic(member) => self.get_static(member)?,
            I::PutStatic(member) => self.put_static(member)?,
            I::Invoke(kind, member) => self.invoke(*kind, member)?,
            I::InvokeDynamic(..) => self.unmodelled("this kind of invokedynamic"),
            I::New(name) => self.new_object(name)?,
            I::NewArray(element) => self.new_array(element)?,
            I::MultiNewArray(name, dimensions) => self.new_arrays(name, *dimensions)?,
            I::CheckCast(name) => self.check_cast(name)?,
            I::InstanceOf(name) => self.instance_of(name)?,
            I::Throw => self.throw()?,
            I::MonitorEnter | I::MonitorExit => {
                self.simplify_top(1)?;
                let object = self.pop_kind(Kind::Reference)?;
                self.null_check(&object)?;
                self.monitor(object, matches!(instruction, I::MonitorEnter));
            }
            I::Unsupported(what) => self.unmodelled(what),
        }
        Ok(())
    }

    /// Refuses code that no compiler makes.
    pub(super) fn expect(&self, fine: bool) -> Lowered<()> {
        if fine { Ok(()) } else { Err(self.wrong("its code takes an operand of another type than there is")) }
    }

    fn constant(&mut self, constant: &Constant) -> Lowered<()> {
        let (expr, kind) = match constant {
            Constant::Int(n) => (int((*n).into()), Kind::Int),
            Constant::Long(n) => (long(*n), Kind::Long),
            Constant::Float(bits) => (Expr::Float(u64::from(*bits), FloatKind::F32), Kind::Float),
            Constant::Double(bits) => (Expr::Float(*bits, FloatKind::F64), Kind::Double),
            Constant::Null => (Expr::Null, Kind::Reference),
            Constant::String(units) => (Expr::Var(self.literal(units)), Kind::Reference),
            // The answer is the same for all classes, so that the object is not needed.
            Constant::Class(_) if self.is_next_about_assertions() => (Expr::Null, Kind::Reference),
            Constant::Class(name) => match self.world.load(name) {
                Ok(class) => (Expr::Var(self.class_object(class)), Kind::Reference),
                Err(error) => {
                    let what = self.unlinked(error);
                    self.unmodelled(&what);
                    return Ok(());
                }
            },
        };
        self.push_expr(expr, kind);
        Ok(())
    }

    fn is_next_about_assertions(&self) -> bool {
        let next = self.body.code.as_ref().and_then(|code| code.instructions.get(self.body.index + 1));
        matches!(next, Some(Instruction::Invoke(_, member)) if is_assertion_status(member))
    }

    /// Keeps the operands on top in their variables, so that each can be used more than once.
    pub(super) fn simplify_top(&mut self, count: usize) -> Lowered<()> {
        let length = self.body.stack.len();
        if count > length {
            return Err(self.wrong("its code takes an operand from an empty stack"));
        }
        (length - count..length).for_each(|depth| self.simplify_operand(depth));
        Ok(())
    }

    fn stack_op(&mut self, op: StackOp) -> Lowered<()> {
        // Wide operands take two places; what an instruction moves depends on it.
        let is_wide = |lower: &Self, from_top: usize| {
            let length = lower.body.stack.len();
            length.checked_sub(from_top + 1).is_some_and(|i| lower.body.stack[i].kind.is_wide())
        };
        let (moved, below) = match op {
            StackOp::Pop => return self.pop().map(drop),
            StackOp::Pop2 if is_wide(self, 0) => return self.pop().map(drop),
            StackOp::Pop2 => {
                self.pop()?;
                return self.pop().map(drop);
            }
            StackOp::Swap => {
                let (b, a) = (self.pop()?, self.pop()?);
                self.body.stack.extend([b, a]);
                self.settle();
                return Ok(());
            }
            StackOp::Dup => (1, 0),
            StackOp::DupX1 => (1, 1),
            StackOp::DupX2 => (1, if is_wide(self, 1) { 1 } else { 2 }),
            StackOp::Dup2 => (if is_wide(self, 0) { 1 } else { 2 }, 0),
            StackOp::Dup2X1 => (if is_wide(self, 0) { 1 } else { 2 }, 1),
            StackOp::Dup2X2 => {
                let moved = if is_wide(self, 0) { 1 } else { 2 };
                (moved, if is_wide(self, moved) { 1 } else { 2 })
            }
        };
        let length = self.body.stack.len();
        if moved + below > length {
            return Err(self.wrong("its code takes an operand from an empty stack"));
        }
        self.simplify_top(moved)?;
        let copies: Vec<Operand> = self.body.stack[length - moved..].to_vec();
        let at = length - moved - below;
        self.body.stack.splice(at..at, copies);
        if below > 0 {
            // An operand may then be in the variable of one above it only where that one is there itself.
            self.settle();
        }
        Ok(())
    }

    /// Keeps an operand in its variable unless it is as simple already.
    pub(super) fn simplify_operand(&mut self, depth: usize) {
        let operand = &self.body.stack[depth];
        if is_constant(&operand.expr) || matches!(operand.expr, Expr::Var(_)) {
            return;
        }
        let (kind, exact) = (operand.kind, operand.exact);
        let value = operand.expr.clone();
        let variable = self.operand(depth, kind);
        // The operand itself is replaced first, so that it is not kept a second time.
        self.body.stack[depth] = Operand::new(Expr::Null, kind);
        self.assign(variable, value);
        self.body.stack[depth] = Operand { exact, ..Operand::new(Expr::Var(variable), kind) };
    }

    fn binary(&mut self, operator: Operator, kind: Kind) -> Lowered<()> {
        let divides = matches!(operator, Operator::Div | Operator::Rem) && matches!(kind, Kind::Int | Kind::Long);
        let is_divided_by_constant = self.body.stack.last().is_some_and(|operand| is_constant(&operand.expr));
        if divides && !is_divided_by_constant {
            self.simplify_top(2)?;
        }
        let is_shift = matches!(operator, Operator::ShiftLeft | Operator::ShiftRight | Operator::UnsignedShiftRight);
        let b = self.pop()?;
        let a = self.pop()?;
        self.expect(a.kind == kind && b.kind == if is_shift { Kind::Int } else { kind })?;
        let depth = a.depth.max(b.depth) + 3;
        let is_float = matches!(kind, Kind::Float | Kind::Double);
        let op = match operator {
            Operator::Add => BinaryOp::Add,
            Operator::Sub => BinaryOp::Sub,
            Operator::Mul => BinaryOp::Mul,
            Operator::Div if is_float => BinaryOp::Div,
            Operator::Rem if is_float => return self.float_remainder(a.expr, b.expr, kind),
            Operator::Div => return self.divide(BinaryOp::Div, a.expr, b.expr, kind),
            Operator::Rem => return self.divide(BinaryOp::Rem, a.expr, b.expr, kind),
            Operator::And => BinaryOp::BitAnd,
            Operator::Or => BinaryOp::BitOr,
            Operator::Xor => BinaryOp::BitXor,
            Operator::ShiftLeft | Operator::ShiftRight | Operator::UnsignedShiftRight => {
                let expr = shift(operator, a.expr, b.expr, kind);
                self.push(Operand { depth: depth + 2, ..Operand::new(expr, kind) });
                return Ok(());
            }
        };
        self.push(Operand { depth, ..Operand::new(Expr::binary(op, a.expr, b.expr), kind) });
        Ok(())
    }

    fn divide(&mut self, op: BinaryOp, a: Expr, b: Expr, kind: Kind) -> Lowered<()> {
        let zero = Expr::Int(Integer::ZERO, kind.program_type());
        let is_zero = super::branch::compare(BinaryOp::Eq, b.clone(), zero);
        self.trap_if(is_zero, Trap::Arithmetic, &[])?;
        self.push_kept(Expr::binary(op, a, b), kind);
        Ok(())
    }

    fn float_remainder(&mut self, a: Expr, b: Expr, kind: Kind) -> Lowered<()> {
        let member = reach::remainder(kind);
        let method = self.world.resolve_method(&member).map_err(|error| self.wrong(error.to_string()))?;
        self.call_and_push(method, vec![a, b], Some(kind))
    }
}

/// Whether the method tells whether assertions are on.
pub(super) fn is_assertion_status(member: &Member) -> bool {
    &*member.class == "java/lang/Class" && &*member.name == "desiredAssertionStatus"
}

fn shift(operator: Operator, a: Expr, amount: Expr, kind: Kind) -> Expr {
    let ty = kind.program_type();
    let width = if kind == Kind::Long { 64 } else { 32 };
    let amount = match amount {
        Expr::Int(n, _) => Expr::Int(n.wrap_unsigned(if width == 64 { 6 } else { 5 }), INT),
        other => Expr::binary(BinaryOp::BitAnd, other, int(width - 1)),
    };
    let in_type = |ty: Type, amount: Expr| match amount {
        Expr::Int(n, _) => Expr::Int(n, ty),
        other if ty == INT => other,
        other => Expr::Cast(ty, Box::new(other)),
    };
    match operator {
        Operator::ShiftLeft => Expr::binary(BinaryOp::Shl, a, in_type(ty, amount)),
        Operator::ShiftRight => Expr::binary(BinaryOp::Shr, a, in_type(ty, amount)),
        _ => {
            let unsigned = Type::machine(width as u32, false);
            let bits = Expr::Cast(unsigned, Box::new(a));
            let shifted = Expr::binary(BinaryOp::Shr, bits, in_type(unsigned, amount));
            Expr::Cast(ty, Box::new(shifted))
        }
    }
}

/// An `int` that is in the range of a smaller type, modulo its size.
pub(super) fn narrow(value: Expr, ty: &JavaType) -> Expr {
    match value {
        Expr::Int(n, _) => {
            let Type::Machine(machine) = ty.cell_type() else { unreachable!("only integers are narrowed") };
            Expr::Int(machine.wrap(&n), INT)
        }
        other => Expr::Cast(INT, Box::new(Expr::Cast(ty.cell_type(), Box::new(other)))),
    }
}

//! What expressions give in a shape. Where a condition can be true and false, there are two shapes after it, each with
//! what follows for numbers; so every truth value is known.

use super::number::{Number, wrap};
use super::step::Semantics;
use super::{Refused, Shape, Value};
use crate::program::{BinaryOp, Expr, MachineInt, Type, UnaryOp};

impl Semantics<'_> {
    /// Evaluates an expression: its value is the last of the results in each of the shapes that are added.
    pub(super) fn eval(&self, mut shape: Shape, expr: &Expr, out: &mut Vec<Shape>) -> Result<(), Refused> {
        match expr {
            Expr::Bool(truth) => shape.give(Value::Int(i128::from(*truth)), out),
            Expr::Int(n, _) => {
                let small = n.to_i64().map(i128::from).or_else(|| n.to_u64().map(i128::from));
                shape.give(small.map_or(Value::Any, Value::Int), out);
            }
            Expr::Float(..) => shape.give(Value::Any, out),
            Expr::Null => shape.give(Value::Null, out),
            Expr::Function(procedure) => shape.give(Value::Function(*procedure), out),
            Expr::Var(variable) => match self.variable(&shape, *variable) {
                Value::Unset => return Refused::new("a variable that is read before it has a value"),
                Value::Any => {
                    let ty = self.program.variables[*variable].ty;
                    let value = shape.name_or_any(Number::all(ty));
                    self.write_variable(&mut shape, *variable, value);
                    shape.give(value, out);
                }
                value => shape.give(value, out),
            },
            Expr::Unary(op, a) => self.unary(shape, *op, a, out)?,
            Expr::Binary(BinaryOp::Implies, a, b) => self.all(shape, &[(a, false), (b, true)], true, out)?,
            Expr::Binary(op, a, b) => self.binary(shape, *op, a, b, out)?,
            Expr::And(parts) => {
                let parts: Vec<(&Expr, bool)> = parts.iter().map(|part| (part, true)).collect();
                self.all(shape, &parts, false, out)?;
            }
            Expr::Or(parts) => {
                let parts: Vec<(&Expr, bool)> = parts.iter().map(|part| (part, true)).collect();
                self.all(shape, &parts, true, out)?;
            }
            Expr::Ite(condition, then, or) => {
                for (shape, truth) in self.truths(shape, condition)? {
                    self.eval(shape, if truth { then } else { or }, out)?;
                }
            }
            Expr::Cast(ty, a) => self.cast(shape, *ty, a, out)?,
            Expr::Load(ty, address) => self.load(shape, *ty, address, out)?,
        }
        Ok(())
    }

    /// The shapes in which a condition is true, and those in which it is false.
    pub(super) fn truths(&self, shape: Shape, condition: &Expr) -> Result<Vec<(Shape, bool)>, Refused> {
        let mut shapes = Vec::new();
        self.eval(shape, condition, &mut shapes)?;
        let mut found = Vec::new();
        for mut shape in shapes {
            let truth = shape.results.pop().unwrap_or(Value::Any);
            match shape.number(truth) {
                Some(number) => {
                    if number.has(0) {
                        let mut shape = shape.clone();
                        if shape.restrict(truth, Some(Number::one(0))) {
                            found.push((shape, false));
                        }
                    }
                    if number.has(1) && shape.restrict(truth, Some(Number::one(1))) {
                        found.push((shape, true));
                    }
                }
                None => found.extend([(shape.clone(), false), (shape, true)]),
            }
        }
        Ok(found)
    }

    /// Looks at conditions in order until one has the truth value that decides: each with whether it counts as it is,
    /// or negated.
    fn all(&self, shape: Shape, parts: &[(&Expr, bool)], decides: bool, out: &mut Vec<Shape>) -> Result<(), Refused> {
        let mut going = vec![shape];
        for (part, as_it_is) in parts {
            let mut next = Vec::new();
            for shape in going {
                for (shape, truth) in self.truths(shape, part)? {
                    if (truth == *as_it_is) == decides {
                        shape.give(Value::Int(i128::from(decides)), out);
                    } else {
                        next.push(shape);
                    }
                }
            }
            going = next;
        }
        going.into_iter().for_each(|shape| shape.give(Value::Int(i128::from(!decides)), out));
        Ok(())
    }

    fn unary(&self, shape: Shape, op: UnaryOp, a: &Expr, out: &mut Vec<Shape>) -> Result<(), Refused> {
        if op == UnaryOp::Not {
            for (shape, truth) in self.truths(shape, a)? {
                shape.give(Value::Int(i128::from(!truth)), out);
            }
            return Ok(());
        }
        let ty = a.type_in(self.program);
        let mut shapes = Vec::new();
        self.eval(shape, a, &mut shapes)?;
        for mut shape in shapes {
            let value = shape.results.pop().unwrap_or(Value::Any);
            match (op, ty) {
                (UnaryOp::Neg, Type::Machine(_) | Type::Int) => {
                    let result = shape.operation(BinaryOp::Sub, machine(ty), Value::Int(0), value);
                    shape.give(result, out);
                }
                (UnaryOp::BitNot, Type::Machine(machine)) => {
                    let result = match shape.number(value).and_then(|number| number.only()) {
                        Some(n) if machine.width <= 64 => Value::Int(wrap(machine, !n)),
                        _ => shape.name_or_any(Number::of_machine(machine)),
                    };
                    shape.give(result, out);
                }
                (UnaryOp::HasLost, _) => {
                    if shape.may_have_lost(value == Value::Int(1)) {
                        shape.give_either(out);
                    } else {
                        shape.give(Value::Int(0), out);
                    }
                }
                (UnaryOp::HoldsLock | UnaryOp::IsLocked, _) => return Refused::new("locks"),
                (_, Type::Pointer) => self.of_pointer(shape, op, value, out),
                (UnaryOp::IsNan | UnaryOp::IsInfinite | UnaryOp::SignBit, _) => shape.give_either(out),
                _ => shape.give(Value::Any, out),
            }
        }
        Ok(())
    }

    fn binary(&self, shape: Shape, op: BinaryOp, a: &Expr, b: &Expr, out: &mut Vec<Shape>) -> Result<(), Refused> {
        let ty = a.type_in(self.program);
        let (mut first, mut shapes) = (Vec::new(), Vec::new());
        self.eval(shape, a, &mut first)?;
        for shape in first {
            self.eval(shape, b, &mut shapes)?;
        }
        for shape in shapes {
            match (op, ty) {
                (BinaryOp::PointerAdd, _) => self.moved(shape, out),
                (_, Type::Pointer) => self.compare_pointers(shape, op, out),
                (_, Type::Float(_)) => {
                    let mut shape = shape;
                    shape.results.truncate(shape.results.len() - 2);
                    if op.is_predicate() { shape.give_either(out) } else { shape.give(Value::Any, out) }
                }
                _ if op.is_predicate() => compare_numbers(shape, op, out),
                _ => {
                    let mut shape = shape;
                    let (b, a) = (shape.results.pop(), shape.results.pop());
                    let (a, b) = (a.unwrap_or(Value::Any), b.unwrap_or(Value::Any));
                    let result = shape.operation(op, machine(ty), a, b);
                    shape.give(result, out);
                }
            }
        }
        Ok(())
    }

    fn cast(&self, shape: Shape, to: Type, a: &Expr, out: &mut Vec<Shape>) -> Result<(), Refused> {
        let from = a.type_in(self.program);
        let mut shapes = Vec::new();
        self.eval(shape, a, &mut shapes)?;
        for mut shape in shapes {
            if to == Type::Bool {
                match from {
                    Type::Pointer => {
                        shape.results.push(Value::Null);
                        self.compare_pointers(shape, BinaryOp::Ne, out);
                    }
                    Type::Float(_) => {
                        shape.results.pop();
                        shape.give_either(out);
                    }
                    _ => {
                        shape.results.push(Value::Int(0));
                        compare_numbers(shape, BinaryOp::Ne, out);
                    }
                }
                continue;
            }
            let value = shape.results.pop().unwrap_or(Value::Any);
            let result = match (from, to) {
                (Type::Pointer, Type::Pointer) => value,
                (Type::Pointer, Type::Machine(machine)) => match value {
                    Value::Null => Value::Int(0),
                    _ => shape.name_or_any(Number::of_machine(machine)),
                },
                (Type::Bool | Type::Machine(_) | Type::Int, Type::Pointer) => match shape.number(value) {
                    Some(number) if number.only() == Some(0) => Value::Null,
                    _ => Value::Any,
                },
                (Type::Bool | Type::Machine(_) | Type::Int, Type::Machine(machine)) => shape.converted(value, machine),
                (Type::Bool | Type::Machine(_) | Type::Int, Type::Int) => value,
                (_, to) => shape.name_or_any(Number::all(to)),
            };
            shape.give(result, out);
        }
        Ok(())
    }

    fn load(&self, shape: Shape, ty: Type, address: &Expr, out: &mut Vec<Shape>) -> Result<(), Refused> {
        let bytes = self.bytes_of(ty)?;
        let mut shapes = Vec::new();
        self.eval(shape, address, &mut shapes)?;
        for shape in shapes {
            if shape.results.last() == Some(&Value::Any) && self.trusts {
                let mut shape = shape;
                shape.results.pop();
                let value = shape.name_or_any(Number::all(ty));
                shape.give(value, out);
                continue;
            }
            for mut shape in self.resolved(shape)? {
                let Some(target) = shape.results.pop().and_then(Value::target) else {
                    return Refused::new("a read through an unknown pointer");
                };
                shape.check_bounds(target, bytes)?;
                let fields = shape.objects[&target.object].fields().cloned().unwrap_or_default();
                let value = match fields.exact(target.offset, bytes) {
                    Some(value) => shape.as_type(value, ty),
                    None if fields.is_zero(target.offset, bytes) => match ty {
                        Type::Pointer => Value::Null,
                        Type::Float(_) => Value::Any,
                        _ => Value::Int(0),
                    },
                    None => {
                        let value = shape.name_or_any(Number::all(ty));
                        // What was never written is the same from now on, if it says all of its bytes.
                        if fields.is_unknown(target.offset, bytes)
                            && machine(ty).is_some_and(|machine| i64::from(machine.width) == 8 * bytes)
                            && let Some(fields) = shape.fields_mut(target)
                        {
                            fields.write(target.offset, bytes, value);
                        }
                        value
                    }
                };
                shape.give(value, out);
            }
        }
        Ok(())
    }
}

impl Shape {
    /// Adds the shape with a result.
    pub(super) fn give(mut self, value: Value, out: &mut Vec<Shape>) {
        self.results.push(value);
        out.push(self);
    }

    /// Adds the shape twice: with the result true, and with false.
    pub(super) fn give_either(self, out: &mut Vec<Shape>) {
        self.clone().give(Value::Int(0), out);
        self.give(Value::Int(1), out);
    }

    /// What an operator on numbers gives. The same operation on the same numbers has the same name.
    fn operation(&mut self, op: BinaryOp, machine: Option<MachineInt>, a: Value, b: Value) -> Value {
        let (Some(x), Some(y)) = (self.number(a), self.number(b)) else {
            return self.name_or_any(machine.and_then(Number::of_machine));
        };
        if let (BinaryOp::Add | BinaryOp::Sub, Value::Int(0)) = (op, b) {
            return a;
        }
        if let Some(symbol) = self.operations.get(&(op, machine, a, b)) {
            return Value::Symbol(*symbol);
        }
        let result = self.name_or_any(Number::apply(op, machine, &x, &y));
        if let Value::Symbol(symbol) = result {
            self.operations.insert((op, machine, a, b), symbol);
        }
        result
    }

    /// A number converted to a machine type: the same where it fits.
    fn converted(&mut self, value: Value, machine: MachineInt) -> Value {
        match self.number(value) {
            Some(number) if number.fits(machine) => value,
            Some(number) => self.name_or_any(number.converted(machine)),
            None => self.name_or_any(Number::of_machine(machine)),
        }
    }

    /// What a value in memory is when it is read as a type of its size.
    fn as_type(&mut self, value: Value, ty: Type) -> Value {
        match (value, ty) {
            (Value::Int(_) | Value::Symbol(_), Type::Machine(machine)) => self.converted(value, machine),
            (Value::Int(n), Type::Bool) => Value::Int(i128::from(n != 0)),
            (Value::Null, Type::Machine(_) | Type::Bool) => Value::Int(0),
            (Value::Int(0), Type::Pointer) => Value::Null,
            (Value::Null | Value::Dead | Value::Function(_) | Value::Pointer(_), Type::Pointer) => value,
            _ => self.name_or_any(Number::all(ty)),
        }
    }
}

fn machine(ty: Type) -> Option<MachineInt> {
    match ty {
        Type::Machine(machine) => Some(machine),
        _ => None,
    }
}

/// Compares the last two results, which are numbers or truth values.
fn compare_numbers(mut shape: Shape, op: BinaryOp, out: &mut Vec<Shape>) {
    let (b, a) = (shape.results.pop().unwrap_or(Value::Any), shape.results.pop().unwrap_or(Value::Any));
    let (Some(x), Some(y)) = (shape.number(a), shape.number(b)) else { return shape.give_either(out) };
    if a == b {
        let truth = matches!(op, BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge);
        return shape.give(Value::Int(i128::from(truth)), out);
    }
    let negated = match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        _ => return shape.give_either(out),
    };
    for (op, truth) in [(op, 1), (negated, 0)] {
        let mut shape = shape.clone();
        if shape.relate(op, (a, &x), (b, &y)) {
            shape.give(Value::Int(truth), out);
        }
    }
}

impl Shape {
    /// Says that a comparison of two numbers is true; `false` where it cannot be.
    fn relate(&mut self, op: BinaryOp, (a, x): (Value, &Number), (b, y): (Value, &Number)) -> bool {
        let below =
            |number: &Number, most: i128| Number::range(number.low().min(most), most).and_then(|all| number.meet(&all));
        let above = |number: &Number, least: i128| {
            Number::range(least, number.high().max(least)).and_then(|all| number.meet(&all))
        };
        match op {
            BinaryOp::Eq => {
                let Some(both) = x.meet(y) else { return false };
                if let (Value::Symbol(first), Value::Symbol(_)) = (a, b) {
                    self.replace_symbol(first, b);
                    return self.restrict(b, Some(both));
                }
                self.restrict(a, Some(both.clone())) && self.restrict(b, Some(both))
            }
            BinaryOp::Ne => {
                let (left, right) = (y.only().map_or(Some(x.clone()), |n| x.without(n)), x.only());
                let right = right.map_or(Some(y.clone()), |n| y.without(n));
                self.restrict(a, left) && self.restrict(b, right)
            }
            BinaryOp::Lt => self.restrict(a, below(x, y.high() - 1)) && self.restrict(b, above(y, x.low() + 1)),
            BinaryOp::Le => self.restrict(a, below(x, y.high())) && self.restrict(b, above(y, x.low())),
            BinaryOp::Gt => self.restrict(a, above(x, y.low() + 1)) && self.restrict(b, below(y, x.high() - 1)),
            _ => self.restrict(a, above(x, y.low())) && self.restrict(b, below(y, x.high())),
        }
    }
}

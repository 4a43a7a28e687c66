//! The counter of a loop: how it goes, when the loop ends, and what grows with it.

use crate::program::{BinaryOp, EdgeId, Expr, LocId, MachineInt, OFFSET, Procedure, Program, Statement, Type, VarId};
use crate::term::Integer;

/// How far a counter goes in an iteration at most, and what it is multiplied by.
const MAX_FACTOR: i64 = 1 << 16;

/// Numbers of this size, a few of them added, do not wrap as an `i64`.
const MAX_EXACT: i128 = 1 << 60;

/// The counter of a loop whose iterations begin where `counter op bound` holds, and that ends where it does not.
pub(super) struct Counter {
    pub variable: VarId,
    /// What it grows by in every iteration; negative where it goes down.
    pub step: i64,
    /// `<` or `<=` where it goes up, `>` or `>=` where it goes down.
    op: BinaryOp,
    pub bound: Expr,
    machine: MachineInt,
}

/// What is compared, how, and with what, at the header of a loop.
pub(super) type Guard = (BinaryOp, VarId, Expr);

/// The comparison that iterations of a loop begin with, if it ends where that does not hold.
pub(super) fn guard_of(procedure: &Procedure, header: LocId, edges: &[EdgeId], exits: &[EdgeId]) -> Option<Guard> {
    let first = |edge: &EdgeId| match procedure.edges[*edge].block.first() {
        Some(Statement::Assume(Expr::Binary(op, a, b))) => match &**a {
            Expr::Var(counter) => Some((*op, *counter, (**b).clone())),
            _ => None,
        },
        _ => None,
    };
    let from_header = edges.iter().filter(|edge| procedure.edges[**edge].source == header);
    let guards: Option<Vec<Guard>> = from_header.map(first).collect();
    let ends: Option<Vec<Guard>> = exits.iter().map(first).collect();
    let (guards, ends) = (guards?, ends?);
    let (op, counter, bound) = guards.first()?.clone();
    let opposite = match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        _ => return None,
    };
    let same = |(of, variable, to): &Guard, wanted| *of == wanted && *variable == counter && *to == bound;
    let fits = guards.iter().all(|guard| same(guard, op)) && ends.iter().all(|end| same(end, opposite));
    (fits && !ends.is_empty()).then_some((op, counter, bound))
}

/// What a counter grows by, where this is its next value.
pub(super) fn growth(value: &Expr, counter: VarId) -> Option<i64> {
    let Expr::Binary(op, a, b) = value else { return None };
    let by = match (&**a, &**b) {
        (Expr::Var(variable), Expr::Int(by, _)) if *variable == counter => by.to_i64()?,
        _ => return None,
    };
    let by = match op {
        BinaryOp::Add => by,
        BinaryOp::Sub => by.checked_neg()?,
        _ => return None,
    };
    (by != 0 && by.abs() <= MAX_FACTOR).then_some(by)
}

impl Counter {
    /// `None` where it does not go to its bound.
    pub(super) fn new(program: &Program, (op, variable, bound): Guard, step: i64) -> Option<Counter> {
        let Type::Machine(machine) = program.variables[variable].ty else { return None };
        let is_up = matches!(op, BinaryOp::Lt | BinaryOp::Le);
        (machine.width <= 32 && is_up == (step > 0)).then_some(Counter { variable, step, op, bound, machine })
    }

    /// Whether an iteration begins with that value of the counter.
    pub(super) fn goes_on(&self, counter: Expr) -> Expr {
        Expr::binary(self.op, counter, self.bound.clone())
    }

    /// Whether the first value is not behind the second, as the counter goes.
    pub(super) fn is_ordered(&self, first: Expr, second: Expr) -> Expr {
        let op = if self.step > 0 { BinaryOp::Le } else { BinaryOp::Ge };
        Expr::binary(op, first, second)
    }

    /// Whether the counter comes from the first value to the second, if they are in order.
    pub(super) fn comes_to(&self, first: &Expr, second: &Expr) -> Expr {
        let apart = Expr::binary(BinaryOp::Sub, exactly(second), exactly(first));
        is_multiple(apart, self.step)
    }

    /// The value before.
    pub(super) fn before(&self, counter: Expr) -> Expr {
        let by = Expr::Int(Integer::from(self.step), Type::Machine(self.machine));
        match self.machine.signed || self.step > 0 {
            true => Expr::binary(BinaryOp::Sub, counter, by),
            false => {
                let by = Expr::Int(Integer::from(-self.step), Type::Machine(self.machine));
                Expr::binary(BinaryOp::Add, counter, by)
            }
        }
    }

    /// The value that ends the loop, where the counter goes by one.
    pub(super) fn last(&self) -> Option<Expr> {
        let one = || Expr::Int(Integer::from(1), Type::Machine(self.machine));
        match (self.op, self.step) {
            (BinaryOp::Lt, 1) | (BinaryOp::Gt, -1) => Some(self.bound.clone()),
            (BinaryOp::Le, 1) => Some(Expr::binary(BinaryOp::Add, self.bound.clone(), one())),
            (BinaryOp::Ge, -1) => Some(Expr::binary(BinaryOp::Sub, self.bound.clone(), one())),
            _ => None,
        }
    }

    /// Whether the counter comes to a value that ends the loop without wrapping, where that is a question.
    pub(super) fn ends(&self) -> Option<Expr> {
        if matches!((self.op, self.step), (BinaryOp::Lt, 1) | (BinaryOp::Gt, -1)) {
            return None;
        }
        // One more than needed where the bound itself is not among the counter's values.
        let end = Expr::binary(BinaryOp::Add, exactly(&self.bound), number(self.step));
        Some(match self.step > 0 {
            true => Expr::binary(BinaryOp::Le, end, Expr::Int(self.machine.max(), OFFSET)),
            false => Expr::binary(BinaryOp::Ge, end, Expr::Int(self.machine.min(), OFFSET)),
        })
    }
}

/// Whether a number is a multiple of another, which is not zero.
pub(super) fn is_multiple(value: Expr, of: i64) -> Expr {
    match of.abs() {
        1 => Expr::Bool(true),
        of => Expr::binary(BinaryOp::Eq, Expr::binary(BinaryOp::Rem, value, number(of)), number(0)),
    }
}

fn number(value: i64) -> Expr {
    Expr::Int(Integer::from(value), OFFSET)
}

/// A number of at most 32 bits as an `i64`.
fn exactly(value: &Expr) -> Expr {
    match value {
        Expr::Int(value, _) => Expr::Int(value.clone(), OFFSET),
        other => Expr::Cast(OFFSET, Box::new(other.clone())),
    }
}

/// A number of bytes that grows with a counter.
pub(super) struct Growing {
    /// By how much, if nothing wraps.
    pub factor: i64,
    /// What it is if nothing wraps, where something could.
    pub exact: Option<Expr>,
}

impl Growing {
    /// Of an `i64`; `None` where it does not always grow by the same.
    pub(super) fn of(program: &Program, bytes: &Expr, counter: VarId) -> Option<Growing> {
        let found = linear(program, bytes, counter)?;
        let exact = (found.exact != *bytes).then_some(found.exact);
        (found.most < MAX_EXACT).then_some(Growing { factor: found.factor, exact })
    }
}

struct Linear {
    factor: i64,
    /// The same number, without anything that wraps.
    exact: Expr,
    /// How large it is at most, without its sign.
    most: i128,
}

fn linear(program: &Program, expr: &Expr, counter: VarId) -> Option<Linear> {
    let Type::Machine(machine) = expr.type_in(program) else { return None };
    if machine.width > 32 && Type::Machine(machine) != OFFSET {
        return None;
    }
    match expr {
        Expr::Int(value, _) => {
            let value = value.to_i64()?;
            Some(Linear { factor: 0, exact: number(value), most: i128::from(value).abs() })
        }
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            let (a, b) = (linear(program, a, counter)?, linear(program, b, counter)?);
            // Two numbers that wrap before they are added could hide that from the first and the last iteration.
            if Type::Machine(machine) == OFFSET && a.factor != 0 && b.factor != 0 {
                return None;
            }
            let factor = match op {
                BinaryOp::Add => a.factor.checked_add(b.factor)?,
                _ => a.factor.checked_sub(b.factor)?,
            };
            Some(Linear { factor, exact: Expr::binary(*op, a.exact, b.exact), most: a.most + b.most })
        }
        Expr::Binary(BinaryOp::Mul, a, b) => {
            let (a, b) = match &**a {
                Expr::Int(..) => (b, a),
                _ => (a, b),
            };
            let Expr::Int(by, _) = &**b else { return fixed(expr, counter, machine) };
            let by = by.to_i64().filter(|by| by.abs() <= MAX_FACTOR)?;
            let of = linear(program, a, counter)?;
            let most = of.most.checked_mul(i128::from(by).abs())?;
            let exact = Expr::binary(BinaryOp::Mul, of.exact, number(by));
            Some(Linear { factor: of.factor.checked_mul(by)?, exact, most })
        }
        Expr::Cast(to, inner) if *to == OFFSET => match inner.type_in(program) {
            Type::Machine(from) if from.width <= 32 => linear(program, inner, counter),
            _ => None,
        },
        Expr::Var(variable) if *variable == counter => {
            Some(Linear { factor: 1, exact: exactly(expr), most: 1 << machine.width })
        }
        other => fixed(other, counter, machine),
    }
}

/// A number that the counter has nothing to do with.
fn fixed(expr: &Expr, counter: VarId, machine: MachineInt) -> Option<Linear> {
    let is_fixed = machine.width <= 32 && !mentions(expr, counter);
    is_fixed.then(|| Linear { factor: 0, exact: exactly(expr), most: 1 << machine.width })
}

/// Whether a variable occurs in an expression.
pub(super) fn mentions(expr: &Expr, variable: VarId) -> bool {
    let mut found = false;
    expr.for_each_var(&mut |other| found |= other == variable);
    found
}

/// The expression with another one in place of a variable.
pub(super) fn with(expr: &Expr, variable: VarId, value: &Expr) -> Expr {
    let again = |inner: &Expr| Box::new(with(inner, variable, value));
    match expr {
        Expr::Var(known) if *known == variable => value.clone(),
        Expr::Unary(op, a) => Expr::Unary(*op, again(a)),
        Expr::Cast(ty, a) => Expr::Cast(*ty, again(a)),
        Expr::Load(ty, a) => Expr::Load(*ty, again(a)),
        Expr::Binary(op, a, b) => Expr::Binary(*op, again(a), again(b)),
        Expr::And(all) => Expr::And(all.iter().map(|one| with(one, variable, value)).collect()),
        Expr::Or(all) => Expr::Or(all.iter().map(|one| with(one, variable, value)).collect()),
        Expr::Ite(a, b, c) => Expr::Ite(again(a), again(b), again(c)),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::text::parse;
    use crate::program::{FileId, Id};

    const INT: Type = Type::Machine(MachineInt { width: 32, signed: true });

    /// A program with a counter, and the counter as an expression.
    fn counting() -> (Program, VarId, Expr) {
        let text = "global i: i32 procedure main() { location a entry location z exit edge a -> z { i := 0i32; } }";
        let program = parse(text, FileId::new(0)).expect("it is a program");
        let counter = program.globals().next().expect("it has a global");
        (program, counter, Expr::Var(counter))
    }

    fn int(value: i64) -> Expr {
        Expr::Int(Integer::from(value), INT)
    }

    #[test]
    fn what_grows_with_a_counter() {
        let (program, counter, i) = counting();
        let index = Expr::binary(BinaryOp::Sub, Expr::binary(BinaryOp::Mul, i.clone(), int(4)), int(3));
        let bytes = Expr::binary(BinaryOp::Mul, exactly(&index), number(8));
        let growing = Growing::of(&program, &bytes, counter).expect("it is linear");
        assert_eq!((growing.factor, growing.exact.is_some()), (32, true), "the index can wrap");
        let bytes = Expr::binary(BinaryOp::Mul, exactly(&i), number(8));
        let growing = Growing::of(&program, &bytes, counter).expect("it is linear");
        assert_eq!((growing.factor, growing.exact), (8, None));
        let square = exactly(&Expr::binary(BinaryOp::Mul, i.clone(), i));
        assert!(Growing::of(&program, &square, counter).is_none());
    }

    #[test]
    fn two_numbers_that_wrap_apart_from_each_other_are_not_followed() {
        let (program, counter, i) = counting();
        let twice = exactly(&Expr::binary(BinaryOp::Mul, i.clone(), int(2)));
        let more = exactly(&Expr::binary(BinaryOp::Add, i, int(5)));
        let bytes = Expr::binary(BinaryOp::Sub, twice, more);
        assert!(Growing::of(&program, &bytes, counter).is_none());
    }
}

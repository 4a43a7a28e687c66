//! The counter of a loop: how it goes, when the loop ends, and what grows with it.

use crate::program::{BinaryOp, EdgeId, Expr, LocId, MachineInt, OFFSET, Procedure, Program, Statement, Type, VarId};
use crate::term::Integer;
use rustc_hash::FxHashSet;

/// How far a counter goes in an iteration at most, and what it is multiplied by.
const MAX_FACTOR: i64 = 1 << 27;

/// Numbers of this size, a few of them added, do not wrap as an `i64`.
const MAX_EXACT: i128 = 1 << 60;

/// The counter of a loop whose iterations begin where `counter op bound` holds, and that ends where it does not.
#[derive(Debug, PartialEq, Eq)]
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

    /// The values that it has in iterations, from the first on, if these are at most so many.
    pub(super) fn values_from(&self, first: &Integer, most: usize) -> Option<Vec<Integer>> {
        let Expr::Int(bound, _) = &self.bound else { return None };
        let (mut values, mut value) = (Vec::new(), first.clone());
        loop {
            let goes_on = match self.op {
                BinaryOp::Lt => value < *bound,
                BinaryOp::Le => value <= *bound,
                BinaryOp::Gt => value > *bound,
                _ => value >= *bound,
            };
            if !goes_on {
                return Some(values);
            }
            let next = self.machine.wrap(&(value.clone() + Integer::from(self.step)));
            values.push(std::mem::replace(&mut value, next));
            if values.len() > most {
                return None;
            }
        }
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

pub(super) fn number(value: i64) -> Expr {
    Expr::Int(Integer::from(value), OFFSET)
}

/// A number of at most 32 bits as an `i64`.
pub(super) fn exactly(value: &Expr) -> Expr {
    match value {
        Expr::Int(value, _) => Expr::Int(value.clone(), OFFSET),
        other => Expr::Cast(OFFSET, Box::new(other.clone())),
    }
}

/// A variable that a loop changes by the same number in every iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub variable: VarId,
    pub ty: Type,
    pub by: i64,
}

/// A number of bytes that grows in every iteration by the same, as it is where nothing wraps: a sum of multiples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Growing {
    /// Of variables that grow.
    pub growing: Vec<(VarId, i64)>,
    /// Of what the loop does not change.
    pub fixed: Vec<(Expr, i64)>,
    /// Of what changes otherwise, as the counter of a loop inside does.
    pub inner: Vec<(Expr, i64)>,
    pub constant: i64,
    /// How large it is at most, without its sign.
    most: i128,
    /// Whether something could wrap.
    pub can_wrap: bool,
}

impl Growing {
    /// Of an `i64`, in a loop that changes some variables; `None` where it does not always grow by the same.
    pub(super) fn of(program: &Program, bytes: &Expr, changing: &Changing) -> Option<Growing> {
        linear(program, bytes, changing).filter(|found| found.most < MAX_EXACT)
    }

    /// By how much it grows in an iteration.
    pub(super) fn apart(&self, steps: &[Step]) -> Option<i64> {
        let mut apart: i64 = 0;
        for (variable, factor) in &self.growing {
            let step = steps.iter().find(|step| step.variable == *variable)?;
            apart = apart.checked_add(factor.checked_mul(step.by)?)?;
        }
        Some(apart)
    }

    fn nothing() -> Growing {
        Growing { growing: Vec::new(), fixed: Vec::new(), inner: Vec::new(), constant: 0, most: 0, can_wrap: false }
    }

    /// The sum with a multiple of another.
    fn plus(mut self, other: Growing, by: i64) -> Option<Growing> {
        fn add<T: PartialEq>(to: &mut Vec<(T, i64)>, more: Vec<(T, i64)>, by: i64) -> Option<()> {
            for (what, factor) in more {
                let factor = factor.checked_mul(by)?;
                match to.iter_mut().find(|(known, _)| *known == what) {
                    Some((_, sum)) => *sum = sum.checked_add(factor)?,
                    None => to.push((what, factor)),
                }
            }
            to.retain(|(_, factor)| *factor != 0);
            Some(())
        }
        add(&mut self.growing, other.growing, by)?;
        add(&mut self.fixed, other.fixed, by)?;
        add(&mut self.inner, other.inner, by)?;
        self.constant = self.constant.checked_add(other.constant.checked_mul(by)?)?;
        self.most = self.most.checked_add(other.most.checked_mul(i128::from(by).abs())?)?;
        self.can_wrap |= other.can_wrap;
        Some(self)
    }

    /// What changes otherwise, as an `i64`.
    pub(super) fn inner_part(&self) -> Option<Expr> {
        let parts = self.inner.iter().map(|(expr, factor)| times(exactly(expr), *factor));
        parts.reduce(|a, b| Expr::binary(BinaryOp::Add, a, b))
    }

    /// All but what changes otherwise, as an `i64`, given the values of what grows.
    pub(super) fn as_expr(&self, value_of: impl Fn(VarId) -> Expr) -> Expr {
        let growing = self.growing.iter().map(|(variable, factor)| times(value_of(*variable), *factor));
        let fixed = self.fixed.iter().map(|(expr, factor)| times(exactly(expr), *factor));
        let sum = growing.chain(fixed).reduce(|a, b| Expr::binary(BinaryOp::Add, a, b));
        match sum {
            None => number(self.constant),
            Some(sum) if self.constant == 0 => sum,
            Some(sum) => Expr::binary(BinaryOp::Add, sum, number(self.constant)),
        }
    }
}

fn times(value: Expr, factor: i64) -> Expr {
    match factor {
        1 => value,
        _ => Expr::binary(BinaryOp::Mul, value, number(factor)),
    }
}

/// What a loop changes.
pub(super) struct Changing {
    /// By the same in every iteration; the first is the counter.
    pub steps: Vec<Step>,
    pub variables: FxHashSet<VarId>,
}

fn linear(program: &Program, expr: &Expr, changing: &Changing) -> Option<Growing> {
    let steps = &changing.steps;
    let Type::Machine(machine) = expr.type_in(program) else { return None };
    if machine.width > 32 && Type::Machine(machine) != OFFSET {
        return None;
    }
    let is_growing = |variable: VarId| steps.iter().any(|step| step.variable == variable);
    let is_fixed = || {
        let mut fixed = true;
        expr.for_each_var(&mut |variable| fixed &= !changing.variables.contains(&variable));
        fixed
    };
    match expr {
        Expr::Int(value, _) => {
            let constant = value.to_i64()?;
            Some(Growing { constant, most: i128::from(constant).abs(), ..Growing::nothing() })
        }
        _ if machine.width <= 32 && is_fixed() => {
            Some(Growing { fixed: vec![(expr.clone(), 1)], most: 1 << machine.width, ..Growing::nothing() })
        }
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            let by = if *op == BinaryOp::Add { 1 } else { -1 };
            let sum = linear(program, a, changing)?.plus(linear(program, b, changing)?, by)?;
            Some(Growing { can_wrap: sum.can_wrap || machine.width <= 32, ..sum })
        }
        Expr::Binary(BinaryOp::Mul, a, b) => {
            let (of, by) = match (&**a, &**b) {
                (Expr::Int(by, _), of) | (of, Expr::Int(by, _)) => (of, by),
                _ => return inner_of(expr, machine),
            };
            let by = by.to_i64().filter(|by| by.abs() <= MAX_FACTOR)?;
            let product = Growing::nothing().plus(linear(program, of, changing)?, by)?;
            Some(Growing { can_wrap: product.can_wrap || machine.width <= 32, ..product })
        }
        Expr::Cast(to, inner) if *to == OFFSET => match inner.type_in(program) {
            Type::Machine(from) if from.width <= 32 => linear(program, inner, changing),
            _ => None,
        },
        Expr::Var(variable) if is_growing(*variable) => {
            let can_wrap = steps.first().is_none_or(|counter| counter.variable != *variable);
            Some(Growing { growing: vec![(*variable, 1)], most: 1 << machine.width, can_wrap, ..Growing::nothing() })
        }
        _ => inner_of(expr, machine),
    }
}

/// What changes in its own way.
fn inner_of(expr: &Expr, machine: MachineInt) -> Option<Growing> {
    let fits = machine.width <= 32 && !expr.has_load();
    fits.then(|| Growing { inner: vec![(expr.clone(), 1)], most: 1 << machine.width, ..Growing::nothing() })
}

/// Whether a variable occurs in an expression.
pub(super) fn mentions(expr: &Expr, variable: VarId) -> bool {
    let mut found = false;
    expr.for_each_var(&mut |other| found |= other == variable);
    found
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

    fn changing(counter: VarId, by: i64) -> Changing {
        Changing { steps: vec![Step { variable: counter, ty: INT, by }], variables: FxHashSet::from_iter([counter]) }
    }

    fn int(value: i64) -> Expr {
        Expr::Int(Integer::from(value), INT)
    }

    #[test]
    fn what_grows_with_a_counter() {
        let (program, counter, i) = counting();
        let changing = changing(counter, 1);
        let index = Expr::binary(BinaryOp::Sub, Expr::binary(BinaryOp::Mul, i.clone(), int(4)), int(3));
        let bytes = Expr::binary(BinaryOp::Mul, exactly(&index), number(8));
        let growing = Growing::of(&program, &bytes, &changing).expect("it is linear");
        assert_eq!((growing.apart(&changing.steps), growing.constant, growing.can_wrap), (Some(32), -24, true));
        let bytes = Expr::binary(BinaryOp::Mul, exactly(&i), number(8));
        let growing = Growing::of(&program, &bytes, &changing).expect("it is linear");
        assert_eq!((growing.apart(&changing.steps), growing.can_wrap), (Some(8), false));
        let square = exactly(&Expr::binary(BinaryOp::Mul, i.clone(), i));
        assert!(Growing::of(&program, &square, &changing).is_some_and(|found| found.apart(&changing.steps) == Some(0)));
    }

    #[test]
    fn what_is_taken_away_again_does_not_grow() {
        let (program, counter, i) = counting();
        let changing = changing(counter, 3);
        let more = exactly(&Expr::binary(BinaryOp::Add, i.clone(), int(5)));
        let bytes = Expr::binary(BinaryOp::Sub, more, exactly(&i));
        let growing = Growing::of(&program, &bytes, &changing).expect("it is linear");
        assert_eq!((growing.apart(&changing.steps), growing.constant, growing.can_wrap), (Some(0), 5, true));
    }
}

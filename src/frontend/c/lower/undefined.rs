//! What is undefined when it happens: a division by zero, a shift out of range, a call of what is no function.
//!
//! Each is an edge to an error location. Where the property counts it, or an execution is shown to the user, it is an
//! error of its own kind. Under the competition's rules it ends the execution, and the report says so. Elsewhere
//! nothing is known of what follows: a proof has to exclude it.

use super::arithmetic::{and, binary, cast, offset_of, or};
use super::place::Place;
use super::{Checks, Lower, Lowered, Options};
use crate::frontend::c::tree::{BinaryOp as Op, ExprId};
use crate::program::{
    BinaryOp, ErrorKind, Expr, FloatKind, LocId, MachineInt, Program, Remark, SourceFiles, Span, Statement, Type,
    UnaryOp,
};
use crate::term::Integer;
use std::collections::BTreeMap;

const DIVISION: &str = "division by zero";
const QUOTIENT: &str = "the quotient of the least number and -1 does not fit its type";
const SHIFT: &str = "a shift by a negative number, or by the width or more";
const NEGATIVE: &str = "a negative number is shifted left";
const NULL_CALL: &str = "a null pointer is called";
const UNORDERED: &str = "nothing orders two side effects on one object, or one and a use of its value";
pub(super) const MISSING: &str = "the function ends without a `return`, and its result is used";
const OVERLAP: &str = "what is copied and where it is copied to overlap";
const DISTANCE: &str = "a distance of pointers into different objects";
const LENGTH: &str = "the length of an array is not positive";
const BAD_CALL: &str = "what is called is no function of the type that the call says";

impl Lower<'_> {
    /// Goes to an error unless the condition holds. The error is undefined in C; `is_asked` tells whether the property
    /// counts its kind.
    fn check_defined(&mut self, holds: Expr, kind: ErrorKind, is_asked: bool, message: &str) {
        let kind = self.undefined_kind(kind, is_asked, message);
        self.check(holds, kind, message.to_owned());
    }

    /// The kind of an expression that is undefined in a way of its own.
    fn expression_kind(&self, message: &str) -> ErrorKind {
        match self.checks().expressions {
            true => ErrorKind::UndefinedExpression,
            false => ErrorKind::Undefined(message.to_owned()),
        }
    }

    /// An access is ordered with the others of its expression. Under the competition's rules they are taken in the order
    /// in which they are evaluated here.
    pub(super) fn check_ordered(&mut self, access: ExprId) -> Lowered<()> {
        let conflicts = self.effects.conflicts();
        for (first, second) in conflicts.apart.get(&access).into_iter().flatten() {
            let (Place::Memory { address: first, .. }, Place::Memory { address: second, .. }) =
                (self.place(*first)?, self.place(*second)?)
            else {
                continue;
            };
            let (first, second) = (self.shallow(first), self.shallow(second));
            let same = and(vec![
                binary(BinaryOp::SameObject, first.clone(), second.clone()),
                binary(BinaryOp::Eq, offset_of(first), offset_of(second)),
            ]);
            let kind = self.expression_kind(UNORDERED);
            self.check(same.negate(), kind, UNORDERED.to_owned());
        }
        if let Some(is_sure) = conflicts.same.get(&access) {
            let kind = match is_sure {
                true => self.expression_kind(UNORDERED),
                false => ErrorKind::Undefined(UNORDERED.to_owned()),
            };
            self.check(Expr::Bool(false), kind, UNORDERED.to_owned());
        }
        Ok(())
    }

    fn undefined_kind(&self, kind: ErrorKind, is_asked: bool, message: &str) -> ErrorKind {
        let is_itself = is_asked || self.options.rules.undefined_ends() || self.options.executes;
        if is_itself { kind } else { ErrorKind::Undefined(message.to_owned()) }
    }

    /// The divisor is not zero, and the quotient fits.
    pub(super) fn check_division(&mut self, machine: MachineInt, left: &Expr, right: &Expr) {
        let ty = Type::Machine(machine);
        let Checks { overflow, arithmetic, .. } = self.checks();
        let range = self.range(right);
        if range.contains(&Integer::ZERO) {
            let holds = binary(BinaryOp::Ne, right.clone(), Expr::Int(Integer::ZERO, ty));
            self.check_defined(holds, ErrorKind::DivisionByZero, arithmetic, DIVISION);
        }
        if machine.signed && range.contains(&-Integer::ONE) {
            let fits = or(vec![
                binary(BinaryOp::Ne, left.clone(), Expr::Int(machine.min(), ty)),
                binary(BinaryOp::Ne, right.clone(), Expr::Int(-Integer::ONE, ty)),
            ]);
            self.check_defined(fits, ErrorKind::Overflow, overflow, QUOTIENT);
        }
    }

    /// The number of bits is from zero to less than the width of what is shifted. A number shifted left must fit too
    /// where overflow counts: the shift by the same amount back gives it again.
    pub(super) fn check_shift(&mut self, op: Op, machine: MachineInt, left: &Expr, count: &Expr) {
        let Type::Machine(own) = self.type_of(count) else { return };
        if self.inside_init {
            return;
        }
        let width = Integer::from(machine.width);
        let number = |value| Expr::Int(value, Type::Machine(own));
        let range = self.range(count);
        let mut in_range = Vec::new();
        if range.low < Integer::ZERO {
            in_range.push(binary(BinaryOp::Ge, count.clone(), number(Integer::ZERO)));
        }
        if range.high >= width {
            in_range.push(binary(BinaryOp::Lt, count.clone(), number(width)));
        }
        let Checks { overflow, arithmetic, .. } = self.checks();
        if arithmetic && machine.signed && op == Op::Shl && self.is_user_code() && self.range(left).low < Integer::ZERO
        {
            let holds = binary(BinaryOp::Ge, left.clone(), Expr::Int(Integer::ZERO, Type::Machine(machine)));
            self.check(holds, ErrorKind::ShiftOutOfRange, NEGATIVE.to_owned());
        }
        if overflow && machine.signed && op == Op::Shl && !self.surely_keeps(machine, left, count) {
            let count = cast(Type::Machine(machine), count.clone());
            let shifted = binary(BinaryOp::Shl, left.clone(), count.clone());
            let back = binary(BinaryOp::Shr, shifted, count);
            in_range.push(binary(BinaryOp::Eq, back, left.clone()));
            let message = format!("the shifted number does not fit {} bits", machine.width);
            return self.check(and(in_range), ErrorKind::Overflow, message);
        }
        self.check_defined(and(in_range), ErrorKind::ShiftOutOfRange, arithmetic, SHIFT);
    }

    /// The whole part of a floating-point number fits the integer type that it is converted to.
    pub(super) fn check_whole(&mut self, kind: FloatKind, machine: MachineInt, value: &Expr) {
        if !self.checks().arithmetic || self.inside_init || !self.is_user_code() {
            return;
        }
        let number = |number: f64| Expr::Float(kind.of_f64(number), kind);
        let digits = if kind == FloatKind::F32 { f32::MANTISSA_DIGITS } else { f64::MANTISSA_DIGITS };
        let bits = machine.width - u32::from(machine.signed);
        let end = 2f64.powi(bits.cast_signed());
        // Where the number below the least one has a value of its own, all that is above it fits.
        let low = match machine.signed {
            false => binary(BinaryOp::Gt, value.clone(), number(-1.0)),
            true if bits < digits => binary(BinaryOp::Gt, value.clone(), number(-end - 1.0)),
            true => binary(BinaryOp::Ge, value.clone(), number(-end)),
        };
        // Where the end is more than any number, it is infinity.
        let high = binary(BinaryOp::Lt, value.clone(), number(end));
        let sign = if machine.signed { "a signed" } else { "an unsigned" };
        let message = format!("the number does not fit {sign} integer of {} bits", machine.width);
        self.check(and(vec![low, high]), ErrorKind::Overflow, message);
    }

    /// An array whose length is computed has an element. Under the competition's rules it need not.
    pub(super) fn check_array_length(&mut self, length: &Expr) {
        let range = self.range(length);
        if range.low > Integer::ZERO || self.options.rules.undefined_ends() {
            return;
        }
        let kind = match self.checks().bounds {
            true => ErrorKind::IndexOutOfRange,
            false => ErrorKind::Undefined(LENGTH.to_owned()),
        };
        let zero = Expr::Int(Integer::ZERO, self.type_of(length));
        self.check(binary(BinaryOp::Gt, length.clone(), zero), kind, LENGTH.to_owned());
    }

    /// What is copied and where it is copied to do not overlap, unless they are the same. Under the competition's rules a
    /// copy is one all the same.
    pub(super) fn check_apart(&mut self, target: &Expr, source: &Expr, bytes: &Expr) {
        if self.inside_init || self.options.rules.undefined_ends() {
            return;
        }
        let offset = |pointer: &Expr| Expr::unary(UnaryOp::Offset, pointer.clone());
        let is_near = |from: &Expr, to: &Expr| {
            binary(BinaryOp::Lt, binary(BinaryOp::Sub, offset(to), offset(from)), bytes.clone())
        };
        let overlaps = and(vec![
            binary(BinaryOp::SameObject, target.clone(), source.clone()),
            binary(BinaryOp::Ne, offset(target), offset(source)),
            is_near(source, target),
            is_near(target, source),
        ]);
        let kind = self.expression_kind(OVERLAP);
        self.check(overlaps.negate(), kind, OVERLAP.to_owned());
    }

    /// Whether a distance of pointers into different objects is an error.
    pub(super) fn has_distances_checked(&self) -> bool {
        !self.inside_init && !self.options.rules.undefined_ends() && !self.options.executes
    }

    /// Pointers whose distance is taken are into one object. Under the competition's rules their addresses have a distance all
    /// the same.
    pub(super) fn check_distance(&mut self, left: &Expr, right: &Expr) {
        let same = binary(BinaryOp::SameObject, left.clone(), right.clone());
        let kind = self.expression_kind(DISTANCE);
        self.check(same, kind, DISTANCE.to_owned());
    }

    /// The ways on where a pointer points to none of the functions that a call can mean; `others` says that it does
    /// not. Where functions of other types have their addresses taken, it may point to one of those.
    pub(super) fn call_of_nothing(
        &mut self,
        source: LocId,
        pointer: Expr,
        mut others: Vec<Expr>,
        has_other_types: bool,
    ) {
        let span = self.body.span;
        let is_asked = self.checks().memory;
        let kind = self.undefined_kind(ErrorKind::NullDereference, is_asked, NULL_CALL);
        let null = self.error_location(kind, NULL_CALL.to_owned());
        let is_null = Expr::binary(BinaryOp::Eq, pointer.clone(), Expr::Null);
        self.edge(source, null, vec![Statement::Assume(is_null)], span);
        others.push(Expr::binary(BinaryOp::Ne, pointer, Expr::Null));
        // Functions are called as other types in practice, so that this is no end even where the competition's rules hold.
        let kind = match is_asked && !has_other_types {
            true => ErrorKind::OutOfBounds,
            false => self.expression_kind(BAD_CALL),
        };
        let bad = self.error_location(kind, BAD_CALL.to_owned());
        self.edge(source, bad, vec![Statement::Assume(and(others))], span);
        self.leave();
    }

    /// A range that has all values of an integer expression, as far as its form tells.
    fn range(&self, expr: &Expr) -> Range {
        let of_type = || match self.type_of(expr) {
            Type::Machine(machine) => Range { low: machine.min(), high: machine.max() },
            _ => Range { low: Integer::ZERO, high: Integer::ONE },
        };
        match expr {
            Expr::Int(number, _) => Range { low: number.clone(), high: number.clone() },
            Expr::Cast(_, inner) if matches!(self.type_of(inner), Type::Machine(_) | Type::Bool) => {
                let (inner, all) = (self.range(inner), of_type());
                if all.low <= inner.low && inner.high <= all.high { inner } else { all }
            }
            Expr::Binary(BinaryOp::BitAnd, a, b) => {
                let masks = [self.range(a), self.range(b)];
                let most = masks.into_iter().filter(|mask| mask.low >= Integer::ZERO).map(|mask| mask.high).min();
                most.map_or_else(of_type, |high| Range { low: Integer::ZERO, high })
            }
            Expr::Binary(BinaryOp::Rem, a, b) => match (self.range(a), self.range(b)) {
                (a, b) if a.low >= Integer::ZERO && b.low > Integer::ZERO => {
                    Range { low: Integer::ZERO, high: a.high.min(b.high - Integer::ONE) }
                }
                _ => of_type(),
            },
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => {
                let (exact, all) = (self.range(a).combined(*op, &self.range(b)), of_type());
                if all.low <= exact.low && exact.high <= all.high { exact } else { all }
            }
            _ => of_type(),
        }
    }

    /// Whether the form of the operands tells that the exact result of a sum, difference or product fits the type.
    pub(super) fn surely_fits(&self, op: BinaryOp, machine: MachineInt, left: &Expr, right: &Expr) -> bool {
        let exact = self.range(left).combined(op, &self.range(right));
        machine.min() <= exact.low && exact.high <= machine.max()
    }

    /// The same for a shift of a number to the left.
    fn surely_keeps(&self, machine: MachineInt, left: &Expr, count: &Expr) -> bool {
        let (left, count) = (self.range(left), self.range(count));
        let most = count.high.to_i64().and_then(|most| u32::try_from(most).ok()).filter(|most| *most < machine.width);
        left.low >= Integer::ZERO
            && count.low >= Integer::ZERO
            && most.is_some_and(|most| left.high.shift_left(most) <= machine.max())
    }
}

/// The integers from one to another.
struct Range {
    low: Integer,
    high: Integer,
}

impl Range {
    fn contains(&self, number: &Integer) -> bool {
        self.low <= *number && *number <= self.high
    }

    /// The exact results of an operator on a number of each.
    fn combined(&self, op: BinaryOp, other: &Range) -> Range {
        let (a, b) = (self, other);
        match op {
            BinaryOp::Add => Range { low: &a.low + &b.low, high: &a.high + &b.high },
            BinaryOp::Sub => Range { low: &a.low - &b.high, high: &a.high - &b.low },
            _ => {
                let products = [&a.low * &b.low, &a.low * &b.high, &a.high * &b.low, &a.high * &b.high];
                let [low, high] = [products.iter().min(), products.iter().max()];
                let known = "there are four products";
                Range { low: low.expect(known).clone(), high: high.expect(known).clone() }
            }
        }
    }
}

/// How many places a remark names.
const MAX_PLACES: usize = 4;

/// Says where executions end because the competition's rules have it so.
pub(super) fn remark_ends(program: &mut Program, options: &Options) {
    if !options.rules.undefined_ends() {
        return;
    }
    let Checks { overflow, memory, .. } = options.checks;
    let mut places: BTreeMap<&str, Vec<Option<Span>>> = BTreeMap::new();
    for location in program.procedures.iter().flat_map(|procedure| procedure.locations.iter()) {
        let Some(failure) = &location.error else { continue };
        let message = match failure.kind {
            ErrorKind::DivisionByZero => DIVISION,
            ErrorKind::ShiftOutOfRange => SHIFT,
            ErrorKind::Overflow if !overflow => QUOTIENT,
            ErrorKind::NullDereference if !memory => NULL_CALL,
            _ => continue,
        };
        places.entry(message).or_default().push(location.span);
    }
    for (message, spans) in places {
        let text = format!(
            "{message}: an execution ends there, as the competition has it{}",
            named_places(&program.sources, &spans)
        );
        program.remarks.push(Remark { text, span: None });
    }
}

fn named_places(sources: &SourceFiles, spans: &[Option<Span>]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for span in spans.iter().flatten() {
        let file = &sources[span.file];
        let line = format!("{}:{}", file.name, file.line_and_column(span.start).0);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let more = lines.len().saturating_sub(MAX_PLACES);
    lines.truncate(MAX_PLACES);
    match (lines.is_empty(), more) {
        (true, _) => String::new(),
        (_, 0) => format!(" (possible at {})", lines.join(", ")),
        (_, more) => format!(" (possible at {} and {more} more)", lines.join(", ")),
    }
}

//! What operators do with sets of integers. A set is a union of progressions; a result holds every result of members, and
//! as little besides as its form allows.

use super::bitwise;
use super::progression::Progression;
use crate::program::{BinaryOp, MachineInt, UnaryOp};
use crate::term::Integer;

/// A union of progressions.
pub type IntegerSet = Vec<Progression>;

/// An operator is applied to each member of the smaller operand if these are at most so many, and the result is exact
/// then. 64 is more than all values of the types that the exhaustive tests have.
const MAX_MEMBERS: u64 = 64;

/// All results of an operator on two members. `choices` are sets of which one holds the result, for operators that do not
/// keep the form of a progression: the result is the union of those that can hold it.
pub fn binary(
    op: BinaryOp,
    machine: Option<MachineInt>,
    a: &[Progression],
    b: &[Progression],
    choices: &[&IntegerSet],
) -> IntegerSet {
    if let (BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor, Some(machine)) = (op, machine) {
        return bits(op, machine, a, b, choices);
    }
    let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
    let mut result = Vec::new();
    for (a, b) in pairs {
        for exact in of_pair(op, machine, a, b) {
            for part in exact.as_type(machine) {
                add(&mut result, part);
            }
        }
    }
    result
}

/// Adds a progression, unless it is within one that is there.
pub fn add(set: &mut IntegerSet, part: Progression) {
    if !set.iter().any(|old| part.is_within(old)) {
        set.retain(|old| !old.is_within(&part));
        set.push(part);
    }
}

/// All results of an operator with one operand.
pub fn unary(op: UnaryOp, machine: Option<MachineInt>, a: &[Progression]) -> IntegerSet {
    let minus_one = Integer::from(-1);
    let mut result = Vec::new();
    for part in a {
        let negated = part.scaled(&minus_one);
        let exact = if op == UnaryOp::BitNot { negated.shifted(&minus_one) } else { negated };
        exact.as_type(machine).into_iter().for_each(|part| add(&mut result, part));
    }
    result
}

/// All members as values of another type.
pub fn cast(machine: Option<MachineInt>, a: &[Progression]) -> IntegerSet {
    let mut result = Vec::new();
    a.iter().flat_map(|part| part.as_type(machine)).for_each(|part| add(&mut result, part));
    result
}

/// Whether a comparison of members can be true, and whether it can be false.
pub fn compare(op: BinaryOp, a: &[Progression], b: &[Progression]) -> (bool, bool) {
    let any = |test: &dyn Fn(&Progression, &Progression) -> bool| a.iter().any(|a| b.iter().any(|b| test(a, b)));
    let less = |a: &Progression, b: &Progression| a.low().zip(b.high()).is_none_or(|(low, high)| low < high);
    let least = |a: &Progression, b: &Progression| a.low().zip(b.high()).is_none_or(|(low, high)| low <= high);
    let equal = any(&|a, b| a.meet(b).is_some());
    let differ = any(&|a, b| a.only().is_none() || a.only() != b.only());
    let (lt, le, gt, ge) = (any(&less), any(&least), any(&|a, b| less(b, a)), any(&|a, b| least(b, a)));
    match op {
        BinaryOp::Eq => (equal, differ),
        BinaryOp::Ne => (differ, equal),
        BinaryOp::Lt => (lt, ge),
        BinaryOp::Le => (le, gt),
        BinaryOp::Gt => (gt, le),
        BinaryOp::Ge => (ge, lt),
        _ => (true, true),
    }
}

fn bits(
    op: BinaryOp,
    machine: MachineInt,
    a: &[Progression],
    b: &[Progression],
    choices: &[&IntegerSet],
) -> IntegerSet {
    let can_be = |part: &&Progression| a.iter().any(|a| b.iter().any(|b| bitwise::can_be(op, machine, a, b, part)));
    choices.iter().flat_map(|choice| choice.iter()).filter(can_be).cloned().collect()
}

/// The results before they are wrapped.
fn of_pair(op: BinaryOp, machine: Option<MachineInt>, a: &Progression, b: &Progression) -> IntegerSet {
    match op {
        BinaryOp::Add => vec![a.plus(b)],
        BinaryOp::Sub => vec![a.plus(&b.scaled(&Integer::from(-1)))],
        BinaryOp::Mul => products(a, b),
        BinaryOp::Div => quotients(machine, a, b),
        BinaryOp::Rem => remainders(a, b),
        BinaryOp::Shl | BinaryOp::Shr => {
            let width = machine.map_or(1, |machine| machine.width);
            let shift = |k: u32| match op {
                BinaryOp::Shl => a.scaled(&Integer::power_of_two(k)),
                _ => a.divided_down(&Integer::power_of_two(k)),
            };
            amounts(width, b).into_iter().map(shift).collect()
        }
        _ => machine.map_or_else(|| vec![Progression::all(None)], |machine| vec![Progression::all(Some(machine))]),
    }
}

/// By how many bits a shift can be; all that are too many shift everything out.
fn amounts(width: u32, b: &Progression) -> Vec<u32> {
    let beyond = |low: Option<Integer>, high: Option<Integer>| {
        Progression::between(low, high).is_some_and(|part| b.meet(&part).is_some())
    };
    let is_beyond = beyond(Some(Integer::from(u64::from(width))), None) || beyond(None, Some(Integer::from(-1)));
    let within = (0..width).filter(|k| b.contains(&Integer::from(u64::from(*k))));
    within.chain(is_beyond.then_some(width)).collect()
}

fn products(a: &Progression, b: &Progression) -> IntegerSet {
    let few = |set: &Progression| set.members(MAX_MEMBERS);
    let (members, other) = match (few(a), few(b)) {
        (Some(all), None) => (all, b),
        (Some(all), Some(less)) if all.len() <= less.len() => (all, b),
        (_, Some(all)) => (all, a),
        (None, None) => return vec![product_hull(a, b)],
    };
    members.iter().map(|n| other.scaled(n)).collect()
}

/// One end of a product: infinite ends have a sign.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Below,
    At(Integer),
    Above,
}

fn ends(set: &Progression) -> [End; 2] {
    [set.low().map_or(End::Below, |n| End::At(n.clone())), set.high().map_or(End::Above, |n| End::At(n.clone()))]
}

fn times(a: &End, b: &End) -> End {
    let sign = |end: &End| match end {
        End::Below => -1,
        End::At(n) if n.is_zero() => 0,
        End::At(n) => {
            if n.is_negative() {
                -1
            } else {
                1
            }
        }
        End::Above => 1,
    };
    match (a, b) {
        (End::At(a), End::At(b)) => End::At(a * b),
        _ => match sign(a) * sign(b) {
            0 => End::At(Integer::ZERO),
            1 => End::Above,
            _ => End::Below,
        },
    }
}

fn product_hull(a: &Progression, b: &Progression) -> Progression {
    let corners: Vec<End> = ends(a).iter().flat_map(|x| ends(b).map(|y| times(x, &y))).collect();
    let finite = |end: Option<&End>| match end {
        Some(End::At(n)) => Some(n.clone()),
        _ => None,
    };
    let (low, high) = (finite(corners.iter().min()), finite(corners.iter().max()));
    let (x, y) = (a.rest(), b.rest());
    let steps = [x * b.step(), y * a.step(), a.step() * b.step()];
    let step = steps.iter().fold(Integer::ZERO, |gcd, n| gcd.gcd(n));
    Progression::new(low, high, step, &(x * y)).expect("products exist")
}

/// Truncated quotients; those by zero as [`BinaryOp::Div`] documents them.
fn quotients(machine: Option<MachineInt>, a: &Progression, b: &Progression) -> IntegerSet {
    let mut result = Vec::new();
    if b.contains(&Integer::ZERO) {
        let (negative, other) = a.by_sign();
        let is_signed = machine.is_none_or(|machine| machine.signed);
        result.extend(negative.map(|_| Progression::single(Integer::from(if is_signed { 1 } else { -1 }))));
        result.extend(other.map(|_| Progression::single(Integer::from(-1))));
    }
    for divisor in nonzero_parts(b) {
        for dividend in sign_parts(a) {
            result.extend(sign_quotients(&dividend, &divisor));
        }
    }
    result
}

fn nonzero_parts(b: &Progression) -> Vec<Progression> {
    let part = |low, high| Progression::between(low, high).and_then(|half| b.meet(&half));
    [part(None, Some(Integer::from(-1))), part(Some(Integer::ONE), None)].into_iter().flatten().collect()
}

fn sign_parts(a: &Progression) -> Vec<Progression> {
    let (negative, other) = a.by_sign();
    [negative, other].into_iter().flatten().collect()
}

/// Quotients where neither operand has members of both signs, and the divisor is not zero.
fn sign_quotients(a: &Progression, b: &Progression) -> IntegerSet {
    let minus_one = Integer::from(-1);
    let positive = |set: &Progression| match set.high().is_some_and(Integer::is_negative) {
        true => (set.scaled(&minus_one), true),
        false => (set.clone(), false),
    };
    let ((a, flips), (b, also_flips)) = (positive(a), positive(b));
    let quotients = match b.members(MAX_MEMBERS) {
        Some(members) => members.iter().map(|n| a.divided_down(n)).collect(),
        None => {
            let least = a.low().zip(b.high()).map_or(Integer::ZERO, |(a, b)| floor(a, b));
            let most = a.high().zip(b.low()).map(|(a, b)| floor(a, b));
            Progression::between(Some(least), most).into_iter().collect::<Vec<_>>()
        }
    };
    match flips != also_flips {
        true => quotients.iter().map(|part| part.scaled(&minus_one)).collect(),
        false => quotients,
    }
}

fn floor(a: &Integer, b: &Integer) -> Integer {
    a.div_rem_truncated(b).map_or(Integer::ZERO, |(quotient, _)| quotient)
}

/// Remainders with the sign of the dividend; by zero it is the dividend.
fn remainders(a: &Progression, b: &Progression) -> IntegerSet {
    let minus_one = Integer::from(-1);
    let mut result = Vec::new();
    if b.contains(&Integer::ZERO) {
        result.push(a.clone());
    }
    for divisor in nonzero_parts(b) {
        let divisor =
            if divisor.high().is_some_and(Integer::is_negative) { divisor.scaled(&minus_one) } else { divisor };
        for dividend in sign_parts(a) {
            match dividend.high().is_some_and(Integer::is_negative) {
                true => {
                    let flipped = positive_remainders(&dividend.scaled(&minus_one), &divisor);
                    result.extend(flipped.iter().map(|part| part.scaled(&minus_one)));
                }
                false => result.extend(positive_remainders(&dividend, &divisor)),
            }
        }
    }
    result
}

fn positive_remainders(a: &Progression, b: &Progression) -> IntegerSet {
    if let Some(members) = b.members(MAX_MEMBERS) {
        return members.iter().flat_map(|n| a.wrapped(n, &Integer::ZERO)).collect();
    }
    if a.high().zip(b.low()).is_some_and(|(most, least)| most < least) {
        return vec![a.clone()];
    }
    let below = b.high().map(|high| high - &Integer::ONE);
    let most = match (a.high().cloned(), below) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    // What divides all divisors leaves the residue as it is.
    let divides_all = b.low().map_or(Integer::ONE, |low| low.gcd(b.step()));
    let step = a.step().gcd(&divides_all);
    let rest = a.low().cloned().unwrap_or(Integer::ZERO);
    Progression::new(Some(Integer::ZERO), most, step, &rest).into_iter().collect()
}

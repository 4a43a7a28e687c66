//! Bitwise operators on progressions: whether some members of two have a result in a third, decided exactly, bit by
//! bit from the highest on, for steps that are powers of two.

use super::progression::Progression;
use crate::program::{BinaryOp, MachineInt};
use crate::term::Integer;

/// A range of bit patterns, of which the lowest bits are the same.
#[derive(Clone, Copy)]
struct Patterns {
    low: u128,
    high: u128,
    fixed: u32,
}

/// Whether `a op b` can be a member of `target`, of machine integers of that type.
pub fn can_be(op: BinaryOp, machine: MachineInt, a: &Progression, b: &Progression, target: &Progression) -> bool {
    let (all_a, all_b, all_t) = (patterns(a, machine), patterns(b, machine), patterns(target, machine));
    all_a.iter().any(|a| all_b.iter().any(|b| all_t.iter().any(|t| meets(op, machine.width, [*a, *b, *t]))))
}

/// The members as bit patterns: those less than zero lie above the others.
fn patterns(set: &Progression, machine: MachineInt) -> Vec<Patterns> {
    let (negative, other) = set.by_sign();
    let modulus = Integer::power_of_two(machine.width);
    let parts = [negative.map(|part| part.shifted(&modulus)), other];
    parts.into_iter().flatten().map(|part| of(&part, machine)).collect()
}

fn of(part: &Progression, machine: MachineInt) -> Patterns {
    let word = |n: Option<&Integer>, other: u128| {
        let bytes = n.map(|n| n.to_le_bytes(16)).and_then(|bytes| <[u8; 16]>::try_from(bytes).ok());
        bytes.map_or(other, u128::from_le_bytes)
    };
    let most = u128::MAX >> (128 - machine.width);
    let step = part.step().to_u64().filter(|step| step.is_power_of_two()).unwrap_or(1);
    Patterns { low: word(part.low(), 0), high: word(part.high(), most), fixed: step.trailing_zeros() }
}

/// For each number, whether it is still on its lower end, and on its upper one.
type Ends = u8;

fn meets(op: BinaryOp, width: u32, [a, b, t]: [Patterns; 3]) -> bool {
    let mut states: u64 = 1 << 0b11_11_11u8;
    for bit in (0..width).rev() {
        let mut next = 0u64;
        for ends in (0..64u8).filter(|ends| states >> ends & 1 == 1) {
            for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
                let z = match op {
                    BinaryOp::BitAnd => x && y,
                    BinaryOp::BitOr => x || y,
                    _ => x != y,
                };
                let after = [(a, x), (b, y), (t, z)]
                    .into_iter()
                    .zip([0, 2, 4])
                    .try_fold(0, |all, ((of, bit_of), at)| Some(all | go(of, bit, bit_of, ends >> at & 3)? << at));
                if let Some(after) = after {
                    next |= 1 << after;
                }
            }
        }
        states = next;
    }
    states != 0
}

/// The ends that a number is on after a bit; none where it would leave its range.
fn go(of: Patterns, bit: u32, value: bool, ends: Ends) -> Option<Ends> {
    let (low, high) = (of.low >> bit & 1 == 1, of.high >> bit & 1 == 1);
    let (on_low, on_high) = (ends & 1 == 1, ends & 2 == 2);
    if (on_low && !value && low) || (on_high && value && !high) || (bit < of.fixed && value != low) {
        return None;
    }
    Some(u8::from(on_low && value == low) | u8::from(on_high && value == high) << 1)
}

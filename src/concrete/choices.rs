//! Inputs tried one after the other: all of them where there are few, else a sample.

use crate::concrete::{Inputs, Pointer, Request, Value};
use crate::program::{Expr, FloatKind, Program, Type};
use crate::term::Integer;
use std::collections::BTreeSet;

/// Up to so many values of one input are tried.
pub(super) const MAX_VALUES: u64 = 4096;

/// Numbers worth trying where not all can be: those that the program compares with or computes from, and their
/// neighbours.
pub struct Candidates {
    integers: BTreeSet<Integer>,
    /// By their bits, as those of 64-bit numbers.
    floats: BTreeSet<u64>,
}

/// Floating-point numbers that are tried in every program.
const FLOATS: [f64; 10] =
    [0.0, -0.0, 1.0, -1.0, 0.5, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];

/// At most so many numbers of the program become candidates.
const MAX_CANDIDATES: usize = 32;

impl Candidates {
    /// The numbers of a program.
    pub fn of(program: &Program) -> Candidates {
        let mut numbers: BTreeSet<Integer> = [-1, 0, 1].into_iter().map(Integer::from).collect();
        let mut floats: BTreeSet<u64> = FLOATS.map(f64::to_bits).into();
        let edges = program.procedures.iter().flat_map(|p| p.edges.iter().flat_map(|e| &e.block));
        let mut pending: Vec<&Expr> = program.init.iter().chain(edges).flat_map(|s| s.expressions()).collect();
        pending.reverse();
        while let Some(expr) = pending.pop() {
            if numbers.len().max(floats.len()) >= MAX_CANDIDATES {
                break;
            }
            if let Expr::Int(n, _) = expr {
                numbers.extend([-1, 0, 1].map(|d| n + &Integer::from(d)));
            }
            if let Expr::Float(bits, kind) = expr {
                floats.insert(FloatKind::F64.convert(*bits, *kind));
            }
            pending.extend(expr.operands());
        }
        Candidates { integers: numbers, floats }
    }

    /// Whether the number is one of them.
    pub fn has(&self, number: &Integer) -> bool {
        self.integers.contains(number)
    }
}

/// One sequence of inputs after the other, in lexicographic order.
///
/// Use: `loop { run a step with this as its inputs; if !choices.advance() { break } }`.
pub(super) struct Choices<'c> {
    candidates: &'c Candidates,
    /// For each input read so far, what it can be and which of it is chosen.
    chosen: Vec<(Vec<Value>, usize)>,
    /// How many inputs this run has read.
    read: usize,
    /// How many sequences are done with.
    pub tried: u64,
    /// The inputs of which only a sample is tried.
    pub sampled: Vec<Request>,
}

impl<'c> Choices<'c> {
    /// From the first sequence on.
    pub fn new(candidates: &'c Candidates) -> Self {
        Choices { candidates, chosen: Vec::new(), read: 0, tried: 0, sampled: Vec::new() }
    }

    /// Goes to the next sequence; false where there is none.
    pub fn advance(&mut self) -> bool {
        self.tried += 1;
        self.chosen.truncate(self.read);
        self.read = 0;
        while let Some((values, index)) = self.chosen.last_mut() {
            *index += 1;
            if *index < values.len() {
                return true;
            }
            self.chosen.pop();
        }
        false
    }

    /// The inputs of this run.
    pub fn inputs(&self) -> Vec<Value> {
        self.chosen[..self.read].iter().map(|(values, index)| values[*index].clone()).collect()
    }
}

/// One sequence of choices among tokens after the other; no inputs.
#[derive(Default)]
pub(super) struct TokenChoices {
    chosen: Vec<(usize, usize)>,
    read: usize,
}

impl TokenChoices {
    /// Goes to the next sequence; false where there is none.
    pub fn advance(&mut self) -> bool {
        self.chosen.truncate(self.read);
        self.read = 0;
        while let Some((index, count)) = self.chosen.last_mut() {
            *index += 1;
            if index < count {
                return true;
            }
            self.chosen.pop();
        }
        false
    }
}

impl Inputs for TokenChoices {
    fn next(&mut self, request: &Request) -> Option<Value> {
        if request.options.is_empty() {
            return None;
        }
        if self.read == self.chosen.len() {
            self.chosen.push((0, request.options.len()));
        }
        let (index, _) = self.chosen[self.read];
        self.read += 1;
        request.options.get(index).cloned()
    }
}

impl Inputs for Choices<'_> {
    fn next(&mut self, request: &Request) -> Option<Value> {
        if self.read == self.chosen.len() {
            let (values, all) = values(request, self.candidates);
            if !all {
                self.sampled.push(request.clone());
            }
            self.chosen.push((values, 0));
        }
        let (values, index) = &self.chosen[self.read];
        let value = values.get(*index).cloned();
        self.read += 1;
        value
    }
}

/// The values to try for an input, and whether no other could make a difference.
pub fn values(request: &Request, candidates: &Candidates) -> (Vec<Value>, bool) {
    if !request.options.is_empty() {
        return (request.options.clone(), true);
    }
    let (least, greatest) = match request.ty {
        Type::Bool => return (vec![Value::Bool(false), Value::Bool(true)], true),
        Type::Pointer => return (vec![Value::Pointer(Pointer::NULL)], false),
        Type::Float(kind) => {
            let bits: BTreeSet<u64> =
                candidates.floats.iter().map(|bits| kind.convert(*bits, FloatKind::F64)).collect();
            return (bits.into_iter().map(|bits| Value::Float(bits, kind)).collect(), false);
        }
        Type::Int => (None, None),
        Type::Machine(machine) => (Some(machine.min()), Some(machine.max())),
    };
    let tighter = |a: Option<Integer>, b: &Option<Integer>, keep: fn(Integer, Integer) -> Integer| match (a, b) {
        (Some(a), Some(b)) => Some(keep(a, b.clone())),
        (a, b) => a.or_else(|| b.clone()),
    };
    let low = tighter(least, &request.low, Integer::max);
    let high = tighter(greatest, &request.high, Integer::min);
    if let (Some(low), Some(high)) = (&low, &high) {
        if low > high {
            // Every value blocks the step; one is enough to see it.
            return (candidates.integers.iter().take(1).filter_map(|n| in_type(n, request.ty)).collect(), true);
        }
        let count = (high - low).to_u64().and_then(|n| n.checked_add(1));
        if let Some(count) = count.filter(|n| *n <= MAX_VALUES) {
            return ((0..count).map(|i| Value::Int(low + &Integer::from(i))).collect(), true);
        }
    }
    let inside = |n: &&Integer| low.as_ref().is_none_or(|l| *n >= l) && high.as_ref().is_none_or(|h| *n <= h);
    let near = [&low, &high].into_iter().flatten().flat_map(|n| [-1, 0, 1].map(|d| n + &Integer::from(d)));
    let tried: BTreeSet<Integer> = candidates.integers.iter().cloned().chain(near).collect();
    (tried.iter().filter(inside).cloned().map(Value::Int).collect(), false)
}

fn in_type(n: &Integer, ty: Type) -> Option<Value> {
    let value = match ty {
        Type::Machine(machine) => machine.wrap(n),
        _ => n.clone(),
    };
    Some(Value::Int(value))
}

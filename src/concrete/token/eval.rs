//! The value of an expression where tokens are met: a set of values, of which one is chosen where it must be one.
//!
//! Choices are asked for through the same door as inputs. Without inputs, only what is not a matter of choice has a value.

use super::abstraction::{Spec, everything};
use super::floats::FloatSet;
use super::integers::{self, IntegerSet, add};
use super::progression::Progression;
use super::{Meaning, Partition, Token};
use crate::concrete::compile::Node;
use crate::concrete::eval::Scene;
use crate::concrete::machine::{Inputs, NoInputs, Request};
use crate::concrete::{Fault, Pointer, Value};
use crate::program::{BinaryOp, FloatKind, MachineInt, Span, Type, UnaryOp};
use crate::term::Integer;

/// A value that has to be one is chosen among at most so many. As many values of an input are tried.
const MAX_MEANINGS: u64 = 4096;

/// What an expression can be.
#[derive(Debug, Clone)]
pub(in crate::concrete) enum Abstract {
    /// One value that is no token.
    Known(Value),
    /// One of two truth values.
    Either,
    /// Integers; with no abstraction, one of them is chosen where a value is needed.
    Integers(IntegerSet, Option<&'static Spec>, Option<MachineInt>),
    /// Floating-point numbers.
    Floats(FloatSet, &'static Spec, FloatKind),
    /// Offsets into objects.
    Places(Vec<(u32, IntegerSet)>, Option<&'static Spec>),
}

/// Evaluates expressions in a state, and chooses.
pub(in crate::concrete) struct Evaluator<'s, 'i> {
    scene: Scene<'s>,
    inputs: &'i mut dyn Inputs,
    span: Option<Span>,
}

impl Scene<'_> {
    /// The truth value of a condition on tokens, if it has but one.
    #[cold]
    pub(in crate::concrete) fn sure_truth(&self, condition: &Node) -> Result<bool, Fault> {
        let mut none = NoInputs;
        match Evaluator::new(*self, &mut none, None).eval(condition)? {
            Abstract::Known(Value::Int(n)) => Ok(!n.is_zero()),
            _ => Err(Fault::Abstract),
        }
    }

    /// The objects and offsets that an address can be, where it depends on tokens.
    #[cold]
    pub(in crate::concrete) fn possible_places(&self, address: &Node) -> Vec<(u32, IntegerSet)> {
        let mut none = NoInputs;
        match Evaluator::new(*self, &mut none, None).eval(address) {
            Ok(Abstract::Places(places, _)) => places,
            Ok(Abstract::Known(Value::Pointer(Pointer { object, offset }))) => {
                vec![(object, vec![Progression::single(offset.into())])]
            }
            // It takes a choice to know: it can be anywhere.
            _ => {
                let objects = 1..=self.memory.objects.len() as u32;
                objects.map(|object| (object, vec![Progression::all(None)])).collect()
            }
        }
    }
}

fn joined(a: Option<&'static Spec>, b: Option<&'static Spec>) -> Option<&'static Spec> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.with(b)),
        (a, b) => a.or(b),
    }
}

fn type_of(machine: Option<MachineInt>) -> Type {
    machine.map_or(Type::Int, Type::Machine)
}

fn truth((can_hold, can_fail): (bool, bool)) -> Abstract {
    if can_hold && can_fail { Abstract::Either } else { Abstract::Known(Value::Int(can_hold.into())) }
}

impl<'s, 'i> Evaluator<'s, 'i> {
    pub(in crate::concrete) fn new(scene: Scene<'s>, inputs: &'i mut dyn Inputs, span: Option<Span>) -> Self {
        Evaluator { scene, inputs, span }
    }

    /// The value of an expression, a token perhaps.
    pub(in crate::concrete) fn value(&mut self, node: &Node) -> Result<Value, Fault> {
        let value = self.eval(node)?;
        self.settle(value)
    }

    /// Whether a condition holds.
    pub(in crate::concrete) fn truth(&mut self, node: &Node) -> Result<bool, Fault> {
        match self.value(node)? {
            Value::Int(n) => Ok(!n.is_zero()),
            _ => Err(Fault::Abstract),
        }
    }

    /// A number, chosen among those that it can be.
    pub(in crate::concrete) fn number(&mut self, node: &Node) -> Result<Integer, Fault> {
        let (set, ..) = self.integers(node)?;
        match self.settle(Abstract::Integers(set, None, None))? {
            Value::Int(n) => Ok(n),
            _ => Err(Fault::Abstract),
        }
    }

    /// A pointer, chosen among those that it can be.
    pub(in crate::concrete) fn pointer(&mut self, node: &Node) -> Result<Pointer, Fault> {
        match self.value(node)? {
            Value::Pointer(pointer) => Ok(pointer),
            _ => Err(Fault::Abstract),
        }
    }

    /// A pointer to access so many bytes at: one of those inside its object, or one outside if there is any.
    pub(in crate::concrete) fn place(&mut self, node: &Node, bytes: i64) -> Result<Pointer, Fault> {
        let places = match self.eval(node)? {
            Abstract::Places(places, _) => places,
            other => match self.settle(other)? {
                Value::Pointer(pointer) => return Ok(pointer),
                _ => return Err(Fault::Abstract),
            },
        };
        let mut options = Vec::new();
        for (object, offsets) in places {
            let size = self.scene.memory.size(Pointer { object, offset: 0 });
            let inside = Progression::between(Some(Integer::ZERO), Some(Integer::from(size - bytes)));
            for part in &offsets {
                let within = inside.as_ref().and_then(|inside| part.meet(inside));
                let is_all = within.as_ref().is_some_and(|within| within.count() == part.count());
                let found = within.map_or(Some(Vec::new()), |within| within.members(MAX_MEANINGS));
                let outside =
                    (!is_all).then(|| part.low().filter(|low| low.is_negative()).or(part.high()).or(part.low()));
                let offsets = found.ok_or(Fault::Meanings)?.into_iter().chain(outside.flatten().cloned());
                let pointers = offsets.filter_map(|offset| offset.to_i64());
                options.extend(pointers.map(|offset| Value::Pointer(Pointer { object, offset })));
            }
        }
        options.dedup();
        match self.choose(options, Type::Pointer)? {
            Value::Pointer(pointer) => Ok(pointer),
            _ => Err(Fault::Abstract),
        }
    }

    /// One of several values.
    fn choose(&mut self, mut options: Vec<Value>, ty: Type) -> Result<Value, Fault> {
        match options.len() {
            0 => return Err(Fault::Meanings),
            1 => return Ok(options.swap_remove(0)),
            _ => {}
        }
        let request = Request { variable: None, memory: None, ty, span: self.span, low: None, high: None, options };
        let chosen = self.inputs.next(&request).ok_or(Fault::Undecided)?;
        if request.options.contains(&chosen) { Ok(chosen) } else { Err(Fault::Undecided) }
    }

    /// One value: a token of the abstraction, else one of the numbers.
    fn settle(&mut self, value: Abstract) -> Result<Value, Fault> {
        let tokens = |partition: &'static Partition, meaning: Meaning| {
            partition.tokens_of(&meaning).map(Value::Token).collect::<Vec<_>>()
        };
        match value {
            Abstract::Known(value) => Ok(value),
            Abstract::Either => self.choose(vec![Value::int(0), Value::int(1)], Type::Bool),
            Abstract::Integers(set, Some(spec), machine) => {
                let ty = type_of(machine);
                self.choose(tokens(Partition::of(spec, ty), Meaning::Integers(set)), ty)
            }
            Abstract::Integers(set, None, machine) => {
                let numbers = members(&set)?.into_iter().map(Value::Int).collect();
                self.choose(numbers, type_of(machine))
            }
            Abstract::Floats(set, spec, kind) => {
                let ty = Type::Float(kind);
                self.choose(tokens(Partition::of(spec, ty), Meaning::Floats(set)), ty)
            }
            Abstract::Places(places, _) => {
                let mut options = Vec::new();
                for (object, offsets) in places {
                    let offsets = members(&offsets)?.into_iter().filter_map(|offset| offset.to_i64());
                    options.extend(offsets.map(|offset| Value::Pointer(Pointer { object, offset })));
                }
                self.choose(options, Type::Pointer)
            }
        }
    }

    fn integers(&mut self, node: &Node) -> Result<(IntegerSet, Option<&'static Spec>), Fault> {
        Ok(match self.eval(node)? {
            Abstract::Known(Value::Int(n)) => (vec![Progression::single(n)], None),
            Abstract::Integers(set, spec, _) => (set, spec),
            Abstract::Either => (vec![bits()], None),
            _ => return Err(Fault::Meanings),
        })
    }

    fn floats(&mut self, node: &Node) -> Result<(FloatSet, Option<&'static Spec>), Fault> {
        Ok(match self.eval(node)? {
            Abstract::Known(Value::Float(bits, kind)) => (FloatSet::single(kind.to_f64(bits)), None),
            Abstract::Floats(set, spec, _) => (set, Some(spec)),
            _ => return Err(Fault::Meanings),
        })
    }

    /// What an expression can be.
    pub(in crate::concrete) fn eval(&mut self, node: &Node) -> Result<Abstract, Fault> {
        match self.scene.value(node) {
            Ok(Value::Token(token)) => Ok(of_token(token)),
            Ok(value) => Ok(Abstract::Known(value)),
            Err(Fault::Abstract) => self.operator(node),
            Err(fault) => Err(fault),
        }
    }

    fn operator(&mut self, node: &Node) -> Result<Abstract, Fault> {
        match node {
            Node::Small(_) | Node::Const(_) | Node::Var(..) => Err(Fault::Abstract),
            Node::Abstract(partition, a) => {
                let value = self.eval(a)?;
                Ok(abstracted(value, partition))
            }
            Node::AbstractField(parts) => {
                let value = self.eval(&parts.value)?;
                let pointer = self.pointer(&parts.object)?;
                let class = self.scene.class_number(pointer.object);
                let found = parts.fields.iter().find(|(number, _)| Some(i64::from(*number)) == class);
                Ok(found.map_or(value.clone(), |(_, partition)| abstracted(value, partition)))
            }
            Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Implies(_) => self.connective(node),
            Node::Ite(parts) => match self.eval(&parts[0])? {
                Abstract::Known(Value::Int(n)) => self.eval(&parts[if n.is_zero() { 2 } else { 1 }]),
                _ => {
                    let holds = matches!(self.settle(Abstract::Either)?, Value::Int(n) if !n.is_zero());
                    self.eval(&parts[if holds { 1 } else { 2 }])
                }
            },
            Node::Test(op, slot, var, n) => {
                let (a, _) = self.integers(&Node::Var(*slot, *var))?;
                Ok(truth(integers::compare(*op, &a, &[Progression::single((*n).into())])))
            }
            Node::Compare(op, ab) => {
                if let [Node::Var(a, _), Node::Var(b, _)] = &**ab
                    && a == b
                {
                    return Ok(truth(integers::compare(*op, &[bits_of_one()], &[bits_of_one()])));
                }
                let ((a, _), (b, _)) = (self.integers(&ab[0])?, self.integers(&ab[1])?);
                Ok(truth(integers::compare(*op, &a, &b)))
            }
            Node::Neg(machine, a) => self.unary(UnaryOp::Neg, *machine, a),
            Node::BitNot(machine, a) => self.unary(UnaryOp::BitNot, Some(*machine), a),
            Node::Arithmetic(op, machine, ab) => self.arithmetic(*op, *machine, ab),
            Node::Bits(op, machine, ab) => self.arithmetic(*op, Some(*machine), ab),
            Node::ToInt(machine, a) => {
                let (set, spec) = self.integers(a)?;
                Ok(Abstract::Integers(integers::cast(*machine, &set), spec, *machine))
            }
            Node::PointerAdd(_)
            | Node::OfPointer(..)
            | Node::ComparePointers(..)
            | Node::ToAddress(..)
            | Node::ToPointer(_)
            | Node::Load(..)
            | Node::HasLost(_) => self.of_memory(node),
            _ => self.of_floats(node),
        }
    }

    fn unary(&mut self, op: UnaryOp, machine: Option<MachineInt>, a: &Node) -> Result<Abstract, Fault> {
        let (set, spec) = self.integers(a)?;
        Ok(Abstract::Integers(integers::unary(op, machine, &set), spec, machine))
    }

    fn arithmetic(&mut self, op: BinaryOp, machine: Option<MachineInt>, ab: &[Node; 2]) -> Result<Abstract, Fault> {
        let ((a, one), (b, other)) = (self.integers(&ab[0])?, self.integers(&ab[1])?);
        let spec = joined(one, other);
        let all = vec![Progression::all(machine)];
        let choices: Vec<&IntegerSet> = match spec {
            None => vec![&all],
            Some(spec) => Partition::of(spec, type_of(machine)).tokens.iter().filter_map(integers_of).collect(),
        };
        Ok(Abstract::Integers(integers::binary(op, machine, &a, &b, &choices), spec, machine))
    }

    fn connective(&mut self, node: &Node) -> Result<Abstract, Fault> {
        let (parts, absorbing, first_negated): (&[Node], bool, bool) = match node {
            Node::Not(a) => {
                return Ok(match self.eval(a)? {
                    Abstract::Known(Value::Int(n)) => Abstract::Known(Value::Int(n.is_zero().into())),
                    _ => Abstract::Either,
                });
            }
            Node::And(all) => (all, false, false),
            Node::Or(all) => (all, true, false),
            Node::Implies(ab) => (ab.as_slice(), true, true),
            _ => return Err(Fault::Abstract),
        };
        let mut open = false;
        for (index, part) in parts.iter().enumerate() {
            match self.eval(part)? {
                Abstract::Known(Value::Int(n)) => {
                    if (n.is_zero() == (first_negated && index == 0)) == absorbing {
                        return Ok(Abstract::Known(Value::Int(absorbing.into())));
                    }
                }
                _ => open = true,
            }
        }
        Ok(if open { Abstract::Either } else { Abstract::Known(Value::Int((!absorbing).into())) })
    }

    fn of_memory(&mut self, node: &Node) -> Result<Abstract, Fault> {
        let number = |n: i64| Abstract::Known(Value::int(n));
        match node {
            Node::PointerAdd(ab) => self.moved(ab),
            Node::OfPointer(op, a) => match (op, self.eval(a)?) {
                (UnaryOp::Offset, Abstract::Places(places, spec)) => {
                    let mut all = Vec::new();
                    places.into_iter().flat_map(|(_, offsets)| offsets).for_each(|part| add(&mut all, part));
                    Ok(Abstract::Integers(all, spec, Some(MachineInt { width: 64, signed: true })))
                }
                (UnaryOp::ObjectSize | UnaryOp::IsLive | UnaryOp::IsConstant, Abstract::Places(places, _))
                    if places.len() == 1 =>
                {
                    Ok(number(self.scene.of_pointer(*op, Pointer { object: places[0].0, offset: 0 })))
                }
                (_, value) => match self.settle(value)? {
                    Value::Pointer(pointer) => Ok(number(self.scene.of_pointer(*op, pointer))),
                    _ => Err(Fault::Abstract),
                },
            },
            Node::ComparePointers(op, ab) => {
                let (a, b) = (self.eval(&ab[0])?, self.eval(&ab[1])?);
                if let (Some((one, a)), Some((other, b))) = (one_place(&a), one_place(&b))
                    && one == other
                    && one != 0
                {
                    return Ok(match op {
                        BinaryOp::SameObject => number(1),
                        _ => truth(integers::compare(*op, &a, &b)),
                    });
                }
                let (a, b) = (self.settle(a)?, self.settle(b)?);
                match (a, b) {
                    (Value::Pointer(a), Value::Pointer(b)) => {
                        Ok(number(self.scene.memory.compare(*op, a, b, self.scene.seen).into()))
                    }
                    _ => Err(Fault::Abstract),
                }
            }
            Node::ToAddress(machine, a) => {
                let address = self.scene.memory.address_seen(self.pointer(a)?, self.scene.seen);
                Ok(Abstract::Known(Value::Int(machine.wrap(&Integer::from(address)))))
            }
            Node::ToPointer(a) => {
                let address = self.number(a)?.wrap_unsigned(64).to_u64().unwrap_or_default();
                Ok(Abstract::Known(Value::Pointer(self.scene.memory.pointer_to(address, self.scene.seen))))
            }
            Node::Load(ty, address) => self.load(*ty, address),
            Node::HasLost(at_end) => {
                let at_end = self.truth(at_end)?;
                Ok(number(self.scene.has_lost(at_end).into()))
            }
            _ => Err(Fault::Abstract),
        }
    }

    fn moved(&mut self, ab: &[Node; 2]) -> Result<Abstract, Fault> {
        let places = match self.eval(&ab[0])? {
            Abstract::Known(Value::Pointer(Pointer { object, offset })) => {
                vec![(object, vec![Progression::single(offset.into())])]
            }
            Abstract::Places(places, _) => places,
            _ => return Err(Fault::Abstract),
        };
        let (distance, spec) = self.integers(&ab[1])?;
        let word = Some(MachineInt { width: 64, signed: true });
        if places.iter().any(|(object, _)| *object == 0) {
            let Value::Pointer(pointer) = self.settle(Abstract::Places(places, None))? else {
                return Err(Fault::Abstract);
            };
            let Value::Int(distance) = self.settle(Abstract::Integers(distance, None, word))? else {
                return Err(Fault::Abstract);
            };
            let distance = distance.to_i64().ok_or(Fault::Meanings)?;
            return Ok(Abstract::Known(Value::Pointer(self.scene.memory.moved(pointer, distance))));
        }
        let moved = places
            .into_iter()
            .map(|(object, offsets)| (object, integers::binary(BinaryOp::Add, word, &offsets, &distance, &[])));
        Ok(Abstract::Places(moved.collect(), spec))
    }

    fn load(&mut self, ty: Type, address: &Node) -> Result<Abstract, Fault> {
        let bytes = self.scene.memory.bytes_of(ty);
        let pointer = self.place(address, bytes as i64)?;
        match self.scene.memory.load(pointer, ty, self.scene.seen) {
            Ok(Value::Token(token)) => Ok(of_token(token)),
            Ok(value) => Ok(Abstract::Known(value)),
            // Some of the bytes of a token: they can be anything.
            Err(Fault::Abstract) => {
                let spec = self.scene.memory.abstraction_at(pointer, bytes);
                Ok(match (everything(ty), ty) {
                    (_, Type::Pointer) => return Err(Fault::Meanings),
                    (_, Type::Bool) => Abstract::Either,
                    (Meaning::Integers(set), Type::Machine(machine)) => {
                        Abstract::Integers(set, Some(spec), Some(machine))
                    }
                    (Meaning::Floats(set), Type::Float(kind)) => Abstract::Floats(set, spec, kind),
                    _ => return Err(Fault::Meanings),
                })
            }
            Err(fault) => Err(fault),
        }
    }

    fn of_floats(&mut self, node: &Node) -> Result<Abstract, Fault> {
        let some = |spec: Option<&'static Spec>| spec.ok_or(Fault::Meanings);
        match node {
            Node::NegFloat(kind, a) => {
                let (set, spec) = self.floats(a)?;
                Ok(Abstract::Floats(set.negated(), some(spec)?, *kind))
            }
            Node::FloatArithmetic(op, kind, ab) => {
                let ((a, one), (b, other)) = (self.floats(&ab[0])?, self.floats(&ab[1])?);
                Ok(Abstract::Floats(a.arithmetic(*op, *kind, &b), some(joined(one, other))?, *kind))
            }
            Node::CompareFloats(op, _, ab) => {
                let ((a, _), (b, _)) = (self.floats(&ab[0])?, self.floats(&ab[1])?);
                Ok(truth(a.compare(*op, &b)))
            }
            Node::OfFloat(op, _, a) => {
                let (set, _) = self.floats(a)?;
                let any = |test: &dyn Fn(f64, f64) -> bool| set.ranges.iter().any(|(low, high)| test(*low, *high));
                let is_number = !set.ranges.is_empty();
                Ok(truth(match op {
                    UnaryOp::IsNan => (set.nan, is_number),
                    UnaryOp::IsInfinite => {
                        let can_be = any(&|low, high| low.is_infinite() || high.is_infinite());
                        (can_be, set.nan || any(&|low, high| low.is_finite() || high.is_finite() || low != high))
                    }
                    _ => (set.nan || any(&|low, _| low <= 0.0), set.nan || any(&|_, high| high >= 0.0)),
                }))
            }
            Node::FloatToInt(kind, machine, a) => {
                let (set, spec) = self.floats(a)?;
                let whole = |x: f64| kind.to_integer(kind.of_f64(x), *machine);
                let mut found = Vec::new();
                for (low, high) in &set.ranges {
                    let part = Progression::between(Some(whole(*low)), Some(whole(*high)));
                    part.into_iter().for_each(|part| add(&mut found, part));
                }
                if set.nan {
                    add(&mut found, Progression::single(Integer::ZERO));
                }
                Ok(Abstract::Integers(found, spec, Some(*machine)))
            }
            Node::IntToFloat(kind, a) => {
                let (set, spec) = self.integers(a)?;
                let Some(spec) = spec else {
                    let Value::Int(n) = self.settle(Abstract::Integers(set, None, None))? else {
                        return Err(Fault::Abstract);
                    };
                    return Ok(Abstract::Known(Value::Float(kind.of_integer(&n), *kind)));
                };
                let mut found = FloatSet::default();
                for part in &set {
                    let end = |n: Option<&Integer>, none: f64| {
                        n.filter(|n| n.fits(128, true)).map_or(none, |n| kind.to_f64(kind.of_integer(n)))
                    };
                    found.add(end(part.low(), f64::NEG_INFINITY), end(part.high(), f64::INFINITY));
                }
                Ok(Abstract::Floats(found, spec, *kind))
            }
            Node::FloatToFloat { to, node, .. } => {
                let (set, spec) = self.floats(node)?;
                Ok(Abstract::Floats(set.rounded(*to), some(spec)?, *to))
            }
            Node::ToBool(a) => match self.eval(a)? {
                Abstract::Integers(set, ..) => {
                    Ok(truth(integers::compare(BinaryOp::Ne, &set, &[Progression::single(Integer::ZERO)])))
                }
                Abstract::Floats(set, ..) => Ok(truth(set.compare(BinaryOp::Ne, &FloatSet::single(0.0)))),
                Abstract::Either => Ok(Abstract::Either),
                Abstract::Known(Value::Int(n)) => Ok(Abstract::Known(Value::Int((!n.is_zero()).into()))),
                other => match self.settle(other)? {
                    Value::Pointer(pointer) => Ok(Abstract::Known(Value::Int((!pointer.is_null()).into()))),
                    Value::Float(bits, kind) => Ok(Abstract::Known(Value::Int(kind.is_nonzero(bits).into()))),
                    _ => Err(Fault::Abstract),
                },
            },
            _ => Err(Fault::Abstract),
        }
    }
}

/// What a token can be.
fn of_token(token: Token) -> Abstract {
    match (token.meaning(), token.of.ty) {
        (Meaning::Integers(set), Type::Machine(machine)) => {
            Abstract::Integers(set.clone(), Some(token.of.spec), Some(machine))
        }
        (Meaning::Integers(set), _) => Abstract::Integers(set.clone(), Some(token.of.spec), None),
        (Meaning::Floats(set), Type::Float(kind)) => Abstract::Floats(set.clone(), token.of.spec, kind),
        (Meaning::Floats(set), _) => Abstract::Floats(set.clone(), token.of.spec, FloatKind::F64),
    }
}

/// The value as one of an abstraction.
fn abstracted(value: Abstract, partition: &'static Partition) -> Abstract {
    let machine = match partition.ty {
        Type::Machine(machine) => Some(machine),
        _ => None,
    };
    match value {
        Abstract::Known(Value::Int(n)) => {
            Abstract::Integers(vec![Progression::single(n)], Some(partition.spec), machine)
        }
        Abstract::Known(Value::Float(bits, kind)) => {
            Abstract::Floats(FloatSet::single(kind.to_f64(bits)), partition.spec, kind)
        }
        Abstract::Either => Abstract::Integers(vec![bits()], Some(partition.spec), machine),
        Abstract::Integers(set, _, machine) => Abstract::Integers(set, Some(partition.spec), machine),
        Abstract::Floats(set, _, kind) => Abstract::Floats(set, partition.spec, kind),
        other => other,
    }
}

/// 0 and 1.
fn bits() -> Progression {
    Progression::between(Some(Integer::ZERO), Some(Integer::ONE)).expect("two numbers")
}

fn bits_of_one() -> Progression {
    Progression::single(Integer::ONE)
}

fn integers_of(kind: &super::Kind) -> Option<&IntegerSet> {
    match &kind.meaning {
        Meaning::Integers(set) => Some(set),
        Meaning::Floats(_) => None,
    }
}

/// The members of a set that has few.
fn members(set: &[Progression]) -> Result<Vec<Integer>, Fault> {
    let mut all = Vec::new();
    for part in set {
        all.extend(part.members(MAX_MEANINGS).ok_or(Fault::Meanings)?);
    }
    all.sort();
    all.dedup();
    Ok(all)
}

/// The object, if there is but one, and the offsets into it.
fn one_place(value: &Abstract) -> Option<(u32, IntegerSet)> {
    match value {
        Abstract::Known(Value::Pointer(Pointer { object, offset })) => {
            Some((*object, vec![Progression::single((*offset).into())]))
        }
        Abstract::Places(places, _) if places.len() == 1 => places.first().cloned(),
        _ => None,
    }
}

//! Reads of variables that nothing was assigned to (C11 6.3.2.1, paragraph 2).
//!
//! An object of automatic storage whose address is never taken, or a member of one, may be read before it has a value. Then
//! it gets a truth value beside it: false where its life begins and where a declaration without a first value is
//! reached, true where it is assigned to, and looked at where it is read. A first lowering gives one to all that are
//! declared without a first value, or that a jump can pass by; the flow of control then tells which of them surely have a
//! value wherever they are read, and those have none in the second.

use super::place::Place;
use super::{Lower, Options};
use crate::frontend::c::tree::{ExprId, ExprKind, ObjectId, StmtKind, Storage, Unit};
use crate::frontend::c::types::{BitField, Ty, Types};
use crate::program::{BinaryOp, ErrorKind, Expr, IdVec, LocId, ProcId, Procedure, Statement, Type, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The objects with such a truth value, by unit.
pub(super) type Followed = Vec<FxHashSet<ObjectId>>;

/// Where a scalar is in its object: how many bytes from the start, and which bits.
type Part = (u64, Option<BitField>);

/// A structure of more members than this is not followed; what they hold is any value.
const MAX_MEMBERS: usize = 64;

/// What the procedure that is being built has of them.
#[derive(Debug, Default)]
pub(super) struct Reads {
    /// The truth values of the scalars of an object, by its variable, or by the one that points to it.
    given: FxHashMap<VarId, BTreeMap<Part, VarId>>,
    /// Whose they are.
    objects: FxHashMap<VarId, ObjectId>,
    /// Where a read goes that comes too early.
    errors: Vec<(LocId, VarId)>,
}

impl Reads {
    /// Whether the variable is one of the truth values.
    pub(super) fn has(&self, variable: VarId) -> bool {
        self.objects.contains_key(&variable)
    }

    /// The truth values of an object.
    pub(super) fn of(&self, variable: VarId) -> Vec<VarId> {
        self.given.get(&variable).into_iter().flat_map(BTreeMap::values).copied().collect()
    }

    /// Which objects are copied, to where and from where.
    fn copies(&self, procedure: &Procedure) -> FxHashSet<(ObjectId, ObjectId)> {
        let statements = procedure.edges.iter().flat_map(|edge| &edge.block);
        let assigned = statements.filter_map(|statement| match statement {
            Statement::Assign(pairs) => Some(pairs),
            _ => None,
        });
        let copied = assigned.flatten().filter_map(|(target, value)| match value {
            Expr::Var(source) => Some((*self.objects.get(target)?, *self.objects.get(source)?)),
            _ => None,
        });
        copied.collect()
    }

    /// The truth value of a scalar.
    fn of_part(&self, place: &Place) -> Option<VarId> {
        let (variable, part) = match place {
            Place::Variable(variable) => (*variable, (0, None)),
            Place::Memory { address, bits, .. } => {
                let (variable, offset) = object_and_offset(address)?;
                (variable, (offset, *bits))
            }
        };
        self.given.get(&variable)?.get(&part).copied()
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.given.is_empty()
    }
}

/// The variable that points to an object, and how far into it an address is.
fn object_and_offset(address: &Expr) -> Option<(VarId, u64)> {
    match address {
        Expr::Var(variable) => Some((*variable, 0)),
        Expr::Binary(BinaryOp::PointerAdd, base, offset) => match (&**base, &**offset) {
            (Expr::Var(variable), Expr::Int(offset, _)) => Some((*variable, u64::try_from(offset.to_i64()?).ok()?)),
            _ => None,
        },
        _ => None,
    }
}

/// The scalars of a type: itself, or the members of a structure that has no unions; elements of arrays are left out.
fn scalars(types: &Types, ty: Ty, offset: u64, found: &mut Vec<Part>) -> bool {
    if types.is_scalar(ty) {
        found.push((offset, None));
        return true;
    }
    if types.as_array(ty).is_some() {
        return true;
    }
    let (Some(record), Some(body)) = (types.as_record(ty), types.record_body(ty)) else { return false };
    !types.records[record].is_union
        && body.fields.iter().all(|field| match field.bits {
            Some(bits) => {
                found.push((offset + field.offset, Some(bits)));
                true
            }
            None => scalars(types, field.ty, offset + field.offset, found),
        })
}

/// The parts of an object that are followed, if it can be.
fn parts(types: &Types, ty: Ty) -> Option<Vec<Part>> {
    let mut found = Vec::new();
    let is_plain = types.as_array(ty).is_none() && scalars(types, ty, 0, &mut found);
    (is_plain && found.len() <= MAX_MEMBERS).then_some(found)
}

/// The objects of which an array is used, which takes the address of a part.
fn decayed(unit: &Unit) -> FxHashSet<ObjectId> {
    let mut found = FxHashSet::default();
    for expr in &unit.exprs {
        let ExprKind::Decay(mut place) = expr.kind else { continue };
        while let ExprKind::Member { base, .. } = unit.exprs[place].kind {
            place = base;
        }
        if let ExprKind::Object(object) = unit.exprs[place].kind {
            found.insert(object);
        }
    }
    found
}

/// The objects that may have no value when they are read, as far as their declarations tell; the first units are the user's.
pub(super) fn candidates(units: &[Unit], options: &Options, user_units: usize) -> Followed {
    let of_unit = |unit: &Unit| {
        let mut found: FxHashSet<ObjectId> = FxHashSet::default();
        for statement in unit.stmts.iter() {
            let StmtKind::Declare(object, initialiser) = &statement.kind else { continue };
            // What is copied may have no value.
            let is_copied = |value: ExprId| unit.types.as_record(unit.exprs[value].ty).is_some();
            let mut items = initialiser.iter().flat_map(|initialiser| &initialiser.items);
            if initialiser.is_none() || items.any(|item| is_copied(item.value) || unit.mentions(item.value, *object)) {
                found.insert(*object);
            }
        }
        let definitions = unit.functions.iter().filter_map(|function| function.definition.as_ref());
        for definition in definitions.filter(|definition| !definition.labels.is_empty()) {
            found.extend(definition.locals.iter().filter(|object| &*unit.objects[**object].name != "literal"));
        }
        let decayed = decayed(unit);
        found.retain(|object| {
            let node = &unit.objects[*object];
            let is_local = matches!(node.storage, Storage::Local(_));
            is_local && !node.is_address_taken && !decayed.contains(object) && parts(&unit.types, node.ty).is_some()
        });
        found
    };
    let is_asked = |number: usize| options.checks.reads && number < user_units;
    let of_units = units.iter().enumerate();
    of_units.map(|(number, unit)| if is_asked(number) { of_unit(unit) } else { FxHashSet::default() }).collect()
}

impl Lower<'_> {
    /// Makes the truth values of a local, if it has any.
    pub(super) fn follow_reads(&mut self, object: ObjectId, variable: VarId) {
        if !self.followed[self.current].contains(&object) {
            return;
        }
        let node = &self.unit.objects[object];
        let parts = parts(&self.unit.types, node.ty).unwrap_or_default();
        let name = format!("%{}.has_value", node.name);
        let mut given = BTreeMap::new();
        for part in parts {
            let flag = self.local(&name, Type::Bool, None);
            self.body.entry_block.push(Statement::Assign(vec![(flag, Expr::Bool(false))]));
            self.body.reads.objects.insert(flag, object);
            given.insert(part, flag);
        }
        self.body.reads.given.insert(variable, given);
    }

    /// A local, as a whole, has no value from here on.
    pub(super) fn note_no_value(&mut self, variable: VarId) {
        let flags = self.body.reads.of(variable);
        if !flags.is_empty() {
            self.emit(Statement::Assign(flags.into_iter().map(|flag| (flag, Expr::Bool(false))).collect()));
        }
    }

    /// A scalar has a value from here on.
    pub(super) fn note_value(&mut self, place: &Place) {
        if let Some(flag) = self.body.reads.of_part(place) {
            self.emit(Statement::Assign(vec![(flag, Expr::Bool(true))]));
        }
    }

    /// So many bytes have a value from here on, or what those have that are copied there.
    pub(super) fn note_values(&mut self, target: &Expr, source: Option<&Expr>, bytes: &Expr) {
        let Some((variable, start)) = object_and_offset(target) else { return };
        let Some(given) = self.body.reads.given.get(&variable) else { return };
        let end = match bytes {
            Expr::Int(bytes, _) => {
                bytes.to_i64().and_then(|bytes| u64::try_from(bytes).ok()).map(|bytes| start + bytes)
            }
            _ => None,
        };
        let copied = source.and_then(object_and_offset);
        let copied = copied.and_then(|(source, from)| Some((self.body.reads.given.get(&source)?, from)));
        let value = |(offset, bits): Part| match copied {
            Some((given, from)) => {
                given.get(&(offset - start + from, bits)).map_or(Expr::Bool(true), |flag| Expr::Var(*flag))
            }
            None => Expr::Bool(true),
        };
        let is_inside = |(offset, _): Part| offset >= start && end.is_none_or(|end| offset < end);
        let inside = given.iter().filter(|(part, _)| is_inside(**part));
        let values: Vec<(VarId, Expr)> = inside.map(|(part, flag)| (*flag, value(*part))).collect();
        if !values.is_empty() {
            self.emit(Statement::Assign(values));
        }
    }

    /// A scalar that is read here has a value.
    pub(super) fn check_value(&mut self, place: &Place) {
        let Some(flag) = self.body.reads.of_part(place) else { return };
        let object = &self.unit.objects[self.body.reads.objects[&flag]];
        let what = if self.unit.types.is_scalar(object.ty) { "" } else { "a member of " };
        let message = format!("{what}`{}` is read before anything is assigned to it", object.name);
        let error = self.error_location(ErrorKind::UninitialisedRead, message);
        self.body.reads.errors.push((error, flag));
        let next = self.location();
        self.branch(Expr::Var(flag), next, error);
        self.start_at(next);
    }

    /// Notes which objects of the function that was just lowered may have no value where they are read.
    pub(super) fn note_doubtful(&mut self, procedure: ProcId, reads: &Reads) {
        if reads.is_empty() {
            return;
        }
        let flags: Vec<VarId> = reads.objects.keys().copied().collect();
        let procedure = &self.program.procedures[procedure];
        let missing = Missing::of(procedure, &flags);
        let errors: FxHashMap<LocId, VarId> = reads.errors.iter().copied().collect();
        let checks = procedure.edges.iter().filter_map(|edge| Some((edge.source, *errors.get(&edge.target)?)));
        let early = checks.filter(|(source, flag)| missing.may_be(*source, *flag)).map(|(_, flag)| flag);
        let mut open: Vec<ObjectId> = early.map(|flag| reads.objects[&flag]).collect();
        let copies = reads.copies(procedure);
        // What an object has may be known only where it was copied from.
        while let Some(object) = open.pop() {
            if self.doubtful[self.current].insert(object) {
                open.extend(copies.iter().filter(|(to, _)| *to == object).map(|(_, from)| *from));
            }
        }
    }
}

/// Which truth values may be false at each location.
struct Missing {
    index: FxHashMap<VarId, usize>,
    at: IdVec<LocId, Option<Vec<u64>>>,
}

impl Missing {
    fn of(procedure: &Procedure, flags: &[VarId]) -> Missing {
        let index = flags.iter().enumerate().map(|(index, flag)| (*flag, index)).collect();
        let at = procedure.locations.iter().map(|_| None).collect();
        let mut missing = Missing { index, at };
        let mut leaving: IdVec<LocId, Vec<usize>> = procedure.locations.iter().map(|_| Vec::new()).collect();
        let edges: Vec<_> = procedure.edges.iter().collect();
        for (number, edge) in edges.iter().enumerate() {
            leaving[edge.source].push(number);
        }
        missing.at[procedure.entry] = Some(vec![0; flags.len().div_ceil(64)]);
        let mut open = vec![procedure.entry];
        while let Some(location) = open.pop() {
            for number in &leaving[location] {
                let edge = edges[*number];
                let mut state = missing.at[location].clone().expect("open locations have a state");
                missing.step(&mut state, &edge.block);
                if missing.join(edge.target, state) {
                    open.push(edge.target);
                }
            }
        }
        missing
    }

    fn step(&self, state: &mut [u64], block: &[Statement]) {
        let mut set = |flag: &VarId, is_false: bool| {
            if let Some(index) = self.index.get(flag) {
                let bit = 1 << (index % 64);
                let word = &mut state[index / 64];
                *word = if is_false { *word | bit } else { *word & !bit };
            }
        };
        for statement in block {
            match statement {
                Statement::Assign(pairs) => pairs.iter().for_each(|(target, value)| match value {
                    Expr::Bool(value) => set(target, !value),
                    // What is copied may have no value.
                    Expr::Var(_) => set(target, true),
                    _ => {}
                }),
                Statement::Assume(Expr::Var(flag)) => set(flag, false),
                _ => {}
            }
        }
    }

    fn join(&mut self, location: LocId, state: Vec<u64>) -> bool {
        match &mut self.at[location] {
            Some(old) => {
                let before = old.clone();
                old.iter_mut().zip(&state).for_each(|(old, new)| *old |= new);
                *old != before
            }
            none => {
                *none = Some(state);
                true
            }
        }
    }

    fn may_be(&self, location: LocId, flag: VarId) -> bool {
        let index = self.index[&flag];
        self.at[location].as_ref().is_some_and(|state| state[index / 64] & (1 << (index % 64)) != 0)
    }
}

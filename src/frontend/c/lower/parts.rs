//! The parts of an object that are copied or filled one after the other: its scalar members.

use super::Lower;
use crate::frontend::c::tree::{ExprId, ExprKind};
use crate::frontend::c::types::{Length, Ty, TypeKind};
use crate::program::{Expr, ProcId, Statement};
use std::collections::BTreeSet;

/// How many parts are told one by one.
const MAX_LISTED: usize = 64;

/// How many parts of an object are looked at.
const MAX_PARTS: usize = 4096;

/// A copy or a fill that other threads may see in parts.
#[derive(Debug, Clone)]
pub(super) struct Bulk {
    pub procedure: ProcId,
    pub statement: Statement,
    pub parts: Parts,
}

/// In which parts bytes are copied or filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Parts {
    /// All of them at once: nobody else can look at them meanwhile.
    Whole,
    /// The parts start at these offsets.
    At {
        starts: Vec<u64>,
        /// All are read before any is written.
        moves: bool,
    },
    /// Each part has so many bytes.
    Every {
        bytes: u64,
        /// All are read before any is written.
        moves: bool,
    },
}

impl Lower<'_> {
    /// Remembers in which parts a statement of this procedure accesses memory.
    pub(super) fn note_parts(&mut self, statement: &Statement, parts: Parts) {
        let Some(procedure) = self.body.procedure else { return };
        if parts != Parts::Whole && self.splits_steps() && !self.inside_init {
            self.bulk.push(Bulk { procedure, statement: statement.clone(), parts });
        }
    }

    /// The parts of a value of a type.
    pub(super) fn parts_of(&self, ty: Ty) -> Parts {
        let mut starts = BTreeSet::new();
        let is_all = self.add_parts(ty, 0, &mut starts);
        listed(starts, is_all, u64::from(self.program.pointer_bytes), false)
    }

    /// The parts of so many bytes that pointers of these types, before they were converted, point to.
    pub(super) fn parts_behind(&self, pointers: &[ExprId], bytes: &Expr, moves: bool) -> Parts {
        let found = pointers.iter().find_map(|pointer| self.typed_pointee(*pointer));
        let Some((ty, size)) = found else { return Parts::Every { bytes: 1, moves } };
        let mut one = BTreeSet::new();
        let is_all = self.add_parts(ty, 0, &mut one);
        if is_all && one.len() <= 1 {
            return Parts::Every { bytes: size, moves };
        }
        let total = match bytes {
            Expr::Int(total, _) => total.to_i64().and_then(|total| u64::try_from(total).ok()),
            _ => None,
        };
        match total.filter(|total| total.is_multiple_of(size) && is_all) {
            Some(total) if (total / size) as usize * one.len() <= MAX_PARTS => {
                let elements = (0..total / size).flat_map(|element| one.iter().map(move |at| element * size + at));
                listed(elements.collect(), true, size, moves)
            }
            _ => {
                let common = one.iter().fold(size, |common, at| num_integer::gcd(common, *at));
                Parts::Every { bytes: common.max(1), moves }
            }
        }
    }

    /// What a pointer points to that is more than bytes, and its size.
    fn typed_pointee(&self, mut pointer: ExprId) -> Option<(Ty, u64)> {
        let unit = self.unit;
        while let ExprKind::Convert(_, inner) = unit.exprs[pointer].kind {
            pointer = inner;
        }
        let mut ty = unit.types.pointee(unit.exprs[pointer].ty)?;
        while let Some((element, _)) = unit.types.as_array(ty) {
            ty = element;
        }
        let is_value = unit.types.is_scalar(ty) || unit.types.as_record(ty).is_some();
        let size = unit.types.size_of(ty).filter(|size| is_value && *size > 1)?;
        Some((ty, size))
    }

    /// Adds where the scalar members of a type start; whether all were added.
    fn add_parts(&self, ty: Ty, at: u64, starts: &mut BTreeSet<u64>) -> bool {
        let types = &self.unit.types;
        if starts.len() > MAX_PARTS {
            return false;
        }
        match types.kind(ty) {
            TypeKind::Record(record) => {
                let Some(body) = &types.records[*record].body else { return false };
                if !types.records[*record].is_union {
                    return body.fields.iter().all(|field| self.add_parts(field.ty, at + field.offset, starts));
                }
                // A member that is as long as any, in as few parts as any.
                let mut best: Option<BTreeSet<u64>> = None;
                let longest = body.fields.iter().filter_map(|field| types.size_of(field.ty)).max();
                for field in body.fields.iter().filter(|field| types.size_of(field.ty) == longest) {
                    let mut parts = BTreeSet::new();
                    if !self.add_parts(field.ty, at + field.offset, &mut parts) {
                        return false;
                    }
                    if best.as_ref().is_none_or(|best| best.len() > parts.len()) {
                        best = Some(parts);
                    }
                }
                starts.extend(best.unwrap_or_default());
                true
            }
            TypeKind::Array(element, Length::Fixed(length)) => {
                let Some(size) = types.size_of(*element) else { return false };
                (0..*length).all(|index| self.add_parts(*element, at + index * size, starts))
            }
            TypeKind::Array(..) => false,
            _ => {
                starts.insert(at);
                let is_two = types.is_integer(ty) && types.size_of(ty) > Some(u64::from(self.program.pointer_bytes));
                if is_two {
                    starts.insert(at + u64::from(self.program.pointer_bytes));
                }
                true
            }
        }
    }
}

/// Parts as a list, or by their size where they are many.
fn listed(starts: BTreeSet<u64>, is_all: bool, otherwise: u64, moves: bool) -> Parts {
    let starts: Vec<u64> = starts.into_iter().collect();
    let step = starts.get(1).map_or(1, |second| second - starts[0]);
    let is_even = starts.first() == Some(&0) && starts.windows(2).all(|two| two[1] - two[0] == step);
    match starts.len() {
        0 | 1 if is_all => Parts::At { starts: vec![0], moves },
        _ if !is_all => Parts::Every { bytes: otherwise, moves },
        MAX_LISTED.. if is_even => Parts::Every { bytes: step, moves },
        _ => Parts::At { starts, moves },
    }
}

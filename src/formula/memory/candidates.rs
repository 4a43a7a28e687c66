//! Which objects a pointer can be into.

use super::access::MAX_PLACES;
use super::remainder::offsets_of;
use super::{Allocated, Object, PointerTerm, is_region, remainder};
use crate::formula::encode::block::Block;
use crate::program::points::Sites;
use crate::program::{Expr, Type};
use crate::term::{Offsets, Op, TermId, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// How many objects an unknown pointer is tried to be into, at most.
const MAX_CANDIDATES: usize = 16;

/// An object that an access may be to.
#[derive(Clone, Copy)]
pub(super) struct Case {
    /// When it is.
    pub(super) condition: TermId,
    pub(super) object: Object,
    /// Whether the object has something of the type there, as it is written; else it is not known what is read, or changed.
    pub(super) admits: bool,
}

impl Block<'_, '_> {
    /// The objects that a number can be of, with when it is; `None` if that is not known.
    pub(in crate::formula) fn cases(&self, terms: &mut Terms, object: TermId) -> Option<Vec<(TermId, Object)>> {
        let access = self.access.as_ref()?;
        access.shape.as_ref()?;
        let mut numbers = Vec::new();
        let mut members: BTreeMap<i64, Vec<TermId>> = BTreeMap::new();
        let mut leaves = 0;
        let mut waiting = vec![terms.substitute(object, access.known)];
        while let Some(term) = waiting.pop() {
            let number = match terms.op(term) {
                Op::Int(number) => Some(number.to_i64()?),
                Op::Ite => {
                    waiting.extend(&terms.args(term)[1..]);
                    continue;
                }
                _ => None,
            };
            let region = match number {
                Some(number) => access.memory.region_of_member(number),
                None => Some(access.memory.region_of_counter(terms, term)?),
            };
            match (region, number) {
                (Some(region), _) => members.entry(region).or_default().push(term),
                (None, Some(number)) => numbers.push(number),
                (None, None) => return None,
            }
            leaves += 1;
            if leaves > MAX_PLACES {
                return None;
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        match (&numbers[..], members.len()) {
            ([only], 0) => return Some(vec![(terms.bool(true), Object::from(*only))]),
            ([], 1) => {
                let number = *members.keys().next()?;
                return Some(vec![(terms.bool(true), Object { number, member: Some(object) })]);
            }
            _ => {}
        }
        let case = |number: i64| {
            let term = terms.int(number);
            (terms.eq(object, term), Object::from(number))
        };
        let mut cases: Vec<(TermId, Object)> = numbers.into_iter().map(case).collect();
        for (number, members) in members {
            let is_one: Vec<TermId> = members.into_iter().map(|member| terms.eq(object, member)).collect();
            cases.push((terms.or(is_one), Object { number, member: Some(object) }));
        }
        Some(cases)
    }

    /// The same; where it is not known which object is meant, all that were made at these sites, if they are few.
    pub(in crate::formula) fn candidates(
        &mut self,
        terms: &mut Terms,
        object: TermId,
        sites: Sites,
    ) -> Option<Vec<(TermId, Object)>> {
        if let Some(cases) = self.cases(terms, object) {
            return Some(cases);
        }
        let access = self.access.as_mut()?;
        let shape = access.shape.as_ref()?;
        let made = |number: &&i64| access.memory.is_made_at(**number, sites);
        let possible: Vec<i64> = shape.keys().filter(made).copied().collect();
        let (regions, possible): (Vec<i64>, Vec<i64>) = possible.into_iter().partition(|number| is_region(*number));
        if access.memory.has_unnamed(sites) {
            return None;
        }
        if possible.len() > MAX_CANDIDATES {
            access.memory.want_regions_of(&possible, shape, MAX_CANDIDATES);
            return None;
        }
        let numbers: Vec<i64> = std::iter::once(0).chain(possible).collect();
        let case = |number: i64| {
            let term = terms.int(number);
            (terms.eq(object, term), Object::from(number))
        };
        let mut cases: Vec<(TermId, Object)> = numbers.into_iter().map(case).collect();
        // A pointer is into an object that has a number, or into none, or to a procedure.
        let none = terms.int(0);
        cases.insert(0, (terms.lt(object, none), Object::from(-1)));
        let mut facts: Vec<TermId> = cases.iter().map(|(condition, _)| *condition).collect();
        let is_only = regions.len() == 1;
        for number in regions {
            let symbol = self.access.as_mut()?.memory.next_member(terms, number);
            let next = self.symbol_value(terms, None, symbol);
            let memory = &self.access.as_ref()?.memory;
            let (condition, is_made) = memory.is_member(terms, object, (number, next), is_only);
            cases.push((condition, Object { number, member: Some(object) }));
            facts.push(terms.and([condition, is_made]));
        }
        let one_of = terms.or(facts);
        let here = terms.and(self.conditions.iter().copied());
        self.guards.push(terms.implies(here, one_of));
        Some(cases)
    }

    /// The objects that an access at an address can be to, with when it is, and whether it can be written there. Objects
    /// that are only tried are not written in another way for that.
    pub(super) fn accessed(
        &mut self,
        terms: &mut Terms,
        pointer: PointerTerm,
        ty: Type,
        address: &Expr,
    ) -> Option<Vec<Case>> {
        let case = |admits: bool| move |(condition, object)| Case { condition, object, admits };
        if let Some(cases) = self.cases(terms, pointer.object) {
            return Some(cases.into_iter().map(case(true)).collect());
        }
        let known = self.known_here(terms, pointer.offset);
        let offsets = match self.constant(terms, known) {
            Some(at) => Offsets::at(at.to_i64()?),
            None => {
                let (rest, step) = remainder(terms, known);
                offsets_of(rest, step.max(1))?
            }
        };
        let access = self.access.as_mut()?;
        let sites = access.memory.sites_of(self.encoder.program, access.at(), address);
        let shape = access.shape.as_ref()?;
        let admits = |(number, object): &(&i64, &Allocated)| {
            let is_possible = object.live && access.memory.is_made_at(**number, sites);
            !is_possible || access.memory.admits(**number, offsets, ty, object.size)
        };
        let others: BTreeSet<i64> = shape.iter().filter(|found| !admits(found)).map(|(number, _)| *number).collect();
        if !others.is_empty() && !access.memory.has_regions() {
            let made = |number: &i64| access.memory.is_made_at(*number, sites);
            let possible: Vec<i64> = shape.keys().copied().filter(made).collect();
            if possible.len() > MAX_CANDIDATES && !access.memory.has_unnamed(sites) {
                access.memory.want_regions_of(&possible, shape, MAX_CANDIDATES);
            }
            return None;
        }
        let cases = self.candidates(terms, pointer.object, sites)?;
        Some(cases.into_iter().map(|(at, object)| case(!others.contains(&object.number))((at, object))).collect())
    }
}

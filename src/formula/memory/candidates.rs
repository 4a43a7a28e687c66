//! Which objects a pointer can be into.

use super::access::MAX_PLACES;
use super::remainder::offsets_of;
use super::{Allocated, PointerTerm, remainder};
use crate::formula::encode::block::Block;
use crate::program::points::Sites;
use crate::program::{Expr, Type};
use crate::term::{Offsets, Op, TermId, Terms};

/// How many objects an unknown pointer is tried to be into, at most.
const MAX_CANDIDATES: usize = 16;

impl Block<'_, '_> {
    /// The objects that a number can be of, with when it is; `None` if that is not known.
    pub(in crate::formula) fn cases(&self, terms: &mut Terms, object: TermId) -> Option<Vec<(TermId, i64)>> {
        let access = self.access.as_ref()?;
        access.shape.as_ref()?;
        let mut numbers = Vec::new();
        let mut waiting = vec![terms.substitute(object, access.known)];
        while let Some(term) = waiting.pop() {
            match terms.op(term) {
                Op::Int(number) => numbers.push(number.to_i64()?),
                Op::Ite => waiting.extend(&terms.args(term)[1..]),
                _ => return None,
            }
            if numbers.len() > MAX_PLACES {
                return None;
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        if let [only] = numbers[..] {
            return Some(vec![(terms.bool(true), only)]);
        }
        let case = |number: i64| {
            let term = terms.int(number);
            (terms.eq(object, term), number)
        };
        Some(numbers.into_iter().map(case).collect())
    }

    /// The same; where it is not known which object is meant, all that were made at these sites, if they are few.
    pub(in crate::formula) fn candidates(
        &mut self,
        terms: &mut Terms,
        object: TermId,
        sites: Sites,
    ) -> Option<Vec<(TermId, i64)>> {
        if let Some(cases) = self.cases(terms, object) {
            return Some(cases);
        }
        let access = self.access.as_ref()?;
        let made = |number: &&i64| access.memory.is_made_at(**number, sites);
        let possible: Vec<i64> = access.shape.as_ref()?.keys().filter(made).copied().collect();
        if access.memory.has_unnamed(sites) || possible.len() > MAX_CANDIDATES {
            return None;
        }
        let numbers: Vec<i64> = std::iter::once(0).chain(possible).collect();
        let case = |number: i64| {
            let term = terms.int(number);
            (terms.eq(object, term), number)
        };
        let mut cases: Vec<(TermId, i64)> = numbers.into_iter().map(case).collect();
        // A pointer is into an object that has a number, or into none, or to a procedure.
        let none = terms.int(0);
        cases.insert(0, (terms.lt(object, none), -1));
        let one_of = terms.or(cases.iter().map(|(condition, _)| *condition));
        let here = terms.and(self.conditions.iter().copied());
        self.guards.push(terms.implies(here, one_of));
        Some(cases)
    }

    /// The objects that an access at an address can be to, with when it is. Objects that are only tried are not written in
    /// another way for that.
    pub(super) fn accessed(
        &mut self,
        terms: &mut Terms,
        pointer: PointerTerm,
        ty: Type,
        address: &Expr,
    ) -> Option<Vec<(TermId, i64)>> {
        if let Some(cases) = self.cases(terms, pointer.object) {
            return Some(cases);
        }
        let known = self.known_here(terms, pointer.offset);
        let offsets = match self.constant(terms, known) {
            Some(at) => Offsets::at(at.to_i64()?),
            None => {
                let (rest, step) = remainder(terms, known);
                offsets_of(rest, step.max(1))?
            }
        };
        let access = self.access.as_ref()?;
        let sites = access.memory.sites_of(self.encoder.program, access.at(), address);
        let admits = |(number, object): (&i64, &Allocated)| {
            let is_possible = object.live && access.memory.is_made_at(*number, sites);
            !is_possible || access.memory.admits(*number, offsets, ty, object.size)
        };
        if !access.shape.as_ref()?.iter().all(admits) {
            return None;
        }
        self.candidates(terms, pointer.object, sites)
    }
}

//! Regions: all objects that some statements make, as one object whose symbols are arrays over numbers of objects.
//!
//! Of *n* regions, the members of region *r* have the numbers `FIRST_MEMBER + r + n * k`, in the order in which they are
//! made; a symbol counts up. So they differ from each other, from those of other regions, and from objects with a number of
//! their own. In the tables a region has a number, too, which no object has.

use super::layout::Layout;
use super::{Allocated, Memory, Shape, Site, Sites};
use crate::formula::encode::Arithmetic;
use crate::program::points::{Site as Place, each_statement};
use crate::program::{Expr, Program, Region as Lifetime, Statement, Type};
use crate::term::{Op, Sort, Symbol, TermId, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// How many regions there are at most.
const MAX_REGIONS: i64 = 64;

/// The number in the tables of the first region. No object has so large a number of its own.
const FIRST_REGION: i64 = 1 << 40;

/// The number of the first member of the first region.
pub(super) const FIRST_MEMBER: i64 = FIRST_REGION + MAX_REGIONS;

/// An object that is meant: one with a number of its own, or the member of a region whose number is a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::formula) struct Object {
    /// Its number; of a member, that of the region in the tables.
    pub number: i64,
    /// The member's.
    pub member: Option<TermId>,
}

impl From<i64> for Object {
    fn from(number: i64) -> Object {
        Object { number, member: None }
    }
}

/// What is known of the members of a region.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Region {
    /// How many bytes each has, once one was made: `None` where that differs, or is not known.
    size: Option<Option<i64>>,
    lifetime: Lifetime,
    /// Whether there are members whose bytes are not zero at first.
    has_unwritten: bool,
    /// Whether members may be freed, so that it is noted which live.
    frees: bool,
    /// Where they are made, as far as pointers are told apart by that.
    sites: Sites,
}

/// All regions, and which statements make their members.
#[derive(Debug, Clone, Default)]
pub(super) struct Regions {
    all: Vec<Region>,
    of: BTreeMap<Place, usize>,
    /// Statements whose objects are to be the members of one.
    wanted: Vec<BTreeSet<Place>>,
    counters: BTreeMap<Symbol, i64>,
}

impl Regions {
    /// Forgets what is wanted.
    pub(super) fn want_nothing(&mut self) {
        self.wanted.clear();
    }

    /// The number of the next member of a region, as a term.
    pub(super) fn counter_of(terms: &mut Terms, number: i64) -> TermId {
        terms.var(&Regions::counter_name(number), Sort::Int)
    }

    fn counter_name(number: i64) -> String {
        format!("region!{number}!next")
    }

    /// Of every statement that makes objects which do not end with an activation.
    pub(super) fn forced(program: &Program) -> Regions {
        let mut regions = Regions::default();
        each_statement(program, |edge, statement, what| {
            if let Statement::Allocate { size, region, .. } = what
                && !region.is_on_stack()
                && !matches!(size, Expr::Int(bytes, _) if bytes.is_negative())
            {
                regions.wanted.push(BTreeSet::from([Place { edge, statement }]));
            }
        });
        regions.wanted.truncate(MAX_REGIONS as usize);
        regions
    }
}

/// Whether a number in the tables is a region's.
pub(in crate::formula) fn is_region(number: i64) -> bool {
    (FIRST_REGION..FIRST_MEMBER).contains(&number)
}

impl Site {
    /// The statement, whatever called it.
    pub(super) fn place(&self) -> Option<Place> {
        let edge = match self.edge {
            None => None,
            Some(edge) => Some((self.stack.last()?.procedure, edge)),
        };
        Some(Place { edge, statement: self.statement as usize })
    }
}

impl Memory {
    /// The region whose members a site makes, by its number in the tables.
    pub(in crate::formula) fn region_of_site(&self, site: &Site) -> Option<i64> {
        let region = *self.regions.of.get(&site.place()?)?;
        Some(FIRST_REGION + region as i64)
    }

    /// All regions, by their numbers in the tables, with what their members have in common.
    pub(in crate::formula) fn region_objects(&self) -> impl Iterator<Item = (i64, Allocated)> + '_ {
        self.regions.all.iter().enumerate().map(|(number, region)| {
            // What size they have is in the tables.
            let members = Allocated { size: None, region: region.lifetime, frames: 0, live: true, reused: false };
            (FIRST_REGION + number as i64, members)
        })
    }

    fn region(&self, number: i64) -> &Region {
        &self.regions.all[(number - FIRST_REGION) as usize]
    }

    fn region_mut(&mut self, number: i64) -> &mut Region {
        &mut self.regions.all[(number - FIRST_REGION) as usize]
    }

    /// The size of the members of a region, where they all have one.
    pub(in crate::formula) fn member_size(&self, number: i64) -> Option<i64> {
        self.region(number).size.flatten()
    }

    /// Whether it is noted which members of a region live.
    pub(in crate::formula) fn members_end(&self, number: i64) -> bool {
        self.region(number).frees
    }

    /// Whether there are members whose bytes are not zero at first.
    pub(super) fn has_unwritten_members(&self, number: i64) -> bool {
        self.region(number).has_unwritten
    }

    /// Whether members of a region are made at one of the sites.
    pub(super) fn has_members_of(&self, number: i64, sites: Sites) -> bool {
        self.region(number).sites & sites != 0
    }

    /// Notes that members of a region are freed.
    pub(in crate::formula) fn note_freed_member(&mut self, number: i64) {
        let region = self.region_mut(number);
        let is_new = !std::mem::replace(&mut region.frees, true);
        self.grown |= is_new;
    }

    /// Notes that a member of a region is made; `false` if it is not like the others.
    pub(in crate::formula) fn note_member(
        &mut self,
        number: i64,
        site: &Site,
        size: Option<i64>,
        lifetime: Lifetime,
        zeroed: bool,
    ) -> bool {
        let sites = self.set_of(site);
        let region = self.region_mut(number);
        let mut after = region.clone();
        after.sites |= sites;
        after.has_unwritten |= !zeroed;
        after.size = match after.size {
            None => Some(size),
            Some(known) => Some(known.filter(|known| Some(*known) == size)),
        };
        let changed = after != *region;
        *region = after;
        let is_alike = region.lifetime == lifetime;
        self.grown |= changed;
        is_alike
    }

    /// The symbol of the number that the next member of a region has.
    pub(in crate::formula) fn next_member(&mut self, terms: &mut Terms, number: i64) -> Symbol {
        let term = Regions::counter_of(terms, number);
        let symbol = terms.as_symbol(term).expect("a free constant is its symbol");
        self.types.insert(symbol, (Type::Int, number));
        self.regions.counters.insert(symbol, number);
        symbol
    }

    /// The symbol of which members of a region live.
    pub(in crate::formula) fn live_members(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        number: i64,
    ) -> Symbol {
        self.symbol(terms, arithmetic, number, &format!("region!{number}!live"), Type::Bool, false)
    }

    /// The symbols of a region, with those that every region has.
    pub(in crate::formula) fn symbols_of_region(
        &mut self,
        terms: &mut Terms,
        arithmetic: Arithmetic,
        number: i64,
    ) -> Vec<Symbol> {
        self.next_member(terms, number);
        if self.members_end(number) {
            self.live_members(terms, arithmetic, number);
        }
        if self.member_size(number).is_none() {
            self.size_symbol(terms, arithmetic, number);
        }
        // Each has its symbols, whether these were needed so far or not.
        self.cells(terms, arithmetic, Object::from(number));
        self.fields(terms, arithmetic, Object::from(number));
        let mut symbols: Vec<Symbol> =
            self.types.iter().filter(|(_, (_, owner))| *owner == number).map(|(symbol, _)| *symbol).collect();
        symbols.sort_unstable();
        symbols
    }

    /// The number of the first member of a region.
    pub(in crate::formula) fn first_member(number: i64) -> i64 {
        number + MAX_REGIONS
    }

    /// The region that an object with such a number is a member of.
    pub(super) fn region_of_member(&self, member: i64) -> Option<i64> {
        let region = FIRST_REGION + (member - FIRST_MEMBER).rem_euclid(self.member_step());
        (member >= FIRST_MEMBER && !self.regions.all.is_empty()).then_some(region)
    }

    /// The region whose next member, or one before or after, has the number that a term is.
    pub(super) fn region_of_counter(&self, terms: &Terms, term: TermId) -> Option<i64> {
        if self.regions.all.is_empty() {
            return None;
        }
        let is_step = |term: &TermId| match terms.op(*term) {
            Op::Int(number) => number.to_i64().is_some_and(|number| number % self.member_step() == 0),
            _ => false,
        };
        let counter = |term: TermId| self.regions.counters.get(&terms.as_symbol(term)?).copied();
        match (terms.op(term), terms.args(term)) {
            (Op::Add, [a, b]) if is_step(b) => counter(*a),
            (Op::Add, [a, b]) if is_step(a) => counter(*b),
            _ => counter(term),
        }
    }

    /// By how much the numbers differ of two members of a region that are made one after the other.
    pub(in crate::formula) fn member_step(&self) -> i64 {
        self.regions.all.len().max(1) as i64
    }

    /// That a number is one that a member of a region can have, if it is not below the first one.
    fn is_in_step(&self, terms: &mut Terms, member: TermId, number: i64) -> TermId {
        if self.member_step() == 1 {
            return terms.bool(true);
        }
        let (modulus, rest) = (terms.int(self.member_step()), terms.int(number - FIRST_REGION));
        let start = terms.int(FIRST_MEMBER);
        let behind = terms.sub(member, start);
        let found = terms.modulo(behind, modulus);
        terms.eq(found, rest)
    }

    /// What the number of the next member of a region can be.
    pub(in crate::formula) fn range_of_counter(&self, terms: &mut Terms, symbol: Symbol) -> Option<TermId> {
        let number = *self.regions.counters.get(&symbol)?;
        let next = terms.of_symbol(symbol);
        let first = terms.int(Memory::first_member(number));
        let (not_below, in_step) = (terms.le(first, next), self.is_in_step(terms, next, number));
        Some(terms.and([not_below, in_step]))
    }

    /// That an object is a member of a region, and that it was made before; where it is known that it is a member of no
    /// other region, the condition does not say so again.
    pub(super) fn is_member(
        &self,
        terms: &mut Terms,
        object: TermId,
        (number, next): (i64, TermId),
        is_only: bool,
    ) -> (TermId, TermId) {
        let first = terms.int(Memory::first_member(number));
        let (is_large, in_step) = (terms.le(first, object), self.is_in_step(terms, object, number));
        let is_below = terms.lt(object, next);
        let condition = if is_only { is_large } else { terms.and([is_large, in_step]) };
        (condition, terms.and([is_below, in_step]))
    }

    /// Wants what a site makes to be the members of a region.
    pub(super) fn want_region_of(&mut self, site: &Site) {
        if let Some(place) = site.place().filter(|place| self.can_be_region(place)) {
            self.regions.wanted.push(BTreeSet::from([place]));
        }
    }

    fn can_be_region(&self, place: &Place) -> bool {
        self.lifetimes.get(place).is_some_and(|lifetime| !lifetime.is_on_stack())
            && !self.regions.of.contains_key(place)
            && (self.regions.all.len() as i64) < MAX_REGIONS
    }

    /// Wants some of these objects, which are too many, to be members of regions, so that few are left: those of
    /// statements that made many of them, else those of one size.
    pub(super) fn want_regions_of(&mut self, objects: &[i64], shape: &Shape, most: usize) {
        let mut groups: BTreeMap<Place, usize> = BTreeMap::new();
        for object in objects {
            if let Some(place) = self.places.get((*object - 1) as usize).copied().flatten()
                && self.can_be_region(&place)
            {
                *groups.entry(place).or_default() += 1;
            }
        }
        let mut several: Vec<(usize, Place)> =
            groups.into_iter().filter(|(_, count)| *count > 1).map(|(place, count)| (count, place)).collect();
        several.sort_unstable_by(|a, b| b.cmp(a));
        let mut left = objects.len();
        for (count, place) in several {
            if left <= most {
                return;
            }
            self.regions.wanted.push(BTreeSet::from([place]));
            left -= count;
        }
        if left <= most {
            return;
        }
        let mut alike: BTreeMap<(Lifetime, Option<i64>), BTreeSet<Place>> = BTreeMap::new();
        for object in objects {
            let Some(place) = self.places.get((*object - 1) as usize).copied().flatten() else { continue };
            let Some(allocated) = shape.get(object).filter(|_| self.can_be_region(&place)) else { continue };
            alike.entry((allocated.region, allocated.size)).or_default().insert(place);
        }
        let largest = alike.into_values().max_by_key(BTreeSet::len);
        self.regions.wanted.extend(largest.filter(|places| places.len() > 1));
    }

    /// Wants what each statement makes that has made more than so many of these objects to be the members of a region.
    pub(in crate::formula) fn want_regions_of_more_than(&mut self, most: usize, objects: impl Iterator<Item = i64>) {
        let mut counts: BTreeMap<Place, usize> = BTreeMap::new();
        let place = |object: i64| self.places.get(usize::try_from(object - 1).ok()?).copied().flatten();
        objects.filter_map(place).for_each(|place| *counts.entry(place).or_default() += 1);
        counts.retain(|place, count| *count > most && self.can_be_region(place));
        self.regions.wanted.extend(counts.into_keys().map(|place| BTreeSet::from([place])));
    }

    /// Wants all these objects to be members of regions.
    pub(in crate::formula) fn want_regions_for(&mut self, objects: &[i64]) {
        let places = objects.iter().filter_map(|object| self.places.get((*object - 1) as usize).copied().flatten());
        let places: BTreeSet<Place> = places.collect();
        self.regions.wanted.extend(places.into_iter().map(|place| BTreeSet::from([place])));
    }

    /// Whether there are regions.
    pub(in crate::formula) fn has_regions(&self) -> bool {
        !self.regions.all.is_empty()
    }

    /// Makes the regions that are wanted; whether there were any.
    pub(in crate::formula) fn make_regions(&mut self) -> bool {
        let mut is_new = false;
        for places in std::mem::take(&mut self.regions.wanted) {
            let places: BTreeSet<Place> = places.into_iter().filter(|place| self.can_be_region(place)).collect();
            let Some(lifetime) = places.iter().next().map(|place| self.lifetimes[place]) else { continue };
            let number = self.regions.all.len();
            let region = Region { size: None, lifetime, has_unwritten: false, frees: false, sites: 0 };
            self.regions.all.push(region);
            self.take_layouts(FIRST_REGION + number as i64, &places);
            self.regions.of.extend(places.into_iter().map(|place| (place, number)));
            is_new = true;
        }
        is_new
    }

    /// What is read of objects is read of the members that are made instead.
    fn take_layouts(&mut self, region: i64, places: &BTreeSet<Place>) {
        let is_of = |(number, _): &(&i64, &Layout)| {
            let place = self.places.get((**number - 1) as usize).copied().flatten();
            place.is_some_and(|place| places.contains(&place))
        };
        let found: Vec<Layout> = self.layouts.iter().filter(is_of).map(|(_, layout)| layout.clone()).collect();
        let Some(mut all) = found.first().cloned() else { return };
        for layout in &found {
            all.take(layout, self.pointer_bytes);
        }
        self.layouts.insert(region, all);
    }

    /// Whether each region has a number, and each statement at most one region, and what counts members is nothing else.
    pub(super) fn has_sound_regions(&self, terms: &Terms) -> bool {
        let count = self.regions.all.len();
        let is_counter = |(symbol, number): (&Symbol, &i64)| {
            is_region(*number) && terms.name(*symbol) == Regions::counter_name(*number)
        };
        let is_its = |(place, region): (&Place, &usize)| {
            *region < count && self.lifetimes.get(place) == Some(&self.regions.all[*region].lifetime)
        };
        count as i64 <= MAX_REGIONS
            && self.regions.of.iter().all(is_its)
            && self.regions.counters.iter().all(is_counter)
    }
}

/// How long the objects live that statements make.
pub(super) fn lifetimes(program: &Program) -> BTreeMap<Place, Lifetime> {
    let mut lifetimes = BTreeMap::new();
    each_statement(program, |edge, statement, what| {
        if let Statement::Allocate { region, .. } = what {
            lifetimes.insert(Place { edge, statement }, *region);
        }
    });
    lifetimes
}

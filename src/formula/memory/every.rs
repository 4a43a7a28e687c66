//! What is said of every member of a region: one symbol of the region stands for any of its members.
//!
//! A formula over that symbol, where it is known to hold, holds whatever member the symbol stands for: it is universally
//! quantified. So it holds for each member that other formulas speak of, too (its *instances*), and it holds after a step
//! if it does for a member of which nothing else is known.

use super::region::is_region;
use super::{Memory, Regions};
use crate::term::{Op, Sort, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// For how many members a formula is instantiated at most. Blocks of the corpus speak of fewer; it only bounds the question.
const MAX_INSTANCES: usize = 32;

/// What the names of such symbols end with.
const ANY: &str = "!any";

/// The symbol that stands for any member of a region.
fn any_member(terms: &mut Terms, region: i64) -> TermId {
    terms.var(&format!("region!{region}{ANY}"), Sort::Int)
}

/// The region for any member of which a symbol stands. Nothing else has such a name.
fn region_of_any(terms: &Terms, symbol: Symbol) -> Option<i64> {
    let number = terms.name(symbol).strip_prefix("region!")?.strip_suffix(ANY)?.parse().ok()?;
    is_region(number).then_some(number)
}

/// Whether a symbol stands for any member of a region.
pub fn is_any_member(terms: &Terms, symbol: Symbol) -> bool {
    region_of_any(terms, symbol).is_some()
}

/// Whether a formula says something of every member of a region.
pub fn is_of_every_member(terms: &Terms, formula: TermId) -> bool {
    terms.symbols_of([formula]).into_iter().any(|symbol| is_any_member(terms, symbol))
}

/// The formula with other names for the members that it says something of: of every other formula these are told apart.
pub fn of_other_members(terms: &mut Terms, formula: TermId, number: usize) -> TermId {
    let any: Vec<Symbol> =
        terms.symbols_of([formula]).into_iter().filter(|symbol| is_any_member(terms, *symbol)).collect();
    let renamed: FxHashMap<Symbol, TermId> = any
        .into_iter()
        .map(|symbol| {
            let name = format!("{}!{number}", terms.name(symbol));
            (symbol, terms.var(&name, Sort::Int))
        })
        .collect();
    terms.substitute(formula, &renamed)
}

impl Memory {
    /// What an atom says of one member of a region, said of every member; `None` where it speaks of none, or of several.
    pub fn of_every_member(&self, terms: &mut Terms, atom: TermId) -> Option<TermId> {
        let members = self.members_in(terms, [atom]);
        let (&(region, member), None) = (members.first()?, members.iter().nth(1)) else { return None };
        if is_of_every_member(terms, atom) {
            return None;
        }
        let any = any_member(terms, region);
        let atom = replace(terms, atom, member, any);
        let next = Regions::counter_of(terms, region);
        let (condition, is_made) = self.is_member(terms, any, (region, next), false);
        let is_none = terms.and([condition, is_made]);
        let is_none = terms.not(is_none);
        let formula = terms.or([is_none, atom]);
        (!matches!(terms.op(formula), Op::Bool(_))).then_some(formula)
    }

    /// What follows of formulas that say something of every member, for the members that these and the others speak of.
    pub fn instances(&self, terms: &mut Terms, formulas: &[TermId], others: &[TermId]) -> Vec<TermId> {
        let general: Vec<TermId> = formulas.iter().copied().filter(|f| is_of_every_member(terms, *f)).collect();
        if general.is_empty() {
            return Vec::new();
        }
        let members = self.members_in(terms, formulas.iter().chain(others).copied());
        let mut found = Vec::new();
        for formula in general {
            for symbol in terms.symbols_of([formula]) {
                let Some(region) = region_of_any(terms, symbol) else { continue };
                let of_region = members.iter().filter(|(of, _)| *of == region).take(MAX_INSTANCES);
                for (_, member) in of_region {
                    let instance = terms.substitute(formula, &FxHashMap::from_iter([(symbol, *member)]));
                    if instance != formula && terms.op(instance) != &Op::Bool(true) {
                        found.push(instance);
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The members of regions that terms read or write something of, by their regions, but for those that stand for any.
    fn members_in(&self, terms: &Terms, of: impl IntoIterator<Item = TermId>) -> BTreeSet<(i64, TermId)> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<TermId> = of.into_iter().collect();
        while let Some(term) = waiting.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let (Op::Select | Op::Store, [array, index, ..]) = (terms.op(term), terms.args(term))
                && let Some(region) = self.region_of_array(terms, *array)
                && !is_of_every_member(terms, *index)
            {
                found.insert((region, *index));
            }
            waiting.extend_from_slice(terms.args(term));
        }
        found
    }

    /// The region whose members an array is of.
    fn region_of_array(&self, terms: &Terms, mut array: TermId) -> Option<i64> {
        loop {
            match (terms.op(array), terms.args(array)) {
                (Op::Store, [before, ..]) => array = *before,
                (Op::Ite, [_, then, _]) => array = *then,
                _ => break,
            }
        }
        self.owner(terms.as_symbol(array)?).filter(|owner| is_region(*owner))
    }
}

/// A term with one of its parts replaced.
fn replace(terms: &mut Terms, term: TermId, part: TermId, by: TermId) -> TermId {
    fn inside(terms: &mut Terms, term: TermId, done: &mut FxHashMap<TermId, TermId>) -> TermId {
        if let Some(known) = done.get(&term) {
            return *known;
        }
        let before = terms.args(term).to_vec();
        let after: Vec<TermId> = before.iter().map(|arg| inside(terms, *arg, done)).collect();
        let result = if after == before { term } else { terms.make(terms.op(term).clone(), &after) };
        done.insert(term, result);
        result
    }
    inside(terms, term, &mut FxHashMap::from_iter([(part, by)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Formulas;
    use crate::formula::blocks::{BlockSize, EndKind};
    use crate::formula::encode::Arithmetic;
    use crate::formula::memory::Representation;
    use crate::program::control::Frame;
    use crate::program::text::parse;
    use crate::program::{FileId, Id, Property};
    use rustc_hash::FxHashSet;

    #[test]
    fn what_is_said_of_every_member_is_said_of_each_that_formulas_speak_of() {
        let text = "pointer_bytes 8 global p: ptr global n: i32 init { p := null; n := 0i32; }
             procedure main() { location a entry location z exit
             edge a -> a { p := allocate(heap, 8i64, zeroed); [p] := 5i32; }
             edge a -> z { n := i32[p]; } }";
        let program = parse(text, FileId::new(0)).expect("it is a program");
        let representation = Representation::Regions;
        let mut formulas =
            Formulas::open(&program, &Property::Assert, Arithmetic::Integers, BlockSize::Large, representation);
        let start = [Frame { procedure: program.main, location: program.procedures[program.main].entry, call: None }];
        loop {
            let (_, values) = formulas.init().expect("it can be expressed");
            let values: Vec<(Symbol, TermId)> = values.into_iter().collect();
            let Formulas { terms, blocks } = &mut formulas;
            let mut walk = |values: &[(Symbol, TermId)]| {
                blocks.walk(terms, &start, values, &FxHashSet::default(), &|| false).expect("it can be expressed").ends
            };
            let round = walk(&values).into_iter().find(|end| end.kind == EndKind::Cut).expect("it goes round");
            walk(&round.values.into_iter().collect::<Vec<_>>());
            if !blocks.cells_changed() {
                break;
            }
        }
        let Formulas { terms, blocks } = &mut formulas;
        let memory = blocks.memory();
        let is_value = |symbol: &Symbol| memory.type_of(*symbol).is_some_and(|ty| ty.to_string() == "i32");
        let values = memory.symbols().into_iter().find(is_value).expect("the value is read");
        let (values, ten) = (terms.of_symbol(values), terms.int(10));
        let [x, y] = ["x", "y"].map(|name| terms.var(name, Sort::Int));
        let [of_x, of_y] = [x, y].map(|member| terms.select(values, member));
        let atom = terms.le(of_x, ten);
        let all = memory.of_every_member(terms, atom).expect("it speaks of one member");
        assert!(is_of_every_member(terms, all) && !is_of_every_member(terms, atom));
        assert_eq!(memory.of_every_member(terms, all), None, "it speaks of no other member");
        let both = terms.lt(of_x, of_y);
        assert_eq!(memory.of_every_member(terms, both), None, "it speaks of two");
        let instances = memory.instances(terms, &[all, both], &[]);
        assert_eq!(instances.len(), 2, "x and y");
        assert!(instances.iter().all(|instance| !is_of_every_member(terms, *instance)));
        let speaks_of_both = terms.symbols_of(instances).into_iter().filter(|s| ["x", "y"].contains(&terms.name(*s)));
        assert_eq!(speaks_of_both.count(), 2);
        let renamed = of_other_members(terms, all, 3);
        assert!(!is_of_every_member(terms, renamed) && renamed != all);
    }
}

//! What is known at a place of a walk, and how two ways to it become one.

use super::facts::Facts;
use crate::term::{Op, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// The ways to one place of a walk: when they are taken, and the values that they leave.
#[derive(Debug, Clone, Default)]
pub(in crate::formula) struct MergedPaths {
    /// Conjuncts, in the order they were met.
    pub(in crate::formula) guard: Vec<TermId>,
    /// The variables that have another value than at the start.
    pub(in crate::formula) values: FxHashMap<Symbol, TermId>,
    /// Symbols that the guard says the value of.
    pub(in crate::formula) facts: Facts,
}

impl MergedPaths {
    /// Adds a condition; `false` if the guard cannot hold with it.
    pub(in crate::formula) fn assume(&mut self, terms: &mut Terms, condition: TermId) -> bool {
        let condition = self.facts.fill(terms, condition);
        for part in conjuncts(terms, condition) {
            if terms.op(part) == &Op::Bool(true) || self.guard.contains(&part) {
                continue;
            }
            let negated = terms.not(part);
            if terms.op(part) == &Op::Bool(false) || self.guard.contains(&negated) {
                return false;
            }
            self.guard.push(part);
            if let Some((symbol, value)) = equation(terms, part) {
                self.learn(terms, symbol, value);
            }
        }
        true
    }

    /// Keeps a value that the guard says. It is filled into small values of variables at once, into others as they are
    /// read: what no way changes is then the same on all, and stays one term where they meet.
    fn learn(&mut self, terms: &mut Terms, symbol: Symbol, value: TermId) {
        let (fact, mut done) = (FxHashMap::from_iter([(symbol, value)]), FxHashMap::default());
        for known in self.values.values_mut() {
            if terms.written_size(*known) <= SMALL {
                *known = terms.substitute_cached(*known, &fact, &mut done);
            }
        }
        self.facts.learn(symbol, value);
    }

    /// The term's value here, over the values at the start.
    pub(in crate::formula) fn value(
        &self,
        terms: &mut Terms,
        known: &mut KnownValues,
        term: TermId,
        done: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        let now = known.value(terms, term, &self.values, done);
        self.simplified(terms, now)
    }

    /// The term with what the guard says of symbols filled in.
    pub(in crate::formula) fn simplified(&self, terms: &mut Terms, term: TermId) -> TermId {
        self.facts.fill(terms, term)
    }

    /// Takes in other ways to the same place, which exclude these.
    pub(in crate::formula) fn merge(&mut self, terms: &mut Terms, other: MergedPaths) {
        let common = self.guard.iter().zip(&other.guard).take_while(|(a, b)| a == b).count();
        let (here, there) = (self.guard.split_off(common), &other.guard[common..]);
        let tells_apart = match (here.first(), there.first()) {
            (Some(&a), Some(&b)) if terms.not(a) == b => a,
            _ => terms.and(here.iter().copied()),
        };
        merge_values(terms, tells_apart, &mut self.values, &other.values);
        let here = terms.and(here);
        let there = terms.and(there.iter().copied());
        let either = if terms.not(here) == there { terms.bool(true) } else { terms.or([here, there]) };
        if terms.op(either) != &Op::Bool(true) {
            self.guard.push(either);
        }
        self.facts.meet(&other.facts);
    }
}

/// Makes values those of one way where the condition holds, and of another one elsewhere. A variable that is not in them has
/// its value from the start.
pub fn merge_values(
    terms: &mut Terms,
    condition: TermId,
    ours: &mut FxHashMap<Symbol, TermId>,
    theirs: &FxHashMap<Symbol, TermId>,
) {
    for (&symbol, &other) in theirs {
        let own = *ours.entry(symbol).or_insert_with(|| terms.of_symbol(symbol));
        if own != other {
            let value = terms.ite(condition, own, other);
            ours.insert(symbol, value);
        }
    }
    for (symbol, own) in ours {
        if !theirs.contains_key(symbol) {
            let other = terms.of_symbol(*symbol);
            *own = terms.ite(condition, *own, other);
        }
    }
}

/// How large the values of variables are that facts are filled into as they are learned.
const SMALL: u32 = 64;

/// How many symbols a term may have for its values to be remembered.
const FEW: usize = 2;

/// How deep terms are looked into for parts with few symbols.
const DEEP: u32 = 16;

/// Symbols, and the same as terms.
type Symbols = Box<[(Symbol, TermId)]>;

/// The values of terms with few symbols, which are asked for in every walk, by the values of their symbols.
#[derive(Debug, Default)]
pub(in crate::formula) struct KnownValues {
    /// The symbols of terms; `None` where there are many.
    symbols: FxHashMap<TermId, Option<Symbols>>,
    values: FxHashMap<(TermId, [Option<TermId>; FEW]), TermId>,
}

impl KnownValues {
    /// The term with these values of symbols filled in. What has many symbols is mostly put together of what has few, and
    /// often one part of it decides.
    fn value(
        &mut self,
        terms: &mut Terms,
        term: TermId,
        values: &FxHashMap<Symbol, TermId>,
        done: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        self.value_inside(terms, term, values, done, DEEP)
    }

    /// The same, of a part of a term so many levels down.
    fn value_inside(
        &mut self,
        terms: &mut Terms,
        term: TermId,
        values: &FxHashMap<Symbol, TermId>,
        done: &mut FxHashMap<TermId, TermId>,
        levels: u32,
    ) -> TermId {
        if let Some(value) = self.remembered(terms, term, values).or_else(|| done.get(&term).copied()) {
            return value;
        }
        let op = terms.op(term).clone();
        if levels == 0 || !matches!(op, Op::And | Op::Or | Op::Not) {
            return terms.substitute_cached(term, values, done);
        }
        let mut parts = Vec::with_capacity(terms.args(term).len());
        let mut decided = None;
        for part in terms.args(term).to_vec() {
            let value = self.value_inside(terms, part, values, done, levels - 1);
            if op != Op::Not && terms.op(value) == &Op::Bool(op == Op::Or) {
                decided = Some(value);
                break;
            }
            parts.push(value);
        }
        let value = decided.unwrap_or_else(|| terms.make(op, &parts));
        done.insert(term, value);
        value
    }

    /// The value, if the term has few symbols.
    fn remembered(&mut self, terms: &mut Terms, term: TermId, values: &FxHashMap<Symbol, TermId>) -> Option<TermId> {
        let symbols = self.symbols.entry(term).or_insert_with(|| {
            let symbols = terms.symbols_of([term]);
            let pair = |symbol: Symbol| (symbol, terms.of_symbol(symbol));
            (symbols.len() <= FEW).then(|| symbols.into_iter().map(pair).collect())
        });
        let symbols = symbols.as_ref()?;
        let mut given = [None; FEW];
        for ((symbol, itself), given) in symbols.iter().zip(&mut given) {
            *given = values.get(symbol).copied().filter(|value| value != itself);
        }
        if given == [None; FEW] {
            return Some(term);
        }
        Some(*self.values.entry((term, given)).or_insert_with(|| terms.substitute(term, values)))
    }
}

/// The conjuncts of a formula.
pub(in crate::formula) fn conjuncts(terms: &Terms, formula: TermId) -> Vec<TermId> {
    match terms.op(formula) {
        Op::And => terms.args(formula).to_vec(),
        _ => vec![formula],
    }
}

/// A symbol with the value that an equation gives it, where the formula is one; a literal too.
fn equation(terms: &mut Terms, formula: TermId) -> Option<(Symbol, TermId)> {
    if let Some(symbol) = terms.as_symbol(formula) {
        return Some((symbol, terms.bool(true)));
    }
    if terms.op(formula) == &Op::Not {
        let symbol = terms.as_symbol(terms.args(formula)[0])?;
        return Some((symbol, terms.bool(false)));
    }
    if terms.op(formula) != &Op::Eq {
        return None;
    }
    let &[a, b] = terms.args(formula) else { return None };
    match (terms.as_symbol(a), terms.as_symbol(b)) {
        (Some(symbol), None) if terms.is_value(b) => Some((symbol, b)),
        (None, Some(symbol)) if terms.is_value(a) => Some((symbol, a)),
        _ => None,
    }
}

/// Whether two guards, given as conjuncts, are seen to exclude each other.
pub(in crate::formula) fn exclude(terms: &mut Terms, a: TermId, b: TermId) -> bool {
    let (left, right) = (conjuncts(terms, a), conjuncts(terms, b));
    if right.contains(&terms.not(a)) || left.contains(&terms.not(b)) {
        return true;
    }
    for &x in &left {
        let negated = terms.not(x);
        for &y in &right {
            if y == negated {
                return true;
            }
            if let (Some(x), Some(y)) = (equation(terms, x), equation(terms, y))
                && x.0 == y.0
                && x.1 != y.1
            {
                return true;
            }
        }
    }
    let both = terms.and([a, b]);
    terms.op(both) == &Op::Bool(false)
}

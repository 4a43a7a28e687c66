//! Disjunctions of conjunctions of facts, made small: facts are that a variable has one of some values, and that a
//! predicate is true or false.

use crate::formula::encode::SourceNotation;
use crate::term::infix::Notation;
use crate::term::{FloatKind, Integer, Op, Sort, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// How many pairs of cubes are compared at most.
const MAX_PAIRS: usize = 200_000;

/// How many facts are looked at, at most, each time cubes are merged.
const MAX_FACTS: usize = 2_000_000;

/// What a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Subject {
    Variable(Symbol),
    Predicate(TermId),
}

/// Facts that all hold: for each subject, the values it can have.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(super) struct Cube(BTreeMap<Subject, BTreeSet<TermId>>);

impl Cube {
    /// These values of variables, and these formulas.
    pub(super) fn new(terms: &mut Terms, values: &[(Symbol, TermId)], formulas: &[TermId]) -> Cube {
        let known: FxHashMap<Symbol, TermId> = values.iter().copied().collect();
        let mut cube = Cube::default();
        for &(symbol, value) in values {
            cube.0.insert(Subject::Variable(symbol), BTreeSet::from([value]));
        }
        let mut literals = Vec::new();
        for &formula in formulas {
            if terms.sort(formula) != Sort::Bool {
                continue;
            }
            let formula = terms.substitute(formula, &known);
            match terms.op(formula) {
                Op::And => literals.extend(terms.args(formula).iter().copied()),
                _ => literals.push(formula),
            }
        }
        for literal in terms.strongest_bounds(literals) {
            cube.add(terms, literal);
        }
        cube
    }

    fn add(&mut self, terms: &mut Terms, literal: TermId) {
        let negated = terms.not(literal);
        let (subject, value) = match terms.op(literal) {
            Op::Bool(true) => return,
            Op::Eq => match variable_with_value(terms, literal) {
                Some((symbol, value)) => (Subject::Variable(symbol), value),
                None => (Subject::Predicate(literal), terms.bool(true)),
            },
            Op::Var(symbol) => (Subject::Variable(*symbol), terms.bool(true)),
            Op::Not => match terms.as_symbol(negated) {
                Some(symbol) => (Subject::Variable(symbol), terms.bool(false)),
                None => (Subject::Predicate(negated), terms.bool(false)),
            },
            // A comparison and its negation are one predicate.
            _ if terms.op(negated) != &Op::Not && negated < literal => (Subject::Predicate(negated), terms.bool(false)),
            _ => (Subject::Predicate(literal), terms.bool(true)),
        };
        self.0.entry(subject).or_insert_with(|| BTreeSet::from([value]));
    }

    /// The facts that speak only of what is visible.
    pub(super) fn about(mut self, terms: &Terms, visible: impl Fn(Symbol) -> bool) -> Cube {
        self.0.retain(|subject, _| match subject {
            Subject::Variable(symbol) => visible(*symbol),
            Subject::Predicate(predicate) => terms.symbols_of([*predicate]).into_iter().all(&visible),
        });
        self
    }

    /// The facts as text, those about single variables first, in the order of their declarations.
    pub(super) fn written(&self, terms: &mut Terms, notation: &SourceNotation<'_>) -> Vec<String> {
        let mut facts: Vec<_> = self.0.iter().collect();
        facts.sort_by_key(|(subject, _)| match subject {
            Subject::Variable(symbol) => (notation.variable(*symbol).map_or((1, None), |v| (0, Some(v))), None),
            Subject::Predicate(predicate) => ((2, None), Some(*predicate)),
        });
        facts.into_iter().map(|(subject, values)| fact(terms, notation, *subject, values)).collect()
    }

    /// Whether every case of the other is one of this.
    fn covers(&self, other: &Cube) -> bool {
        self.0.iter().all(|(subject, values)| other.0.get(subject).is_some_and(|theirs| theirs.is_subset(values)))
    }
}

fn fact(terms: &mut Terms, notation: &SourceNotation<'_>, subject: Subject, values: &BTreeSet<TermId>) -> String {
    match subject {
        Subject::Predicate(predicate) => {
            let holds = values.iter().any(|value| terms.op(*value) == &Op::Bool(true));
            let literal = if holds { predicate } else { terms.not(predicate) };
            let text = notation.write(terms, literal);
            if terms.op(literal) == &Op::Or { format!("({text})") } else { text }
        }
        Subject::Variable(symbol) => {
            let name = notation.name(terms, symbol);
            if let Some(kind) = notation.float(symbol) {
                return among_floats(terms, &name, kind, values);
            }
            let signed = notation.signed(symbol) != Some(false);
            let mut numbers: Vec<Integer> = values.iter().filter_map(|value| number(terms, *value, signed)).collect();
            numbers.sort();
            match (numbers.is_empty(), values.iter().next()) {
                (false, _) => among(&name, &numbers),
                (true, Some(value)) if terms.op(*value) == &Op::Bool(false) => format!("!{name}"),
                (true, _) => name,
            }
        }
    }
}

/// How many values are told one by one.
const MAX_VALUES: usize = 6;

/// That something is one of these numbers, in order; where they are many, at least between which it is.
fn among(name: &str, numbers: &[Integer]) -> String {
    let [first, .., last] = numbers else { return format!("{name} == {}", numbers[0]) };
    let step = &numbers[1] - first;
    let even = numbers.windows(2).all(|pair| &pair[1] - &pair[0] == step);
    let range = format!("{name} >= {first} && {name} <= {last}");
    match numbers.len() {
        3.. if even && step == Integer::ONE => range,
        ..=MAX_VALUES => {
            let each: Vec<String> = numbers.iter().map(|number| format!("{name} == {number}")).collect();
            format!("({})", each.join(" || "))
        }
        _ if !even => range,
        _ if first.div_rem_euclid(&step).is_some_and(|(_, rest)| rest.is_zero()) => {
            format!("{range} && {name} % {step} == 0")
        }
        _ if first.is_negative() => format!("{range} && ({name} + {}) % {step} == 0", -first.clone()),
        _ => format!("{range} && ({name} - {first}) % {step} == 0"),
    }
}

/// That something is one of these floating-point numbers; where they are many, at least between which it is.
fn among_floats(terms: &Terms, name: &str, kind: FloatKind, values: &BTreeSet<TermId>) -> String {
    let bits = values.iter().filter_map(|value| number(terms, *value, false)?.to_u64());
    let mut bits: Vec<u64> = bits.collect();
    bits.sort_by(|a, b| kind.to_f64(*a).total_cmp(&kind.to_f64(*b)));
    let each: Vec<String> = bits.iter().map(|bits| format!("{name} == {}", kind.print(*bits))).collect();
    match (&bits[..], each.len()) {
        (_, ..=1) => each.concat(),
        (_, ..=MAX_VALUES) => format!("({})", each.join(" || ")),
        ([first, .., last], _) if !kind.is_nan(*first) && !kind.is_nan(*last) => {
            format!("{name} >= {} && {name} <= {}", kind.print(*first), kind.print(*last))
        }
        _ => "…".to_owned(),
    }
}

fn number(terms: &Terms, value: TermId, signed: bool) -> Option<Integer> {
    match terms.op(value) {
        Op::Int(number) => Some(number.clone()),
        Op::BitVec(number, width) if signed => Some(number.wrap_signed(*width)),
        Op::BitVec(number, _) => Some(number.clone()),
        _ => None,
    }
}

/// The variable and the constant of an equation between them.
fn variable_with_value(terms: &Terms, equation: TermId) -> Option<(Symbol, TermId)> {
    let &[a, b] = terms.args(equation) else { return None };
    let pair = |variable, value| Some((terms.as_symbol(variable)?, terms.as_value(value).map(|_| value)?));
    pair(a, b).or_else(|| pair(b, a))
}

/// A disjunction of cubes as what they have in common, and what is left of each.
pub(super) fn simplified(terms: &Terms, mut cubes: Vec<Cube>) -> (Cube, Vec<Cube>) {
    cubes.sort();
    cubes.dedup();
    merge(terms, &mut cubes);
    if cubes.len() * cubes.len() <= MAX_PAIRS {
        let all = cubes.clone();
        let covered = |cube: &Cube| all.iter().any(|other| other != cube && other.covers(cube));
        cubes.retain(|cube| !covered(cube));
    }
    let mut common = cubes.first().cloned().unwrap_or_default();
    for cube in &cubes {
        common.0.retain(|subject, values| cube.0.get(subject) == Some(values));
    }
    for cube in &mut cubes {
        cube.0.retain(|subject, _| !common.0.contains_key(subject));
    }
    // Where one of them says nothing more, none does.
    if cubes.iter().any(|cube| cube.0.is_empty()) {
        cubes.clear();
    }
    (common, cubes)
}

/// Merges cubes that differ in one subject only, as long as there are such.
fn merge(terms: &Terms, cubes: &mut Vec<Cube>) {
    loop {
        let before = cubes.len();
        let subjects: BTreeSet<Subject> = cubes.iter().flat_map(|cube| cube.0.keys().copied()).collect();
        if before < 2 || subjects.len().saturating_mul(before) > MAX_FACTS {
            return;
        }
        for subject in subjects {
            let mut groups: BTreeMap<Cube, Option<BTreeSet<TermId>>> = BTreeMap::new();
            for mut cube in std::mem::take(cubes) {
                let values = cube.0.remove(&subject);
                match groups.get_mut(&cube) {
                    None => {
                        groups.insert(cube, values);
                    }
                    Some(known) => {
                        // A cube that says nothing of the subject takes the others in.
                        *known = known.take().zip(values).map(|(mut all, more)| {
                            all.extend(more);
                            all
                        });
                    }
                }
            }
            for (mut cube, values) in groups {
                let is_bool =
                    |values: &BTreeSet<TermId>| values.iter().all(|value| matches!(terms.op(*value), Op::Bool(_)));
                match values {
                    // True or false: nothing is said.
                    Some(values) if values.len() == 2 && is_bool(&values) => {}
                    Some(values) => {
                        cube.0.insert(subject, values);
                    }
                    None => {}
                }
                cubes.push(cube);
            }
        }
        cubes.sort();
        cubes.dedup();
        if cubes.len() == before {
            return;
        }
    }
}

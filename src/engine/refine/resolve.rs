//! From formulas with cases to the one case that a model is in: conjunctions of literals, values without conditions.

use crate::term::{Assignment, Integer, Op, Symbol, TermId, Terms, Value, eval::eval_cached};
use rustc_hash::FxHashMap;

/// Takes terms apart in the light of one assignment.
pub(crate) struct Resolver<'t> {
    terms: &'t mut Terms,
    assignment: &'t Assignment,
    values: FxHashMap<TermId, Value>,
    resolved: FxHashMap<TermId, TermId>,
    /// What makes the case the one it is.
    pub conditions: Vec<TermId>,
    /// Symbols that stand for quotients, which the conditions describe.
    pub quotients: Vec<Symbol>,
}

impl<'t> Resolver<'t> {
    pub(crate) fn new(terms: &'t mut Terms, assignment: &'t Assignment) -> Resolver<'t> {
        Resolver {
            terms,
            assignment,
            values: FxHashMap::default(),
            resolved: FxHashMap::default(),
            conditions: Vec::new(),
            quotients: Vec::new(),
        }
    }

    /// The value of a term.
    pub(crate) fn value(&mut self, term: TermId) -> Value {
        eval_cached(self.terms, term, self.assignment, &mut self.values)
    }

    fn is_true(&mut self, formula: TermId) -> bool {
        self.value(formula).as_bool() == Some(true)
    }

    /// Adds conditions that make a formula what it is under the assignment.
    pub(crate) fn explain(&mut self, formula: TermId) {
        let truth = self.is_true(formula);
        let args = self.terms.args(formula).to_vec();
        match (self.terms.op(formula).clone(), truth) {
            (Op::Bool(_), _) => {}
            (Op::Not, _) => self.explain(args[0]),
            (Op::And, true) | (Op::Or, false) => args.into_iter().for_each(|arg| self.explain(arg)),
            (Op::And, false) | (Op::Or, true) => {
                let decisive = args.into_iter().find(|&arg| self.is_true(arg) == truth);
                self.explain(decisive.expect("one of them makes it so"));
            }
            (Op::Ite, _) => {
                self.explain(args[0]);
                let branch = if self.is_true(args[0]) { args[1] } else { args[2] };
                self.explain(branch);
            }
            (Op::Eq, _) if self.terms.sort(args[0]) == crate::term::Sort::Bool => {
                args.into_iter().for_each(|arg| self.explain(arg));
            }
            (Op::Eq, false) if self.terms.sort(args[0]) == crate::term::Sort::Int => {
                let (a, b) = (self.resolve(args[0]), self.resolve(args[1]));
                let (x, y) = (self.value(args[0]), self.value(args[1]));
                let less = x.as_integer() < y.as_integer();
                let literal = if less { self.terms.lt(a, b) } else { self.terms.lt(b, a) };
                self.conditions.push(literal);
            }
            (op, _) => {
                let resolved: Vec<TermId> = args.into_iter().map(|arg| self.resolve(arg)).collect();
                let atom = if resolved.is_empty() { formula } else { self.terms.make(op, &resolved) };
                let literal = if truth { atom } else { self.terms.not(atom) };
                self.conditions.push(literal);
            }
        }
    }

    /// The term without cases, which equals it where the conditions hold.
    pub(crate) fn resolve(&mut self, term: TermId) -> TermId {
        if let Some(&known) = self.resolved.get(&term) {
            return known;
        }
        let args = self.terms.args(term).to_vec();
        let result = if self.terms.sort(term) == crate::term::Sort::Bool {
            self.explain(term);
            let truth = self.is_true(term);
            self.terms.bool(truth)
        } else if self.terms.op(term) == &Op::Ite {
            self.explain(args[0]);
            let branch = if self.is_true(args[0]) { args[1] } else { args[2] };
            self.resolve(branch)
        } else if args.is_empty() {
            term
        } else {
            let op = self.terms.op(term).clone();
            let resolved: Vec<TermId> = args.into_iter().map(|arg| self.resolve(arg)).collect();
            match (&op, self.terms.as_value(*resolved.last().expect("there are some"))) {
                (Op::Div | Op::Mod, Some(Value::Int(divisor))) if Integer::ZERO < divisor => {
                    self.divide(&op, resolved[0], divisor)
                }
                _ => self.terms.make(op, &resolved),
            }
        };
        self.resolved.insert(term, result);
        result
    }

    /// A quotient or remainder by a positive number, by a symbol for the quotient.
    fn divide(&mut self, op: &Op, dividend: TermId, divisor: Integer) -> TermId {
        let name = format!("quotient!{}!{divisor}", dividend.index());
        let quotient = self.terms.var(&name, crate::term::Sort::Int);
        let symbol = self.terms.as_symbol(quotient).expect("a free constant is its symbol");
        let factor = self.terms.int(divisor.clone());
        let product = self.terms.mul(factor, quotient);
        if !self.quotients.contains(&symbol) {
            self.quotients.push(symbol);
            let below = self.terms.le(product, dividend);
            let last = self.terms.int(&divisor - &Integer::ONE);
            let end = self.terms.add(product, last);
            let above = self.terms.le(dividend, end);
            self.conditions.extend([below, above]);
        }
        match op {
            Op::Div => quotient,
            _ => self.terms.sub(dividend, product),
        }
    }
}

/// The atoms of a formula, each once, negated where they are negated in it; equations of integers as inequalities.
pub(crate) fn literals(terms: &mut Terms, formula: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut pending = vec![(formula, true)];
    while let Some((next, truth)) = pending.pop() {
        let args = terms.args(next).to_vec();
        match (terms.op(next), &args[..]) {
            (Op::Bool(_), _) => {}
            (Op::Not, _) => pending.extend(args.into_iter().map(|arg| (arg, !truth))),
            (Op::And | Op::Or, _) => pending.extend(args.into_iter().map(|arg| (arg, truth))),
            (Op::Implies, [premise, conclusion]) => pending.extend([(*premise, !truth), (*conclusion, truth)]),
            (Op::Eq, [a, b]) if terms.sort(*a) == crate::term::Sort::Int => match truth {
                true => found.extend([terms.le(*a, *b), terms.le(*b, *a)]),
                false => found.extend([terms.lt(*a, *b), terms.lt(*b, *a)]),
            },
            (Op::Ite, _) => pending.extend(args.into_iter().flat_map(|arg| [(arg, true), (arg, false)])),
            (Op::Eq, [a, _]) if terms.sort(*a) == crate::term::Sort::Bool => {
                pending.extend(args.into_iter().flat_map(|arg| [(arg, true), (arg, false)]));
            }
            _ => found.push(if truth { next } else { terms.not(next) }),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The atoms of a formula, each once, without negation; equations of integers as the two inequalities.
pub(crate) fn atoms(terms: &mut Terms, formula: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut pending = vec![formula];
    while let Some(next) = pending.pop() {
        let args = terms.args(next).to_vec();
        match terms.op(next) {
            Op::Bool(_) => {}
            Op::Not | Op::And | Op::Or | Op::Implies => pending.extend(args),
            Op::Ite => pending.extend(args),
            Op::Eq if terms.sort(args[0]) == crate::term::Sort::Bool => pending.extend(args),
            Op::Eq if terms.sort(args[0]) == crate::term::Sort::Int => {
                found.push(terms.le(args[0], args[1]));
                found.push(terms.le(args[1], args[0]));
            }
            _ => found.push(next),
        }
    }
    // A comparison and its negation are one predicate.
    for atom in &mut found {
        let negated = terms.not(*atom);
        if terms.op(negated) != &Op::Not && negated < *atom {
            *atom = negated;
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

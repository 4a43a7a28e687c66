//! Conjunctions of bounds, without those that say nothing.

use super::{Integer, Op, TermId, Terms};
use rustc_hash::FxHashMap;

impl Terms {
    /// The formulas without those bounds of integer sums that others of them imply; two bounds that leave one value
    /// become an equation.
    pub fn strongest_bounds(&mut self, formulas: Vec<TermId>) -> Vec<TermId> {
        let mut least: FxHashMap<TermId, Integer> = FxHashMap::default();
        for &formula in &formulas {
            if let Some((sum, limit)) = self.bound(formula) {
                let known = least.entry(sum).or_insert_with(|| limit.clone());
                if limit < *known {
                    *known = limit;
                }
            }
        }
        let mut kept: Vec<TermId> = Vec::new();
        for formula in formulas {
            let literal = match self.bound(formula) {
                None => formula,
                Some((sum, limit)) if least[&sum] != limit => continue,
                Some((sum, limit)) => {
                    let opposite = self.neg(sum);
                    match least.get(&opposite) {
                        // Only once, whichever of the two comes first.
                        Some(other) if -other.clone() == limit && opposite < sum => continue,
                        Some(other) if -other.clone() == limit => {
                            let limit = self.int(limit);
                            self.eq(sum, limit)
                        }
                        _ => formula,
                    }
                }
            };
            if !kept.contains(&literal) {
                kept.push(literal);
            }
        }
        kept
    }

    /// The sum and the limit of `sum <= limit`.
    fn bound(&self, formula: TermId) -> Option<(TermId, Integer)> {
        match (self.op(formula), self.args(formula)) {
            (Op::Le, &[sum, limit]) => match self.op(limit) {
                Op::Int(limit) => Some((sum, limit.clone())),
                _ => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Sort, infix::infix, parse_sexprs};
    use super::*;

    fn kept(texts: &[&str]) -> String {
        let mut terms = Terms::new();
        for name in ["x", "y"] {
            terms.var(name, Sort::Int);
        }
        let mut formulas = Vec::new();
        for text in texts {
            formulas.push(terms.parse_term(&parse_sexprs(text).unwrap()[0], &Default::default()).unwrap());
        }
        let kept = terms.strongest_bounds(formulas);
        kept.iter().map(|&formula| infix(&terms, formula)).collect::<Vec<_>>().join(" && ")
    }

    #[test]
    fn weaker_bounds_go() {
        assert_eq!(kept(&["(<= x 5)", "(<= x 3)", "(<= x 4)", "(>= x 0)", "(>= x 1)"]), "x <= 3 && x >= 1");
        assert_eq!(kept(&["(<= x y)", "(<= x (+ y 2))", "(< y 7)"]), "x <= y && y <= 6");
    }

    #[test]
    fn two_bounds_can_be_an_equation() {
        assert_eq!(kept(&["(<= x 3)", "(>= x 3)", "(<= x 9)"]), "x = 3");
        assert_eq!(kept(&["(>= x y)", "(= y 1)", "(<= x y)"]), "x = y && y = 1");
    }
}

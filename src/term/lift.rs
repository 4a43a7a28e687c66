//! Products of choices as choices of products.
//!
//! `x * x` where `x` is `ite(c, a, b)` is `ite(c, a * a, b * b)`. A solver that meets `a * a` elsewhere, too, then sees
//! that these are equal, and need not look into the product.

use super::{Op, TermId, Terms};
use rustc_hash::FxHashMap;

/// How deep choices are looked into: they come from accesses of an element, one from each.
const MAX_DEPTH: usize = 64;

type Products = FxHashMap<(Op, TermId, TermId), TermId>;

impl Terms {
    /// The formulas with choices in front of products, where the factors are choices by the same condition.
    pub fn lift_products(&mut self, formulas: &[TermId]) -> Vec<TermId> {
        if !self.has_product(formulas) {
            return formulas.to_vec();
        }
        let (mut done, mut products) = (FxHashMap::default(), Products::default());
        formulas.iter().map(|&formula| self.lift(formula, &mut done, &mut products)).collect()
    }

    /// Whether two factors of a product somewhere below are choices.
    fn has_product(&self, formulas: &[TermId]) -> bool {
        let (mut seen, mut waiting) = (rustc_hash::FxHashSet::default(), formulas.to_vec());
        while let Some(term) = waiting.pop() {
            if !seen.insert(term) {
                continue;
            }
            if matches!(self.op(term), Op::Mul | Op::BvMul)
                && let &[a, b] = self.args(term)
                && self.op(a) == &Op::Ite
                && self.op(b) == &Op::Ite
            {
                return true;
            }
            waiting.extend(self.args(term));
        }
        false
    }

    fn lift(&mut self, term: TermId, done: &mut FxHashMap<TermId, TermId>, products: &mut Products) -> TermId {
        let mut waiting = vec![term];
        while let Some(&next) = waiting.last() {
            if done.contains_key(&next) {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            waiting.extend(self.args(next).iter().filter(|arg| !done.contains_key(arg)));
            if waiting.len() > before {
                continue;
            }
            let args: Vec<TermId> = self.args(next).iter().map(|arg| done[arg]).collect();
            let op = self.op(next).clone();
            let lifted = match (&op, &args[..]) {
                (Op::Mul | Op::BvMul, &[a, b]) => self.product(&op, a, b, MAX_DEPTH, products),
                _ if args == self.args(next) => next,
                _ => self.make(op, &args),
            };
            done.insert(next, lifted);
            waiting.pop();
        }
        done[&term]
    }

    fn product(&mut self, op: &Op, a: TermId, b: TermId, depth: usize, products: &mut Products) -> TermId {
        let key = (op.clone(), a, b);
        if let Some(&known) = products.get(&key) {
            return known;
        }
        let choice = |terms: &Terms, term: TermId| match (terms.op(term), terms.args(term)) {
            (Op::Ite, &[condition, then, otherwise]) => Some((condition, then, otherwise)),
            _ => None,
        };
        let product = match (choice(self, a), choice(self, b)) {
            (Some((condition, a_then, a_else)), Some((same, b_then, b_else))) if condition == same && depth > 0 => {
                let then = self.product(op, a_then, b_then, depth - 1, products);
                let otherwise = self.product(op, a_else, b_else, depth - 1, products);
                self.ite(condition, then, otherwise)
            }
            _ => self.make(op.clone(), &[a, b]),
        };
        products.insert(key, product);
        product
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Assignment, Integer, Random, Sort, Value, eval, infix::infix};
    use super::*;

    #[test]
    fn a_square_of_a_choice_is_a_choice_of_squares() {
        let mut terms = Terms::new();
        let [c, x, y] = [("c", Sort::Bool), ("x", Sort::Int), ("y", Sort::Int)].map(|(n, sort)| terms.var(n, sort));
        let choice = terms.ite(c, x, y);
        let square = terms.mul(choice, choice);
        let five = terms.int(5);
        let is_five = terms.eq(square, five);
        let lifted = terms.lift_products(&[is_five]);
        let (of_x, of_y) = (terms.mul(x, x), terms.mul(y, y));
        let wanted = terms.ite(c, of_x, of_y);
        let wanted = terms.eq(wanted, five);
        assert_eq!(lifted, [wanted], "{}", infix(&terms, lifted[0]));
    }

    #[test]
    fn the_value_stays() {
        let mut random = Random::new(3);
        for sort in [Sort::Int, Sort::BitVec(8)] {
            for _ in 0..200 {
                let mut terms = Terms::new();
                let conditions = ["c", "d"].map(|name| terms.var(name, Sort::Bool));
                let mut numbers = ["x", "y"].map(|name| terms.var(name, sort)).to_vec();
                for _ in 0..8 {
                    let [a, b] = [0, 1].map(|_| *random.choose(&numbers));
                    let condition = *random.choose(&conditions);
                    numbers.push(match (random.below(3), sort) {
                        (0, Sort::Int) => terms.mul(a, b),
                        (0, _) => terms.make(Op::BvMul, &[a, b]),
                        _ => terms.ite(condition, a, b),
                    });
                }
                let [a, b] = [0, 1].map(|_| *random.choose(&numbers));
                let before = terms.eq(a, b);
                let after = terms.lift_products(&[before])[0];
                for values in 0..36 {
                    let mut assignment = Assignment::default();
                    for (number, name) in ["c", "d", "x", "y"].into_iter().enumerate() {
                        let of = if number < 2 { Sort::Bool } else { sort };
                        let term = terms.var(name, of);
                        let Op::Var(symbol) = *terms.op(term) else { unreachable!("it is a variable") };
                        let value = Integer::from([values % 2, values / 2 % 2, values / 4 % 3, values / 12][number]);
                        assignment.insert(
                            symbol,
                            match of {
                                Sort::Bool => Value::Bool(!value.is_zero()),
                                Sort::Int => Value::Int(value - Integer::ONE),
                                _ => Value::BitVec(value, 8),
                            },
                        );
                    }
                    assert_eq!(eval(&terms, before, &assignment), eval(&terms, after, &assignment));
                }
            }
        }
    }
}

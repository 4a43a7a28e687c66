//! Terms that a solver is told once: commands give names to what one large formula, or a later one, uses again.

use super::write_node;
use crate::term::{TermId, Terms};
use std::fmt::Write;

/// How large a term is, nothing shared, that is written by names.
const LARGE: u32 = 4096;

/// What was written of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    Never,
    Once,
    /// It has a name.
    Named,
}

/// What was written so far. Whoever reads it must keep definitions when it pops levels.
#[derive(Debug, Default)]
pub struct Named {
    written: Vec<Written>,
}

impl Named {
    /// Nobody knows anything any more.
    pub fn clear(&mut self) {
        self.written.clear();
    }

    /// Whether a term is large enough to be written by names.
    pub fn suits(terms: &Terms, term: TermId) -> bool {
        terms.written_size(term) >= LARGE
    }

    /// Appends commands that name all that the term uses more than once, or that was written before. Each term is so
    /// written twice at most, however many formulas use it.
    pub fn define(&mut self, terms: &Terms, term: TermId, out: &mut String) {
        self.written.resize(terms.len(), Written::Never);
        let mut again = Vec::new();
        let mut pending = vec![term];
        while let Some(next) = pending.pop() {
            let args = terms.args(next);
            if args.is_empty() {
                continue;
            }
            match &mut self.written[next.index()] {
                written @ Written::Never => {
                    *written = Written::Once;
                    pending.extend_from_slice(args);
                }
                written @ Written::Once => {
                    *written = Written::Named;
                    again.push(next);
                }
                Written::Named => {}
            }
        }
        // Arguments have smaller ids than what is built of them.
        again.sort_unstable();
        let mut stack = Vec::new();
        for next in again {
            let _ = write!(out, "(define-fun ?d{} () {} ", next.index(), terms.sort(next));
            write_node(terms, next, &|term, out| self.write_name(term, out), &mut stack, out);
            out.push_str(")\n");
        }
    }

    /// Appends the text of a term for which that was done.
    pub fn write(&self, terms: &Terms, term: TermId, out: &mut String) {
        if terms.args(term).is_empty() || !self.write_name(term, out) {
            write_node(terms, term, &|term, out| self.write_name(term, out), &mut Vec::new(), out);
        }
    }

    /// Writes the name of a term that has one. No name of ours begins like that.
    fn write_name(&self, term: TermId, out: &mut String) -> bool {
        self.written.get(term.index()) == Some(&Written::Named) && write!(out, "?d{}", term.index()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Op, Sort};

    #[test]
    fn what_is_used_again_is_written_twice_at_most() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(8));
        let one = terms.bit_vec(1, 8);
        let deep = (0..100).fold(x, |term, _| terms.raw(Op::BvXor, &[term, one]));
        let formulas =
            [terms.raw(Op::BvUlt, &[deep, x]), terms.raw(Op::BvUlt, &[x, deep]), terms.raw(Op::Eq, &[deep, x])];
        let (mut named, mut text) = (Named::default(), String::new());
        for formula in formulas {
            named.define(&terms, formula, &mut text);
            text.push_str("(assert ");
            named.write(&terms, formula, &mut text);
            text.push_str(")\n");
        }
        assert_eq!(text.matches("bvxor").count(), 200);
        assert_eq!(text.matches("define-fun").count(), 1);
        let name = format!("?d{}", deep.index());
        assert!(text.ends_with(&format!("(assert (bvult x {name}))\n(assert (= {name} x))\n")), "{text}");
    }
}

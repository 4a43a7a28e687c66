//! Facts that others imply by their form: they need not be asked about while these hold.

use crate::transform::interleave::modular::{Comparison, Fact, Facts, Operand, Subject};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The facts of each subject that others do not imply.
#[derive(Default)]
pub(super) struct Essential {
    found: FxHashMap<Subject, Rc<[Fact]>>,
    all: FxHashMap<Subject, Rc<FxHashSet<Fact>>>,
}

impl Essential {
    /// Facts of a subject were dropped.
    pub(super) fn forget(&mut self, subject: Subject) {
        self.all.remove(&subject);
        match subject {
            Subject::All => self.found.clear(),
            Subject::One(spot) => self.found.retain(|of, _| match of {
                Subject::Two(one, other) => *one != spot && *other != spot,
                other => *other != subject,
            }),
            Subject::Two(..) => drop(self.found.remove(&subject)),
        }
    }

    /// Those of a subject.
    pub(super) fn of(&mut self, subject: Subject, facts: &Facts) -> Rc<[Fact]> {
        if let Some(known) = self.found.get(&subject) {
            return known.clone();
        }
        let own = self.all_of(subject, facts);
        let more_general: Vec<Rc<FxHashSet<Fact>>> = match subject {
            Subject::All => Vec::new(),
            Subject::One(_) => vec![self.all_of(Subject::All, facts)],
            Subject::Two(one, other) => {
                [Subject::All, Subject::One(one), Subject::One(other)].map(|s| self.all_of(s, facts)).into()
            }
        };
        let is_implied = |fact: &Fact| {
            let plain = Fact { guard: None, body: fact.body.clone() };
            (fact.guard.is_some() && own.contains(&plain))
                || !reads_own(fact) && more_general.iter().any(|all| all.contains(&plain) || all.contains(fact))
        };
        let found: Rc<[Fact]> =
            facts.get(&subject).into_iter().flatten().filter(|fact| !is_implied(fact)).cloned().collect();
        self.found.insert(subject, found.clone());
        found
    }

    fn all_of(&mut self, subject: Subject, facts: &Facts) -> Rc<FxHashSet<Fact>> {
        let all = || Rc::new(facts.get(&subject).into_iter().flatten().cloned().collect());
        self.all.entry(subject).or_insert_with(all).clone()
    }
}

/// Whether a fact speaks of a thread: the same words mean others where it is said of others.
fn reads_own(fact: &Fact) -> bool {
    let is_own = |operand: &Operand| matches!(operand, Operand::Local(..) | Operand::Me(_));
    fact.body.is_none()
        || fact.guard.iter().chain(&fact.body).any(|Comparison { left, right, .. }| is_own(left) || is_own(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{BinaryOp, Id, Type, VarId};
    use crate::term::Integer;

    fn is(variable: usize, op: BinaryOp, number: i64) -> Comparison {
        let right = Operand::Number(Integer::from(number), Type::Int);
        Comparison { op, left: Operand::Global(VarId::new(variable)), right }
    }

    #[test]
    fn what_holds_of_all_or_without_a_condition_is_not_asked_again() {
        let plain = |body: Comparison| Fact { guard: None, body: Some(body) };
        let (x, y) = (is(0, BinaryOp::Ge, 0), is(1, BinaryOp::Eq, 3));
        let behind = Fact { guard: Some(y.clone()), body: Some(x.clone()) };
        let one = Subject::One((0, 0));
        let two = Subject::Two((0, 0), (1, 2));
        let mut facts = Facts::new();
        facts.insert(Subject::All, vec![plain(x.clone()), behind.clone()]);
        facts.insert(one, vec![plain(x.clone()), behind.clone(), plain(y.clone())]);
        facts.insert(two, vec![Fact::NEVER, plain(y.clone()), behind.clone()]);
        let mut essential = Essential::default();
        assert_eq!(*essential.of(Subject::All, &facts), [plain(x.clone())]);
        assert_eq!(*essential.of(one, &facts), [plain(y.clone())]);
        assert_eq!(*essential.of(two, &facts), [Fact::NEVER]);
        facts.insert(Subject::All, vec![behind.clone()]);
        essential.forget(Subject::All);
        assert_eq!(*essential.of(one, &facts), [plain(x), plain(y)]);
        assert_eq!(*essential.of(two, &facts), [Fact::NEVER]);
        facts.insert(one, Vec::new());
        essential.forget(one);
        assert_eq!(essential.of(two, &facts).len(), 2, "{facts:?}");
    }
}

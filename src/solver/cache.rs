//! Answers remembered, and what the solver was asked.

use super::Answer;
use crate::term::TermId;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::fmt;

/// What a solver was asked, and how it went.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// Questions put to this layer.
    pub queries: u64,
    /// Of these, answered from the cache.
    pub cache_hits: u64,
    /// Of these, answered without the solver because a truth value was all that was left.
    pub trivial: u64,
    /// Answers that were satisfiable.
    pub sat: u64,
    /// Answers that were unsatisfiable.
    pub unsat: u64,
    /// Answers that were unknown.
    pub unknown: u64,
    /// Processes replaced because they died, hung or talked nonsense.
    pub restarts: u64,
    /// Processes started in all.
    pub processes: u64,
    /// Seconds spent waiting for the solver.
    pub seconds: f64,
}

impl Statistics {
    /// Adds those of another solver.
    pub fn add(&mut self, other: &Statistics) {
        self.queries += other.queries;
        self.cache_hits += other.cache_hits;
        self.trivial += other.trivial;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.restarts += other.restarts;
        self.processes += other.processes;
        self.seconds += other.seconds;
    }

    pub(super) fn count(&mut self, answer: &Answer) {
        match answer {
            Answer::Sat => self.sat += 1,
            Answer::Unsat => self.unsat += 1,
            Answer::Unknown(_) => self.unknown += 1,
        }
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Statistics { queries, cache_hits, trivial, sat, unsat, unknown, restarts, seconds, .. } = self;
        write!(
            f,
            "{queries} queries ({sat} sat, {unsat} unsat, {unknown} unknown; {cache_hits} from the cache, {trivial} trivial), \
             {restarts} restarts, {seconds:.2} s in the solver"
        )
    }
}

/// Answers by the set of terms that were asked about.
#[derive(Default)]
pub(super) struct QueryCache {
    answers: FxHashMap<Box<[TermId]>, bool>,
    terms: usize,
}

/// How many terms all keys together may hold before the cache is emptied: about 64 MB.
const MAX_TERMS: usize = 1 << 24;

impl QueryCache {
    /// The set of terms as a key: what is asserted and what is assumed mean the same for satisfiability.
    pub(super) fn key(parts: impl Iterator<Item = TermId>) -> Box<[TermId]> {
        let mut key: Vec<TermId> = parts.collect();
        key.sort_unstable();
        key.dedup();
        key.into_boxed_slice()
    }

    pub(super) fn get(&self, key: &[TermId]) -> Option<Answer> {
        self.answers.get(key).map(|&sat| if sat { Answer::Sat } else { Answer::Unsat })
    }

    /// Remembers an answer, unless it is `Unknown`.
    pub(super) fn insert(&mut self, key: Box<[TermId]>, answer: &Answer) {
        if matches!(answer, Answer::Unknown(_)) {
            return;
        }
        if self.terms + key.len() > MAX_TERMS {
            *self = QueryCache::default();
        }
        self.terms += key.len();
        self.answers.insert(key, answer.is_sat());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Sort, Terms};

    #[test]
    fn a_key_is_a_set() {
        let mut terms = Terms::new();
        let (p, q) = (terms.var("p", Sort::Bool), terms.var("q", Sort::Bool));
        let mut cache = QueryCache::default();
        cache.insert(QueryCache::key([p, q, p].into_iter()), &Answer::Unsat);
        cache.insert(QueryCache::key([p].into_iter()), &Answer::Unknown(crate::solver::Reason::Limit));
        assert_eq!(cache.get(&QueryCache::key([q, p].into_iter())), Some(Answer::Unsat));
        assert_eq!(cache.get(&QueryCache::key([p].into_iter())), None);
    }
}

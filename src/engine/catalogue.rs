//! The catalogue of engines: what each is called, what it does, and what it can decide. Arguments, reports, the
//! portfolio and tests read it here. An engine without an entry does not compile.

use super::{BoundedConfig, CegarConfig, EngineConfig, ExplicitConfig, PandaConfig, SymbolicConfig};
use crate::program::Property;
use std::str::FromStr;

/// An engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EngineId {
    /// Abstraction, refined by counterexamples.
    Cegar,
    /// Concrete states, one by one.
    Explicit,
    /// Symbolic execution with abstract matching.
    Symbolic,
    /// Symbolic execution as far as time and the bound allow.
    Bounded,
    /// Predicate abstraction and concrete execution of the same step.
    Panda,
    /// Lists of any length, as chains of alike nodes.
    Shape,
}

/// What the catalogue says of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// What users call it, on the command line and in results.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// What its proofs are.
    pub proof: &'static str,
    /// Whether it executes threads itself; others are given the interleavings as a program of one thread.
    pub has_threads: bool,
    /// Whether it decides properties of whole states: data races and deadlocks.
    pub sees_states: bool,
    /// Whether it finds failures; others only prove that there is none.
    pub finds_failures: bool,
}

/// There is no engine of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no engine `{0}`; this version has: auto, {all}", all = EngineId::names().join(", "))]
pub struct UnknownEngine(String);

impl EngineId {
    /// Every engine.
    pub const ALL: [EngineId; 6] =
        [EngineId::Cegar, EngineId::Explicit, EngineId::Symbolic, EngineId::Bounded, EngineId::Panda, EngineId::Shape];

    /// What there is to say of it.
    pub fn entry(self) -> Entry {
        match self {
            EngineId::Cegar => Entry {
                name: "cegar",
                about: "abstraction, refined by counterexamples that turn out not to be real",
                proof: "formulas at the heads of loops and recursive procedures",
                has_threads: false,
                sees_states: false,
                finds_failures: true,
            },
            EngineId::Explicit => Entry {
                name: "explicit",
                about: "concrete states one by one; threads, races and deadlocks too",
                proof: "the set of all states that can be reached",
                has_threads: true,
                sees_states: true,
                finds_failures: true,
            },
            EngineId::Symbolic => Entry {
                name: "symbolic",
                about: "symbolic execution with abstract matching, of programs without recursion",
                proof: "formulas at locations",
                has_threads: false,
                sees_states: false,
                finds_failures: true,
            },
            EngineId::Bounded => Entry {
                name: "bounded",
                about: "symbolic execution as far as time and --bound allow",
                proof: "an unrolling: every execution, followed to its end",
                has_threads: false,
                sees_states: false,
                finds_failures: true,
            },
            EngineId::Panda => Entry {
                name: "panda",
                about: "predicate abstraction and concrete execution of the same step",
                proof: "an unrolling, or formulas at the heads of loops and recursive procedures",
                has_threads: false,
                sees_states: false,
                finds_failures: true,
            },
            EngineId::Shape => Entry {
                name: "shape",
                about: "lists of any length, as chains of alike nodes; proofs only",
                proof: "shapes of memory at the heads of loops and where ways meet",
                has_threads: false,
                sees_states: false,
                finds_failures: false,
            },
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The names of all.
    pub fn names() -> Vec<&'static str> {
        EngineId::ALL.into_iter().map(EngineId::name).collect()
    }

    /// How it works where nothing else is asked for.
    pub fn default_config(self) -> EngineConfig {
        match self {
            EngineId::Cegar => EngineConfig::Cegar(CegarConfig::default()),
            EngineId::Explicit => EngineConfig::Explicit(ExplicitConfig::default()),
            EngineId::Symbolic => EngineConfig::Symbolic(SymbolicConfig::default()),
            EngineId::Bounded => EngineConfig::Bounded(BoundedConfig::default()),
            EngineId::Panda => EngineConfig::Panda(PandaConfig::default()),
            EngineId::Shape => EngineConfig::Shape,
        }
    }

    /// Whether it can decide the property.
    pub fn decides(self, property: &Property) -> bool {
        self.entry().sees_states || !property.is_of_states()
    }
}

impl FromStr for EngineId {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<EngineId, UnknownEngine> {
        EngineId::ALL.into_iter().find(|id| id.name() == name).ok_or_else(|| UnknownEngine(name.to_owned()))
    }
}

impl EngineConfig {
    /// Which engine it is of.
    pub fn id(&self) -> EngineId {
        match self {
            EngineConfig::Cegar(_) => EngineId::Cegar,
            EngineConfig::Explicit(_) => EngineId::Explicit,
            EngineConfig::Symbolic(_) => EngineId::Symbolic,
            EngineConfig::Bounded(_) => EngineId::Bounded,
            EngineConfig::Panda(_) => EngineId::Panda,
            EngineConfig::Shape => EngineId::Shape,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_has_its_own_name_and_default() {
        for id in EngineId::ALL {
            assert_eq!(id.name().parse(), Ok(id));
            assert_eq!(id.default_config().id(), id);
        }
        let message = "magic".parse::<EngineId>().expect_err("there is none").to_string();
        assert_eq!(
            message,
            "there is no engine `magic`; this version has: auto, cegar, explicit, symbolic, bounded, panda, shape"
        );
    }

    #[test]
    fn only_engines_that_see_states_decide_races() {
        let deciding: Vec<&str> =
            EngineId::ALL.into_iter().filter(|id| id.decides(&Property::NoDataRace)).map(EngineId::name).collect();
        assert_eq!(deciding, ["explicit"]);
        assert!(EngineId::ALL.into_iter().all(|id| id.decides(&Property::Assert)));
    }
}

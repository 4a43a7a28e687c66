//! What an engine is asked, and what it answers: a claim, which only `confirm` can turn into a verdict.

use super::{DeterministicSteps, ShapeInvariants};
use crate::concrete::successors::Note;
use crate::concrete::token::Abstractions;
use crate::concrete::{Packed, Store, Trace};
use crate::formula::blocks::BlockSize;
use crate::formula::encode::{Arithmetic, Unsupported};
use crate::formula::memory::Memory;
use crate::program::control::Frame;
use crate::program::{Assumption, EdgeId, LocId, ProcId, Program, Property, Span};
use crate::term::{Symbol, TermId, Terms};
use crate::transform::interleave::modular::Facts;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A program and what is asked of it.
#[derive(Debug, Clone)]
pub struct Task {
    /// The program; valid.
    pub program: Program,
    /// The property.
    pub property: Property,
}

/// What an engine returns.
pub struct Run {
    /// What it claims.
    pub claim: Claim,
    /// What it did.
    pub statistics: Statistics,
}

/// What an engine says of a task.
pub enum Claim {
    /// The property holds, under the assumptions.
    Safe {
        /// Why.
        proof: Proof,
        /// What the proof takes for granted; a safe verdict needs this to be empty.
        assumptions: Assumptions,
    },
    /// It does not: this execution violates it.
    Unsafe(Trace),
    /// It does not, in several ways.
    Errors(FoundErrors),
    /// No answer.
    Unknown(Stop),
}

/// The distinct errors that were found, where more than the first was asked for.
pub struct FoundErrors {
    /// The first that was found.
    pub first: FoundError,
    /// The others.
    pub others: Vec<FoundError>,
    /// Why there could be more; nothing, where all executions were followed.
    pub left_open: Option<String>,
}

/// One error.
pub struct FoundError {
    /// The execution that ends in it.
    pub trace: Trace,
    /// Which of the violations it is that the last state has.
    pub number: usize,
}

/// Why a property holds.
pub enum Proof {
    /// These are all the states that can be reached.
    Reached(Box<ReachedStates>),
    /// These hold wherever an execution is there.
    Invariant(LocationInvariants),
    /// These hold at the cut points between large blocks.
    Cuts(Box<CutInvariants>),
    /// These are all the symbolic states at cut points that executions come through.
    Unrolling(Box<Unrolling>),
    /// These are all the shapes of memory that executions come through.
    Shapes(ShapeInvariants),
    /// This is a proof of the interleavings, as a program of one thread: [`crate::transform::interleave`].
    Interleaved(Box<Proof>),
    /// This is a proof of the program with tracked cells in place of arrays: [`crate::transform::cells`].
    Cells(Box<Proof>),
    /// This is a proof of the program with one tracked object for each site that makes many:
    /// [`crate::transform::cells::track_objects`].
    Objects(Box<Proof>),
    /// These hold of any number of threads: [`crate::transform::interleave::modular`].
    Modular(Facts),
}

/// A set of concrete states, as `concrete` packs them.
#[derive(Debug, Default)]
pub struct ReachedStates {
    /// The parts of the states.
    pub store: Store,
    /// Each state.
    pub states: Vec<Packed>,
    /// Whether the states between them are left out, where there is nothing to choose.
    pub deterministic: DeterministicSteps,
    /// Which variables have tokens for values: the states are those of the program with these abstract.
    pub abstractions: Abstractions,
}

/// A formula for each location of a program without calls and threads. A location that is left out cannot be reached.
///
/// The variables are the symbols that `formula::encode` gives them.
pub struct LocationInvariants {
    /// The store of the formulas.
    pub terms: Terms,
    /// The formulas.
    pub at: BTreeMap<(ProcId, LocId), TermId>,
}

/// What holds at the cut points of a program without threads, activation by activation of its recursive procedures.
///
/// The main procedure's activation is one of them; calls of procedures that are not recursive are part of the stacks.
/// Every call of a recursive procedure starts an activation whose entry allows it, and ends at one of its exits.
pub struct CutInvariants {
    /// The store of the formulas.
    pub terms: Terms,
    /// How machine integers are expressed in them.
    pub arithmetic: Arithmetic,
    /// What objects and cells of memory are called in them.
    pub memory: Memory,
    /// The variables whose known values keep ways through a block apart. Nothing depends on it but how hard the check is.
    pub tracked: FxHashSet<Symbol>,
    /// Where the cut points are.
    pub blocks: BlockSize,
    /// The activations.
    pub activations: Vec<CutActivation>,
}

/// What holds in one activation.
pub struct CutActivation {
    /// Of which procedure.
    pub procedure: ProcId,
    /// What holds when it starts.
    pub entry: CutState,
    /// What holds at its cut points: at each, one of these. The entry is among them if it is a cut point.
    pub cuts: Vec<CutState>,
    /// What holds when it returns: one of these.
    pub exits: Vec<CutState>,
}

/// What holds at a location stack: all of it. Besides variables, literals can speak of what parameters and globals
/// were when the activation started.
pub struct CutState {
    /// The location stack, from the activation's procedure on.
    pub stack: Vec<Frame>,
    /// The values of some variables.
    pub values: Vec<(Symbol, TermId)>,
    /// Formulas.
    pub literals: Vec<TermId>,
}

/// A finished unrolling of a program without threads: symbolic states at cut points, from the initial one on. Each block
/// that starts in one of them ends in one of them, or with the execution.
///
/// Symbols stand for inputs, each for one that is read once: the block of a node reads copies for its time.
pub struct Unrolling {
    /// The store of the formulas.
    pub terms: Terms,
    /// How machine integers are expressed in them.
    pub arithmetic: Arithmetic,
    /// What objects and cells of memory are called in them.
    pub memory: Memory,
    /// The variables whose known values keep ways through a block apart. Nothing depends on it but how hard the check is.
    pub tracked: FxHashSet<Symbol>,
    /// The location stacks by the numbers that the names of inputs have.
    pub stacks: Vec<Box<[Frame]>>,
    /// Callers of activations of recursive procedures; those below one come before it.
    pub callers: Vec<UnrolledCaller>,
    /// The symbolic states, in the order in which their blocks were walked. The first one is the initial one.
    pub nodes: Vec<UnrolledNode>,
}

/// Who called an activation of a recursive procedure.
pub struct UnrolledCaller {
    /// The location stack at the call.
    pub stack: Vec<Frame>,
    /// The call.
    pub edge: EdgeId,
    /// What the callee's variables are in an earlier activation of it.
    pub saved: Vec<(Symbol, TermId)>,
    /// Who called this one.
    pub below: Option<usize>,
}

/// A symbolic state: all states in which variables have these values, for inputs with which the conditions hold. A variable
/// without a value here may have any.
pub struct UnrolledNode {
    /// The time of the inputs that its block reads.
    pub time: u32,
    /// The location stack, from the activation's procedure on.
    pub stack: Vec<Frame>,
    /// Who called the activation.
    pub caller: Option<usize>,
    /// The values of variables, over inputs that were read before.
    pub values: Vec<(Symbol, TermId)>,
    /// An earlier node whose conditions hold here too.
    pub above: Option<usize>,
    /// What else holds.
    pub conditions: Vec<TermId>,
    /// Where its block leads.
    pub successors: Vec<usize>,
}

/// What a claim takes for granted, each a sentence for the user, in the order they were made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Assumptions(pub Vec<Assumption>);

impl Assumptions {
    /// What concrete execution left out.
    pub(super) fn of_notes(notes: Vec<Note>) -> Assumptions {
        Assumptions(notes.into_iter().map(|Note { text, span }| Assumption { text, span }).collect())
    }

    /// Adds one, once.
    pub fn add(&mut self, text: String, span: Option<Span>) {
        let assumption = Assumption { text, span };
        if !self.0.contains(&assumption) {
            self.0.push(assumption);
        }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The time is used up.
    #[error("the time limit was reached")]
    TimeLimit,
    /// The memory is used up.
    #[error("the memory limit was reached")]
    MemoryLimit,
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// The engine cannot treat something in the program.
    #[error("{construct} is not supported by this engine")]
    Unsupported {
        /// What it is.
        construct: String,
        /// Where it is.
        span: Option<Span>,
    },
    /// An execution comes to something that the front end has no model of.
    #[error("{construct} is not modelled")]
    Unmodelled {
        /// What it is.
        construct: String,
        /// Where it is.
        span: Option<Span>,
    },
    /// An execution did what the program's language leaves undefined, so nothing follows.
    #[error("an execution is undefined: {fault}")]
    Fault {
        /// What happened.
        fault: String,
        /// Where.
        span: Option<Span>,
    },
    /// The solver did not answer.
    #[error("the solver gave no answer: {0}")]
    Solver(String),
    /// There are more states than were to be explored.
    #[error("there are many states")]
    ManyStates,
    /// Refinement finds ever more predicates.
    #[error("refinement diverges")]
    Diverged,
    /// No predicate that was found rules a path out.
    #[error("no refinement rules out an infeasible path")]
    NoRefinement,
    /// A path to an error has too many steps for formulas.
    #[error("a path to an error is too long to look at")]
    PathTooLong,
    /// The values of a model take no way through a block.
    #[error("a block could not be followed")]
    NotFollowed,
    /// The engine has nothing more to try.
    #[error("{0}")]
    GaveUp(String),
}

impl From<Unsupported> for Stop {
    fn from(unsupported: Unsupported) -> Stop {
        Stop::Unsupported { construct: unsupported.construct.to_owned(), span: unsupported.span }
    }
}

/// What a run did, in numbers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// States stored.
    pub states: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Bytes that the stored states take, with all that is needed to find them again.
    pub state_bytes: u64,
    /// How many steps from an initial state the state is that was stored last; breadth first, none is farther.
    pub depth: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// Refinements of the abstraction.
    pub refinements: u64,
    /// States that refinements left as they were, so that the search went on from them: over all refinements together.
    pub resumed: u64,
    /// Predicates of the abstraction in the end, where it has some for all of the program.
    pub predicates: u64,
    /// Abstract states that the stored ones are of, where those are counted.
    pub abstract_states: u64,
    /// How often executions were followed to a loop head or a recursive call, at least, and none was seen to fail before; zero
    /// where that is not known.
    pub passes: u64,
    /// Where most states are, if an engine without an answer tells.
    #[serde(skip)]
    pub busiest: Option<Span>,
    /// The predicates of the abstraction in the end, as a file that can be read again; where an engine was asked for them.
    #[serde(skip)]
    pub found_predicates: String,
}

impl Statistics {
    /// Of this run and another one after it.
    pub fn then(self, later: Statistics) -> Statistics {
        Statistics {
            states: self.states + later.states,
            transitions: self.transitions + later.transitions,
            queries: self.queries + later.queries,
            refinements: self.refinements + later.refinements,
            resumed: self.resumed + later.resumed,
            passes: self.passes.max(later.passes),
            busiest: later.busiest.or(self.busiest),
            ..later
        }
    }
}

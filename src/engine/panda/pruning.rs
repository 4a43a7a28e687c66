//! The concrete half of a combined state, and the pruning of abstract branches by it (figure 3 of the paper).
//!
//! Along a trace every variable has a value over the unknowns that were read, and the trace formula is the conjunction of
//! the conditions that led there. The concrete half of a state is a model of that formula: values of all unknowns, from
//! which those of variables and of the heap follow by evaluation. An abstract branch that the model takes is consistent.
//! One that it does not take is pruned there; where its own trace formula has a model, that is the covering trace on
//! which the branch is explored, with new values of all unknowns. Only where there is none, no state is reached.

use super::limits::{MAX_REFINEMENTS_OF_BRANCHES, MAX_SEARCHES_WITH_BRANCHES, SHORT_TRACE};
use crate::engine::search::NodeId;
use crate::formula::Formulas;
use crate::formula::blocks::{Blocks, End, EndKind, Walk};
use crate::formula::model_without_solver::simple_model;
use crate::program::control::Frame;
use crate::solver::{Answer, Cascade, Models, Solve};
use crate::term::{Assignment, Op, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is known of the one trace that leads to a state.
#[derive(Debug, Default)]
pub(in crate::engine) struct TraceHalf {
    /// The values of variables and of memory, over the unknowns.
    pub(in crate::engine) values: FxHashMap<Symbol, TermId>,
    /// What the last step adds to the trace formula.
    pub(in crate::engine) conditions: Vec<TermId>,
    /// The node before that step; none at the start.
    pub(in crate::engine) from: Option<NodeId>,
    /// Values of the unknowns with which an execution takes the trace; none where the solver gave no answer.
    pub(in crate::engine) model: Option<Rc<Assignment>>,
    /// How many of its steps unknowns decide.
    pub(in crate::engine) decisions: u32,
    /// Whether that execution is another one than before: the one before does not take the last step.
    pub(in crate::engine) is_alternative: bool,
    /// At the start of an activation, what the callee's variables are in an earlier one of it.
    pub(in crate::engine) saved: Vec<(Symbol, TermId)>,
}

/// A step that a trace may take.
pub(in crate::engine) struct TraceStep {
    /// When it is taken.
    pub(in crate::engine) guard: Vec<TermId>,
    /// The values after it.
    pub(in crate::engine) values: FxHashMap<Symbol, TermId>,
    /// The unknowns that it reads.
    pub(in crate::engine) read: Vec<Symbol>,
}

/// What was told apart in a state: symbols with their values.
type ToldApart = Vec<(Symbol, TermId)>;

/// A branch that only its trace excludes: the abstract state before it allows it.
#[derive(Debug, Clone)]
pub(in crate::engine) struct PrunedBranch {
    /// The node from which it leads.
    pub(in crate::engine) at: NodeId,
    /// The block.
    pub(in crate::engine) walk: Rc<Walk>,
    /// Which of its ends.
    pub(in crate::engine) end: usize,
    /// What was told apart in the state that it leads to, where the trace excludes this alternative alone.
    pub(in crate::engine) apart: ToldApart,
}

impl TraceHalf {
    /// When the state is explored: short traces come first, up to a factor of two, so that no branch is followed without an
    /// end while another one waits; of those, the newest.
    pub(in crate::engine) fn priority(&self, node: NodeId) -> u64 {
        let length = (self.decisions / SHORT_TRACE).max(1).ilog2();
        u64::from(length) << u32::BITS | (u64::from(u32::MAX) - node.index() as u64)
    }
}

impl PrunedBranch {
    /// Whether it leads to an error.
    pub(in crate::engine) fn is_error(&self) -> bool {
        matches!(self.walk.ends[self.end].kind, EndKind::Error | EndKind::Fault)
    }
}

/// Whether states that were met before are met again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine) enum StateMatching {
    /// Never: a search that ends is an unrolling.
    Off,
    /// By their valuations.
    On,
}

/// What is done about branches to no error that only traces exclude: an error has to be ruled out in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine) enum Treatment {
    /// Refinement rules them out, as errors.
    RuleOut,
    /// They are explored without their traces: predicates for them may say nothing of errors.
    Explore,
    /// Traces are followed no longer: the abstraction does better by itself.
    GiveUp,
}

/// What prunes abstract branches.
pub(in crate::engine) struct Pruning {
    /// Whether states are matched.
    pub(in crate::engine) matching: StateMatching,
    solver: Cascade,
    /// The nodes whose conditions the solver has asserted.
    asserted: Vec<NodeId>,
    /// What was pruned.
    pruned: Vec<PrunedBranch>,
    /// Ends of blocks, with what was told apart there, that are explored without their traces, because nothing excludes
    /// them but these.
    untraced: FxHashMap<(NodeId, usize), Vec<ToldApart>>,
    /// How many searches ended with branches to no error that only traces exclude.
    searches_with_branches: u64,
    /// Whether an abstract state has alternatives: then it may stand for fewer executions than its trace.
    has_choices: bool,
}

/// How the conditions of a trace are looked up: those of a node, and the node before it.
pub(in crate::engine) type Conditions<'a> = &'a dyn Fn(NodeId) -> (Vec<TermId>, Option<NodeId>);

impl Pruning {
    /// Nothing is pruned yet.
    pub(in crate::engine) fn new(solver: Cascade, matching: StateMatching) -> Pruning {
        Pruning {
            matching,
            solver,
            asserted: Vec::new(),
            pruned: Vec::new(),
            untraced: FxHashMap::default(),
            searches_with_branches: 0,
            has_choices: false,
        }
    }

    /// A search starts.
    pub(in crate::engine) fn start(&mut self) {
        self.pop_to(0);
        self.pruned.clear();
        self.untraced.clear();
        self.has_choices = false;
    }

    /// A node is expanded, perhaps again.
    pub(in crate::engine) fn expand(&mut self, at: NodeId) {
        self.pruned.retain(|branch| branch.at != at);
    }

    /// Notes a branch that was pruned.
    pub(in crate::engine) fn prune(&mut self, branch: PrunedBranch) {
        self.pruned.push(branch);
    }

    /// What was pruned so far.
    pub(in crate::engine) fn pruned(&self) -> &[PrunedBranch] {
        &self.pruned
    }

    /// From here on, the branch is explored without its trace.
    pub(in crate::engine) fn explore_untraced(&mut self, branch: &PrunedBranch) {
        self.untraced.entry((branch.at, branch.end)).or_default().push(branch.apart.clone());
    }

    /// Whether the branch, or the alternative of it in which this was told apart, is explored without its trace.
    pub(in crate::engine) fn is_untraced(&self, at: NodeId, end: usize, apart: &[(Symbol, TermId)]) -> bool {
        self.untraced.get(&(at, end)).is_some_and(|all| all.iter().any(|other| other == apart))
    }

    /// Notes that a step has alternatives.
    pub(in crate::engine) fn note_choice(&mut self) {
        self.has_choices = true;
    }

    /// Whether some step has alternatives.
    pub(in crate::engine) fn has_choices(&self) -> bool {
        self.has_choices
    }

    /// What is done about branches to no error that only traces exclude.
    pub(in crate::engine) fn treatment(&self) -> Treatment {
        match self.searches_with_branches {
            number if number < MAX_REFINEMENTS_OF_BRANCHES => Treatment::RuleOut,
            number if number < MAX_SEARCHES_WITH_BRANCHES => Treatment::Explore,
            _ => Treatment::GiveUp,
        }
    }

    /// A search ended with such branches.
    pub(in crate::engine) fn note_branches(&mut self) {
        self.searches_with_branches += 1;
    }

    /// Whether traces are followed no longer.
    pub(in crate::engine) fn has_given_up(&self) -> bool {
        self.searches_with_branches > MAX_SEARCHES_WITH_BRANCHES
    }

    /// How many questions were asked.
    pub(in crate::engine) fn queries(&self) -> u64 {
        self.solver.statistics().queries
    }

    /// TRANS: the trace after a step, whose concrete half is the one before where that takes the step, and otherwise
    /// another one that does; `None` where no execution takes it.
    pub(in crate::engine) fn step(
        &mut self,
        formulas: &mut Formulas<'_>,
        (from, before): (Option<NodeId>, Option<&TraceHalf>),
        step: TraceStep,
        conditions_of: Conditions<'_>,
    ) -> Option<TraceHalf> {
        let TraceStep { guard, values, read } = step;
        let decided = |part: &TermId| formulas.terms.op(*part) == &Op::Bool(true);
        if guard.iter().any(|part| formulas.terms.op(*part) == &Op::Bool(false)) {
            return None;
        }
        let guard: Vec<TermId> = guard.into_iter().filter(|part| !decided(part)).collect();
        let mut conditions = guard.clone();
        for symbol in read {
            conditions.extend(formulas.range(symbol));
        }
        let known = match before {
            Some(before) => before.model.clone(),
            None => Some(Rc::default()),
        };
        let decisions = before.map_or(0, |before| before.decisions) + u32::from(!guard.is_empty());
        let half = |model, is_alternative| TraceHalf {
            values,
            conditions: conditions.clone(),
            from,
            model,
            decisions,
            is_alternative,
            saved: Vec::new(),
        };
        if let Some(model) = &known {
            if guard.is_empty() {
                return Some(half(known, false));
            }
            let Formulas { terms, blocks } = formulas;
            let mut range = |terms: &mut _, symbol| blocks.range(terms, symbol);
            if let Some(model) = simple_model(terms, &guard, (**model).clone(), &mut range) {
                return Some(half(Some(Rc::new(model)), false));
            }
        }
        self.assert_trace(formulas, from, conditions_of);
        match self.solver.check(&formulas.terms, &conditions) {
            Answer::Unsat => None,
            Answer::Unknown(_) => Some(half(None, true)),
            Answer::Sat => {
                let all: Vec<TermId> = self.solver.assertions().chain(conditions.iter().copied()).collect();
                let wanted: Vec<Symbol> = formulas.terms.symbols_of(all).into_iter().collect();
                let model = self.solver.model(&mut formulas.terms, &wanted).ok();
                Some(half(model.map(Rc::new), true))
            }
        }
    }

    /// Makes the trace formula of a node what is asserted.
    fn assert_trace(&mut self, formulas: &Formulas<'_>, node: Option<NodeId>, conditions_of: Conditions<'_>) {
        let mut path = Vec::new();
        let mut next = node;
        while let Some(node) = next {
            let (conditions, from) = conditions_of(node);
            path.push((node, conditions));
            next = from;
        }
        path.reverse();
        let common = self.asserted.iter().zip(&path).take_while(|(a, (b, _))| *a == b).count();
        self.pop_to(common);
        for (node, conditions) in path.drain(common..) {
            self.solver.push();
            for condition in conditions {
                self.solver.assert(&formulas.terms, condition);
            }
            self.asserted.push(node);
        }
    }

    fn pop_to(&mut self, levels: usize) {
        while self.asserted.len() > levels {
            self.asserted.pop();
            self.solver.pop();
        }
    }
}

/// A step of a block as a trace takes it that is at a node: its values take the place of variables, and unknowns are
/// copies for the time of the node.
pub(in crate::engine) fn step_of_block(
    formulas: &mut Formulas<'_>,
    before: &TraceHalf,
    time: u32,
    (start, end): (&[Frame], &End),
) -> TraceStep {
    let (guard, changed) = (&end.guard, &end.values);
    let used = formulas.terms.symbols_of(guard.iter().copied().chain(changed.values().copied()));
    let mut map = before.values.clone();
    let mut read = Vec::new();
    for symbol in used {
        if formulas.blocks.is_state(symbol) {
            continue;
        }
        let copy = formulas.blocks.copy_for(&mut formulas.terms, time, symbol);
        read.extend(formulas.terms.as_symbol(copy));
        map.insert(symbol, copy);
    }
    let mut done = FxHashMap::default();
    let guard: Vec<TermId> =
        guard.iter().map(|part| formulas.terms.substitute_cached(*part, &map, &mut done)).collect();
    let mut values = before.values.clone();
    values.retain(|symbol, _| is_kept(&formulas.blocks, *symbol, start, &end.stack));
    for (symbol, value) in changed {
        values.insert(*symbol, formulas.terms.substitute_cached(*value, &map, &mut done));
    }
    // The same is forgotten as where a block is walked with these values.
    let Formulas { terms, blocks } = formulas;
    let is_of_caller = |symbol: &Symbol| {
        before.values.contains_key(symbol)
            && blocks.procedure_of(*symbol).is_some_and(|owner| start.iter().all(|frame| frame.procedure != owner))
    };
    values
        .retain(|symbol, _| blocks.is_state(*symbol) && (blocks.matters(&end.stack, *symbol) || is_of_caller(symbol)));
    if end.kind == EndKind::Cut {
        blocks.forget_unreachable(terms, &end.stack, &mut values);
    }
    let guard = without_lone_inputs(terms, guard, &read, values.values().copied());
    TraceStep { guard, values, read }
}

/// The guard without inputs of the step that are true or false there and matter to nothing else. What is not known of
/// memory where the block is walked can make edges possible together that exclude each other on the trace: then nothing
/// chooses between them there.
fn without_lone_inputs(
    terms: &Terms,
    mut guard: Vec<TermId>,
    read: &[Symbol],
    values: impl Iterator<Item = TermId>,
) -> Vec<TermId> {
    let literal = |part: TermId| {
        let inner = if terms.op(part) == &Op::Not { terms.args(part)[0] } else { part };
        terms.as_symbol(inner).filter(|symbol| read.contains(symbol))
    };
    let literals: Vec<Symbol> = guard.iter().filter_map(|part| literal(*part)).collect();
    if literals.is_empty() {
        return guard;
    }
    let others = guard.iter().copied().filter(|part| literal(*part).is_none());
    let used = terms.symbols_of(others.chain(values));
    let is_lone =
        |symbol: Symbol| !used.contains(&symbol) && literals.iter().filter(|other| **other == symbol).count() == 1;
    guard.retain(|part| !literal(*part).is_some_and(is_lone));
    guard
}

/// Whether a block that does not write a variable leaves it what it was. An activation that has returned leaves nothing
/// to the next one of its procedure; and where another procedure is called, locals are forgotten that nothing reads
/// before they are written.
fn is_kept(blocks: &Blocks<'_>, symbol: Symbol, start: &[Frame], end: &[Frame]) -> bool {
    let of = |procedure| end.iter().position(|frame| frame.procedure == procedure);
    let Some(place) = blocks.procedure_of(symbol).and_then(of) else { return true };
    // In a block no call is executed twice, so that calls tell activations apart.
    let is_same = |(a, b): (&Frame, &Frame)| a.procedure == b.procedure && a.call == b.call;
    let common = start.iter().zip(end).take_while(|pair| is_same(*pair)).count();
    if place >= common {
        return false;
    }
    let Some(Frame { call: Some(call), .. }) = end.get(place + 1).filter(|_| place + 1 == common) else { return true };
    let caller = end[place];
    let location = blocks.program().procedures[caller.procedure].edges[*call].source;
    blocks.matters(&[Frame { location, ..caller }], symbol)
}

//! Whether executions can go a way: asked of earlier answers first, then of the solver.

use super::BoundedSpace;
use super::limits::{MAX_UNANSWERED_AT_ONCE, QUERY_LIMIT, QUICK_LIMIT_OF_BITS};
use super::state::{PathArg, conditions_since};
use crate::engine::search::NodeId;
use crate::engine::{Budget, Stop};
use crate::formula::Formulas;
use crate::formula::encode::Arithmetic;
use crate::formula::model_without_solver::simple_model;
use crate::solver::{Answer, Cascade, Models, Solve};
use crate::term::{Assignment, Op, Ranges, Symbol, TermId, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The conditions of a way that can be gone, and values with which it is; none if the solver gave no answer.
pub(super) type Feasible = (Vec<TermId>, Option<Rc<Assignment>>);

/// A way that executions may go.
pub(super) struct Way<'a, 'p> {
    /// From which node; none for the initial state.
    pub(super) from: Option<(&'a PathArg<'p>, NodeId)>,
    /// Values with which executions come there, if they are known.
    pub(super) model: Option<&'a Assignment>,
    /// When it is gone.
    pub(super) guard: &'a [TermId],
    /// The values that it leaves, over which later guards are.
    pub(super) values: &'a FxHashMap<Symbol, TermId>,
    /// The inputs that are new.
    pub(super) read: &'a [Symbol],
}

/// What is known of a question.
enum Answered {
    No,
    With(Assignment),
    Open,
}

/// The solver, with the conditions of one path asserted.
pub(super) struct PathSolver {
    process: Cascade,
    /// The nodes whose conditions are asserted.
    levels: Vec<NodeId>,
    /// Guards that speak only of what is read where they are, in terms of what the place calls it, and values of that
    /// with which they hold.
    alone: FxHashMap<Vec<TermId>, Option<Assignment>>,
    /// Variables whose first values conditions speak of.
    first_values: FxHashSet<Symbol>,
    /// How many questions were not answered.
    unanswered: u64,
    /// How many questions about several guards at once were not answered.
    unanswered_at_once: u32,
}

impl PathSolver {
    /// With no path.
    pub(super) fn new(mut process: Cascade, arithmetic: Arithmetic) -> PathSolver {
        process.set_query_limit(QUERY_LIMIT);
        if arithmetic == Arithmetic::Bits {
            process.set_quick_limit(QUICK_LIMIT_OF_BITS);
        }
        PathSolver {
            process,
            levels: Vec::new(),
            alone: FxHashMap::default(),
            first_values: FxHashSet::default(),
            unanswered: 0,
            unanswered_at_once: 0,
        }
    }

    /// Once this is true, nobody waits for an answer any more.
    pub(super) fn set_interrupt(&mut self, decided: &Arc<AtomicBool>) {
        self.process.set_interrupt(Some(Arc::clone(decided)));
    }

    /// How many questions were asked.
    pub(super) fn queries(&self) -> u64 {
        self.process.statistics().queries
    }

    /// How many of them were not answered.
    pub(super) fn unanswered(&self) -> u64 {
        self.unanswered
    }

    /// Asserts nothing any more.
    pub(super) fn leave_path(&mut self) {
        self.pop_to(0);
    }

    fn pop_to(&mut self, levels: usize) {
        while self.levels.len() > levels {
            self.levels.pop();
            self.process.pop();
        }
    }

    /// Makes the conditions of the node, and of those above it, what is asserted.
    fn take_path(&mut self, terms: &Terms, arg: &PathArg<'_>, node: NodeId) {
        let nodes = std::iter::successors(Some(node), |node| arg.state(*node).above);
        let mut path: Vec<NodeId> = nodes.filter(|node| !arg.state(*node).conditions.is_empty()).collect();
        path.reverse();
        let common = self.levels.iter().zip(&path).take_while(|(a, b)| a == b).count();
        self.pop_to(common);
        for &node in &path[common..] {
            self.process.push();
            for &condition in &arg.state(node).conditions {
                self.process.assert(terms, condition);
            }
            self.levels.push(node);
        }
    }

    /// Asks whether the conditions hold for some values, after what leads to a node.
    fn ask(
        &mut self,
        terms: &Terms,
        budget: &Budget,
        from: Option<(&PathArg<'_>, NodeId)>,
        conditions: &[TermId],
    ) -> Result<Option<bool>, Stop> {
        match from {
            Some((arg, node)) => self.take_path(terms, arg, node),
            None => self.leave_path(),
        }
        match self.process.check(terms, conditions) {
            Answer::Sat => Ok(Some(true)),
            Answer::Unsat => Ok(Some(false)),
            Answer::Unknown(_) => {
                budget.check()?;
                self.unanswered += 1;
                Ok(None)
            }
        }
    }

    /// Values with which executions come to a node and the conditions hold there; `None` where there are none, or the
    /// solver gives none.
    pub(super) fn model_after(
        &mut self,
        terms: &mut Terms,
        budget: &Budget,
        from: (&PathArg<'_>, NodeId),
        conditions: &[TermId],
    ) -> Result<Option<Assignment>, Stop> {
        self.take_path(terms, from.0, from.1);
        let all: Vec<TermId> = self.process.assertions().chain(conditions.iter().copied()).collect();
        let wanted: Vec<Symbol> = terms.symbols_of(all).into_iter().collect();
        if wanted.is_empty() {
            return Ok(Some(Assignment::default()));
        }
        match self.ask(terms, budget, Some(from), conditions)? {
            Some(true) => {
                let model = self.process.model(terms, &wanted).ok();
                // A path that executions take, and of which nothing more is known, is no answer.
                self.unanswered += u64::from(model.is_none());
                Ok(model)
            }
            Some(false) | None => Ok(None),
        }
    }
}

impl BoundedSpace<'_> {
    /// Whether executions can go a way; if they can, under which conditions.
    pub(super) fn feasible(&mut self, way: &Way<'_, '_>) -> Result<Option<Feasible>, Stop> {
        let &Way { from, model, guard, values, read } = way;
        if guard.iter().any(|part| self.formulas.terms.op(*part) == &Op::Bool(false)) {
            return Ok(None);
        }
        let guard: Vec<TermId> =
            guard.iter().copied().filter(|part| self.formulas.terms.op(*part) != &Op::Bool(true)).collect();
        let used = self.formulas.terms.symbols_of(guard.iter().copied());
        let first = used.iter().copied().filter(|symbol| self.formulas.blocks.is_state(*symbol));
        self.solver.first_values.extend(first);
        let live = self.formulas.terms.symbols_of(values.values().copied());
        let is_new = |symbol: &Symbol| used.contains(symbol) || live.contains(symbol);
        let mut conditions = guard.clone();
        for &symbol in read.iter().filter(|symbol| is_new(symbol)) {
            conditions.extend(self.formulas.range(symbol));
        }
        let answered = match model {
            Some(_) if guard.is_empty() => Answered::With(Assignment::default()),
            Some(_) if used.iter().all(|symbol| read.contains(symbol)) => self.alone(&guard, &used)?,
            Some(model) => match self.simple(&guard, model.clone()) {
                Some(found) => Answered::With(found),
                None => self.asked(from, &conditions, used.iter().chain(&live).copied())?,
            },
            None => self.asked(from, &conditions, used.iter().chain(&live).copied())?,
        };
        match answered {
            Answered::No => Ok(None),
            Answered::Open => Ok(Some((conditions, None))),
            Answered::With(found) => {
                let mut all = model.cloned().unwrap_or_default();
                all.extend(found);
                Ok(Some((conditions, Some(self.kept(all, &live)))))
            }
        }
    }

    /// Whether one question shows that no execution from a node goes any way that has one of the guards. Without an
    /// answer nothing is lost: each guard is a question of its own then.
    pub(super) fn excludes_all(
        &mut self,
        arg: &PathArg<'_>,
        at: NodeId,
        guards: &[&[TermId]],
        read: &[Symbol],
    ) -> Result<bool, Stop> {
        if self.solver.unanswered_at_once >= MAX_UNANSWERED_AT_ONCE {
            return Ok(false);
        }
        let terms = &mut self.formulas.terms;
        let ways: Vec<TermId> = guards.iter().map(|guard| terms.and(guard.iter().copied())).collect();
        let any = terms.or(ways);
        let before = self.solver.unanswered;
        let values = FxHashMap::default();
        let model = arg.state(at).model.as_deref();
        let way = Way { from: Some((arg, at)), model, guard: &[any], values: &values, read };
        let found = self.feasible(&way)?;
        self.solver.unanswered_at_once += u32::from(self.solver.unanswered > before);
        self.solver.unanswered = before;
        Ok(found.is_none())
    }

    /// The ranges of numbers where executions come to a node and the conditions hold.
    pub(super) fn ranges_at(&self, from: Option<(&PathArg<'_>, NodeId)>, conditions: &[TermId]) -> Ranges {
        let given = match from {
            Some((arg, node)) => conditions_since(arg, None, Some(node), conditions),
            None => conditions.to_vec(),
        };
        Ranges::given(&self.formulas.terms, &given)
    }

    /// The known values with simple values of other symbols, where these make the formulas true.
    fn simple(&mut self, formulas: &[TermId], known: Assignment) -> Option<Assignment> {
        let Formulas { terms, blocks } = &mut self.formulas;
        simple_model(terms, formulas, known, &mut |terms: &mut Terms, symbol| blocks.range(terms, symbol))
    }

    /// Asks the solver, on top of what the path to a node asserts.
    fn asked(
        &mut self,
        from: Option<(&PathArg<'_>, NodeId)>,
        conditions: &[TermId],
        wanted: impl Iterator<Item = Symbol>,
    ) -> Result<Answered, Stop> {
        if self.ranges_at(from, conditions).exclude(&self.formulas.terms, conditions) {
            return Ok(Answered::No);
        }
        let terms = &mut self.formulas.terms;
        match self.solver.ask(terms, &self.budget, from, conditions)? {
            Some(false) => Ok(Answered::No),
            None => Ok(Answered::Open),
            Some(true) => {
                let wanted: Vec<Symbol> = wanted.chain(self.solver.first_values.iter().copied()).collect();
                let model = self.solver.process.model(terms, &wanted);
                Ok(model.map_or(Answered::Open, Answered::With))
            }
        }
    }

    /// Whether a guard holds for some values of what was just read, where it speaks of nothing else. The same guard may
    /// come again at another time.
    fn alone(&mut self, guard: &[TermId], used: &BTreeSet<Symbol>) -> Result<Answered, Stop> {
        let original = |symbol: &Symbol| self.formulas.blocks.original(*symbol).unwrap_or(*symbol);
        let originals: Vec<(Symbol, Symbol)> = used.iter().map(|symbol| (*symbol, original(symbol))).collect();
        let mut named = FxHashMap::default();
        for &(symbol, original) in &originals {
            named.insert(symbol, self.formulas.terms.of_symbol(original));
        }
        let mut done = FxHashMap::default();
        let key: Vec<TermId> =
            guard.iter().map(|part| self.formulas.terms.substitute_cached(*part, &named, &mut done)).collect();
        let found = match self.solver.alone.get(&key) {
            Some(known) => known.clone(),
            None => {
                let originals: Vec<Symbol> = originals.iter().map(|(_, symbol)| *symbol).collect();
                let found = match self.asked_alone(&key, &originals)? {
                    Answered::No => None,
                    Answered::With(found) => Some(found),
                    Answered::Open => return Ok(Answered::Open),
                };
                self.solver.alone.insert(key, found.clone());
                found
            }
        };
        let Some(found) = found else { return Ok(Answered::No) };
        let value = |(symbol, original)| Some((symbol, found.get(&original)?.clone()));
        Ok(Answered::With(originals.into_iter().filter_map(value).collect()))
    }

    /// Whether a guard holds for some values of these symbols, which are all that it speaks of.
    fn asked_alone(&mut self, guard: &[TermId], symbols: &[Symbol]) -> Result<Answered, Stop> {
        if let Some(found) = self.simple(guard, Assignment::default()) {
            return Ok(Answered::With(found));
        }
        let mut conditions = guard.to_vec();
        for &symbol in symbols {
            conditions.extend(self.formulas.range(symbol));
        }
        self.asked(None, &conditions, symbols.iter().copied())
    }

    /// The part of a model that later guards can depend on; symbols that it leaves out are zero.
    fn kept(&self, mut model: Assignment, live: &BTreeSet<Symbol>) -> Rc<Assignment> {
        model.retain(|symbol, _| live.contains(symbol) || self.solver.first_values.contains(symbol));
        for &symbol in live {
            model.entry(symbol).or_insert_with(|| Value::zero(self.formulas.terms.symbol_sort(symbol)));
        }
        Rc::new(model)
    }
}

//! Checks a finished unrolling of a program without threads.
//!
//! A node stands for all states at its location stack, with its callers, in which variables have its values for some
//! inputs with which its conditions hold; a variable to which it gives no value may have any. The claim is that every
//! execution is, at every cut point, in a state that some node stands for, and never in an error or an undefined access
//! to memory. It stands if
//!
//! - `init` leaves only states of the first node, and accesses no memory that it must not;
//! - each end of the block of each node, walked from its values, is impossible, the end of the execution, or within a
//!   node: where the end's guard and the node's conditions hold, so do those of the other node, and the values that the
//!   end leaves are those of the other node. Errors and undefined accesses are impossible.
//!
//! Then the claim holds by induction over the number of blocks of an execution: the inputs with which a node stands for
//! the state at the start of a block, together with those that the block reads, are inputs with which one of the other
//! nodes stands for the state at its end. For this the inputs that a block reads must be new: nodes come in an order in
//! which each speaks only of what `init` and blocks of earlier nodes read, and no symbol is read twice. A node that gives a
//! variable no value has a block that does not read it. Nodes may lead back to earlier ones; the order is one of names.
//!
//! What is approximated is an input too, of any value: then the claim is of more executions than the program has.

mod facts;

use super::panel::{self, Ask, no_answer};
use super::{ConfirmConfig, Failure, defined};
use crate::engine::{Budget, Stop, Task, UnrolledCaller, UnrolledNode, Unrolling};
use crate::formula::Formulas;
use crate::formula::blocks::{BlockSize, End, EndKind, Reading, ReturnTo, WalkError};
use crate::program::EdgeId;
use crate::program::control::Frame;
use crate::solver::Answer;
use crate::term::{Op, Ranges, Sort, Symbol, TermId};
use facts::Facts;
use rustc_hash::{FxHashMap, FxHashSet};

/// Checks the unrolling, and tells which solver did.
pub(super) fn check(
    task: &Task,
    unrolling: Unrolling,
    config: &ConfirmConfig,
    budget: &Budget,
) -> Result<String, Failure> {
    panel::answered(config, budget, |ask| check_with(task, unrolling, budget, ask))
}

/// Checks the unrolling with whatever answers the queries.
fn check_with(task: &Task, unrolling: Unrolling, budget: &Budget, ask: &mut Ask<'_>) -> Result<(), Failure> {
    let Unrolling { terms, arithmetic, memory, tracked, stacks, callers, nodes } = unrolling;
    let program = &task.program;
    if task.property.is_of_states() {
        return Err(wrong(&format!("an unrolling does not show whether {} holds", task.property.name())));
    }
    for (id, _) in program.procedures.enumerate() {
        defined::reads_only_what_is_written(program, id, |_, _| true)?;
    }
    if !memory.is_well_formed(&terms) {
        return Err(wrong("two objects of memory have one number"));
    }
    let mut formulas = Formulas::reopen(program, &task.property, arithmetic, BlockSize::Large, terms, memory);
    if !formulas.blocks.number_stacks(&stacks) {
        return Err(wrong("a location stack has two numbers"));
    }
    let read = FxHashSet::default();
    let over_read = FxHashSet::default();
    let mut checker =
        Checker { task, formulas, callers: &callers, nodes: &nodes, tracked, read, over_read, budget, ask };
    let checked = checker.check_all();
    if checker.formulas.blocks.cells_changed() {
        let why = "the proof does not know all that is read of memory";
        return Err(Failure::Stopped(Stop::GaveUp(why.to_owned())));
    }
    checked
}

fn wrong(what: &str) -> Failure {
    Failure::Wrong(what.to_owned())
}

struct Checker<'a, 'p> {
    task: &'p Task,
    formulas: Formulas<'p>,
    callers: &'a [UnrolledCaller],
    nodes: &'a [UnrolledNode],
    /// The variables whose known values keep ways apart.
    tracked: FxHashSet<Symbol>,
    /// The inputs that were read so far.
    read: FxHashSet<Symbol>,
    /// Terms that speak only of those.
    over_read: FxHashSet<TermId>,
    budget: &'a Budget,
    ask: &'a mut Ask<'a>,
}

/// What holds where a block starts.
#[derive(Default)]
struct Start {
    /// The conditions of the node and of those above it, from the last one on.
    conditions: Vec<TermId>,
    facts: Facts<'static>,
    /// The nodes whose conditions these are.
    nodes: FxHashSet<usize>,
    /// What its block reads.
    read: FxHashSet<Symbol>,
}

/// What holds where a block ends, or the program starts.
struct Context<'s> {
    start: &'s Start,
    /// The guard, with the ranges of what was read.
    guard: Vec<TermId>,
    /// All of it.
    facts: Facts<'s>,
}

/// A state to which an execution comes.
struct Reached {
    stack: Vec<Frame>,
    /// A call that was just made.
    called: Option<UnrolledCaller>,
    /// Who called before that.
    caller: Option<usize>,
    values: FxHashMap<Symbol, TermId>,
}

impl<'a> Checker<'a, '_> {
    fn check_all(&mut self) -> Result<(), Failure> {
        self.check_form()?;
        self.check_start()?;
        (0..self.nodes.len()).try_for_each(|node| self.check_node(node))
    }

    /// What nodes and callers refer to is there, and comes before them where that has to end; formulas are formulas.
    fn check_form(&self) -> Result<(), Failure> {
        let earlier = |other: Option<usize>, own: usize| other.is_none_or(|other| other < own);
        for (number, caller) in self.callers.iter().enumerate() {
            if !earlier(caller.below, number) {
                return Err(wrong("a caller is below itself"));
            }
        }
        let Formulas { terms, blocks } = &self.formulas;
        let is_value = |(symbol, value): &(Symbol, TermId)| {
            blocks.is_state(*symbol) && terms.sort(*value) == terms.symbol_sort(*symbol)
        };
        if !self.callers.iter().flat_map(|caller| &caller.saved).all(is_value) {
            return Err(wrong("a caller is not well formed"));
        }
        for (number, node) in self.nodes.iter().enumerate() {
            let is_formula = |formula: &TermId| terms.sort(*formula) == Sort::Bool;
            if node.stack.is_empty()
                || !earlier(node.above, number)
                || !earlier(node.caller, self.callers.len())
                || node.successors.iter().any(|next| *next >= self.nodes.len())
                || !node.conditions.iter().all(is_formula)
                || !node.values.iter().all(is_value)
            {
                return Err(wrong("a node is not well formed"));
            }
        }
        Ok(())
    }

    /// `init` leaves states of the first node.
    fn check_start(&mut self) -> Result<(), Failure> {
        let Formulas { terms, blocks } = &mut self.formulas;
        let (init, values) = blocks.init(terms)?;
        if blocks.init_faults() {
            return Err(wrong("`init` may access memory that it must not"));
        }
        let read: Vec<Symbol> = init.own_symbols().collect();
        self.mark(&read)?;
        let start = Start { read: read.into_iter().collect(), ..Start::default() };
        let context = self.context(&start, &[init.guard])?;
        let main = self.task.program.main;
        let entry = self.task.program.procedures[main].entry;
        let stack = vec![Frame { procedure: main, location: entry, call: None }];
        let values = self.known(values);
        self.check_reached(&context, &Reached { stack, called: None, caller: None, values }, &[0])
    }

    /// Every end of a node's block is impossible, the end of the execution, or within a node that follows.
    fn check_node(&mut self, number: usize) -> Result<(), Failure> {
        self.budget.check()?;
        let node: &'a UnrolledNode = &self.nodes[number];
        self.check_speaks_of_read(node)?;
        let budget = self.budget;
        let stop = || budget.check().is_err();
        let Formulas { terms, blocks } = &mut self.formulas;
        let reading = Reading::At(node.time);
        let walk = blocks.walk_reading(terms, &node.stack, &node.values, &self.tracked, reading, &stop);
        let walk = walk.map_err(|error| self.walk_failure(error))?;
        self.mark(&walk.read)?;
        let start = self.start_of(number, walk.read.into_iter().collect());
        let must_not_be = |end: &End| matches!(end.kind, EndKind::Error | EndKind::Fault);
        let (wrong, others): (Vec<End>, Vec<End>) = walk.ends.into_iter().partition(must_not_be);
        if !self.are_impossible_at_once(&start, &wrong)? {
            wrong.into_iter().try_for_each(|end| self.check_end(node, &start, end))?;
        }
        others.into_iter().try_for_each(|end| self.check_end(node, &start, end))
    }

    /// Whether one question shows that all these ends are impossible. Where it does not, each is a question of its own.
    fn are_impossible_at_once(&mut self, start: &Start, ends: &[End]) -> Result<bool, Failure> {
        let mut ways = Vec::new();
        let mut given = start.conditions.clone();
        given.extend(start.read.iter().filter_map(|symbol| self.formulas.range(*symbol)));
        let mut ranges = Ranges::given(&self.formulas.terms, &given);
        for end in ends {
            let context = self.context(start, &end.guard)?;
            let terms = &mut self.formulas.terms;
            if ranges.exclude(terms, &end.guard) {
                continue;
            }
            if !context.guard.iter().any(|part| context.facts.decide(terms, *part) == Some(false)) {
                ways.push(terms.and(end.guard.iter().copied()));
            }
        }
        if ways.is_empty() {
            return Ok(true);
        }
        if ways.len() == 1 {
            return Ok(false);
        }
        let any = self.formulas.terms.or(ways);
        let context = self.context(start, &[any])?;
        Ok(self.impossible(&context).is_ok())
    }

    fn start_of(&self, number: usize, read: FxHashSet<Symbol>) -> Start {
        let mut start = Start { read, ..Start::default() };
        let mut next = Some(number);
        while let Some(number) = next {
            start.nodes.insert(number);
            start.conditions.extend(&self.nodes[number].conditions);
            next = self.nodes[number].above;
        }
        start.conditions.iter().for_each(|fact| start.facts.add(&self.formulas.terms, *fact));
        start
    }

    fn check_end(&mut self, node: &UnrolledNode, start: &Start, end: End) -> Result<(), Failure> {
        let End { kind, stack, mut guard, values } = end;
        let mut reached = Reached { stack: stack.into(), called: None, caller: node.caller, values };
        match kind {
            EndKind::Fault => {
                let context = self.context(start, &guard)?;
                // A search that looks for failures passes by what is undefined.
                return self.impossible(&context).map_err(|failure| match failure {
                    Failure::Wrong(_) => {
                        let why = "no execution fails, but an access to memory may be invalid";
                        Failure::Stopped(Stop::GaveUp(why.to_owned()))
                    }
                    stopped => stopped,
                });
            }
            EndKind::Error => {
                let context = self.context(start, &guard)?;
                return self.impossible(&context);
            }
            EndKind::Call(edge) => guard.push(self.apply_call(&mut reached, edge, node.time)?),
            EndKind::Cut | EndKind::Exit => {}
        }
        let context = self.context(start, &guard)?;
        while self.formulas.blocks.has_ended(&reached.stack) {
            match self.apply_exit(reached) {
                Some(after) => reached = after,
                None => return Ok(()),
            }
        }
        reached.values = self.known(reached.values);
        self.check_reached(&context, &reached, &node.successors)
    }

    /// Starts an activation of a recursive procedure; tells when its arguments are defined.
    fn apply_call(&mut self, reached: &mut Reached, edge: EdgeId, time: u32) -> Result<TermId, Failure> {
        let Formulas { terms, blocks } = &mut self.formulas;
        let values = std::mem::take(&mut reached.values);
        let inside = blocks.apply_call(terms, &reached.stack, edge, values, time)?;
        let stack = std::mem::replace(&mut reached.stack, inside.stack);
        let saved = self.known(inside.saved);
        reached.called = Some(UnrolledCaller { stack, edge, saved, below: reached.caller });
        reached.values = inside.values;
        Ok(inside.guard)
    }

    /// The state after an activation has returned; `None` where the main procedure has.
    fn apply_exit(&mut self, reached: Reached) -> Option<Reached> {
        let Reached { stack, called, caller, values } = reached;
        let callee = stack.last().expect("a location stack has a top").procedure;
        let to = match &called {
            Some(called) => called,
            None => &self.callers[caller?],
        };
        let Formulas { terms, blocks } = &mut self.formulas;
        let back = ReturnTo { stack: &to.stack, edge: to.edge, saved: &to.saved };
        let (stack, values) = blocks.apply_exit(terms, callee, values, back);
        Some(Reached { stack, called: None, caller: to.below, values })
    }

    /// A state to which an execution comes where the context holds is no error, and within one of the nodes.
    fn check_reached(&mut self, context: &Context<'_>, reached: &Reached, nodes: &[usize]) -> Result<(), Failure> {
        let top = reached.stack.last().expect("a location stack has a top");
        match &self.task.program.procedures[top.procedure].locations[top.location].error {
            Some(failure) if self.task.property.counts(&failure.kind) => return self.impossible(context),
            // What is wrong but does not count ends the execution all the same.
            Some(_) => return Ok(()),
            None => {}
        }
        let mut others = Vec::new();
        for &number in nodes.iter().filter(|number| **number < self.nodes.len()) {
            let Some(open) = self.open_parts(context, reached, number) else { continue };
            if open.is_empty() {
                return Ok(());
            }
            let terms = &mut self.formulas.terms;
            let all = terms.and(open);
            others.push(terms.not(all));
        }
        self.refuted(context, &others, "a block leads to a state that is not in the proof")
    }

    /// What is left to show for a state to be within a node; `None` where it is seen not to be.
    fn open_parts(&mut self, context: &Context<'_>, reached: &Reached, number: usize) -> Option<Vec<TermId>> {
        let node = &self.nodes[number];
        if node.stack != reached.stack {
            return None;
        }
        let mut pairs = Vec::new();
        for (symbol, value) in &node.values {
            pairs.push((*reached.values.get(symbol)?, *value));
        }
        pairs.extend(self.callers_agree(reached, node.caller)?);
        let terms = &mut self.formulas.terms;
        let mut open = Vec::new();
        for (left, right) in pairs.into_iter().filter(|(left, right)| left != right) {
            let (left, right) = (context.facts.chosen(terms, left), context.facts.chosen(terms, right));
            if left == right {
                continue;
            }
            if terms.is_value(left) && terms.is_value(right) {
                return None;
            }
            open.push(terms.eq(left, right));
        }
        let mut next = Some(number);
        while let Some(above) = next.filter(|above| !context.start.nodes.contains(above)) {
            open.extend(&self.nodes[above].conditions);
            next = self.nodes[above].above;
        }
        open.retain(|part| context.facts.decide(terms, *part) != Some(true));
        Some(open)
    }

    /// The values that have to be equal for the callers of a state to be those of a node; `None` if they are others.
    fn callers_agree(&self, reached: &Reached, theirs: Option<usize>) -> Option<Vec<(TermId, TermId)>> {
        let mut pairs = Vec::new();
        let mut ours = (reached.called.as_ref(), reached.caller);
        let mut theirs = theirs;
        loop {
            let (caller, below) = match ours {
                (None, None) if theirs.is_none() => return Some(pairs),
                (None, same) if same == theirs => return Some(pairs),
                (Some(called), below) => (called, below),
                (None, number) => (&self.callers[number?], self.callers[number?].below),
            };
            let other = &self.callers[theirs?];
            if caller.stack != other.stack || caller.edge != other.edge {
                return None;
            }
            for (symbol, value) in &other.saved {
                let (_, saved) = caller.saved.iter().find(|(own, _)| own == symbol)?;
                pairs.push((*saved, *value));
            }
            ours = (None, below);
            theirs = other.below;
        }
    }

    /// What holds at an end of a node's block, or after `init`, where the guard does.
    fn context<'s>(&mut self, start: &'s Start, guard: &[TermId]) -> Result<Context<'s>, Failure> {
        if !guard.iter().all(|part| self.speaks_of_read(*part)) {
            let why = "the proof does not say what a variable is that a block reads";
            return Err(Failure::Stopped(Stop::GaveUp(why.to_owned())));
        }
        let mut context = Context { start, guard: guard.to_vec(), facts: start.facts.more() };
        let Formulas { terms, blocks } = &mut self.formulas;
        for symbol in &start.read {
            context.guard.extend(blocks.range(terms, *symbol));
        }
        context.guard.iter().for_each(|fact| context.facts.add(terms, *fact));
        Ok(context)
    }

    /// Notes what is read; nothing is read twice.
    fn mark(&mut self, read: &[Symbol]) -> Result<(), Failure> {
        let is_old = |symbol: &Symbol| self.read.contains(symbol) || self.formulas.blocks.is_state(*symbol);
        if read.iter().any(is_old) {
            return Err(wrong("two blocks read an input of one name"));
        }
        self.read.extend(read);
        Ok(())
    }

    /// A node speaks only of what was read before its block.
    fn check_speaks_of_read(&mut self, node: &UnrolledNode) -> Result<(), Failure> {
        let values = node.values.iter().map(|(_, value)| *value);
        let mut all: Vec<TermId> = values.chain(node.conditions.iter().copied()).collect();
        let mut next = node.caller;
        while let Some(caller) = next {
            all.extend(self.callers[caller].saved.iter().map(|(_, value)| *value));
            next = self.callers[caller].below;
        }
        match all.into_iter().all(|term| self.speaks_of_read(term)) {
            true => Ok(()),
            false => Err(wrong("a node speaks of what was not read before it")),
        }
    }

    /// The values that speak only of inputs that were read. Others come of variables that have no value.
    fn known<C>(&mut self, values: C) -> C
    where
        C: IntoIterator<Item = (Symbol, TermId)> + FromIterator<(Symbol, TermId)>,
    {
        values.into_iter().filter(|(_, value)| self.speaks_of_read(*value)).collect()
    }

    fn speaks_of_read(&mut self, term: TermId) -> bool {
        let terms = &self.formulas.terms;
        let mut waiting = vec![term];
        while let Some(&next) = waiting.last() {
            if self.over_read.contains(&next) {
                waiting.pop();
                continue;
            }
            if let Op::Var(symbol) = terms.op(next)
                && !self.read.contains(symbol)
            {
                return false;
            }
            let open = waiting.len();
            waiting.extend(terms.args(next).iter().filter(|arg| !self.over_read.contains(arg)));
            if waiting.len() == open {
                self.over_read.insert(next);
                waiting.pop();
            }
        }
        true
    }

    fn impossible(&mut self, context: &Context<'_>) -> Result<(), Failure> {
        self.refuted(context, &[], "a block can lead to an error")
    }

    /// The formulas have no common model where the context holds, with every symbol in its range.
    fn refuted(&mut self, context: &Context<'_>, formulas: &[TermId], what: &str) -> Result<(), Failure> {
        self.budget.check()?;
        let Formulas { terms, blocks } = &mut self.formulas;
        let own: Vec<TermId> = context.guard.iter().chain(formulas).copied().collect();
        if own.iter().any(|part| context.facts.decide(terms, *part) == Some(false)) {
            return Ok(());
        }
        let mut query = own;
        // What shares no symbol with these, not even through others, does not help to refute them.
        let mut symbols = terms.symbols_of(query.iter().copied());
        let mut rest: Vec<(TermId, _)> =
            context.start.conditions.iter().map(|part| (*part, terms.symbols_of([*part]))).collect();
        loop {
            let (near, far): (Vec<_>, Vec<_>) =
                rest.into_iter().partition(|(_, used)| used.is_empty() || !used.is_disjoint(&symbols));
            if near.is_empty() {
                break;
            }
            for (part, used) in near {
                query.push(part);
                symbols.extend(used);
            }
            rest = far;
        }
        for symbol in symbols {
            query.extend(blocks.range(terms, symbol));
        }
        if Ranges::given(terms, &query).exclude(terms, &query) {
            return Ok(());
        }
        let query = terms.and(query);
        if terms.op(query) == &Op::Bool(false) {
            return Ok(());
        }
        match (self.ask)(&self.formulas.terms, query) {
            Answer::Unsat => Ok(()),
            Answer::Sat => Err(wrong(what)),
            Answer::Unknown(reason) => Err(Failure::Stopped(no_answer(reason, self.budget))),
        }
    }

    fn walk_failure(&self, error: WalkError) -> Failure {
        match error {
            WalkError::Unsupported(construct) => construct.into(),
            WalkError::Stopped => Failure::Stopped(self.budget.check().err().unwrap_or(Stop::Interrupted)),
        }
    }
}

#[cfg(test)]
mod tests;

//! Choices: which element an access to an array of references is to, and which object a reference is to, are alternatives
//! of an abstract state. There is a state for each of the few values that are possible, and one for all others.
//!
//! What memory holds behind a reference that is one of several is a case distinction, of which no predicate says much. So
//! the index is told apart before the access, and after it whatever is known but for such a distinction: references at
//! once, other contents as soon as a refinement speaks of them.

use super::CegarSpace;
use super::control::Kind;
use super::learn::Case;
use super::limits::{MAX_ALTERNATIVES, MAX_ALTERNATIVES_OF_STEP};
use crate::domain::State;
use crate::engine::Stop;
use crate::formula::blocks::Blocks;
use crate::formula::model_without_solver::simple_model;
use crate::program::control::Frame;
use crate::program::{BinaryOp, Expr, Program, Statement, Type, VarId};
use crate::solver::{Answer, Solve};
use crate::term::{Assignment, Op, Sort, Symbol, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables that choose elements of arrays of references.
pub(super) fn indices(program: &Program, blocks: &Blocks<'_>) -> FxHashSet<Symbol> {
    let mut found = Vec::new();
    for statement in program.procedures.iter().flat_map(|p| p.edges.iter().flat_map(|edge| edge.block.iter())) {
        if let Statement::Store { address, value } = statement
            && value.type_in(program) == Type::Pointer
        {
            offsets_in(address, &mut found);
        }
        let mut waiting = statement.expressions();
        while let Some(expr) = waiting.pop() {
            if let Expr::Load(Type::Pointer, address) = expr {
                offsets_in(address, &mut found);
            }
            waiting.extend(expr.operands());
        }
    }
    found.into_iter().filter_map(|variable| blocks.symbol(variable)).collect()
}

/// The variables that the offset of an address depends on.
fn offsets_in(address: &Expr, found: &mut Vec<VarId>) {
    if let Expr::Binary(BinaryOp::PointerAdd, _, offset) = address {
        offset.for_each_var(&mut |variable| found.push(variable));
    }
}

impl CegarSpace<'_> {
    /// Whether choices are told apart there.
    fn chooses(&self, kind: Kind) -> bool {
        self.pruning.is_some() && self.matches_states() && self.learned.is_none() && kind == Kind::Cut
    }

    /// The alternatives of a step; none where there is nothing to choose.
    pub(super) fn alternatives(
        &mut self,
        context: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        stack: &[Frame],
        kind: Kind,
    ) -> Result<Vec<Case>, Stop> {
        if !self.chooses(kind) {
            return Ok(Vec::new());
        }
        let mut cases = vec![Case { context: context.to_vec(), values: values.clone() }];
        for symbol in self.chosen_at(values, stack) {
            let mut split = Vec::new();
            for case in &cases {
                self.choose(case, symbol, &mut split)?;
            }
            if split.len() <= MAX_ALTERNATIVES_OF_STEP {
                cases = split;
            }
        }
        if let Some(pruning) = self.pruning.as_mut().filter(|_| cases.len() > 1) {
            pruning.note_choice();
        }
        Ok(cases)
    }

    /// What is told apart at a node: references and what chooses them, and what refinements asked for.
    pub(super) fn told_apart_by_choice(&self, kind: Kind, state: &State) -> Vec<(Symbol, TermId)> {
        match self.chooses(kind) {
            true => state.values.iter().copied().filter(|(symbol, _)| self.may_be_chosen(*symbol)).collect(),
            false => Vec::new(),
        }
    }

    /// Whether a symbol is a reference, chooses one, or was asked for. Which objects there are is no choice: paths of
    /// formulas do not speak of it.
    fn may_be_chosen(&self, symbol: Symbol) -> bool {
        let blocks = &self.formulas.blocks;
        let is_chosen =
            blocks.is_always_known(symbol) || self.walks.is_index(symbol) || self.precision.is_told_apart(symbol);
        is_chosen && symbol != blocks.memory().shape_symbol()
    }

    /// What is not known after a step and may be chosen: indices first, as references follow from them.
    fn chosen_at(&self, values: &FxHashMap<Symbol, TermId>, stack: &[Frame]) -> Vec<Symbol> {
        let is_open = |(symbol, value): &(&Symbol, &TermId)| {
            !self.formulas.terms.is_value(**value)
                && self.may_be_chosen(**symbol)
                && self.is_tracked(**symbol)
                && self.formulas.blocks.matters(stack, **symbol)
        };
        let mut found: Vec<Symbol> = values.iter().filter(is_open).map(|(symbol, _)| *symbol).collect();
        found.sort_unstable_by_key(|symbol| (!self.walks.is_index(*symbol), *symbol));
        found
    }

    /// Adds the alternatives for a symbol of a case.
    fn choose(&mut self, case: &Case, symbol: Symbol, split: &mut Vec<Case>) -> Result<(), Stop> {
        let before = case.values[&symbol];
        let (candidates, are_all) = match self.leaves(before) {
            Some(leaves) => (leaves, true),
            None if self.walks.is_index(symbol) => (self.first_indices(symbol), false),
            None => (Vec::new(), false),
        };
        let mut others = case.context.clone();
        let mut has_chosen = false;
        for value in candidates {
            let condition = self.formulas.terms.eq(before, value);
            let alternative = self.assuming(case, symbol, value, condition);
            if self.is_possible(&alternative.context)? {
                split.push(alternative);
                has_chosen = true;
                others.push(self.formulas.terms.not(condition));
            }
        }
        if !has_chosen {
            split.push(case.clone());
        } else if !are_all && self.is_possible(&others)? {
            split.push(Case { context: others, values: case.values.clone() });
        }
        Ok(())
    }

    /// The case in which the condition holds, and the symbol has this value.
    fn assuming(&mut self, case: &Case, symbol: Symbol, value: TermId, condition: TermId) -> Case {
        let terms = &mut self.formulas.terms;
        let mut case = case.clone();
        // Where the condition is that something has a value, that is filled in.
        let parts = match terms.op(condition) {
            Op::And => terms.args(condition).to_vec(),
            _ => vec![condition],
        };
        let mut facts = FxHashMap::default();
        for part in &parts {
            if let (Op::Eq, &[a, b]) = (terms.op(*part), terms.args(*part)) {
                match (terms.as_symbol(a), terms.as_symbol(b)) {
                    (Some(open), None) if terms.is_value(b) => facts.insert(open, b),
                    (None, Some(open)) if terms.is_value(a) => facts.insert(open, a),
                    _ => None,
                };
            }
        }
        if !facts.is_empty() {
            let mut done = FxHashMap::default();
            for value in case.values.values_mut() {
                *value = terms.substitute_cached(*value, &facts, &mut done);
            }
            for part in &mut case.context {
                *part = terms.substitute_cached(*part, &facts, &mut done);
            }
        }
        case.context.extend(parts);
        case.context.retain(|part| terms.op(*part) != &Op::Bool(true));
        case.values.insert(symbol, value);
        case
    }

    /// The values that a case distinction is between, where these are known and few.
    fn leaves(&self, term: TermId) -> Option<Vec<TermId>> {
        let terms = &self.formulas.terms;
        let (mut found, mut seen, mut waiting) = (Vec::new(), FxHashSet::default(), vec![term]);
        while let Some(term) = waiting.pop() {
            if !seen.insert(term) {
                continue;
            }
            match terms.op(term) {
                Op::Ite => waiting.extend(&terms.args(term)[1..]),
                _ if terms.is_value(term) && found.len() < MAX_ALTERNATIVES => found.push(term),
                _ => return None,
            }
        }
        found.sort_unstable();
        Some(found)
    }

    /// The first indices of arrays, as values of a symbol.
    fn first_indices(&mut self, symbol: Symbol) -> Vec<TermId> {
        let terms = &mut self.formulas.terms;
        let sort = terms.symbol_sort(symbol);
        let value = |number: usize| match sort {
            Sort::Int => Some(terms.int(number as i64)),
            Sort::BitVec(width) => Some(terms.bit_vec(number as i64, width)),
            _ => None,
        };
        (0..MAX_ALTERNATIVES).filter_map(value).collect()
    }

    /// Whether a step may be possible; a question that stays open says so, too.
    fn is_possible(&mut self, context: &[TermId]) -> Result<bool, Stop> {
        if context.iter().any(|&part| self.formulas.terms.op(part) == &Op::Bool(false)) {
            return Ok(false);
        }
        if let Some(&known) = self.solver.possible.get(context) {
            return Ok(known);
        }
        let Self { formulas, solver, .. } = self;
        let blocks = &formulas.blocks;
        let mut range = |terms: &mut _, symbol| blocks.range(terms, symbol);
        let is_simple = simple_model(&mut formulas.terms, context, Assignment::default(), &mut range).is_some();
        if is_simple || context.is_empty() {
            solver.possible.insert(context.into(), true);
            return Ok(true);
        }
        solver.assert_ranges(formulas, context.iter().copied());
        solver.push_all(formulas, context);
        let answer = solver.process.check(&formulas.terms, &[]);
        solver.process.pop();
        match answer {
            Answer::Unknown(_) => self.budget.check().map(|()| true),
            _ => {
                self.solver.possible.insert(context.into(), answer.is_sat());
                Ok(answer.is_sat())
            }
        }
    }
}

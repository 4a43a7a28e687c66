//! The whole program as Horn clauses: the way out where refinement path by path diverges.
//!
//! Each cut point, with the objects that there are and those that pointers are into where that is known, is an unknown
//! relation over the numbers that matter there, each block a clause. A solution is an invariant at every cut point, and so a
//! proof.

use super::CegarSpace;
use super::limits::{HORN_PART_OF_TIME, MAX_HORN_CUTS, MAX_HORN_TIME};
use crate::engine::Stop;
use crate::engine::claim::{CutActivation, CutInvariants, CutState};
use crate::formula::Formulas;
use crate::formula::blocks::EndKind;
use crate::program::control::Frame;
use crate::solver::{HornClause, HornClauses};
use crate::term::{Op, Sort, Symbol, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The cut points, the entry first, and the clauses of the blocks between them.
pub(super) struct Whole {
    pub(super) points: Vec<CutPoint>,
    pub(super) horn: HornClauses,
}

/// A cut point with what is known of memory there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CutPoint {
    pub(super) stack: Vec<Frame>,
    values: Vec<(Symbol, TermId)>,
}

/// A block from one cut point to another; to none if it ends in an error.
struct Block {
    from: usize,
    guard: TermId,
    to: Option<usize>,
    values: FxHashMap<Symbol, TermId>,
}

impl CegarSpace<'_> {
    /// A proof by invariants at all cut points, if one is found in time.
    pub(super) fn whole_program(&mut self) -> Result<Option<CutInvariants>, Stop> {
        if self.formulas.blocks.cuts().has_recursion() {
            return Ok(None);
        }
        let Some(Whole { points, horn }) = self.clauses()? else { return Ok(None) };
        let limit = self.budget.remaining().map_or(MAX_HORN_TIME, |left| (left / HORN_PART_OF_TIME).min(MAX_HORN_TIME));
        // Where there is no solution, or none is found, refinement goes on.
        let Ok(Some(invariants)) = self.solver.process.solve_horn(&mut self.formulas.terms, &horn, limit) else {
            self.budget.check()?;
            return Ok(None);
        };
        let literals = invariants.into_iter().map(|invariant| conjuncts(&self.formulas.terms, invariant)).collect();
        Ok(Some(self.invariants(points, literals)))
    }

    /// The proof that these hold at the cut points, the entry's first.
    pub(super) fn invariants(&mut self, points: Vec<CutPoint>, literals: Vec<Vec<TermId>>) -> CutInvariants {
        let states = points.into_iter().zip(literals);
        let states = states.map(|(CutPoint { stack, values }, literals)| CutState { stack, values, literals });
        let mut states: Vec<CutState> = states.collect();
        let cuts = states.split_off(1);
        let entry = states.pop().expect("the entry is the first");
        let procedure = self.program().main;
        // The entry may be a loop's head too.
        let again =
            CutState { stack: entry.stack.clone(), values: entry.values.clone(), literals: entry.literals.clone() };
        let activation =
            CutActivation { procedure, entry, cuts: cuts.into_iter().chain([again]).collect(), exits: vec![] };
        CutInvariants {
            terms: std::mem::take(&mut self.formulas.terms),
            arithmetic: self.formulas.blocks.encoder().arithmetic(),
            memory: self.formulas.blocks.memory().clone(),
            tracked: FxHashSet::default(),
            blocks: self.config.blocks,
            activations: vec![activation],
        }
    }

    /// The blocks between all cut points that can be reached.
    pub(super) fn clauses(&mut self) -> Result<Option<Whole>, Stop> {
        loop {
            let found = self.clauses_of_known_cells()?;
            if !self.formulas.blocks.cells_changed() {
                return Ok(found);
            }
            // The search was of fewer cells, too.
            self.is_behind = true;
            self.take_new_cells()?;
        }
    }

    /// The same, with the cells of memory that are known so far.
    fn clauses_of_known_cells(&mut self) -> Result<Option<Whole>, Stop> {
        let program = self.program();
        let entry = Frame { procedure: program.main, location: program.procedures[program.main].entry, call: None };
        let (init, first) = self.walks.initial.clone();
        let mut points = vec![self.cut_point(vec![entry], &first)];
        let mut blocks: Vec<Block> = Vec::new();
        let mut next = 0;
        while next < points.len() {
            let budget = self.budget.clone();
            let stop = || budget.check().is_err();
            let CutPoint { stack, values } = &points[next];
            let walk = self.formulas.blocks.walk(&mut self.formulas.terms, stack, values, &FxHashSet::default(), &stop);
            let walk = walk.map_err(|error| self.budget.stop_of_walk(error))?;
            for end in walk.ends {
                let guard = self.formulas.terms.and(end.guard.iter().copied());
                let target = match end.kind {
                    EndKind::Error | EndKind::Fault => None,
                    EndKind::Exit => continue,
                    EndKind::Call(_) => return Ok(None),
                    EndKind::Cut => {
                        let point = self.cut_point(end.stack.into_vec(), &end.values);
                        Some(number_of(&mut points, point))
                    }
                };
                blocks.push(Block { from: next, guard, to: target, values: end.values });
            }
            if points.len() > MAX_HORN_CUTS {
                return Ok(None);
            }
            next += 1;
        }
        let read = self.read_by(&blocks);
        let matters = |CutPoint { stack, values }: &CutPoint, symbol: &Symbol| {
            self.formulas.blocks.matters(stack, *symbol) && values.iter().all(|(known, _)| known != symbol)
        };
        let relations: Vec<Vec<Symbol>> =
            points.iter().map(|point| read.iter().copied().filter(|symbol| matters(point, symbol)).collect()).collect();
        let mut horn = HornClauses { relations, clauses: Vec::new() };
        let constraint = self.in_ranges(init.guard, &first);
        horn.clauses.push(HornClause { premise: None, constraint, conclusion: Some((0, first)) });
        for Block { from, guard, to, values } in blocks {
            let constraint = self.in_ranges(guard, &values);
            // What the premise is over is in its range too.
            let mut all = vec![constraint];
            for symbol in horn.relations[from].clone() {
                all.extend(self.formulas.range(symbol));
            }
            let constraint = self.formulas.terms.and(all);
            horn.clauses.push(HornClause { premise: Some(from), constraint, conclusion: to.map(|to| (to, values)) });
        }
        Ok(Some(Whole { points, horn }))
    }

    /// A cut point that a step with these values leads to.
    fn cut_point(&self, stack: Vec<Frame>, values: &FxHashMap<Symbol, TermId>) -> CutPoint {
        let Formulas { terms, blocks } = &self.formulas;
        let is_known = |(symbol, value): &(&Symbol, &TermId)| {
            blocks.is_always_known(**symbol) && terms.is_value(**value) && blocks.matters(&stack, **symbol)
        };
        let known = values.iter().filter(is_known).map(|(symbol, value)| (*symbol, *value));
        let mut values: Vec<(Symbol, TermId)> = known.collect();
        values.sort_unstable();
        CutPoint { stack, values }
    }

    /// The variables and cells that blocks read, directly or for others that are read. Of what arrays hold nothing is said.
    fn read_by(&self, blocks: &[Block]) -> BTreeSet<Symbol> {
        let is_variable = |symbol: &Symbol| {
            self.formulas.blocks.is_state(*symbol)
                && !matches!(self.formulas.terms.symbol_sort(*symbol), Sort::Array(_))
        };
        let mut read: BTreeSet<Symbol> = self.formulas.terms.symbols_of(blocks.iter().map(|block| block.guard));
        read.retain(is_variable);
        loop {
            let before = read.len();
            for Block { values, .. } in blocks {
                let wanted = values.iter().filter(|(symbol, _)| read.contains(symbol)).map(|(_, value)| *value);
                let wanted: Vec<TermId> = wanted.collect();
                read.extend(self.formulas.terms.symbols_of(wanted).into_iter().filter(is_variable));
            }
            if read.len() == before {
                return read;
            }
        }
    }

    /// The guard, with every symbol that a block reads in its range.
    fn in_ranges(&mut self, guard: TermId, values: &FxHashMap<Symbol, TermId>) -> TermId {
        let mut all = vec![guard];
        for symbol in self.formulas.terms.symbols_of(values.values().copied().chain([guard])) {
            all.extend(self.formulas.range(symbol));
        }
        self.formulas.terms.and(all)
    }
}

fn number_of(points: &mut Vec<CutPoint>, point: CutPoint) -> usize {
    match points.iter().position(|known| *known == point) {
        Some(number) => number,
        None => {
            points.push(point);
            points.len() - 1
        }
    }
}

fn conjuncts(terms: &crate::term::Terms, formula: TermId) -> Vec<TermId> {
    match terms.op(formula) {
        Op::And => terms.args(formula).to_vec(),
        Op::Bool(true) => Vec::new(),
        _ => vec![formula],
    }
}

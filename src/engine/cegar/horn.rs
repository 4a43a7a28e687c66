//! The whole program as Horn clauses: the way out where refinement path by path diverges.
//!
//! Each cut point is an unknown relation over what matters there, each block a clause. A solution is an invariant at
//! every cut point, and so a proof.

use super::CegarSpace;
use super::limits::{HORN_PART_OF_TIME, MAX_HORN_CUTS, MAX_HORN_TIME};
use crate::engine::Stop;
use crate::engine::claim::{CutActivation, CutInvariants, CutState};
use crate::formula::blocks::EndKind;
use crate::program::control::Frame;
use crate::solver::{HornClause, HornClauses};
use crate::term::{Op, Symbol, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The stacks of the cut points, the entry's first, and the clauses of the blocks between them.
pub(super) struct Whole {
    pub(super) stacks: Vec<Vec<Frame>>,
    pub(super) horn: HornClauses,
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
        let Some(Whole { stacks, horn }) = self.clauses()? else { return Ok(None) };
        // Without the values of pointers nothing says which accesses are valid.
        if self.formulas.blocks.touches_memory() {
            return Ok(None);
        }
        let limit = self.budget.remaining().map_or(MAX_HORN_TIME, |left| (left / HORN_PART_OF_TIME).min(MAX_HORN_TIME));
        // Where there is no solution, or none is found, refinement goes on.
        let Ok(Some(invariants)) = self.solver.process.solve_horn(&mut self.formulas.terms, &horn, limit) else {
            self.budget.check()?;
            return Ok(None);
        };
        let literals = invariants.into_iter().map(|invariant| conjuncts(&self.formulas.terms, invariant)).collect();
        Ok(Some(self.invariants(stacks, literals)))
    }

    /// The proof that these hold at the cut points, the entry's first.
    pub(super) fn invariants(&mut self, stacks: Vec<Vec<Frame>>, literals: Vec<Vec<TermId>>) -> CutInvariants {
        let states = stacks.into_iter().zip(literals);
        let states = states.map(|(stack, literals)| CutState { stack, values: Vec::new(), literals });
        let mut states: Vec<CutState> = states.collect();
        let cuts = states.split_off(1);
        let entry = states.pop().expect("the entry is the first");
        let procedure = self.program().main;
        // The entry may be a loop's head too.
        let again = CutState { stack: entry.stack.clone(), values: Vec::new(), literals: entry.literals.clone() };
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
        let program = self.program();
        let entry = Frame { procedure: program.main, location: program.procedures[program.main].entry, call: None };
        let mut stacks = vec![vec![entry]];
        let mut blocks: Vec<Block> = Vec::new();
        let mut next = 0;
        while next < stacks.len() {
            let budget = self.budget.clone();
            let stop = || budget.check().is_err();
            let walk =
                self.formulas.blocks.walk(&mut self.formulas.terms, &stacks[next], &[], &FxHashSet::default(), &stop);
            let walk = walk.map_err(|error| self.budget.stop_of_walk(error))?;
            for end in walk.ends {
                let guard = self.formulas.terms.and(end.guard.iter().copied());
                let target = match end.kind {
                    EndKind::Error | EndKind::Fault => None,
                    EndKind::Exit => continue,
                    EndKind::Call(_) => return Ok(None),
                    EndKind::Cut => Some(number_of(&mut stacks, end.stack.into_vec())),
                };
                blocks.push(Block { from: next, guard, to: target, values: end.values });
            }
            if stacks.len() > MAX_HORN_CUTS {
                return Ok(None);
            }
            next += 1;
        }
        let read = self.read_by(&blocks);
        let relations: Vec<Vec<Symbol>> = stacks
            .iter()
            .map(|stack| read.iter().copied().filter(|s| self.formulas.blocks.matters(stack, *s)).collect())
            .collect();
        let mut horn = HornClauses { relations, clauses: Vec::new() };
        let (init, values) = self.walks.initial.clone();
        let first = self.in_ranges(init.guard, &values);
        horn.clauses.push(HornClause { premise: None, constraint: first, conclusion: Some((0, values)) });
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
        Ok(Some(Whole { stacks, horn }))
    }

    /// The variables that blocks read, directly or for others that are read.
    fn read_by(&self, blocks: &[Block]) -> BTreeSet<Symbol> {
        let is_variable = |symbol: &Symbol| self.formulas.blocks.encoder().variable(*symbol).is_some();
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

fn number_of(stacks: &mut Vec<Vec<Frame>>, stack: Vec<Frame>) -> usize {
    match stacks.iter().position(|known| *known == stack) {
        Some(number) => number,
        None => {
            stacks.push(stack);
            stacks.len() - 1
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

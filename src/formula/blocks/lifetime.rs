//! The ends of objects' lives.

use super::Blocks;
use crate::formula::memory::{Allocated, Shape, is_region};
use crate::program::control::Frame;
use crate::program::{Region, Scope};
use crate::term::{Op, Sort, Symbol, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

impl Blocks<'_> {
    /// A value of the shape that says nothing.
    pub(in crate::formula) fn unknown_shape(&mut self, terms: &mut Terms) -> TermId {
        terms.var("memory!unknown", Sort::Int)
    }

    /// Ends the lives of the objects that the procedure on top of the stack made on it, where it returns.
    pub(in crate::formula) fn end_lives(
        &mut self,
        terms: &mut Terms,
        stack: &[Frame],
        values: &mut FxHashMap<Symbol, TermId>,
    ) {
        let frames = stack.len() as u32;
        let ends = |region: Region, owner: u32| region.is_on_stack() && owner == frames;
        let Some(mut shape) = self.shape(terms, values) else { return };
        let ended: Vec<i64> =
            shape.iter().filter(|(_, object)| ends(object.region, object.frames)).map(|(number, _)| *number).collect();
        if ended.is_empty() {
            return;
        }
        for number in &ended {
            shape.get_mut(number).expect("it was found there").live = false;
        }
        self.forget(terms, &stack[..stack.len() - 1], values, shape);
    }

    /// Forgets objects that nothing leads to any more: those that are not live, and those on the heap, unless it matters
    /// what is lost there.
    pub fn forget_unreachable(&mut self, terms: &mut Terms, stack: &[Frame], values: &mut FxHashMap<Symbol, TermId>) {
        let Some(shape) = self.shape(terms, values) else { return };
        if shape.values().any(|object| !object.live || object.region == Region::Heap) {
            self.forget(terms, stack, values, shape);
        }
    }

    fn shape(&self, terms: &Terms, values: &FxHashMap<Symbol, TermId>) -> Option<Shape> {
        values.get(&self.memory.shape_symbol()).and_then(|number| self.memory.shape_of(terms, *number))
    }

    fn forget(&mut self, terms: &mut Terms, stack: &[Frame], values: &mut FxHashMap<Symbol, TermId>, mut shape: Shape) {
        let collects = self.memory.shows_all_pointers_in(&shape);
        let may_go = |(number, object): (&i64, &Allocated)| {
            !is_region(*number) && (!object.live || collects && object.region == Region::Heap)
        };
        // Callers of a recursive procedure, which are not on this stack, may point to objects too.
        if !self.cuts.has_recursion()
            && shape.iter().any(may_go)
            && let Some(reached) = self.reachable(terms, stack, values, &shape, collects)
        {
            let gone: Vec<i64> = (shape.iter().filter(|object| may_go(*object)).map(|(number, _)| *number))
                .filter(|number| !reached.contains(number))
                .collect();
            for number in gone {
                shape.remove(&number);
                values.retain(|symbol, _| self.memory.owner(*symbol) != Some(number));
            }
        }
        let number = self.memory.number_of(terms, &shape);
        values.insert(self.memory.shape_symbol(), number);
    }

    /// The objects that pointers lead to, from variables on; `None` if some pointer can be any. Where it matters what is
    /// lost, every live object counts as held.
    fn reachable(
        &self,
        terms: &Terms,
        stack: &[Frame],
        values: &FxHashMap<Symbol, TermId>,
        shape: &Shape,
        collects: bool,
    ) -> Option<BTreeSet<i64>> {
        let mut pointers: BTreeMap<i64, Vec<Symbol>> = BTreeMap::new();
        for (symbol, owner) in self.memory.pointer_symbols() {
            pointers.entry(owner).or_default().push(symbol);
        }
        let mut found = BTreeSet::new();
        let variables = self.program.variables.enumerate().filter(|(_, variable)| match variable.scope {
            Scope::Global => true,
            Scope::Local(procedure) => stack.iter().any(|frame| frame.procedure == procedure),
        });
        let objects = variables.filter_map(|(id, _)| Some(self.encoder.pointer(id)?.0));
        for symbol in objects.filter(|symbol| self.matters(stack, *symbol)) {
            numbers_in(terms, *values.get(&symbol)?, &mut found)?;
        }
        let is_held = |object: &Allocated| object.live && !(collects && object.region == Region::Heap);
        found.extend(shape.iter().filter(|(number, object)| is_region(**number) || is_held(object)).map(|(n, _)| *n));
        let mut waiting: Vec<i64> = found.iter().copied().collect();
        while let Some(number) = waiting.pop() {
            // What is not live is not read.
            if !shape.get(&number).is_some_and(|object| object.live) {
                continue;
            }
            for symbol in pointers.get(&number).into_iter().flatten() {
                let mut held = BTreeSet::new();
                numbers_in(terms, *values.get(symbol)?, &mut held)?;
                waiting.extend(held.into_iter().filter(|number| found.insert(*number)));
            }
        }
        Some(found)
    }
}

/// Collects the numbers that a term, or what an array holds, can be, as far as they are seen; `None` if it can be any.
fn numbers_in(terms: &Terms, term: TermId, found: &mut BTreeSet<i64>) -> Option<()> {
    let mut waiting = vec![term];
    let mut seen = FxHashSet::default();
    while let Some(term) = waiting.pop() {
        if !seen.insert(term) {
            continue;
        }
        match (terms.op(term), terms.args(term)) {
            (Op::Int(value), _) => {
                found.insert(value.to_i64()?);
            }
            (Op::Ite, [_, then, otherwise]) => waiting.extend([*then, *otherwise]),
            (Op::Store, [array, _, value]) => waiting.extend([*array, *value]),
            (Op::ConstArray(..), [value]) => waiting.push(*value),
            _ => return None,
        }
    }
    Some(())
}

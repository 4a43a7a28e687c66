//! Objects on the heap that are lost, as far as formulas can tell: which objects lead to which, from the variables on.

use super::is_region;
use crate::formula::encode::Unsupported;
use crate::formula::encode::block::Block;
use crate::program::{Region, Scope, Type};
use crate::term::{Op, Sort, TermId, Terms};
use std::collections::BTreeMap;

/// What cannot be told exactly.
pub(in crate::formula) const LOST: &str = "an object that may be lost";

/// How many ways between objects are followed at most, each as often as there are objects.
const MAX_STEPS: usize = 4096;

/// A pointer to an object that is held, where the condition is true.
struct Held {
    /// The object that holds it; none for a variable.
    by: Option<i64>,
    condition: TermId,
    object: i64,
}

impl Block<'_, '_> {
    /// Whether an object on the heap is lost. A pointer that is not known leads nowhere, so that what is said to be lost
    /// may not be; what is not said to be lost is not.
    pub(in crate::formula) fn has_lost(&mut self, terms: &mut Terms, at_end: bool) -> TermId {
        let Some(shape) = self.access.as_ref().and_then(|access| access.shape.clone()) else {
            return self.anything_lost(terms);
        };
        // Which members of a region hold which is not followed.
        if shape.iter().any(|(number, object)| is_region(*number) && object.region == Region::Heap) {
            return self.anything_lost(terms);
        }
        let truth = terms.bool(true);
        let mut reached: BTreeMap<i64, TermId> = BTreeMap::new();
        for (number, object) in shape.iter().filter(|(_, object)| object.live) {
            let counts = match object.region {
                Region::Heap => false,
                Region::Stack | Region::ConstantStack => !at_end,
                Region::Static | Region::Literal | Region::Constant => true,
            };
            reached.insert(*number, terms.bool(counts));
        }
        let on_heap = |number: &&i64| shape.get(number).is_some_and(|object| object.region == Region::Heap);
        let heap: Vec<i64> = reached.keys().filter(on_heap).copied().collect();
        if heap.is_empty() {
            return terms.bool(false);
        }
        let mut held = self.held_by_variables(terms, at_end);
        held.extend(self.held_by_objects(terms, reached.keys().copied().collect()));
        if held.len() * heap.len() > MAX_STEPS {
            return self.anything_lost(terms);
        }
        for _ in 0..=heap.len() {
            let mut is_new = false;
            for Held { by, condition, object } in &held {
                let from = by.map_or(truth, |by| reached[&by]);
                let Some(before) = reached.get(object).copied() else { continue };
                let way = terms.and([*condition, from]);
                let after = terms.or([before, way]);
                is_new |= after != before;
                reached.insert(*object, after);
            }
            if !is_new {
                break;
            }
        }
        let lost: Vec<TermId> = heap.iter().map(|number| terms.not(reached[number])).collect();
        let lost = terms.or(lost);
        let known = self.known_here(terms, lost);
        if terms.op(known) == &Op::Bool(false) {
            return terms.bool(false);
        }
        let maybe = self.anything_lost(terms);
        terms.and([lost, maybe])
    }

    fn anything_lost(&mut self, terms: &mut Terms) -> TermId {
        self.any_value(terms, Type::Bool, Sort::Bool, Unsupported::new(LOST))
    }

    fn held_by_variables(&mut self, terms: &mut Terms, at_end: bool) -> Vec<Held> {
        let program = self.encoder.program;
        let mut held = Vec::new();
        for (variable, data) in program.variables.enumerate().filter(|(_, data)| data.ty == Type::Pointer) {
            let stack = self.access.as_ref().map(|access| access.stack).unwrap_or_default();
            let counts = match data.scope {
                Scope::Global => true,
                Scope::Local(procedure) => !at_end && stack.iter().any(|frame| frame.procedure == procedure),
            };
            let object = match self.pointers.get(&variable) {
                Some(pointer) => Some(pointer.object),
                None => self.encoder.pointer_term(terms, variable).map(|pointer| pointer.object),
            };
            if let (true, Some(object)) = (counts, object) {
                held.extend(self.held(terms, None, object));
            }
        }
        held
    }

    fn held_by_objects(&mut self, terms: &mut Terms, objects: Vec<i64>) -> Vec<Held> {
        let mut held = Vec::new();
        for object in objects {
            let Some(access) = &mut self.access else { return held };
            let cells = access.memory.cells(terms, self.encoder.arithmetic, object.into());
            for (_, cell) in cells.into_iter().filter(|(_, cell)| cell.offset.is_some()) {
                let Some(access) = &self.access else { return held };
                let value = access.cells.get(&cell.value).copied().unwrap_or_else(|| terms.of_symbol(cell.value));
                held.extend(self.held(terms, Some(object), value));
            }
        }
        held
    }

    fn held(&mut self, terms: &mut Terms, by: Option<i64>, object: TermId) -> Vec<Held> {
        let cases = self.cases(terms, object).unwrap_or_default();
        cases
            .into_iter()
            .filter(|(_, object)| object.number > 0)
            .map(|(condition, object)| Held { by, condition, object: object.number })
            .collect()
    }
}

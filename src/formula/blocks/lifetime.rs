//! The ends of objects' lives.

use super::Blocks;
use crate::formula::memory::Shape;
use crate::program::control::Frame;
use crate::program::{Region, Scope};
use crate::term::{Op, Sort, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

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

    /// Forgets objects that are not live and that nothing points to.
    pub fn forget_freed(&mut self, terms: &mut Terms, stack: &[Frame], values: &mut FxHashMap<Symbol, TermId>) {
        let Some(shape) = self.shape(terms, values) else { return };
        if shape.values().any(|object| !object.live) {
            self.forget(terms, stack, values, shape);
        }
    }

    fn shape(&self, terms: &Terms, values: &FxHashMap<Symbol, TermId>) -> Option<Shape> {
        values.get(&self.memory.shape_symbol()).and_then(|number| self.memory.shape_of(terms, *number))
    }

    fn forget(&mut self, terms: &mut Terms, stack: &[Frame], values: &mut FxHashMap<Symbol, TermId>, mut shape: Shape) {
        // Callers of a recursive procedure, which are not on this stack, may point to objects too.
        let dead = shape.iter().filter(|(_, object)| !object.live && !self.cuts.has_recursion());
        let dead: Vec<i64> = dead.map(|(number, _)| *number).collect();
        for number in dead {
            if !self.may_be_pointed_to(terms, stack, values, &shape, number) {
                shape.remove(&number);
                values.retain(|symbol, _| self.memory.owner(*symbol) != Some(number));
            }
        }
        let number = self.memory.number_of(terms, &shape);
        values.insert(self.memory.shape_symbol(), number);
    }

    fn may_be_pointed_to(
        &self,
        terms: &Terms,
        stack: &[Frame],
        values: &FxHashMap<Symbol, TermId>,
        shape: &Shape,
        number: i64,
    ) -> bool {
        let may_be = |symbol: Symbol| values.get(&symbol).is_none_or(|value| may_be_number(terms, *value, number));
        let variables = self.program.variables.enumerate().filter(|(_, variable)| match variable.scope {
            Scope::Global => true,
            Scope::Local(procedure) => stack.iter().any(|frame| frame.procedure == procedure),
        });
        let objects = variables.filter_map(|(id, _)| Some(self.encoder.pointer(id)?.0));
        let mut objects = objects.filter(|symbol| self.matters(stack, *symbol));
        objects.any(may_be)
            || self.memory.pointer_cells_in(shape).any(may_be)
            || self.memory.has_pointer_arrays_in(shape)
    }
}

/// Whether a term, as far as is seen, can be the number.
fn may_be_number(terms: &Terms, term: TermId, number: i64) -> bool {
    match terms.op(term) {
        Op::Int(value) => value.to_i64() == Some(number),
        Op::Ite => terms.args(term)[1..].iter().any(|arg| may_be_number(terms, *arg, number)),
        _ => true,
    }
}

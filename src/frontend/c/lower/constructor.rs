//! Functions that run before `main`.

use super::call::{Arguments, Target};
use super::{Lower, Lowered};
use crate::frontend::c::tree::FunctionId;

impl Lower<'_> {
    /// Calls the functions that run before `main`, by their priorities and then in the order of the files.
    pub(super) fn run_constructors(&mut self) -> Lowered<()> {
        let mut all: Vec<(u64, usize, FunctionId)> = Vec::new();
        for (number, linked) in self.linked.iter().enumerate().take(self.user_units) {
            let of_unit = linked.unit.functions.enumerate().filter(|(_, function)| function.definition.is_some());
            all.extend(of_unit.filter_map(|(id, function)| Some((function.constructor?, number, id))));
        }
        // Those of one priority that are in one file run in the order in which they are defined.
        all.sort_by_key(|(priority, number, id)| {
            (*priority, *number, self.linked[*number].unit.functions[*id].span.start)
        });
        for (_, number, function) in all {
            let node = &self.linked[number].unit.functions[function];
            if node.definition.as_ref().is_some_and(|definition| !definition.parameters.is_empty()) {
                return Err(self.refuse("a function with parameters that runs before `main` is"));
            }
            self.defined_call(number, function, Arguments::of_scalars(Vec::new()), &Target::Nothing)?;
        }
        Ok(())
    }

    /// Whether the program has functions that run before `main`.
    pub(super) fn has_constructors(&self) -> bool {
        self.linked.iter().any(|linked| linked.unit.functions.iter().any(|function| function.constructor.is_some()))
    }
}

//! Objects by names that people can tell apart, and what of an execution is worth showing where a program has them.

use super::place::readable;
use crate::concrete::{Cell, CellChange, Change, Replay, ReplayedStep, Value, is_operand};
use crate::program::control::Action;
use crate::program::{Program, Scope, VarId};
use std::collections::BTreeMap;

/// What the objects of an execution are called: strings are their texts, others have the name of their class and a
/// number.
#[derive(Debug)]
pub(super) struct Objects<'p> {
    program: &'p Program,
    names: BTreeMap<u32, String>,
}

/// The packages of the library, in which no program has classes of its own.
const LIBRARY: [&str; 6] = ["java.", "javax.", "jdk.", "sun.", "com.sun.", "tandem."];

fn is_of_library(name: &str) -> bool {
    LIBRARY.iter().any(|package| name.starts_with(package))
}

impl<'p> Objects<'p> {
    /// The objects of an execution, if the program says how they lie in memory.
    pub(crate) fn of(program: &'p Program, replay: &Replay) -> Option<Objects<'p>> {
        if program.classes.is_empty() {
            return None;
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut names = BTreeMap::new();
        for object in &replay.objects {
            let short = object.class.rsplit(['.', '$']).next().unwrap_or(&object.class);
            let count = counts.entry(&object.class).or_default();
            *count += 1;
            names.insert(object.object, object.text.clone().unwrap_or_else(|| format!("{short}#{count}")));
        }
        Some(Objects { program, names })
    }

    /// A value; an object by its name.
    pub(crate) fn value(&self, value: &Value) -> String {
        match value {
            Value::Pointer(pointer) if pointer.offset == 0 => {
                self.names.get(&pointer.object).cloned().unwrap_or_else(|| readable(value))
            }
            other => readable(other),
        }
    }

    /// Whether a variable has a meaning in the source.
    pub(crate) fn is_shown(&self, variable: VarId) -> bool {
        let variable = &self.program.variables[variable];
        let name = variable.name.as_str();
        let is_internal = match variable.scope {
            Scope::Global => {
                let prefixes = ["\"", "characters of ", "class ", "lock of "];
                ["exception", "thread"].contains(&name)
                    || name.ends_with("<state>")
                    || prefixes.iter().any(|prefix| name.starts_with(prefix))
                    || is_of_library(name)
            }
            Scope::Local(procedure) => {
                let locations = &self.program.procedures[procedure].locations;
                let has_source = locations.iter().any(|location| location.span.is_some());
                name.starts_with('%') || is_operand(name) || name == "result" || !has_source
            }
        };
        !is_internal
    }

    /// The variables that have a meaning in the source, with their values.
    pub(crate) fn assignment(&self, values: &[(VarId, Value)]) -> Vec<String> {
        let shown = values.iter().filter(|(variable, _)| self.is_shown(*variable));
        shown.map(|(v, value)| format!("{} = {}", self.program.variables[*v].name, self.value(value))).collect()
    }

    /// What a step did to variables, fields and elements.
    pub(crate) fn effects(&self, step: &ReplayedStep) -> Vec<String> {
        // After a return all variables of the caller are there again, which is no news.
        let is_news = |change: &&Change| {
            let is_local = self.program.variables[change.variable].scope != Scope::Global;
            self.is_shown(change.variable) && !(is_local && step.step.action == Action::Return)
        };
        let of_variable = |change: &Change| {
            format!("{} = {}", self.program.variables[change.variable].name, self.value(&change.after))
        };
        let mut effects: Vec<String> = step.changes.iter().filter(is_news).map(of_variable).collect();
        effects.extend(step.cells.iter().map(|cell| self.cell(cell)));
        effects
    }

    fn cell(&self, change: &CellChange) -> String {
        let object = match change.through {
            Some(variable) => self.program.variables[variable].name.clone(),
            None => self.names.get(&change.object).cloned().unwrap_or_else(|| format!("&{}", change.object)),
        };
        let value = self.value(&change.after);
        match &change.cell {
            Cell::Field(name) => format!("{object}.{name} = {value}"),
            Cell::Element(index) => format!("{object}[{index}] = {value}"),
        }
    }
}

//! Controls seen in a search, each kept once, with the steps they allow and where those lead.

use crate::program::Program;
use crate::program::control::{Control, Flow, Step};
use rustc_hash::FxHashMap;

/// The number of a control in a [`ControlTable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ControlId(pub u32);

/// Controls, each once.
pub(crate) struct ControlTable<'p> {
    program: &'p Program,
    flow: Flow,
    entries: Vec<NumberedControl>,
    numbers: FxHashMap<Control, ControlId>,
}

struct NumberedControl {
    control: Control,
    /// What control allows, with where it leads once that was asked.
    steps: Vec<(Step, Option<ControlId>)>,
    failed: bool,
}

impl<'p> ControlTable<'p> {
    /// An empty table.
    pub(crate) fn new(program: &'p Program) -> Self {
        ControlTable { program, flow: Flow::of(program), entries: Vec::new(), numbers: FxHashMap::default() }
    }

    /// The number of a control.
    pub(crate) fn number(&mut self, control: Control) -> ControlId {
        if let Some(&known) = self.numbers.get(&control) {
            return known;
        }
        let id = ControlId(u32::try_from(self.entries.len()).expect("fewer than 2^32 controls"));
        let steps = control.steps(self.program, &self.flow).into_iter().map(|step| (step, None)).collect();
        let failed = control.failure(self.program).is_some();
        self.entries.push(NumberedControl { control: control.clone(), steps, failed });
        self.numbers.insert(control, id);
        id
    }

    /// The control of that number.
    pub(crate) fn get(&self, id: ControlId) -> &Control {
        &self.entries[id.0 as usize].control
    }

    /// How many steps it allows.
    pub(crate) fn step_count(&self, id: ControlId) -> usize {
        self.entries[id.0 as usize].steps.len()
    }

    /// One of the steps that it allows.
    pub(crate) fn step(&self, id: ControlId, index: usize) -> Step {
        self.entries[id.0 as usize].steps[index].0
    }

    /// Whether a thread is at an error location there.
    pub(crate) fn failed(&self, id: ControlId) -> bool {
        self.entries[id.0 as usize].failed
    }

    /// Where one of its steps leads.
    pub(crate) fn after(&mut self, id: ControlId, index: usize) -> ControlId {
        let (step, known) = self.entries[id.0 as usize].steps[index];
        if let Some(known) = known {
            return known;
        }
        let mut control = self.get(id).clone();
        control.apply(self.program, step);
        let target = self.number(control);
        self.entries[id.0 as usize].steps[index].1 = Some(target);
        target
    }

    /// All controls, by number.
    pub(crate) fn into_controls(self) -> Vec<Control> {
        self.entries.into_iter().map(|entry| entry.control).collect()
    }

    /// About how many bytes the table takes.
    pub(crate) fn bytes(&self) -> usize {
        self.entries
            .iter()
            .map(|e| {
                let frames = e.control.threads.iter().map(|t| size_of_val(t) + size_of_val(t.frames.as_slice()));
                let steps = e.steps.capacity() * size_of::<(Step, Option<ControlId>)>();
                // Each control is in the list and in the map.
                2 * (size_of::<NumberedControl>() + frames.sum::<usize>()) + steps
            })
            .sum()
    }
}

//! In which order the steps of an execution are tried.

use crate::concrete::Machine;
use crate::program::control::{Action, Flow, Step};
use crate::program::{Id, Program};

/// In which order steps are tried.
pub(super) struct StepOrder {
    flow: Flow,
    random: Option<u64>,
}

impl StepOrder {
    pub(super) fn new(program: &Program, seed: Option<u64>) -> StepOrder {
        StepOrder { flow: Flow::of(program), random: seed }
    }

    /// Steps into an error come first, so that no error is passed by; the rest as they come, or shuffled.
    pub(super) fn arrange(&mut self, machine: &Machine) -> Vec<Step> {
        let mut steps = Vec::new();
        self.arrange_into(machine, &mut steps);
        steps
    }

    /// The same, into a list that had others.
    pub(super) fn arrange_into(&mut self, machine: &Machine, steps: &mut Vec<Step>) {
        let program = machine.program();
        steps.clear();
        machine.control().steps_into(program, &self.flow, steps);
        if self.random.is_some() {
            for i in (1..steps.len()).rev() {
                let j = self.number() % (i as u64 + 1);
                steps.swap(i, j as usize);
            }
        }
        if steps.len() > 1 {
            steps.sort_by_key(|step| !enters_error(program, machine, *step));
        }
    }

    /// The next number of the sequence called splitmix64.
    fn number(&mut self) -> u64 {
        let state = self.random.get_or_insert(0);
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

fn enters_error(program: &Program, machine: &Machine, step: Step) -> bool {
    let Action::Edge(edge) = step.action else { return false };
    let Some(frame) = machine.control().threads[step.thread.index()].frames.last() else { return false };
    let procedure = &program.procedures[frame.procedure];
    procedure.locations[procedure.edges[edge].target].error.is_some()
}

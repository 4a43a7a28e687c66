//! Deterministic steps after a step: an execution goes on to where there is something to choose.

use super::{Execution, Following, Halted};
use crate::concrete::{CycleDetector, Halt, Packed};
use crate::program::control::{Control, Step};

/// Limits are asked for after this many deterministic steps, which take about 10 ms.
const STEPS_BETWEEN_CHECKS: u64 = 1 << 20;

/// No Java virtual machine with its defaults has a stack for as many calls.
const MAX_STACK: usize = 200_000;

/// With other threads there, one goes on by itself for at most about so many steps before they have a choice: if it counts
/// for ever, they would wait for ever.
const MAX_ALONE: u64 = 1 << 20;

/// So many deterministic steps are taken with a way back. After more it is cheaper to load the state again.
const STEPS_WITH_WAY_BACK: u64 = 1000;

impl Execution<'_> {
    /// Goes on for as long as there is nothing to choose; none where that is for ever, through states that violate nothing.
    pub(super) fn settle<E>(
        &mut self,
        following: Following,
        keep_on: &dyn Fn() -> Result<(), E>,
        taken: &mut Vec<Step>,
    ) -> Result<Option<Packed>, Halted<E>> {
        let mark = self.machine.save();
        let records = self.records;
        let mut note = |_, step| {
            if records {
                taken.push(step)
            }
        };
        let advance = self.machine.run_with_way_back(STEPS_WITH_WAY_BACK, &mut note);
        if advance.halt == Halt::Limit {
            self.machine.restore(mark);
            taken.clear();
            return self.settle_far(following, keep_on, taken);
        }
        self.skipped += advance.steps;
        Ok(Some(self.machine.pack()))
    }

    /// The same for many steps: cycles are recognised, and the way back is lost.
    fn settle_far<E>(
        &mut self,
        following: Following,
        keep_on: &dyn Fn() -> Result<(), E>,
        taken: &mut Vec<Step>,
    ) -> Result<Option<Packed>, Halted<E>> {
        // Each thread stays what it is: the steps from here on are told by their numbers.
        let start = self.machine.pack_apart();
        self.at = None;
        self.machine.load(start);
        let others = alive(self.machine.control()) > 1;
        let (mut cycles, mut steps) = (CycleDetector::default(), 0);
        let halt = loop {
            let records = self.records;
            let note = |_, step| {
                if records {
                    taken.push(step)
                }
            };
            let advance = self.machine.run_on(STEPS_BETWEEN_CHECKS, &mut cycles, note);
            steps += advance.steps;
            let has_others = others && alive(self.machine.control()) > 1;
            match advance.halt {
                Halt::Limit if following.most.is_some_and(|most| steps > most) => return Err(Halted::TooLong),
                Halt::Limit if self.overflows() => return Ok(None),
                Halt::Limit if steps >= MAX_ALONE && has_others => break Halt::Choice,
                Halt::Limit => keep_on()?,
                halt => break halt,
            }
        };
        let alive = alive(self.machine.control());
        match halt {
            // One thread goes round by itself for ever. The others must not be kept waiting for it.
            Halt::Cycle if others && alive > 1 => {
                taken.clear();
                self.machine.load(start);
                Ok(Some(self.machine.pack()))
            }
            Halt::Cycle if alive <= 1 => Ok(None),
            _ => {
                self.skipped += steps;
                Ok(Some(self.machine.pack()))
            }
        }
    }

    /// Whether the program ends here because its stack is too deep for any virtual machine. Where something could catch
    /// that, the program counts its calls and does not get here.
    fn overflows(&self) -> bool {
        let control = self.machine.control();
        let is_deep = |frames: usize| self.machine.program().header_bytes > 0 && frames > MAX_STACK;
        alive(control) <= 1 && control.threads.iter().any(|thread| is_deep(thread.frames.len()))
    }
}

/// How many threads have not ended.
fn alive(control: &Control) -> usize {
    control.threads.iter().filter(|thread| !thread.frames.is_empty()).count()
}

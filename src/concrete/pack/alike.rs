//! Threads that are alike: two states that differ only in which of their threads is where are one.
//!
//! The parts of a state hold no numbers of threads but those of who holds locks and of whose stack an object is on. So the
//! parts of the threads can be put in any order, if nobody else can tell a thread's number: if no thread waits for the end of
//! another, and none is chosen by its place in a row. The first thread, whose end can be that of all, stays where it is.

use super::{Machine, Packed, Packing, Part};
use crate::program::{Program, Statement};

impl Machine<'_> {
    /// Whether the program never asks which thread is which.
    pub(super) fn has_threads_alike(program: &Program) -> bool {
        // Of Java programs, objects are numbered in the order of the threads that know them.
        let edges = || program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        let asks = |statement: &Statement| {
            matches!(statement, Statement::Join(_) | Statement::Wait { .. } | Statement::Notify { .. })
        };
        program.header_bytes == 0 && program.starts_threads() && !edges().flat_map(|edge| &edge.block).any(asks)
    }

    /// From here on, states in which threads have changed places are one, where the program allows that.
    pub(in crate::concrete) fn merge_threads(&mut self, merges: bool) {
        self.packing.merges_threads = merges && Self::has_threads_alike(self.program);
    }

    /// Forgets all that is known of states that were packed.
    pub(in crate::concrete) fn forget_packed(&mut self) {
        self.packing = Packing { merges_threads: self.packing.merges_threads, ..Packing::default() };
    }

    /// The present state with each thread in its place.
    pub(in crate::concrete) fn pack_apart(&mut self) -> Packed {
        let merges = std::mem::replace(&mut self.packing.merges_threads, false);
        let packed = self.pack();
        self.packing.merges_threads = merges;
        packed
    }

    /// Which thread of the machine is which one of the state that was packed last; nothing, where each is what it was.
    pub(in crate::concrete) fn packed_threads(&self) -> &[u32] {
        &self.packing.threads
    }

    /// Finds the order in which the threads are packed, by their parts, and puts these into it.
    pub(super) fn order_threads(&self, parts: &mut [Part], threads: &mut Vec<u32>) {
        threads.clear();
        let is_sorted = parts.len() < 3 || parts[1..].is_sorted();
        // An object on a stack has a number by which threads know it; it is not given another one.
        let has_own = |owner: Option<(u32, u32)>| owner.is_some_and(|(thread, _)| thread > 0);
        if is_sorted || self.data.memory.objects.iter().any(|object| object.cells.is_some() && has_own(object.owner)) {
            return;
        }
        threads.extend(0..parts.len() as u32);
        threads[1..].sort_by_key(|thread| parts[*thread as usize]);
        parts[1..].sort_unstable();
    }
}

//! Parked nodes are explored only if the strategy asks for it, and in the order that it wants.

use super::{Arg, Budget, Found, NodeId, Search, Space, Stop};

impl<S: Space> Search<S> {
    /// Explores parked nodes, those of the least rank first, and of these the oldest. What is reached from them is
    /// parked too, so that nothing waits afterwards. Ends with a target, when nothing is parked any more, or when
    /// `pause` says so.
    ///
    /// # Errors
    /// Where there is a reason to stop.
    pub(crate) fn run_parked(
        &mut self,
        space: &mut S,
        budget: &Budget,
        rank: impl Fn(&S, &Arg<S>, NodeId) -> u64,
        pause: impl FnMut(&S, &Arg<S>) -> bool,
    ) -> Result<Found, Stop> {
        if let Some(found) = self.next_target() {
            return Ok(found);
        }
        let ended = self.run_ranked(space, budget, rank, pause);
        self.park_waiting();
        self.waitlist.unrank_parked();
        ended
    }

    fn run_ranked(
        &mut self,
        space: &mut S,
        budget: &Budget,
        rank: impl Fn(&S, &Arg<S>, NodeId) -> u64,
        mut pause: impl FnMut(&S, &Arg<S>) -> bool,
    ) -> Result<Found, Stop> {
        loop {
            self.park_waiting();
            self.waitlist.rank_parked(|node| self.arg.has(node).then(|| rank(space, &self.arg, node)));
            if !self.waitlist.has_ranked() {
                return Ok(Found::Complete);
            }
            self.check(space, budget)?;
            let node = self.waitlist.next_ranked().expect("there is one");
            if let Some(found) = self.visit(space, node)? {
                return Ok(found);
            }
            if pause(space, &self.arg) {
                return Ok(Found::Paused);
            }
        }
    }

    /// Parks all that waits.
    fn park_waiting(&mut self) {
        while let Some(node) = self.next() {
            self.waitlist.park(node);
        }
    }

    /// Whether nodes are parked.
    pub(crate) fn has_parked(&self) -> bool {
        self.waitlist.has_parked()
    }
}

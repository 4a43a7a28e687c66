//! Runs work on a large stack, watches its limits, and survives its panics.

use crate::engine::{Budget, Progress, Stop};
use crate::system::patience::{TICK, Waiting, grace};
use crate::system::stack::{deep_thread, limit_own_memory};
use crate::system::{memory_reached, tree};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How work ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ended<T> {
    /// With a result.
    Done(T),
    /// In a panic, with this message.
    Panicked(String),
    /// It did not stop when it was told to, for this reason; its thread still runs.
    Abandoned(Stop),
}

/// Does the work on a thread of its own; tells the budget when memory is used up; calls `on_tick` now and then.
pub(crate) fn supervise<T: Send + 'static>(
    budget: &Budget,
    memory_limit: Option<u64>,
    on_tick: &mut dyn FnMut(Progress),
    work: impl FnOnce() -> T + Send + 'static,
) -> Ended<T> {
    let (sender, receiver) = channel();
    let run = move || {
        let result = catch_unwind(AssertUnwindSafe(work));
        // The receiver is gone only where this work was given up.
        let _ = sender.send(result);
    };
    if let Err(error) = deep_thread(WORKER, run) {
        return Ended::Abandoned(Stop::GaveUp(format!(
            "there is not enough memory: no thread can be started ({error})"
        )));
    }
    if let Some(limit) = memory_limit {
        limit_own_memory(limit);
    }
    let grace = grace(Waiting::ForWork, budget.limit());
    let mut tick = Duration::from_millis(1);
    let mut told_to_stop: Option<(Instant, Stop)> = None;
    loop {
        match receiver.recv_timeout(tick) {
            Ok(Ok(result)) => return Ended::Done(result),
            Ok(Err(payload)) => return Ended::Panicked(panic_message(payload.as_ref())),
            Err(RecvTimeoutError::Disconnected) => {
                return Ended::Panicked("a thread ended without a result".to_owned());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        on_tick(budget.progress());
        tick = TICK;
        if let (Some(limit), Some(used)) = (memory_limit, memory_limit.and_then(|_| tree::memory_in_use())) {
            tick = tree::next_look(limit, used).min(TICK);
            if used > limit || memory_reached() {
                budget.out_of_memory();
            }
        }
        if let Err(stop) = budget.check() {
            let (since, stop) = told_to_stop.get_or_insert_with(|| (Instant::now(), stop));
            if since.elapsed() > grace {
                return Ended::Abandoned(stop.clone());
            }
        }
    }
}

const WORKER: &str = "tandem-worker";

/// The last panic's place and message, where the hook below is in use.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// From now on a panic of supervised work is kept for its message, and not written to standard error.
pub fn keep_panics_quiet() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().name() == Some(WORKER) {
            let message = text_of(info.payload());
            let place = info.location().map(|place| format!(" ({place})")).unwrap_or_default();
            *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(format!("{message}{place}"));
        } else {
            usual(info);
        }
    }));
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let kept = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).take();
    kept.unwrap_or_else(|| text_of(payload))
}

fn text_of(payload: &dyn Any) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn run<T: Send + 'static>(
        budget: &Budget,
        memory: Option<u64>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Ended<T> {
        supervise(budget, memory, &mut |_| {}, work)
    }

    #[test]
    fn a_result_comes_back() {
        assert_eq!(run(&Budget::unlimited(), None, || 7), Ended::Done(7));
    }

    #[test]
    fn deep_recursion_fits() {
        fn depth(n: u64) -> u64 {
            let frame = std::hint::black_box([n; 16]);
            if n == 0 { 0 } else { 1 + depth(n - 1) + frame[3] - n }
        }
        assert_eq!(run(&Budget::unlimited(), None, || depth(500_000)), Ended::Done(500_000));
    }

    #[test]
    fn a_panic_is_survived() {
        let ended: Ended<()> = run(&Budget::unlimited(), None, || panic!("the {}th case", 7));
        let Ended::Panicked(message) = ended else { panic!("{ended:?}") };
        assert!(message.contains("the 7th case"), "{message}");
    }

    /// Of its own memory, the kernel refuses this process what is over the limit; that of its children is looked at.
    #[test]
    fn the_memory_limit_is_told() {
        let budget = Budget::unlimited();
        let inner = budget.clone();
        let work = move || {
            let mut children = [(); 8].map(|()| Command::new("sleep").arg("60").spawn().expect("there is a sleep"));
            let stop = loop {
                if let Err(stop) = inner.check() {
                    break stop;
                }
                std::thread::sleep(Duration::from_millis(5));
            };
            for child in &mut children {
                child.kill().and_then(|()| child.wait()).expect("it was started");
            }
            stop
        };
        let limit = tree::own_memory().expect("the system tells") + (2 << 20);
        assert_eq!(run(&budget, Some(limit), work), Ended::Done(Stop::MemoryLimit));
    }

    #[test]
    fn work_that_does_not_stop_is_given_up() {
        let budget = Budget::with_time(Some(Duration::from_millis(10)));
        let ended = run(&budget, None, || std::thread::sleep(Duration::from_secs(60)));
        assert_eq!(ended, Ended::Abandoned(Stop::TimeLimit));
    }
}

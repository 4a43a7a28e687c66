//! How fast the explicit engine explores, and how much memory a stored state takes, on one thread.
//!
//! `cargo bench --bench explicit` prints both for the largest elevator; at least 1,000,000 transitions a second and
//! at most 100 bytes per state are expected of a release build.

use peak_alloc::PeakAlloc;
use std::time::Instant;
use tandem::engine::{Budget, EngineConfig, ExplicitConfig, Task, verify};
use tandem::frontend::gcl;
use tandem::program::{Property, SourceFile};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const ROUNDS: u32 = 5;

fn main() {
    for name in ["elev6", "elev8"] {
        let path = format!("{}/models/gcl/{name}.gcl", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect("the model is part of the project");
        let files = [SourceFile { name: path, text }].into_iter().collect();
        let program = gcl::lower(&files).expect("the model is a program");
        let task = Task { program, property: Property::Assert };
        let config = EngineConfig::Explicit(ExplicitConfig::default());
        let mut best = f64::INFINITY;
        let mut last = None;
        let mut bytes = 0;
        for _ in 0..ROUNDS {
            let before = ALLOCATOR.current_usage();
            ALLOCATOR.reset_peak_usage();
            let start = Instant::now();
            let run = verify(&task, &config, &Budget::unlimited());
            best = best.min(start.elapsed().as_secs_f64());
            bytes = ALLOCATOR.peak_usage() - before;
            last = Some(run.statistics);
        }
        let statistics = last.expect("at least one round");
        println!(
            "{name}: {} states, {} transitions, {:.3} s, {:.0} transitions/s, {:.1} bytes/state at the peak",
            statistics.states,
            statistics.transitions,
            best,
            statistics.transitions as f64 / best,
            bytes as f64 / statistics.states as f64,
        );
    }
}

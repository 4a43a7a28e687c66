//! Making a program that disagrees smaller: first with simpler configurations of the generator, then line by line.

use crate::compare::{DATA_MODELS, SANITIZERS, compile_and_run, tandem_against_gcc, write_source};
use std::path::Path;
use tandem::generate::c::{Config, program};

/// How many other seeds are tried with each simpler configuration.
const OTHER_SEEDS: u64 = 10;

/// A small program on which Tandem and gcc disagree, and how, made from that of the seed; none if they agree on it.
pub fn reduce(folder: &Path, seed: u64) -> Option<(String, String)> {
    let (mut config, mut best) = (Config::of_seed(seed), program(seed, &Config::of_seed(seed)));
    let mut message = disagreement(folder, &best)?;
    let first = kind(&message);
    let disagreement =
        |folder: &Path, source: &str| disagreement(folder, source).filter(|message| kind(message) == first);
    while let Some((simpler, source, found)) =
        simpler(seed, &config, best.len(), &|source| disagreement(folder, source))
    {
        (config, best, message) = (simpler, source, found);
        eprintln!("{} bytes: {message}", best.len());
    }
    let mut lines: Vec<&str> = best.lines().collect();
    let mut size = lines.len() / 2;
    while size > 0 {
        let before = lines.len();
        let mut at = 0;
        while at + size <= lines.len() {
            let candidate = [&lines[..at], &lines[at + size..]].concat();
            match balanced(&lines[at..at + size]).then(|| disagreement(folder, &candidate.join("\n"))).flatten() {
                Some(found) => (lines, message) = (candidate, found),
                None => at += 1,
            }
        }
        if lines.len() == before || size > 1 {
            size /= 2;
        }
    }
    Some((lines.join("\n"), message))
}

/// The kind of a disagreement: a refusal is not to become a wrong result.
fn kind(message: &str) -> Option<usize> {
    ["tandem refuses it", "tandem ends with", "gcc prints"].iter().position(|kind| message.contains(kind))
}

fn simpler(
    seed: u64,
    config: &Config,
    length: usize,
    disagreement: &dyn Fn(&str) -> Option<String>,
) -> Option<(Config, String, String)> {
    let seeds = || [seed].into_iter().chain(seed + 1..seed + 1 + OTHER_SEEDS);
    let candidates = config.simpler().into_iter().flat_map(|config| seeds().map(move |seed| (config.clone(), seed)));
    candidates.into_iter().find_map(|(config, seed)| {
        let source = program(seed, &config);
        let found = if source.len() < length { disagreement(&source) } else { None };
        found.map(|message| (config, source, message))
    })
}

/// What makes gcc refuse a program that has lost what it needs to be defined.
const WARNINGS: [&str; 4] = ["-O1", "-Werror=uninitialized", "-Werror=maybe-uninitialized", "-Werror=return-type"];

/// How Tandem and gcc disagree on a program that is defined: one that gcc compiles, whose execution the sanitizers accept.
fn disagreement(folder: &Path, source: &str) -> Option<String> {
    let path = write_source(folder, "reduced", source);
    DATA_MODELS.into_iter().find_map(|model| {
        compile_and_run(&path, model, &WARNINGS).ok()?;
        let message = tandem_against_gcc(&path, model).err()?;
        compile_and_run(&path, model, &SANITIZERS).ok()?;
        Some(format!("{}: {message}", model.name()))
    })
}

fn balanced(lines: &[&str]) -> bool {
    let count = |brace| lines.iter().map(|line| line.matches(brace).count()).sum::<usize>();
    count('{') == count('}')
}

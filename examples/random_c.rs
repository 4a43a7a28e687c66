//! Prints the random C program of a seed: `cargo run --example random_c -- SEED`; or writes those of many seeds to files
//! SEED.c: `cargo run --example random_c -- FIRST COUNT FOLDER`.

use std::path::Path;
use std::{env, fs, io};
use tandem::generate::c::{Config, program};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |index: usize| arguments.get(index).and_then(|text| text.parse::<u64>().ok());
    match (number(0), number(1), arguments.get(2)) {
        (Some(first), Some(count), Some(folder)) => {
            for seed in first..first + count {
                let path = Path::new(folder).join(format!("{seed}.c"));
                fs::write(path, program(seed, &Config::of_seed(seed)))?;
            }
        }
        (Some(seed), None, None) => print!("{}", program(seed, &Config::of_seed(seed))),
        _ => eprintln!("usage: random_c SEED, or random_c FIRST COUNT FOLDER"),
    }
    Ok(())
}

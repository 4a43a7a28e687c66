//! Prints the random Java program of a seed: `cargo run --example random_java -- SEED`; its class is `P` with the seed.

use std::env;
use tandem::generate::java::program;

fn main() {
    match env::args().nth(1).and_then(|text| text.parse().ok()) {
        Some(seed) => print!("{}", program(&format!("P{seed}"), seed)),
        None => eprintln!("usage: random_java SEED"),
    }
}

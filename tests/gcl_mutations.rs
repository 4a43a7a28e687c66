//! Thousands of damaged models: each is refused with a message that has a place, or is a valid program.

use std::fs;
use std::path::Path;
use tandem::frontend::gcl::{MAX_ERRORS, lower};
use tandem::program::{SourceFile, SourceFiles, validate};

const ROUNDS: usize = 4_000;
const SNIPPETS: [&str; 40] = [
    "(",
    ")",
    "!",
    "-",
    "+",
    "*",
    "=",
    "==",
    "!=",
    "<",
    "<=",
    "=>",
    "->",
    ":=",
    ":",
    ",",
    "&&",
    "||",
    "&",
    "|",
    "\n",
    "\r",
    "#",
    ";",
    "nondet",
    "true",
    "false",
    "safe",
    "init",
    "var",
    "control",
    "program",
    "expect",
    "0",
    "7",
    "x",
    "99999999999999999999",
    "\u{0}",
    "é",
    "\t",
];

/// Pseudo-random numbers that are the same in every run (the generator is SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }
}

/// The text cut into words, blanks and single other characters, so that mutations hit tokens.
fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| if c.is_alphanumeric() || c == '_' { 1 } else { 0 };
    let mut out = Vec::new();
    let mut start = 0;
    for ((_, before), (i, c)) in text.char_indices().zip(text.char_indices().skip(1)) {
        if class(c) == 0 || class(before) == 0 {
            out.push(&text[start..i]);
            start = i;
        }
    }
    out.push(&text[start..]);
    out
}

fn mutate(tokens: &[&str], other: &[&str], random: &mut Random) -> String {
    let mut tokens = tokens.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(tokens.len());
        match random.below(6) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, SNIPPETS[random.below(SNIPPETS.len())]),
            2 => tokens[at] = SNIPPETS[random.below(SNIPPETS.len())],
            3 => tokens[at] = other[random.below(other.len())],
            4 => {
                let with = random.below(tokens.len());
                tokens.swap(at, with);
            }
            _ => tokens.truncate(at + 1),
        }
    }
    tokens.concat()
}

#[test]
fn damaged_models_are_refused_or_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/gcl");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "gcl"));
    paths.sort();
    let texts: Vec<String> = paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let texts: Vec<Vec<&str>> = texts.iter().map(|text| tokens(text)).collect();
    let mut random = Random(1);
    let (mut valid, mut refused) = (0, 0);
    for _ in 0..ROUNDS {
        let model = &texts[random.below(texts.len())];
        let other = &texts[random.below(texts.len())];
        let text = mutate(model, other, &mut random);
        let files: SourceFiles = [SourceFile { name: "mutant.gcl".into(), text: text.clone() }].into_iter().collect();
        match lower(&files) {
            Ok(program) => {
                assert_eq!(validate(&program), Ok(()), "{text}");
                valid += 1;
            }
            Err(errors) => {
                assert!((1..=MAX_ERRORS).contains(&errors.0.len()), "{text}");
                let places: Vec<_> =
                    errors.0.iter().map(|e| e.span.expect("every message has a place").start).collect();
                assert!(places.is_sorted(), "{text}");
                refused += 1;
            }
        }
    }
    assert!(valid > ROUNDS / 20 && refused > ROUNDS / 4, "{valid} valid, {refused} refused");
}

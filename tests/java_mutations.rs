//! Class files that are cut short, changed at random or not class files at all become valid Programs or messages.
//!
//! TANDEM_MUTATIONS is how many there are (1500).
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use std::{env, thread};
use support::root;
use tandem::frontend::java::{Options, input, lower_input};
use tandem::program::validate;
use tandem::term::Random;

/// Lowers what the bytes hold; what comes out is valid, or there is a message.
fn check(bytes: Vec<u8>, options: &Options) -> bool {
    let lowered = input::of_class_files([bytes]).and_then(|input| lower_input(&input, options));
    match lowered {
        Ok(program) => {
            let problems = validate(&program).err();
            assert_eq!(problems.map(|problems| problems[0].to_string()), None);
            true
        }
        Err(errors) => {
            assert!(errors.0.iter().all(|error| !error.message.is_empty()) && !errors.0.is_empty());
            false
        }
    }
}

fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match random.below(8) {
        0 => bytes.truncate(random.below(bytes.len())),
        1 => {
            let from = random.below(bytes.len());
            let to = (from + random.between(1, 8)).min(bytes.len());
            bytes.drain(from..to);
        }
        _ => {
            for _ in 0..random.between(1, 4) {
                let at = random.below(bytes.len());
                bytes[at] = match random.below(3) {
                    0 => random.next_u64() as u8,
                    1 => bytes[at].wrapping_add(1),
                    _ => bytes[at] ^ (1 << random.below(8)),
                };
            }
        }
    }
    bytes
}

#[test]
fn changed_class_files_are_lowered_or_refused() {
    let count: usize = env::var("TANDEM_MUTATIONS").map_or(1500, |text| text.parse().unwrap());
    let corpus = root().join("tests/corpus/java");
    let input = input::read(&[corpus]).map_err(|(errors, _)| errors).unwrap();
    let names: Vec<&String> = input.classes.keys().collect();
    let is_lowered = &|number: &usize| {
        let mut random = Random::new(7 + *number as u64);
        let name = names[number % names.len()];
        let options = Options { main: number.is_multiple_of(2).then(|| name.clone()), ..Options::default() };
        check(mutate(&input.classes[name], &mut random), &options)
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let lowered: usize = thread::scope(|scope| {
        let share = |first| (first..count).step_by(workers).filter(is_lowered).count();
        let running: Vec<_> = (0..workers).map(|first| scope.spawn(move || share(first))).collect();
        running.into_iter().map(|worker| worker.join().expect("nothing panics")).sum()
    });
    assert!(lowered > count / 200 && lowered < count, "{lowered} of {count} were lowered");
}

#[test]
fn what_is_not_static_any_more_is_lowered_or_refused() {
    const STATIC: [u8; 2] = [0, 8];
    let corpus = root().join("tests/corpus/java");
    let input = input::read(&[corpus]).map_err(|(errors, _)| errors).unwrap();
    let options = Options { main: Some("Statics".to_owned()), ..Options::default() };
    let bytes = &input.classes["Statics"];
    let places: Vec<usize> = (0..bytes.len() - 1).filter(|at| bytes[*at..*at + 2] == STATIC).collect();
    assert!(!places.is_empty());
    for at in places {
        let mut changed = bytes.clone();
        changed[at + 1] = 0;
        check(changed, &options);
    }
}

#[test]
fn other_bytes_are_refused() {
    let mut random = Random::new(3);
    for length in 0..200 {
        let mut bytes: Vec<u8> = (0..length).map(|_| random.next_u64() as u8).collect();
        assert!(!check(bytes.clone(), &Options::default()));
        bytes.splice(0..0, [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61]);
        assert!(!check(bytes, &Options::default()));
    }
}

//! Any bytes are a Java class, which lowers to a valid Program, or are refused with a message.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tandem::frontend::java::{Options, input, lower_input};
use tandem::program::validate;

fuzz_target!(|bytes: &[u8]| {
    let lowered = input::of_class_files([bytes.to_vec()]).and_then(|input| lower_input(&input, &Options::default()));
    match lowered {
        Ok(program) => assert_eq!(validate(&program).err().map(|problems| problems[0].to_string()), None),
        Err(errors) => assert!(!errors.0.is_empty()),
    }
});

//! Any text is a valid guarded-command program, or is refused with a message.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tandem::frontend::gcl::lower;
use tandem::program::{SourceFile, validate};

fuzz_target!(|text: &str| {
    let file = SourceFile { name: "fuzz.gcl".into(), text: text.into() };
    match lower(&[file].into_iter().collect()) {
        Ok(program) => assert_eq!(validate(&program), Ok(())),
        Err(errors) => assert!(!errors.0.is_empty()),
    }
});

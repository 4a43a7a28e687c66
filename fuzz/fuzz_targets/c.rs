//! Any text is a C program, which lowers to a valid Program, or is refused with a message.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tandem::frontend::c::lower::{Options, lower_files};
use tandem::frontend::c::{DataModel, read};
use tandem::program::{FileId, Id, Property, SourceFile, SourceFiles, validate};

fuzz_target!(|text: &str| {
    // A directive would run the preprocessor.
    let text = text.replace('#', " ");
    let files: SourceFiles = [SourceFile { name: "fuzz.c".into(), text }].into_iter().collect();
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        if let Err(errors) = read(&files, FileId::new(0), model, &Default::default()) {
            assert!(!errors.0.is_empty());
            continue;
        }
        for property in [Property::Assert, Property::NoOverflow, Property::ValidMemsafety, Property::ValidMemcleanup] {
            match lower_files(&files, model, &Options::for_property(&property)) {
                Ok(program) => assert_eq!(validate(&program).err().map(|p| p[0].to_string()), None),
                Err(errors) => assert!(!errors.0.is_empty()),
            }
        }
    }
});

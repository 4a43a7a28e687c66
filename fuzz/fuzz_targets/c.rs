//! Any text is a C file with a typed tree, or is refused with a message.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tandem::frontend::c::{DataModel, read};
use tandem::program::{FileId, Id, SourceFile, SourceFiles};

fuzz_target!(|text: &str| {
    // A directive would run the preprocessor.
    let text = text.replace('#', " ");
    let files: SourceFiles = [SourceFile { name: "fuzz.c".into(), text }].into_iter().collect();
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        if let Err(errors) = read(&files, FileId::new(0), model) {
            assert!(!errors.0.is_empty());
        }
    }
});

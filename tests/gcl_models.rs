//! Every guarded-command program of the repository is read, and becomes the program that its lines say.

use expect_test::expect_file;
use std::fs;
use std::path::{Path, PathBuf};
use tandem::frontend::{Language, Settings, gcl};
use tandem::program::{ErrorKind, Property, Role, SourceFile, SourceFiles, Statement, Type, text};

/// The guarded-command files of a folder, in order.
fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder is part of the repository")
        .map(|entry| entry.expect("its entries can be read").path())
        .collect();
    files.retain(|path| Language::of_path(path) == Some(Language::GuardedCommands));
    files.sort();
    files
}

/// How many lines start so; the models have one statement a line.
fn lines_with(text: &str, start: impl Fn(&str) -> bool) -> usize {
    text.lines().filter(|line| start(line)).count()
}

#[test]
fn every_model_is_read() {
    let models = programs("models/gcl");
    assert_eq!(models.len(), 39);
    for path in models {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.display().to_string();
        let files: SourceFiles = [SourceFile { name, text: text.clone() }].into_iter().collect();
        let program = Language::GuardedCommands.lower(&files, &Settings::default()).unwrap();
        assert_eq!(Some(program.name.as_str()), path.file_stem().and_then(|stem| stem.to_str()));
        let main = &program.procedures[program.main];
        let properties = lines_with(&text, |line| line.starts_with("safe "));
        let transitions = lines_with(&text, |line| line.contains("->") && !line.starts_with('#'));
        assert_eq!(main.edges.len(), properties + transitions, "{path:?}");
        assert_eq!(program.violations(&Property::Assert).count(), properties, "{path:?}");
        assert!(main.locations.iter().flat_map(|l| &l.error).all(|e| e.kind == ErrorKind::Assertion), "{path:?}");
        let declared = |keyword: &str| -> usize {
            let lists = text.lines().filter_map(|line| line.strip_prefix(keyword));
            lists.map(|list| list.split('#').next().unwrap_or("").split(',').count()).sum()
        };
        let with_role = |role| program.variables.iter().filter(|v| v.role == role).count();
        assert_eq!((declared("control "), declared("var ")), (with_role(Role::Control), with_role(Role::Data)));
        assert!(program.variables.iter().all(|v| v.ty == Type::Int));
        assert_every_variable_starts_once(&program.init, program.variables.len());
        let inputs = lines_with(&text, |line| line.contains(":= nondet") && !line.starts_with('#'));
        let blocks = main.edges.iter().map(|edge| &edge.block);
        let with_input = blocks.filter(|block| block.iter().any(|s| matches!(s, Statement::Havoc { .. })));
        assert_eq!(with_input.count(), inputs, "{path:?}");
    }
}

fn assert_every_variable_starts_once(init: &[Statement], variables: usize) {
    let mut targets: Vec<_> = init.iter().flat_map(Statement::targets).collect();
    assert_eq!(targets.len(), variables);
    targets.sort_unstable();
    targets.dedup();
    assert_eq!(targets.len(), variables);
}

#[test]
fn every_program_of_the_corpus_is_read_and_says_what_it_expects() {
    let corpus = programs("tests/corpus/gcl");
    assert!(corpus.len() >= 10);
    for path in corpus {
        let text = fs::read_to_string(&path).unwrap();
        let expected = text.strip_prefix("# expect: ").and_then(|rest| rest.split_whitespace().next());
        let Some(expected) = expected else { panic!("{path:?} does not start with `# expect: `") };
        assert!(text.trim_end().ends_with(&format!("expect {expected}")), "{path:?}");
        let name = path.display().to_string();
        let files: SourceFiles = [SourceFile { name, text: text.clone() }].into_iter().collect();
        let program = Language::GuardedCommands.lower(&files, &Settings::default()).unwrap();
        assert_every_variable_starts_once(&program.init, program.variables.len());
    }
}

/// The unit tests of `symbolic` read models as text, since engines know no front end: these are the models.
#[test]
fn the_texts_of_models_are_those_of_the_models() {
    for name in ["fig1_1", "nd_fragment", "ticket2", "bakery2", "nd_bakery2"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("models/gcl/{name}.gcl"));
        let text = fs::read_to_string(&path).expect("the model is part of the repository");
        let files: SourceFiles = [SourceFile { name: format!("{name}.gcl"), text }].into_iter().collect();
        let program = gcl::lower(&files).expect("the model is right");
        expect_file![format!("../src/engine/symbolic/tests/{name}.tandem")].assert_eq(&text::print(&program));
    }
}

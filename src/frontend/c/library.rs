//! The C library, in C: the functions that a program calls and does not define itself.
//!
//! They are read and lowered like the user's own code. Their positions are in no file that the user gave: an error
//! inside them is told at the call.

use super::tree::{ExprKind, Unit};
use super::types::DataModel;
use super::{lex, parse, sema};
use crate::program::FileId;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// The sources. Each declares what it uses of others.
const SOURCES: [&str; 26] = [
    include_str!("library/string.c"),
    include_str!("library/ctype.c"),
    include_str!("library/stdlib.c"),
    include_str!("library/number.c"),
    include_str!("library/decimal.c"),
    include_str!("library/descriptor.c"),
    include_str!("library/math.c"),
    include_str!("library/transcendental.c"),
    include_str!("library/transcendental_float.c"),
    include_str!("library/key.c"),
    include_str!("library/sync.c"),
    include_str!("library/bytes.c"),
    include_str!("library/wide.c"),
    include_str!("library/process.c"),
    include_str!("library/exit.c"),
    include_str!("library/time.c"),
    include_str!("library/errno.c"),
    include_str!("library/threads.c"),
    include_str!("library/trylock.c"),
    include_str!("library/trywait.c"),
    include_str!("library/tss.c"),
    STREAM,
    FORMAT,
    FORMAT_FLOAT,
    SCAN,
    MUTEX,
];

/// Mutexes that know their kind. Other programs use those that Program has.
const MUTEX: &str = include_str!("library/mutex.c");

/// Streams.
const STREAM: &str = include_str!("library/stream.c");

/// What lowering makes of calls of functions of streams.
const STREAM_USERS: [&str; 12] = [
    "scanf",
    "fscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "fprintf",
    "vfprintf",
    "fputs",
    "fputc",
    "putc",
    "stdin",
    "stdout",
    "stderr",
];

/// Text in memory.
const FORMAT: &str = include_str!("library/format.c");

/// Floating-point numbers in it.
const FORMAT_FLOAT: &str = include_str!("library/format_float.c");

/// Values in text.
const SCAN: &str = include_str!("library/scan.c");

/// The names of the functions that the system's headers declare; `library/declared.sh` makes the list.
const DECLARED: &str = include_str!("library/declared.txt");

/// Whether a header of the system declares a function of that name.
pub fn is_declared(name: &str) -> bool {
    static NAMES: LazyLock<FxHashSet<&str>> = LazyLock::new(|| DECLARED.lines().collect());
    NAMES.contains(name)
}

/// The name that programs know a function of the library by: some are parts of others.
pub fn public_name(name: &str) -> &str {
    const PARTS: [(&str, &str); 3] = [("__scan_", "scanf"), ("__text_", "sscanf"), ("__format_", "sprintf")];
    PARTS.iter().find(|(prefix, _)| name.starts_with(prefix)).map_or(name, |(_, whole)| whole)
}

/// The parts of the library that the units need, for the same data model. Positions in them are in the given file,
/// which is none of the user's.
pub fn units(units: &[Unit], model: DataModel, file: FileId) -> Vec<Unit> {
    let mut needed = vec![false; SOURCES.len()];
    let mut made: Vec<Unit> = Vec::new();
    loop {
        // The library calls its own functions, also where the program has others of their names.
        let mut missing = missing_functions(units, &made);
        missing.extend(missing_functions(&made, &[]));
        let is_needed = |source: &'static str| match source {
            MUTEX => missing.contains("pthread_mutexattr_settype") || units.iter().any(|unit| unit.has_mutex_kinds),
            SCAN => missing.contains("sscanf") || missing.contains("__isoc99_sscanf"),
            FORMAT | FORMAT_FLOAT => missing.contains("sprintf") || missing.contains("snprintf"),
            STREAM if STREAM_USERS.iter().any(|name| missing.contains(name)) => true,
            _ => defined_names(source).any(|name| missing.contains(name)),
        };
        let next: Vec<usize> = (0..SOURCES.len()).filter(|n| !needed[*n] && is_needed(SOURCES[*n])).collect();
        if next.is_empty() {
            return made;
        }
        for number in next {
            needed[number] = true;
            made.push(read(SOURCES[number], model, file));
        }
    }
}

/// The functions, and the streams, that units use and neither they nor others define.
fn missing_functions<'u>(units: &'u [Unit], others: &'u [Unit]) -> FxHashSet<&'u str> {
    let mut missing = FxHashSet::default();
    for unit in units {
        for expr in &unit.exprs {
            match expr.kind {
                ExprKind::Function(function) => missing.insert(&*unit.functions[function].name),
                ExprKind::Object(object) if !unit.objects[object].is_defined => {
                    missing.insert(&*unit.objects[object].name)
                }
                _ => false,
            };
        }
    }
    for function in units.iter().chain(others).flat_map(|unit| unit.functions.iter()) {
        if function.definition.is_some() || function.alias.is_some() {
            missing.remove(&*function.name);
        }
    }
    missing
}

/// The names of the functions of external linkage that a source of the library defines: the word before the first
/// parenthesis, in lines that start at the margin and are no prototypes.
fn defined_names(source: &'static str) -> impl Iterator<Item = &'static str> {
    source.lines().filter_map(|line| {
        let is_definition = line.starts_with(|c: char| c.is_ascii_lowercase())
            && !line.ends_with(';')
            && !line.starts_with("static ")
            && !line.starts_with("typedef ");
        let (head, _) = line.split_once('(').filter(|_| is_definition)?;
        head.rsplit([' ', '*']).next()
    })
}

fn read(source: &str, model: DataModel, file: FileId) -> Unit {
    let mut names = lex::keyword_names();
    let tokens = lex::lex(file, source, &mut names);
    let (ast, errors) = parse::parse(tokens, names);
    assert!(errors.is_empty(), "the library is well-formed: {errors:?}");
    let (unit, errors) = sema::check(ast, model);
    assert!(errors.is_empty(), "the library is well-typed: {errors:?}");
    unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Id;
    use std::collections::BTreeSet;

    #[test]
    fn every_source_is_read_and_defines_what_its_lines_say() {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let mut all = BTreeSet::new();
            for source in SOURCES {
                let unit = read(source, model, FileId::new(1));
                let defined = unit.functions.iter().filter(|f| f.definition.is_some() && !f.is_static);
                let defined: BTreeSet<String> = defined.map(|f| f.name.to_string()).collect();
                let scanned: BTreeSet<String> = defined_names(source).map(str::to_owned).collect();
                assert_eq!(defined, scanned);
                for name in defined {
                    assert!(all.insert(name.clone()), "{name} is defined twice");
                }
            }
            assert!(all.len() > 100, "{}", all.len());
        }
    }
}

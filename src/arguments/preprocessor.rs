//! The arguments that C's preprocessor is given.

use clap::{ArgMatches, Args, FromArgMatches};
use std::path::PathBuf;
use tandem::frontend::c::lower::entry::Entry;
use tandem::frontend::c::preprocess::{Macro, Preprocessor};

/// What C's preprocessor is told. Definitions and their opposites count in the order in which they are given, which is
/// why these arguments are read by hand.
#[derive(Debug, Clone, Default)]
pub struct PreprocessorArguments(Preprocessor);

impl PreprocessorArguments {
    /// What it is told.
    pub fn options(&self) -> Preprocessor {
        self.0.clone()
    }
}

impl Args for PreprocessorArguments {
    fn augment_args(command: clap::Command) -> clap::Command {
        let many = |name: &'static str, short: char, value: &'static str, help: &'static str| {
            clap::Arg::new(name).short(short).value_name(value).help(help).action(clap::ArgAction::Append)
        };
        let folders = "Where to look for what C includes, after the folder of the file that includes it";
        command
            .arg(many("include", 'I', "DIR", folders).value_parser(clap::value_parser!(PathBuf)))
            .arg(many("define", 'D', "NAME[=VALUE]", "Define a macro of C, as 1 if no value is given"))
            .arg(many("undefine", 'U', "NAME", "Undefine a macro of C"))
            .arg(
                clap::Arg::new("first")
                    .long("include")
                    .value_name("FILE")
                    .help("Read a file before each C file, as -include does for a compiler")
                    .action(clap::ArgAction::Append)
                    .value_parser(clap::value_parser!(PathBuf)),
            )
            .arg(
                clap::Arg::new("standard")
                    .long("std")
                    .value_name("STANDARD")
                    .help("The standard of C for the preprocessor, as in c99 [default: gnu11]"),
            )
            .arg(
                clap::Arg::new("database")
                    .long("compile-commands")
                    .value_name("FILE")
                    .help("Read each C file with the flags that this compilation database (compile_commands.json) has for it")
                    .value_parser(clap::value_parser!(PathBuf)),
            )
            .arg(
                clap::Arg::new("function")
                    .long("function")
                    .value_name("NAME")
                    .help("Start a C program at this function, with any arguments, and not at main"),
            )
            .arg(
                clap::Arg::new("array_length")
                    .long("array-length")
                    .value_name("N")
                    .help("How many elements the objects have that arguments of --function point to [default: 1]")
                    .requires("function")
                    .value_parser(clap::value_parser!(u64).range(1..=4096)),
            )
            .arg(
                clap::Arg::new("pointer_depth")
                    .long("pointer-depth")
                    .value_name("N")
                    .help("How many pointers lead to an object of the arguments of --function at most [default: 2]")
                    .requires("function")
                    .value_parser(clap::value_parser!(u64).range(0..=16)),
            )
            .arg(
                clap::Arg::new("strict")
                    .long("strict")
                    .help("Refuse a C program with a construct that is not supported, even if nothing reaches it")
                    .action(clap::ArgAction::SetTrue),
            )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for PreprocessorArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |name: &str, make: fn(String) -> Macro| -> Vec<(usize, Macro)> {
            let indices = matches.indices_of(name).into_iter().flatten();
            let values = matches.get_many::<String>(name).into_iter().flatten();
            indices.zip(values).map(|(index, value)| (index, make(value.clone()))).collect()
        };
        let mut macros = given("define", Macro::Define);
        macros.extend(given("undefine", Macro::Undefine));
        macros.sort_by_key(|(index, _)| *index);
        let folders = matches.get_many::<PathBuf>("include").into_iter().flatten().cloned().collect();
        let macros = macros.into_iter().map(|(_, it)| it).collect();
        let first = matches.get_many::<PathBuf>("first").into_iter().flatten().cloned().collect();
        let standard = matches.get_one::<String>("standard").cloned();
        let strict = matches.get_flag("strict");
        let entry = matches.get_one::<String>("function").map(|function| Entry {
            function: function.clone(),
            array_length: matches.get_one::<u64>("array_length").copied().unwrap_or(1),
            pointer_depth: matches.get_one::<u64>("pointer_depth").copied().unwrap_or(2) as usize,
        });
        let database = matches.get_one::<PathBuf>("database").cloned();
        let more = Vec::new();
        Ok(PreprocessorArguments(Preprocessor { folders, macros, first, standard, more, database, strict, entry }))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

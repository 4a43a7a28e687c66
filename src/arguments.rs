//! The arguments of the command line.

mod engines;
pub mod manual;
mod preprocessor;

use clap::{Args, Parser, Subcommand, ValueEnum};
use engines::{CegarArguments, SymbolicArguments};
use preprocessor::PreprocessorArguments;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use tandem::concrete::Value;
use tandem::engine::{
    CegarConfig, DeterministicSteps, EngineConfig, EngineId, ExplicitConfig, PandaConfig, SearchOrder, UnknownEngine,
};
use tandem::pipeline::{run::parse_inputs, units};

const EXAMPLES: &str = "\
Examples:
  tandem verify model.gcl                    prove it, or show how it goes wrong
  tandem verify model.gcl --time-limit 90s   and give up after a while
  tandem verify model.gcl --json > r.json    the result for a program to read
  tandem run model.gcl --replay r.json       execute the counterexample in it
  tandem run model.gcl --input 3,4 --seed 7  execute with inputs and random steps
  tandem show model.gcl --format svg -o m.svg

Exit status: 0 safe, 1 unsafe, 2 unknown, 3 the input or the usage is wrong.";

/// Tells whether a program can go wrong.
///
/// The answer is safe, with a proof that was checked; unsafe, with an execution that was replayed; or unknown, with
/// what was managed. Files ending in .c or .i are C, files ending in .java, .class or .jar and folders of them are Java,
/// files ending in .gcl guarded-command programs, files ending in .tandem hold the text form that `tandem show` prints.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Prove that no execution violates the property, or find one that does
    Verify(VerifyArguments),
    /// Execute the program, step by step
    Run(RunArguments),
    /// Show the program as Tandem understands it
    Show(ShowArguments),
    /// Write the completions for a shell to standard output
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write manual pages into a folder
    #[command(hide = true)]
    Manual {
        /// The folder
        folder: PathBuf,
    },
    /// Become another program, within limits
    #[command(hide = true)]
    Confine(ConfineArguments),
}

/// The arguments of `tandem confine`, with which Tandem starts other programs.
#[derive(Debug, Args)]
pub struct ConfineArguments {
    /// The process that the program ends with
    #[arg(long, value_name = "PROCESS")]
    pub parent: i32,
    /// How many bytes of memory it may write to
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<u64>,
    /// How many seconds of processor time it may take
    #[arg(long, value_name = "NUMBER")]
    pub seconds: Option<u64>,
    /// End what the program started, too
    #[arg(long)]
    pub watch: bool,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub program: Vec<OsString>,
}

const VERIFY_HELP: &str = "\
The last line on standard output is `verdict: safe`, `verdict: unsafe` or
`verdict: unknown`, with the reason above it. With --json, standard output is
one JSON document instead, which holds the verdict and the reason;
docs/result.schema.json describes it. The exit status is 0, 1 or 2, and 3 if
the input or the usage is wrong.

Properties:
  assert            no assertion is false; for guarded commands, every `safe`
                    line holds in every state
  unreach-call      the error function is never called
  no-overflow       no signed integer operation overflows
  valid-memsafety   every memory access and free is valid, no heap object lost
  valid-deref       every memory access is valid
  valid-free        every free is valid
  valid-memtrack    no heap object is lost
  valid-memcleanup  every heap object is freed at the end
  no-data-race      no two threads touch one place at once, one of them writing
  no-deadlock       the threads never all wait for each other
  no-exception      no exception is uncaught
  no-undefined-arithmetic
                    no overflow, division by zero or shift out of range
  no-leak           no heap object is lost while the program runs
  array-bounds      no index leaves a row, or an array inside a structure
  no-uninitialised-read
                    no local is read before it has a value, unless its
                    address is taken
  no-undefined-expression
                    no side effects that nothing orders, no pointer that is
                    moved outside its object, compared across objects or
                    misaligned, no overlapping copy, no missing result
Without --property, C programs are checked for assert, no-undefined-arithmetic,
no-undefined-expression, no-uninitialised-read, valid-deref, array-bounds,
valid-free and no-leak, Java programs for assert and no-exception, others for
assert.

Examples:
  tandem verify models/gcl/elev4.gcl
  tandem verify models/gcl/rax-45.gcl --full-trace
  tandem verify models/gcl/ticket3.gcl --engine symbolic
  tandem verify main.c --property unreach-call --engine bounded --bound=20
  tandem verify model.gcl --search dfs --time-limit 2m --memory-limit 4G";

/// The arguments of `tandem verify`.
#[derive(Debug, Args)]
#[command(after_help = VERIFY_HELP)]
pub struct VerifyArguments {
    /// The program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// What to prove: an SV-COMP .prp file, or names of those below, several times or with commas [default: all that can go
    /// wrong, as said below]
    #[arg(long, value_name = "PROPERTY")]
    pub property: Vec<String>,
    /// The sizes of C's types, for C programs only [default: LP64]
    #[arg(long, value_name = "MODEL", ignore_case = true)]
    pub data_model: Option<DataModel>,
    /// The class in which a Java program starts, or a static method of it, as in a.b.Main or a.b.Main.test
    #[arg(long, value_name = "CLASS")]
    pub main: Option<String>,
    /// What C's preprocessor is told
    #[command(flatten)]
    pub preprocessor: PreprocessorArguments,
    /// Which engine works; `auto` runs those that suit the program side by side
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = parse_engine, long_help = engine_help())]
    pub engine: Engine,
    /// In which order states are explored; breadth first finds the shortest counterexample
    #[arg(long, value_name = "ORDER", default_value = "bfs")]
    pub search: Search,
    /// A variable or field that engine `explicit` keeps only a token of, and how, as in Producer.run.remaining=signs or
    /// x=interval(0,10)+evenness; several times, or as @FILE with one per line; `auto` chooses counters that only guard loops
    #[arg(long = "abstract", value_name = "NAME=ABSTRACTION")]
    pub abstractions: Vec<String>,
    /// A file with predicates that the abstraction of engines `cegar` and `panda` keeps from the start, and with assumptions,
    /// in the syntax of the original PANDA, which docs/predicates.md describes
    #[arg(long, value_name = "FILE")]
    pub predicates: Option<PathBuf>,
    /// Print the predicates of the abstraction in the end, or write them to a file, which --predicates can read; for
    /// engines `cegar` and `panda`
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub print_predicates: Option<Option<PathBuf>>,
    /// Engine `explicit` keeps three bits of a state that it has visited: for hunting errors in more states than memory holds;
    /// some are missed, so that the answer is never safe; depth first
    #[arg(long)]
    pub lossy: bool,
    /// Engine `explicit` goes on where it has found an error, and reports each distinct race, deadlock and failed place once
    #[arg(long)]
    pub all_errors: bool,
    /// The options of one engine
    #[command(flatten)]
    pub cegar: CegarArguments,
    /// The options of another one
    #[command(flatten)]
    pub symbolic: SymbolicArguments,
    /// After how long to give up, as in 90s, 2m, 500ms
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time_limit: Option<Duration>,
    /// How much memory to use, solvers included, as in 4G, 512M
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub memory_limit: Option<u64>,
    /// The solver to use, z3 from 4.8.12 on or cvc5 [default: $TANDEM_SOLVER, else as docs/usage.md says]
    #[arg(long, value_name = "PATH")]
    pub solver: Option<PathBuf>,
    /// Show every step of a long counterexample
    #[arg(long, conflicts_with = "json")]
    pub full_trace: bool,
    /// Write the result as JSON, and nothing else
    #[arg(long)]
    pub json: bool,
    /// What a process that does the work is told
    #[command(flatten)]
    pub part: PartArguments,
}

/// What a process is told that does the work for another one.
#[derive(Debug, Args)]
pub struct PartArguments {
    /// All of the report goes to this process
    #[arg(long, hide = true, value_name = "PROCESS")]
    pub part: Option<i32>,
    /// With colours
    #[arg(long, hide = true, requires = "part")]
    pub part_colours: bool,
    /// And messages, too
    #[arg(long, hide = true, requires = "part")]
    pub part_message_colours: bool,
    /// And in Unicode
    #[arg(long, hide = true, requires = "part")]
    pub part_message_unicode: bool,
    /// Only read the program
    #[arg(long, hide = true, requires = "part")]
    pub part_facts: bool,
}

/// The options that are not passed on to a process that does the work, because it has its own.
pub const LIMITS_OF_PARTS: &[&str] = &["--time-limit", "--memory-limit"];

/// The same where the process is one of several engines.
pub const OWN_OF_ENGINES: &[&str] = &["--engine", "--time-limit", "--memory-limit"];

/// The words of the command line; options that compilers write with one dash have two.
pub fn words() -> impl Iterator<Item = OsString> {
    std::env::args_os().map(|word| match word.to_str() {
        Some("-include") => "--include".into(),
        Some(text) if text.starts_with("-std=") => format!("-{text}").into(),
        _ => word,
    })
}

/// What of the command line, after the name of the command, is passed on to a process that does the work.
pub fn passed_on(arguments: impl IntoIterator<Item = OsString>, own: &[&str]) -> Vec<OsString> {
    let mut passed = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        if text == "--" {
            passed.push(argument);
            passed.extend(arguments);
            break;
        }
        let name = text.split('=').next().unwrap_or_default();
        if !own.contains(&name) {
            passed.push(argument);
        } else if !text.contains('=') {
            arguments.next();
        }
    }
    passed
}

impl VerifyArguments {
    /// What of the arguments does not go together.
    pub fn conflict(&self) -> Option<&'static str> {
        let is_bounded = self.symbolic.bound.is_some();
        let has_predicates = matches!(self.engine, Engine::One(EngineId::Cegar | EngineId::Panda));
        match (self.engine, self.search) {
            _ if self.print_predicates.is_some() && !has_predicates => {
                Some("--print-predicates needs --engine cegar or --engine panda")
            }
            _ if self.print_predicates == Some(None) && self.json => {
                Some("--print-predicates needs a file where the result is JSON, as in --print-predicates=FILE")
            }
            (engine, _) if self.all_errors && engine != Engine::One(EngineId::Explicit) => {
                Some("--all-errors needs --engine explicit")
            }
            _ if self.all_errors && (self.lossy || !self.abstractions.is_empty()) => {
                Some("--all-errors goes neither with --lossy nor with --abstract")
            }
            (Engine::One(EngineId::Bounded), _) => None,
            (Engine::One(EngineId::Symbolic), _) if is_bounded => None,
            (engine, _) if !self.abstractions.is_empty() && engine != Engine::One(EngineId::Explicit) => {
                Some("--abstract needs --engine explicit")
            }
            (engine, _) if self.lossy && engine != Engine::One(EngineId::Explicit) => {
                Some("--lossy needs --engine explicit")
            }
            (_, Search::Distance) => Some("--search distance needs --engine bounded"),
            (_, Search::Loops) => Some("--search loops needs --engine bounded"),
            _ if is_bounded => Some("--bound needs --engine bounded"),
            _ if self.symbolic.merge.is_some() => Some("--merge needs --engine bounded"),
            _ => None,
        }
    }

    /// The engine that the arguments ask for.
    pub fn engine_config(&self) -> EngineConfig {
        let search = self.search.order();
        // Executions of C and Java programs are long; of the others all states are of interest, and the shortest trace.
        let is_long = |file: &PathBuf| {
            let extension = file.extension().and_then(|extension| extension.to_str());
            matches!(extension, Some("c" | "i" | "java" | "class" | "jar")) || file.is_dir()
        };
        let deterministic =
            if self.files.iter().all(is_long) { DeterministicSteps::Followed } else { DeterministicSteps::Stored };
        match self.engine {
            // Where one is needed for all, as for looking at a program, this one is.
            Engine::Auto | Engine::One(EngineId::Explicit) => EngineConfig::Explicit(ExplicitConfig {
                search,
                deterministic,
                abstractions: self.abstractions.clone(),
                lossy: self.lossy,
                all_errors: self.all_errors,
            }),
            Engine::One(EngineId::Panda) => EngineConfig::Panda(PandaConfig {
                solver: self.solver.clone(),
                reports_predicates: self.print_predicates.is_some(),
                ..PandaConfig::default()
            }),
            Engine::One(EngineId::Shape) => EngineConfig::Shape,
            Engine::One(EngineId::Cegar) => EngineConfig::Cegar(CegarConfig {
                reports_predicates: self.print_predicates.is_some(),
                ..self.cegar.config(self.search, self.solver.clone())
            }),
            Engine::One(EngineId::Symbolic) if self.symbolic.bound.is_none() => {
                EngineConfig::Symbolic(self.symbolic.config(self.solver.clone()))
            }
            Engine::One(EngineId::Symbolic | EngineId::Bounded) => {
                EngineConfig::Bounded(self.symbolic.bounded_config(self.search, self.solver.clone()))
            }
        }
    }
}

const RUN_HELP: &str = "\
Inputs are numbers, as 3 or -1.5e3, true, false or null. Those that are not given are 0, or the
nearest value that does not block. Where several steps are possible the first
one is taken, or a random one with --seed; a step into an error goes before all
others. The exit status is 1 if an error is reached, 2 if the execution is
undefined or was interrupted, 0 if none of these, 3 if the input or the usage
is wrong.

Examples:
  tandem run models/gcl/ticket2_e.gcl --seed 3
  tandem verify model.gcl --json > r.json; tandem run model.gcl --replay r.json";

/// The arguments of `tandem run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_HELP)]
pub struct RunArguments {
    /// The program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// What counts as an error: an SV-COMP .prp file, or names as for `verify` [default: assert, or what a replayed result is about]
    #[arg(long, value_name = "PROPERTY")]
    pub property: Option<String>,
    /// The sizes of C's types, for C programs only [default: LP64]
    #[arg(long, value_name = "MODEL", ignore_case = true)]
    pub data_model: Option<DataModel>,
    /// The class in which a Java program starts, or a static method of it, as in a.b.Main or a.b.Main.test
    #[arg(long, value_name = "CLASS")]
    pub main: Option<String>,
    /// What C's preprocessor is told
    #[command(flatten)]
    pub preprocessor: PreprocessorArguments,
    /// Inputs, in the order they are read, as in 3,-4,true
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true)]
    pub input: Vec<String>,
    /// A file with more inputs, after those of --input
    #[arg(long, value_name = "FILE")]
    pub inputs_from: Option<PathBuf>,
    /// Execute the counterexample in this result of `tandem verify --json`
    #[arg(long, value_name = "RESULT", conflicts_with_all = ["input", "inputs_from", "seed", "steps"])]
    pub replay: Option<PathBuf>,
    /// Choose steps at random, the same way for the same number
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// After how many steps to stop [default: 1000, or none with --quiet]
    #[arg(long, value_name = "NUMBER")]
    pub steps: Option<usize>,
    /// Show only what the program itself prints; an error that ends it, or its status, goes to standard error
    #[arg(long, conflicts_with = "replay")]
    pub quiet: bool,
    /// What a process that does the work is told
    #[command(flatten)]
    pub part: PartArguments,
}

impl RunArguments {
    /// After how many steps to stop.
    pub fn steps(&self) -> usize {
        self.steps.unwrap_or(if self.quiet { usize::MAX } else { 1000 })
    }

    /// The inputs of the command line.
    pub fn inputs(&self) -> Result<Vec<Value>, String> {
        let lists: Result<Vec<Vec<Value>>, String> = self.input.iter().map(|list| parse_inputs(list)).collect();
        Ok(lists?.concat())
    }
}

const SHOW_HELP: &str = "\
With --graph, the engine `cegar` explores the program, and what is drawn are its
abstract states: where they are in the source, the values and predicates that
hold there, and how one leads to another. States that another one covers are
grey, with a dashed arrow to it; recursive calls that an earlier one stands for
have a dotted arrow to its entry; errors are red.

Examples:
  tandem show model.gcl
  tandem show main.c --format svg -o main.svg
  tandem show main.c --graph --property unreach-call --time-limit 10s -o graph.svg";

/// The arguments of `tandem show`.
#[derive(Debug, Args)]
#[command(after_help = SHOW_HELP)]
pub struct ShowArguments {
    /// The program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// What counts as an error: an SV-COMP .prp file, or names as for `verify`
    #[arg(long, value_name = "PROPERTY", default_value = "assert")]
    pub property: String,
    /// The sizes of C's types, for C programs only [default: LP64]
    #[arg(long, value_name = "MODEL", ignore_case = true)]
    pub data_model: Option<DataModel>,
    /// The class in which a Java program starts, or a static method of it, as in a.b.Main or a.b.Main.test
    #[arg(long, value_name = "CLASS")]
    pub main: Option<String>,
    /// What C's preprocessor is told
    #[command(flatten)]
    pub preprocessor: PreprocessorArguments,
    /// How to show it; the text form can be read back [default: what the name of the output ends in, or text]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Where to write it [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Draw the abstract states that --engine cegar explores, instead of the program [default format: dot]
    #[arg(long)]
    pub graph: bool,
    /// For --graph: in which order states are explored
    #[arg(long, value_name = "ORDER", default_value = "bfs", requires = "graph")]
    pub search: Search,
    /// After how long to give up, or with --graph to draw what there is, as in 90s, 2m, 500ms
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time_limit: Option<Duration>,
    /// How much memory to use, as in 4G, 512M
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub memory_limit: Option<u64>,
    /// For --graph: the solver to use [default: $TANDEM_SOLVER, else as docs/usage.md says]
    #[arg(long, value_name = "PATH", requires = "graph")]
    pub solver: Option<PathBuf>,
    /// For --graph: the options of the engine
    #[command(flatten)]
    pub cegar: CegarArguments,
    /// What a process that does the work is told
    #[command(flatten)]
    pub part: PartArguments,
}

impl ShowArguments {
    /// How to show it: as the user says, or as the name of the output does.
    pub fn format(&self) -> Format {
        let extension = self.output.as_ref().and_then(|path| path.extension()).and_then(|name| name.to_str());
        match (self.format, extension) {
            (Some(format), _) => format,
            (None, Some("svg")) => Format::Svg,
            (None, Some("dot" | "gv")) => Format::Dot,
            (None, _) if self.graph => Format::Dot,
            (None, _) => Format::Text,
        }
    }
}

/// How to show a program.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Format {
    /// The text form
    Text,
    /// A graph for Graphviz
    Dot,
    /// A drawing
    Svg,
}

/// In which order states are explored.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Search {
    /// Breadth first
    Bfs,
    /// Depth first
    Dfs,
    /// What is nearest to an error first, with --engine bounded
    Distance,
    /// Every loop to its end before what follows it, with --engine bounded
    Loops,
}

impl Search {
    /// The order, for engines that know no other.
    pub(super) fn order(self) -> SearchOrder {
        match self {
            Search::Bfs | Search::Distance | Search::Loops => SearchOrder::BreadthFirst,
            Search::Dfs => SearchOrder::DepthFirst,
        }
    }
}

/// The sizes of C's types.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum DataModel {
    /// 32-bit int, long and pointers
    #[value(name = "ILP32")]
    Ilp32,
    /// 32-bit int, 64-bit long and pointers
    #[value(name = "LP64")]
    Lp64,
}

/// Which engines work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Those that suit the program.
    Auto,
    /// This one.
    One(EngineId),
}

fn parse_engine(name: &str) -> Result<Engine, String> {
    match name {
        "auto" => Ok(Engine::Auto),
        _ => name.parse().map(Engine::One).map_err(|error: UnknownEngine| error.to_string()),
    }
}

/// The engines with what they do, for the help.
fn engine_help() -> String {
    let mut help = "Which engine works:\n\n  auto      those that suit the program, side by side".to_owned();
    for id in EngineId::ALL {
        help.push_str(&format!("\n  {:<9} {}", id.name(), id.entry().about));
    }
    help
}

//! Random C programs without undefined behaviour, the same for the same seed.
//!
//! A program prints numbers, among them a running checksum of what it computes, so that two executions of it can be
//! compared. It means the same to every compiler that follows the ABI of x86 under Linux, at either data model, though
//! what it prints may differ between the models. What makes it so:
//!
//! - Every expression carries the range of its values in both models (`value`); an operator is only applied where no
//!   values in the ranges make it undefined, else its operands are masked, bounded or converted to an unsigned type.
//! - A full expression has at most one side effect, or several with sequence points between them, and next to a call
//!   only variables are read that no call can change (`place::Reads`).
//! - Every variable is initialised, every pointer points to something that lives at least as long, loops count, recursion
//!   has fuel, and backward jumps are counted.
//! - Padding, addresses and members of unions that were not written are never read.
//!
//! What is implementation-defined is used as gcc defines it: conversions to signed types wrap, shifts to the right keep
//! the sign, plain `char` and bit-fields of it are signed.

mod control;
mod expression;
mod floating;
mod function;
mod initialiser;
mod library;
mod piece;
mod place;
mod pointer;
mod scalar;
mod statement;
#[cfg(test)]
mod tests;
mod types;
mod value;

use crate::term::Random;
use function::{Function, Table};
use initialiser::Storage;
use place::Variable;
use types::{Enumeration, Record};

/// What the programs are like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// How many functions there are besides `main`.
    pub functions: usize,
    /// How many global variables there are.
    pub globals: usize,
    /// How many structures and unions there are.
    pub records: usize,
    /// How many statements a block has at most.
    pub statements: usize,
    /// How deep statements nest at most.
    pub nesting: usize,
    /// How deep expressions nest at most.
    pub depth: usize,
    /// How many statements an execution takes at most, about.
    pub steps: u64,
    /// Whether there are arrays.
    pub arrays: bool,
    /// Whether there are unions.
    pub unions: bool,
    /// Whether structures have bit-fields.
    pub bit_fields: bool,
    /// Whether there are pointers.
    pub pointers: bool,
    /// Whether integers are read byte by byte through a pointer.
    pub bytes: bool,
    /// Whether there are `goto` statements.
    pub gotos: bool,
    /// Whether there are arrays of a computed length.
    pub variable_length: bool,
    /// Whether GNU forms occur: `a ?: b`, statement expressions, ranges of cases and of designators.
    pub gnu: bool,
    /// Whether there is floating point.
    pub floats: bool,
    /// Whether functions of the library and the compiler are called, and there are functions of variable arguments.
    pub library: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            functions: 4,
            globals: 8,
            records: 4,
            statements: 5,
            nesting: 3,
            depth: 3,
            steps: 5_000,
            arrays: true,
            unions: true,
            bit_fields: true,
            pointers: true,
            bytes: true,
            gotos: true,
            variable_length: true,
            gnu: true,
            floats: true,
            library: true,
        }
    }
}

impl Config {
    /// A random configuration: leaving features out at random brings out those that remain in more combinations.
    pub fn of_seed(seed: u64) -> Config {
        let mut random = Random::new(!seed);
        Config {
            functions: random.between(0, 5),
            globals: random.between(1, 10),
            records: random.between(0, 5),
            statements: random.between(1, 6),
            nesting: random.between(0, 3),
            depth: random.between(1, 4),
            steps: 5_000,
            arrays: random.percent(80),
            unions: random.percent(70),
            bit_fields: random.percent(70),
            pointers: random.percent(80),
            bytes: random.percent(40),
            gotos: random.percent(70),
            variable_length: random.percent(40),
            gnu: random.percent(60),
            floats: random.percent(30),
            library: random.percent(50),
        }
    }

    /// Smaller and plainer configurations, each by one step.
    pub fn simpler(&self) -> Vec<Config> {
        let mut found = Vec::new();
        let mut with = |change: &dyn Fn(&mut Config)| {
            let mut config = self.clone();
            change(&mut config);
            if config != *self {
                found.push(config);
            }
        };
        with(&|config| config.functions /= 2);
        with(&|config| config.globals = config.globals.div_ceil(2));
        with(&|config| config.records /= 2);
        with(&|config| config.statements = config.statements.div_ceil(2));
        with(&|config| config.nesting /= 2);
        with(&|config| config.depth = config.depth.div_ceil(2));
        with(&|config| config.arrays = false);
        with(&|config| config.unions = false);
        with(&|config| config.bit_fields = false);
        with(&|config| config.pointers = false);
        with(&|config| config.bytes = false);
        with(&|config| config.gotos = false);
        with(&|config| config.variable_length = false);
        with(&|config| config.gnu = false);
        with(&|config| config.floats = false);
        with(&|config| config.library = false);
        found
    }
}

/// What every program starts with: the checksum, and the bits of a floating value.
const PROLOGUE: &str = "\
int printf(const char *, ...);
static unsigned long long sum = 14695981039346656037ull;
static void mix(unsigned long long value) { sum = (sum ^ value) * 1099511628211ull; }
";

/// What a program with floating point starts with besides.
const FLOATING_PROLOGUE: &str = "\
static unsigned long long bits_of(double value) {
  union { double value; unsigned long long bits; } both;
  both.value = value;
  return both.bits;
}
";

/// The random program of that seed.
pub fn program(seed: u64, config: &Config) -> String {
    let mut generator = Generator::new(seed, config);
    generator.write_types();
    for _ in 0..config.globals {
        generator.declare(Storage::File);
    }
    if config.pointers {
        for _ in 0..config.globals / 3 {
            generator.declare_pointer(Storage::File);
        }
    }
    let types_and_globals = std::mem::take(&mut generator.text);
    for _ in 0..config.functions {
        generator.write_function();
    }
    generator.write_main();
    let floating = if config.floats { FLOATING_PROLOGUE } else { "" };
    [PROLOGUE, floating, &types_and_globals, &generator.prototypes, &generator.text].concat()
}

/// A program in the making.
struct Generator<'a> {
    /// Where chance comes from.
    random: Random,
    /// What the program is like.
    config: &'a Config,
    /// What is written.
    text: String,
    /// Declarations of functions ahead of all functions.
    prototypes: String,
    /// How far lines are indented.
    indent: usize,
    /// The structures and unions.
    records: Vec<Record>,
    /// The enumerations.
    enumerations: Vec<Enumeration>,
    /// The variables in scope, inner ones last.
    variables: Vec<Variable>,
    /// How many variables there were when each open block began.
    scopes: Vec<usize>,
    /// How many blocks are open.
    depth: usize,
    /// The functions that can be called.
    functions: Vec<Function>,
    /// The arrays of pointers to functions.
    tables: Vec<Table>,
    /// The function that is being written, unless it is `main`.
    current: Option<Function>,
    /// Whether it calls itself already.
    recursed: bool,
    /// The labels ahead.
    labels: Vec<String>,
    /// How many loops are around.
    loops: usize,
    /// How many expressions of an index are around.
    index_depth: usize,
    /// How many initialisers of unions are around.
    unions: usize,
    /// Whether an expression may hold statements here.
    statement_expressions: bool,
    /// How often the statement that is being written is executed at most, in one call.
    multiplier: u64,
    /// How many statements a call executes at most, so far.
    cost: u64,
    /// How many names are taken.
    names: usize,
}

impl<'a> Generator<'a> {
    fn new(seed: u64, config: &'a Config) -> Generator<'a> {
        Generator {
            random: Random::new(seed),
            config,
            text: String::new(),
            prototypes: String::new(),
            indent: 0,
            records: Vec::new(),
            enumerations: Vec::new(),
            variables: Vec::new(),
            scopes: Vec::new(),
            depth: 0,
            functions: Vec::new(),
            tables: Vec::new(),
            current: None,
            recursed: false,
            labels: Vec::new(),
            loops: 0,
            index_depth: 0,
            unions: 0,
            statement_expressions: true,
            multiplier: 1,
            cost: 0,
            names: 0,
        }
    }

    /// A name that nothing has yet.
    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Writes a line that opens a block.
    fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
        self.enter();
    }

    /// Writes a line that closes a block.
    fn close(&mut self, text: &str) {
        self.leave();
        self.indent -= 1;
        self.line(text);
    }

    fn enter(&mut self) {
        self.depth += 1;
        self.scopes.push(self.variables.len());
    }

    fn leave(&mut self) {
        self.depth -= 1;
        let outside = self.scopes.pop().expect("every block that is left was entered");
        self.variables.truncate(outside);
    }

    /// Whether something may be executed here so many times.
    fn can_afford(&self, times: u64) -> bool {
        self.multiplier * times <= 100 && self.can_call(2 * times)
    }

    /// Whether a call of that cost may be executed here.
    fn can_call(&self, cost: u64) -> bool {
        self.cost + self.multiplier * cost <= self.config.steps
    }
}

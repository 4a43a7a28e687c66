//! The checker of programs: what every engine may rely on.
//!
//! A program is valid if it keeps these rules, each a [`Rule`]:
//!
//!  1. `PointerSize`: a pointer takes 4 or 8 bytes.
//!  2. `Main`: the main procedure exists and takes no parameters.
//!  3. `Names`: variables and procedures have names; they are unique among the globals, among the locals of one
//!     procedure, and among the procedures.
//!  4. `Width`: a machine integer has 1 to 128 bits, wherever a type stands.
//!  5. `Range`: every id is one of the program's, or of the procedure's where it is a location's.
//!  6. `Parameters`: parameters are distinct locals of their procedure.
//!  7. `Result`: the result is a local of its procedure.
//!  8. `Leaving`: no edge leaves the exit or an error location.
//!  9. `ExitError`: the exit is no error location.
//! 10. `Scope`: an edge uses only globals and the locals of its procedure, `init` only globals.
//! 11. `Init`: `init` has no calls, threads, locks, notifications, atomic sections or objects on the stack.
//! 12. `Operands`: operators and statements have operands of the types that their documentation says.
//! 13. `Literal`: a number is within its type, the bits of a floating-point one within its width; a mathematical one
//!     takes at most [`MAX_LITERAL_BITS`] bits.
//! 14. `Storable`: what is loaded or stored is no mathematical integer.
//! 15. `Depth`: expressions are nested at most [`MAX_DEPTH`] deep.
//! 16. `AssignOnce`: one assignment writes each variable once.
//! 17. `AssignType`: what is assigned has the type of its variable.
//! 18. `CallAlone`: a call is the only statement of its edge.
//! 19. `Arguments`: calls and spawns pass what the parameters take, and a call's target takes what the callee gives.
//! 20. `WaitLast`: a wait is the last statement of its edge.
//! 21. `Span`: a span lies within its file, starts before it ends, and cuts no character in two.

mod typing;

use super::{EdgeId, LocId, ProcId, Program, Scope, Span, Statement, VarId};
use rustc_hash::FxHashSet;
use std::fmt;

/// How deeply expressions may be nested, so that functions over them may recurse: a thousand frames of two
/// kilobytes fit the smallest stack that a thread has.
pub const MAX_DEPTH: usize = 1_000;

/// How many bits a mathematical integer in a program may take, sign included.
const MAX_LITERAL_BITS: u32 = 32_768;

/// A rule of the list at the top of this file.
#[allow(missing_docs, reason = "the list at the top of the file says what each means")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    PointerSize = 1,
    Main,
    Names,
    Width,
    Range,
    Parameters,
    Result,
    Leaving,
    ExitError,
    Scope,
    Init,
    Operands,
    Literal,
    Storable,
    Depth,
    AssignOnce,
    AssignType,
    CallAlone,
    Arguments,
    WaitLast,
    Span,
}

/// Where in a program something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// Nowhere in particular.
    Program,
    /// A variable's declaration.
    Variable(VarId),
    /// A statement of `init`.
    Init(usize),
    /// A procedure as a whole.
    Procedure(ProcId),
    /// A location.
    Location(ProcId, LocId),
    /// An edge as a whole.
    Edge(ProcId, EdgeId),
    /// A statement of an edge.
    Statement(ProcId, EdgeId, usize),
}

/// A rule broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Which rule.
    pub rule: Rule,
    /// Where.
    pub place: Place,
    /// The place in words, with the names that the program has for it.
    pub place_name: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} (rule {} of valid programs)", self.place_name, self.message, self.rule as u8)
    }
}

impl std::error::Error for Problem {}

/// Checks every rule and tells all that are broken.
pub fn validate(program: &Program) -> Result<(), Vec<Problem>> {
    let mut checker = Checker { program, place: Place::Program, problems: Vec::new() };
    checker.program();
    if checker.problems.is_empty() { Ok(()) } else { Err(checker.problems) }
}

impl Place {
    /// The place in words, with the names that the program has for it.
    pub fn describe(self, program: &Program) -> String {
        let procedure = |id: ProcId| match program.procedures.get(id) {
            Some(procedure) => format!("procedure `{}`", procedure.name),
            None => format!("procedure {id:?}"),
        };
        match self {
            Place::Program => "the program".to_owned(),
            Place::Variable(id) => match program.variables.get(id) {
                Some(variable) => format!("variable `{}` ({id:?})", variable.name),
                None => format!("variable {id:?}"),
            },
            Place::Init(index) => format!("statement {} of init", index + 1),
            Place::Procedure(id) => procedure(id),
            Place::Location(id, location) => format!("{}, location {location:?}", procedure(id)),
            Place::Edge(id, edge) => {
                let label = program.procedures.get(id).and_then(|p| p.edges.get(edge)).and_then(|e| e.label.as_ref());
                let label = label.map_or(String::new(), |label| format!(" {label:?}"));
                format!("{}, edge {edge:?}{label}", procedure(id))
            }
            Place::Statement(id, edge, index) => {
                format!("{}, statement {}", Place::Edge(id, edge).describe(program), index + 1)
            }
        }
    }
}

/// Goes through a program and collects what is wrong.
struct Checker<'p> {
    program: &'p Program,
    place: Place,
    problems: Vec<Problem>,
}

impl<'p> Checker<'p> {
    fn report(&mut self, rule: Rule, message: impl Into<String>) {
        let place_name = self.place.describe(self.program);
        self.problems.push(Problem { rule, place: self.place, place_name, message: message.into() });
    }

    fn require(&mut self, holds: bool, rule: Rule, message: impl FnOnce() -> String) -> bool {
        if !holds {
            self.report(rule, message());
        }
        holds
    }

    fn program(&mut self) {
        let program = self.program;
        self.require(matches!(program.pointer_bytes, 4 | 8), Rule::PointerSize, || {
            format!("a pointer of {} bytes", program.pointer_bytes)
        });
        match program.procedures.get(program.main) {
            None => self.report(Rule::Main, format!("the main procedure {:?} does not exist", program.main)),
            Some(main) => {
                self.require(main.parameters.is_empty(), Rule::Main, || {
                    format!("the main procedure `{}` takes parameters", main.name)
                });
            }
        }
        program.assumptions.iter().for_each(|assumption| self.span(assumption.span));
        program.remarks.iter().for_each(|remark| self.span(remark.span));
        self.variables();
        for (index, statement) in program.init.iter().enumerate() {
            self.place = Place::Init(index);
            self.init_statement(statement);
        }
        self.procedure_names();
        program.procedures.ids().for_each(|id| self.procedure(id));
    }

    fn variables(&mut self) {
        let mut seen = FxHashSet::default();
        for (id, variable) in self.program.variables.enumerate() {
            self.place = Place::Variable(id);
            self.require(!variable.name.is_empty(), Rule::Names, || "it has no name".to_owned());
            self.require(seen.insert((variable.scope, variable.name.as_str())), Rule::Names, || {
                format!("`{}` is declared twice in one scope", variable.name)
            });
            self.width(variable.ty);
            self.span(variable.span);
            if let Scope::Local(procedure) = variable.scope {
                let known = self.program.procedures.get(procedure).is_some();
                self.require(known, Rule::Range, || format!("its procedure {procedure:?} does not exist"));
            }
        }
    }

    fn procedure_names(&mut self) {
        let mut seen = FxHashSet::default();
        for (id, procedure) in self.program.procedures.enumerate() {
            self.place = Place::Procedure(id);
            self.require(!procedure.name.is_empty(), Rule::Names, || "it has no name".to_owned());
            self.require(seen.insert(procedure.name.as_str()), Rule::Names, || {
                format!("`{}` is the name of two procedures", procedure.name)
            });
        }
    }

    fn procedure(&mut self, id: ProcId) {
        let procedure = &self.program.procedures[id];
        self.place = Place::Procedure(id);
        self.span(procedure.span);
        let mut seen = FxHashSet::default();
        for &parameter in &procedure.parameters {
            if self.is_own_local(id, parameter, Rule::Parameters, "parameter") {
                self.require(seen.insert(parameter), Rule::Parameters, || {
                    format!("{parameter:?} is a parameter twice")
                });
            }
        }
        if let Some(result) = procedure.result {
            self.is_own_local(id, result, Rule::Result, "result");
        }
        for (what, location) in [("entry", procedure.entry), ("exit", procedure.exit)] {
            let known = procedure.locations.get(location).is_some();
            self.require(known, Rule::Range, || format!("its {what} {location:?} does not exist"));
        }
        for (location_id, location) in procedure.locations.enumerate() {
            self.place = Place::Location(id, location_id);
            self.span(location.span);
            let both = location_id == procedure.exit && location.error.is_some();
            self.require(!both, Rule::ExitError, || "the exit is an error location".to_owned());
        }
        procedure.edges.ids().for_each(|edge| self.edge(id, edge));
    }

    fn is_own_local(&mut self, id: ProcId, variable: VarId, rule: Rule, what: &str) -> bool {
        let Some(known) = self.program.variables.get(variable) else {
            self.report(Rule::Range, format!("its {what} {variable:?} does not exist"));
            return false;
        };
        self.require(known.scope == Scope::Local(id), rule, || {
            format!("its {what} `{}` is not a local of it", known.name)
        })
    }

    fn edge(&mut self, id: ProcId, edge_id: EdgeId) {
        let procedure = &self.program.procedures[id];
        let edge = &procedure.edges[edge_id];
        self.place = Place::Edge(id, edge_id);
        self.span(edge.span);
        let target = procedure.locations.get(edge.target).is_some();
        self.require(target, Rule::Range, || format!("its target {:?} does not exist", edge.target));
        match procedure.locations.get(edge.source) {
            None => self.report(Rule::Range, format!("its source {:?} does not exist", edge.source)),
            Some(source) => {
                self.require(edge.source != procedure.exit, Rule::Leaving, || "it leaves the exit".to_owned());
                self.require(source.error.is_none(), Rule::Leaving, || "it leaves an error location".to_owned());
            }
        }
        for (index, statement) in edge.block.iter().enumerate() {
            self.place = Place::Statement(id, edge_id, index);
            if matches!(statement, Statement::Call { .. }) {
                self.require(edge.block.len() == 1, Rule::CallAlone, || "a call beside other statements".to_owned());
            }
            if matches!(statement, Statement::Wait { .. }) {
                let last = index + 1 == edge.block.len();
                self.require(last, Rule::WaitLast, || "a wait before other statements".to_owned());
            }
            self.statement(statement, Some(id));
        }
    }

    fn init_statement(&mut self, statement: &Statement) {
        use Statement::*;
        let refused = match statement {
            Call { .. } => Some("a call"),
            Spawn { .. } | Join(_) => Some("a thread statement"),
            Lock { .. } | Unlock(_) | Wait { .. } | Notify { .. } => Some("a lock statement"),
            AtomicBegin | AtomicEnd => Some("an atomic section"),
            Allocate { region, .. } if region.is_on_stack() => Some("an object on the stack"),
            Assume(_) | Assign(_) | Havoc { .. } | Allocate { .. } | Free(_) => None,
            Store { .. } | Copy { .. } | Fill { .. } | Write { .. } | Output(_) => None,
        };
        match refused {
            Some(what) => self.report(Rule::Init, format!("{what} in init")),
            None => self.statement(statement, None),
        }
    }

    fn span(&mut self, span: Option<Span>) {
        let Some(span) = span else { return };
        let Some(file) = self.program.sources.get(span.file) else {
            self.report(Rule::Span, format!("the span {span:?} is in no source file"));
            return;
        };
        let (start, end) = (span.start as usize, span.end as usize);
        let fine = start <= end && file.text.is_char_boundary(start) && file.text.is_char_boundary(end);
        self.require(fine, Rule::Span, || {
            format!("the span {span:?} does not fit the {} bytes of `{}`", file.text.len(), file.name)
        });
    }
}

#[cfg(test)]
mod tests;

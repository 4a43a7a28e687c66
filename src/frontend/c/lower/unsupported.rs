//! Statements that are not supported: a place where nothing is known of what follows, instead of a refusal.
//!
//! A function with such a statement is lowered once more, from the start, with the place in its stead: nothing is left
//! of what was made of a part of it.

use super::{Lower, Lowered};
use crate::frontend::c::tree::{FunctionId, LabelId, StmtId, StmtKind, Unit};
use crate::program::{Diagnostic, ErrorKind, Failure, Location, ProcId};
use rustc_hash::FxHashMap;

/// So many statements of a function are such places; a function with more is refused.
const MAX_PLACES: usize = 200;

/// Which statements are not supported.
#[derive(Debug, Default)]
pub(super) struct Unsupported {
    /// Why, by unit and statement.
    known: FxHashMap<(usize, StmtId), Diagnostic>,
    /// The innermost statement that could not be lowered just now.
    last: Option<(usize, StmtId)>,
    /// Whether what could not be lowered is no statement's alone.
    is_refused: bool,
}

impl Unsupported {
    /// Why a statement is not supported, if it is not.
    pub(super) fn reason(&self, unit: usize, statement: StmtId) -> Option<Diagnostic> {
        self.known.get(&(unit, statement)).cloned()
    }

    /// A statement could not be lowered; of several, the innermost counts.
    pub(super) fn note(&mut self, unit: usize, statement: StmtId) {
        self.last.get_or_insert((unit, statement));
    }

    /// The program cannot be read: others depend on what could not be lowered, such as the first value of a global.
    pub(super) fn refuse(&mut self) {
        self.is_refused = true;
    }
}

impl Lower<'_> {
    /// Lowers a function, with places where something is not supported.
    pub(super) fn lower_supported(&mut self, function: FunctionId, procedure: ProcId) -> Lowered<()> {
        let unit = self.current;
        for _ in 0..MAX_PLACES {
            self.unsupported.last = None;
            let Err(error) = self.lower_function(function, procedure) else { return Ok(()) };
            let is_refused = self.options.strict || self.options.executes || self.unsupported.is_refused;
            match self.unsupported.last {
                Some(statement) if !is_refused => self.unsupported.known.insert(statement, error),
                _ => return Err(error),
            };
            self.names.retain(|(scope, _)| *scope != Some(procedure));
            self.inside_init = false;
            self.enter_unit(unit);
        }
        self.lower_function(function, procedure)
    }

    /// Control that comes to the statement, or to a label in it, does not go on.
    pub(super) fn unsupported_place(&mut self, statement: StmtId, reason: &Diagnostic) {
        let message = reason.message.clone();
        let what = message.trim_end_matches(" not supported").trim_end_matches(" is").trim_end_matches(" are");
        let kind = ErrorKind::Unmodelled(what.to_owned());
        let error = Some(Failure { message: format!("{what} is not modelled"), kind });
        let error = self.body.locations.push(Location { name: None, error, span: self.body.span });
        self.go_to(error);
        for label in labels(self.unit, statement) {
            let location = self.label(label);
            self.start_at(location);
            self.note_label(label);
            self.go_to(error);
        }
    }
}

/// The labels inside of a statement.
fn labels(unit: &Unit, statement: StmtId) -> Vec<LabelId> {
    let mut found = Vec::new();
    let mut open = vec![statement];
    while let Some(statement) = open.pop() {
        match &unit.stmts[statement].kind {
            StmtKind::Label(label) => found.push(*label),
            StmtKind::Block { stmts, .. } => open.extend(stmts.iter().copied()),
            StmtKind::If { arms, otherwise } => {
                open.extend(arms.iter().map(|(_, body)| *body));
                open.extend(*otherwise);
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::Switch { body, .. } => {
                open.push(*body);
            }
            StmtKind::For { init, body, .. } => open.extend(init.iter().copied().chain([*body])),
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Declare(..)
            | StmtKind::ComputeLength(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_) => {}
        }
    }
    found
}

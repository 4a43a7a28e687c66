//! The procedure that is being built: where control is, what was emitted since, temporaries.

use super::{Lower, Lowered};
use crate::frontend::c::library;
use crate::frontend::c::tree::{ExprId, LabelId, ObjectId};
use crate::frontend::c::types::VlaId;
use crate::program::{
    Edge, EdgeId, ErrorKind, Expr, Failure, IdVec, LocId, Location, ProcId, Role, Scope, Span, Statement, Type, VarId,
    Variable,
};
use crate::transform::cleanup;
use rustc_hash::FxHashMap;

/// How deep an expression may get before it is kept in a temporary.
const DEEP: usize = 64;

/// How many edges a procedure has at most, before it is cleaned up.
const MAX_EDGES: usize = 2_000_000;

/// A procedure that is being built.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub procedure: Option<ProcId>,
    pub locations: IdVec<LocId, Location>,
    pub edges: IdVec<EdgeId, Edge>,
    /// Where control is before the block.
    here: Option<LocId>,
    /// What was emitted since.
    block: Vec<Statement>,
    /// Where the first of it is.
    block_span: Option<Span>,
    /// Where statements of it are that are elsewhere: from which one on.
    block_places: Vec<(u32, Span)>,
    /// Whether the block has a step that other threads can see.
    is_visible: bool,
    /// What is being lowered.
    pub span: Option<Span>,
    /// What is done at the start of an activation: its objects are made.
    pub entry_block: Vec<Statement>,
    pub exit: Option<LocId>,
    /// Where the result goes: a variable, or through a pointer.
    pub result: Option<VarId>,
    pub result_pointer: Option<VarId>,
    /// Points to the object of the thread.
    pub own: Option<VarId>,
    /// What arguments of the program are taken for numbers, in `main`.
    pub numbers_given: super::start::NumbersGiven,
    /// Where the variable arguments are.
    pub variable_arguments: Option<VarId>,
    /// Points to the object that is given its first value.
    pub initialised: Option<VarId>,
    pub labels: FxHashMap<LabelId, LocId>,
    pub breaks: Vec<LocId>,
    pub continues: Vec<LocId>,
    pub locals: FxHashMap<ObjectId, super::Storage>,
    pub saved: FxHashMap<ExprId, Expr>,
    pub lengths: FxHashMap<VlaId, VarId>,
    /// For each object of a block that is a part of an expression, those that end with it or before, and what the block
    /// gives.
    pub expression_blocks: FxHashMap<ObjectId, (Vec<ObjectId>, Vec<Expr>)>,
    /// Whether the function has labels of `goto`.
    pub has_labels: bool,
    /// Whether other threads never see its steps one by one.
    pub is_atomic: bool,
    /// Which variables live where.
    pub scopes: super::tracking::Scopes,
    /// Which variables may have no value.
    pub reads: super::reads::Reads,
    used_temporaries: Vec<(Type, VarId)>,
    free_temporaries: FxHashMap<Type, Vec<VarId>>,
}

impl Body {
    /// A procedure without anything.
    pub(super) fn new(procedure: Option<ProcId>, span: Option<Span>) -> Body {
        Body { procedure, span, ..Body::default() }
    }

    /// Whether control went anywhere.
    pub(super) fn has_edges(&self) -> bool {
        !self.edges.is_empty()
    }

    /// Whether values were kept.
    pub(super) fn has_temporaries(&self) -> bool {
        !self.used_temporaries.is_empty()
    }

    /// What was emitted last.
    pub(super) fn into_block(self) -> Vec<Statement> {
        self.block
    }
}

impl Lower<'_> {
    /// A new location, reached by nothing yet.
    pub(super) fn location(&mut self) -> LocId {
        self.body.locations.push(Location { name: None, error: None, span: self.body.span })
    }

    /// Goes on from a location.
    pub(super) fn start_at(&mut self, location: LocId) {
        debug_assert!(self.body.block.is_empty());
        self.body.here = Some(location);
    }

    /// Whether control is somewhere.
    pub(super) fn is_reached(&self) -> bool {
        self.body.here.is_some()
    }

    /// The temporaries for pointers that are not in use.
    pub(super) fn free_pointers(&self) -> Vec<VarId> {
        self.body.free_temporaries.get(&Type::Pointer).cloned().unwrap_or_default()
    }

    /// Where control is, after all that was emitted.
    pub(super) fn here(&mut self) -> LocId {
        if !self.body.block.is_empty() || self.body.here.is_none() {
            let next = self.location();
            self.go_to(next);
            self.start_at(next);
        }
        self.body.here.expect("control is somewhere after the lines above")
    }

    /// Goes to a location; what comes next is reached only by other ways.
    pub(super) fn go_to(&mut self, target: LocId) {
        let block = std::mem::take(&mut self.body.block);
        let span = self.body.block_span.take().or(self.body.span);
        let places = std::mem::take(&mut self.body.block_places);
        self.body.is_visible = false;
        if let Some(source) = self.body.here.take() {
            self.body.edges.push(Edge { source, target, label: None, block, span, places });
        }
    }

    /// Refuses a function that grows beyond all measure.
    pub(super) fn check_length(&mut self) -> Lowered<()> {
        if self.body.edges.len() <= MAX_EDGES {
            return Ok(());
        }
        self.unsupported.refuse();
        Err(self.refuse(&format!("a function of more than {MAX_EDGES} steps is")))
    }

    /// Adds an edge.
    pub(super) fn edge(&mut self, source: LocId, target: LocId, block: Vec<Statement>, span: Option<Span>) -> EdgeId {
        self.body.edges.push(Edge { source, target, label: None, block, span, places: Vec::new() })
    }

    /// Does a statement here.
    pub(super) fn emit(&mut self, statement: Statement) {
        if self.body.here.is_none() {
            // Nothing comes here; the statement is still checked by lowering it into the void.
            self.body.here = Some(self.location());
        }
        let is_seen = |it: &Statement| cleanup::is_seen(it, &self.program.variables);
        if self.splits_steps() && cleanup::may_undo(&statement) && self.body.block.iter().any(is_seen) {
            self.here();
        }
        if self.body.block.is_empty() {
            self.body.block_span = self.body.span;
        }
        let last = self.body.block_places.last().map(|(_, span)| *span).or(self.body.block_span);
        if let Some(span) = self.body.span.filter(|span| last != Some(*span)) {
            self.body.block_places.push((self.body.block.len() as u32, span));
        }
        self.body.block.push(statement);
    }

    /// Does a statement that other threads can see: one an edge.
    pub(super) fn emit_visible(&mut self, statement: Statement) {
        self.separate();
        self.emit(statement);
    }

    /// Makes the next statement start an edge of its own if other threads could see what is in the block.
    pub(super) fn separate(&mut self) {
        if self.splits_steps() {
            if self.body.is_visible {
                self.here();
            }
            self.body.is_visible = true;
        }
    }

    /// Ends an atomic section: what comes next is a step of its own, so that others can see what the section did.
    pub(super) fn end_atomic(&mut self) {
        self.emit(Statement::AtomicEnd);
        self.body.is_visible |= self.splits_steps();
    }

    /// Reads an input. Where it matters which step does what in memory, it is a step of its own.
    pub(super) fn emit_input(&mut self, target: VarId, span: Option<Span>) {
        if self.options.inputs_apart {
            self.separate();
        }
        self.emit(Statement::Havoc { target, span });
    }

    /// Whether other threads may see each step.
    pub(super) fn splits_steps(&self) -> bool {
        self.has_threads && !self.body.is_atomic
    }

    /// Does a statement on an edge of its own.
    pub(super) fn emit_alone(&mut self, statement: Statement) {
        let source = self.here();
        let target = self.location();
        let span = self.body.span;
        self.edge(source, target, vec![statement], span);
        self.start_at(target);
    }

    /// Goes one way if the condition holds and the other way if not.
    pub(super) fn branch(&mut self, condition: Expr, then: LocId, otherwise: LocId) {
        match condition {
            Expr::Bool(true) => self.go_to(then),
            Expr::Bool(false) => self.go_to(otherwise),
            condition => {
                let source = self.here();
                let span = self.body.span;
                let negated = self.negate(condition.clone());
                self.edge(source, then, vec![Statement::Assume(condition)], span);
                self.edge(source, otherwise, vec![Statement::Assume(negated)], span);
                self.body.here = None;
            }
        }
    }

    /// Goes to an error unless the condition holds.
    pub(super) fn check(&mut self, holds: Expr, kind: ErrorKind, message: String) {
        if holds == Expr::Bool(true) {
            return;
        }
        let error = self.error_location(kind, message);
        let next = self.location();
        self.branch(holds, next, error);
        self.start_at(next);
    }

    /// Whether this is the user's code and not that of a library function.
    pub(super) fn is_user_code(&self) -> bool {
        self.current < self.user_units
    }

    /// A location where something has gone wrong.
    pub(super) fn error_location(&mut self, kind: ErrorKind, message: String) -> LocId {
        let message = match self.body.procedure {
            Some(procedure) if self.current >= self.user_units => {
                let name = &self.program.procedures[procedure].name;
                let is_own =
                    self.unit.find_function(name).is_some_and(|function| self.unit.functions[function].is_static);
                match is_own {
                    true => format!("in a library function: {message}"),
                    false => format!("in `{}`: {message}", library::public_name(name)),
                }
            }
            _ => message,
        };
        let error = Some(Failure { kind, message });
        self.body.locations.push(Location { name: None, error, span: self.body.span })
    }

    /// Edges out of here were added; control goes on elsewhere.
    pub(super) fn leave(&mut self) {
        debug_assert!(self.body.block.is_empty());
        self.body.here = None;
    }

    /// Control does not go on from here.
    pub(super) fn stop(&mut self) {
        self.check_lost(false);
        let end = self.location();
        self.go_to(end);
    }

    /// A fresh variable of the procedure.
    pub(super) fn local(&mut self, name: &str, ty: Type, span: Option<Span>) -> VarId {
        let procedure = self.body.procedure.expect("a local is of the procedure that is being built");
        let name = self.unique_name(Some(procedure), name);
        let scope = Scope::Local(procedure);
        self.program.variables.push(Variable { name, ty, scope, role: Role::Data, span })
    }

    /// A name that no other variable of the scope has.
    pub(super) fn unique_name(&mut self, scope: Option<ProcId>, name: &str) -> String {
        let mut unique = name.to_owned();
        let mut number = 2;
        while !self.names.insert((scope, unique.clone())) {
            unique = format!("{name}.{number}");
            number += 1;
        }
        unique
    }

    /// A variable for a value that is needed until the end of the statement.
    pub(super) fn temporary(&mut self, ty: Type) -> VarId {
        let free = self.body.free_temporaries.get_mut(&ty).and_then(Vec::pop);
        let variable = free.unwrap_or_else(|| {
            let number = self.program.variables.len();
            let procedure = self.body.procedure.expect("temporaries are of the procedure that is being built");
            let name = format!("%{number}");
            let scope = Scope::Local(procedure);
            self.program.variables.push(Variable { name, ty, scope, role: Role::Data, span: None })
        });
        self.body.used_temporaries.push((ty, variable));
        variable
    }

    /// Lowers something whose temporaries are not needed after it.
    pub(super) fn with_temporaries<T>(&mut self, inner: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let mark = self.body.used_temporaries.len();
        let rooms = self.body.scopes.rooms_in_use();
        let result = inner(self);
        self.body.scopes.release_rooms(rooms);
        let done = self.body.used_temporaries.split_off(mark);
        for (ty, variable) in done.into_iter().rev() {
            self.body.free_temporaries.entry(ty).or_default().push(variable);
        }
        result
    }

    /// Keeps a value as it is now.
    pub(super) fn keep(&mut self, value: Expr) -> Expr {
        if self.is_kept(&value) {
            return value;
        }
        let ty = self.type_of(&value);
        let variable = self.temporary(ty);
        self.emit(Statement::Assign(vec![(variable, value)]));
        Expr::Var(variable)
    }

    /// Whether nothing that an expression does changes the value: a constant or a temporary.
    fn is_kept(&self, value: &Expr) -> bool {
        match value {
            Expr::Var(variable) => {
                self.fixed.contains(variable) || self.body.used_temporaries.iter().any(|(_, used)| used == variable)
            }
            Expr::Load(..) => false,
            other => other.operands().iter().all(|operand| self.is_kept(operand)),
        }
    }

    /// Keeps a value if evaluating the expression could change it.
    pub(super) fn keep_across(&mut self, value: Expr, later: ExprId) -> Expr {
        let effect = self.effects.get(later);
        if effect.writes_locals || effect.writes_shared && self.reads_shared(&value) {
            return self.keep(value);
        }
        value
    }

    /// Whether the value depends on globals or memory.
    fn reads_shared(&self, value: &Expr) -> bool {
        match value {
            Expr::Load(..) => true,
            Expr::Var(variable) => {
                self.program.variables[*variable].scope == Scope::Global && !self.fixed.contains(variable)
            }
            other => other.operands().iter().any(|operand| self.reads_shared(operand)),
        }
    }

    /// Keeps a value that is nested too deeply for what comes around it.
    pub(super) fn shallow(&mut self, value: Expr) -> Expr {
        if is_deeper(&value, DEEP) { self.keep(value) } else { value }
    }

    /// The type of an expression.
    pub(super) fn type_of(&self, value: &Expr) -> Type {
        value.type_in(&self.program)
    }
}

fn is_deeper(value: &Expr, limit: usize) -> bool {
    match value {
        Expr::Bool(_) | Expr::Int(..) | Expr::Null | Expr::Var(_) => false,
        _ if limit == 0 => true,
        Expr::Unary(_, a) | Expr::Cast(_, a) | Expr::Load(_, a) => is_deeper(a, limit - 1),
        Expr::Binary(_, a, b) => is_deeper(a, limit - 1) || is_deeper(b, limit - 1),
        other => other.operands().iter().any(|operand| is_deeper(operand, limit - 1)),
    }
}

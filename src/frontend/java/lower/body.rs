//! The procedure that is being built: where control is, what was emitted since, the operand stack, temporaries.

use super::{Lower, Lowered};
use crate::frontend::java::code::{Code, Unordered};
use crate::frontend::java::types::Kind;
use crate::frontend::java::world::{ClassId, MethodId};
use crate::program::{
    Edge, EdgeId, ErrorKind, Expr, Failure, IdVec, LocId, Location, ProcId, Scope, Span, Statement, Type, VarId,
};
use crate::transform::cleanup;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A procedure that is being built.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub procedure: Option<ProcId>,
    pub method: Option<MethodId>,
    pub code: Option<Rc<Code>>,
    pub locations: IdVec<LocId, Location>,
    pub edges: IdVec<EdgeId, Edge>,
    here: Option<LocId>,
    block: Vec<Statement>,
    block_span: Option<Span>,
    /// Whether the block has a step that other threads can see.
    is_visible: bool,
    /// The object whose lock the method holds.
    pub monitor: Option<Expr>,
    pub span: Option<Span>,
    pub exit: Option<LocId>,
    pub result: Option<(VarId, Kind)>,
    /// The instruction that is being lowered.
    pub index: usize,
    /// The operands, the last on top.
    pub stack: Vec<Operand>,
    pub locals: FxHashMap<(u16, Kind), VarId>,
    /// The variables of operands, by depth and kind.
    operands: FxHashMap<(usize, Kind), VarId>,
    /// Where each instruction that starts a block is, and what is on the stack there.
    pub blocks: FxHashMap<usize, (LocId, Vec<Kind>)>,
    pub waiting: Vec<usize>,
    /// Where an exception goes, by the handlers that cover the place.
    pub dispatches: FxHashMap<Vec<usize>, LocId>,
    /// Those of them without their edges yet.
    pub open_dispatches: Vec<(Vec<usize>, LocId)>,
    /// Places that look whether a call has thrown; a pass removes those that need not.
    pub checks: Vec<LocId>,
    temporaries: FxHashMap<Type, Vec<VarId>>,
    used: FxHashMap<Type, usize>,
    /// Variables that are known not to be null here.
    pub not_null: FxHashSet<VarId>,
    /// Whether `this` is never assigned.
    pub keeps_this: bool,
}

/// An operand of the stack machine.
#[derive(Debug, Clone)]
pub(super) struct Operand {
    pub expr: Expr,
    pub kind: Kind,
    /// The class of an object that was just made.
    pub exact: Option<ClassId>,
    /// The two that it compares, where it is -1, 0 or 1 for that.
    pub compared: Option<Box<(Unordered, Expr, Expr)>>,
    pub depth: u32,
}

impl Operand {
    pub(super) fn new(expr: Expr, kind: Kind) -> Operand {
        Operand { expr, kind, exact: None, compared: None, depth: 1 }
    }
}

/// How deep an operand's expression may get before it is kept in a variable.
const DEEP: u32 = 32;

impl Lower<'_> {
    /// A new location, reached by nothing yet.
    pub(super) fn location(&mut self) -> LocId {
        self.body.locations.push(Location { name: None, error: None, span: self.body.span })
    }

    /// Goes on from a location.
    pub(super) fn start_at(&mut self, location: LocId) {
        debug_assert!(self.body.block.is_empty());
        self.body.here = Some(location);
        self.body.not_null.clear();
    }

    /// Whether control is anywhere.
    pub(super) fn is_reachable(&self) -> bool {
        self.body.here.is_some()
    }

    /// Where control is, after all that was emitted.
    pub(super) fn here(&mut self) -> LocId {
        if !self.body.block.is_empty() || self.body.here.is_none() {
            let next = self.location();
            self.go_to(next);
            self.body.here = Some(next);
        }
        self.body.here.expect("control is somewhere after the lines above")
    }

    /// Goes to a location; what comes next is reached only by other ways.
    pub(super) fn go_to(&mut self, target: LocId) {
        let block = std::mem::take(&mut self.body.block);
        let span = self.body.block_span.take().or(self.body.span);
        self.body.is_visible = false;
        if let Some(source) = self.body.here.take() {
            self.edge(source, target, block, span);
        }
    }

    /// Adds an edge.
    pub(super) fn edge(&mut self, source: LocId, target: LocId, block: Vec<Statement>, span: Option<Span>) {
        self.body.edges.push(Edge { source, target, label: None, block, span, places: Vec::new() });
    }

    /// Does a statement here.
    pub(super) fn emit(&mut self, statement: Statement) {
        if self.body.here.is_none() {
            return;
        }
        // An edge tells of one line.
        if !self.body.block.is_empty() && self.body.block_span != self.body.span {
            self.here();
        }
        let is_seen = |it: &Statement| cleanup::is_seen(it, &self.program.variables);
        if self.reached.has_threads && cleanup::may_undo(&statement) && self.body.block.iter().any(is_seen) {
            self.here();
        }
        if self.reached.has_threads && self.is_visible(&statement) {
            self.separate();
        }
        self.push_statement(statement);
    }

    fn push_statement(&mut self, statement: Statement) {
        if self.body.block.is_empty() {
            self.body.block_span = self.body.span;
        }
        self.forget_written(&statement);
        self.body.block.push(statement);
    }

    /// Does several statements on one edge of their own: no other thread comes between them.
    pub(super) fn emit_together(&mut self, statements: Vec<Statement>) {
        if self.body.here.is_none() {
            return;
        }
        let source = self.here();
        let target = self.location();
        let span = self.body.span;
        statements.iter().for_each(|statement| self.forget_written(statement));
        self.edge(source, target, statements, span);
        self.body.here = Some(target);
    }

    /// Makes the next statement start an edge of its own if other threads could see what is in the block.
    fn separate(&mut self) {
        if self.body.is_visible {
            self.here();
        }
        self.body.is_visible = true;
    }

    fn is_visible(&self, statement: &Statement) -> bool {
        let steps = cleanup::Steps { fixed: &self.fixed, inputs_apart: self.options.asks_states };
        cleanup::is_visible(statement, &self.program.variables, steps)
    }

    /// Does a statement on an edge of its own.
    pub(super) fn emit_alone(&mut self, statement: Statement) {
        if self.body.here.is_none() {
            return;
        }
        let source = self.here();
        let target = self.location();
        let span = self.body.span;
        self.forget_written(&statement);
        self.edge(source, target, vec![statement], span);
        self.body.here = Some(target);
    }

    /// What is written may be null from now on, unless it is a reference that is not.
    fn forget_written(&mut self, statement: &Statement) {
        let mut known = Vec::new();
        if let Statement::Assign(pairs) = statement {
            let is_known = |value: &Expr| matches!(value, Expr::Var(from) if self.body.not_null.contains(from));
            let is_own = |target: VarId| self.program.variables[target].scope != Scope::Global;
            known.extend(pairs.iter().filter(|(to, value)| is_known(value) && is_own(*to)).map(|(to, _)| *to));
        }
        for target in statement.targets() {
            self.body.not_null.remove(&target);
        }
        self.body.not_null.extend(known);
    }

    /// Goes one way if the condition holds and the other way if not.
    pub(super) fn branch(&mut self, condition: Expr, then: LocId, otherwise: LocId) {
        match condition {
            Expr::Bool(true) => self.go_to(then),
            Expr::Bool(false) => self.go_to(otherwise),
            condition => {
                if self.body.here.is_none() {
                    return;
                }
                let source = self.here();
                let span = self.body.span;
                let negated = self.negated(condition.clone());
                self.edge(source, then, vec![Statement::Assume(condition)], span);
                self.edge(source, otherwise, vec![Statement::Assume(negated)], span);
                self.body.here = None;
            }
        }
    }

    /// The negation, with comparisons turned round where no operand can be NaN.
    pub(super) fn negated(&self, condition: Expr) -> Expr {
        use crate::program::BinaryOp::*;
        let Expr::Binary(op, a, b) = condition else { return condition.negate() };
        let flipped = match op {
            Eq => Some(Ne),
            Ne => Some(Eq),
            _ if matches!(a.type_in(&self.program), Type::Float(_)) => None,
            Lt => Some(Ge),
            Le => Some(Gt),
            Gt => Some(Le),
            Ge => Some(Lt),
            _ => None,
        };
        match flipped {
            Some(flipped) => Expr::Binary(flipped, a, b),
            None => Expr::Binary(op, a, b).negate(),
        }
    }

    /// A location where something has gone wrong.
    pub(super) fn error_location(&mut self, kind: ErrorKind, message: String) -> LocId {
        let message = match (self.body.span, self.body.method) {
            (None, Some(method)) => format!("in {}: {message}", self.world.method_name(method)),
            _ => message,
        };
        let error = Some(Failure { kind, message });
        self.body.locations.push(Location { name: None, error, span: self.body.span })
    }

    /// Control does not go on from here: what comes next is not modelled.
    pub(super) fn unmodelled(&mut self, what: &str) {
        if self.body.here.is_some() {
            let error = self.error_location(ErrorKind::Unmodelled(what.to_owned()), format!("{what} is not modelled"));
            self.go_to(error);
        }
    }

    /// Edges out of here were added; control goes on elsewhere.
    pub(super) fn leave(&mut self) {
        debug_assert!(self.body.block.is_empty());
        self.body.here = None;
    }

    /// Control does not go on from here.
    pub(super) fn stop(&mut self) {
        let end = self.location();
        self.go_to(end);
    }

    /// A variable for a value that is needed until the next instruction.
    pub(super) fn temporary(&mut self, ty: Type) -> VarId {
        let used = self.body.used.entry(ty).or_default();
        let number = *used;
        *used += 1;
        if let Some(known) = self.body.temporaries.get(&ty).and_then(|all| all.get(number)) {
            return *known;
        }
        let procedure = self.body.procedure.expect("temporaries are of the procedure that is being built");
        let variable = self.new_local(procedure, &format!("%{ty}{number}"), ty);
        self.body.temporaries.entry(ty).or_default().push(variable);
        variable
    }

    /// The next instruction: temporaries are free again.
    pub(super) fn release_temporaries(&mut self) {
        self.body.used.clear();
    }

    /// Keeps a value as it is now.
    pub(super) fn keep(&mut self, value: Expr, ty: Type) -> Expr {
        if is_constant(&value) {
            return value;
        }
        let variable = self.temporary(ty);
        self.assign(variable, value);
        Expr::Var(variable)
    }

    /// The variable of a local.
    pub(super) fn local(&mut self, slot: u16, kind: Kind) -> VarId {
        if let Some(known) = self.body.locals.get(&(slot, kind)) {
            return *known;
        }
        let procedure = self.body.procedure.expect("locals are of the procedure that is being built");
        let method = self.body.method.expect("only methods have locals");
        let name = self.local_name(method, slot, kind);
        let variable = self.new_local(procedure, &name, kind.program_type());
        self.body.locals.insert((slot, kind), variable);
        variable
    }

    /// The variable of an operand.
    pub(super) fn operand(&mut self, depth: usize, kind: Kind) -> VarId {
        if let Some(known) = self.body.operands.get(&(depth, kind)) {
            return *known;
        }
        let procedure = self.body.procedure.expect("operands are of the procedure that is being built");
        let variable = self.new_local(procedure, &format!("stack{depth}{}", kind.letter()), kind.program_type());
        self.body.operands.insert((depth, kind), variable);
        variable
    }

    /// Writes a variable; operands that depend on it are kept before.
    pub(super) fn assign(&mut self, variable: VarId, value: Expr) {
        if value == Expr::Var(variable) {
            return;
        }
        let mut pairs = self.spills(&[variable]);
        pairs.push((variable, value));
        self.emit(Statement::Assign(pairs));
    }

    /// Keeps the operands that depend on the variables, before those are written.
    pub(super) fn protect(&mut self, variables: &[VarId]) {
        let pairs = self.spills(variables);
        if !pairs.is_empty() {
            self.emit(Statement::Assign(pairs));
        }
    }

    /// Keeps the operands that depend on globals, before others may write those.
    pub(super) fn protect_globals(&mut self) {
        let mut globals = Vec::new();
        for operand in &self.body.stack {
            operand.expr.for_each_var(&mut |variable| {
                if self.program.variables[variable].scope == Scope::Global {
                    globals.push(variable);
                }
            });
        }
        self.protect(&globals);
    }

    /// What keeps the operands that depend on variables which are about to be written.
    fn spills(&mut self, written: &[VarId]) -> Vec<(VarId, Expr)> {
        let mut written: Vec<VarId> = written.to_vec();
        let mut spilled: Vec<bool> = vec![false; self.body.stack.len()];
        let mut pairs = Vec::new();
        loop {
            let depends = |operand: &Operand| {
                let mut found = false;
                operand.expr.for_each_var(&mut |variable| found |= written.contains(&variable));
                found
            };
            let next = (0..spilled.len()).find(|i| !spilled[*i] && depends(&self.body.stack[*i]));
            let Some(depth) = next else { break };
            spilled[depth] = true;
            let kind = self.body.stack[depth].kind;
            let variable = self.operand(depth, kind);
            if self.body.stack[depth].expr == Expr::Var(variable) && !written.contains(&variable) {
                continue;
            }
            let operand = &mut self.body.stack[depth];
            let old = std::mem::replace(&mut operand.expr, Expr::Var(variable));
            operand.compared = None;
            operand.depth = 1;
            if old != Expr::Var(variable) {
                pairs.push((variable, old));
                written.push(variable);
            }
        }
        pairs
    }

    /// Keeps all operands in their own variables, as blocks leave them for each other.
    pub(super) fn settle(&mut self) {
        let mut pairs = Vec::new();
        for depth in 0..self.body.stack.len() {
            let kind = self.body.stack[depth].kind;
            let variable = self.operand(depth, kind);
            let operand = &mut self.body.stack[depth];
            let old = std::mem::replace(&mut operand.expr, Expr::Var(variable));
            operand.compared = None;
            operand.exact = None;
            operand.depth = 1;
            if old != Expr::Var(variable) {
                pairs.push((variable, old));
            }
        }
        if !pairs.is_empty() {
            self.emit(Statement::Assign(pairs));
        }
    }

    /// Puts an operand on the stack.
    pub(super) fn push(&mut self, operand: Operand) {
        if operand.depth > DEEP {
            self.push_kept(operand.expr, operand.kind);
        } else {
            self.body.stack.push(operand);
        }
    }

    /// Puts an expression on the stack.
    pub(super) fn push_expr(&mut self, expr: Expr, kind: Kind) {
        self.push(Operand::new(expr, kind));
    }

    /// Puts the value that an expression has now on the stack, in a variable.
    pub(super) fn push_kept(&mut self, expr: Expr, kind: Kind) {
        if is_constant(&expr) {
            self.body.stack.push(Operand::new(expr, kind));
            return;
        }
        let variable = self.operand(self.body.stack.len(), kind);
        self.assign(variable, expr);
        self.body.stack.push(Operand::new(Expr::Var(variable), kind));
    }

    /// Takes the operand on top.
    pub(super) fn pop(&mut self) -> Lowered<Operand> {
        self.body.stack.pop().ok_or_else(|| self.wrong("its code takes an operand from an empty stack"))
    }

    /// Takes the operand on top, which is of a kind.
    pub(super) fn pop_kind(&mut self, kind: Kind) -> Lowered<Expr> {
        let operand = self.pop()?;
        if operand.kind != kind {
            return Err(self.wrong("its code takes an operand of another type than there is"));
        }
        Ok(operand.expr)
    }
}

/// Whether nothing changes the value.
pub(super) fn is_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::Bool(_) | Expr::Int(..) | Expr::Float(..) | Expr::Null)
}

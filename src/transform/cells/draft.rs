//! A program that is rewritten with tracked places in place of memory, edge by edge: what every such rewriting does.

use super::{Plan, add_global, add_variable};
use crate::program::{
    BinaryOp, Edge, EdgeId, Expr, Id, Location, Piece, ProcId, Program, Scope, Statement, Type, VarId,
};
use crate::transform::cleanup::cleanup;
use rustc_hash::FxHashMap;

/// The result so far, and what an edge becomes.
pub(super) struct Draft {
    /// What the names of variables begin with.
    kind: &'static str,
    pub result: Program,
    /// What comes before everything else.
    pub prologue: Vec<Statement>,
    /// Whose block is rewritten; none for `init`.
    pub scope: Option<ProcId>,
    /// What the block becomes.
    pub out: Vec<Statement>,
    /// When the reads since this was last emptied were of tracked places.
    pub tracked: Vec<Expr>,
    /// The flags of variables.
    flags: FxHashMap<VarId, VarId>,
    temporaries: u32,
}

impl Draft {
    /// With a flag for each variable that the plan wants one for.
    pub(super) fn new(kind: &'static str, plan: &Plan, (result, prologue): (Program, Vec<Statement>)) -> Draft {
        let (flags, scope, out, tracked, temporaries) = (FxHashMap::default(), None, Vec::new(), Vec::new(), 0);
        let mut draft = Draft { kind, result, prologue, scope, out, tracked, flags, temporaries };
        let mut flagged: Vec<VarId> = plan.flagged.iter().copied().collect();
        flagged.sort_unstable();
        for variable in flagged {
            let name = format!("{kind}!untracked!{}", variable.index());
            let flag = add_global(&mut draft.result, &mut draft.prologue, &name, Type::Bool);
            draft.flags.insert(variable, flag);
        }
        draft
    }

    /// What `init` became is done, behind what comes before everything else.
    pub(super) fn end_init(&mut self) {
        self.result.init = self.prologue.drain(..).chain(self.out.drain(..)).collect();
    }

    /// What an edge without a call became is done.
    pub(super) fn end_edge(&mut self, procedure: ProcId, edge: EdgeId) {
        self.result.procedures[procedure].edges[edge].block = std::mem::take(&mut self.out);
    }

    /// The result.
    pub(super) fn end(mut self) -> Program {
        cleanup(&mut self.result, None);
        self.result
    }

    /// The execution ends unless reads were tracked, and those that variables were made of.
    pub(super) fn discard_untracked(&mut self, tracked: Vec<Expr>, variables: &[VarId]) {
        let flags = variables.iter().map(|variable| Expr::Var(self.flags[variable]).negate());
        let condition = Expr::And(tracked.into_iter().chain(flags).collect());
        self.out.push(Statement::Assume(condition));
    }

    /// Notes whether what a variable is given was made of reads that were not tracked.
    pub(super) fn set_flag(&mut self, variable: VarId) {
        let tracked = std::mem::take(&mut self.tracked);
        if let Some(flag) = self.flags.get(&variable) {
            let untracked = if tracked.is_empty() { Expr::Bool(false) } else { Expr::And(tracked).negate() };
            self.out.push(Statement::Assign(vec![(*flag, untracked)]));
        }
    }

    /// A variable of its own.
    pub(super) fn temporary(&mut self, ty: Type) -> VarId {
        self.temporaries += 1;
        let name = format!("{}%{}", self.kind, self.temporaries);
        let scope = self.scope.map_or(Scope::Global, Scope::Local);
        add_variable(&mut self.result, &name, ty, scope)
    }

    /// Any value.
    pub(super) fn anything(&mut self, ty: Type) -> Expr {
        let value = self.temporary(ty);
        self.out.push(Statement::Havoc { target: value, span: None });
        Expr::Var(value)
    }

    /// A call stands alone on its edge: what is read for it comes on one before.
    fn end_call(&mut self, procedure: ProcId, edge: EdgeId, data: &Edge, call: Statement) {
        let before = std::mem::take(&mut self.out);
        let result = &mut self.result.procedures[procedure];
        if before.is_empty() {
            result.edges[edge].block = vec![call];
            return;
        }
        let between = result.locations.push(Location { name: None, error: None, span: data.span });
        let second = Edge { source: between, block: vec![call], ..data.clone() };
        result.edges[edge].target = between;
        result.edges[edge].block = before;
        result.edges.push(second);
    }
}

/// A rewriting: what it does with expressions of its own.
pub(super) trait Rewriting {
    /// What is written so far.
    fn draft(&mut self) -> &mut Draft;

    /// What an expression becomes where that is not itself with other parts; it is evaluated only where the conditions hold.
    fn replace(&mut self, expr: &Expr, under: &[Expr]) -> Option<Expr>;

    /// What an expression becomes; it is evaluated only where the conditions hold.
    fn expr(&mut self, expr: &Expr, under: &[Expr]) -> Expr {
        if let Some(replaced) = self.replace(expr, under) {
            return replaced;
        }
        let with = |condition: Expr| [under, &[condition]].concat();
        match expr {
            Expr::And(all) => Expr::And(self.in_order(all, under, |part| part)),
            Expr::Or(all) => Expr::Or(self.in_order(all, under, Expr::negate)),
            Expr::Ite(condition, then, otherwise) => {
                let condition = self.expr(condition, under);
                let then = self.expr(then, &with(condition.clone()));
                let otherwise = self.expr(otherwise, &with(condition.clone().negate()));
                Expr::Ite(Box::new(condition), Box::new(then), Box::new(otherwise))
            }
            Expr::Binary(BinaryOp::Implies, a, b) => {
                let a = self.expr(a, under);
                let b = self.expr(b, &with(a.clone()));
                Expr::binary(BinaryOp::Implies, a, b)
            }
            Expr::Binary(op, a, b) => {
                let a = self.expr(a, under);
                Expr::binary(*op, a, self.expr(b, under))
            }
            Expr::Unary(op, a) => Expr::unary(*op, self.expr(a, under)),
            Expr::Cast(ty, a) => Expr::Cast(*ty, Box::new(self.expr(a, under))),
            Expr::Load(ty, address) => Expr::Load(*ty, Box::new(self.expr(address, under))),
            other => other.clone(),
        }
    }

    /// Parts of which each is evaluated only where something of all before holds.
    fn in_order(&mut self, all: &[Expr], under: &[Expr], goes_on: impl Fn(Expr) -> Expr) -> Vec<Expr> {
        let mut so_far = under.to_vec();
        let mut parts = Vec::new();
        for one in all {
            let part = self.expr(one, &so_far);
            so_far.push(goes_on(part.clone()));
            parts.push(part);
        }
        parts
    }

    /// Rewrites an edge with a call, to a procedure with these parameters.
    fn call(&mut self, (procedure, edge): (ProcId, EdgeId), data: &Edge, parameters: &[VarId]) {
        let Some((target, callee, arguments)) = data.call() else { return };
        let mut passed = Vec::new();
        for (parameter, argument) in parameters.iter().zip(arguments) {
            passed.push(self.expr(argument, &[]));
            self.draft().set_flag(*parameter);
        }
        if let Some(target) = target {
            self.draft().set_flag(target);
        }
        let call = Statement::Call { target, callee, arguments: passed };
        self.draft().end_call(procedure, edge, data, call);
    }

    /// Rewrites what is given out.
    fn output(&mut self, pieces: &[Piece]) {
        let pieces = pieces.iter().map(|piece| match piece {
            Piece::Text(_) => piece.clone(),
            Piece::Value { expr, style } => Piece::Value { expr: self.expr(expr, &[]), style: *style },
        });
        let pieces = pieces.collect();
        self.draft().out.push(Statement::Output(pieces));
    }
}

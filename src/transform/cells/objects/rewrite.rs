//! The program with one tracked object for each site, statement by statement.

use super::super::loops::base_of;
use super::super::rewrite::converted;
use super::super::{Plan, add_global, add_variable, zero};
use super::select::place;
use super::{Field, Tracked};
use crate::program::points::{Points, Sites};
use crate::program::webs::StatementAt;
use crate::program::{
    BinaryOp, Edge, EdgeId, Expr, Id, Location, OFFSET, Piece, ProcId, Program, Scope, Statement, Type, UnaryOp, VarId,
};
use crate::term::Integer;
use crate::transform::cleanup::cleanup;
use rustc_hash::FxHashMap;

/// A rewriting under way.
pub(super) struct Rewriter<'a> {
    program: &'a Program,
    points: &'a Points,
    selected: Sites,
    tracked: Vec<Tracked>,
    fields: Vec<Field>,
    plan: Plan,
    result: Program,
    /// What comes before everything else.
    prologue: Vec<Statement>,
    /// The flags of variables.
    flags: FxHashMap<VarId, VarId>,
    /// The statement that is rewritten.
    at: Option<StatementAt>,
    /// What it becomes.
    out: Vec<Statement>,
    /// When the reads since this was last emptied were of tracked objects.
    seen: Vec<Expr>,
    temporaries: u32,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(
        (program, points): (&'a Program, &'a Points),
        selected: Sites,
        (tracked, fields): (Vec<Tracked>, Vec<Field>),
        plan: Plan,
        (mut result, mut prologue): (Program, Vec<Statement>),
    ) -> Rewriter<'a> {
        let mut flagged: Vec<VarId> = plan.flagged.iter().copied().collect();
        flagged.sort_unstable();
        let mut flag = |variable: VarId| {
            let name = format!("object!untracked!{}", variable.index());
            (variable, add_global(&mut result, &mut prologue, &name, Type::Bool))
        };
        let flags = flagged.into_iter().map(&mut flag).collect();
        let (at, out, seen, temporaries) = (None, Vec::new(), Vec::new(), 0);
        Rewriter {
            program,
            points,
            selected,
            tracked,
            fields,
            plan,
            result,
            prologue,
            flags,
            at,
            out,
            seen,
            temporaries,
        }
    }

    /// Rewrites everything.
    pub(super) fn run(mut self) -> Program {
        for statement in &self.program.init {
            self.statement(statement);
        }
        let init = std::mem::take(&mut self.out);
        self.result.init = self.prologue.drain(..).chain(init).collect();
        for (id, procedure) in self.program.procedures.enumerate() {
            for (edge, data) in procedure.edges.enumerate() {
                match data.call() {
                    Some(_) => self.call(id, edge, data),
                    None => self.plain(id, edge, data),
                }
            }
        }
        cleanup(&mut self.result, None);
        self.result
    }

    fn plain(&mut self, procedure: ProcId, edge: EdgeId, data: &Edge) {
        let mut all_seen = Vec::new();
        for (number, statement) in data.block.iter().enumerate() {
            self.at = place(Some((procedure, edge)), number);
            self.statement(statement);
            all_seen.append(&mut self.seen);
        }
        // What the conditions read is looked at behind them: nothing may change before.
        let is_at_once = data.block.iter().all(|statement| matches!(statement, Statement::Assume(_)));
        if let Some(variables) = self.plan.failing.get(&(procedure, edge)).filter(|_| is_at_once || all_seen.is_empty())
        {
            let flags = variables.iter().map(|variable| Expr::Var(self.flags[variable]).negate());
            let condition = Expr::And(all_seen.into_iter().chain(flags).collect());
            self.out.push(Statement::Assume(condition));
        }
        self.result.procedures[procedure].edges[edge].block = std::mem::take(&mut self.out);
    }

    /// A call stands alone on its edge: what is read for it comes on one before.
    fn call(&mut self, procedure: ProcId, edge: EdgeId, data: &Edge) {
        let [Statement::Call { target, callee, arguments }] = &data.block[..] else { return };
        self.at = place(Some((procedure, edge)), 0);
        let parameters = &self.program.procedures[*callee].parameters;
        let mut passed = Vec::new();
        for (parameter, argument) in parameters.iter().zip(arguments) {
            passed.push(self.expr(argument, &[]));
            self.set_flag(*parameter);
        }
        if let Some(target) = target {
            self.set_flag(*target);
        }
        let before = std::mem::take(&mut self.out);
        let call = vec![Statement::Call { target: *target, callee: *callee, arguments: passed }];
        let result = &mut self.result.procedures[procedure];
        if before.is_empty() {
            result.edges[edge].block = call;
            return;
        }
        let between = result.locations.push(Location { name: None, error: None, span: data.span });
        let second = Edge { source: between, block: call, ..data.clone() };
        result.edges[edge].target = between;
        result.edges[edge].block = before;
        result.edges.push(second);
    }

    /// Notes whether what a variable is given was made of reads of objects that are not tracked.
    fn set_flag(&mut self, variable: VarId) {
        let seen = std::mem::take(&mut self.seen);
        if let Some(flag) = self.flags.get(&variable) {
            let untracked = if seen.is_empty() { Expr::Bool(false) } else { Expr::And(seen).negate() };
            self.out.push(Statement::Assign(vec![(*flag, untracked)]));
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(pairs) => {
                let mut all = Vec::new();
                for (target, value) in pairs {
                    all.push((*target, self.expr(value, &[])));
                    // Flags are over the values before.
                    self.set_flag(*target);
                }
                self.out.push(Statement::Assign(all));
            }
            Statement::Havoc { target, .. } => {
                self.out.push(statement.clone());
                self.set_flag(*target);
            }
            Statement::Allocate { target, zeroed, .. } if self.made_here().is_some() => {
                let tracked = self.made_here().expect("it is one");
                self.make(*target, tracked, *zeroed);
            }
            // Whether an object is live is not followed.
            Statement::Free(pointer) if self.sites(pointer) != 0 => {
                self.expr(pointer, &[]);
            }
            Statement::Store { address, value } if self.sites(address) != 0 => self.store(address, value),
            Statement::Output(pieces) => {
                let pieces = pieces.iter().map(|piece| match piece {
                    Piece::Text(_) => piece.clone(),
                    Piece::Value { expr, style } => Piece::Value { expr: self.expr(expr, &[]), style: *style },
                });
                let pieces = pieces.collect();
                self.out.push(Statement::Output(pieces));
            }
            other => {
                let mut changed = other.clone();
                for (new, old) in changed.expressions_mut().into_iter().zip(other.expressions()) {
                    *new = self.expr(old, &[]);
                }
                self.out.push(changed);
            }
        }
    }

    /// The site of the statement, if its objects are tracked.
    fn made_here(&self) -> Option<Tracked> {
        let (procedure, edge, number) = self.at?;
        let sites = self.points.set_of(Some((procedure, edge)), number);
        self.tracked.iter().copied().find(|tracked| sites == 1 << tracked.site)
    }

    /// An object is made: it is the tracked one, if there is none yet, or another one.
    fn make(&mut self, target: VarId, tracked: Tracked, zeroed: bool) {
        let chosen = self.anything(Type::Bool);
        let is_first = Expr::And(vec![chosen, Expr::Var(tracked.is_made).negate()]);
        let pointer = Expr::Ite(
            Box::new(is_first.clone()),
            Box::new(Expr::Var(tracked.object)),
            Box::new(Expr::Var(tracked.other)),
        );
        let is_made = Expr::Or(vec![Expr::Var(tracked.is_made), is_first.clone()]);
        let of_site: Vec<Field> = self.fields.iter().copied().filter(|field| field.site == tracked.site).collect();
        for Field { ty, variable, .. } in of_site {
            let content = if zeroed { zero(ty) } else { self.anything(ty) };
            let after = Expr::Ite(Box::new(is_first.clone()), Box::new(content), Box::new(Expr::Var(variable)));
            self.out.push(Statement::Assign(vec![(variable, after)]));
        }
        self.out.push(Statement::Assign(vec![(target, pointer), (tracked.is_made, is_made)]));
        self.set_flag(target);
    }

    /// Writes: a field may change.
    fn store(&mut self, address: &Expr, value: &Expr) {
        let ty = value.type_in(self.program);
        let place = self.place(address, &[]);
        let value = self.expr(value, &[]);
        self.out.push(Statement::Assume(place.is_valid()));
        let mut changes = Vec::new();
        for (field, is_here) in &place.fields {
            let given = converted(value.clone(), ty, field.ty);
            let before = Expr::Var(field.variable);
            changes.push((field.variable, Expr::Ite(Box::new(is_here.clone()), Box::new(given), Box::new(before))));
        }
        self.out.push(Statement::Assign(changes));
    }

    /// What an access is to.
    fn place(&mut self, address: &Expr, under: &[Expr]) -> Accessed {
        let target = self.points.target_at(self.program, self.at, address);
        let base = base_of(address);
        let offset = self.points.target_at(self.program, self.at, base).offsets.rest;
        let pointer = self.expr(base, under);
        let is = |object: VarId| Expr::binary(BinaryOp::Eq, pointer.clone(), moved(object, offset));
        let mut place = Accessed { fields: Vec::new(), others: Vec::new() };
        for tracked in self.tracked.iter().filter(|tracked| target.sites & (1 << tracked.site) != 0) {
            let is_field = |field: &&Field| (field.site, field.offset) == (tracked.site, target.offsets.rest);
            let field = self.fields.iter().find(is_field).expect("every access has its field");
            place.fields.push((*field, is(tracked.object)));
            place.others.push(is(tracked.other));
        }
        place
    }

    /// Whether a pointer of the result is to one of the objects that stand for those of some sites.
    fn is_one_of(&self, pointer: &Expr, sites: Sites) -> Expr {
        let others = self.tracked.iter().filter(|tracked| sites & (1 << tracked.site) != 0);
        Expr::Or(
            others
                .map(|tracked| Expr::binary(BinaryOp::SameObject, pointer.clone(), Expr::Var(tracked.other)))
                .collect(),
        )
    }

    fn sites(&self, expr: &Expr) -> Sites {
        match expr.type_in(self.program) {
            Type::Pointer => self.points.target_at(self.program, self.at, expr).sites & self.selected,
            _ => 0,
        }
    }

    fn temporary(&mut self, ty: Type) -> VarId {
        self.temporaries += 1;
        let name = format!("object%{}", self.temporaries);
        let scope = self.at.map_or(Scope::Global, |(procedure, ..)| Scope::Local(procedure));
        add_variable(&mut self.result, &name, ty, scope)
    }

    /// Any value.
    fn anything(&mut self, ty: Type) -> Expr {
        let value = self.temporary(ty);
        self.out.push(Statement::Havoc { target: value, span: None });
        Expr::Var(value)
    }

    /// The expression in the result; it is evaluated only where the conditions hold.
    fn expr(&mut self, expr: &Expr, under: &[Expr]) -> Expr {
        let with = |condition: Expr| [under, &[condition]].concat();
        match expr {
            Expr::Load(ty, address) => self.read(expr, *ty, address, under),
            Expr::And(all) | Expr::Or(all) => {
                let is_and = matches!(expr, Expr::And(_));
                let mut so_far = under.to_vec();
                let mut parts = Vec::new();
                for one in all {
                    let part = self.expr(one, &so_far);
                    so_far.push(if is_and { part.clone() } else { part.clone().negate() });
                    parts.push(part);
                }
                if is_and { Expr::And(parts) } else { Expr::Or(parts) }
            }
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
            Expr::Binary(op, a, b) => self.binary(*op, a, b, under),
            Expr::Unary(op @ (UnaryOp::IsLive | UnaryOp::IsFreeable), pointer) => {
                let sites = self.sites(pointer);
                let pointer = self.expr(pointer, under);
                let known = Expr::unary(*op, pointer.clone());
                if sites == 0 {
                    return known;
                }
                let any = self.anything(Type::Bool);
                let is_none = Expr::binary(BinaryOp::Eq, pointer, Expr::Null);
                Expr::Ite(Box::new(is_none), Box::new(known), Box::new(any))
            }
            Expr::Unary(op, a) => Expr::unary(*op, self.expr(a, under)),
            Expr::Cast(ty, a) => Expr::Cast(*ty, Box::new(self.expr(a, under))),
            other => other.clone(),
        }
    }

    /// Comparisons of pointers to objects that are not tracked come out either way, where they could.
    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, under: &[Expr]) -> Expr {
        let (of_a, of_b) = if op.is_predicate() { (self.sites(a), self.sites(b)) } else { (0, 0) };
        let (a, b) = (self.expr(a, under), self.expr(b, under));
        let known = Expr::binary(op, a.clone(), b.clone());
        let is_open = match op {
            BinaryOp::Eq | BinaryOp::Ne if of_a & of_b != 0 => {
                Expr::And(vec![Expr::binary(BinaryOp::Eq, a.clone(), b), self.is_one_of(&a, of_a & of_b)])
            }
            BinaryOp::SameObject if of_a & of_b != 0 => {
                Expr::And(vec![Expr::binary(BinaryOp::SameObject, a.clone(), b), self.is_one_of(&a, of_a & of_b)])
            }
            _ if op.is_order() && of_a | of_b != 0 => {
                Expr::Or(vec![self.is_one_of(&a, of_a), self.is_one_of(&b, of_b)])
            }
            _ => return known,
        };
        let any = self.anything(Type::Bool);
        Expr::Ite(Box::new(is_open), Box::new(any), Box::new(known))
    }

    /// Reads memory: of objects that are not tracked, any value that can be there.
    fn read(&mut self, load: &Expr, ty: Type, address: &Expr, under: &[Expr]) -> Expr {
        if self.sites(address) == 0 {
            return Expr::Load(ty, Box::new(self.expr(address, under)));
        }
        let place = self.place(address, under);
        let mut value = if ty == Type::Pointer { self.any_pointer(load) } else { self.anything(ty) };
        // What is not evaluated is not read.
        let only_if_read = |condition: Expr| match under {
            [] => condition,
            _ => Expr::Or(vec![Expr::And(under.to_vec()).negate(), condition]),
        };
        self.out.push(Statement::Assume(only_if_read(place.is_valid())));
        self.seen.push(only_if_read(Expr::Or(place.fields.iter().map(|(_, is_here)| is_here.clone()).collect())));
        for (field, is_here) in place.fields {
            let held = converted(Expr::Var(field.variable), field.ty, ty);
            value = Expr::Ite(Box::new(is_here), Box::new(held), Box::new(value));
        }
        value
    }

    /// Any pointer that can be read of an object that is not tracked.
    fn any_pointer(&mut self, load: &Expr) -> Expr {
        let held = self.points.target_at(self.program, self.at, load);
        let at = |object: VarId| moved(object, held.offsets.rest);
        let candidates: Vec<Tracked> =
            self.tracked.iter().copied().filter(|tracked| held.sites & (1 << tracked.site) != 0).collect();
        let mut any = Expr::Null;
        for Tracked { object, other, is_made, .. } in candidates {
            let (one, another) = (self.anything(Type::Bool), self.anything(Type::Bool));
            let is_tracked = Expr::And(vec![Expr::Var(is_made), one]);
            any = Expr::Ite(Box::new(another), Box::new(at(other)), Box::new(any));
            any = Expr::Ite(Box::new(is_tracked), Box::new(at(object)), Box::new(any));
        }
        any
    }
}

/// What an access is to: which field, and when, or an object that is not tracked.
struct Accessed {
    fields: Vec<(Field, Expr)>,
    others: Vec<Expr>,
}

impl Accessed {
    /// When it is to one of them.
    fn is_valid(&self) -> Expr {
        Expr::Or(self.fields.iter().map(|(_, is_here)| is_here).chain(&self.others).cloned().collect())
    }
}

/// The pointer to some place of an object.
fn moved(object: VarId, offset: i64) -> Expr {
    match offset {
        0 => Expr::Var(object),
        _ => Expr::binary(BinaryOp::PointerAdd, Expr::Var(object), Expr::Int(Integer::from(offset), OFFSET)),
    }
}

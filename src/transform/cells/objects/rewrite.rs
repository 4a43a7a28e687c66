//! The program with one tracked object for each site, statement by statement.

use super::super::draft::{Draft, Rewriting};
use super::super::loops::base_of;
use super::super::rewrite::converted;
use super::super::{Plan, zero};
use super::select::place;
use super::{Field, Tracked};
use crate::program::points::{Points, Sites};
use crate::program::webs::StatementAt;
use crate::program::{BinaryOp, Edge, EdgeId, Expr, OFFSET, ProcId, Program, Statement, Type, UnaryOp, VarId};
use crate::term::Integer;

/// A rewriting under way.
pub(super) struct Rewriter<'a> {
    program: &'a Program,
    points: &'a Points,
    selected: Sites,
    tracked: Vec<Tracked>,
    fields: Vec<Field>,
    plan: Plan,
    draft: Draft,
    /// The statement that is rewritten.
    at: Option<StatementAt>,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(
        (program, points): (&'a Program, &'a Points),
        selected: Sites,
        (tracked, fields): (Vec<Tracked>, Vec<Field>),
        plan: Plan,
        before: (Program, Vec<Statement>),
    ) -> Rewriter<'a> {
        let draft = Draft::new("object", &plan, before);
        Rewriter { program, points, selected, tracked, fields, plan, draft, at: None }
    }

    /// Rewrites everything.
    pub(super) fn run(mut self) -> Program {
        for statement in &self.program.init {
            self.statement(statement);
        }
        self.draft.end_init();
        for (id, procedure) in self.program.procedures.enumerate() {
            self.draft.scope = Some(id);
            for (edge, data) in procedure.edges.enumerate() {
                self.at = place(Some((id, edge)), 0);
                match data.call() {
                    Some((_, callee, _)) => self.call((id, edge), data, &self.program.procedures[callee].parameters),
                    None => self.plain(id, edge, data),
                }
            }
        }
        self.draft.end()
    }

    fn plain(&mut self, procedure: ProcId, edge: EdgeId, data: &Edge) {
        let mut all_seen = Vec::new();
        for (number, statement) in data.block.iter().enumerate() {
            self.at = place(Some((procedure, edge)), number);
            self.statement(statement);
            all_seen.append(&mut self.draft.tracked);
        }
        // What the conditions read is looked at behind them: nothing may change before.
        let is_at_once = data.block.iter().all(|statement| matches!(statement, Statement::Assume(_)));
        if let Some(variables) = self.plan.failing.get(&(procedure, edge)).filter(|_| is_at_once || all_seen.is_empty())
        {
            self.draft.discard_untracked(all_seen, variables);
        }
        self.draft.end_edge(procedure, edge);
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(pairs) => {
                let mut all = Vec::new();
                for (target, value) in pairs {
                    all.push((*target, self.expr(value, &[])));
                    // Flags are over the values before.
                    self.draft.set_flag(*target);
                }
                self.draft.out.push(Statement::Assign(all));
            }
            Statement::Havoc { target, .. } => {
                self.draft.out.push(statement.clone());
                self.draft.set_flag(*target);
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
            Statement::Output(pieces) => self.output(pieces),
            other => {
                let mut changed = other.clone();
                for (new, old) in changed.expressions_mut().into_iter().zip(other.expressions()) {
                    *new = self.expr(old, &[]);
                }
                self.draft.out.push(changed);
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
        let chosen = self.draft.anything(Type::Bool);
        let is_first = Expr::And(vec![chosen, Expr::Var(tracked.is_made).negate()]);
        let pointer = Expr::Ite(
            Box::new(is_first.clone()),
            Box::new(Expr::Var(tracked.object)),
            Box::new(Expr::Var(tracked.other)),
        );
        let is_made = Expr::Or(vec![Expr::Var(tracked.is_made), is_first.clone()]);
        let of_site: Vec<Field> = self.fields.iter().copied().filter(|field| field.site == tracked.site).collect();
        for Field { ty, variable, .. } in of_site {
            let content = if zeroed { zero(ty) } else { self.draft.anything(ty) };
            let after = Expr::Ite(Box::new(is_first.clone()), Box::new(content), Box::new(Expr::Var(variable)));
            self.draft.out.push(Statement::Assign(vec![(variable, after)]));
        }
        self.draft.out.push(Statement::Assign(vec![(target, pointer), (tracked.is_made, is_made)]));
        self.draft.set_flag(target);
    }

    /// Writes: a field may change.
    fn store(&mut self, address: &Expr, value: &Expr) {
        let ty = value.type_in(self.program);
        let place = self.place(address, &[]);
        let value = self.expr(value, &[]);
        self.draft.out.push(Statement::Assume(place.is_valid()));
        let mut changes = Vec::new();
        for (field, is_here) in &place.fields {
            let given = converted(value.clone(), ty, field.ty);
            let before = Expr::Var(field.variable);
            changes.push((field.variable, Expr::Ite(Box::new(is_here.clone()), Box::new(given), Box::new(before))));
        }
        self.draft.out.push(Statement::Assign(changes));
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

    /// Whether an object is live that is not followed is open.
    fn liveness(&mut self, op: UnaryOp, pointer: &Expr, under: &[Expr]) -> Expr {
        let sites = self.sites(pointer);
        let pointer = self.expr(pointer, under);
        let known = Expr::unary(op, pointer.clone());
        if sites == 0 {
            return known;
        }
        let any = self.draft.anything(Type::Bool);
        let is_none = Expr::binary(BinaryOp::Eq, pointer, Expr::Null);
        Expr::Ite(Box::new(is_none), Box::new(known), Box::new(any))
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
        let any = self.draft.anything(Type::Bool);
        Expr::Ite(Box::new(is_open), Box::new(any), Box::new(known))
    }

    /// Reads memory: of objects that are not tracked, any value that can be there.
    fn read(&mut self, load: &Expr, ty: Type, address: &Expr, under: &[Expr]) -> Expr {
        let place = self.place(address, under);
        let mut value = if ty == Type::Pointer { self.any_pointer(load) } else { self.draft.anything(ty) };
        // What is not evaluated is not read.
        let only_if_read = |condition: Expr| match under {
            [] => condition,
            _ => Expr::Or(vec![Expr::And(under.to_vec()).negate(), condition]),
        };
        self.draft.out.push(Statement::Assume(only_if_read(place.is_valid())));
        self.draft
            .tracked
            .push(only_if_read(Expr::Or(place.fields.iter().map(|(_, is_here)| is_here.clone()).collect())));
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
            let (one, another) = (self.draft.anything(Type::Bool), self.draft.anything(Type::Bool));
            let is_tracked = Expr::And(vec![Expr::Var(is_made), one]);
            any = Expr::Ite(Box::new(another), Box::new(at(other)), Box::new(any));
            any = Expr::Ite(Box::new(is_tracked), Box::new(at(object)), Box::new(any));
        }
        any
    }
}

impl Rewriting for Rewriter<'_> {
    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }

    /// What is read, compared or asked of tracked objects.
    fn replace(&mut self, expr: &Expr, under: &[Expr]) -> Option<Expr> {
        match expr {
            Expr::Load(ty, address) if self.sites(address) != 0 => Some(self.read(expr, *ty, address, under)),
            Expr::Binary(op, a, b) if *op != BinaryOp::Implies => Some(self.binary(*op, a, b, under)),
            Expr::Unary(op @ (UnaryOp::IsLive | UnaryOp::IsFreeable), pointer) => {
                Some(self.liveness(*op, pointer, under))
            }
            _ => None,
        }
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

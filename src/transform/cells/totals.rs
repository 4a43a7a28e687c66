//! Sums over arrays: what a loop adds to a variable in all its iterations is one number, and a second loop that adds the
//! same of the same array adds the same number.
//!
//! The number itself is any. It is kept with the values of all variables that it was made of, and forgotten where one of
//! the arrays may be written.

use super::add_global;
use super::loops::{Loop, assigned, natural_loop};
use crate::program::points::{Points, Sites};
use crate::program::{BinaryOp, Edge, Expr, Id, Procedure, Program, Statement, Type, VarId};

/// What a loop adds to a variable in all its iterations, or takes from it.
pub(super) struct Reduction {
    pub variable: VarId,
    /// `+` or `-`.
    pub op: BinaryOp,
    /// What is added in an iteration.
    element: Expr,
    sites: Sites,
}

/// Who adds a number: a loop, by number, to which variable, and whether it is added or taken away.
pub(super) type User = (usize, VarId, BinaryOp);

/// A number that several loops add.
pub(super) struct Total {
    /// The loops that add it.
    pub loops: Vec<User>,
    /// The sites of the arrays that it is made of.
    pub sites: Sites,
    /// The variables for it, and for whether it is known.
    value: VarId,
    is_known: VarId,
    /// A variable for any number.
    any: VarId,
    /// The variables that it depends on, the counter among them, and those for their values then.
    made_of: Vec<(VarId, VarId)>,
}

/// The reductions of a loop: it has one way through its body.
pub(super) fn reductions(program: &Program, points: &Points, procedure: &Procedure, of: &Loop) -> Vec<Reduction> {
    let Some(body) = natural_loop(procedure, of.header) else { return Vec::new() };
    let is_inside = |edge: &&Edge| edge.source == of.header || body.contains(&edge.source);
    let leads_inside = |edge: &&Edge| edge.target == of.header || body.contains(&edge.target);
    let edges: Vec<&Edge> = procedure.edges.iter().filter(is_inside).filter(leads_inside).collect();
    if edges.len() != body.len() + 1 || of.has_other_exits {
        return Vec::new();
    }
    let statements = || edges.iter().flat_map(|edge| &edge.block);
    let changed: Vec<VarId> = edges.iter().flat_map(|edge| assigned(edge)).collect();
    let stores = |sites: Sites| {
        let into = |statement: &Statement| match statement {
            Statement::Store { address, .. } => points.target(program, address).sites & sites != 0,
            Statement::Assume(_) | Statement::Assign(_) | Statement::Havoc { .. } => false,
            _ => true,
        };
        statements().any(into)
    };
    let mut found = Vec::new();
    for statement in statements() {
        let Statement::Assign(pairs) = statement else { continue };
        let [(variable, Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), old, element))] = &pairs[..] else {
            continue;
        };
        let is_once = changed.iter().filter(|other| *other == variable).count() == 1;
        let counter = of.counter.variable;
        let mut is_fixed = true;
        element.for_each_var(&mut |other| is_fixed &= other == counter || !changed.contains(&other));
        let mut sites = 0;
        add_sites(program, points, element, &mut sites);
        let is_number = matches!(program.variables[*variable].ty, Type::Machine(_) | Type::Int);
        let is_sum = **old == Expr::Var(*variable) && *variable != counter;
        // The counter changes on the edge back, after this: an element is of the iteration.
        let is_before = edges.iter().all(|edge| {
            let of_counter = edge.block.iter().position(|other| other.targets().contains(&counter));
            let here = edge.block.iter().position(|other| std::ptr::eq(other, statement));
            here.is_none() || of_counter.is_none() || here < of_counter
        });
        if is_once && is_fixed && is_number && is_sum && is_before && sites != 0 && !stores(sites) {
            found.push(Reduction { variable: *variable, op: *op, element: (**element).clone(), sites });
        }
    }
    found
}

fn add_sites(program: &Program, points: &Points, expr: &Expr, sites: &mut Sites) {
    if let Expr::Load(_, address) = expr {
        *sites |= points.target(program, address).sites;
    }
    expr.operands().into_iter().for_each(|operand| add_sites(program, points, operand, sites));
}

/// The numbers that more than one loop adds.
pub(super) fn totals(
    program: &Program,
    points: &Points,
    loops: &[Loop],
    (result, prologue): (&mut Program, &mut Vec<Statement>),
) -> Vec<Total> {
    let mut groups: Vec<(usize, Reduction, Vec<User>)> = Vec::new();
    for (number, of) in loops.iter().enumerate() {
        for reduction in reductions(program, points, &program.procedures[of.procedure], of) {
            let user = (number, reduction.variable, reduction.op);
            let ty = |variable: VarId| program.variables[variable].ty;
            let is_same = |(first, known, _): &&mut (usize, Reduction, Vec<_>)| {
                let other: &Loop = &loops[*first];
                other.procedure == of.procedure
                    && other.counter == of.counter
                    && known.element == reduction.element
                    && ty(known.variable) == ty(reduction.variable)
            };
            match groups.iter_mut().find(is_same) {
                Some((.., users)) => users.push(user),
                None => groups.push((number, reduction, vec![user])),
            }
        }
    }
    let mut found = Vec::new();
    for (number, reduction, users) in groups.into_iter().filter(|(.., users)| users.len() > 1) {
        let counter = &loops[number].counter;
        let mut variables: Vec<VarId> = vec![counter.variable];
        for expr in [&reduction.element, &counter.bound] {
            expr.for_each_var(&mut |variable| {
                if !variables.contains(&variable) {
                    variables.push(variable);
                }
            });
        }
        let name = |what: &str| format!("total!{number}!{}!{what}", program.variables[reduction.variable].name);
        let ty = program.variables[reduction.variable].ty;
        let value = add_global(result, prologue, &name("value"), ty);
        let is_known = add_global(result, prologue, &name("known"), Type::Bool);
        let any = add_global(result, prologue, &name("any"), ty);
        let mut made_of = Vec::new();
        for variable in variables {
            let of = &program.variables[variable];
            let then = add_global(result, prologue, &name(&format!("of!{}", variable.index())), of.ty);
            made_of.push((variable, then));
        }
        found.push(Total { loops: users, sites: reduction.sites, value, is_known, any, made_of });
    }
    found
}

impl Total {
    /// Where a loop begins: the number is as it was, if all that it is made of is, and else any.
    pub(super) fn begin(&self) -> Vec<Statement> {
        let same = self.made_of.iter().map(|(now, then)| Expr::binary(BinaryOp::Eq, Expr::Var(*now), Expr::Var(*then)));
        let is_same = Expr::And(std::iter::once(Expr::Var(self.is_known)).chain(same).collect());
        let kept = Expr::Ite(Box::new(is_same), Box::new(Expr::Var(self.value)), Box::new(Expr::Var(self.any)));
        let mut pairs = vec![(self.value, kept), (self.is_known, Expr::Bool(true))];
        pairs.extend(self.made_of.iter().map(|(now, then)| (*then, Expr::Var(*now))));
        vec![Statement::Havoc { target: self.any, span: None }, Statement::Assign(pairs)]
    }

    /// Where a loop ends: what it began with, and the number.
    pub(super) fn end(&self, variable: VarId, op: BinaryOp, before: VarId) -> Statement {
        Statement::Assign(vec![(variable, Expr::binary(op, Expr::Var(before), Expr::Var(self.value)))])
    }

    /// Where an array may be written.
    pub(super) fn forget(&self) -> Statement {
        Statement::Assign(vec![(self.is_known, Expr::Bool(false))])
    }
}

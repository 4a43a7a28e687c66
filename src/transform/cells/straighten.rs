//! Values that steps on several ways make become expressions, and variables that are used again and again become
//! several: what a condition was made of, and where a pointer leads, is then plain to see.

use super::add_variable;
use super::counter::mentions;
use super::prepare::substitute;
use crate::program::{
    BinaryOp, Edge, EdgeId, Expr, IdVec, LocId, ProcId, Procedure, Program, Role, Scope, Statement, Type, VarId,
    Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many steps one after the other decide on a value at most.
const MAX_DEPTH: usize = 8;

/// Makes a program plain.
pub(super) fn straighten(program: &mut Program) {
    for id in program.procedures.ids().collect::<Vec<_>>() {
        join_decisions(program, id);
        drop_unreached(&mut program.procedures[id]);
        pass_conditions(program, id);
        split_variables(program, id);
    }
}

/// A value that is decided on: what it is given to, where that leads, and as an expression.
struct Decision {
    variable: VarId,
    target: LocId,
    value: Expr,
}

/// Makes one step each of those that decide on values.
fn join_decisions(program: &mut Program, id: ProcId) {
    let mut outgoing = program.procedures[id].outgoing();
    let mut is_new = true;
    while std::mem::take(&mut is_new) {
        for location in program.procedures[id].locations.ids().collect::<Vec<_>>() {
            let [first, _] = outgoing[location][..] else { continue };
            let found = decision_at(program, &program.procedures[id], &outgoing, location, MAX_DEPTH);
            let Some(Decision { variable, target, value }) = found else { continue };
            let edge = &mut program.procedures[id].edges[first];
            edge.target = target;
            edge.block = vec![Statement::Assign(vec![(variable, value)])];
            outgoing[location] = vec![first];
            is_new = true;
        }
    }
    let kept: FxHashSet<EdgeId> = outgoing.iter().flatten().copied().collect();
    let edges = std::mem::take(&mut program.procedures[id].edges);
    let edges = edges.enumerate().filter(|(edge, _)| kept.contains(edge)).map(|(_, data)| data.clone()).collect();
    program.procedures[id].edges = edges;
}

fn decision_at(
    program: &Program,
    procedure: &Procedure,
    outgoing: &IdVec<LocId, Vec<EdgeId>>,
    location: LocId,
    depth: usize,
) -> Option<Decision> {
    let depth = depth.checked_sub(1)?;
    let edges: Vec<&Edge> = outgoing[location].iter().map(|edge| &procedure.edges[*edge]).collect();
    let after = |edge: &Edge, block: &[Statement]| match block {
        [] => decision_at(program, procedure, outgoing, edge.target, depth),
        [Statement::Assign(pairs)] => match &pairs[..] {
            [(variable, value)] => Some(Decision { variable: *variable, target: edge.target, value: value.clone() }),
            _ => None,
        },
        _ => None,
    };
    match &edges[..] {
        [only] if !only.block.is_empty() => after(only, &only.block),
        [a, b] => {
            let ([Statement::Assume(condition), then @ ..], [Statement::Assume(opposite), otherwise @ ..]) =
                (&a.block[..], &b.block[..])
            else {
                return None;
            };
            if !is_opposite(program, condition, opposite) {
                return None;
            }
            let (then, otherwise) = (after(a, then)?, after(b, otherwise)?);
            let fits = then.variable == otherwise.variable && then.target == otherwise.target;
            let value = either(condition, opposite, then.value, otherwise.value);
            fits.then_some(Decision { value, ..then })
        }
        _ => None,
    }
}

/// Whether one condition holds where the other does not.
fn is_opposite(program: &Program, condition: &Expr, other: &Expr) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    if condition.clone().negate() == *other || other.clone().negate() == *condition {
        return true;
    }
    let (Expr::Binary(op, a, b), Expr::Binary(of_other, c, d)) = (condition, other) else { return false };
    let is_number = matches!(a.type_in(program), Type::Machine(_) | Type::Int);
    let is_reversed = matches!((op, of_other), (Lt, Ge) | (Ge, Lt) | (Le, Gt) | (Gt, Le) | (Eq, Ne) | (Ne, Eq));
    is_number && is_reversed && a == c && b == d
}

/// One value where a condition holds, another where the opposite does.
fn either(condition: &Expr, opposite: &Expr, then: Expr, otherwise: Expr) -> Expr {
    match (&then, &otherwise) {
        (Expr::Bool(true), Expr::Bool(false)) => condition.clone(),
        (Expr::Bool(false), Expr::Bool(true)) => opposite.clone(),
        (Expr::Bool(true), _) => Expr::Or(vec![condition.clone(), otherwise]),
        (Expr::Bool(false), _) => Expr::And(vec![opposite.clone(), otherwise]),
        (_, Expr::Bool(true)) => Expr::Or(vec![opposite.clone(), then]),
        (_, Expr::Bool(false)) => Expr::And(vec![condition.clone(), then]),
        _ => Expr::Ite(Box::new(condition.clone()), Box::new(then), Box::new(otherwise)),
    }
}

/// Drops the edges of locations that nothing leads to.
fn drop_unreached(procedure: &mut Procedure) {
    let reached = procedure.reached_from([procedure.entry]);
    let edges = std::mem::take(&mut procedure.edges);
    procedure.edges = edges.iter().filter(|edge| reached.contains(&edge.source)).cloned().collect();
}

/// A value that is made for one call only is made in its argument.
fn pass_conditions(program: &mut Program, id: ProcId) {
    let mut read: FxHashMap<VarId, usize> = FxHashMap::default();
    super::each_statement(program, |_, _, statement| {
        for expr in statement.expressions() {
            expr.for_each_var(&mut |variable| *read.entry(variable).or_default() += 1);
        }
    });
    let is_local = |program: &Program, variable: VarId| program.variables[variable].scope == Scope::Local(id);
    let result = program.procedures[id].result;
    let edges: Vec<EdgeId> = program.procedures[id].edges.ids().collect();
    for edge in edges {
        let procedure = &program.procedures[id];
        let data = &procedure.edges[edge];
        let Some(Statement::Assign(pairs)) = data.block.last() else { continue };
        let [(variable, value)] = &pairs[..] else { continue };
        let (variable, value) = (*variable, value.clone());
        let into = procedure.edges.iter().filter(|other| other.target == data.target).count();
        let from: Vec<_> = procedure.edges.enumerate().filter(|(_, other)| other.source == data.target).collect();
        let [(call, after)] = from[..] else { continue };
        let is_only = into == 1 && read.get(&variable) == Some(&1) && result != Some(variable);
        let [Statement::Call { target: None, arguments, .. }] = &after.block[..] else { continue };
        if !is_only || !is_local(program, variable) || !arguments.iter().any(|argument| mentions(argument, variable)) {
            continue;
        }
        let procedure = &mut program.procedures[id];
        procedure.edges[edge].block.pop();
        for argument in procedure.edges[call].block[0].expressions_mut() {
            *argument = substitute(argument, variable, &value);
        }
    }
}

/// A pointer to objects of several sites that every block writes before it reads it is another one after every write.
fn split_variables(program: &mut Program, id: ProcId) {
    let procedure = &program.procedures[id];
    let statements = procedure.edges.iter().flat_map(|edge| &edge.block);
    let mut sites: FxHashMap<VarId, usize> = FxHashMap::default();
    for statement in statements {
        if let Statement::Allocate { target, .. } = statement {
            *sites.entry(*target).or_default() += 1;
        }
    }
    let mut shared: FxHashSet<VarId> = procedure.parameters.iter().chain(&procedure.result).copied().collect();
    for edge in &procedure.edges {
        let mut written: FxHashSet<VarId> = FxHashSet::default();
        for statement in &edge.block {
            for expr in statement.expressions() {
                expr.for_each_var(&mut |variable| {
                    if !written.contains(&variable) {
                        shared.insert(variable);
                    }
                });
            }
            written.extend(statement.targets());
        }
    }
    let is_split = |variable: &VarId, of: &Variable| {
        let is_local_pointer = of.scope == Scope::Local(id) && of.ty == Type::Pointer && of.role == Role::Data;
        is_local_pointer && !shared.contains(variable) && sites.get(variable).is_some_and(|number| *number > 1)
    };
    let split: FxHashSet<VarId> = (program.variables.enumerate())
        .filter(|(variable, of)| is_split(variable, of))
        .map(|(variable, _)| variable)
        .collect();
    let edges: Vec<EdgeId> = program.procedures[id].edges.ids().collect();
    for edge in edges {
        let mut block = program.procedures[id].edges[edge].block.clone();
        let mut names: FxHashMap<VarId, VarId> = FxHashMap::default();
        for statement in &mut block {
            for expr in statement.expressions_mut() {
                for (from, to) in &names {
                    *expr = substitute(expr, *from, &Expr::Var(*to));
                }
            }
            let targets = statement.targets();
            for target in targets.into_iter().filter(|target| split.contains(target)) {
                let name = program.variables[target].name.clone();
                names.insert(target, add_variable(program, &name, Type::Pointer, Scope::Local(id)));
            }
            statement.rename_targets(&|variable| *variable = names.get(variable).copied().unwrap_or(*variable));
        }
        program.procedures[id].edges[edge].block = block;
    }
}

#[cfg(test)]
mod tests {
    use super::straighten;
    use crate::program::text::{parse, print};
    use crate::program::{FileId, Id};

    #[test]
    fn a_value_that_ways_decide_on_is_made_where_it_is_passed() {
        let text = "procedure main() { local x: i32 local t: bool location a entry location b location c location d \
            location z exit edge a -> b { havoc x; } edge b -> d { assume x < 3i32; t := true; } \
            edge b -> c { assume x >= 3i32; } edge c -> d { assume x == 5i32; t := true; } \
            edge c -> d { assume x != 5i32; t := false; } edge d -> z { call check(t); } } \
            procedure check(q) { local q: bool location a entry location z exit edge a -> z { assume q; } }";
        let mut program = parse(text, FileId::new(0)).expect("it is a program");
        straighten(&mut program);
        let result = print(&program);
        assert!(result.contains("call check(x < 3i32 || x == 5i32"), "{result}");
        assert!(!result.contains("t :="), "{result}");
    }
}

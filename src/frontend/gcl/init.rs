//! The initial condition as statements: inputs, then assignments, then assumptions.
//!
//! An equation `v = e`, where `v` does not occur in `e`, can define `v`. A variable becomes known by such an
//! equation once everything else in it is known, or as an input. Inputs are first the variables that no equation
//! can define, then, where equations wait for each other, the first unknown variable in the order of declaration.
//! An equation that defined a variable holds by its assignment; every other conjunct becomes an assumption. So the
//! statements reach exactly the states that satisfy the condition: an input takes any value, and an assignment
//! gives the only value that its equation allows.

use crate::program::{BinaryOp, Expr, IdVec, Statement, VarId, Variable};
use std::collections::VecDeque;

/// The statements that reach exactly the states in which the condition holds.
pub(crate) fn statements(condition: Expr, variables: &IdVec<VarId, Variable>) -> Vec<Statement> {
    let conjuncts = match condition {
        Expr::And(all) => all,
        Expr::Bool(true) => Vec::new(),
        one => vec![one],
    };
    let definitions = define(&conjuncts, variables);
    let input = |id: &VarId| Statement::Havoc { target: *id, span: variables[*id].span };
    let mut statements: Vec<Statement> = definitions.inputs.iter().map(input).collect();
    let mut conjuncts: Vec<Option<Expr>> = conjuncts.into_iter().map(Some).collect();
    for (var, index) in definitions.equations {
        let equation = conjuncts[index].take().expect("an equation defines one variable");
        statements.push(Statement::Assign(vec![(var, defining_side(equation, var))]));
    }
    let rest = conjuncts.into_iter().flatten().filter(|conjunct| *conjunct != Expr::Bool(true));
    statements.extend(rest.map(Statement::Assume));
    statements
}

/// How each variable gets its value.
struct Definitions {
    /// By input, in the order of declaration.
    inputs: Vec<VarId>,
    /// By an equation, the index of a conjunct, in an order in which everything is known before it is used.
    equations: Vec<(VarId, usize)>,
}

fn define(conjuncts: &[Expr], variables: &IdVec<VarId, Variable>) -> Definitions {
    let mut known = Knowledge::new(conjuncts, variables);
    known.propagate();
    for definable in [false, true] {
        for var in variables.ids() {
            if !known.known[var] && known.definable[var] == definable {
                known.learn(var);
                known.inputs.push(var);
                known.propagate();
            }
        }
    }
    known.inputs.sort_unstable();
    Definitions { inputs: known.inputs, equations: known.equations }
}

/// Which variables are known, and what follows from it.
struct Knowledge {
    known: IdVec<VarId, bool>,
    /// Whether some equation can define the variable.
    definable: IdVec<VarId, bool>,
    /// For each conjunct, the variables that it can define.
    sides: Vec<Vec<VarId>>,
    /// For each equation that can define something, how many of its variables are not known.
    unknown: Vec<usize>,
    /// For each variable, the equations that it occurs in.
    occurrences: IdVec<VarId, Vec<usize>>,
    /// Equations with one unknown variable, to look at in this order.
    ready: VecDeque<usize>,
    inputs: Vec<VarId>,
    equations: Vec<(VarId, usize)>,
}

impl Knowledge {
    fn new(conjuncts: &[Expr], variables: &IdVec<VarId, Variable>) -> Knowledge {
        let mut new = Knowledge {
            known: variables.iter().map(|_| false).collect(),
            definable: variables.iter().map(|_| false).collect(),
            sides: Vec::with_capacity(conjuncts.len()),
            unknown: Vec::with_capacity(conjuncts.len()),
            occurrences: variables.iter().map(|_| Vec::new()).collect(),
            ready: VecDeque::new(),
            inputs: Vec::new(),
            equations: Vec::new(),
        };
        for (index, conjunct) in conjuncts.iter().enumerate() {
            let (sides, all) = definable_by(conjunct);
            for var in &all {
                new.occurrences[*var].push(index);
            }
            for var in &sides {
                new.definable[*var] = true;
            }
            if all.len() == 1 {
                new.ready.push_back(index);
            }
            new.sides.push(sides);
            new.unknown.push(all.len());
        }
        new
    }

    /// The variable is known from now on.
    fn learn(&mut self, var: VarId) {
        self.known[var] = true;
        for &index in &self.occurrences[var] {
            self.unknown[index] -= 1;
            if self.unknown[index] == 1 {
                self.ready.push_back(index);
            }
        }
    }

    /// Defines what can be defined.
    fn propagate(&mut self) {
        while let Some(index) = self.ready.pop_front() {
            let side = self.sides[index].iter().copied().find(|var| !self.known[*var]);
            if let Some(var) = side.filter(|_| self.unknown[index] == 1) {
                self.equations.push((var, index));
                self.learn(var);
            }
        }
    }
}

/// The variables that a conjunct can define, and, if there is one, all its variables.
fn definable_by(conjunct: &Expr) -> (Vec<VarId>, Vec<VarId>) {
    let Expr::Binary(BinaryOp::Eq, left, right) = conjunct else { return (Vec::new(), Vec::new()) };
    let mut sides = Vec::new();
    for (side, other) in [(left, right), (right, left)] {
        if let Expr::Var(var) = **side
            && !variables_of(other).contains(&var)
        {
            sides.push(var);
        }
    }
    let all = if sides.is_empty() { Vec::new() } else { variables_of(conjunct) };
    (sides, all)
}

/// The variables that occur, each once, in order.
fn variables_of(expr: &Expr) -> Vec<VarId> {
    let mut all = Vec::new();
    expr.for_each_var(&mut |var| all.push(var));
    all.sort_unstable();
    all.dedup();
    all
}

/// The side of the equation that is not the variable itself.
fn defining_side(equation: Expr, var: VarId) -> Expr {
    match equation {
        Expr::Binary(BinaryOp::Eq, left, right) if *left == Expr::Var(var) => *right,
        Expr::Binary(BinaryOp::Eq, left, _) => *left,
        other => unreachable!("only equations define variables, not {other:?}"),
    }
}

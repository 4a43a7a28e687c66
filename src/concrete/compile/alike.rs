//! Inputs that the program tells apart only by comparing them with constants: of those that it treats alike, one is tried.
//!
//! The constants that an input is compared with, before anything else reads it, divide its values into cells. Within a cell
//! every comparison comes out the same, so that all its values take the same way for as long as they are only compared. Where
//! each way that a cell can take leads to where the input is never read again, one value of the cell stands for all. Of the
//! other cells every value is tried: `if (n < 0 || n > 5) return;` leaves -1, 0 to 5, and 6.

use crate::concrete::choices::MAX_VALUES;
use crate::concrete::token::Abstractions;
use crate::program::{
    BinaryOp, Edge, EdgeId, Expr, IdVec, LocId, Procedure, Program, Scope, Statement, Type, UnaryOp, VarId,
};
use crate::term::Integer;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// At most so many edges are walked from where an input is read, and so many locations looked at for further reads.
const MAX_EDGES: usize = 128;
const MAX_LOCATIONS: usize = 2000;

/// A procedure in which inputs are followed.
pub(super) struct Inputs<'p> {
    program: &'p Program,
    procedure: &'p Procedure,
    abstractions: &'p Abstractions,
    outgoing: IdVec<LocId, Vec<EdgeId>>,
}

/// Numbers from one to another; without a bound where there is none.
type Cell = (Option<Integer>, Option<Integer>);

/// A walk along the ways that values of one cell, or of all, can take.
struct Walk<'w, 'p> {
    inputs: &'w Inputs<'p>,
    /// A value of the cell; none where all ways are walked to see what is compared.
    value: Option<&'w Integer>,
    /// Below each of these numbers a cell ends.
    cuts: BTreeSet<Integer>,
    edges: usize,
}

impl<'p> Inputs<'p> {
    pub(super) fn new(program: &'p Program, procedure: &'p Procedure, abstractions: &'p Abstractions) -> Self {
        Inputs { program, procedure, abstractions, outgoing: procedure.outgoing() }
    }

    /// The values of an input that stand for all; none where these would be too many. The input is read before the rest of
    /// the edge's block.
    pub(super) fn values(&self, target: VarId, rest: &[Statement], edge: &Edge) -> Option<Vec<Integer>> {
        let variable = &self.program.variables[target];
        let (least, greatest) = match variable.ty {
            Type::Machine(machine) => (Some(machine.min()), Some(machine.max())),
            Type::Int => (None, None),
            _ => return None,
        };
        if variable.scope == Scope::Global || self.is_abstract(target) {
            return None;
        }
        let mut all = Walk { inputs: self, value: None, cuts: BTreeSet::new(), edges: 0 };
        all.block(vec![target], rest, edge.target, &mut Vec::new());
        let cuts = all.cuts;
        let mut values: Vec<Integer> = Vec::new();
        for (low, high) in cells(least, greatest, &cuts) {
            let one = nearest_to_zero(&low, &high);
            let mut walk = Walk { inputs: self, value: Some(&one), cuts: BTreeSet::new(), edges: 0 };
            let is_compared = walk.block(vec![target], rest, edge.target, &mut Vec::new());
            if is_compared && walk.cuts.is_subset(&cuts) {
                values.push(one);
                continue;
            }
            let low = low?;
            let count = (&high? - &low).to_u64().filter(|count| *count < MAX_VALUES)?;
            values.extend((0..=count).map(|i| &low + &Integer::from(i)));
        }
        (values.len() as u64 <= MAX_VALUES).then_some(values)
    }

    fn is_abstract(&self, variable: VarId) -> bool {
        self.abstractions.variables().any(|(known, _)| known == variable)
    }

    /// Whether no execution from a location on reads the variable before it writes it.
    fn is_dead(&self, variable: VarId, from: LocId) -> bool {
        let (mut seen, mut waiting) = (FxHashSet::from_iter([from]), vec![from]);
        while let Some(location) = waiting.pop() {
            if seen.len() > MAX_LOCATIONS || location == self.procedure.exit && self.procedure.result == Some(variable)
            {
                return false;
            }
            for edge in self.outgoing[location].iter().map(|edge| &self.procedure.edges[*edge]) {
                let mut is_written = false;
                for statement in edge.block.iter() {
                    if reads(statement, &[variable]) {
                        return false;
                    }
                    is_written = statement.targets().contains(&variable);
                    if is_written {
                        break;
                    }
                }
                if !is_written && seen.insert(edge.target) {
                    waiting.push(edge.target);
                }
            }
        }
        true
    }
}

impl Walk<'_, '_> {
    /// Walks from a location on; tells whether the input, which is in these variables, is nowhere used but compared.
    fn location(&mut self, mut copies: Vec<VarId>, at: LocId, path: &mut Vec<LocId>) -> bool {
        let inputs = self.inputs;
        copies.retain(|variable| !inputs.is_dead(*variable, at));
        if copies.is_empty() {
            return true;
        }
        if at == inputs.procedure.exit || path.contains(&at) || self.edges >= MAX_EDGES {
            return false;
        }
        path.push(at);
        let mut is_compared = true;
        for edge in &inputs.outgoing[at] {
            let edge = &inputs.procedure.edges[*edge];
            self.edges += 1;
            is_compared &= self.block(copies.clone(), &edge.block, edge.target, path);
        }
        path.pop();
        is_compared
    }

    fn block(&mut self, mut copies: Vec<VarId>, block: &[Statement], to: LocId, path: &mut Vec<LocId>) -> bool {
        for statement in block {
            match statement {
                Statement::Assume(condition) => match self.truth(condition, &copies) {
                    // No value of the cell comes further.
                    Ok(Some(false)) => return true,
                    Ok(_) => {}
                    Err(Used) => return false,
                },
                Statement::Assign(pairs) => {
                    let from: Vec<VarId> = copies.clone();
                    copies.retain(|variable| pairs.iter().all(|(target, _)| target != variable));
                    for (target, value) in pairs {
                        match value {
                            Expr::Var(source) if from.contains(source) && self.may_hold(*target, *source) => {
                                copies.push(*target);
                            }
                            other if mentions(other, &from) => return false,
                            _ => {}
                        }
                    }
                }
                other if reads(other, &copies) => return false,
                other => copies.retain(|variable| !other.targets().contains(variable)),
            }
        }
        self.location(copies, to, path)
    }

    /// Whether a copy in the variable is the thread's own, and the same number.
    fn may_hold(&self, target: VarId, source: VarId) -> bool {
        let variables = &self.inputs.program.variables;
        let (to, from) = (&variables[target], &variables[source]);
        to.scope == from.scope && to.ty == from.ty && !self.inputs.is_abstract(target)
    }

    /// What a condition is for the values of the cell; none where that is another matter.
    fn truth(&mut self, condition: &Expr, copies: &[VarId]) -> Result<Option<bool>, Used> {
        if !mentions(condition, copies) {
            return Ok(None);
        }
        match condition {
            Expr::Unary(UnaryOp::Not, inner) => Ok(self.truth(inner, copies)?.map(|truth| !truth)),
            Expr::And(all) => self.truth_of_all(all, copies, false),
            Expr::Or(any) => self.truth_of_all(any, copies, true),
            Expr::Binary(op, a, b) => match (&**a, &**b) {
                (Expr::Var(variable), Expr::Int(n, _)) if copies.contains(variable) => self.comparison(*op, n),
                (Expr::Int(n, _), Expr::Var(variable)) if copies.contains(variable) => self.comparison(turned(*op), n),
                _ => Err(Used),
            },
            _ => Err(Used),
        }
    }

    /// Of a conjunction, which one false part makes false, or a disjunction, which one true part makes true.
    fn truth_of_all(&mut self, parts: &[Expr], copies: &[VarId], decisive: bool) -> Result<Option<bool>, Used> {
        let mut all = Some(!decisive);
        for part in parts {
            match self.truth(part, copies)? {
                Some(truth) if truth == decisive => all = Some(decisive),
                None if all == Some(!decisive) => all = None,
                _ => {}
            }
        }
        Ok(all)
    }

    fn comparison(&mut self, op: BinaryOp, n: &Integer) -> Result<Option<bool>, Used> {
        let above = n + &Integer::from(1);
        let cuts = match op {
            BinaryOp::Lt | BinaryOp::Ge => vec![n.clone()],
            BinaryOp::Le | BinaryOp::Gt => vec![above],
            BinaryOp::Eq | BinaryOp::Ne => vec![n.clone(), above],
            _ => return Err(Used),
        };
        self.cuts.extend(cuts);
        Ok(self.value.map(|value| match op {
            BinaryOp::Lt => value < n,
            BinaryOp::Le => value <= n,
            BinaryOp::Gt => value > n,
            BinaryOp::Ge => value >= n,
            BinaryOp::Eq => value == n,
            _ => value != n,
        }))
    }
}

/// The input is used for more than a comparison with a constant.
struct Used;

fn turned(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

fn mentions(expr: &Expr, variables: &[VarId]) -> bool {
    let mut found = false;
    expr.for_each_var(&mut |variable| found |= variables.contains(&variable));
    found
}

fn reads(statement: &Statement, variables: &[VarId]) -> bool {
    statement.expressions().into_iter().any(|expr| mentions(expr, variables))
}

/// The cells between the cuts, from the least to the greatest number.
fn cells(least: Option<Integer>, greatest: Option<Integer>, cuts: &BTreeSet<Integer>) -> Vec<Cell> {
    let (mut cells, mut low) = (Vec::new(), least);
    for cut in cuts {
        let is_inside = low.as_ref().is_none_or(|low| low < cut) && greatest.as_ref().is_none_or(|high| cut <= high);
        if is_inside {
            cells.push((low.replace(cut.clone()), Some(cut - &Integer::from(1))));
        }
    }
    cells.push((low, greatest));
    cells
}

fn nearest_to_zero(low: &Option<Integer>, high: &Option<Integer>) -> Integer {
    match (low, high) {
        (Some(low), _) if *low > Integer::ZERO => low.clone(),
        (_, Some(high)) if *high < Integer::ZERO => high.clone(),
        _ => Integer::ZERO,
    }
}

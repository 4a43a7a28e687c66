//! Inputs that the program tells apart only by comparing them with constants: of those that it treats alike, one is tried.
//!
//! The constants that an input is compared with, before anything else reads it, divide its values into cells. Within a cell
//! every comparison comes out the same, so that all its values take the same way for as long as they are only compared. Where
//! each way that a cell can take leads to where the input is never read again, one value of the cell stands for all. Of the
//! other cells every value is tried: `if (n < 0 || n > 5) return;` leaves -1, 0 to 5, and 6.
//!
//! What is compared may be the number as another type has it (`int n = any_unsigned();`): a cell then ends where that wraps, too.

use crate::concrete::choices::MAX_VALUES;
use crate::concrete::token::Abstractions;
use crate::program::{
    BinaryOp, Edge, EdgeId, Expr, IdVec, LocId, MachineInt, Procedure, Program, Scope, Statement, Type, UnaryOp, VarId,
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

/// A variable that holds the input, wrapped by one type after the other.
#[derive(Clone)]
struct Copy {
    variable: VarId,
    casts: Vec<MachineInt>,
}

/// At most so many times a number may wrap among the values of an input.
const MAX_WRAPS: u64 = 4;

/// A walk along the ways that values of one cell, or of all, can take.
struct Walk<'w, 'p> {
    inputs: &'w Inputs<'p>,
    /// A value of the cell; none where all ways are walked to see what is compared.
    value: Option<Integer>,
    /// Below each of these numbers a cell ends.
    cuts: BTreeSet<Integer>,
    edges: usize,
    /// The truth values that local variables were set to on the way, as those of `a && b` are.
    truths: Vec<(VarId, bool)>,
    /// The variable that takes the input.
    target: VarId,
    /// Whether there is no other thread, for as long as none is started.
    is_alone: bool,
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
        let is_alone = self.is_alone(edge.source);
        let walk =
            |value| Walk { inputs: self, value, cuts: BTreeSet::new(), edges: 0, truths: Vec::new(), target, is_alone };
        let start = || vec![Copy { variable: target, casts: Vec::new() }];
        let mut all = walk(None);
        all.block(start(), rest, edge.target, &mut Vec::new());
        let cuts = all.cuts;
        let mut values: Vec<Integer> = Vec::new();
        for (low, high) in cells(least, greatest, &cuts) {
            let one = nearest_to_zero(&low, &high);
            let mut walk = walk(Some(one.clone()));
            let is_compared = walk.block(start(), rest, edge.target, &mut Vec::new());
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

    /// Whether only the first thread is there when it is at a location: it has called and started nothing on any way there, and
    /// nothing calls it.
    fn is_alone(&self, at: LocId) -> bool {
        let leaves = |statement: &Statement| matches!(statement, Statement::Call { .. } | Statement::Spawn { .. });
        let main = self.program.main;
        let starts = |statement: &Statement| match statement {
            Statement::Call { callee, .. } | Statement::Spawn { callee, .. } => *callee == main,
            _ => false,
        };
        let of_all = self.program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        if !std::ptr::eq(self.procedure, &self.program.procedures[main])
            || of_all.flat_map(|edge| &edge.block).any(starts)
        {
            return false;
        }
        let after = self.procedure.edges.iter().filter(|edge| edge.block.iter().any(leaves)).map(|edge| edge.target);
        let mut waiting: Vec<LocId> = after.collect();
        let mut seen: FxHashSet<LocId> = waiting.iter().copied().collect();
        while let Some(location) = waiting.pop() {
            let next = self.outgoing[location].iter().map(|edge| self.procedure.edges[*edge].target);
            waiting.extend(next.filter(|next| seen.insert(*next)));
        }
        !seen.contains(&at)
    }

    fn is_global(&self, variable: VarId) -> bool {
        self.program.variables[variable].scope == Scope::Global
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
                    if reads(statement, &[Copy { variable, casts: Vec::new() }]) {
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
    fn location(&mut self, mut copies: Vec<Copy>, at: LocId, path: &mut Vec<LocId>) -> bool {
        let inputs = self.inputs;
        copies.retain(|copy| inputs.is_global(copy.variable) || !inputs.is_dead(copy.variable, at));
        if copies.is_empty() {
            return true;
        }
        if at == inputs.procedure.exit || path.contains(&at) || self.edges >= MAX_EDGES {
            return false;
        }
        path.push(at);
        let (mut is_compared, truths) = (true, self.truths.clone());
        for edge in &inputs.outgoing[at] {
            let edge = &inputs.procedure.edges[*edge];
            self.edges += 1;
            self.truths.clone_from(&truths);
            is_compared &= self.block(copies.clone(), &edge.block, edge.target, path);
        }
        path.pop();
        is_compared
    }

    fn block(&mut self, mut copies: Vec<Copy>, block: &[Statement], to: LocId, path: &mut Vec<LocId>) -> bool {
        for statement in block {
            self.truths.retain(|(variable, _)| !statement.targets().contains(variable));
            match statement {
                Statement::Assume(condition) => match self.truth(condition, &copies) {
                    // No value of the cell comes further.
                    Ok(Some(false)) => return true,
                    Ok(_) => {}
                    Err(Used) => return false,
                },
                Statement::Assign(pairs) => {
                    let from: Vec<Copy> = copies.clone();
                    copies.retain(|copy| pairs.iter().all(|(target, _)| *target != copy.variable));
                    for (target, value) in pairs {
                        match casts_of(value, &from) {
                            Some(casts) if self.may_hold(*target, value) => {
                                copies.push(Copy { variable: *target, casts });
                            }
                            _ if mentions(value, &from) => return false,
                            _ => self.note_truth(*target, value),
                        }
                    }
                }
                // Another thread may look at a global from here on.
                Statement::Call { .. } | Statement::Spawn { .. }
                    if copies.iter().any(|copy| self.inputs.is_global(copy.variable)) =>
                {
                    return false;
                }
                other if reads(other, &copies) => return false,
                other => copies.retain(|copy| !other.targets().contains(&copy.variable)),
            }
        }
        self.location(copies, to, path)
    }

    fn note_truth(&mut self, target: VarId, value: &Expr) {
        if let Expr::Bool(truth) = value
            && !self.inputs.is_global(target)
            && !self.inputs.is_abstract(target)
        {
            self.truths.push((target, *truth));
        }
    }

    /// What a condition is that says nothing of the input, where it is known.
    fn known_truth(&self, condition: &Expr) -> Option<bool> {
        match condition {
            Expr::Var(variable) => self.truths.iter().find(|(known, _)| known == variable).map(|(_, truth)| *truth),
            Expr::Unary(UnaryOp::Not, inner) => self.known_truth(inner).map(|truth| !truth),
            _ => None,
        }
    }

    /// Whether a copy in the variable is nobody else's to look at, and the same number.
    fn may_hold(&self, target: VarId, value: &Expr) -> bool {
        let variables = &self.inputs.program.variables;
        let to = &variables[target];
        let is_own = to.scope == variables[self.target].scope || self.is_alone && self.inputs.is_global(target);
        is_own && to.ty == value.type_in(self.inputs.program) && !self.inputs.is_abstract(target)
    }

    /// What a condition is for the values of the cell; none where that is another matter.
    fn truth(&mut self, condition: &Expr, copies: &[Copy]) -> Result<Option<bool>, Used> {
        if !mentions(condition, copies) {
            return Ok(self.known_truth(condition));
        }
        match condition {
            Expr::Unary(UnaryOp::Not, inner) => Ok(self.truth(inner, copies)?.map(|truth| !truth)),
            Expr::And(all) => self.truth_of_all(all, copies, false),
            Expr::Or(any) => self.truth_of_all(any, copies, true),
            Expr::Binary(op, a, b) => match (&**a, &**b) {
                (copy, Expr::Int(n, _)) => self.comparison(*op, copy, n, copies),
                (Expr::Int(n, _), copy) => self.comparison(turned(*op), copy, n, copies),
                _ => Err(Used),
            },
            _ => Err(Used),
        }
    }

    /// Of a conjunction, which one false part makes false, or a disjunction, which one true part makes true.
    fn truth_of_all(&mut self, parts: &[Expr], copies: &[Copy], decisive: bool) -> Result<Option<bool>, Used> {
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

    fn comparison(&mut self, op: BinaryOp, copy: &Expr, n: &Integer, copies: &[Copy]) -> Result<Option<bool>, Used> {
        let casts = casts_of(copy, copies).ok_or(Used)?;
        let above = n + &Integer::from(1);
        let cuts = match op {
            BinaryOp::Lt | BinaryOp::Ge => vec![n.clone()],
            BinaryOp::Le | BinaryOp::Gt => vec![above],
            BinaryOp::Eq | BinaryOp::Ne => vec![n.clone(), above],
            _ => return Err(Used),
        };
        let source = self.inputs.program.variables[self.target].ty;
        self.cuts.extend(cuts_before(source, &casts, cuts)?);
        let value = self.value.clone().map(|value| casts.iter().fold(value, |value, cast| cast.wrap(&value)));
        Ok(value.map(|value| match op {
            BinaryOp::Lt => value < *n,
            BinaryOp::Le => value <= *n,
            BinaryOp::Gt => value > *n,
            BinaryOp::Ge => value >= *n,
            BinaryOp::Eq => value == *n,
            _ => value != *n,
        }))
    }
}

/// By which types the input is wrapped that an expression is; none if it is something else.
fn casts_of(expr: &Expr, copies: &[Copy]) -> Option<Vec<MachineInt>> {
    match expr {
        Expr::Var(variable) => copies.iter().find(|copy| copy.variable == *variable).map(|copy| copy.casts.clone()),
        Expr::Cast(Type::Machine(machine), inner) => {
            let mut casts = casts_of(inner, copies)?;
            casts.push(*machine);
            Some(casts)
        }
        _ => None,
    }
}

/// Where numbers end up on another side of a cut, or wrap, that are wrapped by one type after the other.
fn cuts_before(source: Type, casts: &[MachineInt], mut cuts: Vec<Integer>) -> Result<Vec<Integer>, Used> {
    for (index, cast) in casts.iter().enumerate().rev() {
        let from = match index.checked_sub(1) {
            Some(before) => casts[before],
            None => match source {
                Type::Machine(machine) => machine,
                _ => return Err(Used),
            },
        };
        cuts.push(MachineInt::min(*cast));
        let period = Integer::power_of_two(cast.width);
        let mut found = Vec::new();
        for cut in cuts {
            // The least number from the least of the type on that the cut is one of modulo the period.
            let above = (&cut - &from.min()).wrap_unsigned(cast.width);
            let mut at = &from.min() + &above;
            for _ in 0..=MAX_WRAPS {
                if at > from.max() {
                    break;
                }
                found.push(at.clone());
                at = &at + &period;
            }
            if at <= from.max() {
                return Err(Used);
            }
        }
        cuts = found;
    }
    Ok(cuts)
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

fn mentions(expr: &Expr, copies: &[Copy]) -> bool {
    let mut found = false;
    expr.for_each_var(&mut |variable| found |= copies.iter().any(|copy| copy.variable == variable));
    found
}

fn reads(statement: &Statement, copies: &[Copy]) -> bool {
    statement.expressions().into_iter().any(|expr| mentions(expr, copies))
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

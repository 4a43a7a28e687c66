//! Loops over arrays, taken at a few iterations: those that access tracked cells.
//!
//! A loop counts up or down to a bound that it does not change, by the same number in every iteration. Iterations that
//! access no tracked cell change no cell, and their failures are discarded; so they are skipped, to the next iteration
//! that is executed or to the end of the loop. What they leave in other variables is any value; in one that grows by the
//! same in every iteration, what it grows to; in one that is only ever set to constants, one of these or what it was; in
//! one that no iteration lets fall (or rise), which the iteration on the side requires, what it was or more (or less).
//! That they access no cell is assumed; it is exact, because the offset of an access grows by the same number in every
//! iteration.
//!
//! One iteration, any, is also executed on the side, with the values that others may have left, and goes nowhere: what
//! is invalid in an iteration that is skipped is invalid there. So is, there, an access at an offset that is not what it
//! would be if nothing wrapped. Where the counter could wrap before the loop ends, there is an invalid access too. In
//! all of these there is no proof.
//!
//! Loops inside are shrunk first, so that a body has none left. What the accesses of an iteration of the outer loop then
//! have in common is a row, as wide as the loop goes in an iteration; that they stay in it is required on the side, too.
//!
//! With as many copies of the body as iterations can access a cell, and one for an iteration that leaves the loop, every
//! execution of the loop has one that skips what it may.

use super::counter::{exactly, is_multiple, number};
use super::loops::{Access, Loop, assigned, body_of, is_met, is_never_taken};
use super::totals::Total;
use super::{Cell, add_variable, in_object, offset_of};
use crate::program::{
    BinaryOp, Edge, EdgeId, Expr, LocId, Location, MachineInt, ProcId, Procedure, Program, Scope, Statement, Type,
    UnaryOp, VarId, Variable,
};
use crate::term::Integer;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many constants a variable is set to, at most, to be one of them.
const MAX_CONSTANTS: usize = 4;

const BYTE: Type = Type::Machine(MachineInt { width: 8, signed: false });

/// A variable that iterations change, and not by the same in each.
struct Carried {
    variable: VarId,
    kept: Kept,
}

/// What is known of it after iterations that are skipped, if some are; with a variable for what it was.
enum Kept {
    Nothing,
    /// It was set to one of these, if at all.
    Constants(VarId, Vec<Expr>),
    /// What it was compares so with what it is.
    Order(VarId, BinaryOp),
}

impl Kept {
    /// Says of a variable that holds any value what it can be.
    fn say(&self, variable: VarId, is_some: &Expr) -> Option<(VarId, Expr)> {
        let now = |op, value: &Expr| Expr::binary(op, Expr::Var(variable), value.clone());
        let (before, changed): (VarId, Vec<Expr>) = match self {
            Kept::Nothing => return None,
            Kept::Constants(before, values) => (*before, values.iter().map(|value| now(BinaryOp::Eq, value)).collect()),
            Kept::Order(before, op) => (*before, vec![Expr::binary(*op, Expr::Var(*before), Expr::Var(variable))]),
        };
        let changed = changed.into_iter().map(|is_new| Expr::And(vec![is_some.clone(), is_new]));
        let unchanged = Expr::And(vec![now(BinaryOp::Eq, &Expr::Var(before))]);
        Some((before, Expr::Or(std::iter::once(unchanged).chain(changed).collect())))
    }
}

/// The locations and edges of a body.
struct Parts {
    locations: Vec<LocId>,
    edges: Vec<EdgeId>,
}

/// Shrinks loops of the rewritten program, those inside others first; accesses that must be invalid are to `scratch` or
/// to null. Temporaries of the rewriting, the locals from `own` on, are written before they are read.
pub(super) fn shrink(
    loops: &[Loop],
    cells: &[Cell],
    totals: &[Total],
    [scratch, own]: [VarId; 2],
    result: &mut Program,
) {
    let mut all: Vec<Skipping<'_>> = Vec::new();
    for (number, of) in loops.iter().enumerate() {
        let ty = result.variables[of.counter.variable].ty;
        let next = add_variable(result, "cell%next", ty, Scope::Local(of.procedure));
        let first = of.first_values(result);
        let mut sums = Vec::new();
        for total in totals {
            for (_, variable, op) in total.loops.iter().filter(|(user, ..)| *user == number) {
                let ty = result.variables[*variable].ty;
                let before = add_variable(result, "cell%sum", ty, Scope::Local(of.procedure));
                sums.push(Sum { total, variable: *variable, op: *op, before });
            }
        }
        all.push(Skipping { of, cells, carried: Vec::new(), sums, first, scratch, next });
    }
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|number| all[*number].of.size);
    let mut sides = FxHashSet::default();
    for number in order {
        let of = all[number].of;
        let Some(parts) = of.parts(&result.procedures[of.procedure]) else { continue };
        let carried = of.carried(cells, &result.procedures[of.procedure], &parts.edges, own);
        let carried = carried.into_iter().map(|variable| of.changed(variable, &parts.edges, result)).collect();
        all[number].carried = carried;
        shrink_one(&all, number, &parts, &mut sides, &mut result.procedures[of.procedure]);
    }
}

/// A loop as copies of its body, one after the other.
fn shrink_one(
    all: &[Skipping<'_>],
    number: usize,
    parts: &Parts,
    sides: &mut FxHashSet<LocId>,
    procedure: &mut Procedure,
) {
    let skipping = &all[number];
    let Loop { header, exits, .. } = skipping.of;
    let header = *header;
    let exits: Vec<Edge> = exits.iter().map(|edge| procedure.edges[*edge].clone()).collect();
    let body: Vec<(EdgeId, Edge)> = parts.edges.iter().map(|edge| (*edge, procedure.edges[*edge].clone())).collect();
    for edge in &parts.edges {
        procedure.edges[*edge].block = vec![Statement::Assume(Expr::Bool(false))];
    }
    let span = body.first().and_then(|(_, edge)| edge.span);
    let location = |procedure: &mut Procedure| procedure.locations.push(Location::default());
    let copy = |procedure: &mut Procedure| -> FxHashMap<LocId, LocId> {
        parts.locations.iter().map(|original| (*original, location(procedure))).collect()
    };

    // The iteration on the side.
    let (start, nowhere, copies) = (location(procedure), location(procedure), copy(procedure));
    let block = [skipping.note_first(), skipping.to_any()].concat();
    procedure.edges.push(Edge { source: header, target: start, label: None, block, span, places: Vec::new() });
    for (edge, data) in &body {
        let source = if data.source == header { start } else { copies[&data.source] };
        let mut block = on_the_side(all, (skipping.of.procedure, *edge), &data.block);
        if data.target == header {
            block.extend(skipping.required_at_end());
        }
        let known = copies.get(&data.target).or_else(|| sides.get(&data.target)).copied();
        let target = known.unwrap_or_else(|| {
            block.push(Statement::Assume(Expr::Bool(false)));
            nowhere
        });
        procedure.edges.push(Edge { source, target, block, ..data.clone() });
    }
    sides.insert(start);

    let mut here = header;
    let number_of_copies = skipping.of.copies(skipping.cells);
    for number in 0..=number_of_copies {
        let note = if here == header { skipping.note_first() } else { Vec::new() };
        for exit in &exits {
            let block = [note.clone(), skipping.to_end(), skipping.sum_up(), exit.block.clone()].concat();
            procedure.edges.push(Edge { source: here, block, ..exit.clone() });
            if here != header {
                let block = [skipping.sum_up(), exit.block.clone()].concat();
                procedure.edges.push(Edge { source: here, block, ..exit.clone() });
            }
        }
        if number == number_of_copies {
            break;
        }
        let (start, end) = (location(procedure), location(procedure));
        let block = [note, skipping.to_next()].concat();
        procedure.edges.push(Edge { source: here, target: start, label: None, block, span, places: Vec::new() });
        let copies = copy(procedure);
        for (_, edge) in &body {
            let source = if edge.source == header { start } else { copies[&edge.source] };
            let inside = copies.get(&edge.target).copied();
            let target = if edge.target == header { end } else { inside.unwrap_or(edge.target) };
            procedure.edges.push(Edge { source, target, ..edge.clone() });
        }
        here = end;
    }
}

/// An edge of an iteration on the side: it does not fail, and an offset that is not as it should be is invalid.
fn on_the_side(all: &[Skipping<'_>], (procedure, edge): (ProcId, EdgeId), block: &[Statement]) -> Vec<Statement> {
    if let [Statement::Call { .. }] = block {
        return Vec::new();
    }
    let assumed = block.iter().take_while(|statement| matches!(statement, Statement::Assume(_))).count();
    let of_procedure = all.iter().filter(|skipping| skipping.of.procedure == procedure);
    let required = of_procedure.flat_map(|skipping| skipping.required_at(edge));
    block[..assumed].iter().cloned().chain(required).chain(block[assumed..].iter().cloned()).collect()
}

impl Loop {
    /// The locations and edges of the body as it is now; `None` where a loop inside is left.
    fn parts(&self, procedure: &Procedure) -> Option<Parts> {
        let locations = body_of(procedure, self.header)?;
        let is_inside = |location: LocId| location == self.header || locations.contains(&location);
        let is_part = |edge: &Edge| is_inside(edge.source) && (edge.source != self.header || is_inside(edge.target));
        let taken = procedure.edges.enumerate().filter(|(_, edge)| is_part(edge) && !is_never_taken(edge));
        let edges = taken.map(|(edge, _)| edge).collect();
        Some(Parts { locations, edges })
    }

    /// The variables that iterations change, other than those that grow, cells and temporaries.
    fn carried(&self, cells: &[Cell], procedure: &Procedure, edges: &[EdgeId], own: VarId) -> Vec<VarId> {
        let all = edges.iter().flat_map(|edge| assigned(&procedure.edges[*edge])).filter(|variable| *variable < own);
        let is_cell = |variable: VarId| cells.iter().any(|cell| cell.value == variable);
        let is_step = |variable: VarId| self.steps.iter().any(|step| step.variable == variable);
        let mut carried: Vec<VarId> = all.filter(|variable| !is_step(*variable) && !is_cell(*variable)).collect();
        carried.sort_unstable();
        carried.dedup();
        carried
    }

    /// What becomes of a variable that iterations change.
    fn changed(&self, variable: VarId, edges: &[EdgeId], result: &mut Program) -> Carried {
        // What it was is only asked for where it has a value by then.
        let procedure = &result.procedures[self.procedure];
        let outside = procedure.edges.enumerate().filter(|(edge, _)| !edges.contains(edge));
        let is_set = outside.flat_map(|(_, data)| assigned(data)).any(|target| target == variable);
        if procedure.result == Some(variable) || !(is_set || result.variables[variable].scope == Scope::Global) {
            return Carried { variable, kept: Kept::Nothing };
        }
        let ty = result.variables[variable].ty;
        let name = format!("cell%before!{}", result.variables[variable].name);
        let before = add_variable(result, &name, ty, Scope::Local(self.procedure));
        let order = self.ordered.iter().find(|(of, _)| *of == variable).map(|(_, op)| Kept::Order(before, *op));
        let constants = self.constants(variable, edges, result).map(|values| Kept::Constants(before, values));
        Carried { variable, kept: constants.or(order).unwrap_or(Kept::Nothing) }
    }

    /// The constants that a variable is set to, where it is only set to few of these.
    fn constants(&self, variable: VarId, edges: &[EdgeId], result: &Program) -> Option<Vec<Expr>> {
        let mut values = Vec::new();
        for edge in edges {
            for statement in &result.procedures[self.procedure].edges[*edge].block {
                if !statement.targets().contains(&variable) {
                    continue;
                }
                let Statement::Assign(pairs) = statement else { return None };
                for (_, value) in pairs.iter().filter(|(target, _)| *target == variable) {
                    match value {
                        Expr::Int(..) | Expr::Bool(_) if values.len() < MAX_CONSTANTS => values.push(value.clone()),
                        _ => return None,
                    }
                }
            }
        }
        Some(values)
    }

    /// Variables for the values that those that grow have when the loop is entered, where there is more than the counter.
    fn first_values(&self, result: &mut Program) -> Vec<VarId> {
        if self.steps.len() == 1 {
            return Vec::new();
        }
        let mut first = Vec::new();
        for step in &self.steps {
            let Variable { name, ty, .. } = result.variables[step.variable].clone();
            first.push(add_variable(result, &format!("cell%first!{name}"), ty, Scope::Local(self.procedure)));
        }
        first
    }
}

/// What the loop adds to a variable, as a number that other loops add too.
struct Sum<'a> {
    total: &'a Total,
    variable: VarId,
    op: BinaryOp,
    /// A variable for what it was before the loop.
    before: VarId,
}

/// How iterations of a loop are skipped.
struct Skipping<'a> {
    of: &'a Loop,
    cells: &'a [Cell],
    carried: Vec<Carried>,
    sums: Vec<Sum<'a>>,
    /// For each variable that grows, what it was when the loop was entered.
    first: Vec<VarId>,
    scratch: VarId,
    /// A variable for the counter afterwards.
    next: VarId,
}

impl Skipping<'_> {
    /// Keeps the values that variables have when the loop is entered.
    fn note_first(&self) -> Vec<Statement> {
        let pairs = self.first.iter().zip(&self.of.steps).map(|(first, step)| (*first, Expr::Var(step.variable)));
        let before = self.sums.iter().map(|sum| (sum.before, Expr::Var(sum.variable)));
        let pairs: Vec<_> = pairs.chain(before).collect();
        let noted = (!pairs.is_empty()).then_some(Statement::Assign(pairs));
        noted.into_iter().chain(self.sums.iter().flat_map(|sum| sum.total.begin())).collect()
    }

    /// What the whole loop leaves in variables that it adds to.
    fn sum_up(&self) -> Vec<Statement> {
        self.sums.iter().map(|sum| sum.total.end(sum.variable, sum.op, sum.before)).collect()
    }

    /// Goes to any iteration that is left.
    fn to_any(&self) -> Vec<Statement> {
        [self.ends(), self.choose_next(), self.go_to_next(&Expr::Bool(true)), self.note_ordered()].concat()
    }

    fn ordered(&self) -> impl Iterator<Item = (VarId, VarId, BinaryOp)> {
        self.carried.iter().filter_map(|carried| match carried.kept {
            Kept::Order(before, op) => Some((carried.variable, before, op)),
            Kept::Nothing | Kept::Constants(..) => None,
        })
    }

    /// Keeps what variables are before an iteration that do not fall, or do not rise, in it.
    fn note_ordered(&self) -> Vec<Statement> {
        self.ordered().map(|(variable, before, _)| Statement::Assign(vec![(before, Expr::Var(variable))])).collect()
    }

    /// What must hold of these after the iteration.
    fn required_at_end(&self) -> Vec<Statement> {
        let holds = |(variable, before, op)| Expr::binary(op, Expr::Var(before), Expr::Var(variable));
        self.ordered().map(|of| self.require(holds(of))).collect()
    }

    /// Skips iterations before one that is executed.
    fn to_next(&self) -> Vec<Statement> {
        [self.ends(), self.choose_next(), self.skip()].concat()
    }

    fn choose_next(&self) -> Vec<Statement> {
        let counter = &self.of.counter;
        let (now, then) = (Expr::Var(counter.variable), Expr::Var(self.next));
        let ahead = vec![
            counter.is_ordered(now.clone(), then.clone()),
            counter.goes_on(then.clone()),
            counter.comes_to(&now, &then),
        ];
        vec![Statement::Havoc { target: self.next, span: None }, Statement::Assume(Expr::And(ahead))]
    }

    /// Skips all that are left.
    fn to_end(&self) -> Vec<Statement> {
        let counter = &self.of.counter;
        let (now, then) = (Expr::Var(counter.variable), Expr::Var(self.next));
        let chosen = match counter.last() {
            Some(last) => {
                let goes_on = Statement::Assume(counter.goes_on(now));
                vec![goes_on, Statement::Assign(vec![(self.next, last)])]
            }
            None => {
                let ahead = vec![
                    counter.is_ordered(now.clone(), then.clone()),
                    counter.goes_on(now.clone()),
                    counter.goes_on(then.clone()).negate(),
                    counter.goes_on(counter.before(then.clone())),
                    counter.comes_to(&now, &then),
                ];
                vec![Statement::Havoc { target: self.next, span: None }, Statement::Assume(Expr::And(ahead))]
            }
        };
        [self.ends(), chosen, self.skip()].concat()
    }

    /// An invalid access where the counter could wrap.
    fn ends(&self) -> Vec<Statement> {
        let counter = &self.of.counter;
        let is_over = counter.goes_on(Expr::Var(counter.variable)).negate();
        counter.ends().map(|ends| self.require(Expr::Or(vec![is_over, ends]))).into_iter().collect()
    }

    /// An access that is valid where a condition holds.
    fn require(&self, condition: Expr) -> Statement {
        let address = Expr::Ite(Box::new(condition), Box::new(Expr::Var(self.scratch)), Box::new(Expr::Null));
        Statement::Store { address, value: Expr::Int(Integer::ZERO, BYTE) }
    }

    /// How many iterations there are from the first to that with a value of the counter.
    fn iterations_to(&self, counter: &Expr) -> Expr {
        let apart = Expr::binary(BinaryOp::Sub, exactly(counter), exactly(&Expr::Var(self.first[0])));
        match self.of.counter.step {
            1 => apart,
            step => Expr::binary(BinaryOp::Div, apart, number(step)),
        }
    }

    /// How many bytes an access is from its base if nothing wraps, in the iteration with a value of the counter.
    fn exact(&self, access: &Access, counter: &Expr) -> Expr {
        access.growing.as_expr(|variable| {
            let number_of = self.of.steps.iter().position(|step| step.variable == variable);
            let of_step = number_of.unwrap_or_default();
            if of_step == 0 {
                return exactly(counter);
            }
            let grown = Expr::binary(BinaryOp::Mul, self.iterations_to(counter), number(self.of.steps[of_step].by));
            Expr::binary(BinaryOp::Add, exactly(&Expr::Var(self.first[of_step])), grown)
        })
    }

    /// What must hold of the accesses on an edge, in all iterations: they are where they would be if nothing wrapped, and
    /// those of one iteration before those of the next.
    fn required_at(&self, edge: EdgeId) -> Vec<Statement> {
        let now = Expr::Var(self.of.counter.variable);
        let mut required = Vec::new();
        for access in self.of.accesses.iter().filter(|access| access.edge == edge) {
            let (exact, inner) = (self.exact(access, &now), access.growing.inner_part());
            if let Some(inner) = &inner {
                let [low, high] = [number(0), number(access.apart.abs())];
                required.push(self.require(Expr::binary(BinaryOp::Le, low, inner.clone())));
                required.push(self.require(Expr::binary(BinaryOp::Lt, inner.clone(), high)));
            }
            if access.growing.can_wrap {
                let sum = match inner {
                    Some(inner) => Expr::binary(BinaryOp::Add, exact, inner),
                    None => exact,
                };
                required.push(self.require(Expr::binary(BinaryOp::Eq, access.bytes.clone(), sum)));
            }
        }
        required
    }

    /// Skips iterations that access no cell.
    fn skip(&self) -> Vec<Statement> {
        let counter = &self.of.counter;
        let (now, then) = (Expr::Var(counter.variable), Expr::Var(self.next));
        let last = counter.before(then.clone());
        let is_some = Expr::binary(BinaryOp::Ne, now.clone(), then);
        let mut block: Vec<Statement> = Vec::new();
        for access in &self.of.accesses {
            let offset = |value: &Expr| {
                let start = Expr::unary(UnaryOp::Offset, access.base.clone());
                Expr::binary(BinaryOp::Add, start, self.exact(access, value))
            };
            for cell in self.cells.iter().filter(|cell| is_met(cell, access)) {
                let (low, high) =
                    if access.apart > 0 { (offset(&now), offset(&last)) } else { (offset(&last), offset(&now)) };
                // The accesses of an iteration are before those of the next, where there are several.
                let has_inner = !access.growing.inner.is_empty();
                let is_before_end = match has_inner {
                    true => {
                        let end = Expr::binary(BinaryOp::Add, high, number(access.apart.abs()));
                        Expr::binary(BinaryOp::Lt, offset_of(cell), end)
                    }
                    false => Expr::binary(BinaryOp::Le, offset_of(cell), high),
                };
                let mut met = vec![is_some.clone(), Expr::binary(BinaryOp::Le, low, offset_of(cell)), is_before_end];
                let is_aligned = cell.places.step == access.apart.abs() && cell.places == access.target.offsets;
                if !has_inner && (access.growing.can_wrap || !is_aligned) {
                    let distance = Expr::binary(BinaryOp::Sub, offset_of(cell), offset(&now));
                    met.push(is_multiple(distance, access.apart));
                }
                met.extend(in_object(cell, &access.base, access.target.sites));
                let unmet = Statement::Assume(Expr::And(met).negate());
                if !block.contains(&unmet) {
                    block.push(unmet);
                }
            }
        }
        block.extend(self.go_to_next(&is_some));
        block
    }

    /// The values of variables in the next iteration that is executed, whether or not some were skipped.
    fn go_to_next(&self, is_some: &Expr) -> Vec<Statement> {
        let mut block = Vec::new();
        for Carried { variable, kept } in &self.carried {
            let any = Statement::Havoc { target: *variable, span: None };
            match kept.say(*variable, is_some) {
                None => block.push(any),
                Some((before, said)) => {
                    block.push(Statement::Assign(vec![(before, Expr::Var(*variable))]));
                    block.push(any);
                    block.push(Statement::Assume(said));
                }
            }
        }
        let then = Expr::Var(self.next);
        for (step, first) in self.of.steps.iter().zip(&self.first).skip(1) {
            let grown = Expr::binary(BinaryOp::Mul, self.iterations_to(&then), number(step.by));
            let grown = Expr::Cast(step.ty, Box::new(grown));
            let value = Expr::binary(BinaryOp::Add, Expr::Var(*first), grown);
            block.push(Statement::Assign(vec![(step.variable, value)]));
        }
        block.push(Statement::Assign(vec![(self.of.counter.variable, then)]));
        block
    }
}

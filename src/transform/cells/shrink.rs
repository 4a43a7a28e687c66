//! Loops over arrays, taken at a few iterations: those that access tracked cells.
//!
//! A loop counts up or down to a bound that it does not change, by the same number in every iteration. Iterations that
//! access no tracked cell change no cell, and their failures are discarded; so they are skipped, to the next iteration
//! that is executed or to the end of the loop. What they leave in other variables is any value; in one that is only ever
//! set to constants, one of these or what it was. That they access no cell is assumed; it is exact, because the offset
//! of an access grows by the same number in every iteration. The accesses of the first and of the last iteration that
//! is skipped are made, as these are valid if and only if all between them are. Where the counter could wrap before the
//! loop ends, or an offset on its way, there is an invalid access, and so no proof.
//!
//! An iteration accesses a cell by each of its accesses at most once. So with one copy of the body for each cell and
//! access, and one for an iteration that leaves the loop, every execution of the loop has one that skips what it may.

use super::counter::{Counter, Growing, growth, guard_of, is_multiple, mentions, with};
use super::discard::Plan;
use super::points::{Points, Sites, Target};
use super::{Cell, add_variable, in_object, is_alike, is_header, offset_of, zero};
use crate::program::{
    BinaryOp, Edge, EdgeId, Expr, LocId, Location, MachineInt, ProcId, Procedure, Program, Scope, Statement, Type,
    UnaryOp, VarId,
};
use crate::term::Integer;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many iterations of a loop are executed at most.
const MAX_COPIES: usize = 5;

/// How many constants a variable is set to, at most, to be one of them.
const MAX_CONSTANTS: usize = 4;

const BYTE: Type = Type::Machine(MachineInt { width: 8, signed: false });

/// A loop that can be shrunk.
pub(super) struct Loop {
    pub procedure: ProcId,
    header: LocId,
    /// The locations of its body.
    body: Vec<LocId>,
    /// The edges from the header into the body, and from there.
    edges: Vec<EdgeId>,
    /// Those that leave it at the header.
    exits: Vec<EdgeId>,
    counter: Counter,
    accesses: Vec<Access>,
    /// Whether an iteration may leave it otherwise.
    has_other_exits: bool,
}

/// An access to an array in every iteration, or some.
struct Access {
    address: Expr,
    target: Target,
    ty: Type,
    /// How far the access is from that of the iteration before, and its offset if nothing wraps.
    growing: Growing,
}

/// The loops that can be shrunk.
pub(super) fn loops(program: &Program, points: &Points, selected: Sites, cells: &[Cell], plan: &Plan) -> Vec<Loop> {
    let context = Context { program, points, selected, cells, plan };
    let mut found = Vec::new();
    for (id, procedure) in program.procedures.enumerate() {
        for header in procedure.locations.ids() {
            found.extend(context.loop_at(id, procedure, header));
        }
    }
    found
}

struct Context<'a> {
    program: &'a Program,
    points: &'a Points,
    selected: Sites,
    cells: &'a [Cell],
    plan: &'a Plan,
}

impl Context<'_> {
    fn loop_at(&self, id: ProcId, procedure: &Procedure, header: LocId) -> Option<Loop> {
        let body = body_of(procedure, header)?;
        let is_inside = |location: LocId| location == header || body.contains(&location);
        let (mut edges, mut exits, mut has_other_exits) = (Vec::new(), Vec::new(), false);
        for (edge, data) in procedure.edges.enumerate().filter(|(_, data)| is_inside(data.source)) {
            match (data.source == header, is_inside(data.target)) {
                (true, false) => exits.push(edge),
                (_, true) => edges.push(edge),
                (false, false) => {
                    has_other_exits |= !self.is_discarded(id, edge);
                    edges.push(edge);
                }
            }
        }
        let guard = guard_of(procedure, header, &edges, &exits)?;
        let counter = guard.1;
        let (mut accesses, mut steps) = (Vec::new(), Vec::new());
        for &edge in &edges {
            let data = &procedure.edges[edge];
            let is_back = data.target == header;
            steps.extend(self.look_at(procedure, data, counter, is_back, &mut accesses)?);
        }
        let step = *steps.first()?;
        let counter = Counter::new(self.program, guard, step).filter(|_| steps.iter().all(|other| *other == step))?;
        let changed: FxHashSet<VarId> = edges.iter().flat_map(|edge| assigned(&procedure.edges[*edge])).collect();
        let is_fixed = |expr: &Expr| {
            let mut fixed = true;
            expr.for_each_var(&mut |variable| fixed &= variable == counter.variable || !changed.contains(&variable));
            fixed && !expr.has_load()
        };
        let in_bound = mentions(&counter.bound, counter.variable);
        let fits = is_fixed(&counter.bound) && !in_bound && accesses.iter().all(|access| is_fixed(&access.address));
        let is_exact = accesses.iter().all(|access| self.is_exact(access));
        let found = Loop { procedure: id, header, body, edges, exits, counter, accesses, has_other_exits };
        (fits && is_exact && !found.accesses.is_empty() && found.copies(self.cells) <= MAX_COPIES).then_some(found)
    }

    /// Whether an edge is to a failure that is discarded in every iteration that accesses no cell: it reads elements.
    fn is_discarded(&self, procedure: ProcId, edge: EdgeId) -> bool {
        let block = &self.program.procedures[procedure].edges[edge].block;
        let reads = block.iter().flat_map(Statement::expressions).any(|expr| self.reads_elements(expr));
        self.plan.failing.contains_key(&(procedure, edge)) && reads
    }

    /// Whether an element is read wherever an expression is evaluated.
    fn reads_elements(&self, expr: &Expr) -> bool {
        let here = matches!(expr, Expr::Load(_, address) if self.is_element(address));
        let always = match expr {
            Expr::And(_) | Expr::Or(_) | Expr::Ite(..) | Expr::Binary(BinaryOp::Implies, ..) => 1,
            _ => usize::MAX,
        };
        here || expr.operands().into_iter().take(always).any(|operand| self.reads_elements(operand))
    }

    fn is_element(&self, address: &Expr) -> bool {
        self.points.target(self.program, address).sites & self.selected != 0 && !is_header(self.program, address)
    }

    /// Collects the accesses of an edge of a loop, and tells what it adds to the counter, if it leads back; `None` where
    /// it does what must not be skipped.
    fn look_at(
        &self,
        procedure: &Procedure,
        edge: &Edge,
        counter: VarId,
        is_back: bool,
        accesses: &mut Vec<Access>,
    ) -> Option<Option<i64>> {
        let mut step = None;
        for statement in &edge.block {
            if step.is_some() && statement.expressions().iter().any(|expr| mentions(expr, counter) || expr.has_load()) {
                return None;
            }
            match statement {
                Statement::Assume(_) | Statement::Havoc { .. } => {}
                Statement::Assign(pairs) => {
                    if let Some((_, value)) = pairs.iter().find(|(target, _)| *target == counter) {
                        let is_once = is_back && step.is_none() && pairs.len() == 1;
                        step = Some(growth(value, counter).filter(|_| is_once)?);
                    }
                }
                Statement::Store { address, value } if self.is_element(address) => {
                    let ty = value.type_in(self.program);
                    self.add(address, ty, counter, accesses)?;
                }
                Statement::Call { target, callee, arguments } => {
                    let is_checked = arguments.iter().any(|argument| self.reads_elements(argument));
                    if target.is_some() || !is_checked || !self.only_fails(*callee) {
                        return None;
                    }
                }
                _ => return None,
            }
            if statement.targets().contains(&counter) && step.is_none() {
                return None;
            }
            for expr in statement.expressions() {
                self.collect(expr, counter, accesses)?;
            }
        }
        // A failure that is not discarded must not be skipped.
        let fails = procedure.locations[edge.target].error.is_some();
        let number = procedure.edges.enumerate().find(|(_, other)| std::ptr::eq(*other, edge))?.0;
        let id = self.program.procedures.enumerate().find(|(_, other)| std::ptr::eq(*other, procedure))?.0;
        (is_back == step.is_some() && (!fails || self.is_discarded(id, number))).then_some(step)
    }

    /// Whether a procedure does nothing but fail, where failures are discarded, or return.
    fn only_fails(&self, callee: ProcId) -> bool {
        let procedure = &self.program.procedures[callee];
        let local = |variable: &VarId| self.program.locals(callee).any(|local| local == *variable);
        let is_plain = |statement: &Statement| match statement {
            Statement::Assume(condition) => !condition.has_load(),
            Statement::Assign(pairs) => pairs.iter().all(|(target, value)| local(target) && !value.has_load()),
            _ => false,
        };
        procedure.edges.enumerate().all(|(edge, data)| {
            let is_failing = self.plan.failing.contains_key(&(callee, edge));
            let fails = procedure.locations[data.target].error.is_some();
            data.block.iter().all(is_plain) && (!fails || is_failing && data.source == procedure.entry)
        }) && procedure.locations.ids().all(|location| body_of(procedure, location).is_none())
    }

    fn collect(&self, expr: &Expr, counter: VarId, accesses: &mut Vec<Access>) -> Option<()> {
        if let Expr::Load(ty, address) = expr {
            if !self.is_element(address) {
                return None;
            }
            self.add(address, *ty, counter, accesses)?;
        }
        expr.operands().into_iter().try_for_each(|operand| self.collect(operand, counter, accesses))
    }

    /// Adds an access; `None` where its offset does not grow with the counter.
    fn add(&self, address: &Expr, ty: Type, counter: VarId, accesses: &mut Vec<Access>) -> Option<()> {
        if !accesses.iter().any(|known| known.address == *address && known.ty == ty) {
            let Expr::Binary(BinaryOp::PointerAdd, base, bytes) = address else { return None };
            let growing = Growing::of(self.program, bytes, counter)?;
            if mentions(base, counter) || growing.factor == 0 {
                return None;
            }
            let target = self.points.target(self.program, address);
            accesses.push(Access { address: address.clone(), target, ty, growing });
        }
        Some(())
    }

    /// Whether an access is to a cell as a whole, or to none of its bytes.
    fn is_exact(&self, access: &Access) -> bool {
        let mut cells = self.cells.iter().filter(|cell| access.target.sites & (1 << cell.site) != 0);
        access.target.sites & !self.selected == 0
            && cells.all(|cell| {
                is_alike(cell.ty, access.ty)
                    && cell.places.is_aligned_with(access.target.offsets, width(self.program, cell.ty))
            })
    }
}

impl Loop {
    /// The type of its counter.
    pub(super) fn counter_type(&self, program: &Program) -> Type {
        program.variables[self.counter.variable].ty
    }

    /// How many iterations are executed.
    fn copies(&self, cells: &[Cell]) -> usize {
        let of_access = |access: &Access| cells.iter().filter(|cell| is_met(cell, access)).count();
        let mut addresses: Vec<&Expr> = Vec::new();
        let distinct = self.accesses.iter().filter(|access| {
            let is_new = !addresses.contains(&&access.address);
            addresses.push(&access.address);
            is_new
        });
        distinct.map(of_access).sum::<usize>() + usize::from(self.has_other_exits)
    }

    /// The loop as copies of its body, one after the other, in the rewritten program; `next` is a variable for the counter
    /// after what was skipped.
    /// Temporaries of the rewriting, the locals from `own` on, are written before they are read.
    pub(super) fn shrink(&self, cells: &[Cell], [scratch, next]: [VarId; 2], own: VarId, result: &mut Program) {
        let procedure = &result.procedures[self.procedure];
        let parts = self.parts(procedure);
        let carried = self.carried(cells, procedure, &parts.edges, own);
        let carried = carried.into_iter().map(|variable| self.changed(variable, &parts.edges, result)).collect();
        let skipping = Skipping { of: self, cells, carried, scratch, next };
        let procedure = &mut result.procedures[self.procedure];
        let exits: Vec<Edge> = self.exits.iter().map(|edge| procedure.edges[*edge].clone()).collect();
        let body: Vec<Edge> = parts.edges.iter().map(|edge| procedure.edges[*edge].clone()).collect();
        for edge in &parts.edges {
            procedure.edges[*edge].block = vec![Statement::Assume(Expr::Bool(false))];
        }
        let span = procedure.edges[self.edges[0]].span;
        let mut here = self.header;
        for copy in 0..=self.copies(cells) {
            for exit in &exits {
                let block = [skipping.to_end(), exit.block.clone()].concat();
                procedure.edges.push(Edge { source: here, block, ..exit.clone() });
                if here != self.header {
                    procedure.edges.push(Edge { source: here, ..exit.clone() });
                }
            }
            if copy == self.copies(cells) {
                break;
            }
            let location = |procedure: &mut Procedure| procedure.locations.push(Location::default());
            let (start, end) = (location(procedure), location(procedure));
            procedure.edges.push(Edge { source: here, target: start, label: None, block: skipping.to_next(), span });
            let copies: FxHashMap<LocId, LocId> =
                parts.locations.iter().map(|original| (*original, location(procedure))).collect();
            for edge in &body {
                let source = if edge.source == self.header { start } else { copies[&edge.source] };
                let inside = copies.get(&edge.target).copied();
                let target = if edge.target == self.header { end } else { inside.unwrap_or(edge.target) };
                procedure.edges.push(Edge { source, target, ..edge.clone() });
            }
            here = end;
        }
    }

    /// The locations and edges of the body, with those that calls were split into.
    fn parts(&self, procedure: &Procedure) -> Parts {
        let mut parts = Parts { locations: self.body.clone(), edges: self.edges.clone() };
        let outgoing = procedure.outgoing();
        for edge in &self.edges {
            let target = procedure.edges[*edge].target;
            if target != self.header
                && !parts.locations.contains(&target)
                && procedure.locations[target].error.is_none()
                && let Some(first) = outgoing[target].first()
                && let [Statement::Call { .. }] = procedure.edges[*first].block[..]
            {
                parts.locations.push(target);
                parts.edges.extend(outgoing[target].iter().copied());
            }
        }
        parts
    }

    /// The variables that iterations change, other than the counter, cells and temporaries.
    fn carried(&self, cells: &[Cell], procedure: &Procedure, edges: &[EdgeId], own: VarId) -> Vec<VarId> {
        let all = edges.iter().flat_map(|edge| assigned(&procedure.edges[*edge])).filter(|variable| *variable < own);
        let is_cell = |variable: VarId| cells.iter().any(|cell| cell.value == variable);
        let mut carried: Vec<VarId> = all.filter(|v| *v != self.counter.variable && !is_cell(*v)).collect();
        carried.sort_unstable();
        carried.dedup();
        carried
    }

    /// What becomes of a variable that iterations change.
    fn changed(&self, variable: VarId, edges: &[EdgeId], result: &mut Program) -> Carried {
        let mut values = Vec::new();
        // What it was is only asked for where it has a value by then.
        let procedure = &result.procedures[self.procedure];
        let outside = procedure.edges.enumerate().filter(|(edge, _)| !edges.contains(edge));
        let is_set = outside.flat_map(|(_, data)| assigned(data)).any(|target| target == variable);
        if procedure.result == Some(variable) || !(is_set || result.variables[variable].scope == Scope::Global) {
            return Carried { variable, once: None };
        }
        for edge in edges {
            for statement in &result.procedures[self.procedure].edges[*edge].block {
                if !statement.targets().contains(&variable) {
                    continue;
                }
                let Statement::Assign(pairs) = statement else { return Carried { variable, once: None } };
                for (_, value) in pairs.iter().filter(|(target, _)| *target == variable) {
                    match value {
                        Expr::Int(..) | Expr::Bool(_) if values.len() < MAX_CONSTANTS => values.push(value.clone()),
                        _ => return Carried { variable, once: None },
                    }
                }
            }
        }
        let ty = result.variables[variable].ty;
        let name = format!("cell%before!{}", result.variables[variable].name);
        let before = add_variable(result, &name, ty, Scope::Local(self.procedure));
        Carried { variable, once: Some((before, values)) }
    }
}

/// A variable that iterations change, other than the counter.
struct Carried {
    variable: VarId,
    /// Where it is only set to constants: a variable for what it was, and these.
    once: Option<(VarId, Vec<Expr>)>,
}

/// The locations and edges of a body.
struct Parts {
    locations: Vec<LocId>,
    edges: Vec<EdgeId>,
}

/// How iterations of a loop are skipped.
struct Skipping<'a> {
    of: &'a Loop,
    cells: &'a [Cell],
    carried: Vec<Carried>,
    scratch: VarId,
    /// A variable for the counter afterwards.
    next: VarId,
}

impl Skipping<'_> {
    /// Skips iterations before one that is executed.
    fn to_next(&self) -> Vec<Statement> {
        let counter = &self.of.counter;
        let (now, then) = (Expr::Var(counter.variable), Expr::Var(self.next));
        let ahead = vec![
            counter.is_ordered(now.clone(), then.clone()),
            counter.goes_on(then.clone()),
            counter.comes_to(&now, &then),
        ];
        let chosen = vec![Statement::Havoc { target: self.next, span: None }, Statement::Assume(Expr::And(ahead))];
        [self.ends(), chosen, self.skip()].concat()
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

    /// Skips iterations that access no cell.
    fn skip(&self) -> Vec<Statement> {
        let counter = &self.of.counter;
        let (now, then) = (Expr::Var(counter.variable), Expr::Var(self.next));
        let last = counter.before(then.clone());
        let is_some = Expr::binary(BinaryOp::Ne, now.clone(), then.clone());
        let mut block = Vec::new();
        for access in &self.of.accesses {
            let at = |value: &Expr| with(&access.address, counter.variable, value);
            let apart = access.growing.factor * counter.step;
            if let (Some(exact), Expr::Binary(_, _, bytes)) = (&access.growing.exact, &access.address) {
                let is_exact = |value: &Expr| {
                    let [exact, bytes] = [exact, &**bytes].map(|expr| with(expr, counter.variable, value));
                    Expr::binary(BinaryOp::Eq, exact, bytes)
                };
                let both = Expr::And(vec![is_exact(&now), is_exact(&last)]);
                block.push(self.require(Expr::Or(vec![is_some.clone().negate(), both])));
            }
            for cell in self.cells.iter().filter(|cell| is_met(cell, access)) {
                let offset = |value: &Expr| Expr::unary(UnaryOp::Offset, at(value));
                let (low, high) = if apart > 0 { (offset(&now), offset(&last)) } else { (offset(&last), offset(&now)) };
                let mut met = vec![
                    is_some.clone(),
                    Expr::binary(BinaryOp::Le, low, offset_of(cell)),
                    Expr::binary(BinaryOp::Le, offset_of(cell), high),
                ];
                if cell.places.step != apart.abs() || cell.places != access.target.offsets {
                    let distance = Expr::binary(BinaryOp::Sub, offset_of(cell), offset(&now));
                    met.push(is_multiple(distance, apart));
                }
                met.extend(in_object(cell, &at(&now), access.target.sites));
                block.push(Statement::Assume(Expr::And(met).negate()));
            }
            // The accesses of the first and of the last iteration that is skipped, if there is one.
            for value in [&now, &last] {
                let scratch = Expr::Var(self.scratch);
                let address = Expr::Ite(Box::new(is_some.clone()), Box::new(at(value)), Box::new(scratch));
                block.push(Statement::Store { address, value: zero(access.ty) });
            }
        }
        for Carried { variable, once } in &self.carried {
            let any = Statement::Havoc { target: *variable, span: None };
            match once {
                None => block.push(any),
                Some((before, values)) => {
                    let is_now = |value: Expr| Expr::binary(BinaryOp::Eq, Expr::Var(*variable), value);
                    let kept = Expr::And(vec![is_now(Expr::Var(*before))]);
                    let set = values.iter().map(|value| Expr::And(vec![is_some.clone(), is_now(value.clone())]));
                    block.push(Statement::Assign(vec![(*before, Expr::Var(*variable))]));
                    block.push(any);
                    block.push(Statement::Assume(Expr::Or(std::iter::once(kept).chain(set).collect())));
                }
            }
        }
        block.push(Statement::Assign(vec![(counter.variable, then)]));
        block
    }
}

/// Whether an access can be to a cell.
fn is_met(cell: &Cell, access: &Access) -> bool {
    access.target.sites & (1 << cell.site) != 0 && is_alike(cell.ty, access.ty)
}

/// The locations from a header back to it, without the header; `None` where there is no loop, it is entered elsewhere, or
/// has another loop inside.
fn body_of(procedure: &Procedure, header: LocId) -> Option<Vec<LocId>> {
    let outgoing = procedure.outgoing();
    let next = |location: LocId| outgoing[location].iter().map(|edge| procedure.edges[*edge].target);
    // What leads to the header without passing it, of what it leads to.
    let mut reached: FxHashSet<LocId> = FxHashSet::default();
    let mut waiting: Vec<LocId> = next(header).collect();
    while let Some(location) = waiting.pop() {
        if location != header && reached.insert(location) {
            waiting.extend(next(location));
        }
    }
    let mut inside: FxHashSet<LocId> = FxHashSet::default();
    loop {
        let more: Vec<LocId> = (reached.iter().copied())
            .filter(|location| !inside.contains(location))
            .filter(|location| next(*location).any(|target| target == header || inside.contains(&target)))
            .collect();
        if more.is_empty() {
            break;
        }
        inside.extend(more);
    }
    let is_loop = !inside.is_empty() || next(header).any(|target| target == header);
    let is_entered_elsewhere = (procedure.edges.iter())
        .any(|edge| inside.contains(&edge.target) && edge.source != header && !inside.contains(&edge.source));
    // An order in which every edge inside goes forward.
    let mut left: Vec<LocId> = inside.iter().copied().collect();
    left.sort_unstable();
    let mut ordered: FxHashSet<LocId> = FxHashSet::default();
    while ordered.len() < inside.len() {
        let is_free = |location: &LocId| {
            let mut into = procedure.edges.iter().filter(|edge| edge.target == *location);
            into.all(|edge| edge.source == header || ordered.contains(&edge.source))
        };
        let free: Vec<LocId> = left.iter().copied().filter(|l| !ordered.contains(l) && is_free(l)).collect();
        if free.is_empty() {
            return None;
        }
        ordered.extend(free);
    }
    (is_loop && !is_entered_elsewhere).then_some(left)
}

/// The variables that an edge assigns.
fn assigned(edge: &Edge) -> impl Iterator<Item = VarId> + '_ {
    edge.block.iter().flat_map(Statement::targets)
}

/// How many bytes a value of a type has.
fn width(program: &Program, ty: Type) -> i64 {
    match ty {
        Type::Machine(machine) => i64::from(machine.bytes()),
        Type::Float(kind) => i64::from(kind.bytes()),
        Type::Pointer => i64::from(program.pointer_bytes),
        _ => 1,
    }
}

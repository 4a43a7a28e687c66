//! Loops over arrays, taken at a few iterations: those that access tracked cells.
//!
//! A loop counts up by one to a bound that it does not change. Iterations that access no tracked cell change no cell,
//! and their failures are discarded; so they are skipped, to the next iteration that is executed or to the end of the
//! loop. What they leave in other variables is any value. That they access no cell is assumed; it is exact, because an
//! array is accessed at all offsets where its cells can be, one after the other. The accesses of the first and of the
//! last iteration that is skipped are made, as these are valid if and only if all between them are.
//!
//! An iteration accesses a cell by each of its accesses at most once. So with one copy of the body for each cell and
//! access, and one for an iteration that leaves the loop, every execution of the loop has one that skips what it may.

use super::discard::Plan;
use super::points::{Points, Sites, Target};
use super::{Cell, in_object, is_alike, is_header, offset_of, zero};
use crate::program::{
    BinaryOp, Edge, EdgeId, Expr, LocId, Location, OFFSET, ProcId, Procedure, Program, Statement, Type, UnaryOp, VarId,
};
use crate::term::Integer;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many iterations of a loop are executed at most.
const MAX_COPIES: usize = 5;

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
    counter: VarId,
    bound: Expr,
    accesses: Vec<Access>,
    /// Whether an iteration may leave it otherwise.
    has_other_exits: bool,
}

/// An access to an array in every iteration, or some.
struct Access {
    address: Expr,
    target: Target,
    ty: Type,
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
        let (counter, bound) = guard_of(procedure, header, &edges, &exits)?;
        let mut accesses = Vec::new();
        for &edge in &edges {
            let data = &procedure.edges[edge];
            let is_back = data.target == header;
            self.look_at(procedure, data, counter, is_back, &mut accesses)?;
        }
        let changed: FxHashSet<VarId> = edges.iter().flat_map(|edge| assigned(&procedure.edges[*edge])).collect();
        let is_fixed = |expr: &Expr| {
            let mut fixed = true;
            expr.for_each_var(&mut |variable| fixed &= variable == counter || !changed.contains(&variable));
            fixed && !expr.has_load()
        };
        let mut in_bound = false;
        bound.for_each_var(&mut |variable| in_bound |= variable == counter);
        let fits = is_fixed(&bound) && !in_bound && accesses.iter().all(|access| is_fixed(&access.address));
        let is_exact = accesses.iter().all(|access| self.is_exact(access, counter));
        let found = Loop { procedure: id, header, body, edges, exits, counter, bound, accesses, has_other_exits };
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

    /// Collects the accesses of an edge of a loop; `None` where it does what must not be skipped.
    fn look_at(
        &self,
        procedure: &Procedure,
        edge: &Edge,
        counter: VarId,
        is_back: bool,
        accesses: &mut Vec<Access>,
    ) -> Option<()> {
        let mut is_counted = false;
        for statement in &edge.block {
            if is_counted && statement.expressions().iter().any(|expr| mentions(expr, counter) || expr.has_load()) {
                return None;
            }
            match statement {
                Statement::Assume(_) | Statement::Havoc { .. } => {}
                Statement::Assign(pairs) => {
                    if let Some((_, value)) = pairs.iter().find(|(target, _)| *target == counter) {
                        let next = is_back && !is_counted && pairs.len() == 1 && is_next(value, counter);
                        is_counted = next.then_some(true)?;
                    }
                }
                Statement::Store { address, value } if self.is_element(address) => {
                    let ty = value.type_in(self.program);
                    self.add(address, ty, accesses);
                }
                Statement::Call { target, callee, arguments } => {
                    let is_checked = arguments.iter().any(|argument| self.reads_elements(argument));
                    if target.is_some() || !is_checked || !self.only_fails(*callee) {
                        return None;
                    }
                }
                _ => return None,
            }
            if statement.targets().contains(&counter) && !is_counted {
                return None;
            }
            for expr in statement.expressions() {
                self.collect(expr, accesses)?;
            }
        }
        // A failure that is not discarded must not be skipped.
        let fails = procedure.locations[edge.target].error.is_some();
        let number = procedure.edges.enumerate().find(|(_, other)| std::ptr::eq(*other, edge))?.0;
        let id = self.program.procedures.enumerate().find(|(_, other)| std::ptr::eq(*other, procedure))?.0;
        (is_back == is_counted && (!fails || self.is_discarded(id, number))).then_some(())
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

    fn collect(&self, expr: &Expr, accesses: &mut Vec<Access>) -> Option<()> {
        if let Expr::Load(ty, address) = expr {
            if !self.is_element(address) {
                return None;
            }
            self.add(address, *ty, accesses);
        }
        expr.operands().into_iter().try_for_each(|operand| self.collect(operand, accesses))
    }

    fn add(&self, address: &Expr, ty: Type, accesses: &mut Vec<Access>) {
        if !accesses.iter().any(|known| known.address == *address && known.ty == ty) {
            let target = self.points.target(self.program, address);
            accesses.push(Access { address: address.clone(), target, ty });
        }
    }

    /// Whether an access comes, as the counter does, to each offset where cells can be, one after the other.
    fn is_exact(&self, access: &Access, counter: VarId) -> bool {
        let Expr::Binary(BinaryOp::PointerAdd, base, bytes) = &access.address else { return false };
        if mentions(base, counter) || access.target.sites & !self.selected != 0 {
            return false;
        }
        let Some(step) = factor(self.program, bytes, counter) else { return false };
        let mut cells = self.cells.iter().filter(|cell| access.target.sites & (1 << cell.site) != 0);
        cells.all(|cell| {
            is_alike(cell.ty, access.ty)
                && cell.places.step == step
                && access.target.offsets.step == step
                && cell.places == access.target.offsets
        })
    }
}

impl Loop {
    /// The type of its counter.
    pub(super) fn counter_type(&self, program: &Program) -> Type {
        program.variables[self.counter].ty
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
        let procedure = &mut result.procedures[self.procedure];
        let parts = self.parts(procedure);
        let skipping = Skipping {
            of: self,
            cells,
            carried: self.carried(cells, procedure, &parts.edges, own),
            scratch,
            next,
            ty: result.variables[self.counter].ty,
        };
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
        let mut carried: Vec<VarId> = all.filter(|v| *v != self.counter && !is_cell(*v)).collect();
        carried.sort_unstable();
        carried.dedup();
        carried
    }
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
    /// What is any value afterwards.
    carried: Vec<VarId>,
    scratch: VarId,
    /// A variable for the counter afterwards.
    next: VarId,
    /// The type of both.
    ty: Type,
}

impl Skipping<'_> {
    /// Skips iterations before one that is executed.
    fn to_next(&self) -> Vec<Statement> {
        let (now, then) = (Expr::Var(self.of.counter), Expr::Var(self.next));
        let ahead = Expr::And(vec![
            Expr::binary(BinaryOp::Le, now, then.clone()),
            Expr::binary(BinaryOp::Lt, then, self.of.bound.clone()),
        ]);
        let chosen = vec![Statement::Havoc { target: self.next, span: None }, Statement::Assume(ahead)];
        [chosen, self.skip()].concat()
    }

    /// Skips all that are left.
    fn to_end(&self) -> Vec<Statement> {
        let (now, then) = (Expr::Var(self.of.counter), Expr::Var(self.next));
        let chosen = vec![
            Statement::Assign(vec![(self.next, self.of.bound.clone())]),
            Statement::Assume(Expr::binary(BinaryOp::Lt, now, then)),
        ];
        [chosen, self.skip()].concat()
    }

    /// Skips iterations that access no cell.
    fn skip(&self) -> Vec<Statement> {
        let (now, then) = (Expr::Var(self.of.counter), Expr::Var(self.next));
        let mut block = Vec::new();
        for access in &self.of.accesses {
            let at = |counter: &Expr| with(&access.address, self.of.counter, counter);
            for cell in self.cells.iter().filter(|cell| is_met(cell, access)) {
                let offset = |counter: &Expr| Expr::unary(UnaryOp::Offset, at(counter));
                let not_before = Expr::binary(BinaryOp::Le, offset(&now), offset_of(cell));
                let before = Expr::binary(BinaryOp::Lt, offset_of(cell), offset(&then));
                let met = in_object(cell, &at(&now), access.target.sites).into_iter().chain([not_before, before]);
                block.push(Statement::Assume(Expr::And(met.collect()).negate()));
            }
            // The accesses of the first and of the last iteration that is skipped, if there is one.
            let is_some = Expr::binary(BinaryOp::Lt, now.clone(), then.clone());
            let last = Expr::binary(BinaryOp::Sub, then.clone(), Expr::Int(Integer::from(1), self.ty));
            for counter in [&now, &last] {
                let scratch = Expr::Var(self.scratch);
                let address = Expr::Ite(Box::new(is_some.clone()), Box::new(at(counter)), Box::new(scratch));
                block.push(Statement::Store { address, value: zero(access.ty) });
            }
        }
        block.extend(self.carried.iter().map(|variable| Statement::Havoc { target: *variable, span: None }));
        block.push(Statement::Assign(vec![(self.of.counter, then)]));
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

/// The counter and the bound of a loop whose iterations begin where the counter is less, and that ends where it is not.
fn guard_of(procedure: &Procedure, header: LocId, edges: &[EdgeId], exits: &[EdgeId]) -> Option<(VarId, Expr)> {
    let first = |edge: &EdgeId| match procedure.edges[*edge].block.first() {
        Some(Statement::Assume(Expr::Binary(op, a, b))) => match &**a {
            Expr::Var(counter) => Some((*op, *counter, (**b).clone())),
            _ => None,
        },
        _ => None,
    };
    let from_header = edges.iter().filter(|edge| procedure.edges[**edge].source == header);
    let guards: Option<Vec<(BinaryOp, VarId, Expr)>> = from_header.map(first).collect();
    let ends: Option<Vec<(BinaryOp, VarId, Expr)>> = exits.iter().map(first).collect();
    let (guards, ends) = (guards?, ends?);
    let (_, counter, bound) = guards.first()?.clone();
    let same = |(op, of, to): &(BinaryOp, VarId, Expr), wanted| *op == wanted && *of == counter && *to == bound;
    let fits = guards.iter().all(|guard| same(guard, BinaryOp::Lt)) && ends.iter().all(|end| same(end, BinaryOp::Ge));
    (fits && !ends.is_empty()).then_some((counter, bound))
}

/// The variables that an edge assigns.
fn assigned(edge: &Edge) -> impl Iterator<Item = VarId> + '_ {
    edge.block.iter().flat_map(Statement::targets)
}

fn mentions(expr: &Expr, variable: VarId) -> bool {
    let mut found = false;
    expr.for_each_var(&mut |other| found |= other == variable);
    found
}

/// Whether a value is the counter's next one.
fn is_next(value: &Expr, counter: VarId) -> bool {
    matches!(value, Expr::Binary(BinaryOp::Add, a, b)
        if **a == Expr::Var(counter) && matches!(&**b, Expr::Int(one, _) if *one == Integer::from(1)))
}

/// By how much a number of bytes grows with the counter, if always by the same; nothing wraps on the way.
fn factor(program: &Program, bytes: &Expr, counter: VarId) -> Option<i64> {
    match bytes {
        other if !mentions(other, counter) => Some(0),
        Expr::Cast(to, inner) if *to == OFFSET => match (&**inner, inner.type_in(program)) {
            (Expr::Var(_), Type::Machine(from)) if from.width <= 32 => Some(1),
            // The counter is less than its bound: one more does not wrap.
            (Expr::Binary(BinaryOp::Add, a, b), Type::Machine(from)) if from.width <= 32 => {
                let is_one = matches!(&**b, Expr::Int(one, _) if *one == Integer::from(1));
                (is_one && **a == Expr::Var(counter)).then_some(1)
            }
            _ => None,
        },
        Expr::Binary(BinaryOp::Mul, a, b) => match &**b {
            Expr::Int(by, _) => {
                factor(program, a, counter)?.checked_mul(by.to_i64().filter(|by| (1..=1 << 16).contains(by))?)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The expression with another one in place of a variable.
fn with(expr: &Expr, variable: VarId, value: &Expr) -> Expr {
    let again = |inner: &Expr| Box::new(with(inner, variable, value));
    match expr {
        Expr::Var(known) if *known == variable => value.clone(),
        Expr::Unary(op, a) => Expr::Unary(*op, again(a)),
        Expr::Cast(ty, a) => Expr::Cast(*ty, again(a)),
        Expr::Load(ty, a) => Expr::Load(*ty, again(a)),
        Expr::Binary(op, a, b) => Expr::Binary(*op, again(a), again(b)),
        Expr::And(all) => Expr::And(all.iter().map(|one| with(one, variable, value)).collect()),
        Expr::Or(all) => Expr::Or(all.iter().map(|one| with(one, variable, value)).collect()),
        Expr::Ite(a, b, c) => Expr::Ite(again(a), again(b), again(c)),
        other => other.clone(),
    }
}

//! Loops over arrays whose iterations can be skipped where they access no tracked cell.

use super::counter::{Changing, Counter, Growing, Step, growth, guard_of, mentions};
use super::discard::Plan;
use super::ordered::ordered;
use super::{Cell, is_alike, is_header};
use crate::program::points::{Points, Sites, Target};
use crate::program::{BinaryOp, Edge, EdgeId, Expr, LocId, ProcId, Procedure, Program, Statement, Type, VarId};
use crate::term::Offsets;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many iterations of a loop are executed at most.
const MAX_COPIES: usize = 5;

/// A loop that can be shrunk.
pub(super) struct Loop {
    pub procedure: ProcId,
    pub header: LocId,
    /// How many locations its body has.
    pub size: usize,
    /// Those that leave it at the header.
    pub exits: Vec<EdgeId>,
    pub counter: Counter,
    /// What grows by the same in every iteration: the counter, and others.
    pub steps: Vec<Step>,
    pub accesses: Vec<Access>,
    /// Variables that look as if no iteration let them fall, or let them rise, and how what they were compares with what
    /// they are.
    pub ordered: Vec<(VarId, BinaryOp)>,
    /// Whether an iteration may leave it otherwise.
    pub has_other_exits: bool,
}

/// An access to an array in every iteration, or some.
pub(super) struct Access {
    pub edge: EdgeId,
    /// The pointer that it is at some bytes from.
    pub base: Expr,
    pub bytes: Expr,
    /// What can be accessed, and from where.
    pub target: Target,
    pub start: Target,
    pub ty: Type,
    /// The bytes if nothing wraps.
    pub growing: Growing,
    /// How far the access is from that of the iteration before.
    pub apart: i64,
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
        let body = natural_loop(procedure, header)?;
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
        let steps = steps_of(self.program, procedure, header, &edges, guard.1)?;
        let variables = edges.iter().flat_map(|edge| assigned(&procedure.edges[*edge])).collect();
        let changing = Changing { steps, variables };
        let mut accesses = Vec::new();
        for &edge in &edges {
            self.look_at((id, procedure), edge, &changing, &mut accesses)?;
        }
        let counter = Counter::new(self.program, guard, changing.steps[0].by)?;
        let is_fixed = |expr: &Expr| {
            let mut fixed = true;
            expr.for_each_var(&mut |variable| fixed &= !changing.variables.contains(&variable));
            fixed && !expr.has_load()
        };
        let fits = is_fixed(&counter.bound) && accesses.iter().all(|access| is_fixed(&access.base));
        let is_exact = accesses.iter().all(|access| self.is_exact(access));
        let (steps, size) = (changing.steps, body.len());
        let ordered = ordered(self.program, procedure, &edges);
        let found = Loop { procedure: id, header, size, exits, counter, steps, accesses, ordered, has_other_exits };
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
        here || expr.always_evaluated().any(|operand| self.reads_elements(operand))
    }

    fn is_element(&self, address: &Expr) -> bool {
        self.points.target(self.program, address).sites & self.selected != 0 && !is_header(self.program, address)
    }

    /// Collects the accesses of an edge of a loop; `None` where it does what must not be skipped.
    fn look_at(
        &self,
        (id, procedure): (ProcId, &Procedure),
        edge: EdgeId,
        changing: &Changing,
        accesses: &mut Vec<Access>,
    ) -> Option<()> {
        let data = &procedure.edges[edge];
        for (number, statement) in data.block.iter().enumerate() {
            let edge = (edge, &data.block[..number]);
            match statement {
                Statement::Assume(_) | Statement::Havoc { .. } | Statement::Assign(_) => {}
                Statement::Store { address, value } if self.is_element(address) => {
                    let ty = value.type_in(self.program);
                    self.add(edge, address, ty, changing, accesses)?;
                }
                Statement::Call { target, callee, arguments } => {
                    let is_checked = arguments.iter().any(|argument| self.reads_elements(argument));
                    if target.is_some() || !is_checked || !self.only_fails(*callee) {
                        return None;
                    }
                }
                _ => return None,
            }
            for expr in statement.expressions() {
                self.collect(edge, expr, changing, accesses)?;
            }
        }
        // A failure that is not discarded must not be skipped.
        let fails = procedure.locations[data.target].error.is_some();
        (!fails || self.is_discarded(id, edge)).then_some(())
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

    fn collect(
        &self,
        edge: (EdgeId, &[Statement]),
        expr: &Expr,
        changing: &Changing,
        accesses: &mut Vec<Access>,
    ) -> Option<()> {
        if let Expr::Load(ty, address) = expr {
            if !self.is_element(address) {
                return None;
            }
            self.add(edge, address, *ty, changing, accesses)?;
        }
        expr.operands().into_iter().try_for_each(|operand| self.collect(edge, operand, changing, accesses))
    }

    /// Adds an access; `None` where its offset does not grow by the same in every iteration.
    fn add(
        &self,
        (edge, before): (EdgeId, &[Statement]),
        address: &Expr,
        ty: Type,
        changing: &Changing,
        accesses: &mut Vec<Access>,
    ) -> Option<()> {
        let (base, bytes) = (base_of(address), bytes_of(address)?);
        // The address is known where the edge begins.
        if before.iter().flat_map(Statement::targets).any(|variable| mentions(&bytes, variable)) {
            return None;
        }
        let is_same = |known: &Access| known.base == *base && known.bytes == bytes && known.ty == ty;
        if accesses.iter().any(|known| known.edge == edge && is_same(known)) {
            return Some(());
        }
        let growing = Growing::of(self.program, &bytes, changing)?;
        let apart = growing.apart(&changing.steps)?;
        // What changes otherwise stays within what the access grows by.
        if apart == 0 || growing.inner.iter().any(|(_, factor)| factor.abs() >= apart.abs()) {
            return None;
        }
        let [target, start] = [address, base].map(|of| self.points.target(self.program, of));
        accesses.push(Access { edge, base: base.clone(), bytes, target, start, ty, growing, apart });
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
    /// How many iterations are executed at most: those that access a cell, and one that leaves the loop.
    ///
    /// An access is to a cell in one iteration. Of accesses that grow alike and are apart by a constant only those are
    /// to one cell, in several iterations, that are apart by a multiple of what they grow by.
    pub(super) fn copies(&self, cells: &[Cell]) -> usize {
        type Alike<'a> = (&'a Growing, Option<&'a Expr>, VarId, i64);
        let mut groups: Vec<(Alike<'_>, i64, FxHashSet<i64>)> = Vec::new();
        for access in &self.accesses {
            for cell in cells.iter().filter(|cell| is_met(cell, access)) {
                let (base, start) = match access.start.offsets {
                    Offsets { rest, step: 0 } => (None, rest),
                    _ => (Some(&access.base), 0),
                };
                let constants = [access.growing.constant, start, -cell.places.rest];
                let Some(place) = constants.iter().try_fold(0_i64, |sum, one| sum.checked_add(*one)) else {
                    return usize::MAX;
                };
                let key: Alike<'_> = (&access.growing, base, cell.index, cell.places.step);
                let is_alike = |known: &Alike<'_>| {
                    known.0.growing == key.0.growing
                        && known.0.fixed == key.0.fixed
                        && known.0.inner.is_empty() == key.0.inner.is_empty()
                        && known.1 == key.1
                        && known.2 == key.2
                        && known.3 == key.3
                };
                match groups.iter_mut().find(|(known, ..)| is_alike(known)) {
                    Some((_, _, places)) => {
                        places.insert(place);
                    }
                    None => groups.push((key, access.apart, FxHashSet::from_iter([place]))),
                }
            }
        }
        let of_group = |(key, apart, places): &(Alike<'_>, i64, FxHashSet<i64>)| {
            if !key.0.inner.is_empty() {
                return places.len();
            }
            let alike =
                |place: &i64| places.iter().filter(|other| (*other - place).rem_euclid(apart.abs()) == 0).count();
            places.iter().map(alike).max().unwrap_or_default()
        };
        groups.iter().map(of_group).sum::<usize>() + usize::from(self.has_other_exits)
    }
}

/// What grows by the same in every iteration, the counter first; `None` where the counter does not.
///
/// Such a variable is changed on the edges that lead back and nowhere else, and not read after it.
pub(super) fn steps_of(
    program: &Program,
    procedure: &Procedure,
    header: LocId,
    edges: &[EdgeId],
    counter: VarId,
) -> Option<Vec<Step>> {
    let step_of = |variable: VarId| -> Option<Step> {
        let mut found = None;
        for data in edges.iter().map(|edge| &procedure.edges[*edge]) {
            let is_back = data.target == header;
            let changes = |statement: &&Statement| statement.targets().contains(&variable);
            let last = data.block.iter().rposition(|statement| changes(&statement));
            let (Some(last), true) = (last, is_back) else {
                match is_back || last.is_some() {
                    true => return None,
                    false => continue,
                }
            };
            let Statement::Assign(pairs) = &data.block[last] else { return None };
            let [(_, value)] = &pairs[..] else { return None };
            let by = growth(value, variable)?;
            let is_once = data.block.iter().filter(changes).count() == 1;
            let mut after = data.block[last + 1..].iter().flat_map(Statement::expressions);
            if !is_once || after.any(|expr| mentions(expr, variable)) || found.is_some_and(|known| known != by) {
                return None;
            }
            found = Some(by);
        }
        let ty @ Type::Machine(machine) = program.variables[variable].ty else { return None };
        found.filter(|_| machine.width <= 32).map(|by| Step { variable, ty, by })
    };
    let mut steps = vec![step_of(counter)?];
    let mut changed: Vec<VarId> = edges.iter().flat_map(|edge| assigned(&procedure.edges[*edge])).collect();
    changed.sort_unstable();
    changed.dedup();
    steps.extend(changed.into_iter().filter(|variable| *variable != counter).filter_map(step_of));
    Some(steps)
}

/// The pointer that an address is some bytes from.
pub(super) fn base_of(address: &Expr) -> &Expr {
    match address {
        Expr::Binary(BinaryOp::PointerAdd, base, _) => base_of(base),
        other => other,
    }
}

/// How many bytes it is from there; `None` where it is that pointer.
pub(super) fn bytes_of(address: &Expr) -> Option<Expr> {
    let Expr::Binary(BinaryOp::PointerAdd, base, bytes) = address else { return None };
    Some(match bytes_of(base) {
        Some(before) => Expr::binary(BinaryOp::Add, before, (**bytes).clone()),
        None => (**bytes).clone(),
    })
}

/// Whether an access can be to a cell.
pub(super) fn is_met(cell: &Cell, access: &Access) -> bool {
    access.target.sites & (1 << cell.site) != 0 && is_alike(cell.ty, access.ty)
}

/// Whether no execution takes an edge, as none does those that others were made in place of.
pub(super) fn is_never_taken(edge: &Edge) -> bool {
    edge.block == [Statement::Assume(Expr::Bool(false))]
}

/// The locations of the loop with that header, without it: those from which an edge leads back that only the header
/// leads to. `None` where there is no loop.
pub(super) fn natural_loop(procedure: &Procedure, header: LocId) -> Option<Vec<LocId>> {
    let entering = procedure.edges.iter().filter(|edge| edge.target == header).count();
    if entering < 1 + usize::from(header != procedure.entry) {
        return None;
    }
    let outgoing = procedure.outgoing();
    let next = |location: LocId| {
        let taken = outgoing[location].iter().map(|edge| &procedure.edges[*edge]).filter(|edge| !is_never_taken(edge));
        taken.map(|edge| edge.target)
    };
    // What can be reached past the header, and what through it only.
    let (mut past, mut waiting) = (FxHashSet::default(), vec![procedure.entry]);
    while let Some(location) = waiting.pop() {
        if location != header && past.insert(location) {
            waiting.extend(next(location));
        }
    }
    let (mut through, mut waiting) = (FxHashSet::default(), vec![header]);
    while let Some(location) = waiting.pop() {
        if !past.contains(&location) && through.insert(location) {
            waiting.extend(next(location));
        }
    }
    let mut into: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
    for edge in procedure.edges.iter().filter(|edge| through.contains(&edge.source) && !is_never_taken(edge)) {
        into.entry(edge.target).or_default().push(edge.source);
    }
    let back = into.get(&header)?;
    let (mut inside, mut waiting) = (FxHashSet::default(), back.clone());
    while let Some(location) = waiting.pop() {
        if location != header && inside.insert(location) {
            waiting.extend(into.get(&location).into_iter().flatten());
        }
    }
    let mut inside: Vec<LocId> = inside.into_iter().collect();
    inside.sort_unstable();
    Some(inside)
}

/// The same, for a loop that has no other inside.
pub(super) fn body_of(procedure: &Procedure, header: LocId) -> Option<Vec<LocId>> {
    let inside = natural_loop(procedure, header)?;
    let mut into: FxHashMap<LocId, Vec<LocId>> = inside.iter().map(|location| (*location, Vec::new())).collect();
    for edge in procedure.edges.iter().filter(|edge| edge.source != header && !is_never_taken(edge)) {
        if into.contains_key(&edge.source)
            && let Some(sources) = into.get_mut(&edge.target)
        {
            sources.push(edge.source);
        }
    }
    // An order in which every edge inside goes forward.
    let mut ordered: FxHashSet<LocId> = FxHashSet::default();
    while ordered.len() < inside.len() {
        let is_free = |location: &LocId| into[location].iter().all(|source| ordered.contains(source));
        let free: Vec<LocId> = inside.iter().copied().filter(|l| !ordered.contains(l) && is_free(l)).collect();
        if free.is_empty() {
            return None;
        }
        ordered.extend(free);
    }
    Some(inside)
}

/// The variables that an edge assigns.
pub(super) fn assigned(edge: &Edge) -> impl Iterator<Item = VarId> + '_ {
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

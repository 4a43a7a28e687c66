//! The program with cells in place of arrays, statement by statement.

use super::discard::Plan;
use super::draft::{Draft, Rewriting};
use super::loops::{Loop, is_never_taken};
use super::shrink::shrink;
use super::totals::Total;
use super::{Cell, add_global, in_object, is_alike, is_at, is_header, offset_of, zero};
use crate::program::points::{Points, Sites, Target};
use crate::program::{BinaryOp, Edge, EdgeId, Expr, OFFSET, ProcId, Program, Region, Statement, Type, UnaryOp, VarId};
use crate::term::Integer;

/// A rewriting under way.
pub(super) struct Rewriter<'a> {
    pub program: &'a Program,
    pub points: &'a Points,
    pub selected: Sites,
    pub cells: Vec<Cell>,
    pub plan: Plan,
    pub totals: Vec<Total>,
    draft: Draft,
    /// An object that accesses go to which are not evaluated.
    pub scratch: VarId,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(
        (program, points): (&'a Program, &'a Points),
        selected: Sites,
        cells: Vec<Cell>,
        plan: Plan,
        totals: Vec<Total>,
        before: (Program, Vec<Statement>),
    ) -> Rewriter<'a> {
        let mut draft = Draft::new("cell", &plan, before);
        let scratch = add_global(&mut draft.result, &mut draft.prologue, "cell!scratch", Type::Pointer);
        let size = Expr::Int(Integer::from(16), OFFSET);
        draft.prologue.push(Statement::Allocate { target: scratch, size, region: Region::Static, zeroed: true });
        Rewriter { program, points, selected, cells, plan, totals, draft, scratch }
    }

    /// Rewrites everything.
    pub(super) fn run(mut self, loops: &[Loop]) -> Program {
        for (number, statement) in self.program.init.iter().enumerate() {
            self.statement(statement, None, number);
        }
        let own = self.draft.result.variables.next_id();
        self.draft.end_init();
        for (id, procedure) in self.program.procedures.enumerate() {
            self.draft.scope = Some(id);
            for (edge, data) in procedure.edges.enumerate() {
                match data.call() {
                    Some((_, callee, _)) => self.call((id, edge), data, &self.program.procedures[callee].parameters),
                    None => self.plain(id, edge, data),
                }
            }
        }
        shrink(loops, &self.cells, &self.totals, [self.scratch, own], &mut self.draft.result);
        // What is never taken makes no loop.
        for procedure in self.draft.result.procedures.iter_mut() {
            let edges = std::mem::take(&mut procedure.edges);
            procedure.edges = edges.iter().filter(|edge| !is_never_taken(edge)).cloned().collect();
        }
        self.draft.end()
    }

    fn plain(&mut self, procedure: ProcId, edge: EdgeId, data: &Edge) {
        let mut all_tracked = Vec::new();
        for (number, statement) in data.block.iter().enumerate() {
            self.statement(statement, Some((procedure, edge)), number);
            all_tracked.append(&mut self.draft.tracked);
        }
        if let Some(variables) = self.plan.failing.get(&(procedure, edge)) {
            self.draft.discard_untracked(all_tracked, variables);
        }
        self.draft.end_edge(procedure, edge);
    }

    fn statement(&mut self, statement: &Statement, edge: Option<(ProcId, EdgeId)>, number: usize) {
        match statement {
            Statement::Assume(condition) => {
                let condition = self.expr(condition, &[]);
                self.draft.out.push(Statement::Assume(condition));
            }
            Statement::Assign(pairs) => {
                let mut all = Vec::new();
                let mut tracked = Vec::new();
                for (target, value) in pairs {
                    let value = self.expr(value, &[]);
                    tracked.push(std::mem::take(&mut self.draft.tracked));
                    all.push((*target, value));
                }
                // Flags are over the values before.
                for ((target, _), of_target) in pairs.iter().zip(&tracked) {
                    self.draft.tracked = of_target.clone();
                    self.draft.set_flag(*target);
                }
                self.draft.tracked = tracked.concat();
                self.draft.out.push(Statement::Assign(all));
            }
            Statement::Havoc { target, .. } => {
                self.draft.out.push(statement.clone());
                self.draft.set_flag(*target);
            }
            Statement::Store { address, value } => self.store(address, value),
            Statement::Allocate { target, size, region, zeroed } => {
                let size = self.expr(size, &[]);
                self.draft.out.push(Statement::Allocate { target: *target, size, region: *region, zeroed: *zeroed });
                self.start_cells(*target, self.points.set_of(edge, number), *zeroed);
            }
            Statement::Fill { target, byte, bytes } => {
                let (to, byte, bytes) = (self.plain_expr(target), self.plain_expr(byte), self.plain_expr(bytes));
                let is_zero = matches!(&byte, Expr::Int(value, _) if value.is_zero());
                self.draft.out.push(Statement::Fill { target: to.clone(), byte, bytes: bytes.clone() });
                self.change_many(self.target(target), &to, &bytes, is_zero);
            }
            Statement::Copy { target, source, bytes } => {
                let (to, source, bytes) = (self.plain_expr(target), self.plain_expr(source), self.plain_expr(bytes));
                self.draft.out.push(Statement::Copy { target: to.clone(), source, bytes: bytes.clone() });
                self.change_many(self.target(target), &to, &bytes, false);
            }
            Statement::Write { target, bytes } => {
                let to = self.plain_expr(target);
                let size = Expr::Int(Integer::from(bytes.len() as i64), OFFSET);
                self.draft.out.push(Statement::Write { target: to.clone(), bytes: bytes.clone() });
                self.change_many(self.target(target), &to, &size, false);
            }
            Statement::Free(pointer) => {
                let pointer = self.expr(pointer, &[]);
                self.draft.out.push(Statement::Free(pointer));
            }
            Statement::Output(pieces) => self.output(pieces),
            other => self.draft.out.push(other.clone()),
        }
    }

    fn target(&self, address: &Expr) -> Target {
        self.points.target(self.program, address)
    }

    /// An expression without loads that has the value.
    fn plain_expr(&mut self, expr: &Expr) -> Expr {
        let ty = expr.type_in(self.program);
        let expr = self.expr(expr, &[]);
        if !expr.has_load() {
            return expr;
        }
        let value = self.draft.temporary(ty);
        self.draft.out.push(Statement::Assign(vec![(value, expr)]));
        Expr::Var(value)
    }

    /// Reads an element: a cell's value, or any.
    fn read(&mut self, ty: Type, address: Expr, sites: Sites, under: &[Expr]) -> Expr {
        let pointer = self.draft.temporary(Type::Pointer);
        let place = match under {
            [] => address,
            _ => {
                let condition = Expr::And(under.to_vec());
                Expr::Ite(Box::new(condition), Box::new(address), Box::new(Expr::Var(self.scratch)))
            }
        };
        self.draft.out.push(Statement::Assign(vec![(pointer, place)]));
        // The access is as valid as the load is. Nothing is read there.
        self.draft.out.push(Statement::Store { address: Expr::Var(pointer), value: zero(ty) });
        let Expr::Var(value) = self.draft.anything(ty) else { unreachable!("it is a variable") };
        let mut result = Expr::Var(value);
        let mut tracked = Vec::new();
        for cell in self.cells.iter().filter(|cell| sites & (1 << cell.site) != 0 && is_alike(cell.ty, ty)) {
            let here = is_at(cell, &Expr::Var(pointer), sites);
            tracked.push(here.clone());
            let held = converted(Expr::Var(cell.value), cell.ty, ty);
            result = Expr::Ite(Box::new(here), Box::new(held), Box::new(result));
        }
        self.draft.out.push(Statement::Assign(vec![(value, result)]));
        // What is not evaluated is not read.
        tracked.extend((!under.is_empty()).then(|| Expr::And(under.to_vec()).negate()));
        self.draft.tracked.push(Expr::Or(tracked));
        Expr::Var(value)
    }

    /// Sums over arrays of the sites are not known any more.
    fn forget_totals(&mut self, sites: Sites) {
        let changed = self.totals.iter().filter(|total| total.sites & sites != 0);
        self.draft.out.extend(changed.map(Total::forget));
    }

    /// Writes: cells may change.
    fn store(&mut self, address: &Expr, value: &Expr) {
        let (ty, target) = (value.type_in(self.program), self.target(address));
        let is_element = target.sites & self.selected != 0 && !is_header(self.program, address);
        if !is_element {
            let (address, value) = (self.expr(address, &[]), self.expr(value, &[]));
            self.draft.out.push(Statement::Store { address, value });
            return;
        }
        let (address, value) = (self.plain_expr(address), self.plain_expr(value));
        self.draft.out.push(Statement::Store { address: address.clone(), value: value.clone() });
        self.forget_totals(target.sites);
        let width = width_of(self.program, ty);
        for number in 0..self.cells.len() {
            let cell = &self.cells[number];
            let own = width_of(self.program, cell.ty);
            let is_apart = cell.read.iter().all(|read| read.is_apart(own, target.offsets, width));
            if target.sites & (1 << cell.site) == 0 || is_apart {
                continue;
            }
            let is_alike = is_alike(cell.ty, ty);
            let is_aligned = is_alike && cell.read.iter().all(|read| read.is_aligned_with(target.offsets, own));
            let (before, variable) = (Expr::Var(cell.value), cell.value);
            let (here, given) = (is_at(cell, &address, target.sites), converted(value.clone(), ty, cell.ty));
            let mut after = before;
            if !is_aligned {
                let size = Expr::Int(Integer::from(width), OFFSET);
                let partly = overlap(self.program, cell, &address, target.sites, &size);
                let cell_type = cell.ty;
                let anything = self.draft.anything(cell_type);
                after = Expr::Ite(Box::new(partly), Box::new(anything), Box::new(after));
            }
            if is_alike {
                after = Expr::Ite(Box::new(here), Box::new(given), Box::new(after));
            }
            self.draft.out.push(Statement::Assign(vec![(variable, after)]));
        }
    }

    /// Many bytes are written: cells there are zero, or any value.
    fn change_many(&mut self, target: Target, to: &Expr, bytes: &Expr, is_zero: bool) {
        self.forget_totals(target.sites);
        for number in 0..self.cells.len() {
            let cell = &self.cells[number];
            if target.sites & (1 << cell.site) == 0 {
                continue;
            }
            let (ty, variable) = (cell.ty, cell.value);
            let partly = overlap(self.program, cell, to, target.sites, bytes);
            let inside = inside(self.program, cell, to, target.sites, bytes);
            let anything = self.draft.anything(ty);
            let mut after = Expr::Ite(Box::new(partly), Box::new(anything), Box::new(Expr::Var(variable)));
            if is_zero {
                after = Expr::Ite(Box::new(inside), Box::new(zero(ty)), Box::new(after));
            }
            self.draft.out.push(Statement::Assign(vec![(variable, after)]));
        }
    }

    /// An object is made: its cells are tracked from now on. Where others are made at the same site, that is chosen.
    fn start_cells(&mut self, made: VarId, site: Sites, zeroed: bool) {
        self.forget_totals(site);
        if site & self.selected == 0 {
            return;
        }
        let of_site: Vec<usize> = (0..self.cells.len()).filter(|n| site == 1 << self.cells[*n].site).collect();
        let Some(first) = of_site.first() else { return };
        let chosen = if self.cells[*first].is_single { None } else { Some(self.draft.anything(Type::Bool)) };
        let either = |new: Expr, variable: VarId| match &chosen {
            None => new,
            Some(chosen) => Expr::Ite(Box::new(chosen.clone()), Box::new(new), Box::new(Expr::Var(variable))),
        };
        let mut starts = Vec::new();
        for number in of_site {
            let Cell { object, value, ty, .. } = self.cells[number];
            let content = if zeroed { zero(ty) } else { self.draft.anything(ty) };
            starts.push((value, either(content, value)));
            if !starts.iter().any(|(variable, _)| *variable == object) {
                starts.push((object, either(Expr::Var(made), object)));
            }
        }
        self.draft.out.push(Statement::Assign(starts));
    }
}

impl Rewriting for Rewriter<'_> {
    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }

    /// Cells in place of loads of arrays.
    fn replace(&mut self, expr: &Expr, under: &[Expr]) -> Option<Expr> {
        match expr {
            Expr::Load(ty, address) => {
                let target = self.target(address);
                if target.sites & self.selected == 0 || is_header(self.program, address) {
                    return None;
                }
                let address = self.expr(address, under);
                Some(self.read(*ty, address, target.sites, under))
            }
            _ => (!expr.has_load()).then(|| expr.clone()),
        }
    }
}

/// When bytes at a pointer share some with a cell.
fn overlap(program: &Program, cell: &Cell, to: &Expr, sites: Sites, bytes: &Expr) -> Expr {
    let start = Expr::unary(UnaryOp::Offset, to.clone());
    let end = Expr::binary(BinaryOp::Add, start.clone(), bytes.clone());
    let own = Expr::Int(Integer::from(width_of(program, cell.ty)), OFFSET);
    let own_end = Expr::binary(BinaryOp::Add, offset_of(cell), own);
    let before = Expr::binary(BinaryOp::Lt, start, own_end);
    let behind = Expr::binary(BinaryOp::Lt, offset_of(cell), end);
    Expr::And(in_object(cell, to, sites).into_iter().chain([before, behind]).collect())
}

/// When a cell lies in bytes at a pointer.
fn inside(program: &Program, cell: &Cell, to: &Expr, sites: Sites, bytes: &Expr) -> Expr {
    let start = Expr::unary(UnaryOp::Offset, to.clone());
    let end = Expr::binary(BinaryOp::Add, start.clone(), bytes.clone());
    let own = Expr::Int(Integer::from(width_of(program, cell.ty)), OFFSET);
    let own_end = Expr::binary(BinaryOp::Add, offset_of(cell), own);
    let before = Expr::binary(BinaryOp::Le, start, offset_of(cell));
    let behind = Expr::binary(BinaryOp::Le, own_end, end);
    Expr::And(in_object(cell, to, sites).into_iter().chain([before, behind]).collect())
}

pub(super) fn converted(value: Expr, from: Type, to: Type) -> Expr {
    if from == to { value } else { Expr::Cast(to, Box::new(value)) }
}

/// How many bytes a value takes.
pub(super) fn width_of(program: &Program, ty: Type) -> i64 {
    match ty {
        Type::Bool => 1,
        Type::Machine(machine) => i64::from(machine.bytes()),
        Type::Pointer => i64::from(program.pointer_bytes),
        Type::Float(kind) => i64::from(kind.bytes()),
        Type::Int => 8,
    }
}

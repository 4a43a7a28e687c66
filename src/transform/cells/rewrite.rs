//! The program with cells in place of arrays, statement by statement.

use super::discard::Plan;
use super::loops::{Loop, is_never_taken};
use super::shrink::shrink;
use super::totals::Total;
use super::{Cell, add_global, add_variable, in_object, is_alike, is_at, is_header, offset_of, zero};
use crate::program::points::{Points, Sites, Target};
use crate::program::{
    BinaryOp, Edge, EdgeId, Expr, Id, Location, OFFSET, Piece, ProcId, Program, Region, Scope, Statement, Type,
    UnaryOp, VarId,
};
use crate::term::Integer;
use crate::transform::cleanup::cleanup;
use rustc_hash::FxHashMap;

/// A rewriting under way.
pub(super) struct Rewriter<'a> {
    pub program: &'a Program,
    pub points: &'a Points,
    pub selected: Sites,
    pub cells: Vec<Cell>,
    pub plan: Plan,
    pub totals: Vec<Total>,
    pub result: Program,
    /// What comes before everything else.
    pub prologue: Vec<Statement>,
    /// The flags of variables.
    pub flags: FxHashMap<VarId, VarId>,
    /// An object that accesses go to which are not evaluated.
    pub scratch: VarId,
    /// Whose block is rewritten.
    scope: Option<ProcId>,
    out: Vec<Statement>,
    /// When the reads since this was last emptied were tracked.
    tracked: Vec<Expr>,
    temporaries: u32,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(
        (program, points): (&'a Program, &'a Points),
        selected: Sites,
        cells: Vec<Cell>,
        plan: Plan,
        totals: Vec<Total>,
        (mut result, mut prologue): (Program, Vec<Statement>),
    ) -> Rewriter<'a> {
        let mut flags = FxHashMap::default();
        let mut flagged: Vec<VarId> = plan.flagged.iter().copied().collect();
        flagged.sort_unstable();
        for variable in flagged {
            let name = format!("cell!untracked!{}", variable.index());
            flags.insert(variable, add_global(&mut result, &mut prologue, &name, Type::Bool));
        }
        let scratch = add_global(&mut result, &mut prologue, "cell!scratch", Type::Pointer);
        let size = Expr::Int(Integer::from(16), OFFSET);
        prologue.push(Statement::Allocate { target: scratch, size, region: Region::Static, zeroed: true });
        Rewriter {
            program,
            points,
            selected,
            cells,
            plan,
            totals,
            result,
            prologue,
            flags,
            scratch,
            scope: None,
            out: Vec::new(),
            tracked: Vec::new(),
            temporaries: 0,
        }
    }

    /// Rewrites everything.
    pub(super) fn run(mut self, loops: &[Loop]) -> Program {
        for (number, statement) in self.program.init.iter().enumerate() {
            self.statement(statement, None, number);
        }
        let init = std::mem::take(&mut self.out);
        let own = self.result.variables.next_id();
        self.result.init = self.prologue.drain(..).chain(init).collect();
        for (id, procedure) in self.program.procedures.enumerate() {
            self.scope = Some(id);
            for (edge, data) in procedure.edges.enumerate() {
                match data.call() {
                    Some(_) => self.call(id, edge, data),
                    None => self.plain(id, edge, data),
                }
            }
        }
        shrink(loops, &self.cells, &self.totals, [self.scratch, own], &mut self.result);
        // What is never taken makes no loop.
        for procedure in self.result.procedures.iter_mut() {
            let edges = std::mem::take(&mut procedure.edges);
            procedure.edges = edges.iter().filter(|edge| !is_never_taken(edge)).cloned().collect();
        }
        cleanup(&mut self.result, None);
        self.result
    }

    fn plain(&mut self, procedure: ProcId, edge: EdgeId, data: &Edge) {
        let mut all_tracked = Vec::new();
        for (number, statement) in data.block.iter().enumerate() {
            self.statement(statement, Some((procedure, edge)), number);
            all_tracked.append(&mut self.tracked);
        }
        if let Some(variables) = self.plan.failing.get(&(procedure, edge)) {
            let flags = variables.iter().map(|variable| Expr::Var(self.flags[variable]).negate());
            let condition = Expr::And(all_tracked.into_iter().chain(flags).collect());
            self.out.push(Statement::Assume(condition));
        }
        self.result.procedures[procedure].edges[edge].block = std::mem::take(&mut self.out);
    }

    /// A call stands alone on its edge: what is read for it comes on one before.
    fn call(&mut self, procedure: ProcId, edge: EdgeId, data: &Edge) {
        let [Statement::Call { target, callee, arguments }] = &data.block[..] else { return };
        let parameters = &self.program.procedures[*callee].parameters;
        let mut passed = Vec::new();
        for (parameter, argument) in parameters.iter().zip(arguments) {
            passed.push(self.expr(argument, &[]));
            self.set_flag(*parameter);
        }
        if let Some(target) = target {
            self.set_flag(*target);
        }
        let before = std::mem::take(&mut self.out);
        let call = vec![Statement::Call { target: *target, callee: *callee, arguments: passed }];
        let result = &mut self.result.procedures[procedure];
        if before.is_empty() {
            result.edges[edge].block = call;
            return;
        }
        let between = result.locations.push(Location { name: None, error: None, span: data.span });
        let second = Edge { source: between, block: call, ..data.clone() };
        result.edges[edge].target = between;
        result.edges[edge].block = before;
        result.edges.push(second);
    }

    /// Notes whether what a variable is given was made of reads that were not tracked.
    fn set_flag(&mut self, variable: VarId) {
        let tracked = std::mem::take(&mut self.tracked);
        if let Some(flag) = self.flags.get(&variable) {
            let untracked = if tracked.is_empty() { Expr::Bool(false) } else { Expr::And(tracked).negate() };
            self.out.push(Statement::Assign(vec![(*flag, untracked)]));
        }
    }

    fn statement(&mut self, statement: &Statement, edge: Option<(ProcId, EdgeId)>, number: usize) {
        match statement {
            Statement::Assume(condition) => {
                let condition = self.expr(condition, &[]);
                self.out.push(Statement::Assume(condition));
            }
            Statement::Assign(pairs) => {
                let mut all = Vec::new();
                let mut tracked = Vec::new();
                for (target, value) in pairs {
                    let value = self.expr(value, &[]);
                    tracked.push(std::mem::take(&mut self.tracked));
                    all.push((*target, value));
                }
                // Flags are over the values before.
                for ((target, _), of_target) in pairs.iter().zip(&tracked) {
                    self.tracked = of_target.clone();
                    self.set_flag(*target);
                }
                self.tracked = tracked.concat();
                self.out.push(Statement::Assign(all));
            }
            Statement::Havoc { target, .. } => {
                self.out.push(statement.clone());
                self.set_flag(*target);
            }
            Statement::Store { address, value } => self.store(address, value),
            Statement::Allocate { target, size, region, zeroed } => {
                let size = self.expr(size, &[]);
                self.out.push(Statement::Allocate { target: *target, size, region: *region, zeroed: *zeroed });
                self.start_cells(*target, self.points.set_of(edge, number), *zeroed);
            }
            Statement::Fill { target, byte, bytes } => {
                let (to, byte, bytes) = (self.plain_expr(target), self.plain_expr(byte), self.plain_expr(bytes));
                let is_zero = matches!(&byte, Expr::Int(value, _) if value.is_zero());
                self.out.push(Statement::Fill { target: to.clone(), byte, bytes: bytes.clone() });
                self.change_many(self.target(target), &to, &bytes, is_zero);
            }
            Statement::Copy { target, source, bytes } => {
                let (to, source, bytes) = (self.plain_expr(target), self.plain_expr(source), self.plain_expr(bytes));
                self.out.push(Statement::Copy { target: to.clone(), source, bytes: bytes.clone() });
                self.change_many(self.target(target), &to, &bytes, false);
            }
            Statement::Write { target, bytes } => {
                let to = self.plain_expr(target);
                let size = Expr::Int(Integer::from(bytes.len() as i64), OFFSET);
                self.out.push(Statement::Write { target: to.clone(), bytes: bytes.clone() });
                self.change_many(self.target(target), &to, &size, false);
            }
            Statement::Free(pointer) => {
                let pointer = self.expr(pointer, &[]);
                self.out.push(Statement::Free(pointer));
            }
            Statement::Output(pieces) => {
                let pieces = pieces.iter().map(|piece| match piece {
                    Piece::Text(_) => piece.clone(),
                    Piece::Value { expr, style } => Piece::Value { expr: self.expr(expr, &[]), style: *style },
                });
                let pieces = pieces.collect();
                self.out.push(Statement::Output(pieces));
            }
            other => self.out.push(other.clone()),
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
        let value = self.temporary(ty);
        self.out.push(Statement::Assign(vec![(value, expr)]));
        Expr::Var(value)
    }

    fn temporary(&mut self, ty: Type) -> VarId {
        self.temporaries += 1;
        let name = format!("cell%{}", self.temporaries);
        let scope = self.scope.map_or(Scope::Global, Scope::Local);
        add_variable(&mut self.result, &name, ty, scope)
    }

    /// Any value.
    fn anything(&mut self, ty: Type) -> Expr {
        let value = self.temporary(ty);
        self.out.push(Statement::Havoc { target: value, span: None });
        Expr::Var(value)
    }

    /// The expression with cells in place of loads of arrays; it is evaluated only where the conditions hold.
    fn expr(&mut self, expr: &Expr, under: &[Expr]) -> Expr {
        if !expr.has_load() {
            return expr.clone();
        }
        let with = |condition: Expr| [under, &[condition]].concat();
        match expr {
            Expr::Load(ty, address) => {
                let target = self.target(address);
                let is_element = target.sites & self.selected != 0 && !is_header(self.program, address);
                let address = self.expr(address, under);
                match is_element {
                    true => self.read(*ty, address, target.sites, under),
                    false => Expr::Load(*ty, Box::new(address)),
                }
            }
            Expr::And(all) | Expr::Or(all) => {
                let is_and = matches!(expr, Expr::And(_));
                let mut so_far = under.to_vec();
                let mut parts = Vec::new();
                for one in all {
                    let part = self.expr(one, &so_far);
                    so_far.push(if is_and { part.clone() } else { part.clone().negate() });
                    parts.push(part);
                }
                if is_and { Expr::And(parts) } else { Expr::Or(parts) }
            }
            Expr::Ite(condition, then, otherwise) => {
                let condition = self.expr(condition, under);
                let then = self.expr(then, &with(condition.clone()));
                let otherwise = self.expr(otherwise, &with(condition.clone().negate()));
                Expr::Ite(Box::new(condition), Box::new(then), Box::new(otherwise))
            }
            Expr::Binary(BinaryOp::Implies, a, b) => {
                let a = self.expr(a, under);
                let b = self.expr(b, &with(a.clone()));
                Expr::binary(BinaryOp::Implies, a, b)
            }
            Expr::Binary(op, a, b) => {
                let a = self.expr(a, under);
                Expr::binary(*op, a, self.expr(b, under))
            }
            Expr::Unary(op, a) => Expr::unary(*op, self.expr(a, under)),
            Expr::Cast(ty, a) => Expr::Cast(*ty, Box::new(self.expr(a, under))),
            other => other.clone(),
        }
    }

    /// Reads an element: a cell's value, or any.
    fn read(&mut self, ty: Type, address: Expr, sites: Sites, under: &[Expr]) -> Expr {
        let pointer = self.temporary(Type::Pointer);
        let place = match under {
            [] => address,
            _ => {
                let condition = Expr::And(under.to_vec());
                Expr::Ite(Box::new(condition), Box::new(address), Box::new(Expr::Var(self.scratch)))
            }
        };
        self.out.push(Statement::Assign(vec![(pointer, place)]));
        // The access is as valid as the load is. Nothing is read there.
        self.out.push(Statement::Store { address: Expr::Var(pointer), value: zero(ty) });
        let Expr::Var(value) = self.anything(ty) else { unreachable!("it is a variable") };
        let mut result = Expr::Var(value);
        let mut tracked = Vec::new();
        for cell in self.cells.iter().filter(|cell| sites & (1 << cell.site) != 0 && is_alike(cell.ty, ty)) {
            let here = is_at(cell, &Expr::Var(pointer), sites);
            tracked.push(here.clone());
            let held = converted(Expr::Var(cell.value), cell.ty, ty);
            result = Expr::Ite(Box::new(here), Box::new(held), Box::new(result));
        }
        self.out.push(Statement::Assign(vec![(value, result)]));
        // What is not evaluated is not read.
        tracked.extend((!under.is_empty()).then(|| Expr::And(under.to_vec()).negate()));
        self.tracked.push(Expr::Or(tracked));
        Expr::Var(value)
    }

    /// Sums over arrays of the sites are not known any more.
    fn forget_totals(&mut self, sites: Sites) {
        let changed = self.totals.iter().filter(|total| total.sites & sites != 0);
        self.out.extend(changed.map(Total::forget));
    }

    /// Writes: cells may change.
    fn store(&mut self, address: &Expr, value: &Expr) {
        let (ty, target) = (value.type_in(self.program), self.target(address));
        let is_element = target.sites & self.selected != 0 && !is_header(self.program, address);
        if !is_element {
            let (address, value) = (self.expr(address, &[]), self.expr(value, &[]));
            self.out.push(Statement::Store { address, value });
            return;
        }
        let (address, value) = (self.plain_expr(address), self.plain_expr(value));
        self.out.push(Statement::Store { address: address.clone(), value: value.clone() });
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
                let anything = self.anything(cell_type);
                after = Expr::Ite(Box::new(partly), Box::new(anything), Box::new(after));
            }
            if is_alike {
                after = Expr::Ite(Box::new(here), Box::new(given), Box::new(after));
            }
            self.out.push(Statement::Assign(vec![(variable, after)]));
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
            let anything = self.anything(ty);
            let mut after = Expr::Ite(Box::new(partly), Box::new(anything), Box::new(Expr::Var(variable)));
            if is_zero {
                after = Expr::Ite(Box::new(inside), Box::new(zero(ty)), Box::new(after));
            }
            self.out.push(Statement::Assign(vec![(variable, after)]));
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
        let chosen = if self.cells[*first].is_single { None } else { Some(self.anything(Type::Bool)) };
        let either = |new: Expr, variable: VarId| match &chosen {
            None => new,
            Some(chosen) => Expr::Ite(Box::new(chosen.clone()), Box::new(new), Box::new(Expr::Var(variable))),
        };
        let mut starts = Vec::new();
        for number in of_site {
            let Cell { object, value, ty, .. } = self.cells[number];
            let content = if zeroed { zero(ty) } else { self.anything(ty) };
            starts.push((value, either(content, value)));
            if !starts.iter().any(|(variable, _)| *variable == object) {
                starts.push((object, either(Expr::Var(made), object)));
            }
        }
        self.out.push(Statement::Assign(starts));
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

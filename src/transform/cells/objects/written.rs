//! Whether every object of a site is written somewhere before it is read there.

use super::super::loops::{base_of, bytes_of};
use super::select::place;
use crate::program::points::{Points, each_statement};
use crate::program::{EdgeId, Expr, LocId, ProcId, Program, Scope, Statement, Type, VarId};
use crate::term::Offsets;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Whether on every way from where an object is made, its pointer at an offset is written before any object of the site
/// is read there.
pub(super) fn is_written_first(program: &Program, points: &Points, site: usize, offset: i64) -> bool {
    let made = points.sites[site];
    let Some((procedure, edge)) = made.edge else { return false };
    let block = &program.procedures[procedure].edges[edge].block;
    let Statement::Allocate { target, zeroed, .. } = &block[made.statement] else { return false };
    let mut search = Search {
        program,
        points,
        site,
        offset,
        readers: readers(program, points, site, offset),
        returns: true,
        seen: FxHashSet::default(),
    };
    *zeroed || search.edge(procedure, edge, made.statement + 1, BTreeSet::from([*target]))
}

/// The variables that hold the pointer to the new object.
type Names = BTreeSet<VarId>;

struct Search<'a> {
    program: &'a Program,
    points: &'a Points,
    site: usize,
    offset: i64,
    /// The procedures in whose calls objects of the site may be read there.
    readers: FxHashSet<ProcId>,
    /// Whether it may be written after the procedure returns.
    returns: bool,
    seen: FxHashSet<(ProcId, LocId, Names)>,
}

impl Search<'_> {
    /// Whether it is written first on all ways that begin with the rest of an edge.
    fn edge(&mut self, procedure: ProcId, edge: EdgeId, from: usize, mut names: Names) -> bool {
        let data = &self.program.procedures[procedure].edges[edge];
        for (number, statement) in data.block.iter().enumerate().skip(from) {
            let at = place(Some((procedure, edge)), number);
            let reads = |expr: &Expr| is_read(self.program, self.points, (self.site, self.offset), at, expr);
            if statement.expressions().into_iter().any(reads) {
                return false;
            }
            match statement {
                Statement::Store { address, value } if self.is_written(&names, address, value) => return true,
                Statement::Call { callee, .. } if self.readers.contains(callee) => return false,
                Statement::Call { callee, arguments, .. } if self.is_written_in(*callee, arguments, &names) => {
                    return true;
                }
                Statement::Call { target, .. } => {
                    // The procedure may change globals.
                    let is_local = |name: &VarId| self.program.variables[*name].scope == Scope::Local(procedure);
                    names.retain(|name| is_local(name) && *target != Some(*name));
                }
                Statement::Assign(pairs) => {
                    let is_name = |value: &Expr| matches!(value, Expr::Var(of) if names.contains(of));
                    let (kept, lost): (Vec<_>, Vec<_>) = pairs.iter().partition(|(_, value)| is_name(value));
                    names.retain(|name| lost.iter().all(|(target, _)| target != name));
                    names.extend(kept.iter().map(|(target, _)| *target));
                }
                other => names.retain(|name| !other.targets().contains(name)),
            }
        }
        self.location(procedure, data.target, names)
    }

    /// Whether it is written first on all ways from a location.
    fn location(&mut self, procedure: ProcId, location: LocId, names: Names) -> bool {
        let program = self.program;
        let data = &program.procedures[procedure];
        if data.locations[location].error.is_some() || !self.seen.insert((procedure, location, names.clone())) {
            return true;
        }
        if names.is_empty() {
            return false;
        }
        if location == data.exit {
            return procedure == program.main || self.returns && self.callers(procedure, &names);
        }
        let leaving = data.edges.enumerate().filter(|(_, edge)| edge.source == location);
        { leaving }.all(|(edge, _)| self.edge(procedure, edge, 0, names.clone()))
    }

    /// Whether a procedure that the object is passed to writes it before it returns.
    fn is_written_in(&self, callee: ProcId, arguments: &[Expr], names: &Names) -> bool {
        let data = &self.program.procedures[callee];
        let is_passed = |argument: &Expr| matches!(argument, Expr::Var(of) if names.contains(of));
        let passed = data.parameters.iter().zip(arguments).filter(|(_, argument)| is_passed(argument));
        let inside: Names = passed.map(|(parameter, _)| *parameter).collect();
        let (readers, seen) = (self.readers.clone(), FxHashSet::default());
        let mut search = Search { readers, seen, returns: false, ..*self };
        !inside.is_empty() && search.location(callee, data.entry, inside)
    }

    /// Whether it is written first where calls return that give the object away.
    fn callers(&mut self, procedure: ProcId, names: &Names) -> bool {
        let program = self.program;
        if !program.procedures[procedure].result.is_some_and(|result| names.contains(&result)) {
            return false;
        }
        let callers =
            program.procedures.enumerate().flat_map(|(caller, data)| data.edges.iter().map(move |e| (caller, e)));
        { callers }.all(|(caller, edge)| match edge.call() {
            Some((target, callee, _)) if callee == procedure => {
                target.is_some_and(|target| self.location(caller, edge.target, BTreeSet::from([target])))
            }
            _ => true,
        })
    }

    /// Whether a store is to the offset of the new object.
    fn is_written(&self, names: &Names, address: &Expr, value: &Expr) -> bool {
        let bytes = match bytes_of(address) {
            None => Some(0),
            Some(Expr::Int(bytes, _)) => bytes.to_i64(),
            Some(_) => None,
        };
        let is_new = matches!(base_of(address), Expr::Var(base) if names.contains(base));
        is_new && bytes == Some(self.offset) && value.type_in(self.program) == Type::Pointer
    }
}

/// Whether an expression may read objects of a site at an offset.
fn is_read(
    program: &Program,
    points: &Points,
    (site, offset): (usize, i64),
    at: Option<crate::program::webs::StatementAt>,
    expr: &Expr,
) -> bool {
    let here = match expr {
        Expr::Load(ty, address) => {
            let target = points.target_at(program, at, address);
            let bytes = i64::from(program.pointer_bytes);
            let width = super::super::width_of(program, *ty);
            target.sites & (1 << site) != 0 && !Offsets::at(offset).is_apart(bytes, target.offsets, width)
        }
        _ => false,
    };
    here || expr.operands().into_iter().any(|operand| is_read(program, points, (site, offset), at, operand))
}

/// The procedures in whose calls objects of a site may be read at an offset.
fn readers(program: &Program, points: &Points, site: usize, offset: i64) -> FxHashSet<ProcId> {
    let (mut found, mut calls) = (FxHashSet::default(), Vec::new());
    each_statement(program, |edge, number, statement| {
        let Some((procedure, _)) = edge else { return };
        let at = place(edge, number);
        if statement.expressions().into_iter().any(|expr| is_read(program, points, (site, offset), at, expr)) {
            found.insert(procedure);
        }
        if let Statement::Call { callee, .. } = statement {
            calls.push((procedure, *callee));
        }
    });
    loop {
        let more: Vec<ProcId> = calls
            .iter()
            .filter(|(caller, callee)| found.contains(callee) && !found.contains(caller))
            .map(|(caller, _)| *caller)
            .collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

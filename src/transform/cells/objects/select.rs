//! The sites whose objects can be told by one that is tracked.

use super::super::loops::base_of;
use super::super::{is_alike, is_single, sites_of, width_of};
use super::size_of;
use super::written::is_written_first;
use crate::program::points::{Points, Sites, Target, each_statement};
use crate::program::webs::StatementAt;
use crate::program::{EdgeId, Expr, ProcId, Program, Statement, Type};
use crate::term::Offsets;

/// An access to memory.
pub(super) struct Access {
    /// Where it is.
    pub target: Target,
    /// Where the pointer is that it is reckoned from.
    base: Target,
    /// What is read or written.
    pub ty: Type,
}

/// The sites that make many objects of one size, of which nothing else is known than what loads, stores and comparisons
/// tell.
pub(super) fn select(program: &Program, points: &Points) -> Sites {
    let is_made_often = |site: &usize| size_of(program, points, *site).is_some() && !is_single(program, points, *site);
    let mut selected = (0..points.sites.len()).filter(is_made_often).fold(0, |all, site| all | 1 << site);
    selected &= !points.exposed();
    each_statement(program, |edge, number, statement| {
        let at = place(edge, number);
        let sites = |expr: &Expr| points.target_at(program, at, expr).sites;
        match statement {
            Statement::Copy { target, source, .. } => selected &= !(sites(target) | sites(source)),
            Statement::Fill { target, .. } | Statement::Write { target, .. } => selected &= !sites(target),
            Statement::Output(pieces) if pieces.iter().any(|piece| piece.reads_memory()) => selected = 0,
            Statement::Lock { lock: pointer, .. } | Statement::Unlock(pointer) => selected &= !sites(pointer),
            Statement::Wait { .. } | Statement::Notify { .. } | Statement::Spawn { .. } => selected = 0,
            _ => {}
        }
        if statement.expressions().into_iter().any(|expr| is_open(program, points, at, expr)) {
            selected = 0;
        }
    });
    loop {
        let before = selected;
        selected = without_mixed(program, points, selected);
        selected = without_unknown_pointers(program, points, selected);
        if selected == before {
            return selected;
        }
    }
}

/// Calls the function on every access to memory, loads and stores.
pub(super) fn each_access(program: &Program, points: &Points, mut visit: impl FnMut(Access)) {
    each_statement(program, |edge, number, statement| {
        let at = place(edge, number);
        let access = |ty: Type, address: &Expr| {
            let (target, base) =
                (points.target_at(program, at, address), points.target_at(program, at, base_of(address)));
            Access { target, base, ty }
        };
        for expr in statement.expressions() {
            each_load(expr, &mut |ty, _, address| visit(access(ty, address)));
        }
        if let Statement::Store { address, value } = statement {
            visit(access(value.type_in(program), address));
        }
    });
}

/// Those all accesses to which are to such objects alone, at one offset each, and to fields that do not overlap.
fn without_mixed(program: &Program, points: &Points, mut selected: Sites) -> Sites {
    let mut fields: Vec<(usize, i64, Type)> = Vec::new();
    each_access(program, points, |Access { target, base, ty }| {
        let is_simple = target.sites & !selected == 0 && target.offsets.step == 0 && base.offsets.step == 0;
        if target.sites & selected != 0 && !is_simple {
            selected &= !target.sites;
        }
        let offset = target.offsets.rest;
        for site in sites_of(target.sites & selected) {
            let is_inside = size_of(program, points, site)
                .is_some_and(|size| 0 <= offset && offset + width_of(program, ty) <= size);
            let is_same = |of: i64, known: Type| of == offset && is_alike(known, ty);
            let is_apart = |of: i64, known: Type| {
                Offsets::at(of).is_apart(width_of(program, known), Offsets::at(offset), width_of(program, ty))
            };
            let fits =
                |(of, at, known): &(usize, i64, Type)| *of != site || is_same(*at, *known) || is_apart(*at, *known);
            if !is_inside || !fields.iter().all(fits) {
                selected &= !(1 << site);
            }
            fields.push((site, offset, ty));
        }
    });
    selected
}

/// Where a statement is, for the analysis of pointers.
pub(super) fn place(edge: Option<(ProcId, EdgeId)>, number: usize) -> Option<StatementAt> {
    edge.map(|(procedure, edge)| (procedure, edge, number))
}

/// Whether an expression has a pointer that can be anything, or to a procedure, or looks for lost objects.
fn is_open(program: &Program, points: &Points, at: Option<StatementAt>, expr: &Expr) -> bool {
    let is_pointer = expr.type_in(program) == Type::Pointer;
    matches!(expr, Expr::Function(_))
        || expr.looks_for_lost()
        || (is_pointer && points.target_at(program, at, expr).sites == Sites::MAX)
        || expr.operands().into_iter().any(|operand| is_open(program, points, at, operand))
}

/// Those of which every pointer that is read was written before, and is to nothing but such objects.
fn without_unknown_pointers(program: &Program, points: &Points, mut selected: Sites) -> Sites {
    loop {
        let before = selected;
        each_statement(program, |edge, number, statement| {
            let at = place(edge, number);
            for expr in statement.expressions() {
                each_load(expr, &mut |ty, load, address| {
                    if ty != Type::Pointer {
                        return;
                    }
                    let from = points.target_at(program, at, address);
                    let held = points.target_at(program, at, load);
                    if from.sites & selected != 0 && !is_known(program, points, selected, from, held) {
                        selected &= !from.sites;
                    }
                });
            }
        });
        if selected == before {
            return selected;
        }
    }
}

/// Whether the pointers that are read somewhere are known.
fn is_known(program: &Program, points: &Points, selected: Sites, from: Target, held: Target) -> bool {
    let is_one_place = from.offsets.step == 0 && held.offsets.step == 0;
    is_one_place
        && held.sites & !selected == 0
        && sites_of(from.sites & selected).all(|site| is_written_first(program, points, site, from.offsets.rest))
}

/// Calls the function on every load, with its type and address.
fn each_load(expr: &Expr, visit: &mut impl FnMut(Type, &Expr, &Expr)) {
    if let Expr::Load(ty, address) = expr {
        visit(*ty, expr, address);
    }
    expr.operands().into_iter().for_each(|operand| each_load(operand, visit));
}

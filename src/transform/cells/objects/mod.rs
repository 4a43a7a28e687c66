//! Objects that are made again and again, as one tracked object of each site.
//!
//! Of the objects that a site makes, one is tracked, any, chosen when it is made: its fields are variables. Of all others
//! of the site nothing is known: a read of one gives any value, and a pointer that is read there is any that can be. What
//! is proved of the result, whatever is chosen, is proved of every object.
//!
//! Claim: where the result has no execution that fails, the program has none.
//! - For every execution of the program, and every choice of at most one object of each site, the result has an execution
//!   that is the same but for the other objects: pointers to these are pointers to the one that stands for them, at the
//!   same offset. A read of one may give what it gives in the program; comparisons that can tell two of them apart may
//!   come out either way, and so does whether an object is live.
//! - A failure is discarded as with cells (`discard.rs`): where the condition was made of a read of one object of a site,
//!   and that is not the tracked one. An execution of the program that fails there is one of the result, and is not
//!   discarded, where the objects of these reads were chosen.
//!
//! Accesses to these objects are taken to be valid, and end the execution where the pointer is to none of them: only the
//! rules of SV-COMP say so.

mod rewrite;
mod select;
mod written;

use super::discard::{Counted, Plan};
use super::inline::inline_small;
use super::{add_global, sites_of};
use crate::program::points::{Points, Sites};
use crate::program::{Expr, OFFSET, Program, Property, Region, Statement, Type, VarId};
use crate::term::Integer;
use rewrite::Rewriter;

/// The variables for the objects of a site.
#[derive(Debug, Clone, Copy)]
struct Tracked {
    /// The site.
    site: usize,
    /// The pointer to the tracked object.
    object: VarId,
    /// The pointer to the one that stands for all others.
    other: VarId,
    /// Whether the tracked object was made.
    is_made: VarId,
}

/// A field of a tracked object.
#[derive(Debug, Clone, Copy)]
struct Field {
    /// The site of the object.
    site: usize,
    /// Where it is.
    offset: i64,
    /// What it holds.
    ty: Type,
    /// The variable in its place.
    variable: VarId,
}

/// The program with one tracked object in place of those of each site that makes many; `None` where that changes nothing,
/// or cannot be done.
pub fn track_objects(program: &Program, property: &Property) -> Option<Program> {
    let is_for_it = matches!(property, Property::UnreachCall(_)) && program.rules.trusts_accesses();
    if !is_for_it || program.starts_threads() || program.checks_accesses() {
        return None;
    }
    if select::select(program, &Points::of(program)?) == 0 {
        return None;
    }
    let program = &inline_small(program);
    let points = Points::of(program)?;
    let selected = select::select(program, &points);
    if selected == 0 {
        return None;
    }
    let plan = Plan::of(program, &points, selected, Counted::Objects);
    let (mut result, mut prologue) = (program.clone(), Vec::new());
    let tracked = make_tracked(program, &points, selected, (&mut result, &mut prologue));
    let fields = make_fields(program, &points, selected, (&mut result, &mut prologue));
    Some(Rewriter::new((program, &points), selected, (tracked, fields), plan, (result, prologue)).run())
}

/// The variables for the objects of each site.
fn make_tracked(
    program: &Program,
    points: &Points,
    selected: Sites,
    (result, prologue): (&mut Program, &mut Vec<Statement>),
) -> Vec<Tracked> {
    let mut all = Vec::new();
    for site in sites_of(selected) {
        let bytes = size_of(program, points, site).expect("only objects of one size are selected");
        let mut global = |what: &str, ty| add_global(result, prologue, &format!("object!{site}!{what}"), ty);
        let (object, other) = (global("tracked", Type::Pointer), global("other", Type::Pointer));
        let is_made = global("made", Type::Bool);
        for target in [object, other] {
            let size = Expr::Int(Integer::from(bytes), OFFSET);
            prologue.push(Statement::Allocate { target, size, region: Region::Static, zeroed: false });
        }
        all.push(Tracked { site, object, other, is_made });
    }
    all
}

/// The variables for the fields of tracked objects.
fn make_fields(
    program: &Program,
    points: &Points,
    selected: Sites,
    (result, prologue): (&mut Program, &mut Vec<Statement>),
) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    select::each_access(program, points, |access| {
        for site in sites_of(access.target.sites & selected) {
            let (offset, ty) = (access.target.offsets.rest, access.ty);
            if !fields.iter().any(|field| (field.site, field.offset) == (site, offset)) {
                let variable = add_global(result, prologue, &format!("object!{site}!{offset}"), ty);
                fields.push(Field { site, offset, ty, variable });
            }
        }
    });
    fields
}

/// How many bytes the objects of a site have, if it makes them on the heap, and all of one size.
fn size_of(program: &Program, points: &Points, site: usize) -> Option<i64> {
    let site = points.sites.get(site)?;
    let (procedure, edge) = site.edge?;
    match &program.procedures[procedure].edges[edge].block[site.statement] {
        Statement::Allocate { size: Expr::Int(bytes, _), region: Region::Heap, .. } => bytes.to_i64(),
        _ => None,
    }
}

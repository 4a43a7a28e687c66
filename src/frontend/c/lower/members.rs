//! `const` members of objects that are not `const` as a whole: nothing looks at where in an object a write goes.
//!
//! A pointer to such a member, or to what it is in, has to be converted before anything can write the member through it.
//! Where a program has such an object and such a conversion, it is an assumption that no such write happens. An object
//! on the heap has no declared type, so that its members may be written.

use super::Options;
use crate::frontend::c::ast::Qualifiers;
use crate::frontend::c::tree::{Conversion, ExprKind, Unit};
use crate::frontend::c::types::Ty;
use crate::program::{Assumption, Program};
use std::collections::BTreeSet;

/// Notes the assumption where writes to constants count.
pub(super) fn assume_kept(program: &mut Program, units: &[Unit], options: &Options) {
    let is_asked = options.checks.memory || options.executes;
    if options.rules.trusts_accesses() && !is_asked {
        return;
    }
    let objects = units.iter().flat_map(|unit| unit.objects.iter().map(move |object| (unit, object)));
    for (unit, object) in objects {
        let mut constants = BTreeSet::new();
        find_constants(unit, object.ty, false, &mut constants);
        if !constants.is_empty() && units.iter().any(|unit| converts(unit, &constants)) {
            let text = format!("no `const` member of `{}` is written through a pointer", object.name);
            program.assumptions.push(Assumption { text, span: Some(object.span) });
            return;
        }
    }
}

fn is_const(unit: &Unit, ty: Ty) -> bool {
    unit.types.qualifiers(ty).has(Qualifiers::CONST)
}

/// How a type is shown without qualifiers: each unit has types of its own.
fn shown(unit: &Unit, ty: Ty) -> String {
    unit.types.display(ty.unqualified(), &unit.names)
}

/// The types of all that is `const` inside a type, unless it is `const` itself.
fn find_constants(unit: &Unit, ty: Ty, is_inside: bool, found: &mut BTreeSet<String>) {
    if is_const(unit, ty) && !is_inside {
        return;
    }
    if let Some((element, _)) = unit.types.as_array(ty) {
        return find_constants(unit, element, is_inside, found);
    }
    if is_inside {
        found.insert(shown(unit, ty));
    }
    let Some(body) = unit.types.record_body(ty) else { return };
    for field in &body.fields {
        find_constants(unit, field.ty, is_inside || is_const(unit, field.ty), found);
    }
}

/// Whether a pointer to one of these types as a constant, or to something with `const` members, becomes a pointer to
/// another type or a number.
fn converts(unit: &Unit, constants: &BTreeSet<String>) -> bool {
    unit.exprs.iter().any(|expr| {
        let ExprKind::Convert(Conversion::Pointer | Conversion::PointerToInteger, inner) = &expr.kind else {
            return false;
        };
        let Some(from) = unit.types.pointee(unit.exprs[*inner].ty) else { return false };
        let element = |mut ty: Ty| {
            while let Some((inner, _)) = unit.types.as_array(ty) {
                ty = inner;
            }
            ty
        };
        let mut members = BTreeSet::new();
        find_constants(unit, element(from).unqualified(), false, &mut members);
        let is_member = is_const(unit, from) && constants.contains(&shown(unit, element(from)));
        let stays = unit.types.pointee(expr.ty).is_some_and(|to| {
            shown(unit, element(to)) == shown(unit, element(from)) && (is_const(unit, to) || !is_const(unit, from))
        });
        (is_member || !members.is_empty()) && !stays
    })
}

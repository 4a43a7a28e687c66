//! What a linker says of several files: nothing is defined twice, and what they share has one type.

use super::Options;
use crate::frontend::c::tree::{Function, Object, Storage, Unit};
use crate::frontend::c::types::{Length, Ty, TypeKind};
use crate::program::{Diagnostic, ErrorKind, FrontendErrors, Program, Remark, SourceFiles, Span};
use std::collections::BTreeMap;

/// Refuses the user's units where a linker would.
pub(super) fn check(units: &[Unit], sources: &SourceFiles) -> Result<(), FrontendErrors> {
    let mut errors = Vec::new();
    let mut functions: BTreeMap<&str, &Function> = BTreeMap::new();
    let mut objects: BTreeMap<&str, (&Unit, &Object)> = BTreeMap::new();
    for unit in units {
        for function in unit.functions.iter().filter(|function| is_strong(function)) {
            if let Some(first) = functions.insert(&function.name, function) {
                errors.push(defined_twice("function", &function.name, first.span, function.span, sources));
            }
        }
        for object in unit.objects.iter().filter(|object| object.storage == Storage::Global) {
            let Some((other, first)) = objects.get(&*object.name).copied() else {
                objects.insert(&object.name, (unit, object));
                continue;
            };
            let has_value = |object: &Object| object.init.is_some() && !object.is_weak;
            if has_value(first) && has_value(object) {
                errors.push(defined_twice("variable", &object.name, first.span, object.span, sources));
            } else if !fits((other, first.ty), (unit, object.ty)) {
                errors.push(two_types((other, first), (unit, object), sources));
            }
            if has_value(object) || !first.is_defined {
                objects.insert(&object.name, (unit, object));
            }
        }
    }
    check_signatures(units, sources, &mut errors);
    for (name, function) in &functions {
        if let Some((_, object)) = objects.get(name) {
            errors.push(defined_twice("name", name, object.span, function.span, sources));
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(FrontendErrors(errors)) }
}

/// Looks for declarations of a function that is defined in another file, with other types than the definition has.
fn check_signatures(units: &[Unit], sources: &SourceFiles, errors: &mut Vec<Diagnostic>) {
    let all = || units.iter().flat_map(|unit| unit.functions.iter().map(move |function| (unit, function)));
    let defined: BTreeMap<&str, (&Unit, &Function)> =
        all().filter(|(_, function)| is_strong(function)).map(|it| (&*it.1.name, it)).collect();
    for (unit, function) in all().filter(|(_, function)| function.definition.is_none() && !function.is_static) {
        let Some((other, definition)) = defined.get(&*function.name).copied() else { continue };
        if !fits((unit, function.ty), (other, definition.ty)) {
            let shown = |unit: &Unit, function: &Function| {
                format!("`{}` at {}", unit.types.display(function.ty, &unit.names), place(sources, function.span))
            };
            let (first, second) = (shown(other, definition), shown(unit, function));
            let message = format!("the function `{}` has two types, {first} and {second}", function.name);
            errors.push(Diagnostic::at(function.span, message, "the declaration"));
        }
    }
}

/// Whether another definition of the function would be one too many.
fn is_strong(function: &Function) -> bool {
    function.definition.is_some() && !function.is_static && !function.is_inline && !function.is_weak
}

fn place(sources: &SourceFiles, span: Span) -> String {
    let file = &sources[span.file];
    format!("{}:{}", file.name, file.line_and_column(span.start).0)
}

fn defined_twice(what: &str, name: &str, first: Span, second: Span, sources: &SourceFiles) -> Diagnostic {
    let (before, after) = (place(sources, first), place(sources, second));
    let message = format!("the {what} `{name}` is defined twice, at {before} and at {after}");
    Diagnostic::at(second, message, "the second definition").hint("only one of the files may define it")
}

fn two_types(first: (&Unit, &Object), second: (&Unit, &Object), sources: &SourceFiles) -> Diagnostic {
    let shown = |(unit, object): (&Unit, &Object)| {
        format!("`{}` at {}", unit.types.display(object.ty, &unit.names), place(sources, object.span))
    };
    let name = &second.1.name;
    let message = format!("`{name}` is declared with two types, {} and {}", shown(first), shown(second));
    Diagnostic::at(second.1.span, message, "the second declaration")
}

/// Whether two units can mean one object by two types, as far as how it lies in memory tells.
fn fits(a: (&Unit, Ty), b: (&Unit, Ty)) -> bool {
    let ((u, a), (v, b)) = (a, b);
    match (u.types.kind(a), v.types.kind(b)) {
        (TypeKind::Array(p, m), TypeKind::Array(q, n)) => {
            let is_fixed = |length: &Length| matches!(length, Length::Fixed(_));
            fits((u, *p), (v, *q)) && (m == n || !is_fixed(m) || !is_fixed(n))
        }
        (TypeKind::Record(_), TypeKind::Record(_)) => {
            let (m, n) = (u.types.size_of(a), v.types.size_of(b));
            m.is_none() || n.is_none() || m == n
        }
        (TypeKind::Pointer(_), TypeKind::Pointer(_)) => true,
        (TypeKind::Float(m), TypeKind::Float(n)) => m == n,
        (TypeKind::Int(_) | TypeKind::Enum(_), TypeKind::Int(_) | TypeKind::Enum(_)) => {
            u.types.int_format(a) == v.types.int_format(b)
        }
        (TypeKind::Function(m), TypeKind::Function(n)) => {
            let mut pairs = m.parameters.iter().zip(&n.parameters);
            let has_all = m.is_prototype && n.is_prototype;
            fits((u, m.result), (v, n.result))
                && (!has_all || (m.parameters.len() == n.parameters.len() && m.is_variadic == n.is_variadic))
                && (!has_all || pairs.all(|(p, q)| fits((u, *p), (v, *q))))
        }
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

/// Says where the property is about a function that the program does not have.
pub(super) fn remark_missing(program: &mut Program, units: &[Unit], options: &Options) {
    let mut names = options.error_functions.iter().filter(|(_, kind)| matches!(kind, ErrorKind::Call(_))).peekable();
    let is_there = |name: &str| units.iter().any(|unit| unit.functions.iter().any(|it| &*it.name == name));
    let Some((_, ErrorKind::Call(name))) = names.peek().copied() else { return };
    if options.asks_calls && !names.any(|(name, _)| is_there(name)) {
        let text = format!("the program has no function `{name}`, which the property is about");
        program.remarks.push(Remark { text, span: None });
    }
}

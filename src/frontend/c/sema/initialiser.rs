//! Initialisers, flattened into parts with offsets.

use super::convert::Purpose;
use super::{Checked, Sema};
use crate::frontend::c::ast::{Designator, Init, InitItem as AstItem};
use crate::frontend::c::tree::{ExprId, ExprKind, InitItem, Initialiser};
use crate::frontend::c::types::{BitField, IntKind, Length, RecordId, Ty, TypeKind};
use crate::program::{Diagnostic, Span};
use std::collections::BTreeSet;

/// How many parts an initialiser has at most, once ranges are written out.
const MAX_ITEMS: usize = 4_000_000;

/// A part of the object being initialised.
#[derive(Debug, Clone, Copy)]
struct Part {
    ty: Ty,
    offset: u64,
    bits: Option<BitField>,
}

/// The items of a list in braces that are still to be placed.
struct Cursor<'b> {
    items: &'b [AstItem],
    /// The expression of the first item, once it was looked at.
    looked_at: Option<ExprId>,
}

impl Cursor<'_> {
    fn advance(&mut self) {
        self.items = &self.items[1..];
        self.looked_at = None;
    }
}

/// What is collected.
struct Parts {
    items: Vec<InitItem>,
    /// Where the furthest part ends: only parts before it can be given a value twice.
    end: u64,
    /// Where each part starts, once parts come out of order.
    starts: Option<BTreeSet<u64>>,
    is_static: bool,
    /// How many elements a list gave to the array without length that is being initialised.
    length: u64,
}

impl Sema<'_> {
    /// Flattens the initialiser of an object, and completes the type of an array without length.
    pub(super) fn initialise(&mut self, ty: Ty, init: &Init, is_static: bool) -> Checked<(Initialiser, Ty)> {
        let mut parts = Parts { items: Vec::new(), end: 0, starts: None, is_static, length: 0 };
        let part = Part { ty, offset: 0, bits: None };
        self.init_part(part, init, &mut parts, true)?;
        let zero_rest = is_static || self.types().as_array(ty).is_some() || matches!(init, Init::List(..));
        let mut complete = ty;
        if let Some((element, Length::Unknown)) = self.types().as_array(ty) {
            complete = self.unit.types.array_of(element, Length::Fixed(parts.length));
        }
        Ok((Initialiser { zero_rest, items: parts.items }, complete))
    }

    /// A part with an initialiser of its own.
    fn init_part(&mut self, part: Part, init: &Init, out: &mut Parts, is_whole: bool) -> Checked<()> {
        match init {
            Init::Expr(expr) => {
                let value = self.expr(*expr)?;
                self.init_value(part, value, out, is_whole)
            }
            Init::List(items, span) => self.init_list(part, items, *span, out, is_whole),
        }
    }

    fn init_list(&mut self, part: Part, items: &[AstItem], span: Span, out: &mut Parts, is_whole: bool) -> Checked<()> {
        let is_aggregate = matches!(self.types().kind(part.ty), TypeKind::Array(..) | TypeKind::Record(_));
        if is_aggregate {
            // A string may have braces of its own.
            if let [AstItem { designators, init: Init::Expr(expr) }] = items
                && designators.is_empty()
                && self.is_character_array(part.ty)
                && matches!(self.ast.exprs[*expr].kind, crate::frontend::c::ast::ExprKind::Str(_))
            {
                let value = self.expr(*expr)?;
                return self.init_value(part, value, out, is_whole);
            }
            let mut cursor = Cursor { items, looked_at: None };
            return self.fill(part, &mut cursor, &[], out, true, is_whole);
        }
        match items {
            [] => {
                let zero = self.int(0, Ty::INT, span);
                self.init_value(part, zero, out, false)
            }
            [first, ..] if first.designators.is_empty() => self.init_part(part, &first.init, out, false),
            _ => self.error(Diagnostic::at(span, "a number has no members", "initialised like a structure")),
        }
    }

    /// A part that gets the value of one expression.
    fn init_value(&mut self, part: Part, value: ExprId, out: &mut Parts, is_whole: bool) -> Checked<()> {
        if let Some((element, length)) = self.types().as_array(part.ty) {
            return self.init_array(part, element, length, value, out, is_whole);
        }
        let value = self.rvalue(value);
        let value = self.convert_assigned(value, part.ty, Purpose::Initialiser)?;
        if out.is_static {
            self.require_constant_initialiser(value)?;
        }
        self.push_item(part, value, out)
    }

    fn init_array(
        &mut self,
        part: Part,
        element: Ty,
        length: Length,
        value: ExprId,
        out: &mut Parts,
        is_whole: bool,
    ) -> Checked<()> {
        let (ty, span) = (self.ty(value), self.span(value));
        let given = self.types().as_array(ty);
        let given_length = match given {
            Some((_, Length::Fixed(n))) => n,
            _ => 0,
        };
        match *self.kind(value) {
            ExprKind::Str(_) if self.string_fits(element, given.map(|(unit, _)| unit)) => {
                if is_whole {
                    out.length = given_length;
                }
                let ty = match length {
                    Length::Unknown => self.unit.types.array_of(element, Length::Fixed(given_length)),
                    _ => part.ty,
                };
                self.push_item(Part { ty, ..part }, value, out)
            }
            // GNU C copies an array from a compound literal.
            ExprKind::CompoundLiteral(id, ref init)
                if given.is_some_and(|(e, _)| self.types().compatible(e, element)) =>
            {
                let init = init.as_deref().or(self.unit.objects[id].init.as_ref()).cloned().unwrap_or_default();
                if is_whole {
                    out.length = given_length;
                }
                let limit = match length {
                    Length::Fixed(n) => n * self.types().size_of(element).unwrap_or(1),
                    _ => u64::MAX,
                };
                for item in init.items.iter().filter(|item| item.offset < limit) {
                    let inner = Part { ty: item.ty, offset: part.offset + item.offset, bits: item.bits };
                    self.push_item(inner, item.value, out)?;
                }
                Ok(())
            }
            _ => {
                let message = format!("an array of type `{}` needs a list in braces or a string", self.show(part.ty));
                self.error(Diagnostic::at(span, message, format!("has type `{}`", self.show(ty))))
            }
        }
    }

    fn is_character_array(&self, ty: Ty) -> bool {
        let element = self.types().as_array(ty).map(|(element, _)| element.unqualified());
        element.is_some_and(|element| self.types().is_integer(element))
    }

    /// Whether an array of such elements can be initialised by a string of such units.
    fn string_fits(&self, element: Ty, unit: Option<Ty>) -> bool {
        let Some(unit) = unit else { return false };
        let is_char =
            |ty: Ty| matches!(self.types().kind(ty), TypeKind::Int(IntKind::Char | IntKind::SChar | IntKind::UChar));
        is_char(element) && is_char(unit) || self.types().compatible(element, unit)
    }

    fn push_item(&mut self, part: Part, value: ExprId, out: &mut Parts) -> Checked<()> {
        if out.items.len() >= MAX_ITEMS {
            let message = format!("an initialiser of more than {MAX_ITEMS} parts is not supported");
            return self.error(Diagnostic::at(self.span(value), message, "too many"));
        }
        let size = self.types().size_of(part.ty).unwrap_or(0);
        out.items.push(InitItem { offset: part.offset, bits: part.bits, ty: part.ty.unqualified(), value });
        out.end = out.end.max(part.offset + size);
        if let Some(starts) = &mut out.starts {
            starts.insert(part.offset);
        }
        Ok(())
    }

    /// Fills an array, structure or union from the items at the cursor. `path` leads to where the first one goes. With
    /// `is_braced`, the items stand in braces of its own, so that all of them belong here; otherwise only as many as fit.
    fn fill(
        &mut self,
        whole: Part,
        cursor: &mut Cursor,
        path: &[Designator],
        out: &mut Parts,
        is_braced: bool,
        is_whole: bool,
    ) -> Checked<()> {
        let mut path = path;
        let mut index = 0u64;
        let mut is_first = true;
        loop {
            let Some(item) = cursor.items.first() else { return Ok(()) };
            if path.is_empty() && !item.designators.is_empty() {
                if !is_braced && !is_first {
                    return Ok(());
                }
                if is_braced {
                    path = &item.designators;
                }
            }
            if !path.is_empty() {
                index = self.designated(whole, cursor, path, out)?;
                path = &[];
            } else {
                let Some(part) = self.element(whole, index) else {
                    if !is_braced {
                        return Ok(());
                    }
                    // gcc drops what is too much, and warns.
                    let span = self.item_span(item);
                    self.assume(span, "an initialiser for which there is no place is left out".to_owned());
                    cursor.advance();
                    continue;
                };
                self.fill_one(part, cursor, out)?;
                index += 1;
            }
            is_first = false;
            if is_whole {
                out.length = out.length.max(index);
            }
            let is_union = self.types().as_record(whole.ty).is_some_and(|id| self.types().records[id].is_union);
            if is_union {
                index = u64::MAX;
                if !is_braced {
                    return Ok(());
                }
            }
        }
    }

    fn item_span(&self, item: &AstItem) -> Span {
        match &item.init {
            Init::Expr(expr) => self.ast.exprs[*expr].span,
            Init::List(_, span) => *span,
        }
    }

    /// The element or member of that number, unless there are not so many.
    fn element(&self, whole: Part, index: u64) -> Option<Part> {
        match *self.types().kind(whole.ty) {
            TypeKind::Array(element, length) => {
                let fits = match length {
                    Length::Fixed(n) => index < n,
                    _ => true,
                };
                let size = self.types().size_of(element)?;
                let offset = whole.offset.checked_add(index.checked_mul(size)?)?;
                fits.then_some(Part { ty: element, offset, bits: None })
            }
            TypeKind::Record(id) => {
                let body = self.types().records[id].body.as_ref()?;
                let field = body.fields.get(usize::try_from(index).ok()?)?;
                Some(Part { ty: field.ty, offset: whole.offset + field.offset, bits: field.bits })
            }
            _ => None,
        }
    }

    /// The next item, or as many as the part takes when it has no braces: those leave what was given before to the rest.
    fn fill_one(&mut self, part: Part, cursor: &mut Cursor, out: &mut Parts) -> Checked<()> {
        if let TypeKind::Array(_, Length::Unknown) = self.types().kind(part.ty) {
            let span = cursor.items.first().map(|item| self.item_span(item));
            let span = span.expect("there is an item to place");
            return self.refuse(span, "a first value of a flexible array member is");
        }
        let Some(item) = cursor.items.first() else { return Ok(()) };
        let expr = match &item.init {
            Init::List(items, span) => {
                self.forget(part, out);
                self.init_list(part, items, *span, out, false)?;
                cursor.advance();
                return Ok(());
            }
            Init::Expr(expr) => *expr,
        };
        let value = match cursor.looked_at {
            Some(value) => value,
            None => self.expr(expr)?,
        };
        cursor.looked_at = Some(value);
        let takes_whole = match self.types().kind(part.ty) {
            TypeKind::Array(..) => self.is_character_array(part.ty) && matches!(self.kind(value), ExprKind::Str(_)),
            TypeKind::Record(id) => self.types().as_record(self.ty(value)) == Some(*id),
            _ => true,
        };
        if takes_whole {
            if !self.types().is_scalar(part.ty) {
                self.forget(part, out);
            }
            self.init_value(part, value, out, false)?;
            cursor.advance();
            return Ok(());
        }
        if self.element(part, 0).is_none() {
            // An empty structure or array takes no value.
            return Ok(());
        }
        self.fill(part, cursor, &[], out, false, false)
    }

    /// Places the item at the cursor by a path; tells the number of the element behind the one that it leads to.
    fn designated(&mut self, whole: Part, cursor: &mut Cursor, path: &[Designator], out: &mut Parts) -> Checked<u64> {
        match path[0] {
            Designator::Field(name, span) => {
                let Some(record) = self.types().as_record(whole.ty) else {
                    let message = format!("`{}` has no members", self.show(whole.ty));
                    return self.error(Diagnostic::at(span, message, "neither a structure nor a union"));
                };
                let Some(found) = self.types().find_field(record, name) else {
                    let message = format!("`{}` has no member `{}`", self.show(whole.ty), self.text(name));
                    return self.error(Diagnostic::at(span, message, "no such member"));
                };
                let index = found[0] as u64;
                let part = self.element(whole, index).expect("a field that was found is there");
                self.forget_other_members(record, whole, out);
                // The name may be that of a member of an anonymous one, which is looked for again inside.
                let rest = if found.len() > 1 { path } else { &path[1..] };
                self.place(part, cursor, rest, out)?;
                Ok(index + 1)
            }
            Designator::Index(expr) => {
                let index = self.array_index(whole, expr)?;
                let part = self.indexed(whole, index, self.ast.exprs[expr].span)?;
                self.place(part, cursor, &path[1..], out)?;
                Ok(index + 1)
            }
            Designator::Range(first, last) => {
                let (first, last) = (self.array_index(whole, first)?, self.array_index(whole, last)?);
                self.place_range(whole, first, last, cursor, path, out)?;
                Ok(last + 1)
            }
        }
    }

    /// A union holds one member: what another one was given is gone.
    fn forget_other_members(&mut self, record: RecordId, whole: Part, out: &mut Parts) {
        if self.types().records[record].is_union {
            self.forget(whole, out);
        }
    }

    /// Removes what was given to a part before, as it is given anew.
    fn forget(&mut self, part: Part, out: &mut Parts) {
        if part.offset >= out.end {
            return;
        }
        let size = self.types().size_of(part.ty).unwrap_or(0);
        let end = part.offset.saturating_add(size.max(1));
        let items = &out.items;
        let starts = out.starts.get_or_insert_with(|| items.iter().map(|item| item.offset).collect());
        if starts.range(part.offset..end).next().is_none() {
            return;
        }
        out.items.retain(|item| match (part.bits, item.bits) {
            (Some(bits), Some(old)) => !(item.offset == part.offset && bits == old),
            (Some(_), None) => true,
            (None, _) => !(item.offset >= part.offset && item.offset < end),
        });
    }

    fn place(&mut self, part: Part, cursor: &mut Cursor, rest: &[Designator], out: &mut Parts) -> Checked<()> {
        if !rest.is_empty() {
            return self.fill(part, cursor, rest, out, false, false);
        }
        if self.types().is_scalar(part.ty) {
            self.forget(part, out);
        }
        self.fill_one(part, cursor, out)
    }

    fn array_index(&mut self, whole: Part, expr: crate::frontend::c::ast::ExprId) -> Checked<u64> {
        if self.types().as_array(whole.ty).is_none() {
            let span = self.ast.exprs[expr].span;
            let message = format!("`{}` is no array", self.show(whole.ty));
            return self.error(Diagnostic::at(span, message, "has no elements"));
        }
        self.constant_size(expr, "an index", 1 << 46)
    }

    fn indexed(&mut self, whole: Part, index: u64, span: Span) -> Checked<Part> {
        match self.element(whole, index) {
            Some(part) => Ok(part),
            None => {
                let message = format!("the array has no element {index}");
                self.error(Diagnostic::at(span, message, "out of bounds"))
            }
        }
    }

    /// `[first ... last] = value`: places the item at the first element and copies what that gave.
    fn place_range(
        &mut self,
        whole: Part,
        first: u64,
        last: u64,
        cursor: &mut Cursor,
        path: &[Designator],
        out: &mut Parts,
    ) -> Checked<()> {
        let span = cursor.items.first().map(|item| self.item_span(item)).expect("there is an item to place");
        if first > last {
            return self.error(Diagnostic::at(span, "a range that ends before it starts", "for this value"));
        }
        let part = self.indexed(whole, first, span)?;
        self.indexed(whole, last, span)?;
        for index in first..=last {
            let part = self.indexed(whole, index, span)?;
            if part.offset >= out.end {
                break;
            }
            self.forget(part, out);
        }
        let start = out.items.len();
        let only = cursor.items;
        let mut one = Cursor { items: &only[..1], looked_at: None };
        self.place(part, &mut one, &path[1..], out)?;
        *cursor = Cursor { items: &only[1..], looked_at: None };
        if path.len() > 1 && cursor.items.first().is_some_and(|item| item.designators.is_empty()) {
            return self.refuse(span, "going on behind a range of members without a designator is");
        }
        let made: Vec<InitItem> = out.items[start..].to_vec();
        if first < last && made.iter().any(|item| self.has_effects(item.value)) {
            return self.refuse(span, "a value with side effects for a range of elements is");
        }
        let size = self.types().size_of(part.ty).unwrap_or(0);
        for index in first + 1..=last {
            for item in &made {
                let offset = item.offset + (index - first) * size;
                self.push_item(Part { ty: item.ty, offset, bits: item.bits }, item.value, out)?;
            }
        }
        Ok(())
    }
}

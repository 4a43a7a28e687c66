//! Sizes and alignments, constant or computed, and offsets of members.

use super::{Checked, Sema};
use crate::frontend::c::ast::{self, Designator, TypeName};
use crate::frontend::c::tree::{BinaryOp, ExprId, ExprKind, StmtKind, Stride};
use crate::frontend::c::types::{BitField, Length, Ty, TypeKind};
use crate::program::{Diagnostic, Span};

impl Sema<'_> {
    /// The size of a type, as an expression of type `size_t`.
    pub(super) fn size_expr(&mut self, ty: Ty, span: Span) -> Checked<ExprId> {
        let size_type = self.types().size_type();
        if let Some((element, length)) = self.types().as_array(ty).filter(|_| self.types().is_variable_length(ty)) {
            let count = match length {
                Length::Variable(id) => self.node(ExprKind::VlaLength(id), size_type, span),
                Length::Fixed(n) => self.int(i128::from(n), size_type, span),
                Length::Unknown => return self.incomplete(ty, span),
            };
            let size = self.size_expr(element, span)?;
            return Ok(self.node(ExprKind::Binary(BinaryOp::Mul, count, size), size_type, span));
        }
        match self.types().size_of(ty) {
            Some(size) => Ok(self.int(i128::from(size), size_type, span)),
            None => self.incomplete(ty, span),
        }
    }

    pub(super) fn incomplete<T>(&mut self, ty: Ty, span: Span) -> Checked<T> {
        let message = format!("the type `{}` is incomplete here", self.show(ty));
        self.error(Diagnostic::at(span, message, "its size is needed").hint("define it before this place"))
    }

    /// The size of what a pointer type points to.
    pub(super) fn stride(&mut self, pointer: Ty, span: Span) -> Checked<Stride> {
        let target = self.types().pointee(pointer).unwrap_or(Ty::CHAR);
        if self.types().is_variable_length(target) {
            return self.size_expr(target, span).map(Stride::Computed);
        }
        match self.types().size_of(target) {
            Some(size) => Ok(Stride::Bytes(size)),
            None => self.incomplete(target, span),
        }
    }

    pub(super) fn sizeof_expr(&mut self, operand: ast::ExprId, span: Span) -> Checked<ExprId> {
        let operand = self.unevaluated(|sema| sema.expr(operand))?;
        let ty = self.ty(operand);
        if matches!(*self.kind(operand), ExprKind::Member { bits: Some(_), .. }) {
            return self.error(Diagnostic::at(span, "a bit-field has no size in bytes", "applied to a bit-field"));
        }
        if self.types().is_variable_length(ty) && self.has_effects(operand) {
            return self.refuse(span, "`sizeof` of a variable-length array that is computed with side effects is");
        }
        self.size_expr(ty, span)
    }

    pub(super) fn sizeof_type(&mut self, name: &TypeName, span: Span) -> Checked<ExprId> {
        let mark = self.lengths.len();
        let ty = self.type_name(name)?;
        let size = self.size_expr(ty, span)?;
        Ok(self.with_lengths(mark, size))
    }

    /// The expression, with the lengths found since a mark computed before it.
    pub(super) fn with_lengths(&mut self, mark: usize, expr: ExprId) -> ExprId {
        if self.lengths.len() <= mark {
            return expr;
        }
        let (ty, span) = (self.ty(expr), self.span(expr));
        let lengths: Vec<_> = self.lengths.drain(mark..).collect();
        let stmts = lengths.into_iter().map(|id| self.stmt(StmtKind::ComputeLength(id), span)).collect();
        let block = self.stmt(StmtKind::Block { stmts, objects: Box::new([]) }, span);
        self.node(ExprKind::Statements { block, result: Some(expr) }, ty, span)
    }

    pub(super) fn alignof(&mut self, ty: Ty, user: Option<u64>, gnu: bool, span: Span) -> Checked<ExprId> {
        let natural = if gnu { self.types().align_of(ty) } else { self.types().field_align_of(ty) };
        match user.or(natural) {
            Some(align) => Ok(self.int(i128::from(align), self.types().size_type(), span)),
            None => self.incomplete(ty, span),
        }
    }

    pub(super) fn offsetof(&mut self, name: &TypeName, path: &[Designator], span: Span) -> Checked<ExprId> {
        let size_type = self.types().size_type();
        let mut ty = self.type_name(name)?;
        let mut offset = self.int(0, size_type, span);
        for step in path {
            match step {
                Designator::Field(name, place) => {
                    let (inner, start, bits) = self.member(ty, *name, *place)?;
                    if bits.is_some() {
                        return self.error(Diagnostic::at(*place, "a bit-field has no offset in bytes", "a bit-field"));
                    }
                    let start = self.int(i128::from(start), size_type, span);
                    offset = self.arithmetic(BinaryOp::Add, offset, start, span)?;
                    ty = inner;
                }
                Designator::Index(index) => {
                    let index = self.value(*index)?;
                    let place = self.span(index);
                    let Some((element, _)) = self.types().as_array(ty) else {
                        let message = format!("`{}` is no array", self.show(ty));
                        return self.error(Diagnostic::at(place, message, "cannot be indexed"));
                    };
                    let index = self.convert(index, size_type);
                    let size = self.size_expr(element, span)?;
                    let moved = self.arithmetic(BinaryOp::Mul, index, size, span)?;
                    offset = self.arithmetic(BinaryOp::Add, offset, moved, span)?;
                    ty = element;
                }
                Designator::Range(first, _) => {
                    let place = self.ast.exprs[*first].span;
                    return self.error(Diagnostic::at(place, "a range has no offset", "a range"));
                }
            }
        }
        Ok(offset)
    }

    /// A member of a structure or union type: its type, its offset, and its bits.
    pub(super) fn member(
        &mut self,
        ty: Ty,
        name: crate::frontend::c::names::Symbol,
        span: Span,
    ) -> Checked<(Ty, u64, Option<BitField>)> {
        let Some(record) = self.types().as_record(ty) else {
            let message = format!("`{}` is neither a structure nor a union", self.show(ty));
            return self.error(Diagnostic::at(span, message, "has no members"));
        };
        if self.types().records[record].body.is_none() {
            return self.incomplete(ty, span);
        }
        let Some(path) = self.types().find_field(record, name) else {
            let message = format!("`{}` has no member `{}`", self.show(ty), self.text(name));
            return self.error(Diagnostic::at(span, message, "no such member"));
        };
        let mut record = record;
        let mut offset = 0;
        let mut qualifiers = ty.qualifiers();
        for (depth, index) in path.iter().enumerate() {
            let body = self.types().records[record].body.as_ref().expect("a path goes through complete records");
            let field = &body.fields[*index];
            let (inner, start, bits) = (field.ty, field.offset, field.bits);
            offset += start;
            if depth + 1 == path.len() {
                let inner = self.unit.types.qualified(inner, qualifiers);
                return Ok((inner, offset, bits));
            }
            qualifiers = qualifiers.with(inner.qualifiers());
            record = match self.types().kind(inner) {
                TypeKind::Record(id) => *id,
                _ => unreachable!("only records are anonymous members"),
            };
        }
        unreachable!("a path has at least one step")
    }
}

//! The atomic builtins that are given values, and where results go, by pointers: `<stdatomic.h>` is made of these.

use super::convert::Purpose;
use super::{Checked, Sema};
use crate::frontend::c::ast;
use crate::frontend::c::tree::{Builtin, ExprId, ExprKind};
use crate::frontend::c::types::{IntKind, Ty};
use crate::program::{Diagnostic, Span};

impl Sema<'_> {
    /// Such a builtin, by its name behind `__atomic_`; the orders are left out of the arguments. None where it is another.
    pub(super) fn atomic_by_pointer(
        &mut self,
        name: &str,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> Checked<Option<ExprId>> {
        let made = match (name, arguments) {
            ("load", [pointer, result]) => {
                let (pointer, ty) = self.atomic_pointer(*pointer, span)?;
                let value = self.node(ExprKind::Builtin(Builtin::AtomicLoad, Box::new([pointer])), ty, span);
                self.store_result(*result, value, span)?
            }
            ("store", [pointer, value]) => {
                let node = self.exchanged(*pointer, *value, span)?;
                self.convert(node, Ty::VOID)
            }
            ("exchange", [pointer, value, result]) => {
                let node = self.exchanged(*pointer, *value, span)?;
                self.store_result(*result, node, span)?
            }
            ("compare_exchange" | "compare_exchange_n", [pointer, expected, desired, _]) => {
                let (pointer, ty) = self.atomic_pointer(*pointer, span)?;
                let (expected, _) = self.atomic_pointer(*expected, span)?;
                let desired = if name == "compare_exchange" {
                    let place = self.deref(*desired, span)?;
                    self.rvalue(place)
                } else {
                    self.value(*desired)?
                };
                let desired = self.convert_assigned(desired, ty, Purpose::Argument(3))?;
                let operands = Box::new([pointer, expected, desired]);
                self.node(ExprKind::Builtin(Builtin::CompareExchange, operands), Ty::BOOL, span)
            }
            ("test_and_set", [flag]) => {
                let (flag, byte) = self.flag(*flag)?;
                let one = self.node(ExprKind::Int(1), byte, span);
                let node = self.node(ExprKind::Builtin(Builtin::Exchange, Box::new([flag, one])), byte, span);
                self.convert(node, Ty::BOOL)
            }
            ("clear", [flag]) => {
                let (flag, _) = self.flag(*flag)?;
                self.node(ExprKind::Builtin(Builtin::Release, Box::new([flag])), Ty::VOID, span)
            }
            _ => return Ok(None),
        };
        Ok(Some(made))
    }

    /// A pointer to a scalar, and the type of the scalar.
    fn atomic_pointer(&mut self, pointer: ast::ExprId, span: Span) -> Checked<(ExprId, Ty)> {
        let pointer = self.value(pointer)?;
        let target = self.types().pointee(self.ty(pointer)).map(Ty::unqualified);
        match target.filter(|ty| self.types().is_scalar(*ty)) {
            Some(ty) => Ok((pointer, ty)),
            None => {
                let message = "a pointer to a number or pointer is needed";
                self.error(Diagnostic::at(span, message, "no such pointer"))
            }
        }
    }

    /// A pointer to a flag, which is a byte.
    fn flag(&mut self, flag: ast::ExprId) -> Checked<(ExprId, Ty)> {
        let byte = Ty::int(IntKind::UChar);
        let to_byte = self.unit.types.pointer_to(byte);
        let flag = self.value(flag)?;
        Ok((self.convert(flag, to_byte), byte))
    }

    /// Exchanges what a pointer points to with what another one does.
    fn exchanged(&mut self, pointer: ast::ExprId, value: ast::ExprId, span: Span) -> Checked<ExprId> {
        let (pointer, ty) = self.atomic_pointer(pointer, span)?;
        let place = self.deref(value, span)?;
        let value = self.rvalue(place);
        let value = self.convert_assigned(value, ty, Purpose::Argument(2))?;
        Ok(self.node(ExprKind::Builtin(Builtin::Exchange, Box::new([pointer, value])), ty, span))
    }

    /// `*result = value`, without a value.
    fn store_result(&mut self, result: ast::ExprId, value: ExprId, span: Span) -> Checked<ExprId> {
        let target = self.deref(result, span)?;
        self.modifiable(target)?;
        let ty = self.ty(target).unqualified();
        let value = self.convert_assigned(value, ty, Purpose::Assignment)?;
        let node = self.node(ExprKind::Assign { target, value }, ty, span);
        Ok(self.convert(node, Ty::VOID))
    }
}

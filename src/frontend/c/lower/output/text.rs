//! Strings that are printed, read byte by byte: where an access to memory is checked, so is theirs.

use super::{Printed, format};
use crate::frontend::c::lower::arithmetic::binary;
use crate::frontend::c::lower::{Lower, Lowered};
use crate::frontend::c::tree::ExprId;
use crate::program::{BinaryOp, Conversion, Expr, OFFSET, Statement, Style, Type};
use crate::term::Integer;

impl Lower<'_> {
    /// The arguments that are printed as strings and not known to be some, each with how many bytes are printed at most;
    /// none where that is not known.
    pub(super) fn unknown_texts(&self, printed: Printed) -> Option<Vec<(ExprId, Option<u16>)>> {
        let mut styles: Vec<(ExprId, Style)> = Vec::new();
        match printed {
            Printed::Char(_) | Printed::Other => return None,
            Printed::Text(text, _) => styles.push((text, Style::plain(Conversion::Text))),
            Printed::Format(format, values) => {
                let parts = format::read(&self.literal(format)?).ok()?;
                self.printed_texts(&parts, values, &mut styles).then_some(())?;
            }
        }
        styles.retain(|(text, _)| !self.is_known_text(*text));
        let are_bytes = |(text, _): &(ExprId, Style)| {
            let pointee = self.unit.types.pointee(self.unit.exprs[*text].ty);
            pointee.is_some_and(|ty| self.unit.types.is_integer(ty) && self.unit.types.size_of(ty) == Some(1))
        };
        let is_known = styles.iter().all(are_bytes);
        is_known.then(|| styles.into_iter().map(|(text, style)| (text, style.precision)).collect())
    }

    /// Reads bytes up to a zero, or as many as are printed at most.
    pub(super) fn read_string(&mut self, start: Expr, most: Option<u16>) -> Lowered<()> {
        let (byte, start, count) = (Type::machine(8, true), self.keep(start), self.temporary(OFFSET));
        let number = |value: i64| Expr::Int(Integer::from(value), OFFSET);
        self.emit(Statement::Assign(vec![(count, number(0))]));
        let head = self.here();
        let (inside, next, end) = (self.location(), self.location(), self.location());
        match most {
            Some(most) => {
                let is_more = Expr::binary(BinaryOp::Lt, Expr::Var(count), number(i64::from(most)));
                self.branch(is_more, inside, end);
            }
            None => self.go_to(inside),
        }
        self.start_at(inside);
        let address = Expr::binary(BinaryOp::PointerAdd, start, Expr::Var(count));
        let address = self.check_access(address, number(1))?;
        let read = self.read_step(Expr::Load(byte, Box::new(address)));
        let read = self.keep(read);
        let is_end = Expr::binary(BinaryOp::Eq, read, Expr::Int(Integer::ZERO, byte));
        self.branch(is_end, end, next);
        self.start_at(next);
        self.emit(Statement::Assign(vec![(count, binary(BinaryOp::Add, Expr::Var(count), number(1)))]));
        self.go_to(head);
        self.start_at(end);
        Ok(())
    }
}

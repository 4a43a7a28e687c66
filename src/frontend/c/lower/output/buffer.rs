//! Text that is made in memory: `sprintf` and `snprintf` with a format that is a literal, without pointers. A format
//! becomes calls of the library's `__format_…` functions, one for each of its parts.

use super::format::{self, Directive, Part, Takes};
use crate::frontend::c::lower::arithmetic::cast;
use crate::frontend::c::lower::call::Target;
use crate::frontend::c::lower::{Lower, Lowered};
use crate::frontend::c::tree::ExprId;
use crate::program::{Conversion, Expr, FloatKind, OFFSET, Region, Statement, Type, VarId};
use crate::term::Integer;

/// Where text goes.
struct Buffer {
    to: Expr,
    room: Expr,
    done: VarId,
}

impl Lower<'_> {
    /// A call of a function that prints into memory; tells whether it is one that is modelled.
    pub(in crate::frontend::c::lower) fn buffer_call(
        &mut self,
        name: &str,
        arguments: &[ExprId],
        target: &Target,
    ) -> Lowered<bool> {
        let (fixed, format, values) = match (name, arguments) {
            ("sprintf", [to, format, values @ ..]) => (vec![*to], *format, values),
            ("snprintf", [to, size, format, values @ ..]) => (vec![*to, *size], *format, values),
            _ => return Ok(false),
        };
        let parts = self.literal(format).and_then(|format| format::read(&format).ok());
        let Some(parts) = parts.filter(|parts| self.are_modelled(parts, values)) else { return Ok(false) };
        let all: Vec<ExprId> = fixed.iter().chain(values).copied().collect();
        let mut given = self.arguments(&all)?.values;
        let rest = given.split_off(fixed.len());
        let size = Type::machine(8 * self.program.pointer_bytes, false);
        let room = given.get(1).map(|room| cast(size, room.clone())).unwrap_or_else(|| self.constant(-1, size));
        let (to, room, done) = (self.keep(given[0].clone()), self.keep(room), self.temporary(size));
        let rest: Vec<Expr> = rest.into_iter().map(|value| self.keep(value)).collect();
        self.emit(Statement::Assign(vec![(done, self.constant(0, size))]));
        let buffer = Buffer { to, room, done };
        let mut rest = rest.into_iter();
        for part in parts {
            match part {
                Part::Text(bytes) => self.put_text(&buffer, &bytes)?,
                Part::Value(directive) => self.put_value(&buffer, &directive, &mut rest)?,
            }
        }
        let count = self.temporary(Type::machine(32, true));
        self.put(&buffer, "__format_end", Vec::new(), count)?;
        self.give(target, Expr::Var(count))?;
        Ok(true)
    }

    /// Whether each value has a model, and the type that the format says.
    fn are_modelled(&self, parts: &[Part], values: &[ExprId]) -> bool {
        let mut types = values.iter().map(|value| self.scalar(self.unit.exprs[*value].ty));
        let mut next = || types.next().flatten();
        let int = Some(Type::machine(32, true));
        parts.iter().all(|part| {
            let Part::Value(directive) = part else { return true };
            let numbers = usize::from(directive.takes_width) + usize::from(directive.takes_precision);
            if !(0..numbers).all(|_| next() == int) {
                return false;
            }
            match (directive.takes, next()) {
                (Takes::Pointer, Some(Type::Pointer)) => directive.style.conversion == Conversion::Text,
                (Takes::Double, Some(ty)) => ty == Type::Float(FloatKind::F64),
                (Takes::Integer(..) | Takes::Char, Some(ty)) => self.taken(directive, self.constant(0, ty)).is_some(),
                _ => false,
            }
        })
    }

    /// Calls a part of the library that writes behind what is there.
    fn put(&mut self, buffer: &Buffer, helper: &str, values: Vec<Expr>, result: VarId) -> Lowered<()> {
        let fixed = [buffer.to.clone(), buffer.room.clone(), Expr::Var(buffer.done)];
        let values = fixed.into_iter().chain(values).collect();
        self.helper_call(helper, values, &Target::Variable(result))
    }

    /// Text of the format itself.
    fn put_text(&mut self, buffer: &Buffer, bytes: &[u8]) -> Lowered<()> {
        let number = |value: i64| Expr::Int(Integer::from(value), Type::machine(32, true));
        if let [byte] = bytes {
            let values = vec![number(i64::from(*byte)), number(0), number(0)];
            return self.put(buffer, "__format_char", values, buffer.done);
        }
        let text = self.text_object(bytes);
        self.put(buffer, "__format_text", vec![text, number(0), number(0), number(-1)], buffer.done)
    }

    /// An object that holds a text and a zero.
    fn text_object(&mut self, bytes: &[u8]) -> Expr {
        let pointer = self.global("&string", Type::Pointer, self.body.span);
        self.fixed.insert(pointer);
        self.constants.insert(pointer);
        let size = Expr::Int(Integer::from(bytes.len() as i64 + 1), OFFSET);
        self.program.init.push(Statement::Allocate { target: pointer, size, region: Region::Literal, zeroed: true });
        self.program.init.push(Statement::Write { target: Expr::Var(pointer), bytes: bytes.into() });
        Expr::Var(pointer)
    }

    /// A value, with its width and precision before it where these are arguments.
    fn put_value(
        &mut self,
        buffer: &Buffer,
        directive: &Directive,
        values: &mut impl Iterator<Item = Expr>,
    ) -> Lowered<()> {
        let number = |value: i64| Expr::Int(Integer::from(value), Type::machine(32, true));
        let flag = |is_set: bool| number(i64::from(is_set));
        let style = directive.style;
        let missing = |this: &Self| this.wrong_arguments("sprintf");
        let mut given = |this: &Self, is_argument: bool, fixed: i64| match is_argument {
            true => values.next().ok_or_else(|| missing(this)),
            false => Ok(number(fixed)),
        };
        let width = given(self, directive.takes_width, style.width.map_or(0, i64::from))?;
        let precision = given(self, directive.takes_precision, style.precision.map_or(-1, i64::from))?;
        let value = given(self, true, 0)?;
        let value = match directive.takes {
            Takes::Pointer | Takes::Double => value,
            _ => self.taken(directive, value).ok_or_else(|| missing(self))?,
        };
        let left = flag(style.left);
        if let Some((letter, is_large)) = float_style(style.conversion) {
            let sign = number(if style.plus { i64::from(b'+') } else { i64::from(b' ') * i64::from(style.space) });
            let (zero, alternate) = (flag(style.zero), flag(style.alternate));
            let values =
                vec![value, number(i64::from(letter)), flag(is_large), sign, left, zero, alternate, width, precision];
            return self.put(buffer, "__format_double", values, buffer.done);
        }
        let base = match style.conversion {
            Conversion::Char => {
                return self.put(buffer, "__format_char", vec![value, width, left], buffer.done);
            }
            Conversion::Text => {
                return self.put(buffer, "__format_text", vec![value, width, left, precision], buffer.done);
            }
            Conversion::Octal => 8,
            Conversion::Hex | Conversion::HexUpper => 16,
            _ => 10,
        };
        let is_signed = matches!(directive.takes, Takes::Integer(_, true));
        let sign = match (is_signed, style.plus, style.space) {
            (true, true, _) => i64::from(b'+'),
            (true, false, true) => i64::from(b' '),
            _ => 0,
        };
        let helper = if is_signed { "__format_signed" } else { "__format_integer" };
        let large = flag(style.conversion == Conversion::HexUpper);
        let value = cast(Type::machine(64, is_signed), value);
        let (zero, alternate) = (flag(style.zero), flag(style.alternate));
        let values = vec![value, number(sign), number(base), large, left, zero, alternate, width, precision];
        self.put(buffer, helper, values, buffer.done)
    }
}

/// The letter of a conversion of floating-point numbers, and whether it has capitals.
fn float_style(conversion: Conversion) -> Option<(u8, bool)> {
    match conversion {
        Conversion::Fixed => Some((b'f', false)),
        Conversion::FixedUpper => Some((b'f', true)),
        Conversion::Exponent => Some((b'e', false)),
        Conversion::ExponentUpper => Some((b'e', true)),
        Conversion::General => Some((b'g', false)),
        Conversion::GeneralUpper => Some((b'g', true)),
        _ => None,
    }
}

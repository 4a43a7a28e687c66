//! `sscanf` with a format that is a literal: calls of the library's `__text_…` functions, one for each part of the format.
//! A variable holds where in the text the next part starts.

use super::format::{self, Directive, Kind, Part};
use crate::frontend::c::lower::arithmetic::cast;
use crate::frontend::c::lower::call::Target;
use crate::frontend::c::lower::{Lower, Lowered};
use crate::frontend::c::tree::ExprId;
use crate::program::{BinaryOp, Expr, FloatKind, LocId, OFFSET, Statement, Type, VarId};
use crate::term::Integer;

/// A call of `sscanf` that is being lowered.
struct TextScan<'a> {
    /// Where the next part starts.
    at: VarId,
    /// Where the part that is looked for ends, or null.
    found: VarId,
    target: &'a Target,
    end: LocId,
    /// How many values went somewhere before.
    done: usize,
}

impl Lower<'_> {
    /// A call of `sscanf`; tells whether it is one that is modelled.
    pub(in crate::frontend::c::lower) fn text_scan_call(
        &mut self,
        name: &str,
        arguments: &[ExprId],
        target: &Target,
    ) -> Lowered<bool> {
        let (text, format, places) = match (name, arguments) {
            ("sscanf" | "__isoc99_sscanf", [text, format, places @ ..]) => (*text, *format, places),
            _ => return Ok(false),
        };
        let parts = self.literal(format).and_then(|format| format::read(&format).ok());
        let Some(parts) = parts.filter(|parts| self.are_places(parts, places)) else { return Ok(false) };
        let all: Vec<ExprId> = std::iter::once(text).chain(places.iter().copied()).collect();
        let mut values = self.arguments(&all)?.values.into_iter();
        let Some(text) = values.next() else { return Ok(false) };
        let values: Vec<Expr> = values.map(|value| self.keep(value)).collect();
        let (at, found, end) = (self.temporary(Type::Pointer), self.temporary(Type::Pointer), self.location());
        self.emit(Statement::Assign(vec![(at, text)]));
        let mut scan = TextScan { at, found, target, end, done: 0 };
        let mut next = 0;
        for part in parts {
            match part {
                Part::Space => self.skip_space(&scan)?,
                Part::Byte(byte) => {
                    let wanted = Expr::Int(Integer::from(i64::from(byte)), Type::machine(32, true));
                    self.look_for(&scan, "__text_literal", vec![wanted])?;
                    self.move_on(&scan);
                }
                Part::Value(directive) => {
                    let place = values.get(next).cloned().filter(|_| !directive.is_suppressed);
                    next += usize::from(!directive.is_suppressed);
                    self.text_value(&scan, &directive, place)?;
                    scan.done += usize::from(!directive.is_suppressed);
                }
            }
        }
        let done = self.constant(scan.done as i128, Type::machine(32, true));
        self.give(target, done)?;
        self.go_to(end);
        self.start_at(end);
        Ok(true)
    }

    fn skip_space(&mut self, scan: &TextScan<'_>) -> Lowered<()> {
        self.helper_call("__text_space", vec![Expr::Var(scan.at)], &Target::Variable(scan.at))
    }

    /// Looks for a part of the text; where it is not there, the call ends, with -1 where nothing was read and there is no
    /// text.
    fn look_for(&mut self, scan: &TextScan<'_>, helper: &str, values: Vec<Expr>) -> Lowered<()> {
        let int = Type::machine(32, true);
        let values = std::iter::once(Expr::Var(scan.at)).chain(values).collect();
        self.helper_call(helper, values, &Target::Variable(scan.found))?;
        let (found, missing) = (self.location(), self.location());
        self.branch(Expr::binary(BinaryOp::Eq, Expr::Var(scan.found), Expr::Null), missing, found);
        self.start_at(missing);
        let result = match scan.done {
            0 => {
                let has_ended = self.temporary(int);
                self.helper_call("__text_has_ended", vec![Expr::Var(scan.at)], &Target::Variable(has_ended))?;
                Expr::binary(BinaryOp::Sub, Expr::Int(Integer::ZERO, int), Expr::Var(has_ended))
            }
            done => self.constant(done as i128, int),
        };
        self.give(scan.target, result)?;
        self.go_to(scan.end);
        self.start_at(found);
        Ok(())
    }

    fn move_on(&mut self, scan: &TextScan<'_>) {
        self.emit(Statement::Assign(vec![(scan.at, Expr::Var(scan.found))]));
    }

    fn text_value(&mut self, scan: &TextScan<'_>, directive: &Directive, place: Option<Expr>) -> Lowered<()> {
        let number = |value: i64| Expr::Int(Integer::from(value), Type::machine(32, true));
        let size_type = Type::machine(8 * self.program.pointer_bytes, false);
        let size = |value: u64| Expr::Int(Integer::from(value as i64), size_type);
        let address = place.clone().unwrap_or(Expr::Null);
        let keeps = number(i64::from(place.is_some()));
        let most = size(directive.width.unwrap_or(0));
        if !matches!(directive.kind, Kind::Chars | Kind::Set(_)) {
            self.skip_space(scan)?;
        }
        match &directive.kind {
            Kind::Integer { bits, signed, base } => {
                let base = number(i64::from(*base));
                self.look_for(scan, "__text_integer_end", vec![base.clone(), most.clone()])?;
                if let Some(address) = place {
                    let bits = bits.unwrap_or(8 * self.program.pointer_bytes);
                    // The library reads a `long`, or a `long long`, and cuts it off.
                    let read = number(i64::from(bits.max(8 * self.program.pointer_bytes)));
                    let value = self.temporary(Type::machine(64, true));
                    let signed_flag = number(i64::from(*signed));
                    let values = vec![Expr::Var(scan.at), base, most, signed_flag, read];
                    self.helper_call("__text_integer", values, &Target::Variable(value))?;
                    self.store_scanned(cast(Type::machine(bits, *signed), Expr::Var(value)), address)?;
                }
            }
            Kind::Float | Kind::Double => {
                self.look_for(scan, "__text_double_end", vec![most])?;
                if let Some(address) = place {
                    let is_float = directive.kind == Kind::Float;
                    let (helper, ty) = match is_float {
                        true => ("__text_float", Type::Float(FloatKind::F32)),
                        false => ("__text_double", Type::Float(FloatKind::F64)),
                    };
                    let value = self.temporary(ty);
                    self.helper_call(helper, vec![Expr::Var(scan.at)], &Target::Variable(value))?;
                    self.store_scanned(Expr::Var(value), address)?;
                }
            }
            Kind::Word => self.look_for(scan, "__text_word", vec![address, keeps, most])?,
            Kind::Chars => {
                let count = size(directive.width.unwrap_or(1));
                self.look_for(scan, "__text_chars", vec![address, keeps, count])?;
            }
            Kind::Set(set) => {
                let mask = |part: &u64| Expr::Int(Integer::from(*part), Type::machine(64, false));
                let values = vec![address, keeps, most].into_iter().chain(set.iter().map(mask)).collect();
                self.look_for(scan, "__text_set", values)?;
            }
        }
        self.move_on(scan);
        Ok(())
    }

    /// Stores a value where an argument points to.
    fn store_scanned(&mut self, value: Expr, address: Expr) -> Lowered<()> {
        let bytes = self.bytes_of(self.type_of(&value)).unwrap_or(0);
        let address = self.check_access(address, Expr::Int(Integer::from(bytes as i64), OFFSET))?;
        self.check_writable(&address);
        self.emit_visible(Statement::Store { address, value });
        Ok(())
    }
}

//! Functions that read formatted text: `scanf` and `fscanf` with a format that is a literal.
//!
//! A format becomes calls of the library's `__scan_…` functions, one for each of its parts, in order. The first that
//! does not find what it wants ends the call.

mod format;
mod text;

use super::arithmetic::and;
use super::call::{Arguments, Target};
use super::{Lower, Lowered};
use crate::frontend::c::tree::ExprId;
use crate::program::{BinaryOp, Expr, LocId, OFFSET, Statement, Type, VarId};
use crate::term::Integer;
use format::{Directive, Kind, Part};

/// How long the name of an input is at most.
const MAX_NAME: usize = 40;
/// Numbers of more digits than this are of any value.
const MAX_DIGITS: u64 = 18;

/// A call of `scanf` that is being lowered.
struct Scan<'a> {
    stream: Expr,
    outcome: VarId,
    target: &'a Target,
    end: LocId,
    /// How many values went somewhere before.
    done: usize,
}

impl Lower<'_> {
    /// A call of a function that reads formatted text; tells whether it is one that is modelled.
    pub(super) fn scan_call(&mut self, name: &str, arguments: &[ExprId], target: &Target) -> Lowered<bool> {
        let (stream, format, places) = match (name, arguments) {
            ("scanf" | "__isoc99_scanf", [format, places @ ..]) => (None, *format, places),
            ("fscanf" | "__isoc99_fscanf", [stream, format, places @ ..]) => (Some(*stream), *format, places),
            _ => return Ok(false),
        };
        let parts = self.literal(format).and_then(|format| format::read(&format).ok());
        let Some(parts) = parts.filter(|parts| self.are_places(parts, places)) else { return Ok(false) };
        let all: Vec<ExprId> = stream.into_iter().chain(places.iter().copied()).collect();
        let mut values = self.arguments(&all)?.values;
        let stream = match stream {
            Some(_) => self.keep(values.remove(0)),
            None => self.standard_input()?,
        };
        let values: Vec<Expr> = values.into_iter().map(|value| self.keep(value)).collect();
        let (outcome, end) = (self.temporary(Type::machine(32, true)), self.location());
        let mut scan = Scan { stream, outcome, target, end, done: 0 };
        let mut next = 0;
        for part in parts {
            let place = values.get(next).cloned().zip(places.get(next).copied());
            next += usize::from(matches!(&part, Part::Value(directive) if !directive.is_suppressed));
            self.scan_part(&mut scan, part, place)?;
        }
        let done = self.constant(scan.done as i128, Type::machine(32, true));
        self.give(target, done)?;
        self.go_to(end);
        self.start_at(end);
        Ok(true)
    }

    /// Whether there is a pointer for each value of the format.
    fn are_places(&self, parts: &[Part], places: &[ExprId]) -> bool {
        let is_kept = |part: &&Part| matches!(part, Part::Value(directive) if !directive.is_suppressed);
        let count = parts.iter().filter(is_kept).count();
        let is_pointer = |place: &ExprId| self.scalar(self.unit.exprs[*place].ty) == Some(Type::Pointer);
        places.len() >= count && places.iter().all(is_pointer)
    }

    fn standard_input(&mut self) -> Lowered<Expr> {
        let input = self.temporary(Type::Pointer);
        self.helper_call("__standard_input", Vec::new(), &Target::Variable(input))?;
        Ok(Expr::Var(input))
    }

    /// Calls a function of the library that stands for a part of another one.
    pub(super) fn helper_call(&mut self, name: &str, values: Vec<Expr>, target: &Target) -> Lowered<()> {
        let found = self.defined.get(name).copied().filter(|(number, _)| *number >= self.user_units);
        let Some((number, function)) = found else {
            return Err(self.refuse(&format!("the library function `{name}` is")));
        };
        let arguments = values.into_iter().map(|value| (self.type_of(&value), value));
        let arguments = Arguments::of_scalars(arguments.map(|(ty, value)| (value, ty)).collect());
        self.defined_call(number, function, arguments, target)
    }

    /// Reads a part of the text; where it is not there, the call ends.
    fn scan_part(&mut self, scan: &mut Scan<'_>, part: Part, place: Option<(Expr, ExprId)>) -> Lowered<()> {
        let number = |value: i64| Expr::Int(Integer::from(value), Type::machine(32, true));
        match part {
            Part::Space => self.scan_with(scan, "__scan_space", Vec::new()),
            Part::Byte(byte) => {
                self.scan_with(scan, "__scan_literal", vec![number(i64::from(byte))])?;
                self.scan_found(scan)
            }
            Part::Value(directive) => {
                let place = place.filter(|_| !directive.is_suppressed);
                self.scan_value(scan, &directive, place)?;
                scan.done += usize::from(!directive.is_suppressed);
                Ok(())
            }
        }
    }

    fn scan_value(&mut self, scan: &Scan<'_>, directive: &Directive, place: Option<(Expr, ExprId)>) -> Lowered<()> {
        let number = |value: i64| Expr::Int(Integer::from(value), Type::machine(32, true));
        let size = |value: u64| Expr::Int(Integer::from(value as i64), Type::machine(64, false));
        let address = place.as_ref().map_or(Expr::Null, |(address, _)| address.clone());
        let keeps = number(i64::from(place.is_some()));
        let most = size(directive.width.unwrap_or(0));
        match &directive.kind {
            Kind::Integer { bits, signed, base } => {
                let has_width = number(i64::from(directive.width.is_some()));
                self.scan_with(scan, "__scan_number", vec![scan_kind(*base), has_width])?;
                self.scan_found(scan)?;
                let bits = bits.unwrap_or(8 * self.program.pointer_bytes);
                if let Some((address, argument)) = place {
                    self.store_any(Type::machine(bits, *signed), address, argument, directive.width)?;
                }
                return Ok(());
            }
            Kind::Float => self.scan_with(scan, "__scan_float", vec![address, keeps])?,
            Kind::Double => self.scan_with(scan, "__scan_double", vec![address, keeps])?,
            Kind::Word => self.scan_with(scan, "__scan_word", vec![address, keeps, most])?,
            Kind::Chars => {
                let count = size(directive.width.unwrap_or(1));
                self.scan_with(scan, "__scan_chars", vec![address, keeps, count])?;
            }
            Kind::Set(set) => {
                let mut values = vec![address, keeps, most];
                let mask = |part: &u64| Expr::Int(Integer::from(*part), Type::machine(64, false));
                values.extend(set.iter().map(mask));
                self.scan_with(scan, "__scan_set", values)?;
            }
        }
        self.scan_found(scan)
    }

    fn scan_with(&mut self, scan: &Scan<'_>, helper: &str, values: Vec<Expr>) -> Lowered<()> {
        let values = std::iter::once(scan.stream.clone()).chain(values).collect();
        self.helper_call(helper, values, &Target::Variable(scan.outcome))
    }

    /// Goes on if something was found; otherwise the call ends, with -1 where nothing was read and there is no text.
    fn scan_found(&mut self, scan: &Scan<'_>) -> Lowered<()> {
        let int = Type::machine(32, true);
        let (found, missing) = (self.location(), self.location());
        let one = Expr::Int(Integer::ONE, int);
        self.branch(Expr::binary(BinaryOp::Eq, Expr::Var(scan.outcome), one), found, missing);
        self.start_at(missing);
        let result = match scan.done {
            0 => Expr::Var(scan.outcome),
            done => self.constant(done as i128, int),
        };
        self.give(scan.target, result)?;
        self.go_to(scan.end);
        self.start_at(found);
        Ok(())
    }

    /// Stores any value of a type; with a width, one that has so many characters.
    fn store_any(&mut self, ty: Type, address: Expr, argument: ExprId, width: Option<u64>) -> Lowered<()> {
        let name = self.input_name(argument);
        let any = self.local(&name, ty, self.body.span);
        self.emit_input(any, self.body.span);
        if let Some(digits) = width.filter(|width| *width <= MAX_DIGITS) {
            let power = |digits: u64| (0..digits).fold(Integer::ONE, |power, _| power * Integer::from(10));
            // One character may be a sign. A number that does not fit is cut off.
            let (low, high) = (Integer::ONE - power(digits - 1), power(digits) - Integer::ONE);
            let Type::Machine(machine) = ty else { return Err(self.refuse("this width is")) };
            if machine.max() >= high {
                let at_least = Expr::binary(BinaryOp::Ge, Expr::Var(any), Expr::Int(low, ty));
                let at_most = Expr::binary(BinaryOp::Le, Expr::Var(any), Expr::Int(high, ty));
                self.emit(Statement::Assume(and(vec![at_least, at_most])));
            }
        }
        let bytes = self.bytes_of(ty).unwrap_or(0);
        let address = self.check_access(address, Expr::Int(Integer::from(bytes as i64), OFFSET))?;
        self.check_writable(&address);
        self.emit_visible(Statement::Store { address, value: Expr::Var(any) });
        Ok(())
    }

    /// What an input is called: as the place that it goes to is written.
    fn input_name(&self, argument: ExprId) -> String {
        let span = self.unit.exprs[argument].span;
        let text = (self.current < self.user_units).then(|| &self.program.sources[span.file].text);
        let text = text.and_then(|text| text.get(span.start as usize..span.end as usize)).unwrap_or("");
        let text = text.trim().trim_start_matches('&').trim();
        let is_name = !text.is_empty() && text.len() <= MAX_NAME && !text.contains(char::is_control);
        if is_name { text.to_owned() } else { "input".to_owned() }
    }
}

/// How the library is told which numbers are read.
fn scan_kind(base: u32) -> Expr {
    Expr::Int(Integer::from(base), Type::machine(32, true))
}

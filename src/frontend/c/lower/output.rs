//! Functions that print. What goes to standard output is part of a program that is to be executed; otherwise nothing
//! is printed, and what would be does not keep any value alive.

mod buffer;
mod format;
mod text;

use super::arithmetic::cast;
use super::call::Target;
use super::{Lower, Lowered};
use crate::frontend::c::tree::{ExprId, ExprKind};
use crate::program::{BinaryOp, Conversion, Expr, FloatKind, Piece, Statement, Style, Type};
use crate::term::Integer;
use format::{Directive, Length, Part, Takes};

/// The function of the library that looks at a stream.
const USE_STREAM: &str = "__use_stream";

/// Where something is printed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stream {
    Output,
    /// Standard error, which is not shown.
    Error,
    /// A file or a pointer that is not known here.
    Unknown,
}

/// What is printed, by the argument that says it.
#[derive(Debug, Clone, Copy)]
enum Printed<'a> {
    /// A character.
    Char(ExprId),
    /// A string; with a line end, or not.
    Text(ExprId, bool),
    /// A format, and the values that follow.
    Format(ExprId, &'a [ExprId]),
    /// Something else.
    Other,
}

impl Lower<'_> {
    /// A call of a function that prints; tells whether it is one.
    pub(super) fn output_call(&mut self, name: &str, arguments: &[ExprId], target: &Target) -> Lowered<bool> {
        let (stream, printed) = match (name, arguments) {
            ("printf", [format, values @ ..]) | ("__printf_chk", [_, format, values @ ..]) => {
                (Stream::Output, Printed::Format(*format, values))
            }
            ("fprintf", [stream, format, values @ ..]) | ("__fprintf_chk", [stream, _, format, values @ ..]) => {
                (self.stream(*stream), Printed::Format(*format, values))
            }
            ("puts", [text]) => (Stream::Output, Printed::Text(*text, true)),
            ("fputs" | "fputs_unlocked", [text, stream]) => (self.stream(*stream), Printed::Text(*text, false)),
            ("putchar" | "putchar_unlocked", [byte]) => (Stream::Output, Printed::Char(*byte)),
            ("fputc" | "putc" | "_IO_putc" | "putc_unlocked", [byte, stream]) => {
                (self.stream(*stream), Printed::Char(*byte))
            }
            ("vprintf", _) => (Stream::Output, Printed::Other),
            ("vfprintf", [stream, ..]) => (self.stream(*stream), Printed::Other),
            ("perror", [text]) => (Stream::Error, Printed::Text(*text, true)),
            ("perror" | "printk", _) => (Stream::Error, Printed::Other),
            (
                "printf" | "__printf_chk" | "fprintf" | "__fprintf_chk" | "puts" | "fputs" | "fputs_unlocked"
                | "putchar" | "putchar_unlocked" | "fputc" | "putc" | "_IO_putc" | "putc_unlocked" | "vfprintf",
                _,
            ) => return Err(self.wrong_arguments(name)),
            _ => return Ok(false),
        };
        if self.options.executes && stream == Stream::Output {
            self.print(name, printed, target)?;
        } else if self.options.executes && stream == Stream::Unknown {
            return Err(self.refuse(&format!("`{name}` to a stream other than `stdout` or `stderr` is")));
        } else {
            let stream = match (name, arguments) {
                ("fprintf" | "__fprintf_chk" | "vfprintf", [stream, ..]) => Some(*stream),
                ("fputs" | "fputs_unlocked" | "fputc" | "putc" | "_IO_putc" | "putc_unlocked", [_, stream]) => {
                    Some(*stream)
                }
                _ => None,
            };
            self.print_nothing(name, printed, stream, arguments, target)?;
        }
        Ok(true)
    }

    /// A stream that is printed to must be one. Under the competition's rules it is taken to be.
    fn use_stream(&mut self, stream: Option<ExprId>, arguments: &[ExprId], values: &[Expr]) -> Lowered<()> {
        let index = stream.and_then(|stream| arguments.iter().position(|argument| *argument == stream));
        let value = index.map(|index| values[index].clone());
        match value.filter(|value| self.type_of(value) == Type::Pointer) {
            Some(value) if self.options.rules.outside_is_open() && self.defined.contains_key(USE_STREAM) => {
                self.helper_call(USE_STREAM, vec![value], &Target::Nothing)
            }
            _ => Ok(()),
        }
    }

    /// The stream that an expression is, where it names it.
    fn stream(&self, expr: ExprId) -> Stream {
        let unit = self.unit;
        match unit.exprs[expr].kind {
            ExprKind::Convert(_, inner) | ExprKind::Load(inner) => self.stream(inner),
            ExprKind::Object(object) if !unit.objects[object].is_defined => match &*unit.objects[object].name {
                "stdout" => Stream::Output,
                "stderr" => Stream::Error,
                _ => Stream::Unknown,
            },
            _ => Stream::Unknown,
        }
    }

    /// The bytes of a string literal without the zero at its end.
    pub(super) fn literal(&self, expr: ExprId) -> Option<Vec<u8>> {
        let unit = self.unit;
        match unit.exprs[expr].kind {
            ExprKind::Convert(_, inner) | ExprKind::Decay(inner) => self.literal(inner),
            ExprKind::Str(string) => {
                let units = &unit.strings[string].units;
                let bytes: Option<Vec<u8>> = units.iter().map(|unit| u8::try_from(*unit).ok()).collect();
                bytes.filter(|_| unit.types.size_of(unit.strings[string].element) == Some(1)).map(|mut bytes| {
                    bytes.truncate(bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()));
                    bytes
                })
            }
            _ => None,
        }
    }

    /// Evaluates the arguments; what matters beyond that is noted.
    fn print_nothing(
        &mut self,
        name: &str,
        printed: Printed,
        stream: Option<ExprId>,
        arguments: &[ExprId],
        target: &Target,
    ) -> Lowered<()> {
        let mut reads_text = matches!(printed, Printed::Text(text, _) if !self.is_known_text(text));
        let mut count = None;
        if let Printed::Format(format, values) = printed {
            match self.literal(format).map(|format| format::read(&format)) {
                Some(Ok(parts)) if values.len() < taken_by(&parts) => return Err(self.wrong_arguments(name)),
                Some(Ok(parts)) => {
                    count = known_count(&parts);
                    reads_text |= self.reads_text(&parts, values);
                }
                Some(Err(part)) if part.ends_with('n') => return Err(self.refuse_format(name, &part)),
                Some(Err(_)) => reads_text = true,
                None => {
                    reads_text = true;
                    self.assume(format!("`{name}` writes to no object: its format is not known here"));
                }
            }
        }
        let is_asked = reads_text && self.checks().memory;
        // `perror` takes a null pointer too.
        let texts = if is_asked && name != "perror" { self.unknown_texts(printed) } else { None };
        if is_asked && texts.is_none() {
            self.assume(format!("what `{name}` prints is a string"));
        }
        // Literals are not worth an object each.
        let evaluated =
            |argument: &ExprId| self.literal(*argument).is_none() && self.stream(*argument) == Stream::Unknown;
        let arguments: Vec<ExprId> = arguments.iter().copied().filter(evaluated).collect();
        let values = self.arguments(&arguments)?.values;
        self.use_stream(stream, &arguments, &values)?;
        self.read_printed(name, printed, &arguments, &values);
        for (text, most) in texts.into_iter().flatten() {
            if let Some(index) = arguments.iter().position(|argument| *argument == text) {
                self.read_string(values[index].clone(), most)?;
            }
        }
        let byte = matches!(printed, Printed::Char(_)).then(|| values.first().cloned()).flatten();
        self.print_result(name, printed, byte, count, target)
    }

    /// Reads the strings that are printed, where that may be a race.
    fn read_printed(&mut self, name: &str, printed: Printed, arguments: &[ExprId], values: &[Expr]) {
        if !(self.options.reads_printed && self.has_threads) {
            return;
        }
        let mut styles: Vec<(ExprId, Style)> = Vec::new();
        let mut is_known = true;
        match printed {
            Printed::Text(text, _) => styles.push((text, Style::plain(Conversion::Text))),
            Printed::Char(_) => {}
            Printed::Other => is_known = false,
            Printed::Format(format, rest) => match self.literal(format).map(|format| format::read(&format)) {
                Some(Ok(parts)) => is_known = self.printed_texts(&parts, rest, &mut styles),
                _ => is_known = false,
            },
        }
        if !is_known {
            self.assume(format!("`{name}` reads nothing that another thread writes at the same time"));
        }
        let style_of = |argument: &ExprId| styles.iter().find(|(text, _)| text == argument).map(|(_, style)| *style);
        let texts = arguments.iter().zip(values).filter_map(|(argument, value)| Some((style_of(argument)?, value)));
        let pieces = texts.filter(|(style, value)| style.takes(self.type_of(value)));
        let pieces: Vec<Piece> = pieces.map(|(style, value)| Piece::Value { expr: value.clone(), style }).collect();
        if !pieces.is_empty() {
            self.emit_visible(Statement::Output(pieces));
        }
    }

    /// The arguments that are printed as strings, with their styles; whether it is known how much of each.
    fn printed_texts(&self, parts: &[Part], values: &[ExprId], styles: &mut Vec<(ExprId, Style)>) -> bool {
        let (mut next, mut is_known) = (0, true);
        for part in parts {
            let Part::Value(directive) = part else { continue };
            next += usize::from(directive.takes_width);
            let precision = directive.takes_precision.then(|| values.get(next)).flatten();
            next += usize::from(directive.takes_precision);
            if let (Conversion::Text, Some(value)) = (directive.style.conversion, values.get(next)) {
                let most = precision.map(|precision| self.unit.constant(*precision));
                is_known &= most != Some(None);
                let most = most.flatten().and_then(|most| u16::try_from(most).ok());
                let style = Style { precision: most.or(directive.style.precision), ..Style::plain(Conversion::Text) };
                styles.push((*value, style));
            }
            next += 1;
        }
        is_known
    }

    /// Whether the value is a string, whatever happens: a literal, or one of several.
    fn is_known_text(&self, expr: ExprId) -> bool {
        match self.unit.exprs[expr].kind {
            ExprKind::Convert(_, inner) => self.is_known_text(inner),
            ExprKind::Conditional { then, otherwise, .. } => self.is_known_text(then) && self.is_known_text(otherwise),
            _ => self.literal(expr).is_some() || self.is_name_of_program(expr),
        }
    }

    /// Whether a string is printed that is not known to be one.
    fn reads_text(&self, parts: &[Part], values: &[ExprId]) -> bool {
        let directives = parts.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Value(directive) => Some(directive),
        });
        let mut next = 0;
        directives.into_iter().any(|directive| {
            next += usize::from(directive.takes_width) + usize::from(directive.takes_precision) + 1;
            let is_known = values.get(next - 1).is_some_and(|value| self.is_known_text(*value));
            directive.style.conversion == Conversion::Text && !is_known
        })
    }

    /// Prints to standard output.
    fn print(&mut self, name: &str, printed: Printed, target: &Target) -> Lowered<()> {
        let mut pieces = Vec::new();
        let (mut byte, mut count) = (None, None);
        match printed {
            Printed::Other => return Err(self.refuse(&format!("the library function `{name}` is"))),
            Printed::Char(argument) => {
                let value = self.value(argument)?;
                let value = self.keep(value);
                byte = Some(value.clone());
                pieces.push(Piece::Value { expr: value, style: Style::plain(Conversion::Char) });
            }
            Printed::Text(text, ends_line) => {
                match self.literal(text) {
                    Some(bytes) => add_text(&mut pieces, &bytes),
                    None => {
                        let expr = self.value(text)?;
                        pieces.push(Piece::Value { expr, style: Style::plain(Conversion::Text) });
                    }
                }
                if ends_line {
                    add_text(&mut pieces, b"\n");
                }
            }
            Printed::Format(format, values) => {
                let Some(format) = self.literal(format) else {
                    return Err(self.refuse(&format!("`{name}` with a format that is no string literal is")));
                };
                let parts = format::read(&format).map_err(|part| self.refuse_format(name, &part))?;
                count = known_count(&parts);
                pieces = self.formatted(name, parts, values)?;
            }
        }
        if !pieces.is_empty() {
            self.emit_visible(Statement::Output(pieces));
        }
        self.print_result(name, printed, byte, count, target)
    }

    /// What a function that prints gives: the character, how many characters there are, or any number that is not negative.
    fn print_result(
        &mut self,
        name: &str,
        printed: Printed,
        byte: Option<Expr>,
        count: Option<usize>,
        target: &Target,
    ) -> Lowered<()> {
        let int = Type::machine(32, true);
        match (printed, target) {
            (_, Target::Nothing) => Ok(()),
            (Printed::Char(_), _) => match byte {
                Some(byte) if self.type_of(&byte).is_integer() => {
                    self.give(target, cast(int, cast(Type::machine(8, false), byte)))
                }
                _ => Err(self.wrong_arguments(name)),
            },
            (Printed::Text(..), Target::Variable(variable)) if self.program.variables[*variable].ty == int => {
                self.emit(Statement::Havoc { target: *variable, span: self.body.span });
                let zero = Expr::Int(Integer::ZERO, int);
                self.emit(Statement::Assume(Expr::binary(BinaryOp::Ge, Expr::Var(*variable), zero)));
                Ok(())
            }
            (Printed::Format(..), _) => match count {
                Some(count) => self.give(target, self.constant(count as i128, int)),
                None => Err(self.refuse(&format!("the number of characters that `{name}` prints is"))),
            },
            _ => Err(self.refuse(&format!("the result of `{name}` is"))),
        }
    }

    fn refuse_format(&self, name: &str, part: &str) -> crate::program::Diagnostic {
        self.refuse(&format!("`{part}` in the format of `{name}` is"))
    }

    /// What a format makes of the values.
    fn formatted(&mut self, name: &str, parts: Vec<Part>, arguments: &[ExprId]) -> Lowered<Vec<Piece>> {
        let values = self.arguments(arguments)?.values;
        let mut next = 0;
        let mut pieces = Vec::new();
        for part in parts {
            match part {
                Part::Text(bytes) => add_text(&mut pieces, &bytes),
                Part::Value(directive) => {
                    let wrong =
                        |this: &Self| this.refuse(&format!("this argument of `{name}` for `{}` is", directive.text));
                    let mut style = directive.style;
                    if directive.takes_width {
                        let width = arguments.get(next).and_then(|argument| self.unit.constant(*argument));
                        let width = width.ok_or_else(|| wrong(self))?;
                        style.left |= width < 0;
                        style.width = Some(u16::try_from(width.unsigned_abs()).map_err(|_| wrong(self))?);
                        next += 1;
                    }
                    if directive.takes_precision {
                        let precision = arguments.get(next).and_then(|argument| self.unit.constant(*argument));
                        let precision = precision.ok_or_else(|| wrong(self))?;
                        // A negative one is as none.
                        style.precision = match precision {
                            ..0 => None,
                            _ => Some(u16::try_from(precision).map_err(|_| wrong(self))?),
                        };
                        next += 1;
                    }
                    let value = values.get(next).cloned().ok_or_else(|| wrong(self))?;
                    next += 1;
                    let expr = self.taken(&directive, value).ok_or_else(|| wrong(self))?;
                    pieces.push(Piece::Value { expr, style });
                }
            }
        }
        Ok(pieces)
    }

    /// The value as it is printed; none where it has another type than the format says.
    fn taken(&self, directive: &Directive, value: Expr) -> Option<Expr> {
        let ty = self.type_of(&value);
        match (directive.takes, ty) {
            (Takes::Integer(length, signed), Type::Machine(given)) => {
                let pointer = 8 * self.program.pointer_bytes;
                let (width, passed) = match length {
                    Length::Char => (8, 32),
                    Length::Short => (16, 32),
                    Length::Int => (32, 32),
                    Length::Long | Length::Size => (pointer, pointer),
                    Length::LongLong => (64, 64),
                };
                // Where every argument takes a slot of 64 bits, the low bits of a longer one are found all the same.
                let fits = given.width == passed || pointer == 64 && given.width == 64;
                fits.then(|| cast(Type::machine(width, signed), value))
            }
            (Takes::Char, Type::Machine(given)) if given.width == 32 => Some(value),
            (Takes::Double, Type::Float(FloatKind::F64)) | (Takes::Pointer, Type::Pointer) => Some(value),
            _ => None,
        }
    }
}

/// How many values a format takes.
fn taken_by(parts: &[Part]) -> usize {
    let taken = |part: &Part| match part {
        Part::Text(_) => 0,
        Part::Value(directive) => 1 + usize::from(directive.takes_width) + usize::from(directive.takes_precision),
    };
    parts.iter().map(taken).sum()
}

/// How many characters are printed, where that is always the same.
fn known_count(parts: &[Part]) -> Option<usize> {
    let count = |part: &Part| match part {
        Part::Text(text) => Some(text.len()),
        Part::Value(directive) if directive.takes == Takes::Char && !directive.takes_width => {
            Some(usize::from(directive.style.width.unwrap_or(1).max(1)))
        }
        Part::Value(_) => None,
    };
    parts.iter().map(count).sum()
}

/// Adds text; a byte that is part of no character is added as a value.
fn add_text(pieces: &mut Vec<Piece>, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        match pieces.last_mut() {
            _ if chunk.valid().is_empty() => {}
            Some(Piece::Text(text)) => text.push_str(chunk.valid()),
            _ => pieces.push(Piece::Text(chunk.valid().to_owned())),
        }
        for byte in chunk.invalid() {
            let expr = Expr::Int(Integer::from(i64::from(*byte)), Type::machine(8, false));
            pieces.push(Piece::Value { expr, style: Style::plain(Conversion::Char) });
        }
    }
}

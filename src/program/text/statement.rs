//! Reading statements.

use super::lex::{Kind, is_reserved};
use super::parse::{Parsed, Parser, Reported};
use crate::program::validate::Place;
use crate::program::{Expr, Piece, Region, Span, Statement, Style, UnknownStyle, VarId};
use std::sync::Arc;

/// Statements, and where in the source they are: from which one on, and where.
pub(super) type Placed = (Vec<Statement>, Vec<(u32, Span)>);

impl Parser<'_> {
    /// Reads statements in braces, and where in the source they are from some on.
    pub(super) fn block(&mut self, place: impl Fn(usize) -> Place) -> Parsed<Placed> {
        self.expect("{")?;
        let (mut statements, mut spans) = (Vec::new(), Vec::new());
        while !self.is("}") && self.token.kind != Kind::End {
            let start = self.here();
            spans.extend(self.optional_span()?.map(|span| (statements.len() as u32, span)));
            match self.statement() {
                Ok(statement) => {
                    self.places.insert(place(statements.len()), self.since(start));
                    statements.push(statement);
                    if !self.is("}") && self.expect(";").is_err() {
                        self.skip_statement();
                    }
                }
                Err(Reported) => self.skip_statement(),
            }
        }
        self.expect("}")?;
        Ok((statements, spans))
    }

    fn skip_statement(&mut self) {
        while !self.accept(";") && !self.is("}") && self.token.kind != Kind::End {
            self.advance();
        }
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let Kind::Word(word) = self.token.kind else { return self.assignment() };
        if !is_reserved(word) {
            return self.assignment();
        }
        if !matches!(
            word,
            "skip"
                | "assume"
                | "havoc"
                | "call"
                | "spawn"
                | "free"
                | "join"
                | "lock"
                | "unlock"
                | "wait"
                | "notify"
                | "atomic"
                | "copy"
                | "fill"
                | "write"
                | "output"
        ) {
            return Err(self.unexpected("a statement"));
        }
        self.advance();
        Ok(match word {
            "skip" => Statement::Assign(Vec::new()),
            "assume" => Statement::Assume(self.expr()?),
            "havoc" => {
                let target = self.variable()?;
                Statement::Havoc { target, span: self.optional_span()? }
            }
            "call" | "spawn" => self.call(word, None)?,
            "free" => Statement::Free(self.expr()?),
            "join" => Statement::Join(self.expr()?),
            "lock" => {
                let reentrant = self.accept("reentrant");
                Statement::Lock { lock: self.expr()?, reentrant }
            }
            "unlock" => Statement::Unlock(self.expr()?),
            "copy" => {
                let [target, source, bytes] = self.three()?;
                Statement::Copy { target, source, bytes }
            }
            "fill" => {
                let [target, byte, bytes] = self.three()?;
                Statement::Fill { target, byte, bytes }
            }
            "write" => {
                let target = self.expr()?;
                self.expect(",")?;
                let bytes = self.bytes()?;
                Statement::Write { target, bytes }
            }
            "output" => self.output()?,
            "wait" => {
                let condition = self.expr()?;
                self.expect(",")?;
                Statement::Wait { condition, lock: self.expr()? }
            }
            "notify" => {
                let all = self.accept("all");
                Statement::Notify { condition: self.expr()?, all }
            }
            _ => {
                if self.accept("begin") {
                    Statement::AtomicBegin
                } else {
                    self.expect("end")?;
                    Statement::AtomicEnd
                }
            }
        })
    }

    fn three(&mut self) -> Parsed<[Expr; 3]> {
        let first = self.expr()?;
        self.expect(",")?;
        let second = self.expr()?;
        self.expect(",")?;
        Ok([first, second, self.expr()?])
    }

    /// A string each of whose characters stands for the byte of its number.
    fn bytes(&mut self) -> Parsed<Arc<[u8]>> {
        let span = self.here();
        let bytes: Option<_> = self.string()?.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
        bytes.ok_or_else(|| self.report(span, "a character beyond U+00FF is no byte", "in this string"))
    }

    fn output(&mut self) -> Parsed<Statement> {
        let mut pieces = Vec::new();
        if self.is(";") || self.is("}") {
            return Ok(Statement::Output(pieces));
        }
        loop {
            pieces.push(match self.token.kind {
                Kind::Text(_) => Piece::Text(self.string()?),
                _ => {
                    let expr = self.expr()?;
                    self.expect(":")?;
                    Piece::Value { expr, style: self.style()? }
                }
            });
            if !self.accept(",") {
                return Ok(Statement::Output(pieces));
            }
        }
    }

    fn style(&mut self) -> Parsed<Style> {
        let span = self.here();
        self.string()?.parse().map_err(|unknown: UnknownStyle| {
            let reported = self.report(span, unknown.to_string(), "not a style");
            self.hint("as in \"%d\", \"%-8s\", \"%.3f\"");
            reported
        })
    }

    /// A statement that starts with what it writes.
    fn assignment(&mut self) -> Parsed<Statement> {
        if self.accept("[") {
            let address = self.expr()?;
            self.expect("]")?;
            self.expect(":=")?;
            return Ok(Statement::Store { address, value: self.expr()? });
        }
        if !matches!(self.token.kind, Kind::Word(_) | Kind::Quoted(_) | Kind::Sign("::")) {
            return Err(self.unexpected("a statement"));
        }
        let mut targets = vec![self.variable()?];
        while self.accept(",") {
            targets.push(self.variable()?);
        }
        self.expect(":=")?;
        if let [target] = targets[..] {
            match self.token.kind {
                Kind::Word(word @ ("call" | "spawn")) => {
                    self.advance();
                    return self.call(word, Some(target));
                }
                Kind::Word("allocate") => return self.allocation(target),
                _ => {}
            }
        }
        let mut values = vec![self.expr()?];
        while self.accept(",") {
            values.push(self.expr()?);
        }
        if values.len() != targets.len() {
            let message = format!("{} values for {} variables", values.len(), targets.len());
            return Err(self.wrong(message, "before this"));
        }
        Ok(Statement::Assign(targets.into_iter().zip(values).collect()))
    }

    fn call(&mut self, word: &str, target: Option<VarId>) -> Parsed<Statement> {
        let callee = self.procedure_id()?;
        self.expect("(")?;
        let mut arguments: Vec<Expr> = Vec::new();
        if !self.accept(")") {
            arguments.push(self.expr()?);
            while self.accept(",") {
                arguments.push(self.expr()?);
            }
            self.expect(")")?;
        }
        Ok(match word {
            "call" => Statement::Call { target, callee, arguments },
            _ => Statement::Spawn { target, callee, arguments },
        })
    }

    fn allocation(&mut self, target: VarId) -> Parsed<Statement> {
        self.advance();
        self.expect("(")?;
        let region = match self.token.kind {
            Kind::Word("static") => Region::Static,
            Kind::Word("literal") => Region::Literal,
            Kind::Word("constant") => Region::Constant,
            Kind::Word("stack") => Region::Stack,
            Kind::Word("constant_stack") => Region::ConstantStack,
            Kind::Word("heap") => Region::Heap,
            _ => return Err(self.unexpected("`static`, `stack` or `heap`")),
        };
        self.advance();
        self.expect(",")?;
        let size = self.expr()?;
        let zeroed = self.accept(",");
        if zeroed {
            self.expect("zeroed")?;
        }
        self.expect(")")?;
        Ok(Statement::Allocate { target, size, region, zeroed })
    }
}

//! Attributes, and `asm` where it cannot matter.

use super::{Parsed, Parser};
use crate::frontend::c::ast::{Attribute, ExprId, StmtId, StmtKind};
use crate::frontend::c::lex::Kind;
use crate::frontend::c::names::Symbol;
use crate::program::Diagnostic;

/// Attributes that change what a program means, in ways that are not supported. All others that are not read are
/// about optimisation, warnings, linking and calling conventions.
const UNSUPPORTED: [&str; 9] = [
    "vector_size",
    "cleanup",
    "destructor",
    "weakref",
    "ifunc",
    "naked",
    "ms_struct",
    "scalar_storage_order",
    "address_space",
];

impl Parser {
    /// Any number of `__attribute__((…))` and `[[…]]`.
    pub(super) fn attributes(&mut self, out: &mut Vec<Attribute>) -> Parsed<()> {
        loop {
            if self.at_brackets(0) {
                self.bracketed_attributes(out)?;
                continue;
            }
            if !self.eat(Kind::Attribute) {
                return Ok(());
            }
            self.expect(Kind::LeftParen, "after `__attribute__`")?;
            self.expect(Kind::LeftParen, "after `__attribute__(`")?;
            loop {
                if !matches!(self.kind(), Kind::Comma | Kind::RightParen) {
                    out.extend(self.attribute()?);
                }
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
            self.expect(Kind::RightParen, "at the end of the attributes")?;
            self.expect(Kind::RightParen, "at the end of the attributes")?;
        }
    }

    /// Whether attributes of C23 start there: nothing else has two brackets in a row.
    pub(super) fn at_brackets(&self, distance: usize) -> bool {
        self.ahead(distance) == Kind::LeftBracket && self.ahead(distance + 1) == Kind::LeftBracket
    }

    /// `[[…]]`. An attribute without a prefix is one of the standard's; of those, only `noreturn` matters.
    fn bracketed_attributes(&mut self, out: &mut Vec<Attribute>) -> Parsed<()> {
        self.bump();
        self.bump();
        while !self.at(Kind::RightBracket) {
            if self.eat(Kind::Comma) {
                continue;
            }
            if self.ahead(1) == Kind::Colon && self.ahead(2) == Kind::Colon {
                let prefix = self.bump().symbol;
                self.bump();
                self.bump();
                let is_gnu = matches!(self.unit.names.text(prefix), "gnu" | "__gnu__");
                out.extend(self.attribute()?.filter(|_| is_gnu));
            } else {
                let name = self.unit.names.text(self.token().symbol).to_owned();
                let attribute = self.attribute()?;
                let is_standard = matches!(&*name, "noreturn" | "__noreturn__" | "_Noreturn" | "___Noreturn__");
                out.extend(attribute.filter(|_| is_standard));
            }
        }
        self.expect(Kind::RightBracket, "at the end of the attributes")?;
        self.expect(Kind::RightBracket, "at the end of the attributes")?;
        Ok(())
    }

    fn attribute(&mut self) -> Parsed<Option<Attribute>> {
        let token = self.bump();
        let is_word = token.kind == Kind::Name || self.unit.names.text(token.symbol).starts_with(|c| c != '"');
        if !is_word || self.unit.names.text(token.symbol).is_empty() {
            self.position -= 1;
            return self.missing("the name of an attribute");
        }
        let span = token.span;
        let name = self.unit.names.text(token.symbol);
        let name = name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(name);
        let attribute = match name {
            "packed" => Some(Attribute::Packed),
            "noreturn" | "_Noreturn" => Some(Attribute::Noreturn),
            "weak" => Some(Attribute::Weak),
            "transparent_union" => Some(Attribute::TransparentUnion),
            "aligned" => {
                let mut value = None;
                if self.eat(Kind::LeftParen) {
                    value = Some(self.conditional()?);
                    self.expect(Kind::RightParen, "after the alignment")?;
                }
                return Ok(Some(Attribute::Aligned(value, span)));
            }
            "constructor" => {
                let mut priority = None;
                if self.eat(Kind::LeftParen) {
                    priority = Some(self.conditional()?);
                    self.expect(Kind::RightParen, "after the priority")?;
                }
                return Ok(Some(Attribute::Constructor(priority, span)));
            }
            "alias" => {
                self.expect(Kind::LeftParen, "after `alias`")?;
                let mut name = String::new();
                while self.at(Kind::Str) {
                    let token = self.bump();
                    name += self.unit.names.text(token.symbol).trim_matches('"');
                }
                self.expect(Kind::RightParen, "after the name")?;
                return Ok(Some(Attribute::Alias(self.unit.names.intern(&name), span)));
            }
            "mode" => {
                self.expect(Kind::LeftParen, "after `mode`")?;
                let mode = self.expect(Kind::Name, "of a machine mode")?;
                self.expect(Kind::RightParen, "after the mode")?;
                return Ok(Some(Attribute::Mode(mode.symbol, mode.span)));
            }
            _ if UNSUPPORTED.contains(&name) => Some(Attribute::Unsupported(token.symbol, span)),
            _ => None,
        };
        self.skip_arguments()?;
        Ok(attribute)
    }

    /// Skips what stands in parentheses, if anything does.
    fn skip_arguments(&mut self) -> Parsed<()> {
        if !self.at(Kind::LeftParen) {
            return Ok(());
        }
        let open = self.span();
        let mut parens = 0usize;
        loop {
            match self.bump().kind {
                Kind::LeftParen => parens += 1,
                Kind::RightParen if parens == 1 => return Ok(()),
                Kind::RightParen => parens -= 1,
                Kind::Eof => {
                    return self.error(Diagnostic::at(open, "this parenthesis is not closed", "opened here"));
                }
                _ => {}
            }
        }
    }

    /// `asm("name")` behind a declarator.
    pub(super) fn asm_name(&mut self) -> Parsed<Option<Symbol>> {
        if !self.eat(Kind::Asm) {
            return Ok(None);
        }
        self.expect(Kind::LeftParen, "after `asm`")?;
        let mut name = String::new();
        while self.at(Kind::Str) {
            let token = self.bump();
            name += self.unit.names.text(token.symbol).trim_matches('"');
        }
        self.expect(Kind::RightParen, "after the name")?;
        Ok(Some(self.unit.names.intern(&name)))
    }

    /// An `asm` that does nothing: its template is empty and it writes nothing. What its operands compute is kept.
    pub(super) fn asm(&mut self) -> Parsed<StmtId> {
        let start = self.bump().span;
        while matches!(self.kind(), Kind::Volatile | Kind::Inline | Kind::Goto) {
            self.bump();
        }
        self.expect(Kind::LeftParen, "after `asm`")?;
        let mut is_empty = true;
        while self.at(Kind::Str) {
            let symbol = self.bump().symbol;
            is_empty &= self.unit.names.text(symbol) == "\"\"";
        }
        let mut inputs = Vec::new();
        let mut section = 0;
        while is_empty && self.eat(Kind::Colon) {
            section += 1;
            if matches!(self.kind(), Kind::Colon | Kind::RightParen) {
                continue;
            }
            is_empty = section != 1 && section < 4;
            match section {
                2 => inputs = self.list(Parser::asm_operand)?,
                3 => drop(self.list(|p| p.expect(Kind::Str, "that names a register"))?),
                _ => {}
            }
        }
        if !is_empty || !self.at(Kind::RightParen) {
            let message = "assembly is not supported";
            let hint = "only an empty `asm` without outputs can be left out";
            return self.error(Diagnostic::at(self.span_from(start), message, "cannot be understood").hint(hint));
        }
        self.bump();
        let span = self.span_from(start);
        let inputs: Box<[StmtId]> = inputs.into_iter().map(|e| self.stmt(StmtKind::Expr(e), span)).collect();
        Ok(self.stmt(StmtKind::Compound(inputs), span))
    }

    fn asm_operand(&mut self) -> Parsed<ExprId> {
        if self.eat(Kind::LeftBracket) {
            self.expect(Kind::Name, "of an operand")?;
            self.expect(Kind::RightBracket, "after the name of the operand")?;
        }
        self.expect(Kind::Str, "that constrains the operand")?;
        self.expect(Kind::LeftParen, "before the operand")?;
        let operand = self.expression()?;
        self.expect(Kind::RightParen, "after the operand")?;
        Ok(operand)
    }
}

//! Declarators: names with pointers, arrays and parameters around them.

use super::{Parsed, Parser};
use crate::frontend::c::MAX_NESTING;
use crate::frontend::c::ast::{
    ArrayLength, Chunk, Declarator, Parameter, Parameters, Qualifiers, Specifiers, Storage, TypeSpec,
};
use crate::frontend::c::lex::Kind;

/// Whether a declarator has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Naming {
    Named,
    Unnamed,
    Either,
}

impl Parser {
    /// A declarator with a name.
    pub(super) fn declarator(&mut self) -> Parsed<Declarator> {
        self.declarator_of(Naming::Named)
    }

    /// The declarator of a type name, without a name.
    pub(super) fn abstract_declarator(&mut self) -> Parsed<Declarator> {
        self.declarator_of(Naming::Unnamed)
    }

    fn declarator_of(&mut self, naming: Naming) -> Parsed<Declarator> {
        let start = self.span();
        let mut chunks = Vec::new();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        while self.eat(Kind::Star) {
            let mut qualifiers = Qualifiers::NONE;
            loop {
                match self.kind() {
                    Kind::Const => qualifiers = qualifiers.with(Qualifiers::CONST),
                    Kind::Volatile => qualifiers = qualifiers.with(Qualifiers::VOLATILE),
                    Kind::Restrict => qualifiers = qualifiers.with(Qualifiers::RESTRICT),
                    Kind::Atomic => qualifiers = qualifiers.with(Qualifiers::ATOMIC),
                    Kind::Attribute => {
                        self.attributes(&mut attributes)?;
                        continue;
                    }
                    _ => break,
                }
                self.bump();
            }
            chunks.push(Chunk::Pointer(qualifiers));
        }
        let mut name = None;
        let mut inner = Vec::new();
        if self.at(Kind::LeftParen) && !self.starts_parameters(naming) {
            self.bump();
            let mut nested = self.nested(|p| p.declarator_of(naming))?;
            self.expect(Kind::RightParen, "after the declarator")?;
            name = nested.name;
            attributes.append(&mut nested.attributes);
            inner = nested.chunks;
        } else if self.at(Kind::Name) && naming != Naming::Unnamed {
            let token = self.bump();
            name = Some((token.symbol, token.span));
        } else if naming == Naming::Named {
            return self.missing("a name");
        }
        let mut suffixes = Vec::new();
        while suffixes.len() < MAX_NESTING {
            match self.kind() {
                Kind::LeftBracket if self.at_brackets(0) => self.attributes(&mut attributes)?,
                Kind::LeftBracket => suffixes.push(self.array_suffix()?),
                Kind::LeftParen => {
                    let parameters = self.nested(|p| p.scoped(Parser::parameters))?;
                    suffixes.push(Chunk::Function(Box::new(parameters)));
                }
                _ => break,
            }
        }
        chunks.extend(suffixes.into_iter().rev());
        chunks.extend(inner);
        if chunks.len() > MAX_NESTING {
            return self.refuse(start, &format!("a type of more than {MAX_NESTING} levels is"));
        }
        let span = name.map_or_else(|| self.span_from(start), |(_, span)| span);
        Ok(Declarator { name, chunks, attributes, asm_name: None, span })
    }

    /// Whether the parenthesis here opens a list of parameters rather than a declarator in parentheses.
    fn starts_parameters(&self, naming: Naming) -> bool {
        if naming == Naming::Named {
            return false;
        }
        self.ahead(1) == Kind::RightParen || (self.ahead(1) != Kind::Attribute && self.starts_type_at(1))
    }

    fn array_suffix(&mut self) -> Parsed<Chunk> {
        self.bump();
        let mut qualifiers = Qualifiers::NONE;
        loop {
            match self.kind() {
                Kind::Const => qualifiers = qualifiers.with(Qualifiers::CONST),
                Kind::Volatile => qualifiers = qualifiers.with(Qualifiers::VOLATILE),
                Kind::Restrict => qualifiers = qualifiers.with(Qualifiers::RESTRICT),
                Kind::Static | Kind::Atomic => {}
                _ => break,
            }
            self.bump();
        }
        let length = match (self.kind(), self.ahead(1)) {
            (Kind::RightBracket, _) => ArrayLength::None,
            (Kind::Star, Kind::RightBracket) => {
                self.bump();
                ArrayLength::Star
            }
            _ => ArrayLength::Expr(self.nested(Parser::assignment)?),
        };
        self.expect(Kind::RightBracket, "after the length of the array")?;
        Ok(Chunk::Array { length, qualifiers })
    }

    fn parameters(&mut self) -> Parsed<Parameters> {
        self.expect(Kind::LeftParen, "before the parameters")?;
        let mut out = Parameters { declared: Vec::new(), names: Vec::new(), is_prototype: false, is_variadic: false };
        if self.eat(Kind::RightParen) {
            return Ok(out);
        }
        if self.at(Kind::Name)
            && !self.is_type_name(self.token().symbol)
            && matches!(self.ahead(1), Kind::Comma | Kind::RightParen)
        {
            out.names = self.list(|p| p.expect(Kind::Name, "of a parameter").map(|t| (t.symbol, t.span)))?;
            self.expect(Kind::RightParen, "after the parameters")?;
            return Ok(out);
        }
        out.is_prototype = true;
        if self.at(Kind::Void) && self.ahead(1) == Kind::RightParen {
            self.bump();
            self.bump();
            return Ok(out);
        }
        loop {
            if self.eat(Kind::Ellipsis) {
                out.is_variadic = true;
                break;
            }
            out.declared.push(self.parameter()?);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::RightParen, "after the parameters")?;
        Ok(out)
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        let specifiers = self.specifiers()?;
        if matches!(specifiers.ty, TypeSpec::Missing) && specifiers.storage == Storage::default() {
            return self.missing_type("the type of a parameter");
        }
        let mut declarator = self.declarator_of(Naming::Either)?;
        self.attributes(&mut declarator.attributes)?;
        if let Some((name, _)) = declarator.name {
            self.types.set(name, false);
        }
        Ok(Parameter { specifiers, declarator })
    }

    /// Specifiers of which only the place is known.
    pub(super) fn no_specifiers(&self) -> Specifiers {
        let (storage, ty, qualifiers) = (Storage::default(), TypeSpec::Missing, Qualifiers::NONE);
        Specifiers { storage, ty, qualifiers, attributes: Vec::new(), span: self.span() }
    }
}

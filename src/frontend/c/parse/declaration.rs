//! Declarations, definitions of functions and initialisers.

use super::{Parsed, Parser};
use crate::frontend::c::ast::{
    Chunk, Declaration, Declarator, Designator, Function, Init, InitDeclarator, InitItem, Item, Qualifiers, Specifiers,
    StaticAssert, TypeSpec,
};
use crate::frontend::c::lex::Kind;
use crate::program::{Diagnostic, Span};

impl Parser {
    /// A declaration at file scope, or the definition of a function.
    pub(super) fn external_declaration(&mut self) -> Parsed<Item> {
        let start = self.span();
        if self.at(Kind::StaticAssert) {
            return self.declaration().map(Item::Declaration);
        }
        let specifiers = self.specifiers()?;
        if matches!(specifiers.ty, TypeSpec::Missing) {
            self.check_implicit_int(&specifiers)?;
        }
        if self.eat(Kind::Semicolon) {
            let span = self.span_from(start);
            return Ok(Item::Declaration(Declaration { specifiers, declarators: Vec::new(), assertion: None, span }));
        }
        let declarator = self.declarator_with_suffixes(&specifiers)?;
        let is_function = matches!(declarator.chunks.last(), Some(Chunk::Function(_)));
        if is_function && !matches!(self.kind(), Kind::Comma | Kind::Semicolon | Kind::Eq) {
            return self.function(specifiers, declarator).map(|function| Item::Function(Box::new(function)));
        }
        self.rest_of_declaration(start, specifiers, declarator).map(Item::Declaration)
    }

    /// Without any type, only what old C takes for a declaration of an `int` is accepted.
    fn check_implicit_int(&mut self, specifiers: &Specifiers) -> Parsed<()> {
        let has_storage = specifiers.storage != Default::default() || specifiers.qualifiers != Qualifiers::NONE;
        let looks_declared = matches!(
            (self.kind(), self.ahead(1)),
            (Kind::Name, Kind::LeftParen | Kind::Eq | Kind::Semicolon | Kind::Comma | Kind::LeftBracket)
        );
        if looks_declared || (has_storage && self.at(Kind::Star)) {
            return Ok(());
        }
        self.missing_type("a declaration")
    }

    /// A declaration in a block or before the body of an old-style function.
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let start = self.span();
        if self.at(Kind::StaticAssert) {
            let specifiers = self.no_specifiers();
            let assertion = Some(Box::new(self.static_assert()?));
            return Ok(Declaration { specifiers, declarators: Vec::new(), assertion, span: self.span_from(start) });
        }
        let specifiers = self.specifiers()?;
        if self.eat(Kind::Semicolon) {
            let span = self.span_from(start);
            return Ok(Declaration { specifiers, declarators: Vec::new(), assertion: None, span });
        }
        let declarator = self.declarator_with_suffixes(&specifiers)?;
        if self.at(Kind::LeftBrace) && matches!(declarator.chunks.last(), Some(Chunk::Function(_))) {
            let message = "a function inside a function is not supported";
            self.errors.push(Diagnostic::at(declarator.span, message, "defined here").hint("move it to file scope"));
            // Its body is read all the same, to go on behind it.
            let _ = self.nested(Parser::compound)?;
            let span = self.span_from(start);
            return Ok(Declaration { specifiers, declarators: Vec::new(), assertion: None, span });
        }
        self.rest_of_declaration(start, specifiers, declarator)
    }

    fn rest_of_declaration(&mut self, start: Span, specifiers: Specifiers, first: Declarator) -> Parsed<Declaration> {
        let init = self.optional_initialiser()?;
        let mut declarators = vec![InitDeclarator { declarator: first, init }];
        while self.eat(Kind::Comma) {
            let declarator = self.declarator_with_suffixes(&specifiers)?;
            let init = self.optional_initialiser()?;
            declarators.push(InitDeclarator { declarator, init });
        }
        if !self.at(Kind::Semicolon) {
            return self.missing("`;` after the declaration");
        }
        self.bump();
        Ok(Declaration { specifiers, declarators, assertion: None, span: self.span_from(start) })
    }

    /// A declarator with what may follow it; from here on its name means what is declared.
    fn declarator_with_suffixes(&mut self, specifiers: &Specifiers) -> Parsed<Declarator> {
        let mut declarator = self.declarator()?;
        declarator.asm_name = self.asm_name()?;
        self.attributes(&mut declarator.attributes)?;
        if let Some((name, _)) = declarator.name {
            self.types.set(name, specifiers.storage.is_typedef);
        }
        Ok(declarator)
    }

    fn optional_initialiser(&mut self) -> Parsed<Option<Init>> {
        if self.eat(Kind::Eq) { self.nested(Parser::initialiser).map(Some) } else { Ok(None) }
    }

    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        self.bump();
        self.expect(Kind::LeftParen, "after `_Static_assert`")?;
        let condition = self.conditional()?;
        let mut message = None;
        if self.eat(Kind::Comma) {
            message = Some(self.expect(Kind::Str, "as the message")?.symbol);
            while self.eat(Kind::Str) {}
        }
        self.expect(Kind::RightParen, "after the assertion")?;
        self.expect(Kind::Semicolon, "after the assertion")?;
        Ok(StaticAssert { condition, message })
    }

    fn function(&mut self, specifiers: Specifiers, declarator: Declarator) -> Parsed<Function> {
        self.scoped(|p| {
            let mut parameters = Vec::new();
            if let Some(Chunk::Function(list)) = declarator.chunks.last() {
                let declared = list.declared.iter().filter_map(|parameter| parameter.declarator.name);
                for (name, _) in declared.chain(list.names.iter().copied()) {
                    p.types.set(name, false);
                }
                if !list.is_prototype {
                    while !p.at(Kind::LeftBrace) && p.starts_declaration() {
                        parameters.push(p.declaration()?);
                    }
                }
            }
            if !p.at(Kind::LeftBrace) {
                return p.missing("`{`, `;`, `,` or `=` after the function's parameters");
            }
            let body = p.nested(Parser::compound_in_scope)?;
            Ok(Function { specifiers, declarator, parameters, body })
        })
    }

    /// An initialiser: an expression, or a list in braces.
    pub(super) fn initialiser(&mut self) -> Parsed<Init> {
        if !self.at(Kind::LeftBrace) {
            return self.assignment().map(Init::Expr);
        }
        let start = self.bump().span;
        let mut items = Vec::new();
        while !self.at(Kind::RightBrace) {
            items.push(self.init_item()?);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::RightBrace, "or `,` after the initialiser")?;
        Ok(Init::List(items.into(), self.span_from(start)))
    }

    fn init_item(&mut self) -> Parsed<InitItem> {
        let mut designators = Vec::new();
        // The old form `name: value`.
        if self.at(Kind::Name) && self.ahead(1) == Kind::Colon {
            let name = self.bump();
            self.bump();
            designators.push(Designator::Field(name.symbol, name.span));
        } else {
            while let Some(designator) = self.designator()? {
                designators.push(designator);
            }
            // The old form `[index] value` has no `=`.
            let is_old = matches!(designators.last(), Some(Designator::Index(_) | Designator::Range(..)));
            let may_lack_sign = designators.is_empty() || is_old;
            if !may_lack_sign || (is_old && self.at(Kind::Eq)) {
                self.expect(Kind::Eq, "after the designator")?;
            }
        }
        let init = self.nested(Parser::initialiser)?;
        Ok(InitItem { designators: designators.into(), init })
    }

    fn designator(&mut self) -> Parsed<Option<Designator>> {
        if self.eat(Kind::Dot) {
            let name = self.expect(Kind::Name, "of a member")?;
            return Ok(Some(Designator::Field(name.symbol, name.span)));
        }
        if !self.eat(Kind::LeftBracket) {
            return Ok(None);
        }
        let first = self.nested(Parser::conditional)?;
        let mut designator = Designator::Index(first);
        if self.eat(Kind::Ellipsis) {
            designator = Designator::Range(first, self.nested(Parser::conditional)?);
        }
        self.expect(Kind::RightBracket, "after the index")?;
        Ok(Some(designator))
    }
}

//! Declaration specifiers: storage, types of keywords, structures, unions and enumerations.

use super::{Parsed, Parser};
use crate::frontend::c::ast::{
    Attribute, Basic, Declarator, EnumSpec, Member, MemberDeclaration, Qualifiers, RecordSpec, Specifiers, Storage,
    TypeName, TypeSpec,
};
use crate::frontend::c::lex::Kind;
use crate::program::{Diagnostic, Span};

/// The keywords of a type seen so far.
#[derive(Debug, Clone, Copy, Default)]
struct Words {
    signed: bool,
    unsigned: bool,
    short: bool,
    longs: u8,
    int: bool,
    base: Option<Basic>,
}

impl Words {
    fn any(self) -> bool {
        self.signed || self.unsigned || self.short || self.longs > 0 || self.int || self.base.is_some()
    }

    fn add(&mut self, kind: Kind) -> bool {
        let base = match kind {
            Kind::Signed => return !std::mem::replace(&mut self.signed, true),
            Kind::Unsigned => return !std::mem::replace(&mut self.unsigned, true),
            Kind::Short => return !std::mem::replace(&mut self.short, true),
            Kind::Int => return !std::mem::replace(&mut self.int, true),
            Kind::Long => {
                self.longs += 1;
                return self.longs <= 2;
            }
            Kind::Void => Basic::Void,
            Kind::CharWord => Basic::Char,
            Kind::Bool => Basic::Bool,
            Kind::Float | Kind::Float32 => Basic::Float,
            Kind::Double | Kind::Float64 => Basic::Double,
            Kind::Float80 => Basic::LongDouble,
            Kind::Float128 => Basic::Float128,
            Kind::Int128 => Basic::Int128,
            _ => Basic::UnsignedInt128,
        };
        self.base.replace(base).is_none()
    }

    /// The type that the words make together.
    fn basic(self) -> Option<Basic> {
        let Words { signed, unsigned, short, longs, int, base } = self;
        if signed && unsigned || short && longs > 0 || longs > 2 {
            return None;
        }
        let sized = short || longs > 0;
        Some(match base {
            None if short => {
                if unsigned {
                    Basic::UnsignedShort
                } else {
                    Basic::Short
                }
            }
            None if longs == 1 => {
                if unsigned {
                    Basic::UnsignedLong
                } else {
                    Basic::Long
                }
            }
            None if longs == 2 => {
                if unsigned {
                    Basic::UnsignedLongLong
                } else {
                    Basic::LongLong
                }
            }
            None => {
                if unsigned {
                    Basic::UnsignedInt
                } else {
                    Basic::Int
                }
            }
            Some(Basic::Double) if longs == 1 && !(signed || unsigned || short || int) => Basic::LongDouble,
            Some(_) if sized || int => return None,
            Some(Basic::Char) if unsigned => Basic::UnsignedChar,
            Some(Basic::Char) if signed => Basic::SignedChar,
            Some(Basic::Int128) if unsigned => Basic::UnsignedInt128,
            Some(Basic::Int128) => Basic::Int128,
            Some(_) if signed || unsigned => return None,
            Some(basic) => basic,
        })
    }
}

impl Parser {
    /// Whether the token at that distance starts a type.
    pub(super) fn starts_type_at(&self, distance: usize) -> bool {
        use Kind::*;
        match self.ahead(distance) {
            Name => self.is_type_name(self.tokens[self.position + distance].symbol),
            Extension => self.starts_type_at(distance + 1),
            Void | CharWord | Short | Int | Long | Float | Double | Signed | Unsigned | Bool | Complex | Imaginary
            | Struct | Union | Enum | Typeof | AutoType | Int128 | UInt128 | Float128 | Float80 | Float32 | Float64
            | Float16 | VaList | Const | Volatile | Restrict | Atomic | Attribute => true,
            _ => self.at_brackets(distance),
        }
    }

    /// Whether a declaration starts here.
    pub(super) fn starts_declaration(&self) -> bool {
        use Kind::*;
        match self.kind() {
            Name => self.is_type_name(self.token().symbol) && self.ahead(1) != Colon,
            Extension => {
                let distance = (1..).find(|d| self.ahead(*d) != Extension).unwrap_or(1);
                self.starts_type_at(distance) || is_storage(self.ahead(distance))
            }
            kind => kind == StaticAssert || is_storage(kind) || self.starts_type_at(0),
        }
    }

    /// Specifiers with a type at least; implicit `int` has none.
    pub(super) fn specifiers(&mut self) -> Parsed<Specifiers> {
        let start = self.span();
        let mut storage = Storage::default();
        let mut qualifiers = Qualifiers::NONE;
        let mut attributes = Vec::new();
        let mut words = Words::default();
        let mut ty: Option<TypeSpec> = None;
        loop {
            let token = self.token();
            let taken = ty.is_some() || words.any();
            match token.kind {
                Kind::Typedef => storage.is_typedef = true,
                Kind::Extern => storage.is_extern = true,
                Kind::Static => storage.is_static = true,
                Kind::Auto => storage.is_auto = true,
                Kind::Register => storage.is_register = true,
                Kind::ThreadLocal => storage.is_thread = true,
                Kind::Inline => storage.is_inline = true,
                Kind::Noreturn => storage.is_noreturn = true,
                Kind::Const => qualifiers = qualifiers.with(Qualifiers::CONST),
                Kind::Volatile => qualifiers = qualifiers.with(Qualifiers::VOLATILE),
                Kind::Restrict => qualifiers = qualifiers.with(Qualifiers::RESTRICT),
                Kind::Atomic if self.ahead(1) != Kind::LeftParen => qualifiers = qualifiers.with(Qualifiers::ATOMIC),
                Kind::Extension => {}
                Kind::Attribute => {
                    self.attributes(&mut attributes)?;
                    continue;
                }
                Kind::LeftBracket if self.at_brackets(0) => {
                    self.attributes(&mut attributes)?;
                    continue;
                }
                Kind::Alignas => {
                    attributes.push(self.alignas()?);
                    continue;
                }
                Kind::Complex | Kind::Imaginary => return self.refuse(token.span, "complex numbers are"),
                Kind::Float16 => return self.refuse(token.span, "`_Float16` is"),
                kind if is_word_of_type(kind) => {
                    if ty.is_some() || !words.add(kind) {
                        return self.two_types(token.span);
                    }
                }
                Kind::Name if !taken && self.is_type_name(token.symbol) => ty = Some(TypeSpec::Named(token.symbol)),
                Kind::VaList | Kind::AutoType if !taken => {
                    ty = Some(if token.kind == Kind::VaList { TypeSpec::VaList } else { TypeSpec::Auto });
                }
                Kind::Struct
                | Kind::Union
                | Kind::Enum
                | Kind::Typeof
                | Kind::Atomic
                | Kind::VaList
                | Kind::AutoType => {
                    if taken {
                        return self.two_types(token.span);
                    }
                    if token.kind == Kind::Atomic {
                        qualifiers = qualifiers.with(Qualifiers::ATOMIC);
                    }
                    ty = Some(self.nested(Parser::compound_specifier)?);
                    continue;
                }
                _ => break,
            }
            self.bump();
        }
        let span = self.span_from(start);
        let ty = match ty {
            Some(ty) => ty,
            None if words.any() => match words.basic() {
                Some(basic) => TypeSpec::Basic(basic),
                None => return self.two_types(span),
            },
            None => TypeSpec::Missing,
        };
        Ok(Specifiers { storage, ty, qualifiers, attributes, span })
    }

    fn two_types<T>(&mut self, span: Span) -> Parsed<T> {
        let error = Diagnostic::at(span, "these words do not make one type together", "does not fit");
        self.error(error.hint("a `;` may be missing before it"))
    }

    fn alignas(&mut self) -> Parsed<Attribute> {
        let start = self.bump().span;
        self.expect(Kind::LeftParen, "after `_Alignas`")?;
        let value = if self.starts_type_at(0) {
            let ty = Box::new(self.nested(Parser::type_name)?);
            self.expr(crate::frontend::c::ast::ExprKind::AlignofType(ty, false), self.span_from(start))
        } else {
            self.conditional()?
        };
        self.expect(Kind::RightParen, "after the alignment")?;
        Ok(Attribute::Aligned(Some(value), start))
    }

    /// A structure, union or enumeration, `typeof`, or `_Atomic(type)`.
    fn compound_specifier(&mut self) -> Parsed<TypeSpec> {
        match self.kind() {
            Kind::Struct | Kind::Union => Ok(TypeSpec::Record(Box::new(self.record()?))),
            Kind::Enum => Ok(TypeSpec::Enum(Box::new(self.enumeration()?))),
            _ => {
                self.bump();
                self.expect(Kind::LeftParen, "after the keyword")?;
                let spec = if self.starts_type_at(0) {
                    TypeSpec::TypeofType(Box::new(self.type_name()?))
                } else {
                    TypeSpec::TypeofExpr(self.expression()?)
                };
                self.expect(Kind::RightParen, "after the type")?;
                Ok(spec)
            }
        }
    }

    /// A type as casts and `sizeof` name it.
    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let specifiers = self.specifiers()?;
        if matches!(specifiers.ty, TypeSpec::Missing) {
            return self.missing("a type");
        }
        let declarator = self.abstract_declarator()?;
        Ok(TypeName { specifiers, declarator })
    }

    fn record(&mut self) -> Parsed<RecordSpec> {
        let keyword = self.bump();
        let is_union = keyword.kind == Kind::Union;
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.at(Kind::Name).then(|| self.bump()).map(|token| (token.symbol, token.span));
        self.attributes(&mut attributes)?;
        let mut members = None;
        let mut pack = 0;
        if self.eat(Kind::LeftBrace) {
            let mut list = Vec::new();
            while !self.at(Kind::RightBrace) {
                if !self.eat(Kind::Semicolon) {
                    list.push(self.members()?);
                }
            }
            pack = self.pack();
            self.bump();
            self.attributes(&mut attributes)?;
            members = Some(list);
        } else if tag.is_none() {
            return self.missing("a tag or `{`");
        }
        Ok(RecordSpec { is_union, tag, members, attributes, pack, span: self.span_from(keyword.span) })
    }

    fn members(&mut self) -> Parsed<MemberDeclaration> {
        if self.at(Kind::StaticAssert) {
            let assertion = Some(Box::new(self.static_assert()?));
            let (storage, ty, qualifiers) = (Storage::default(), TypeSpec::Missing, Qualifiers::NONE);
            let specifiers = Specifiers { storage, ty, qualifiers, attributes: Vec::new(), span: self.span() };
            return Ok(MemberDeclaration { specifiers, members: Vec::new(), assertion });
        }
        let specifiers = self.specifiers()?;
        if matches!(specifiers.ty, TypeSpec::Missing) {
            return self.missing_type("a type of a member, or `}`");
        }
        let mut members = Vec::new();
        if !self.at(Kind::Semicolon) {
            members = self.list(|p| {
                let declarator = if p.at(Kind::Colon) { p.no_declarator() } else { p.declarator()? };
                let width = if p.eat(Kind::Colon) { Some(p.conditional()?) } else { None };
                let mut member = Member { declarator, width };
                p.attributes(&mut member.declarator.attributes)?;
                Ok(member)
            })?;
        }
        if !self.at(Kind::RightBrace) {
            self.expect(Kind::Semicolon, "after the member")?;
        }
        Ok(MemberDeclaration { specifiers, members, assertion: None })
    }

    /// Says that a type is missing, and when it looks like an unknown one, which.
    pub(super) fn missing_type<T>(&mut self, what: &str) -> Parsed<T> {
        let token = self.token();
        if token.kind == Kind::Name && matches!(self.ahead(1), Kind::Name | Kind::Star) {
            let name = self.unit.names.text(token.symbol);
            let error =
                Diagnostic::at(token.span, format!("unknown type `{name}`"), "no type of this name is declared");
            return self.error(error.hint("declare it with `typedef`, or include the header that does"));
        }
        self.missing(what)
    }

    fn no_declarator(&self) -> Declarator {
        let span = Span { end: self.span().start, ..self.span() };
        Declarator { name: None, chunks: Vec::new(), attributes: Vec::new(), asm_name: None, span }
    }

    fn enumeration(&mut self) -> Parsed<EnumSpec> {
        let start = self.bump().span;
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.at(Kind::Name).then(|| self.bump()).map(|token| (token.symbol, token.span));
        let mut enumerators = None;
        if self.eat(Kind::LeftBrace) {
            let mut list = Vec::new();
            while !self.at(Kind::RightBrace) {
                let name = self.expect(Kind::Name, "of an enumerator")?;
                self.attributes(&mut Vec::new())?;
                let value = if self.eat(Kind::Eq) { Some(self.conditional()?) } else { None };
                self.types.set(name.symbol, false);
                list.push((name.symbol, name.span, value));
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
            self.expect(Kind::RightBrace, "after the enumerators")?;
            self.attributes(&mut attributes)?;
            enumerators = Some(list);
        } else if tag.is_none() {
            return self.missing("a tag or `{`");
        }
        Ok(EnumSpec { tag, enumerators, attributes, span: self.span_from(start) })
    }
}

fn is_storage(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, Typedef | Extern | Static | Auto | Register | ThreadLocal | Inline | Noreturn | Alignas)
}

fn is_word_of_type(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        Void | CharWord
            | Short
            | Int
            | Long
            | Float
            | Double
            | Signed
            | Unsigned
            | Bool
            | Int128
            | UInt128
            | Float128
            | Float80
            | Float32
            | Float64
    )
}

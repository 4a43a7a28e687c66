//! Reading programs: items, declarations and statements.

use super::lex::{Kind, Lexer, Token, is_reserved, type_of_word};
use crate::program::validate::Place;
use crate::program::{
    Assumption, Diagnostic, FileId, FrontendErrors, Id, ObjectClass, ObjectField, ProcId, Procedure, Program, Remark,
    Role, Rules, Scope, SourceFile, SourceFiles, Span, Statement, Type, VarId, Variable, validate,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How many messages one reading gives at most.
pub(super) const MAX_ERRORS: usize = 20;

/// Reads a valid program. The messages point into the text as the given file.
pub fn parse(text: &str, file: FileId) -> Result<Program, FrontendErrors> {
    parse_with_places(text, file).map(|(program, _)| program)
}

/// Reads a program from its only file. Where the file brings no sources of its own, it is the source, and what
/// has no span gets its place in it.
pub fn lower(files: &SourceFiles) -> Result<Program, FrontendErrors> {
    let mut all = files.enumerate();
    let (Some((id, file)), None) = (all.next(), all.next()) else {
        let message = format!("a program in text form is one file, not {}", files.len());
        return Err(Diagnostic::general(message).into());
    };
    let (mut program, places) = parse_with_places(&file.text, id)?;
    if program.sources.is_empty() {
        program.sources = files.clone();
        for (place, span) in places {
            locate(&mut program, place, span);
        }
    }
    Ok(program)
}

fn locate(program: &mut Program, place: Place, span: Span) {
    let slot = match place {
        Place::Program => return,
        Place::Variable(id) => &mut program.variables[id].span,
        Place::Procedure(id) => &mut program.procedures[id].span,
        Place::Location(id, location) => &mut program.procedures[id].locations[location].span,
        Place::Edge(id, edge) => &mut program.procedures[id].edges[edge].span,
        Place::Init(index) => match &mut program.init[index] {
            Statement::Havoc { span, .. } => span,
            _ => return,
        },
        Place::Statement(id, edge, index) => match &mut program.procedures[id].edges[edge].block[index] {
            Statement::Havoc { span, .. } => span,
            _ => return,
        },
    };
    slot.get_or_insert(span);
}

fn parse_with_places(text: &str, file: FileId) -> Result<(Program, BTreeMap<Place, Span>), FrontendErrors> {
    let mut parser = Parser::new(text, file);
    parser.file();
    let program = parser.finish();
    if !parser.errors.is_empty() {
        return Err(FrontendErrors(parser.errors));
    }
    if let Err(problems) = validate(&program) {
        for problem in problems {
            let span = parser.places.get(&problem.place).copied().unwrap_or(Span::new(file, 0, 0));
            parser.report(span, problem.to_string(), "here");
        }
        return Err(FrontendErrors(parser.errors));
    }
    Ok((program, parser.places))
}

/// Something is wrong and has been reported.
#[derive(Debug)]
pub(super) struct Reported;

pub(super) type Parsed<T> = Result<T, Reported>;

/// A name and where it stands.
pub(super) type Named = (String, Span);

pub(super) struct Parser<'t> {
    lexer: Lexer<'t>,
    pub(super) token: Token<'t>,
    /// Where the last token taken ends.
    end: usize,
    file: FileId,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) places: BTreeMap<Place, Span>,
    name: Option<String>,
    pointer_bytes: Option<u32>,
    header_bytes: Option<u32>,
    main_ends_all: bool,
    rules: Rules,
    classes: Vec<ObjectClass>,
    assumptions: Vec<Assumption>,
    remarks: Vec<Remark>,
    main: Option<Named>,
    sources: SourceFiles,
    /// By number, since the text may number them as it likes.
    variables: BTreeMap<usize, Variable>,
    /// Whether variables have numbers, as the first one says.
    numbered: Option<bool>,
    init: Option<Vec<Statement>>,
    pub(super) procedures: Vec<Procedure>,
    pub(super) procedure_ids: FxHashMap<String, ProcId>,
    globals: FxHashMap<String, VarId>,
    pub(super) locals: FxHashMap<String, VarId>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, file: FileId) -> Parser<'t> {
        let mut lexer = Lexer::new(text);
        let token = lexer.next();
        Parser {
            lexer,
            token,
            end: 0,
            file,
            errors: Vec::new(),
            places: BTreeMap::new(),
            name: None,
            pointer_bytes: None,
            header_bytes: None,
            main_ends_all: false,
            rules: Rules::Language,
            classes: Vec::new(),
            assumptions: Vec::new(),
            remarks: Vec::new(),
            main: None,
            sources: SourceFiles::new(),
            variables: BTreeMap::new(),
            numbered: None,
            init: None,
            procedures: Vec::new(),
            procedure_ids: procedure_ids(text),
            globals: FxHashMap::default(),
            locals: FxHashMap::default(),
        }
    }

    pub(super) fn report(&mut self, span: Span, message: impl Into<String>, label: impl Into<String>) -> Reported {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(Diagnostic::at(span, message, label));
        }
        Reported
    }

    /// Reports something about the token at hand.
    pub(super) fn wrong(&mut self, message: impl Into<String>, label: impl Into<String>) -> Reported {
        let span = self.here();
        self.report(span, message, label)
    }

    pub(super) fn unexpected(&mut self, wanted: &str) -> Reported {
        let found = match &self.token.kind {
            Kind::Wrong(why) => return self.wrong(*why, "here"),
            Kind::Word(word) if is_reserved(word) && wanted == "a name" => {
                let hint = format!("put it in backticks to use it as a name: `{word}`");
                let reported = self.wrong(format!("{word} is a reserved word"), "expected a name here");
                self.hint(hint);
                return reported;
            }
            Kind::Word(word) => format!("`{word}`"),
            Kind::Quoted(name) => format!("the name `{name}`"),
            Kind::Number(digits, _) => format!("the number {}", digits.chars().take(20).collect::<String>()),
            Kind::Text(_) => "a string".to_owned(),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::End => "the end of the file".to_owned(),
        };
        self.wrong(format!("expected {wanted}, found {found}"), format!("expected {wanted}"))
    }

    /// Adds a hint to the last message.
    pub(super) fn hint(&mut self, hint: impl Into<String>) {
        if self.errors.len() < MAX_ERRORS
            && let Some(last) = self.errors.last_mut()
        {
            last.hint = Some(hint.into());
        }
    }

    pub(super) fn token(&self) -> &Token<'t> {
        &self.token
    }

    pub(super) fn advance(&mut self) -> Token<'t> {
        let next = self.lexer.next();
        let token = std::mem::replace(&mut self.token, next);
        self.end = token.end;
        token
    }

    pub(super) fn here(&self) -> Span {
        Span::new(self.file, self.token.start, self.token.end)
    }

    pub(super) fn since(&self, start: Span) -> Span {
        Span::new(self.file, start.start as usize, self.end)
    }

    pub(super) fn is(&self, text: &str) -> bool {
        match self.token.kind {
            Kind::Sign(sign) => sign == text,
            Kind::Word(word) => word == text,
            _ => false,
        }
    }

    pub(super) fn accept(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.accept(text) { Ok(()) } else { Err(self.unexpected(&format!("`{text}`"))) }
    }

    pub(super) fn string(&mut self) -> Parsed<String> {
        match &self.token.kind {
            Kind::Text(_) => match self.advance().kind {
                Kind::Text(text) => Ok(text),
                _ => unreachable!("the token is a string"),
            },
            _ => Err(self.unexpected("a string")),
        }
    }

    fn digits(&mut self) -> Parsed<u32> {
        let Kind::Number(digits, "") = self.token.kind else { return Err(self.unexpected("a number")) };
        match digits.parse() {
            Ok(number) => {
                self.advance();
                Ok(number)
            }
            Err(_) => Err(self.wrong("this number is too large", "here")),
        }
    }

    pub(super) fn named(&mut self) -> Parsed<Named> {
        let span = self.here();
        match &self.token.kind {
            Kind::Word(word) if !is_reserved(word) => {
                let name = (*word).to_owned();
                self.advance();
                Ok((name, span))
            }
            Kind::Quoted(name) => {
                let name = name.clone();
                self.advance();
                Ok((name, span))
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    fn ty(&mut self) -> Parsed<Type> {
        let Kind::Word(word) = self.token.kind else { return Err(self.unexpected("a type")) };
        let Some(ty) = type_of_word(word) else {
            let reported = self.unexpected("a type");
            self.hint("types are bool, int, ptr, f32, f64, and machine integers such as i32 and u8");
            return Err(reported);
        };
        self.advance();
        Ok(ty)
    }

    pub(super) fn optional_span(&mut self) -> Parsed<Option<Span>> {
        if !self.accept("@") {
            return Ok(None);
        }
        let file = self.digits()?;
        self.expect(":")?;
        let start = self.digits()?;
        self.expect("-")?;
        let end = self.digits()?;
        Ok(Some(Span { file: FileId::new(file as usize), start, end }))
    }

    /// A variable that is used: a local, or a global.
    pub(super) fn variable(&mut self) -> Parsed<VarId> {
        let global = self.accept("::");
        let (name, span) = self.named()?;
        let local = if global { None } else { self.locals.get(&name) };
        match local.or_else(|| self.globals.get(&name)) {
            Some(id) => Ok(*id),
            None => {
                self.report(span, format!("no variable here is called `{name}`"), "not declared");
                self.hint("variables are declared before they are used, by `global` or `local`");
                // The message stands; reading goes on with any variable.
                Ok(VarId::new(0))
            }
        }
    }

    pub(super) fn procedure_id(&mut self) -> Parsed<ProcId> {
        let (name, span) = self.named()?;
        match self.procedure_ids.get(&name) {
            Some(id) => Ok(*id),
            None => {
                self.report(span, format!("no procedure is called `{name}`"), "not defined");
                Ok(ProcId::new(0))
            }
        }
    }

    fn file(&mut self) {
        while self.token.kind != Kind::End {
            if self.item().is_err() {
                self.skip_to(&["program", "pointer_bytes", "global", "init", "procedure", "source"], false);
            }
        }
    }

    /// Skips to one of the words, or to a `}` that closes nothing skipped if that is a place to stop at.
    pub(super) fn skip_to(&mut self, words: &[&str], at_brace: bool) {
        let mut depth = 0_usize;
        loop {
            match self.token.kind {
                Kind::End => return,
                Kind::Word(word) if words.contains(&word) => return,
                Kind::Sign("{") => depth += 1,
                Kind::Sign("}") if depth == 0 && at_brace => return,
                Kind::Sign("}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.advance();
        }
    }

    fn item(&mut self) -> Parsed<()> {
        let Kind::Word(word) = self.token.kind else { return Err(self.unexpected_item()) };
        let again = match word {
            "program" => self.name.is_some(),
            "pointer_bytes" => self.pointer_bytes.is_some(),
            "main" => self.main.is_some(),
            "init" => self.init.is_some(),
            _ => false,
        };
        if again {
            self.wrong(format!("`{word}` is there twice"), "the second one");
        }
        let start = self.here();
        match word {
            "program" | "pointer_bytes" | "header_bytes" | "main_ends_all" | "competition" | "class" | "assumption"
            | "remark" | "main" | "global" | "init" | "procedure" | "source" => self.advance(),
            _ => return Err(self.unexpected_item()),
        };
        match word {
            "program" => self.name = Some(self.string()?),
            "pointer_bytes" => self.pointer_bytes = Some(self.digits()?),
            "header_bytes" => self.header_bytes = Some(self.digits()?),
            "main_ends_all" => self.main_ends_all = true,
            "competition" => self.rules = Rules::Competition,
            "class" => {
                let class = self.object_class()?;
                self.classes.push(class);
            }
            "assumption" => {
                let text = self.string()?;
                let span = self.optional_span()?;
                self.assumptions.push(Assumption { text, span });
            }
            "remark" => {
                let text = self.string()?;
                let span = self.optional_span()?;
                self.remarks.push(Remark { text, span });
            }
            "main" => self.main = Some(self.named()?),
            "global" => self.declaration(start, Scope::Global)?,
            "init" => self.init = Some(self.block(Place::Init)?.0),
            "procedure" => self.procedure(start)?,
            _ => self.source()?,
        }
        Ok(())
    }

    fn unexpected_item(&mut self) -> Reported {
        let reported = self.unexpected("a declaration");
        self.hint("a file has lines that start with program, main, global, init, procedure or source");
        reported
    }

    fn object_class(&mut self) -> Parsed<ObjectClass> {
        let name = self.string()?;
        let number = self.digits()? as i32;
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.accept("}") {
            fields.push(ObjectField { name: self.string()?, offset: self.digits()?, ty: self.ty()? });
        }
        let elements = if self.accept("elements") { Some((self.digits()?, self.ty()?)) } else { None };
        Ok(ObjectClass { name, number, fields, elements })
    }

    fn source(&mut self) -> Parsed<()> {
        let name = self.string()?;
        self.expect("{")?;
        let mut text = String::new();
        while !self.accept("}") {
            text.push_str(&self.string()?);
        }
        self.sources.push(SourceFile { name, text });
        Ok(())
    }

    pub(super) fn declaration(&mut self, start: Span, scope: Scope) -> Parsed<()> {
        let (name, name_span) = self.named()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let role = match () {
            () if self.accept("control") => Role::Control,
            () if self.accept("own") => Role::Own,
            () => Role::Data,
        };
        let number = if self.accept("#") { Some(self.digits()? as usize) } else { None };
        let span = self.optional_span()?;
        if *self.numbered.get_or_insert(number.is_some()) != number.is_some() {
            self.report(name_span, "either all variables have a number or none", "unlike those before it");
        }
        let id = number.unwrap_or(self.variables.len());
        let names = if scope == Scope::Global { &mut self.globals } else { &mut self.locals };
        if names.insert(name.clone(), VarId::new(id)).is_some() {
            self.report(name_span, format!("`{name}` is declared twice"), "the second one");
        }
        self.places.insert(Place::Variable(VarId::new(id)), self.since(start));
        if self.variables.insert(id, Variable { name, ty, scope, role, span }).is_some() {
            self.report(name_span, format!("two variables have the number {id}"), "the second one");
        }
        Ok(())
    }

    /// The program of all that was read; sensible only if nothing was reported.
    fn finish(&mut self) -> Program {
        let main = match self.main.take() {
            None => self.procedure_ids.get("main").copied().unwrap_or_else(|| {
                self.wrong("there is no main procedure", "at the end of the file");
                self.hint("call a procedure `main`, or say which one it is: main NAME");
                ProcId::new(0)
            }),
            Some((name, span)) => self.procedure_ids.get(&name).copied().unwrap_or_else(|| {
                self.report(span, format!("no procedure is called `{name}`"), "not defined");
                ProcId::new(0)
            }),
        };
        let count = self.variables.len();
        if let Some((&last, _)) = self.variables.last_key_value()
            && last >= count
            && self.errors.is_empty()
        {
            let span = self.places.get(&Place::Variable(VarId::new(last))).copied().unwrap_or(self.here());
            self.report(
                span,
                format!("the numbers of {count} variables go from 0 to {}", count - 1),
                "this is not one",
            );
        }
        Program {
            name: self.name.take().unwrap_or_default(),
            sources: std::mem::take(&mut self.sources),
            variables: std::mem::take(&mut self.variables).into_values().collect(),
            init: self.init.take().unwrap_or_default(),
            procedures: std::mem::take(&mut self.procedures).into_iter().collect(),
            main,
            pointer_bytes: self.pointer_bytes.unwrap_or(8),
            header_bytes: self.header_bytes.unwrap_or(0),
            main_ends_all: self.main_ends_all,
            rules: self.rules,
            classes: std::mem::take(&mut self.classes),
            shapes: Default::default(),
            assumptions: std::mem::take(&mut self.assumptions),
            remarks: std::mem::take(&mut self.remarks),
        }
    }
}

/// The names of all procedures, so that a call may come before its callee.
fn procedure_ids(text: &str) -> FxHashMap<String, ProcId> {
    let mut lexer = Lexer::new(text);
    let mut ids = FxHashMap::default();
    let mut count = 0;
    loop {
        let mut token = lexer.next();
        while token.kind == Kind::Word("procedure") {
            token = lexer.next();
            let name = match &token.kind {
                Kind::Word(word) => (*word).to_owned(),
                Kind::Quoted(name) => name.clone(),
                _ => String::new(),
            };
            ids.entry(name).or_insert(ProcId::new(count));
            count += 1;
        }
        if token.kind == Kind::End {
            return ids;
        }
    }
}

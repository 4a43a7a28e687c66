//! From the text of a file of predicates to its sections.

use super::lexer::{Token, Word, words};
use super::{Comparison, Context, Operator, Path, Predicate, PredicateFile, Section, Value, Written};
use crate::program::{Diagnostic, FileId, Span};
use crate::term::Integer;

/// How many predicates one line may stand for.
const MAX_EXPANDED: usize = 10_000;

/// How deep values may be nested.
const MAX_DEPTH: usize = 64;

/// Reads a file of predicates.
///
/// # Errors
/// Where it does not parse: what was expected, and where.
pub fn parse(text: &str, file: FileId) -> Result<PredicateFile, Diagnostic> {
    let mut parser = Parser { tokens: words(text, file)?, next: 0, depth: 0 };
    let mut sections = Vec::new();
    while parser.peek() != &Word::End {
        sections.push(parser.section()?);
    }
    Ok(PredicateFile { sections })
}

struct Parser {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
}

impl Parser {
    fn token(&self) -> &Token {
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn peek(&self) -> &Word {
        &self.token().word
    }

    fn peek_after(&self, words: usize) -> &Word {
        &self.tokens[(self.next + words).min(self.tokens.len() - 1)].word
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// From a place to the word that was taken last.
    fn since(&self, start: Span) -> Span {
        start.to(self.tokens[self.next.saturating_sub(1)].span)
    }

    fn takes(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Word::Sign(found) if *found == sign);
        self.next += usize::from(found);
        found
    }

    fn takes_name(&mut self, name: &str) -> bool {
        let found = matches!(self.peek(), Word::Name(found) if found == name);
        self.next += usize::from(found);
        found
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.peek() {
            Word::Name(name) => format!("`{name}`"),
            Word::Number(number) => format!("`{number}`"),
            Word::Sign(sign) => format!("`{sign}`"),
            Word::End => "the end of the file".to_owned(),
        };
        Diagnostic::at(self.span(), format!("{what} was expected, and {found} found"), format!("not {what}"))
    }

    fn expect(&mut self, sign: &str) -> Result<(), Diagnostic> {
        if self.takes(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    fn expect_name(&mut self, name: &str) -> Result<(), Diagnostic> {
        if self.takes_name(name) { Ok(()) } else { Err(self.expected(&format!("`{name}`"))) }
    }

    fn name(&mut self, what: &str) -> Result<String, Diagnostic> {
        match self.peek() {
            Word::Name(name) => {
                let name = name.clone();
                self.next += 1;
                Ok(name)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// A name with dots.
    fn long_name(&mut self, what: &str) -> Result<String, Diagnostic> {
        let mut name = self.name(what)?;
        while self.takes(".") {
            name = format!("{name}.{}", self.name(what)?);
        }
        Ok(name)
    }

    fn section(&mut self) -> Result<Section, Diagnostic> {
        let start = self.span();
        if !self.takes("[") {
            let error = self.expected("a section");
            return Err(error.hint("predicates come after a line such as [static] or [method pkg.C.m]"));
        }
        let context = self.context()?;
        self.expect("]")?;
        let span = self.since(start);
        let mut predicates = Vec::new();
        while !matches!(self.peek(), Word::End | Word::Sign("[")) {
            self.positions()?;
            let start = self.span();
            let found = self.predicate()?;
            let span = self.since(start);
            predicates.extend(found.into_iter().map(|predicate| Written { predicate, span }));
        }
        Ok(Section { context, span, predicates })
    }

    fn context(&mut self) -> Result<Context, Diagnostic> {
        let (method, class) = ("the name of a method", "the name of a class");
        if self.takes_name("static") {
            return Ok(Context::Static);
        }
        if self.takes_name("object") {
            return Ok(Context::Object(self.long_name(class)?));
        }
        if self.takes_name("method") {
            return Ok(Context::Method(self.long_name(method)?));
        }
        if !self.takes_name("assume") {
            return Err(self.expected("`static`, `object`, `method` or `assume`"));
        }
        if self.takes_name("pre") {
            self.expect_name("method")?;
            return Ok(Context::AssumePre(self.long_name(method)?));
        }
        if !self.takes_name("post") {
            return Err(self.expected("`pre` or `post`"));
        }
        self.expect_name("method")?;
        Ok(Context::AssumePost(self.long_name(method)?))
    }

    /// The positions in the bytecode where a predicate counts: it may count at more places, and so they say nothing here.
    fn positions(&mut self) -> Result<(), Diagnostic> {
        let mut ahead = 0;
        while matches!(self.peek_after(ahead), Word::Number(_) | Word::Sign(".." | ",")) {
            ahead += 1;
        }
        if ahead > 0 && self.peek_after(ahead) == &Word::Sign(":") {
            self.next += ahead + 1;
        }
        Ok(())
    }

    fn predicate(&mut self) -> Result<Vec<Predicate>, Diagnostic> {
        self.deeper(Parser::predicate_inside)
    }

    fn predicate_inside(&mut self) -> Result<Vec<Predicate>, Diagnostic> {
        if self.takes_name("true") {
            return Ok(vec![Predicate::Bool(true)]);
        }
        if self.takes_name("false") {
            return Ok(vec![Predicate::Bool(false)]);
        }
        if self.takes_name("not") {
            self.expect("(")?;
            let inner = self.predicate()?;
            self.expect(")")?;
            return Ok(inner.into_iter().map(|predicate| Predicate::Not(Box::new(predicate))).collect());
        }
        let left = self.values()?;
        let comparison = self.comparison()?;
        let right = self.values()?;
        self.pairs(&left, &right, |a, b| Predicate::Compare(comparison, a, b))
    }

    fn comparison(&mut self) -> Result<Comparison, Diagnostic> {
        let known = [
            ("=", Comparison::Eq),
            ("==", Comparison::Eq),
            ("!=", Comparison::Ne),
            ("<", Comparison::Lt),
            ("<=", Comparison::Le),
            (">", Comparison::Gt),
            (">=", Comparison::Ge),
        ];
        match known.iter().find(|(sign, _)| self.takes(sign)) {
            Some((_, comparison)) => Ok(*comparison),
            None => Err(self.expected("a comparison (=, !=, <, <=, > or >=)")),
        }
    }

    /// Every combination of two lists.
    fn pairs<A: Clone, B: Clone, C>(
        &self,
        left: &[A],
        right: &[B],
        combine: impl Fn(A, B) -> C,
    ) -> Result<Vec<C>, Diagnostic> {
        if left.len().saturating_mul(right.len()) > MAX_EXPANDED {
            let message = format!("this stands for more than {MAX_EXPANDED} predicates");
            return Err(Diagnostic::at(self.since(self.span()), message, "too many combinations"));
        }
        let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a.clone(), b.clone())));
        Ok(pairs.map(|(a, b)| combine(a, b)).collect())
    }

    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Parser) -> Result<T, Diagnostic>) -> Result<T, Diagnostic> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Diagnostic::at(self.span(), "the predicate is nested too deeply", "too deep"));
        }
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// A list of values.
    fn values(&mut self) -> Result<Vec<Value>, Diagnostic> {
        let mut values = self.sum()?;
        while self.takes(",") {
            values.extend(self.sum()?);
        }
        Ok(values)
    }

    fn sum(&mut self) -> Result<Vec<Value>, Diagnostic> {
        self.operations(&[("+", Operator::Add), ("-", Operator::Sub)], |parser| {
            parser.operations(&[("*", Operator::Mul), ("/", Operator::Div)], Parser::factor)
        })
    }

    /// Operands with operators of one rank between them, from the left.
    fn operations(
        &mut self,
        operators: &[(&str, Operator)],
        operand: impl Fn(&mut Parser) -> Result<Vec<Value>, Diagnostic>,
    ) -> Result<Vec<Value>, Diagnostic> {
        let mut values = operand(self)?;
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.takes(sign)) {
            let right = operand(self)?;
            let combine = |a, b| Value::Binary(*operator, Box::new(a), Box::new(b));
            values = self.pairs(&values, &right, combine)?;
        }
        Ok(values)
    }

    fn factor(&mut self) -> Result<Vec<Value>, Diagnostic> {
        if let Word::Number(first) = self.peek() {
            let first = first.clone();
            self.next += 1;
            return self.range(first);
        }
        if self.takes("(") {
            let values = self.deeper(Parser::values)?;
            self.expect(")")?;
            return Ok(values);
        }
        if self.takes_name("null") {
            return Ok(vec![Value::Null]);
        }
        if self.is_function("alength") {
            self.next += 2;
            self.expect_name("arrlen")?;
            self.expect(",")?;
            let paths = self.paths()?;
            self.expect(")")?;
            return Ok(paths.into_iter().map(Value::Length).collect());
        }
        Ok(self.paths()?.into_iter().map(Value::At).collect())
    }

    /// A number, or the numbers from it to another one.
    fn range(&mut self, first: Integer) -> Result<Vec<Value>, Diagnostic> {
        let start = self.span();
        if !self.takes("..") {
            return Ok(vec![Value::Number(first)]);
        }
        let Word::Number(last) = self.peek().clone() else { return Err(self.expected("a number")) };
        self.next += 1;
        let (Some(from), Some(to)) = (first.to_i64(), last.to_i64()) else {
            return Err(Diagnostic::at(self.since(start), "this range is too long", "too long"));
        };
        if from.abs_diff(to) >= MAX_EXPANDED as u64 {
            let message = format!("this range has more than {MAX_EXPANDED} numbers");
            return Err(Diagnostic::at(self.since(start), message, "too long"));
        }
        let numbers: Vec<i64> = if from <= to { (from..=to).collect() } else { (to..=from).rev().collect() };
        Ok(numbers.into_iter().map(|number| Value::Number(Integer::from(number))).collect())
    }

    /// Whether a name comes next, with a parenthesis behind it.
    fn is_function(&self, name: &str) -> bool {
        matches!(self.peek(), Word::Name(found) if found == name) && self.peek_after(1) == &Word::Sign("(")
    }

    fn paths(&mut self) -> Result<Vec<Path>, Diagnostic> {
        self.deeper(Parser::paths_inside)
    }

    fn paths_inside(&mut self) -> Result<Vec<Path>, Diagnostic> {
        let mut paths = self.first_paths()?;
        loop {
            if self.takes(".") || self.takes("->") {
                let field = self.name("the name of a field")?;
                paths = paths.into_iter().map(|path| Path::Field(Box::new(path), field.clone())).collect();
            } else if !self.token().starts_line && self.takes("[") {
                let indices = self.values()?;
                self.expect("]")?;
                paths = self.pairs(&paths, &indices, |path, index| Path::Element(Box::new(path), Box::new(index)))?;
            } else {
                return Ok(paths);
            }
        }
    }

    fn first_paths(&mut self) -> Result<Vec<Path>, Diagnostic> {
        if self.is_function("class") {
            self.next += 2;
            let class = self.long_name("the name of a class")?;
            self.expect(")")?;
            self.expect(".")?;
            return Ok(vec![Path::Static(class, self.name("the name of a field")?)]);
        }
        if self.is_function("sfread") {
            self.next += 2;
            let field = self.name("the name of a field")?;
            self.expect(",")?;
            let class = self.long_name("the name of a class")?;
            self.expect(")")?;
            return Ok(vec![Path::Static(class, field)]);
        }
        if self.is_function("fread") {
            self.next += 2;
            let field = self.name("the name of a field")?;
            self.expect(",")?;
            let paths = self.paths()?;
            self.expect(")")?;
            return Ok(paths.into_iter().map(|path| Path::Field(Box::new(path), field.clone())).collect());
        }
        if self.is_function("aread") {
            self.next += 2;
            self.expect_name("arr")?;
            self.expect(",")?;
            let paths = self.paths()?;
            self.expect(",")?;
            let indices = self.values()?;
            self.expect(")")?;
            return self.pairs(&paths, &indices, |path, index| Path::Element(Box::new(path), Box::new(index)));
        }
        if self.takes_name("return") {
            return Ok(vec![Path::Result]);
        }
        Ok(vec![Path::Variable(self.name("a value")?)])
    }
}

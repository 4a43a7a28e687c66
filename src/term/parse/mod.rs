//! Terms and sorts from SMT-LIB2 text, as Z3 and cvc5 print them.

mod operators;
mod sexpr;

pub use sexpr::{SExpr, parse_sexprs};

use super::smtlib::symbol_name;
use super::{Integer, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

/// The widest bit-vector that is read; a wider one in a text is taken for a mistake.
pub(super) const WIDEST: u32 = 1 << 16;

/// Terms that names stand for, besides the symbols of the store (parameters of a definition, say).
pub type Bindings = FxHashMap<String, TermId>;

/// Why a text is no term.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// A parenthesis, bar or quote without its partner.
    #[error("unbalanced parentheses, bars or quotes")]
    Unbalanced,
    /// A name that is neither bound nor a symbol of the store.
    #[error("unknown symbol {0}")]
    UnknownSymbol(String),
    /// An operator that terms do not have.
    #[error("unsupported operator {0}")]
    UnsupportedOperator(String),
    /// A quantifier or another binder but `let`.
    #[error("unsupported binder {0}")]
    Binder(String),
    /// A sort that terms do not have.
    #[error("unsupported sort {0}")]
    UnsupportedSort(String),
    /// An operator with the wrong number or sorts of arguments.
    #[error("{0} with arguments of the sorts ({1})")]
    IllSorted(String, String),
    /// Text that has another form than SMT-LIB asks for.
    #[error("malformed: {0}")]
    Malformed(String),
}

impl Terms {
    /// The term that the expression says, simplified.
    ///
    /// A name is looked for among the enclosing `let`s, then in `scope`, then among the symbols of the store.
    pub fn parse_term(&mut self, text: &SExpr, scope: &Bindings) -> Result<TermId, ParseError> {
        Reader { terms: self, scope, lets: FxHashMap::default(), values: Vec::new() }.read(text)
    }
}

/// The sort that the expression says.
fn parse_sort(text: &SExpr) -> Result<Sort, ParseError> {
    parse_sort_nested(text, 32)
}

fn parse_sort_nested(text: &SExpr, depth: u32) -> Result<Sort, ParseError> {
    let unsupported = || ParseError::UnsupportedSort(text.brief());
    if depth == 0 {
        return Err(unsupported());
    }
    match text {
        SExpr::Atom(name) => match name.as_str() {
            "Bool" => Ok(Sort::Bool),
            "Int" => Ok(Sort::Int),
            _ => Err(unsupported()),
        },
        SExpr::List(members) => match &members[..] {
            [underscore, name, width] if underscore.atom() == Some("_") && name.atom() == Some("BitVec") => {
                width.atom().and_then(parse_width).map(Sort::BitVec).ok_or_else(unsupported)
            }
            [name, index, element] if name.atom() == Some("Array") => {
                Ok(Sort::array(parse_sort_nested(index, depth - 1)?, parse_sort_nested(element, depth - 1)?))
            }
            _ => Err(unsupported()),
        },
    }
}

fn parse_width(text: &str) -> Option<u32> {
    text.parse().ok().filter(|width| (1..=WIDEST).contains(width))
}

/// What an application applies.
enum Head<'a> {
    Plain(&'a str),
    Indexed(&'a str, Vec<Integer>),
    ConstArray(Sort),
}

enum Task<'a> {
    Read(&'a SExpr),
    Apply(Head<'a>, usize),
    Bind(&'a [SExpr], &'a SExpr),
    Unbind(&'a [SExpr]),
}

struct Reader<'t, 'a> {
    terms: &'t mut Terms,
    scope: &'t Bindings,
    /// What `let` binds each name to, the innermost last.
    lets: FxHashMap<&'a str, Vec<TermId>>,
    values: Vec<TermId>,
}

impl<'a> Reader<'_, 'a> {
    fn read(&mut self, text: &'a SExpr) -> Result<TermId, ParseError> {
        let mut tasks = vec![Task::Read(text)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Read(SExpr::Atom(name)) => {
                    let value = self.leaf(name)?;
                    self.values.push(value);
                }
                Task::Read(SExpr::List(members)) => self.expand(members, &mut tasks)?,
                Task::Apply(head, count) => {
                    let args = self.values.split_off(self.values.len() - count);
                    let value = match head {
                        Head::Plain(name) => operators::apply_plain(self.terms, name, &args)?,
                        Head::Indexed(name, indices) => operators::apply_indexed(self.terms, name, &indices, &args)?,
                        Head::ConstArray(sort) => operators::apply_const_array(self.terms, sort, &args)?,
                    };
                    self.values.push(value);
                }
                Task::Bind(bindings, body) => {
                    let values = self.values.split_off(self.values.len() - bindings.len());
                    for (binding, value) in bindings.iter().zip(values) {
                        self.lets.entry(bound_name(binding)?).or_default().push(value);
                    }
                    tasks.push(Task::Unbind(bindings));
                    tasks.push(Task::Read(body));
                }
                Task::Unbind(bindings) => {
                    for binding in bindings {
                        if let Some(bound) = self.lets.get_mut(bound_name(binding)?) {
                            bound.pop();
                        }
                    }
                }
            }
        }
        self.values.pop().ok_or_else(|| ParseError::Malformed("()".into()))
    }

    /// Turns a list into the tasks that read it.
    fn expand(&mut self, members: &'a [SExpr], tasks: &mut Vec<Task<'a>>) -> Result<(), ParseError> {
        let malformed = || ParseError::Malformed(sexpr::brief_list(members));
        let (head, args) = members.split_first().ok_or_else(|| ParseError::Malformed("()".into()))?;
        let head = match head {
            SExpr::Atom(name) => match (name.as_str(), args) {
                ("let", [SExpr::List(bindings), body]) => {
                    tasks.push(Task::Bind(bindings, body));
                    for binding in bindings.iter().rev() {
                        let [_, value] = binding.list().unwrap_or_default() else { return Err(malformed()) };
                        tasks.push(Task::Read(value));
                    }
                    return Ok(());
                }
                ("!", [body, ..]) => {
                    tasks.push(Task::Read(body));
                    return Ok(());
                }
                ("_", _) => {
                    let value = self.indexed_constant(args)?;
                    self.values.push(value);
                    return Ok(());
                }
                ("let" | "!", _) => return Err(malformed()),
                ("forall" | "exists" | "lambda" | "choice" | "match", _) => {
                    return Err(ParseError::Binder(name.clone()));
                }
                (plain, _) => Head::Plain(plain),
            },
            SExpr::List(inner) => match &inner[..] {
                [first, SExpr::Atom(name), indices @ ..] if first.atom() == Some("_") => {
                    let number = |text: &SExpr| text.atom().and_then(natural);
                    let indices: Option<Vec<Integer>> = indices.iter().map(number).collect();
                    Head::Indexed(name, indices.ok_or_else(malformed)?)
                }
                [first, name, sort] if first.atom() == Some("as") && name.atom() == Some("const") => {
                    Head::ConstArray(parse_sort(sort)?)
                }
                _ => return Err(ParseError::UnsupportedOperator(head.brief())),
            },
        };
        tasks.push(Task::Apply(head, args.len()));
        tasks.extend(args.iter().rev().map(Task::Read));
        Ok(())
    }

    fn leaf(&mut self, text: &'a str) -> Result<TermId, ParseError> {
        if let Some(value) = self.lets.get(text).and_then(|bound| bound.last()) {
            return Ok(*value);
        }
        match text {
            "true" => return Ok(self.terms.bool(true)),
            "false" => return Ok(self.terms.bool(false)),
            _ => {}
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            let value = natural(text).ok_or_else(|| ParseError::Malformed(text.to_owned()))?;
            return Ok(self.terms.int(value));
        }
        if text.starts_with('#') {
            return self.vector_literal(text);
        }
        let name = symbol_name(text);
        if let Some(value) = self.scope.get(&name) {
            return Ok(*value);
        }
        match self.terms.find_symbol(&name) {
            Some(symbol) => Ok(self.terms.of_symbol(symbol)),
            None => Err(ParseError::UnknownSymbol(name)),
        }
    }

    /// `#b…` and `#x…`.
    fn vector_literal(&mut self, text: &str) -> Result<TermId, ParseError> {
        let malformed = || ParseError::Malformed(text.to_owned());
        let (radix, bits, digits) = match text.as_bytes() {
            [b'#', b'b', digits @ ..] => (2, 1, digits),
            [b'#', b'x', digits @ ..] => (16, 4, digits),
            _ => return Err(malformed()),
        };
        let width =
            u32::try_from(digits.len() * bits).ok().filter(|w| (1..=WIDEST).contains(w)).ok_or_else(malformed)?;
        // The number parser takes signs and underscores, which SMT-LIB does not have here.
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(malformed());
        }
        let value = num_bigint::BigInt::parse_bytes(digits, radix).ok_or_else(malformed)?;
        Ok(self.terms.bit_vec(value, width))
    }

    /// `(_ bvN w)`.
    fn indexed_constant(&mut self, args: &[SExpr]) -> Result<TermId, ParseError> {
        let head = args.first().and_then(SExpr::atom).unwrap_or_default();
        let unsupported = || ParseError::UnsupportedOperator(format!("(_ {head} …)"));
        let value = head.strip_prefix("bv").and_then(natural).ok_or_else(unsupported)?;
        match args {
            [_, SExpr::Atom(width)] => {
                let width = parse_width(width).ok_or_else(unsupported)?;
                Ok(self.terms.bit_vec(value, width))
            }
            _ => Err(unsupported()),
        }
    }
}

fn bound_name(binding: &SExpr) -> Result<&str, ParseError> {
    match binding.list() {
        Some([SExpr::Atom(name), _]) => Ok(name),
        _ => Err(ParseError::Malformed(binding.brief())),
    }
}

fn natural(text: &str) -> Option<Integer> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests;

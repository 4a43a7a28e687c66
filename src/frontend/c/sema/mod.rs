//! From the syntax tree to the typed tree: names get their declarations, expressions their types.

mod atomic;
mod attribute;
mod builtin;
mod call;
mod cast;
mod constant;
mod convert;
mod declaration;
mod declarator;
mod expression;
mod function;
mod initialiser;
mod library;
mod literal;
mod operator;
mod size;
mod specifier;
mod statement;

use super::MAX_ERRORS;
use super::ast;
use super::names::{Names, ScopedMap, Symbol};
use super::tree::{
    Assumption, Expr, ExprId, ExprKind, FunctionId, LabelId, ObjectId, Stmt, StmtId, StmtKind, StringId, StringLiteral,
    Unit,
};
use super::types::{DataModel, EnumId, RecordId, Ty, Types, VlaId};
use crate::program::{Diagnostic, IdVec, Span};
use rustc_hash::FxHashMap;

/// Gives a syntax tree its meaning; what is wrong is told in the messages, and left out of the result.
pub fn check(mut ast: ast::Unit, model: DataModel) -> (Unit, Vec<Diagnostic>) {
    let names = std::mem::take(&mut ast.names);
    let unit = Unit {
        types: Types::new(model),
        names,
        functions: IdVec::new(),
        objects: IdVec::new(),
        exprs: IdVec::new(),
        stmts: IdVec::new(),
        strings: IdVec::new(),
        vlas: IdVec::new(),
        assumptions: Vec::new(),
        weak_order: None,
        has_mutex_kinds: false,
    };
    let mut sema = Sema {
        ast: &ast,
        unit,
        entities: ScopedMap::new(),
        tags: ScopedMap::new(),
        errors: Vec::new(),
        function: None,
        unevaluated: 0,
        in_static_initialiser: false,
        in_enumerator: false,
        prototypes: 0,
        lengths: Vec::new(),
        strings: FxHashMap::default(),
        static_names: FxHashMap::default(),
        linked: FxHashMap::default(),
    };
    for item in &ast.items {
        if sema.errors.len() >= MAX_ERRORS {
            break;
        }
        sema.item(item);
    }
    sema.finish_objects();
    (sema.unit, sema.errors)
}

/// A message has been given.
#[derive(Debug, Clone, Copy)]
struct Reported;

type Checked<T> = Result<T, Reported>;

/// What an ordinary name means.
#[derive(Debug, Clone, Copy)]
enum Entity {
    Object(ObjectId),
    Function(FunctionId),
    /// A type, with the alignment that an attribute gave it.
    Typedef(Ty, Option<u64>),
    Enumerator(i128, Ty),
}

/// What a tag means.
#[derive(Debug, Clone, Copy)]
enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

struct Sema<'a> {
    ast: &'a ast::Unit,
    unit: Unit,
    entities: ScopedMap<Entity>,
    tags: ScopedMap<Tag>,
    errors: Vec<Diagnostic>,
    /// The function whose body is being read.
    function: Option<FunctionContext>,
    /// Whether the expression is only looked at for its type, and in how many operators of that sort.
    unevaluated: usize,
    /// Whether an initialiser of static storage is being read.
    in_static_initialiser: bool,
    /// Whether the value of an enumerator is being read.
    in_enumerator: bool,
    /// How many prototypes that are no definitions are open.
    prototypes: usize,
    /// Lengths of arrays that are to be computed before what is being read.
    lengths: Vec<VlaId>,
    strings: FxHashMap<StringLiteral, StringId>,
    /// How often each name was given to an object of static storage.
    static_names: FxHashMap<String, u32>,
    /// The functions and objects that other files or scopes know by their name.
    linked: FxHashMap<Symbol, Entity>,
}

/// What is known while the body of a function is read.
struct FunctionContext {
    id: FunctionId,
    result: Ty,
    labels: IdVec<LabelId, super::tree::Label>,
    named: FxHashMap<Symbol, NamedLabel>,
    switches: Vec<SwitchContext>,
    /// How many statements around the current one can be left by `break`, and continued.
    breakable: usize,
    continuable: usize,
    locals: Vec<ObjectId>,
    /// The objects of each open block.
    blocks: Vec<Vec<ObjectId>>,
    /// How often each name was given to a local.
    local_names: FxHashMap<Symbol, u32>,
}

struct NamedLabel {
    id: LabelId,
    is_defined: bool,
    first_use: Span,
}

struct SwitchContext {
    ty: Ty,
    cases: Vec<super::tree::Case>,
    default: Option<LabelId>,
}

impl<'a> Sema<'a> {
    fn error<T>(&mut self, error: Diagnostic) -> Checked<T> {
        if self.errors.len() < MAX_ERRORS && self.errors.last() != Some(&error) {
            self.errors.push(error);
        }
        Err(Reported)
    }

    fn refuse<T>(&mut self, span: Span, what: &str) -> Checked<T> {
        self.error(Diagnostic::at(span, format!("{what} not supported"), "used here"))
    }

    fn assume(&mut self, span: Span, message: String) {
        if self.unit.assumptions.len() < 1_000 {
            self.unit.assumptions.push(Assumption { message, span });
        }
    }

    #[inline]
    fn node(&mut self, kind: ExprKind, ty: Ty, span: Span) -> ExprId {
        self.unit.exprs.push(Expr { kind, ty, span })
    }

    fn int(&mut self, value: i128, ty: Ty, span: Span) -> ExprId {
        self.node(ExprKind::Int(value), ty, span)
    }

    fn stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.unit.stmts.push(Stmt { kind, span })
    }

    fn types(&self) -> &Types {
        &self.unit.types
    }

    fn names(&self) -> &Names {
        &self.unit.names
    }

    fn ty(&self, expr: ExprId) -> Ty {
        self.unit.exprs[expr].ty
    }

    fn span(&self, expr: ExprId) -> Span {
        self.unit.exprs[expr].span
    }

    fn kind(&self, expr: ExprId) -> &ExprKind {
        &self.unit.exprs[expr].kind
    }

    fn show(&self, ty: Ty) -> String {
        self.unit.types.display(ty, &self.unit.names)
    }

    fn text(&self, symbol: Symbol) -> &str {
        self.unit.names.text(symbol)
    }

    fn open(&mut self) {
        self.entities.open();
        self.tags.open();
    }

    fn close(&mut self) {
        self.entities.close();
        self.tags.close();
    }

    fn is_file_scope(&self) -> bool {
        self.entities.depth() == 0
    }

    /// Looks at an expression or type without evaluating it.
    fn unevaluated<T>(&mut self, inner: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        self.unevaluated += 1;
        let result = inner(self);
        self.unevaluated -= 1;
        result
    }

    fn item(&mut self, item: &'a ast::Item) {
        // What went wrong is in the messages; the next item is read all the same.
        let _ = match item {
            ast::Item::Declaration(declaration) => self.file_declaration(declaration),
            ast::Item::Function(function) => self.function_definition(function),
        };
        self.lengths.clear();
    }
}

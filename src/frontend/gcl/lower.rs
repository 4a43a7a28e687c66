//! From the syntax tree to the `Program`: names, types, then locations and edges.

use super::ast::{Ast, Condition, Declaration, Expr as Tree, Name, Node, Transition};
use super::{MAX_DEPTH, MAX_DIGITS, MAX_ERRORS, hints, init};
use crate::program::{
    BinaryOp, Diagnostic, Edge, ErrorKind, Expr, Failure, FileId, IdVec, LocId, Location, Procedure, Program, Role,
    Rules, Scope, SourceFiles, Span, Statement, Type, UnaryOp, VarId, Variable,
};
use crate::term::Integer;
use rustc_hash::{FxHashMap, FxHashSet};

/// A sum of more terms than this becomes a balanced tree, so that its depth stays small.
const MAX_LEFT_DEEP: usize = 16;
/// Where to stop collecting errors. They are sorted by place before they are cut to the limit, so a few more than
/// the limit are collected.
const ENOUGH_ERRORS: usize = 10 * MAX_ERRORS;
const NOT_BINDS_TIGHTER: &str = "`!` binds tighter than `=`: write `!(x = 1)` or `x != 1`";
/// The most characters of a property that its message repeats.
const MAX_PROPERTY_CHARS: usize = 200;

/// Checks the program and builds it. The result is only meant to be used if no error was added.
pub(crate) fn lower(ast: &Ast<'_>, files: &SourceFiles, errors: &mut Vec<Diagnostic>) -> Option<Program> {
    let (file, source) = files.enumerate().next()?;
    let text = &source.text;
    let mut lowering = Lowering {
        file,
        text,
        names: FxHashMap::default(),
        declarations_unread: ast.unread.declaration,
        undeclared: FxHashSet::default(),
        errors,
    };
    lowering.missing_statements(ast);
    let variables = lowering.variables(&ast.declarations);
    let init = lowering.init(ast, &variables);
    let main = lowering.main(ast);
    let header = ast.program.as_ref()?;
    let mut procedures = IdVec::new();
    let main = procedures.push(main);
    Some(Program {
        name: header.name.to_owned(),
        sources: files.clone(),
        variables,
        init,
        procedures,
        main,
        pointer_bytes: 8,
        header_bytes: 0,
        main_ends_all: true,
        rules: Rules::Language,
        classes: Vec::new(),
        shapes: Default::default(),
        assumptions: Vec::new(),
        remarks: Vec::new(),
    })
}

struct Lowering<'a, 'e> {
    file: FileId,
    text: &'a str,
    names: FxHashMap<&'a str, VarId>,
    /// Some declaration has a syntax error, so that a name may be declared although it is not known.
    declarations_unread: bool,
    /// The names that were reported, each once.
    undeclared: FxHashSet<&'a str>,
    errors: &'e mut Vec<Diagnostic>,
}

/// `None` if an error was reported.
type Lowered<T> = Option<T>;

impl<'a> Lowering<'a, '_> {
    fn error<T>(&mut self, error: Diagnostic) -> Lowered<T> {
        if self.errors.len() < ENOUGH_ERRORS {
            self.errors.push(error);
        }
        None
    }

    fn missing_statements(&mut self, ast: &Ast<'_>) {
        let Some(header) = &ast.program else {
            if !ast.unread.program {
                let what = if self.text.trim().is_empty() { "is empty" } else { "holds only comments" };
                let message = format!("there is no program: the file {what}");
                let error = Diagnostic::at(Span::new(self.file, 0, 0), message, "expected `program NAME`");
                self.error::<()>(error.hint("a program has at least the lines `program NAME`, `init …` and `safe …`"));
            }
            return;
        };
        if ast.init.is_none() && !ast.unread.init {
            let error = Diagnostic::at(header.span, "there is no `init` line", "this program has no initial condition");
            self.error::<()>(
                error.hint("add `init` and a condition; `init true` lets every variable start with any value"),
            );
        }
        if ast.properties.is_empty() && !ast.unread.safe {
            let error = Diagnostic::at(
                header.span,
                "there is no `safe` line: nothing to prove",
                "this program has no property",
            );
            self.error::<()>(error.hint("add `safe` and a condition that must hold in every reachable state"));
        }
    }

    fn variables(&mut self, declarations: &[Declaration<'a>]) -> IdVec<VarId, Variable> {
        let mut variables: IdVec<VarId, Variable> = IdVec::new();
        for Declaration { name, control } in declarations {
            if self.names.contains_key(name.text) {
                let message = format!("the variable {} is declared twice", hints::quote(name.text));
                self.error::<()>(
                    Diagnostic::at(name.span, message, "declared before").hint("drop one of the declarations"),
                );
                continue;
            }
            let role = if *control { Role::Control } else { Role::Data };
            let (scope, span) = (Scope::Global, Some(name.span));
            let id = variables.push(Variable { name: name.text.to_owned(), ty: Type::Int, scope, role, span });
            self.names.insert(name.text, id);
        }
        variables
    }

    fn init(&mut self, ast: &Ast<'a>, variables: &IdVec<VarId, Variable>) -> Vec<Statement> {
        let Some(condition) = &ast.init else { return Vec::new() };
        let condition = self.condition(&condition.condition);
        condition.map(|condition| init::statements(condition, variables)).unwrap_or_default()
    }

    fn main(&mut self, ast: &Ast<'a>) -> Procedure {
        let span = ast.program.as_ref().map(|header| header.span);
        let mut locations = IdVec::new();
        let named = |name: &str| Location { name: Some(name.to_owned()), error: None, span };
        let entry = locations.push(named("loop"));
        let exit = locations.push(named("end"));
        let mut edges = IdVec::new();
        for property in &ast.properties {
            let target = locations.push(self.violation(property));
            if let Some(condition) = self.condition(&property.condition) {
                let block = vec![Statement::Assume(condition.negate())];
                edges.push(Edge {
                    source: entry,
                    target,
                    label: None,
                    block,
                    span: Some(property.span),
                    places: Vec::new(),
                });
            }
        }
        let mut labels = FxHashSet::default();
        for transition in &ast.transitions {
            if !labels.insert(transition.label.text) {
                let message = format!("the label {} is used twice", hints::quote(transition.label.text));
                let error = Diagnostic::at(transition.label.span, message, "names another transition already");
                self.error::<()>(error.hint("give each transition a name of its own"));
            }
            if let Some(edge) = self.transition(transition, entry) {
                edges.push(edge);
            }
        }
        let name = "main".to_owned();
        Procedure { name, parameters: Vec::new(), result: None, locations, edges, entry, exit, span }
    }

    fn violation(&self, property: &Condition) -> Location {
        let text = hints::shorten(&one_line(self.source(property.span)), MAX_PROPERTY_CHARS);
        let message = format!("`{text}` in line {} does not hold", property.line);
        Location {
            name: Some(format!("violated_{}", property.line)),
            error: Some(Failure { kind: ErrorKind::Assertion, message }),
            span: Some(property.span),
        }
    }

    fn source(&self, span: Span) -> &'a str {
        &self.text[span.start as usize..span.end as usize]
    }

    fn transition(&mut self, transition: &Transition<'a>, here: LocId) -> Lowered<Edge> {
        let guard = self.condition(&transition.guard);
        let mut assigned = FxHashSet::default();
        let (mut pairs, mut inputs) = (Vec::new(), Vec::new());
        for assignment in &transition.assignments {
            let target = self.variable(assignment.target);
            if !assigned.insert(assignment.target.text) {
                let name = hints::quote(assignment.target.text);
                let message = format!("{name} is assigned twice in one transition");
                let error = Diagnostic::at(assignment.target.span, message, "assigned before");
                self.error::<()>(error.hint("the assignments of a transition happen all at once; drop one of them"));
            }
            let value = assignment.value.as_ref().map(|value| self.value(value));
            match (target, value) {
                (Some(target), None) => inputs.push(Statement::Havoc { target, span: Some(assignment.span) }),
                (Some(target), Some(Some(value))) => pairs.push((target, value)),
                _ => {}
            }
        }
        let mut block = Vec::new();
        match guard? {
            Expr::Bool(true) => {}
            guard => block.push(Statement::Assume(guard)),
        }
        if !pairs.is_empty() {
            block.push(Statement::Assign(pairs));
        }
        block.extend(inputs);
        let label = Some(transition.label.text.to_owned());
        Some(Edge { source: here, target: here, label, block, span: Some(transition.span), places: Vec::new() })
    }

    // Expressions.

    fn variable(&mut self, name: Name<'a>) -> Lowered<VarId> {
        if let Some(id) = self.names.get(name.text) {
            return Some(*id);
        }
        if self.declarations_unread || self.errors.len() >= ENOUGH_ERRORS || !self.undeclared.insert(name.text) {
            return None;
        }
        let message = format!("the variable {} is not declared", hints::quote(name.text));
        let error = Diagnostic::at(name.span, message, "not declared");
        let mut declared: Vec<(VarId, &str)> = self.names.iter().map(|(text, id)| (*id, *text)).collect();
        declared.sort_unstable();
        let hint = match hints::similar(name.text, declared.into_iter().map(|(_, text)| text)) {
            Some(similar) => format!("did you mean {}?", hints::quote(similar)),
            None => format!("declare it with `var {}`", hints::shorten(name.text, 40)),
        };
        self.error(error.hint(hint))
    }

    /// A whole expression that must be a truth value.
    fn condition(&mut self, tree: &Tree) -> Lowered<Expr> {
        let expr = self.truth(tree)?;
        self.not_too_deep(expr, tree.span)
    }

    /// A whole expression that must be a number.
    fn value(&mut self, tree: &Tree) -> Lowered<Expr> {
        let expr = self.number(tree)?;
        self.not_too_deep(expr, tree.span)
    }

    fn not_too_deep(&mut self, expr: Expr, span: Span) -> Lowered<Expr> {
        if depth(&expr) <= MAX_DEPTH {
            return Some(expr);
        }
        let message = format!("the operators of the expression are more than {MAX_DEPTH} levels deep");
        self.error(Diagnostic::at(span, message, "too deep").hint("nest long sums less deeply"))
    }

    /// An expression that must be a truth value.
    fn truth(&mut self, tree: &Tree) -> Lowered<Expr> {
        match &tree.node {
            Node::Bool(value) => Some(Expr::Bool(*value)),
            Node::Not(operand) if operand.node.is_number() => {
                let error = Diagnostic::at(operand.span, "`!` needs a truth value, but this is a number", "a number");
                self.error(error.hint(NOT_BINDS_TIGHTER))
            }
            Node::Not(operand) => Some(self.truth(operand)?.negate()),
            Node::Compare(operator, left, right) => {
                let (left, right) = (self.number(left), self.number(right));
                Some(Expr::binary(*operator, left?, right?))
            }
            Node::And(operands) => self.junction(operands, Expr::And),
            Node::Or(operands) => self.junction(operands, Expr::Or),
            Node::Implies(left, right) => {
                let (left, right) = (self.truth(left), self.truth(right));
                Some(Expr::binary(BinaryOp::Implies, left?, right?))
            }
            _ => {
                let message = "a truth value is needed here, but this is a number";
                self.error(Diagnostic::at(tree.span, message, "a number").hint("compare it, as in `x != 0`"))
            }
        }
    }

    /// All operands of a chain, those of parenthesised chains of the same operator included.
    fn junction(&mut self, operands: &[Tree], make: fn(Vec<Expr>) -> Expr) -> Lowered<Expr> {
        let mut all = Vec::with_capacity(operands.len());
        let mut complete = true;
        let is_or = matches!(make(Vec::new()), Expr::Or(_));
        for operand in operands {
            match self.truth(operand) {
                Some(Expr::And(inner)) if !is_or => all.extend(inner),
                Some(Expr::Or(inner)) if is_or => all.extend(inner),
                Some(operand) => all.push(operand),
                None => complete = false,
            }
        }
        complete.then(|| make(all))
    }

    /// An expression that must be a number. Constant parts are computed.
    fn number(&mut self, tree: &Tree) -> Lowered<Expr> {
        match &tree.node {
            Node::Int(value) => Some(Expr::int(value.clone())),
            Node::Var(span) => self.variable(Name { text: self.source(*span), span: *span }).map(Expr::Var),
            Node::Neg(operand) => Some(match self.number(operand)? {
                Expr::Int(value, Type::Int) => Expr::int(-value),
                operand => Expr::unary(UnaryOp::Neg, operand),
            }),
            Node::Sum(terms) => {
                let lowered: Vec<_> = terms.iter().map(|(minus, term)| (*minus, self.number(term))).collect();
                let complete: Option<Vec<_>> = lowered.into_iter().map(|(minus, term)| Some((minus, term?))).collect();
                Some(sum(complete?))
            }
            Node::Product(factors) => self.product(tree.span, factors),
            _ => {
                let message = "a number is needed here, but this is a truth value";
                let error = Diagnostic::at(tree.span, message, "true or false");
                let hint = match &tree.node {
                    Node::Bool(_) => "variables are integers; use 1 and 0",
                    Node::Not(_) => NOT_BINDS_TIGHTER,
                    _ => "only numbers are compared and computed with; put parentheses where they are meant",
                };
                self.error(error.hint(hint))
            }
        }
    }

    /// A product has at most one factor that is not constant.
    fn product(&mut self, span: Span, factors: &[Tree]) -> Lowered<Expr> {
        let mut constant = Integer::ONE;
        let mut variable: Option<Expr> = None;
        let lowered: Vec<_> = factors.iter().map(|factor| self.number(factor)).collect();
        for (factor, tree) in lowered.into_iter().collect::<Option<Vec<_>>>()?.into_iter().zip(factors) {
            match factor {
                Expr::Int(value, _) => constant = &constant * &value,
                _ if variable.is_some() => {
                    let error = Diagnostic::at(
                        tree.span,
                        "a product of two variables is not linear",
                        "a second variable factor",
                    );
                    return self.error(error.hint("one side of `*` must be constant"));
                }
                other => variable = Some(other),
            }
            if digits_at_least(&constant) > MAX_DIGITS {
                let message = format!("the product has more than {MAX_DIGITS} digits");
                return self.error(Diagnostic::at(span, message, "too large"));
            }
        }
        let constant = Expr::int(constant);
        Some(match variable {
            None => constant,
            Some(variable) => Expr::binary(BinaryOp::Mul, constant, variable),
        })
    }
}

impl Node {
    fn is_number(&self) -> bool {
        matches!(self, Node::Int(_) | Node::Var(_) | Node::Neg(_) | Node::Sum(_) | Node::Product(_))
    }
}

/// A lower bound of how many decimal digits a number has, good enough for a limit.
fn digits_at_least(value: &Integer) -> usize {
    if value.to_i64().is_some() {
        return 1;
    }
    usize::try_from(value.to_big().bits()).map_or(usize::MAX, |bits| bits.saturating_sub(1) * 3 / 10)
}

/// The number of expressions on the longest way from the whole to an operand.
fn depth(expr: &Expr) -> usize {
    1 + expr.operands().into_iter().map(depth).max().unwrap_or(0)
}

/// The sum of the terms, each with whether it is subtracted: left to right for a few, balanced for many.
fn sum(terms: Vec<(bool, Expr)>) -> Expr {
    let mut terms: Vec<(bool, Option<Expr>)> = terms.into_iter().map(|(minus, term)| (minus, Some(term))).collect();
    sum_of(&mut terms)
}

/// The sum with all signs turned if the first is a minus, so that no unary minus is needed.
fn sum_of(terms: &mut [(bool, Option<Expr>)]) -> Expr {
    let minus = terms[0].0;
    if let [(_, term)] = terms {
        return term.take().expect("each term is taken once");
    }
    let middle = if terms.len() <= MAX_LEFT_DEEP { terms.len() - 1 } else { terms.len() / 2 };
    let (left, right) = terms.split_at_mut(middle);
    let same_sign = right[0].0 == minus;
    match (sum_of(left), sum_of(right), same_sign) {
        (Expr::Int(a, Type::Int), Expr::Int(b, Type::Int), true) => Expr::int(a + b),
        (Expr::Int(a, Type::Int), Expr::Int(b, Type::Int), false) => Expr::int(a - b),
        (left, right, true) => Expr::binary(BinaryOp::Add, left, right),
        (left, right, false) => Expr::binary(BinaryOp::Sub, left, right),
    }
}

/// The text of a statement without line ends, comments and repeated blanks.
fn one_line(text: &str) -> String {
    let code = text.lines().map(|line| line.split('#').next().unwrap_or(""));
    code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

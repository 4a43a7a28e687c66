//! Printing programs.

use super::lex::{is_anonymous, is_plain, quote};
use crate::program::{
    BinaryOp, Edge, Expr, Id, IdVec, LocId, ObjectClass, ObjectField, Piece, ProcId, Procedure, Program, Region, Role,
    Rules, Scope, Span, Statement, Type, UnaryOp, VarId, Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;

/// How long a line may be before a block gets lines of its own.
const WIDTH: usize = 110;

/// The program in its text form. Reading it back gives the same program, if it is valid.
pub fn print(program: &Program) -> String {
    let printer = Printer::new(program);
    let mut out = String::new();
    if !program.name.is_empty() {
        line(&mut out, format_args!("program {}", quote(&program.name, '"')));
    }
    line(&mut out, format_args!("pointer_bytes {}", program.pointer_bytes));
    if program.header_bytes > 0 {
        line(&mut out, format_args!("header_bytes {}", program.header_bytes));
    }
    if program.main_ends_all {
        line(&mut out, format_args!("main_ends_all"));
    }
    if program.rules == Rules::Competition {
        line(&mut out, format_args!("competition"));
    }
    for class in &program.classes {
        line(&mut out, format_args!("{}", object_class(class)));
    }
    for assumption in &program.assumptions {
        line(&mut out, format_args!("assumption {}{}", quote(&assumption.text, '"'), span(assumption.span)));
    }
    for remark in &program.remarks {
        line(&mut out, format_args!("remark {}{}", quote(&remark.text, '"'), span(remark.span)));
    }
    line(&mut out, format_args!("main {}", procedure_name(program, program.main)));
    let numbered = !is_in_natural_order(program);
    let globals: Vec<VarId> = program.globals().collect();
    if !globals.is_empty() {
        out.push('\n');
    }
    for id in globals {
        line(&mut out, format_args!("global {}", declaration(id, &program.variables[id], numbered)));
    }
    if !program.init.is_empty() {
        out.push_str("\ninit {\n");
        for statement in &program.init {
            line(&mut out, format_args!("  {};", printer.statement(None, statement)));
        }
        out.push_str("}\n");
    }
    for id in program.procedures.ids() {
        out.push('\n');
        procedure(&mut out, &printer, id, numbered);
    }
    for file in &program.sources {
        line(&mut out, format_args!("\nsource {} {{", quote(&file.name, '"')));
        for piece in file.text.split_inclusive('\n') {
            line(&mut out, format_args!("  {}", quote(piece, '"')));
        }
        out.push_str("}\n");
    }
    out
}

fn object_class(class: &ObjectClass) -> String {
    let field = |field: &ObjectField| format!("{} {} {} ", quote(&field.name, '"'), field.offset, field.ty);
    let fields: String = class.fields.iter().map(field).collect();
    let elements = class.elements.map_or_else(String::new, |(offset, ty)| format!(" elements {offset} {ty}"));
    format!("class {} {} {{ {fields}}}{elements}", quote(&class.name, '"'), class.number)
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("writing to a string does not fail");
}

/// Whether variables are numbered as the printed declarations are ordered: globals, then locals by procedure.
fn is_in_natural_order(program: &Program) -> bool {
    let locals = program.procedures.ids().flat_map(|id| program.locals(id));
    program.globals().chain(locals).enumerate().all(|(index, id)| id.index() == index)
}

fn declaration(id: VarId, variable: &Variable, numbered: bool) -> String {
    let control = match variable.role {
        Role::Data => "",
        Role::Control => " control",
        Role::Own => " own",
    };
    let number = if numbered { format!(" #{}", id.index()) } else { String::new() };
    format!("{}: {}{control}{number}{}", name(&variable.name), variable.ty, span(variable.span))
}

fn procedure(out: &mut String, printer: &Printer, id: ProcId, numbered: bool) {
    let program = printer.program;
    let procedure = &program.procedures[id];
    let parameters: Vec<String> = procedure.parameters.iter().map(|&p| printer.variable(Some(id), p)).collect();
    let result = procedure.result.map_or(String::new(), |r| format!(" -> {}", printer.variable(Some(id), r)));
    let header = format!("procedure {}({}){result}", name(&procedure.name), parameters.join(", "));
    line(out, format_args!("{header}{} {{", span(procedure.span)));
    for local in program.locals(id) {
        line(out, format_args!("  local {}", declaration(local, &program.variables[local], numbered)));
    }
    let labels = location_labels(procedure);
    for (location_id, location) in procedure.locations.enumerate() {
        let label = &labels[location_id.index()];
        let own = location.name.as_deref().filter(|_| is_anonymous(label));
        let own = own.map_or(String::new(), |own| format!(" = {}", quote(own, '"')));
        let entry = if location_id == procedure.entry { " entry" } else { "" };
        let exit = if location_id == procedure.exit { " exit" } else { "" };
        let error = location.error.as_ref().map_or(String::new(), |failure| {
            format!(" error {} {}", quote(&failure.kind.to_string(), '"'), quote(&failure.message, '"'))
        });
        line(out, format_args!("  location {label}{own}{entry}{exit}{error}{}", span(location.span)));
    }
    for edge in &procedure.edges {
        print_edge(out, printer, id, edge, &labels);
    }
    out.push_str("}\n");
}

fn print_edge(out: &mut String, printer: &Printer, id: ProcId, edge: &Edge, labels: &[String]) {
    let end = |id: LocId| labels.get(id.index()).cloned().unwrap_or_else(|| format!("{id:?}"));
    let label = edge.label.as_ref().map_or(String::new(), |label| format!(" {}", quote(label, '"')));
    let header = format!("  edge {} -> {}{label}{}", end(edge.source), end(edge.target), span(edge.span));
    let place = |index: usize| edge.places.iter().find(|(first, _)| *first as usize == index);
    let print = |(index, statement): (usize, &Statement)| match place(index) {
        Some((_, place)) => format!("{} {}", span(Some(*place)).trim_start(), printer.statement(Some(id), statement)),
        None => printer.statement(Some(id), statement),
    };
    let statements: Vec<String> = edge.block.iter().enumerate().map(print).collect();
    match &statements[..] {
        [] => line(out, format_args!("{header}")),
        [one] if header.len() + one.len() + 5 <= WIDTH => line(out, format_args!("{header} {{ {one}; }}")),
        _ => {
            line(out, format_args!("{header} {{"));
            statements.iter().for_each(|s| line(out, format_args!("    {s};")));
            line(out, format_args!("  }}"));
        }
    }
}

/// What each location is called: its name where no other has it, else `L` and its number.
fn location_labels(procedure: &Procedure) -> Vec<String> {
    let mut count: FxHashMap<&str, usize> = FxHashMap::default();
    for name in procedure.locations.iter().filter_map(|l| l.name.as_deref()) {
        *count.entry(name).or_default() += 1;
    }
    let label = |(id, location): (LocId, &crate::program::Location)| match location.name.as_deref() {
        Some(own) if !own.is_empty() && count[own] == 1 && !is_anonymous(own) => name(own),
        _ => format!("{id:?}"),
    };
    procedure.locations.enumerate().map(label).collect()
}

fn span(span: Option<Span>) -> String {
    span.map_or(String::new(), |s| format!(" @{}:{}-{}", s.file.index(), s.start, s.end))
}

fn name(name: &str) -> String {
    if is_plain(name) { name.to_owned() } else { quote(name, '`') }
}

fn procedure_name(program: &Program, id: ProcId) -> String {
    program.procedures.get(id).map_or_else(|| format!("{id:?}"), |procedure| name(&procedure.name))
}

/// Prints pieces of a program as they are written in a procedure, or outside of all.
pub struct Printer<'p> {
    program: &'p Program,
    /// The globals that a procedure has a local of the same name as.
    shadowed: FxHashSet<(ProcId, VarId)>,
    /// What the variables are called, where nothing shadows them.
    names: IdVec<VarId, String>,
}

impl<'p> Printer<'p> {
    /// Prints pieces of this program.
    pub fn new(program: &'p Program) -> Printer<'p> {
        let globals: FxHashMap<&str, VarId> =
            program.globals().map(|id| (program.variables[id].name.as_str(), id)).collect();
        let shadowed = program.variables.iter().filter_map(|variable| match variable.scope {
            Scope::Local(procedure) => globals.get(variable.name.as_str()).map(|&global| (procedure, global)),
            Scope::Global => None,
        });
        let names = program.variables.iter().map(|variable| name(&variable.name)).collect();
        Printer { program, shadowed: shadowed.collect(), names }
    }

    /// A variable.
    pub fn variable(&self, scope: Option<ProcId>, id: VarId) -> String {
        let Some(name) = self.names.get(id) else { return format!("{id:?}") };
        let shadowed = scope.is_some_and(|procedure| self.shadowed.contains(&(procedure, id)));
        if shadowed { format!("::{name}") } else { name.clone() }
    }

    /// An expression.
    pub fn expr(&self, scope: Option<ProcId>, expr: &Expr) -> String {
        let mut out = String::new();
        ExprPrinter { printer: self, scope }.at(&mut out, expr, 0);
        out
    }

    /// A statement.
    pub fn statement(&self, scope: Option<ProcId>, statement: &Statement) -> String {
        use Statement::*;
        let expr = |e: &Expr| self.expr(scope, e);
        let list = |all: &[Expr]| all.iter().map(expr).collect::<Vec<_>>().join(", ");
        let variable = |v: VarId| self.variable(scope, v);
        let to = |target: &Option<VarId>| target.map_or(String::new(), |v| format!("{} := ", variable(v)));
        let callee = |callee: &ProcId| procedure_name(self.program, *callee);
        match statement {
            Assume(condition) => format!("assume {}", expr(condition)),
            Assign(pairs) if pairs.is_empty() => "skip".to_owned(),
            Assign(pairs) => {
                let targets: Vec<String> = pairs.iter().map(|(v, _)| variable(*v)).collect();
                let values: Vec<String> = pairs.iter().map(|(_, e)| expr(e)).collect();
                format!("{} := {}", targets.join(", "), values.join(", "))
            }
            Havoc { target, span: place } => format!("havoc {}{}", variable(*target), span(*place)),
            Call { target, callee: f, arguments } => format!("{}call {}({})", to(target), callee(f), list(arguments)),
            Store { address, value } => format!("[{}] := {}", expr(address), expr(value)),
            Copy { target, source, bytes } => format!("copy {}, {}, {}", expr(target), expr(source), expr(bytes)),
            Fill { target, byte, bytes } => format!("fill {}, {}, {}", expr(target), expr(byte), expr(bytes)),
            Write { target, bytes } => {
                let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
                format!("write {}, {}", expr(target), quote(&text, '"'))
            }
            Output(pieces) => {
                let piece = |piece: &Piece| match piece {
                    Piece::Text(text) => quote(text, '"'),
                    Piece::Value { expr: value, style } => {
                        format!("{}: {}", expr(value), quote(&style.to_string(), '"'))
                    }
                };
                let pieces = pieces.iter().map(piece).collect::<Vec<_>>().join(", ");
                format!("output {pieces}").trim_end().to_owned()
            }
            Allocate { target, size, region, zeroed } => {
                let region = match region {
                    Region::Static => "static",
                    Region::Literal => "literal",
                    Region::Constant => "constant",
                    Region::Stack => "stack",
                    Region::ConstantStack => "constant_stack",
                    Region::Heap => "heap",
                };
                let zeroed = if *zeroed { ", zeroed" } else { "" };
                format!("{} := allocate({region}, {}{zeroed})", variable(*target), expr(size))
            }
            Free(pointer) => format!("free {}", expr(pointer)),
            Spawn { target, callee: f, arguments } => {
                format!("{}spawn {}({})", to(target), callee(f), list(arguments))
            }
            Join(thread) => format!("join {}", expr(thread)),
            Lock { lock, reentrant } => format!("lock {}{}", if *reentrant { "reentrant " } else { "" }, expr(lock)),
            Unlock(lock) => format!("unlock {}", expr(lock)),
            Wait { condition, lock } => format!("wait {}, {}", expr(condition), expr(lock)),
            Notify { condition, all } => format!("notify {}{}", if *all { "all " } else { "" }, expr(condition)),
            AtomicBegin => "atomic begin".to_owned(),
            AtomicEnd => "atomic end".to_owned(),
        }
    }
}

/// How tightly an operator binds, and whether its left and right operands may bind just as tightly.
pub(super) struct Binding {
    pub level: u8,
    pub chains_left: bool,
    pub chains_right: bool,
}

/// The levels of the connectives and of prefix operators; those of the rest are in [`binding`].
pub(super) const OR_LEVEL: u8 = 2;
pub(super) const AND_LEVEL: u8 = 3;
const PREFIX_LEVEL: u8 = 11;

/// The sign of an operator between its operands, and how it binds; none for those written as functions.
pub(super) fn binding(op: BinaryOp) -> Option<(&'static str, Binding)> {
    use BinaryOp::*;
    let (sign, level) = match op {
        Implies => ("==>", 1),
        Eq => ("==", 4),
        Ne => ("!=", 4),
        Lt => ("<", 4),
        Le => ("<=", 4),
        Gt => (">", 4),
        Ge => (">=", 4),
        BitOr => ("|", 5),
        BitXor => ("^", 6),
        BitAnd => ("&", 7),
        Shl => ("<<", 8),
        Shr => (">>", 8),
        Add => ("+", 9),
        Sub => ("-", 9),
        Mul => ("*", 10),
        Div => ("/", 10),
        Rem => ("%", 10),
        PointerAdd | SameObject => return None,
    };
    Some((sign, Binding { level, chains_left: level > 4, chains_right: level == 1 }))
}

struct ExprPrinter<'p> {
    printer: &'p Printer<'p>,
    scope: Option<ProcId>,
}

impl ExprPrinter<'_> {
    /// Prints the expression, in parentheses if it binds less tightly than the level.
    fn at(&self, out: &mut String, expr: &Expr, level: u8) {
        let own = own_level(expr);
        if own < level {
            out.push('(');
        }
        self.bare(out, expr);
        if own < level {
            out.push(')');
        }
    }

    fn bare(&self, out: &mut String, expr: &Expr) {
        match expr {
            Expr::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Expr::Int(value, Type::Int) => out.push_str(&value.to_string()),
            Expr::Int(value, ty) => out.push_str(&format!("{value}{ty}")),
            Expr::Float(bits, kind) => out.push_str(&format!("{kind}{}", quote(&kind.print(*bits), '"'))),
            Expr::Null => out.push_str("null"),
            Expr::Function(id) => out.push_str(&format!("function({})", procedure_name(self.printer.program, *id))),
            Expr::Var(id) => out.push_str(&self.printer.variable(self.scope, *id)),
            Expr::Unary(op, a) => self.unary(out, *op, a),
            Expr::Binary(op, a, b) => match binding(*op) {
                Some((sign, binding)) => {
                    self.at(out, a, binding.level + u8::from(!binding.chains_left));
                    out.push_str(&format!(" {sign} "));
                    self.at(out, b, binding.level + u8::from(!binding.chains_right));
                }
                None if *op == BinaryOp::PointerAdd => self.function(out, "pointer_add", &[a, b]),
                None => self.function(out, "same_object", &[a, b]),
            },
            Expr::And(all) => self.connective(out, all, " && ", "and", AND_LEVEL),
            Expr::Or(all) => self.connective(out, all, " || ", "or", OR_LEVEL),
            Expr::Ite(a, b, c) => self.function(out, "ite", &[a, b, c]),
            Expr::Cast(ty, a) => self.function(out, &ty.to_string(), &[a]),
            Expr::Load(ty, a) => {
                out.push_str(&format!("{ty}["));
                self.at(out, a, 0);
                out.push(']');
            }
        }
    }

    fn unary(&self, out: &mut String, op: UnaryOp, a: &Expr) {
        let sign = match op {
            UnaryOp::Not => '!',
            UnaryOp::Neg => '-',
            UnaryOp::BitNot => '~',
            UnaryOp::Offset => return self.function(out, "offset", &[a]),
            UnaryOp::ObjectSize => return self.function(out, "object_size", &[a]),
            UnaryOp::HoldsLock => return self.function(out, "holds_lock", &[a]),
            UnaryOp::IsFreeable => return self.function(out, "is_freeable", &[a]),
            UnaryOp::IsLocked => return self.function(out, "is_locked", &[a]),
            UnaryOp::HasLost => return self.function(out, "has_lost", &[a]),
            UnaryOp::IsLive => return self.function(out, "is_live", &[a]),
            UnaryOp::IsConstant => return self.function(out, "is_constant", &[a]),
            UnaryOp::IsNan => return self.function(out, "is_nan", &[a]),
            UnaryOp::IsInfinite => return self.function(out, "is_infinite", &[a]),
            UnaryOp::SignBit => return self.function(out, "sign_bit", &[a]),
        };
        out.push(sign);
        // A minus before a number would be read as part of it.
        let level = if op == UnaryOp::Neg && matches!(a, Expr::Int(..)) { u8::MAX } else { PREFIX_LEVEL };
        self.at(out, a, level);
    }

    fn connective(&self, out: &mut String, all: &[Expr], sign: &str, function: &str, level: u8) {
        if all.len() < 2 {
            return self.function(out, function, &all.iter().collect::<Vec<_>>());
        }
        for (index, one) in all.iter().enumerate() {
            out.push_str(if index > 0 { sign } else { "" });
            self.at(out, one, level + 1);
        }
    }

    fn function(&self, out: &mut String, function: &str, arguments: &[&Expr]) {
        out.push_str(function);
        out.push('(');
        for (index, argument) in arguments.iter().enumerate() {
            out.push_str(if index > 0 { ", " } else { "" });
            self.at(out, argument, 0);
        }
        out.push(')');
    }
}

fn own_level(expr: &Expr) -> u8 {
    match expr {
        Expr::Binary(op, ..) => binding(*op).map_or(PREFIX_LEVEL + 1, |(_, binding)| binding.level),
        Expr::And(all) if all.len() > 1 => AND_LEVEL,
        Expr::Or(all) if all.len() > 1 => OR_LEVEL,
        Expr::Unary(UnaryOp::Not | UnaryOp::Neg | UnaryOp::BitNot, _) => PREFIX_LEVEL,
        _ => PREFIX_LEVEL + 1,
    }
}

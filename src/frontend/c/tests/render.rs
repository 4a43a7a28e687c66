//! A typed tree as text, types included, for the tests.

use super::super::tree::{ExprId, ExprKind, Initialiser, Step, StmtId, StmtKind, Storage, Stride, Unit};
use std::fmt::Write;

/// Every object of static storage and every function with a body.
pub fn render(unit: &Unit) -> String {
    let mut out = String::new();
    for object in &unit.objects {
        if !matches!(object.storage, Storage::Global | Storage::Static) {
            continue;
        }
        let word = if object.is_defined { "" } else { "extern " };
        let ty = unit.types.display(object.ty, &unit.names);
        let init = object.init.as_ref().map_or(String::new(), |init| format!(" = {}", initialiser(unit, init)));
        writeln!(out, "{word}{}: {ty}{init}", object.unique_name).unwrap();
    }
    for function in &unit.functions {
        let Some(definition) = &function.definition else { continue };
        let ty = unit.types.display(function.ty, &unit.names);
        let parameters: Vec<&str> =
            definition.parameters.iter().map(|id| unit.objects[*id].unique_name.as_str()).collect();
        writeln!(out, "{}({}): {ty}", function.name, parameters.join(", ")).unwrap();
        stmt(unit, definition.body, 1, &mut out);
    }
    for assumption in &unit.assumptions {
        writeln!(out, "assume: {}", assumption.message).unwrap();
    }
    out
}

fn initialiser(unit: &Unit, init: &Initialiser) -> String {
    let items = init.items.iter().map(|item| {
        let bits = item.bits.map_or(String::new(), |b| format!(":{}+{}", b.shift, b.width));
        format!("@{}{bits} {}", item.offset, expr(unit, item.value))
    });
    let mut parts: Vec<String> = items.collect();
    if init.zero_rest {
        parts.push("0…".to_owned());
    }
    format!("{{{}}}", parts.join(", "))
}

fn stmt(unit: &Unit, id: StmtId, depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    let show = |e: &ExprId| expr(unit, *e);
    let line = match &unit.stmts[id].kind {
        StmtKind::Empty => "empty".to_owned(),
        StmtKind::Expr(e) => show(e),
        StmtKind::Block { stmts, .. } => {
            writeln!(out, "{pad}{{").unwrap();
            stmts.iter().for_each(|s| stmt(unit, *s, depth + 1, out));
            "}".to_owned()
        }
        StmtKind::Declare(object, init) => {
            let ty = unit.types.display(unit.objects[*object].ty, &unit.names);
            let init = init.as_ref().map_or(String::new(), |init| format!(" = {}", initialiser(unit, init)));
            format!("{}: {ty}{init}", unit.objects[*object].unique_name)
        }
        StmtKind::ComputeLength(vla) => format!("{vla:?} := {}", show(&unit.vlas[*vla].length)),
        StmtKind::If { arms, otherwise } => {
            for (condition, body) in arms {
                writeln!(out, "{pad}if {}", show(condition)).unwrap();
                stmt(unit, *body, depth + 1, out);
            }
            if let Some(body) = otherwise {
                writeln!(out, "{pad}else").unwrap();
                stmt(unit, *body, depth + 1, out);
            }
            return;
        }
        StmtKind::While { condition, body } => {
            writeln!(out, "{pad}while {}", show(condition)).unwrap();
            return stmt(unit, *body, depth + 1, out);
        }
        StmtKind::DoWhile { body, condition } => {
            writeln!(out, "{pad}do").unwrap();
            stmt(unit, *body, depth + 1, out);
            format!("while {}", show(condition))
        }
        StmtKind::For { init, condition, step, body } => {
            let part = |e: &Option<ExprId>| e.as_ref().map_or(String::new(), show);
            writeln!(out, "{pad}for ; {}; {}", part(condition), part(step)).unwrap();
            if let Some(init) = init {
                stmt(unit, *init, depth + 2, out);
            }
            return stmt(unit, *body, depth + 1, out);
        }
        StmtKind::Switch { value, cases, default, body } => {
            let cases = cases.iter().map(|c| format!("{}..{} {:?}", c.first, c.last, c.label));
            let cases: Vec<String> = cases.collect();
            writeln!(out, "{pad}switch {} [{}] {default:?}", show(value), cases.join(", ")).unwrap();
            return stmt(unit, *body, depth + 1, out);
        }
        StmtKind::Label(label) => format!("{label:?}:"),
        StmtKind::Goto(label) => format!("goto {label:?}"),
        StmtKind::Break => "break".to_owned(),
        StmtKind::Continue => "continue".to_owned(),
        StmtKind::Return(value) => format!("return {}", value.as_ref().map_or(String::new(), show)),
    };
    writeln!(out, "{pad}{line}").unwrap();
}

/// The short form of a type: `i32`, `u8`, `f64`, `bool`, or as C writes it.
fn short(unit: &Unit, id: ExprId) -> String {
    let ty = unit.exprs[id].ty;
    let text = unit.types.display(ty, &unit.names);
    match unit.types.int_format(ty) {
        Some((1, _)) => "bool".to_owned(),
        Some((width, signed)) if !text.contains("enum") && ty == ty.unqualified() => {
            format!("{}{width}", if signed { 'i' } else { 'u' })
        }
        _ => text,
    }
}

fn stride(unit: &Unit, stride: &Stride) -> String {
    match stride {
        Stride::Bytes(n) => n.to_string(),
        Stride::Computed(e) => expr(unit, *e),
    }
}

fn expr(unit: &Unit, id: ExprId) -> String {
    let show = |e: &ExprId| expr(unit, *e);
    let ty = || short(unit, id);
    match &unit.exprs[id].kind {
        ExprKind::Object(object) => unit.objects[*object].unique_name.clone(),
        ExprKind::Deref(e) => format!("*{}", show(e)),
        ExprKind::Member { base, offset, bits } => {
            let bits = bits.map_or(String::new(), |b| format!(":{}+{}", b.shift, b.width));
            format!("{}@{offset}{bits}:{}", show(base), ty())
        }
        ExprKind::Str(string) => {
            let units = unit.strings[*string].units.iter().map(|u| char::from_u32(*u).unwrap_or('?'));
            format!("{:?}", units.collect::<String>())
        }
        ExprKind::CompoundLiteral(object, init) => {
            let init = init.as_ref().map_or(String::new(), |init| initialiser(unit, init));
            format!("({} {init})", unit.objects[*object].unique_name)
        }
        ExprKind::Temporary(e) => format!("temporary({})", show(e)),
        ExprKind::Function(f) => unit.functions[*f].name.to_string(),
        ExprKind::Int(value) => format!("{value}{}", ty()),
        ExprKind::Float(value, _) => format!("{value}:{}", ty()),
        ExprKind::Load(e) => format!("[{}]", show(e)),
        ExprKind::Decay(e) => format!("decay({})", show(e)),
        ExprKind::FunctionPointer(e) => format!("&{}", show(e)),
        ExprKind::AddressOf(e) => format!("&{}", show(e)),
        ExprKind::Convert(conversion, e) => format!("{conversion:?}<{}>({})", ty(), show(e)),
        ExprKind::Unary(op, e) => format!("{op:?}({}):{}", show(e), ty()),
        ExprKind::Binary(op, a, b) => format!("({} {}{} {})", show(a), op.text(), ty(), show(b)),
        ExprKind::PointerAdd { pointer, index, stride: size, is_subtraction } => {
            let sign = if *is_subtraction { '-' } else { '+' };
            format!("({} {sign}{}* {})", show(pointer), stride(unit, size), show(index))
        }
        ExprKind::PointerDifference { left, right, stride: size } => {
            format!("({} -/{} {}):{}", show(left), stride(unit, size), show(right), ty())
        }
        ExprKind::LogicalAnd(a, b) => format!("({} && {})", show(a), show(b)),
        ExprKind::LogicalOr(a, b) => format!("({} || {})", show(a), show(b)),
        ExprKind::Conditional { condition, then, otherwise } => {
            format!("({} ? {} : {}):{}", show(condition), show(then), show(otherwise), ty())
        }
        ExprKind::Elvis { value, condition, then, otherwise } => {
            format!("(save {} in {} ? {} : {}):{}", show(value), show(condition), show(then), show(otherwise), ty())
        }
        ExprKind::Saved(_) => "saved".to_owned(),
        ExprKind::Comma(a, b) => format!("({}, {})", show(a), show(b)),
        ExprKind::Assign { target, value } => format!("{} := {}", show(target), show(value)),
        ExprKind::AssignOp { target, op, value, computation } => {
            let computation = unit.types.display(*computation, &unit.names);
            format!("{} {}:= {} in {computation}", show(target), op.text(), show(value))
        }
        ExprKind::AssignPointerAdd { target, index, stride: size, is_subtraction } => {
            let sign = if *is_subtraction { '-' } else { '+' };
            format!("{} {sign}:= {}* {}", show(target), stride(unit, size), show(index))
        }
        ExprKind::Increment { target, is_decrement, is_postfix, step } => {
            let op = if *is_decrement { "--" } else { "++" };
            let step = match step {
                Step::Number(ty) => unit.types.display(*ty, &unit.names),
                Step::Pointer(size) => stride(unit, size),
            };
            let target = show(target);
            if *is_postfix { format!("{target}{op}<{step}>") } else { format!("{op}<{step}>{target}") }
        }
        ExprKind::Call { callee, arguments } => {
            let arguments: Vec<String> = arguments.iter().map(show).collect();
            format!("call {}({}):{}", show(callee), arguments.join(", "), ty())
        }
        ExprKind::Builtin(builtin, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(show).collect();
            format!("{builtin:?}({}):{}", arguments.join(", "), ty())
        }
        ExprKind::VaArg(list) => format!("va_arg({}):{}", show(list), ty()),
        ExprKind::Statements { block, result } => {
            let mut inner = String::new();
            stmt(unit, *block, 0, &mut inner);
            let inner = inner.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("({inner} {})", result.as_ref().map_or("void".to_owned(), show))
        }
        ExprKind::VlaLength(vla) => format!("{vla:?}"),
    }
}

//! The types of expressions and statements: rules 4, 10 and 12 to 19 of valid programs.

use super::{Checker, MAX_DEPTH, MAX_LITERAL_BITS, Rule};
use crate::program::{
    BinaryOp, Expr, FloatKind, MachineInt, OFFSET, Piece, ProcId, Scope, Statement, Type, UnaryOp, VarId,
};
use crate::term::Integer;
use rustc_hash::FxHashSet;

impl Checker<'_> {
    /// Checks a statement of a procedure, or of `init`.
    pub(super) fn statement(&mut self, statement: &Statement, scope: Option<ProcId>) {
        use Statement::*;
        match statement {
            Assume(condition) => self.expect(condition, Type::Bool, scope, "the condition"),
            Assign(pairs) => self.assign(pairs, scope),
            Havoc { target, span } => {
                self.variable(*target, scope);
                self.span(*span);
            }
            Call { target, callee, arguments } => {
                self.arguments(*callee, arguments, scope);
                self.call_target(*target, *callee, scope);
            }
            Store { address, value } => {
                self.expect(address, Type::Pointer, scope, "the address");
                let ty = self.expression(value, scope);
                self.require(ty != Some(Type::Int), Rule::Storable, || "a mathematical integer is stored".to_owned());
            }
            Copy { target, source, bytes } => {
                self.expect(target, Type::Pointer, scope, "the target");
                self.expect(source, Type::Pointer, scope, "the source");
                self.expect(bytes, OFFSET, scope, "the number of bytes");
            }
            Fill { target, byte, bytes } => {
                self.expect(target, Type::Pointer, scope, "the target");
                self.expect(byte, Type::machine(8, false), scope, "the byte");
                self.expect(bytes, OFFSET, scope, "the number of bytes");
            }
            Write { target, .. } => self.expect(target, Type::Pointer, scope, "the target"),
            Output(pieces) => pieces.iter().for_each(|piece| self.piece(piece, scope)),
            Allocate { target, size, .. } => {
                self.expect(size, OFFSET, scope, "the size");
                if let Some(ty) = self.variable(*target, scope) {
                    self.same(ty, Type::Pointer, Rule::AssignType, "the target");
                }
            }
            Free(pointer) => self.expect(pointer, Type::Pointer, scope, "the pointer"),
            Spawn { target, callee, arguments } => {
                self.arguments(*callee, arguments, scope);
                if let Some(ty) = target.and_then(|target| self.variable(target, scope)) {
                    self.require(ty.is_integer(), Rule::AssignType, || format!("a thread's number in a {ty}"));
                }
            }
            Join(thread) => {
                if let Some(ty) = self.expression(thread, scope) {
                    self.require(ty.is_integer(), Rule::Operands, || format!("a join with a {ty}"));
                }
            }
            Lock { lock, .. } | Unlock(lock) => self.expect(lock, Type::Pointer, scope, "the lock"),
            Wait { condition, lock } => {
                self.expect(condition, Type::Pointer, scope, "the condition");
                self.expect(lock, Type::Pointer, scope, "the lock");
            }
            Notify { condition, .. } => self.expect(condition, Type::Pointer, scope, "the condition"),
            AtomicBegin | AtomicEnd => {}
        }
    }

    fn piece(&mut self, piece: &Piece, scope: Option<ProcId>) {
        let Piece::Value { expr, style } = piece else { return };
        if let Some(ty) = self.expression(expr, scope) {
            self.require(style.takes(ty), Rule::Operands, || format!("{} is printed as {style}", article(ty)));
        }
    }

    fn assign(&mut self, pairs: &[(VarId, Expr)], scope: Option<ProcId>) {
        let mut written = FxHashSet::default();
        for (target, value) in pairs {
            let wanted = self.variable(*target, scope);
            self.require(written.insert(*target), Rule::AssignOnce, || format!("{target:?} is assigned twice at once"));
            let given = self.expression(value, scope);
            if let (Some(wanted), Some(given)) = (wanted, given) {
                let name = &self.program.variables[*target].name;
                self.same(given, wanted, Rule::AssignType, &format!("the value of `{name}`"));
            }
        }
    }

    fn arguments(&mut self, callee: ProcId, arguments: &[Expr], scope: Option<ProcId>) {
        let given: Vec<Option<Type>> = arguments.iter().map(|a| self.expression(a, scope)).collect();
        let Some(procedure) = self.program.procedures.get(callee) else {
            self.report(Rule::Range, format!("the procedure {callee:?} does not exist"));
            return;
        };
        let (wanted, name) = (procedure.parameters.len(), &procedure.name);
        if !self.require(given.len() == wanted, Rule::Arguments, || {
            format!("`{name}` takes {wanted} arguments, not {}", given.len())
        }) {
            return;
        }
        for (index, (ty, parameter)) in given.into_iter().zip(&procedure.parameters).enumerate() {
            if let (Some(ty), Some(parameter)) = (ty, self.program.variables.get(*parameter)) {
                self.same(ty, parameter.ty, Rule::Arguments, &format!("argument {} of `{name}`", index + 1));
            }
        }
    }

    fn call_target(&mut self, target: Option<VarId>, callee: ProcId, scope: Option<ProcId>) {
        let Some(ty) = target.and_then(|target| self.variable(target, scope)) else { return };
        let Some(procedure) = self.program.procedures.get(callee) else { return };
        match procedure.result {
            None => self.report(Rule::Arguments, format!("`{}` has no result to assign", procedure.name)),
            Some(result) => {
                if let Some(result) = self.program.variables.get(result) {
                    self.same(
                        ty,
                        result.ty,
                        Rule::Arguments,
                        &format!("the target of the call of `{}`", procedure.name),
                    );
                }
            }
        }
    }

    /// The type of a variable used in the scope, where it is one.
    fn variable(&mut self, id: VarId, scope: Option<ProcId>) -> Option<Type> {
        let Some(variable) = self.program.variables.get(id) else {
            self.report(Rule::Range, format!("the variable {id:?} does not exist"));
            return None;
        };
        let fine = match variable.scope {
            Scope::Global => true,
            Scope::Local(owner) => scope == Some(owner),
        };
        self.require(fine, Rule::Scope, || format!("`{}` is a local of another procedure", variable.name));
        Some(variable.ty)
    }

    pub(super) fn width(&mut self, ty: Type) -> bool {
        let Type::Machine(MachineInt { width, .. }) = ty else { return true };
        let fine = (1..=MachineInt::MAX_WIDTH).contains(&width);
        self.require(fine, Rule::Width, || format!("a machine integer of {width} bits"))
    }

    fn same(&mut self, given: Type, wanted: Type, rule: Rule, what: &str) {
        self.require(given == wanted, rule, || format!("{what} is {}, not {}", article(given), article(wanted)));
    }

    fn expect(&mut self, expr: &Expr, wanted: Type, scope: Option<ProcId>, what: &str) {
        if let Some(given) = self.expression(expr, scope) {
            self.same(given, wanted, Rule::Operands, what);
        }
    }

    /// The type of an expression; none where something in it was reported.
    fn expression(&mut self, expr: &Expr, scope: Option<ProcId>) -> Option<Type> {
        if too_deep(expr) {
            self.report(Rule::Depth, format!("an expression is nested more than {MAX_DEPTH} deep"));
            return None;
        }
        self.type_of(expr, scope)
    }

    /// Recurses as deep as the expression is.
    fn type_of(&mut self, expr: &Expr, scope: Option<ProcId>) -> Option<Type> {
        match expr {
            Expr::Bool(_) => Some(Type::Bool),
            Expr::Null => Some(Type::Pointer),
            Expr::Int(value, ty) => self.literal(value, *ty),
            Expr::Float(bits, kind) => {
                let fits = *kind == FloatKind::F64 || *bits <= u64::from(u32::MAX);
                self.require(fits, Rule::Literal, || format!("{bits:#x} is not within {kind}"));
                Some(Type::Float(*kind))
            }
            Expr::Function(procedure) => {
                let known = self.program.procedures.get(*procedure).is_some();
                self.require(known, Rule::Range, || format!("the procedure {procedure:?} does not exist"));
                Some(Type::Pointer)
            }
            Expr::Var(id) => self.variable(*id, scope),
            Expr::Unary(op, a) => {
                let a = self.type_of(a, scope)?;
                self.unary(*op, a)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.type_of(a, scope), self.type_of(b, scope));
                self.binary(*op, a?, b?)
            }
            Expr::And(all) | Expr::Or(all) => {
                for one in all {
                    let ty = self.type_of(one, scope);
                    if let Some(ty) = ty {
                        self.same(ty, Type::Bool, Rule::Operands, "an operand of a connective");
                    }
                }
                Some(Type::Bool)
            }
            Expr::Ite(condition, then, otherwise) => {
                if let Some(ty) = self.type_of(condition, scope) {
                    self.same(ty, Type::Bool, Rule::Operands, "the condition of ite");
                }
                let (then, otherwise) = (self.type_of(then, scope), self.type_of(otherwise, scope));
                let (then, otherwise) = (then?, otherwise?);
                self.same(otherwise, then, Rule::Operands, "the second branch of ite");
                Some(then)
            }
            Expr::Cast(to, a) => {
                let (fine, from) = (self.width(*to), self.type_of(a, scope)?);
                let possible =
                    self.require(has_cast(from, *to), Rule::Operands, || format!("a cast from {from} to {to}"));
                (fine && possible).then_some(*to)
            }
            Expr::Load(ty, pointer) => {
                let fine = self.width(*ty);
                if let Some(given) = self.type_of(pointer, scope) {
                    self.same(given, Type::Pointer, Rule::Operands, "the address of a load");
                }
                let message = || "a mathematical integer is loaded".to_owned();
                let storable = self.require(*ty != Type::Int, Rule::Storable, message);
                (fine && storable).then_some(*ty)
            }
        }
    }

    fn literal(&mut self, value: &Integer, ty: Type) -> Option<Type> {
        if !self.width(ty) {
            return None;
        }
        let fits = match ty {
            Type::Int => value.to_i64().is_some() || value.fits(MAX_LITERAL_BITS, true),
            Type::Machine(machine) => value.fits(machine.width, machine.signed),
            Type::Bool | Type::Pointer | Type::Float(_) => {
                self.report(Rule::Operands, format!("a number of type {ty}"));
                return None;
            }
        };
        self.require(fits, Rule::Literal, || match ty {
            Type::Int => format!("a number of more than {MAX_LITERAL_BITS} bits"),
            _ => format!("{value} is not within {ty}"),
        });
        Some(ty)
    }

    fn unary(&mut self, op: UnaryOp, a: Type) -> Option<Type> {
        let (fine, result) = match op {
            UnaryOp::Not => (a == Type::Bool, Type::Bool),
            UnaryOp::Neg => (a.is_integer() || matches!(a, Type::Float(_)), a),
            UnaryOp::BitNot => (matches!(a, Type::Machine(_)), a),
            UnaryOp::Offset | UnaryOp::ObjectSize => (a == Type::Pointer, OFFSET),
            UnaryOp::HasLost => (a == Type::Bool, Type::Bool),
            UnaryOp::IsLive | UnaryOp::IsFreeable | UnaryOp::IsConstant | UnaryOp::HoldsLock | UnaryOp::IsLocked => {
                (a == Type::Pointer, Type::Bool)
            }
            UnaryOp::IsNan | UnaryOp::IsInfinite | UnaryOp::SignBit => (matches!(a, Type::Float(_)), Type::Bool),
        };
        self.require(fine, Rule::Operands, || format!("{op:?} of {}", article(a))).then_some(result)
    }

    fn binary(&mut self, op: BinaryOp, a: Type, b: Type) -> Option<Type> {
        use BinaryOp::*;
        let machine = matches!(a, Type::Machine(_));
        let float = matches!(a, Type::Float(_));
        let fine = match op {
            Add | Sub | Mul => a == b && (a.is_integer() || float),
            Lt | Le | Gt | Ge => a == b && a != Type::Bool,
            Div => a == b && (machine || float),
            Rem | BitAnd | BitOr | BitXor | Shl | Shr => a == b && machine,
            Eq | Ne => a == b,
            Implies => (a, b) == (Type::Bool, Type::Bool),
            PointerAdd => (a, b) == (Type::Pointer, OFFSET),
            SameObject => (a, b) == (Type::Pointer, Type::Pointer),
        };
        let result = if op.is_predicate() { Type::Bool } else { a };
        self.require(fine, Rule::Operands, || format!("{op:?} of {} and {}", article(a), article(b))).then_some(result)
    }
}

/// Whether values of the one type can be converted to the other.
fn has_cast(from: Type, to: Type) -> bool {
    match (from, to) {
        (_, Type::Bool) | (Type::Pointer, Type::Pointer) => true,
        (Type::Pointer, to) => matches!(to, Type::Machine(_)),
        (from, Type::Pointer) => matches!(from, Type::Machine(_)),
        (Type::Int, Type::Float(_)) | (Type::Float(_), Type::Int) => false,
        _ => true,
    }
}

fn article(ty: Type) -> String {
    let an = matches!(ty, Type::Int | Type::Float(_) | Type::Machine(MachineInt { signed: true, .. }));
    format!("{} {ty}", if an { "an" } else { "a" })
}

/// Whether the expression is nested more than [`MAX_DEPTH`] deep; does not recurse.
fn too_deep(expr: &Expr) -> bool {
    let mut pending = vec![(expr, 1)];
    while let Some((expr, depth)) = pending.pop() {
        if depth > MAX_DEPTH {
            return true;
        }
        match expr {
            Expr::Bool(_) | Expr::Int(..) | Expr::Float(..) | Expr::Null | Expr::Function(_) | Expr::Var(_) => {}
            _ => pending.extend(expr.operands().into_iter().map(|operand| (operand, depth + 1))),
        }
    }
    false
}

//! Expressions as terms.

use super::block::Block;
use super::interval::of_machine;
use super::{Arithmetic, Unmodelled, Unsupported, bits};
use crate::program::{BinaryOp, Expr, Type, UnaryOp};
use crate::term::{Integer, Sort, TermId, Terms};

impl Block<'_, '_> {
    /// The term of an expression where the variables have the block's values. Recurses as deep as the expression is.
    ///
    /// Where the block over-approximates, an expression that cannot be expressed but whose type has a sort is any
    /// value of it.
    pub(in crate::formula) fn expr(&mut self, terms: &mut Terms, expr: &Expr) -> Result<TermId, Unsupported> {
        let (unmodelled, constructs) = (self.unmodelled.len(), self.constructs.len());
        match self.exact(terms, expr) {
            Err(unsupported) if self.over_approximates => {
                let ty = expr.type_in(self.encoder.program);
                // Parts of what is not expressed do not matter, but for where they are read.
                if self.access.is_none() {
                    self.unmodelled.truncate(unmodelled);
                    self.constructs.truncate(constructs);
                }
                let sort = self.encoder.sort_of(ty).map_err(|_| unsupported.clone())?;
                Ok(self.any_value(terms, ty, sort, unsupported))
            }
            result => result,
        }
    }

    /// Any value of a type, because something cannot be expressed.
    pub(in crate::formula) fn any_value(
        &mut self,
        terms: &mut Terms,
        ty: Type,
        sort: Sort,
        unsupported: Unsupported,
    ) -> TermId {
        let value = terms.fresh_var("unmodelled", sort);
        let symbol = terms.as_symbol(value).expect("a free constant is its symbol");
        self.unmodelled.push(Unmodelled { symbol, ty, construct: unsupported.construct, first_of: None });
        self.constructs.push(unsupported);
        self.restrict_to_type(terms, value, ty);
        value
    }

    fn exact(&mut self, terms: &mut Terms, expr: &Expr) -> Result<TermId, Unsupported> {
        Ok(match expr {
            Expr::Bool(value) => terms.bool(*value),
            Expr::Int(value, ty) => self.encoder.number(terms, value, *ty),
            Expr::Null | Expr::Function(_) => return Err(Unsupported::new("a pointer")),
            Expr::Float(bits, kind) => terms.float_number(*bits, *kind),
            Expr::Var(variable) => match self.values.get(variable) {
                Some(value) => *value,
                None => terms.of_symbol(self.encoder.known(*variable)?),
            },
            Expr::Unary(UnaryOp::HasLost, at_end) if self.access.is_some() => {
                self.has_lost(terms, **at_end == Expr::Bool(true))
            }
            Expr::Unary(op, a) => {
                let ty = a.type_in(self.encoder.program);
                if ty == Type::Pointer && self.access.is_some() {
                    return self.unary_on_pointer(terms, *op, a);
                }
                let a = self.expr(terms, a)?;
                self.unary(terms, *op, ty, a)?
            }
            Expr::Binary(op, a, b) => {
                let ty = a.type_in(self.encoder.program);
                if ty == Type::Pointer && self.access.is_some() {
                    return self.compare_pointers(terms, *op, a, b);
                }
                let a = self.expr(terms, a)?;
                let b = match op {
                    BinaryOp::Implies => self.under(terms, a, |block, terms| block.expr(terms, b))?,
                    _ => self.expr(terms, b)?,
                };
                self.binary(terms, *op, ty, a, b)?
            }
            Expr::And(all) => {
                let all = self.all(terms, all, true)?;
                terms.and(all)
            }
            Expr::Or(all) => {
                let all = self.all(terms, all, false)?;
                terms.or(all)
            }
            Expr::Ite(condition, then, otherwise) => {
                let condition = self.expr(terms, condition)?;
                let known = self.truth_here(terms, condition);
                let then = self.under(terms, condition, |block, terms| block.expr(terms, then));
                let negated = terms.not(condition);
                let otherwise = self.under(terms, negated, |block, terms| block.expr(terms, otherwise));
                match (then, otherwise, known) {
                    // The condition stays: what is known here need not be known where the formula is used.
                    (Ok(then), Ok(otherwise), _) => terms.ite(condition, then, otherwise),
                    (Ok(then), Err(_), Some(true)) => then,
                    (Err(_), Ok(otherwise), Some(false)) => otherwise,
                    (Err(unsupported), ..) | (_, Err(unsupported), _) => return Err(unsupported),
                }
            }
            Expr::Cast(to, a) => {
                let from = a.type_in(self.encoder.program);
                if from == Type::Pointer && self.access.is_some() {
                    return self.cast_pointer(terms, *to, a);
                }
                let a = self.expr(terms, a)?;
                self.cast(terms, from, *to, a)?
            }
            Expr::Load(ty, address) => return self.load(terms, *ty, address),
        })
    }

    /// The operands of a conjunction or disjunction; each is evaluated only where all before it hold, or none does.
    fn all(&mut self, terms: &mut Terms, all: &[Expr], hold: bool) -> Result<Vec<TermId>, Unsupported> {
        let before = self.conditions.len();
        let mut parts = Vec::with_capacity(all.len());
        for one in all {
            let part = self.expr(terms, one);
            if let Ok(part) = part {
                self.conditions.push(if hold { part } else { terms.not(part) });
            }
            parts.push(part);
        }
        self.conditions.truncate(before);
        parts.into_iter().collect()
    }

    /// Notes that an integer of the type is in its range.
    pub(in crate::formula) fn restrict_to_type(&mut self, terms: &Terms, value: TermId, ty: Type) {
        if let (Arithmetic::Integers, Type::Machine(machine)) = (self.encoder.arithmetic, ty) {
            self.restrict(terms, value, &of_machine(machine));
        }
    }

    fn unary(&mut self, terms: &mut Terms, op: UnaryOp, ty: Type, a: TermId) -> Result<TermId, Unsupported> {
        Ok(match (op, ty, self.encoder.arithmetic) {
            (UnaryOp::Not, ..) => terms.not(a),
            (_, Type::Float(kind), _) => self.float_unary(terms, op, kind, a),
            (UnaryOp::Neg | UnaryOp::BitNot, Type::Machine(machine), Arithmetic::Integers) => {
                let result = self.integer_unary(terms, op, machine, a);
                self.restrict_to_type(terms, result, ty);
                result
            }
            (UnaryOp::Neg, Type::Machine(_), Arithmetic::Bits) => terms.bv_neg(a),
            (UnaryOp::Neg, ..) => terms.neg(a),
            (UnaryOp::BitNot, ..) => terms.bv_not(a),
            (
                UnaryOp::Offset | UnaryOp::ObjectSize | UnaryOp::IsLive | UnaryOp::IsFreeable | UnaryOp::IsConstant,
                ..,
            ) => {
                return Err(Unsupported::new("a pointer"));
            }
            (UnaryOp::HasLost, ..) => return Err(Unsupported::new(crate::formula::memory::tracking::LOST)),
            (UnaryOp::HoldsLock | UnaryOp::IsLocked, ..) => return Err(Unsupported::new("a lock")),
            (UnaryOp::IsNan | UnaryOp::IsInfinite | UnaryOp::SignBit, ..) => {
                unreachable!("a valid program has {op:?} on floating-point numbers only")
            }
        })
    }

    pub(in crate::formula) fn binary(
        &mut self,
        terms: &mut Terms,
        op: BinaryOp,
        ty: Type,
        a: TermId,
        b: TermId,
    ) -> Result<TermId, Unsupported> {
        use BinaryOp::*;
        Ok(match (op, ty, self.encoder.arithmetic) {
            (_, Type::Float(_), _) => self.float_binary(terms, op, a, b)?,
            (PointerAdd | SameObject, ..) | (_, Type::Pointer, _) => return Err(Unsupported::new("a pointer")),
            (Eq, Type::Machine(_), Arithmetic::Integers) => self.equal(terms, a, b),
            (Ne, Type::Machine(_), Arithmetic::Integers) => {
                let equal = self.equal(terms, a, b);
                terms.not(equal)
            }
            (Eq, ..) => terms.eq(a, b),
            (Ne, ..) => terms.ne(a, b),
            (Implies, ..) => terms.implies(a, b),
            (op, Type::Machine(machine), Arithmetic::Bits) => bits::machine_operation(terms, op, machine.signed, a, b),
            (op, Type::Machine(machine), Arithmetic::Integers) => {
                let result = self.integer_binary(terms, op, machine, a, b);
                if !op.is_predicate() {
                    self.restrict_to_type(terms, result, ty);
                }
                result
            }
            (Add, ..) => terms.add(a, b),
            (Sub, ..) => terms.sub(a, b),
            (Mul, ..) => terms.mul(a, b),
            (Lt, ..) => terms.lt(a, b),
            (Le, ..) => terms.le(a, b),
            (Gt, ..) => terms.gt(a, b),
            (Ge, ..) => terms.ge(a, b),
            (Div | Rem | BitAnd | BitOr | BitXor | Shl | Shr, ..) => {
                unreachable!("a valid program has {op:?} on machine integers only")
            }
        })
    }

    pub(in crate::formula) fn cast(
        &mut self,
        terms: &mut Terms,
        from: Type,
        to: Type,
        a: TermId,
    ) -> Result<TermId, Unsupported> {
        Ok(match (from, to, self.encoder.arithmetic) {
            (Type::Pointer, ..) | (_, Type::Pointer, _) => return Err(Unsupported::new("a pointer")),
            (Type::Float(_), ..) | (_, Type::Float(_), _) => self.cast_float(terms, from, to, a)?,
            (Type::Bool, Type::Bool, _) | (Type::Int, Type::Int, _) => a,
            (Type::Bool, to, arithmetic) => {
                // The one bit of a signed type of one bit is minus one.
                let one = match (to, arithmetic) {
                    (Type::Machine(machine), Arithmetic::Integers) => machine.wrap(&Integer::ONE),
                    _ => Integer::ONE,
                };
                let (one, zero) =
                    (self.encoder.number(terms, &one, to), self.encoder.number(terms, &Integer::ZERO, to));
                terms.ite(a, one, zero)
            }
            (from, Type::Bool, _) => {
                let zero = self.encoder.number(terms, &Integer::ZERO, from);
                terms.ne(a, zero)
            }
            (Type::Int, Type::Machine(to), Arithmetic::Bits) => terms.int_to_bv(to.width, a),
            (Type::Machine(from), Type::Int, Arithmetic::Bits) if from.signed => terms.bv_to_int(a),
            (Type::Machine(_), Type::Int, Arithmetic::Bits) => terms.bv_to_nat(a),
            (Type::Machine(from), Type::Machine(to), Arithmetic::Bits) => bits::resize(terms, from, to, a),
            (Type::Machine(_), Type::Int, Arithmetic::Integers) => a,
            (Type::Int | Type::Machine(_), Type::Machine(machine), Arithmetic::Integers) => {
                let result = self.wrap(terms, machine, a);
                self.restrict_to_type(terms, result, to);
                result
            }
        })
    }
}

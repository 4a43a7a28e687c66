//! The simplifier: rules, each with a name, tried at the root of a term about to be made.
//!
//! The arguments are simplified already, so a rule looks at the operator, the arguments and at most a bounded
//! part of what is below them; what it builds, it builds with [`Terms::make`] or knows to be simplified. The normal
//! forms that the rules lead to:
//! - no `Implies`, `Neg`, `Lt`, `BvUle`, `BvSle`; conjunctions and disjunctions flat, sorted, without repetition;
//! - an integer sum is `c1*m1 + … + cn*mn + k`, sorted by the `m`s, and `Mul` is `[c, m]` or a product without
//!   constants; a comparison is `sum <= k` without a common divisor, an equality `m1 = m2` or `sum = k`;
//! - a bit-vector sum is the like, in `bvadd`, `bvsub` and `bvmul` by a constant on the right;
//! - constants stand on the right of `Eq` and of commutative operators.
//!
//! Sums, products and junctions are flattened up to a number of members ([`FLAT`], [`bitvec::max_flat`]), so a
//! chain of n additions costs n steps and not n².
//!
//! Every rule is proven with the solver by `tests/simplifier.rs`.

mod array;
mod bitvec;
mod boolean;
mod choices;
mod compare;
mod float;
mod integer;
mod leaves;
mod linear;
mod multiples;
mod slices;
mod unordered;

use super::{Integer, Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

/// A rewrite rule.
#[derive(Clone, Copy)]
pub struct Rule {
    /// What to call it.
    pub name: &'static str,
    /// The simpler form of `op(args)`, or `None` where the rule does not apply.
    pub apply: fn(&mut Terms, &Op, &[TermId]) -> Option<TermId>,
}

impl Rule {
    const fn new(name: &'static str, apply: fn(&mut Terms, &Op, &[TermId]) -> Option<TermId>) -> Rule {
        Rule { name, apply }
    }
}

/// How many members a sum or junction may have to be taken apart in a larger one.
const FLAT: usize = 64;

const FOLD: &[Rule] = &[Rule::new("fold", fold)];
const NONE: &[Rule] = &[];

/// The simpler form of `op(args)`, or `None` where no rule applies. The arguments are simplified already.
#[inline]
pub(super) fn rewrite(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    fired(terms, op, args).map(|(_, simpler)| simpler)
}

impl Terms {
    /// The term rebuilt with the simplifier at every node; terms made by [`Terms::raw`] may need it.
    pub fn simplify(&mut self, term: TermId) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut pending = vec![term];
        while let Some(&next) = pending.last() {
            if done.contains_key(&next) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            pending.extend(self.args(next).iter().filter(|a| !done.contains_key(a)));
            if pending.len() > before {
                continue;
            }
            let args: Vec<TermId> = self.args(next).iter().map(|a| done[a]).collect();
            let simpler = self.make(self.op(next).clone(), &args);
            done.insert(next, simpler);
            pending.pop();
        }
        done[&term]
    }
}

/// As [`rewrite`], with the name of the first rule that applies.
pub fn fired(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<(&'static str, TermId)> {
    for table in rules_for(terms, op, args) {
        for rule in table {
            if let Some(simpler) = (rule.apply)(terms, op, args) {
                return Some((rule.name, simpler));
            }
        }
    }
    None
}

/// The rules that can apply to the operator, those for all sorts first.
fn rules_for(terms: &Terms, op: &Op, args: &[TermId]) -> [&'static [Rule]; 4] {
    use Op::*;
    match op {
        Var(_) | Bool(_) | Int(_) | BitVec(..) | ConstArray(_) => [NONE; 4],
        Not => [FOLD, boolean::NOT, NONE, NONE],
        And | Or => [FOLD, boolean::JUNCTION, NONE, NONE],
        Implies => [FOLD, boolean::IMPLIES, NONE, NONE],
        Ite => [FOLD, boolean::ITE, unordered::ITE, NONE],
        Eq => match args.first().map(|a| terms.sort(*a)) {
            Some(Sort::Bool) => [FOLD, boolean::EQ, boolean::EQ_BOOL, NONE],
            Some(Sort::Int) => [FOLD, leaves::INTEGERS, boolean::EQ, integer::EQ],
            Some(Sort::BitVec(_)) => [FOLD, leaves::INSIDE, boolean::EQ, bitvec::EQ],
            Some(Sort::Array(_)) => [FOLD, boolean::EQ, array::EQ, NONE],
            None => [NONE; 4],
        },
        Add => [FOLD, integer::ADD, NONE, NONE],
        Mul => [FOLD, integer::MUL, NONE, NONE],
        Neg => [FOLD, integer::NEG, NONE, NONE],
        Div => [FOLD, leaves::INTEGERS, integer::DIV, NONE],
        Mod => [FOLD, leaves::INTEGERS, integer::MOD, NONE],
        Le => [FOLD, leaves::INTEGERS, integer::LE, NONE],
        Lt => [FOLD, leaves::INTEGERS, integer::LT, NONE],
        BvAdd | BvSub | BvNeg => [FOLD, bitvec::SUM, NONE, NONE],
        BvMul => [FOLD, bitvec::MUL, NONE, NONE],
        BvUdiv => [FOLD, leaves::INSIDE, bitvec::UDIV, NONE],
        BvUrem => [FOLD, leaves::INSIDE, bitvec::UREM, NONE],
        BvSdiv => [FOLD, leaves::INSIDE, bitvec::SDIV, NONE],
        BvSrem => [FOLD, leaves::INSIDE, bitvec::SREM, NONE],
        BvShl | BvLshr | BvAshr => [FOLD, leaves::INSIDE, bitvec::SHIFT, NONE],
        BvAnd | BvOr => [FOLD, leaves::INSIDE, bitvec::BITWISE, bitvec::AND_OR],
        BvXor => [FOLD, leaves::INSIDE, bitvec::BITWISE, bitvec::XOR],
        BvNot => [FOLD, leaves::INSIDE, bitvec::NOT, NONE],
        BvUlt => [FOLD, leaves::INSIDE, compare::LESS, compare::ULT],
        BvSlt => [FOLD, leaves::INSIDE, compare::LESS, compare::SLT],
        BvUle | BvSle => [FOLD, leaves::INSIDE, compare::AT_MOST, NONE],
        Concat => [FOLD, slices::CONCAT, NONE, NONE],
        Extract(..) => [FOLD, leaves::INSIDE, slices::EXTRACT, NONE],
        ZeroExtend(_) => [FOLD, leaves::INSIDE, slices::ZERO_EXTEND, NONE],
        SignExtend(_) => [FOLD, leaves::INSIDE, slices::SIGN_EXTEND, NONE],
        IntToBv(_) => [FOLD, leaves::INSIDE, slices::INT_TO_BV, NONE],
        BvToNat => [FOLD, leaves::INSIDE, slices::BV_TO_NAT, NONE],
        Float(_) => [FOLD, float::FLOAT, NONE, NONE],
        Select => [array::SELECT, NONE, NONE, NONE],
        Store => [array::STORE, NONE, NONE, NONE],
    }
}

/// The names of all rules, each once.
pub fn rule_names() -> Vec<&'static str> {
    let tables = [
        FOLD,
        boolean::NOT,
        boolean::JUNCTION,
        boolean::IMPLIES,
        boolean::ITE,
        unordered::ITE,
        boolean::EQ,
        boolean::EQ_BOOL,
        integer::EQ,
        integer::ADD,
        integer::MUL,
        integer::NEG,
        integer::DIV,
        integer::MOD,
        integer::LE,
        integer::LT,
        bitvec::SUM,
        bitvec::MUL,
        bitvec::UDIV,
        bitvec::UREM,
        bitvec::SDIV,
        bitvec::SREM,
        bitvec::SHIFT,
        bitvec::BITWISE,
        bitvec::AND_OR,
        bitvec::XOR,
        bitvec::NOT,
        bitvec::EQ,
        compare::LESS,
        compare::ULT,
        compare::SLT,
        compare::AT_MOST,
        slices::CONCAT,
        slices::EXTRACT,
        slices::ZERO_EXTEND,
        slices::SIGN_EXTEND,
        slices::INT_TO_BV,
        slices::BV_TO_NAT,
        float::FLOAT,
        leaves::INTEGERS,
        array::EQ,
        array::SELECT,
        array::STORE,
    ];
    tables.iter().flat_map(|table| table.iter().map(|rule| rule.name)).collect()
}

/// An operator on constants is a constant, but for integer division by zero, which SMT-LIB leaves free.
fn fold(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    if !args.iter().all(|a| is_constant(terms, *a)) {
        return None;
    }
    if matches!(op, Op::Div | Op::Mod) && int(terms, args[1]).is_none_or(Integer::is_zero) {
        return None;
    }
    let values: Option<Vec<_>> = args.iter().map(|a| terms.as_value(*a)).collect();
    let value = super::eval::apply(op, &values?);
    Some(terms.of_value(&value))
}

fn is_constant(terms: &Terms, term: TermId) -> bool {
    matches!(terms.op(term), Op::Bool(_) | Op::Int(_) | Op::BitVec(..))
}

/// The integer that the term is.
fn int(terms: &Terms, term: TermId) -> Option<&Integer> {
    terms.as_int(term)
}

/// The unsigned value of the bit-vector that the term is.
fn bits(terms: &Terms, term: TermId) -> Option<&Integer> {
    match terms.op(term) {
        Op::BitVec(value, _) => Some(value),
        _ => None,
    }
}

/// The only argument of a term with that operator.
fn only(terms: &Terms, term: TermId, op: &Op) -> Option<TermId> {
    match terms.args(term) {
        &[a] if terms.op(term) == op => Some(a),
        _ => None,
    }
}

/// The two arguments of a term with that operator.
fn two(terms: &Terms, term: TermId, op: &Op) -> Option<(TermId, TermId)> {
    match terms.args(term) {
        &[a, b] if terms.op(term) == op => Some((a, b)),
        _ => None,
    }
}

/// The width of a bit-vector term.
fn width_of(terms: &Terms, term: TermId) -> u32 {
    terms.sort(term).width().expect("the operator takes bit-vectors")
}

/// Tries a function of two arguments in both orders.
fn either_order<T>(args: &[TermId], mut try_one: impl FnMut(TermId, TermId) -> Option<T>) -> Option<T> {
    try_one(args[0], args[1]).or_else(|| try_one(args[1], args[0]))
}

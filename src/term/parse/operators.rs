//! The operators of SMT-LIB and of the solvers, expressed by the ones that terms have.

use super::{ParseError, WIDEST};
use crate::term::{FloatOp, Integer, Op, Sort, TermId, Terms};

/// `name` applied to arguments.
pub(super) fn apply_plain(terms: &mut Terms, name: &str, args: &[TermId]) -> Result<TermId, ParseError> {
    let applied = match name {
        "not" | "and" | "or" | "xor" | "=>" | "implies" | "ite" | "=" | "distinct" => core(terms, name, args),
        "+" | "-" | "*" | "div" | "mod" | "rem" | "abs" | "<=" | "<" | ">=" | ">" => integer(terms, name, args),
        "select" | "store" => array(terms, name, args),
        "bv2nat" | "bv2int" | "ubv_to_int" | "sbv_to_int" | "concat" => conversion(terms, name, args),
        _ if name.starts_with("float.") => float(terms, name, args)?,
        _ => vector(terms, name, args)?,
    };
    applied.ok_or_else(|| ill_sorted(terms, name, args))
}

/// `(_ name indices)` applied to arguments.
pub(super) fn apply_indexed(
    terms: &mut Terms,
    name: &str,
    indices: &[Integer],
    args: &[TermId],
) -> Result<TermId, ParseError> {
    let shown = || {
        let indices: Vec<String> = indices.iter().map(Integer::to_string).collect();
        format!("(_ {name} {})", indices.join(" "))
    };
    let &[a] = args else { return Err(ill_sorted(terms, &shown(), args)) };
    if name == "divisible" {
        let applied = match indices {
            [n] if !n.is_zero() && terms.sort(a) == Sort::Int => {
                let (n, zero) = (terms.int(n.clone()), terms.int(0));
                let remainder = terms.modulo(a, n);
                Some(terms.eq(remainder, zero))
            }
            _ => None,
        };
        return applied.ok_or_else(|| ill_sorted(terms, &shown(), args));
    }
    let small: Option<Vec<u32>> = indices.iter().map(|n| n.to_u32().filter(|n| *n <= WIDEST)).collect();
    let Some(small) = small else { return Err(ill_sorted(terms, &shown(), args)) };
    let width = terms.sort(a).width();
    let applied = match (name, &small[..], width) {
        ("int2bv" | "int_to_bv" | "nat2bv", &[n], None) if n > 0 && terms.sort(a) == Sort::Int => terms.int_to_bv(n, a),
        ("extract", &[high, low], Some(width)) if low <= high && high < width => terms.extract(high, low, a),
        ("zero_extend", &[more], Some(width)) if width + more <= WIDEST => terms.zero_extend(more, a),
        ("sign_extend", &[more], Some(width)) if width + more <= WIDEST => terms.sign_extend(more, a),
        ("rotate_left", &[by], Some(width)) => rotate_left(terms, by % width, width, a),
        ("rotate_right", &[by], Some(width)) => rotate_left(terms, width - by % width, width, a),
        ("repeat", &[times], Some(width)) if times > 0 && u64::from(width) * u64::from(times) <= WIDEST.into() => {
            (1..times).fold(a, |all, _| terms.concat(all, a))
        }
        ("bit2bool", &[bit], Some(width)) if bit < width => {
            let (bit, one) = (terms.extract(bit, bit, a), terms.bit_vec(1, 1));
            terms.eq(bit, one)
        }
        (
            "int2bv" | "int_to_bv" | "nat2bv" | "extract" | "zero_extend" | "sign_extend" | "rotate_left"
            | "rotate_right" | "repeat" | "bit2bool",
            ..,
        ) => return Err(ill_sorted(terms, &shown(), args)),
        _ => return Err(ParseError::UnsupportedOperator(shown())),
    };
    Ok(applied)
}

/// `(as const sort)` applied to arguments.
pub(super) fn apply_const_array(terms: &mut Terms, sort: Sort, args: &[TermId]) -> Result<TermId, ParseError> {
    match (sort, args) {
        (Sort::Array(parts), &[element]) if terms.sort(element) == parts.element() => {
            Ok(terms.const_array(sort, element))
        }
        _ => Err(ill_sorted(terms, &format!("(as const {sort})"), args)),
    }
}

fn ill_sorted(terms: &Terms, name: &str, args: &[TermId]) -> ParseError {
    let mut sorts: Vec<String> = args.iter().take(4).map(|a| terms.sort(*a).to_string()).collect();
    if args.len() > 4 {
        sorts.push(format!("and {} more", args.len() - 4));
    }
    ParseError::IllSorted(name.to_owned(), sorts.join(" "))
}

fn core(terms: &mut Terms, name: &str, args: &[TermId]) -> Option<TermId> {
    let sort = terms.sort(*args.first()?);
    match (name, args) {
        ("ite", &[c, t, e]) => {
            return (sort == Sort::Bool && terms.sort(t) == terms.sort(e)).then(|| terms.ite(c, t, e));
        }
        ("ite", _) => return None,
        _ => {}
    }
    if args.iter().any(|a| terms.sort(*a) != sort) || (sort != Sort::Bool && !matches!(name, "=" | "distinct")) {
        return None;
    }
    match (name, args) {
        ("not", &[a]) => Some(terms.not(a)),
        ("and", _) => Some(terms.and(args.iter().copied())),
        ("or", _) => Some(terms.or(args.iter().copied())),
        ("=", [_, _, ..]) => chained(terms, Op::Eq, args),
        ("=>" | "implies", [premises @ .., last]) if !premises.is_empty() => {
            Some(premises.iter().rev().fold(*last, |conclusion, premise| terms.implies(*premise, conclusion)))
        }
        ("xor", [first, rest @ ..]) if !rest.is_empty() => {
            Some(rest.iter().fold(*first, |left, right| terms.ne(left, *right)))
        }
        ("distinct", [_, _, ..]) => {
            let mut all = Vec::new();
            for (i, a) in args.iter().enumerate() {
                for b in &args[i + 1..] {
                    all.push(terms.ne(*a, *b));
                }
            }
            Some(terms.and(all))
        }
        _ => None,
    }
}

/// `a op b and b op c and …`.
fn chained(terms: &mut Terms, op: Op, args: &[TermId]) -> Option<TermId> {
    let pairs: Vec<TermId> = args.windows(2).map(|pair| terms.make(op.clone(), pair)).collect();
    (!pairs.is_empty()).then(|| terms.and(pairs))
}

fn integer(terms: &mut Terms, name: &str, args: &[TermId]) -> Option<TermId> {
    if args.is_empty() || args.iter().any(|a| terms.sort(*a) != Sort::Int) {
        return None;
    }
    match (name, args) {
        ("+", _) => Some(terms.sum(args.iter().copied())),
        ("*", &[a]) => Some(a),
        ("*", _) => Some(terms.make(Op::Mul, args)),
        ("-", &[a]) => Some(terms.neg(a)),
        ("-", [first, rest @ ..]) => {
            let mut summands = vec![*first];
            summands.extend(rest.iter().map(|a| terms.neg(*a)));
            Some(terms.sum(summands))
        }
        ("div", [first, rest @ ..]) if !rest.is_empty() => Some(rest.iter().fold(*first, |a, b| terms.div(a, *b))),
        ("mod", &[a, b]) => Some(terms.modulo(a, b)),
        ("rem", &[a, b]) => {
            let (remainder, zero) = (terms.modulo(a, b), terms.int(0));
            let (minus, natural) = (terms.neg(remainder), terms.le(zero, b));
            Some(terms.ite(natural, remainder, minus))
        }
        ("abs", &[a]) => {
            let (zero, minus) = (terms.int(0), terms.neg(a));
            let natural = terms.le(zero, a);
            Some(terms.ite(natural, a, minus))
        }
        ("<=", _) => chained(terms, Op::Le, args),
        ("<", _) => chained(terms, Op::Lt, args),
        (">=" | ">", _) => {
            let reversed: Vec<TermId> = args.iter().rev().copied().collect();
            chained(terms, if name == ">" { Op::Lt } else { Op::Le }, &reversed)
        }
        _ => None,
    }
}

fn array(terms: &mut Terms, name: &str, args: &[TermId]) -> Option<TermId> {
    let Sort::Array(parts) = terms.sort(*args.first()?) else { return None };
    match (name, args) {
        ("select", &[a, i]) if terms.sort(i) == parts.index() => Some(terms.select(a, i)),
        ("store", &[a, i, e]) if terms.sort(i) == parts.index() && terms.sort(e) == parts.element() => {
            Some(terms.store(a, i, e))
        }
        _ => None,
    }
}

fn conversion(terms: &mut Terms, name: &str, args: &[TermId]) -> Option<TermId> {
    let mut total = 0u32;
    for a in args {
        total = total.checked_add(terms.sort(*a).width()?)?;
    }
    match (name, args) {
        ("concat", [first, rest @ ..]) if !rest.is_empty() && total <= WIDEST => {
            Some(rest.iter().fold(*first, |high, low| terms.concat(high, *low)))
        }
        ("bv2nat" | "bv2int" | "ubv_to_int", &[a]) => Some(terms.bv_to_nat(a)),
        ("sbv_to_int", &[a]) => Some(terms.bv_to_int(a)),
        _ => None,
    }
}

/// An operator on floating-point numbers by the name that definitions give it.
fn float(terms: &mut Terms, name: &str, args: &[TermId]) -> Result<Option<TermId>, ParseError> {
    let Some((op, width)) = FloatOp::of_name(name) else {
        return Err(ParseError::UnsupportedOperator(name.to_owned()));
    };
    let sorts: Vec<Sort> = args.iter().map(|a| terms.sort(*a)).collect();
    let fits = sorts.first() == Some(&Sort::BitVec(width)) && op.result(&sorts).is_some();
    Ok(fits.then(|| terms.float(op, args)))
}

fn rotate_left(terms: &mut Terms, by: u32, width: u32, a: TermId) -> TermId {
    if by.is_multiple_of(width) {
        return a;
    }
    let high = terms.extract(width - by - 1, 0, a);
    let low = terms.extract(width - 1, width - by, a);
    terms.concat(high, low)
}

/// The operators on bit-vectors of one width; an unknown name is an error, wrong arguments are `None`.
fn vector(terms: &mut Terms, name: &str, args: &[TermId]) -> Result<Option<TermId>, ParseError> {
    use Op::*;
    let (op, negated, swapped) = match name {
        "bvneg" => (BvNeg, false, false),
        "bvnot" => (BvNot, false, false),
        "bvadd" => (BvAdd, false, false),
        "bvsub" => (BvSub, false, false),
        "bvmul" => (BvMul, false, false),
        "bvudiv" | "bvudiv_i" => (BvUdiv, false, false),
        "bvurem" | "bvurem_i" => (BvUrem, false, false),
        "bvsdiv" | "bvsdiv_i" => (BvSdiv, false, false),
        "bvsrem" | "bvsrem_i" => (BvSrem, false, false),
        "bvshl" => (BvShl, false, false),
        "bvlshr" => (BvLshr, false, false),
        "bvashr" => (BvAshr, false, false),
        "bvand" => (BvAnd, false, false),
        "bvor" => (BvOr, false, false),
        "bvxor" => (BvXor, false, false),
        "bvnand" => (BvAnd, true, false),
        "bvnor" => (BvOr, true, false),
        "bvxnor" => (BvXor, true, false),
        "bvult" => (BvUlt, false, false),
        "bvule" => (BvUle, false, false),
        "bvslt" => (BvSlt, false, false),
        "bvsle" => (BvSle, false, false),
        "bvugt" => (BvUlt, false, true),
        "bvuge" => (BvUle, false, true),
        "bvsgt" => (BvSlt, false, true),
        "bvsge" => (BvSle, false, true),
        "bvcomp" | "bvsmod" | "bvsmod_i" | "bvredor" | "bvredand" => return Ok(derived(terms, name, args)),
        _ => return Err(ParseError::UnsupportedOperator(name.to_owned())),
    };
    let Some(width) = args.first().and_then(|a| terms.sort(*a).width()) else { return Ok(None) };
    if args.iter().any(|a| terms.sort(*a) != Sort::BitVec(width)) {
        return Ok(None);
    }
    let applied = match (&op, args) {
        (BvNeg | BvNot, [_]) => terms.make(op, args),
        (BvNeg | BvNot, _) => return Ok(None),
        (_, &[a, b]) => terms.make(op, &if swapped { [b, a] } else { [a, b] }),
        // These are left-associative, also where a solver flattens them.
        (BvAdd | BvMul | BvAnd | BvOr | BvXor, [first, rest @ ..]) if !negated && !rest.is_empty() => {
            rest.iter().fold(*first, |a, b| terms.make(op.clone(), &[a, *b]))
        }
        _ => return Ok(None),
    };
    Ok(Some(if negated { terms.bv_not(applied) } else { applied }))
}

/// Operators that SMT-LIB itself defines by others.
fn derived(terms: &mut Terms, name: &str, args: &[TermId]) -> Option<TermId> {
    let width = terms.sort(*args.first()?).width()?;
    if args.iter().any(|a| terms.sort(*a) != Sort::BitVec(width)) {
        return None;
    }
    let (one, none) = (terms.bit_vec(1, 1), terms.bit_vec(0, 1));
    let zero = terms.bit_vec(0, width);
    match (name, args) {
        ("bvcomp", &[a, b]) => {
            let equal = terms.eq(a, b);
            Some(terms.ite(equal, one, none))
        }
        ("bvredor", &[a]) => {
            let equal = terms.eq(a, zero);
            Some(terms.ite(equal, none, one))
        }
        ("bvredand", &[a]) => {
            let ones = terms.bit_vec(-1, width);
            let equal = terms.eq(a, ones);
            Some(terms.ite(equal, one, none))
        }
        ("bvsmod" | "bvsmod_i", &[a, b]) => {
            // The remainder with the sign of the dividend, plus the divisor where its sign is the other one.
            let remainder = terms.bv_srem(a, b);
            let none_left = terms.eq(remainder, zero);
            let (remainder_sign, divisor_sign) = (terms.bv_slt(remainder, zero), terms.bv_slt(b, zero));
            let same_sign = terms.eq(remainder_sign, divisor_sign);
            let done = terms.or([none_left, same_sign]);
            let moved = terms.bv_add(remainder, b);
            Some(terms.ite(done, remainder, moved))
        }
        _ => None,
    }
}

//! Rules for the operators on truth values, `ite`, and equality of any sort.

use super::linear::{is_negation, members, split};
use super::{FLAT, Rule, either_order, int, is_constant, only, two};
use crate::term::{Integer, Op, TermId, Terms};

pub(super) const NOT: &[Rule] = &[Rule::new("not.not", not_not), Rule::new("not.le", not_le)];
pub(super) const IMPLIES: &[Rule] = &[Rule::new("implies.or", implies)];
pub(super) const JUNCTION: &[Rule] = &[
    Rule::new("junction.normal", junction_normal),
    Rule::new("junction.absorb", junction_absorb),
    Rule::new("junction.bounds", junction_bounds),
    Rule::new("junction.equal-constants", junction_equal_constants),
];
pub(super) const ITE: &[Rule] = &[
    Rule::new("ite.constant-condition", ite_constant_condition),
    Rule::new("ite.same-branches", ite_same_branches),
    Rule::new("ite.not", ite_not),
    Rule::new("ite.nested", ite_nested),
    Rule::new("ite.bool", ite_bool),
];
pub(super) const EQ: &[Rule] =
    &[Rule::new("eq.reflexive", eq_reflexive), Rule::new("eq.ite-constants", eq_ite_constants)];
pub(super) const EQ_BOOL: &[Rule] = &[
    Rule::new("eq.bool-constant", eq_bool_constant),
    Rule::new("eq.complement", eq_complement),
    Rule::new("eq.not", eq_not),
    Rule::new("eq.bool-order", eq_order),
];

fn not_not(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    only(terms, args[0], &Op::Not)
}

fn not_le(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let (a, b) = two(terms, args[0], &Op::Le)?;
    Some(terms.lt(b, a))
}

fn implies(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let not = terms.not(args[0]);
    Some(terms.or([not, args[1]]))
}

/// Flattens, sorts, drops repetitions and units, and finds zeros and complements.
fn junction_normal(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let unit = *op == Op::And;
    let is_flat = |terms: &Terms, a: TermId| terms.op(a) == op && terms.args(a).len() <= FLAT;
    let mut all = Vec::with_capacity(args.len());
    for &a in args {
        if is_flat(terms, a) {
            all.extend_from_slice(terms.args(a));
        } else {
            all.push(a);
        }
    }
    all.sort_unstable();
    all.dedup();
    let mut zero = false;
    all.retain(|a| match terms.op(*a) {
        Op::Bool(value) => {
            zero |= *value != unit;
            false
        }
        _ => true,
    });
    let complement = |a: &TermId| only(terms, *a, &Op::Not).is_some_and(|inner| all.binary_search(&inner).is_ok());
    if zero || all.iter().any(complement) {
        return Some(terms.bool(!unit));
    }
    match all[..] {
        [] => Some(terms.bool(unit)),
        [one] => Some(one),
        _ if all == args => None,
        _ => Some(terms.make(op.clone(), &all)),
    }
}

/// `a and (a or b)` is `a`; `a and (not a or b)` is `a and b`; and so with `and` and `or` exchanged.
fn junction_absorb(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let dual = if *op == Op::And { Op::Or } else { Op::And };
    if args.len() > FLAT || !args.iter().any(|a| *terms.op(*a) == dual && terms.args(*a).len() <= FLAT) {
        return None;
    }
    // The rule before sorted the arguments.
    let holds = |a: TermId| args.binary_search(&a).is_ok();
    let fails = |a: TermId| match only(terms, a, &Op::Not) {
        Some(inner) => holds(inner),
        None => args.iter().any(|b| only(terms, *b, &Op::Not) == Some(a)),
    };
    let mut changed = false;
    let mut kept: Vec<Result<TermId, Vec<TermId>>> = Vec::with_capacity(args.len());
    for &a in args {
        if *terms.op(a) != dual || terms.args(a).len() > FLAT {
            kept.push(Ok(a));
        } else if terms.args(a).iter().any(|inner| holds(*inner)) {
            changed = true;
        } else if terms.args(a).iter().any(|inner| fails(*inner)) {
            changed = true;
            kept.push(Err(terms.args(a).iter().copied().filter(|inner| !fails(*inner)).collect()));
        } else {
            kept.push(Ok(a));
        }
    }
    if !changed {
        return None;
    }
    let of_any_number = |terms: &mut Terms, op: &Op, all: Vec<TermId>| match op {
        Op::And => terms.and(all),
        _ => terms.or(all),
    };
    let mut all = Vec::with_capacity(kept.len());
    for member in kept {
        all.push(match member {
            Ok(same) => same,
            Err(rest) => of_any_number(terms, &dual, rest),
        });
    }
    Some(of_any_number(terms, op, all))
}

/// A bound `sum <= constant` among the arguments of a junction.
struct Bound {
    /// The term of the first monomial, which a sum and its negation share.
    lead: TermId,
    sum: TermId,
    limit: Integer,
    position: usize,
}

fn bounds_of(terms: &Terms, args: &[TermId]) -> Vec<Bound> {
    let mut bounds = Vec::new();
    for (position, a) in args.iter().enumerate() {
        if let Some((sum, limit)) = two(terms, *a, &Op::Le)
            && let Some(limit) = int(terms, limit)
        {
            let lead = split(terms, members(terms, sum)[0]).1;
            bounds.push(Bound { lead, sum, limit: limit.clone(), position });
        }
    }
    bounds
}

/// Of two bounds on one sum the weaker goes (the stronger, in a disjunction); opposite bounds may leave nothing,
/// everything, or one value.
fn junction_bounds(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    if args.len() > FLAT || args.iter().filter(|a| *terms.op(**a) == Op::Le).count() < 2 {
        return None;
    }
    let and = *op == Op::And;
    let mut bounds = bounds_of(terms, args);
    bounds.sort_by_key(|b| (b.lead, b.position));
    for (i, a) in bounds.iter().enumerate() {
        for b in bounds[i + 1..].iter().take_while(|b| b.lead == a.lead) {
            if a.sum == b.sum {
                let drop_a = (a.limit > b.limit) == and;
                let dropped = if drop_a { a.position } else { b.position };
                return Some(without(terms, op, args, &[dropped], None));
            }
            if !is_negation(terms, a.sum, b.sum) {
                continue;
            }
            // The sum of `a` is at most `a.limit` and at least `least`.
            let least = -b.limit.clone();
            if and && least > a.limit {
                return Some(terms.bool(false));
            }
            if !and && least <= &a.limit + &Integer::ONE {
                return Some(terms.bool(true));
            }
            if and && least == a.limit {
                let limit = terms.int(least);
                let equal = terms.eq(a.sum, limit);
                return Some(without(terms, op, args, &[a.position, b.position], Some(equal)));
            }
        }
    }
    None
}

fn without(terms: &mut Terms, op: &Op, args: &[TermId], dropped: &[usize], added: Option<TermId>) -> TermId {
    let kept = args.iter().enumerate().filter(|(i, _)| !dropped.contains(i)).map(|(_, a)| *a);
    let all: Vec<TermId> = kept.chain(added).collect();
    if *op == Op::And { terms.and(all) } else { terms.or(all) }
}

/// `x = 1 and x = 2` is false, `x != 1 or x != 2` is true.
fn junction_equal_constants(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    if args.len() > FLAT {
        return None;
    }
    let equality = |a: TermId| {
        let equality = if *op == Op::And { Some(a) } else { only(terms, a, &Op::Not) };
        equality.and_then(|e| two(terms, e, &Op::Eq)).filter(|(_, constant)| is_constant(terms, *constant))
    };
    let mut known: Vec<(TermId, TermId)> = args.iter().filter_map(|a| equality(*a)).collect();
    known.sort_unstable();
    // Equal terms stand next to each other, and no argument is there twice.
    let clash = known.windows(2).any(|pair| pair[0].0 == pair[1].0);
    clash.then(|| terms.bool(*op == Op::Or))
}

fn ite_constant_condition(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    match terms.op(args[0]) {
        Op::Bool(value) => Some(args[if *value { 1 } else { 2 }]),
        _ => None,
    }
}

fn ite_same_branches(_: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    (args[1] == args[2]).then_some(args[1])
}

fn ite_not(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let condition = only(terms, args[0], &Op::Not)?;
    Some(terms.ite(condition, args[2], args[1]))
}

/// A branch that asks the same condition again knows the answer.
fn ite_nested(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let inner = |branch: TermId, which: usize| match (terms.op(branch), terms.args(branch)) {
        (Op::Ite, &[condition, ..]) if condition == args[0] => terms.args(branch)[which],
        _ => branch,
    };
    let (then, otherwise) = (inner(args[1], 1), inner(args[2], 2));
    ((then, otherwise) != (args[1], args[2])).then(|| terms.ite(args[0], then, otherwise))
}

/// A conditional truth value is a junction where a branch is a constant or tells of the condition.
fn ite_bool(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let &[c, t, e] = args else { return None };
    let known = |terms: &Terms, branch: TermId, condition: bool| match terms.op(branch) {
        Op::Bool(value) => Some(*value),
        _ if branch == c => Some(condition),
        _ if only(terms, branch, &Op::Not) == Some(c) => Some(!condition),
        _ => None,
    };
    match (known(terms, t, true), known(terms, e, false)) {
        (Some(true), Some(false)) => Some(c),
        (Some(false), Some(true)) => Some(terms.not(c)),
        (Some(value), Some(_)) => Some(terms.bool(value)),
        (Some(true), None) => Some(terms.or([c, e])),
        (Some(false), None) => {
            let not = terms.not(c);
            Some(terms.and([not, e]))
        }
        (None, Some(true)) => {
            let not = terms.not(c);
            Some(terms.or([not, t]))
        }
        (None, Some(false)) => Some(terms.and([c, t])),
        (None, None) if only(terms, e, &Op::Not) == Some(t) || only(terms, t, &Op::Not) == Some(e) => {
            Some(terms.eq(c, t))
        }
        (None, None) => None,
    }
}

fn eq_reflexive(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    (args[0] == args[1]).then(|| terms.bool(true))
}

/// `ite(c, 1, 2) = 1` is `c`, and so on; also with `<=` in place of `=`, see the integers.
fn eq_ite_constants(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    either_order(args, |ite, constant| ite_of_constants(terms, op, ite, constant))
}

/// Decides `op(ite(c, k1, k2), k)` by the condition.
pub(super) fn ite_of_constants(terms: &mut Terms, op: &Op, ite: TermId, constant: TermId) -> Option<TermId> {
    let (Op::Ite, &[c, t, e]) = (terms.op(ite), terms.args(ite)) else { return None };
    if ![t, e, constant].iter().all(|a| is_constant(terms, *a)) {
        return None;
    }
    let (then, otherwise) = (terms.make(op.clone(), &[t, constant]), terms.make(op.clone(), &[e, constant]));
    Some(terms.ite(c, then, otherwise))
}

fn eq_bool_constant(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let (value, other) = either_order(args, |a, b| match terms.op(a) {
        Op::Bool(value) => Some((*value, b)),
        _ => None,
    })?;
    Some(if value { other } else { terms.not(other) })
}

/// A formula is never its negation.
fn eq_complement(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let complement = either_order(args, |a, b| (only(terms, a, &Op::Not) == Some(b)).then_some(())).is_some()
        || opposite_bounds(terms, args[0], args[1]);
    complement.then(|| terms.bool(false))
}

/// Whether one is `sum <= k` and the other `-sum <= -k - 1`.
fn opposite_bounds(terms: &Terms, a: TermId, b: TermId) -> bool {
    let bound = |t: TermId| two(terms, t, &Op::Le).and_then(|(sum, limit)| Some((sum, int(terms, limit)?)));
    match (bound(a), bound(b)) {
        (Some((sum, limit)), Some((other, least))) => {
            limit + least == Integer::from(-1) && is_negation(terms, sum, other)
        }
        _ => false,
    }
}

/// Negations go outside: `(not a) = b` is `not (a = b)`.
fn eq_not(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    match (only(terms, args[0], &Op::Not), only(terms, args[1], &Op::Not)) {
        (Some(a), Some(b)) => Some(terms.eq(a, b)),
        (Some(a), None) => Some(terms.ne(a, args[1])),
        (None, Some(b)) => Some(terms.ne(args[0], b)),
        (None, None) => None,
    }
}

/// Equality is symmetric: the older term first, but a constant last.
pub(super) fn eq_order(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let rank = |a: TermId| (is_constant(terms, a), a);
    (rank(args[0]) > rank(args[1])).then(|| terms.make(op.clone(), &[args[1], args[0]]))
}

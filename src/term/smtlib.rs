//! Terms as SMT-LIB2 text.
//!
//! A name that is no plain symbol is quoted; one that SMT-LIB or a solver could mistake for something else (a
//! reserved word, an operator, a name that a `let` of ours binds) is escaped, see [`write_symbol`].
//!
//! Operators on floating-point numbers are functions that a solver must be given the definitions of, see
//! [`definitions`].

mod named;

pub use named::Named;

use super::{FloatOp, Op, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The term as text; a subterm used more than once is written once, bound by `let`.
pub fn print(terms: &Terms, term: TermId) -> String {
    let mut out = String::new();
    write(terms, term, &mut out);
    out
}

/// Appends the text of the term; a subterm used more than once is written once, bound by `let`.
pub fn write(terms: &Terms, term: TermId, out: &mut String) {
    if terms.args(term).is_empty() {
        write_leaf(terms, term, out);
        return;
    }
    let mut shared = shared_subterms(terms, term);
    // Arguments have smaller ids than what is built of them, so this is an order in which names are bound before
    // they are used.
    shared.sort_unstable();
    let mut stack = Vec::with_capacity(32);
    for (number, &subterm) in shared.iter().enumerate() {
        let _ = write!(out, "(let ((?{number} ");
        write_node(terms, subterm, &bound(&shared), &mut stack, out);
        out.push_str(")) ");
    }
    write_node(terms, term, &bound(&shared), &mut stack, out);
    out.extend(std::iter::repeat_n(')', shared.len()));
}

/// Writes the name that a `let` gives a term, if it is one of these.
fn bound(shared: &[TermId]) -> impl Fn(TermId, &mut String) -> bool + '_ {
    |term, out| match shared.is_empty() {
        true => false,
        false => shared.binary_search(&term).is_ok_and(|number| write!(out, "?{number}").is_ok()),
    }
}

/// The commands that define the operators of the terms which SMT-LIB does not have, each once.
pub fn definitions(terms: &Terms, of: impl IntoIterator<Item = TermId>) -> String {
    let (mut seen, mut defined) = (FxHashSet::default(), BTreeSet::new());
    let mut pending: Vec<TermId> = of.into_iter().collect();
    while let Some(next) = pending.pop() {
        if seen.insert(next) {
            defined.extend(defined_operator(terms, next));
            pending.extend_from_slice(terms.args(next));
        }
    }
    defined.into_iter().map(|(op, width)| op.definition(width)).collect()
}

/// The operator of the term itself and the width of its first argument, where SMT-LIB does not have it and it must be
/// defined before it is used.
pub fn defined_operator(terms: &Terms, term: TermId) -> Option<(FloatOp, u32)> {
    match terms.op(term) {
        Op::Float(op) => terms.sort(terms.args(term)[0]).width().map(|width| (*op, width)),
        _ => None,
    }
}

/// How often each inner node was met: a scanned list while there are few, then a map.
#[derive(Default)]
struct Met {
    few: Vec<(TermId, bool)>,
    many: FxHashMap<TermId, bool>,
}

impl Met {
    const FEW: usize = 24;

    /// Whether the node is met for the first time; the second time it goes to the `shared` ones.
    fn first(&mut self, term: TermId, shared: &mut Vec<TermId>) -> bool {
        let again = if self.many.is_empty() {
            self.few.iter_mut().find(|(t, _)| *t == term).map(|(_, shared)| shared)
        } else {
            self.many.get_mut(&term)
        };
        match again {
            Some(known) => {
                if !*known {
                    *known = true;
                    shared.push(term);
                }
                false
            }
            None => {
                self.add(term);
                true
            }
        }
    }

    fn add(&mut self, term: TermId) {
        if self.many.is_empty() && self.few.len() < Self::FEW {
            self.few.push((term, false));
            return;
        }
        self.many.extend(self.few.drain(..));
        self.many.insert(term, false);
    }
}

/// The subterms, other than leaves, that are used more than once.
fn shared_subterms(terms: &Terms, root: TermId) -> Vec<TermId> {
    let mut met = Met::default();
    let mut shared = Vec::new();
    let mut pending = Vec::with_capacity(16);
    pending.push(root);
    while let Some(next) = pending.pop() {
        let args = terms.args(next);
        if !args.is_empty() && met.first(next, &mut shared) {
            pending.extend_from_slice(args);
        }
    }
    shared
}

/// Writes the node itself; below it, what has a name by that, which `write_name` writes. `None` on the stack closes a
/// parenthesis.
fn write_node(
    terms: &Terms,
    root: TermId,
    write_name: &impl Fn(TermId, &mut String) -> bool,
    stack: &mut Vec<Option<TermId>>,
    out: &mut String,
) {
    let mut at_root = true;
    stack.push(Some(root));
    while let Some(next) = stack.pop() {
        let Some(term) = next else {
            out.push(')');
            continue;
        };
        if !at_root {
            out.push(' ');
        }
        let args = terms.args(term);
        if args.is_empty() {
            write_leaf(terms, term, out);
        } else if at_root || !write_name(term, out) {
            out.push('(');
            write_operator(terms, term, out);
            stack.push(None);
            stack.extend(args.iter().rev().map(|a| Some(*a)));
        }
        at_root = false;
    }
}

fn write_leaf(terms: &Terms, term: TermId, out: &mut String) {
    match terms.op(term) {
        Op::Var(symbol) => out.push_str(terms.symbol_text(*symbol)),
        Op::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Op::Int(value) => {
            let _ = if value.is_negative() { write!(out, "(- {})", value.abs()) } else { write!(out, "{value}") };
        }
        Op::BitVec(value, width) => match value.to_u64() {
            Some(small) if *width <= 64 && width % 4 == 0 => {
                let _ = write!(out, "#x{small:0digits$x}", digits = *width as usize / 4);
            }
            Some(small) if *width <= 64 => {
                let _ = write!(out, "#b{small:0digits$b}", digits = *width as usize);
            }
            _ => {
                let _ = write!(out, "(_ bv{value} {width})");
            }
        },
        op => unreachable!("{op:?} takes arguments"),
    }
}

fn write_operator(terms: &Terms, term: TermId, out: &mut String) {
    use Op::*;
    let op = terms.op(term);
    let name = match op {
        Not => "not",
        And => "and",
        Or => "or",
        Implies => "=>",
        Ite => "ite",
        Eq => "=",
        Add => "+",
        Mul => "*",
        Neg => "-",
        Div => "div",
        Mod => "mod",
        Le => "<=",
        Lt => "<",
        BvAdd => "bvadd",
        BvSub => "bvsub",
        BvMul => "bvmul",
        BvNeg => "bvneg",
        BvUdiv => "bvudiv",
        BvUrem => "bvurem",
        BvSdiv => "bvsdiv",
        BvSrem => "bvsrem",
        BvShl => "bvshl",
        BvLshr => "bvlshr",
        BvAshr => "bvashr",
        BvAnd => "bvand",
        BvOr => "bvor",
        BvXor => "bvxor",
        BvNot => "bvnot",
        BvUlt => "bvult",
        BvUle => "bvule",
        BvSlt => "bvslt",
        BvSle => "bvsle",
        Concat => "concat",
        BvToNat => "bv2nat",
        Select => "select",
        Store => "store",
        Extract(high, low) => {
            let _ = write!(out, "(_ extract {high} {low})");
            return;
        }
        ZeroExtend(more) => {
            let _ = write!(out, "(_ zero_extend {more})");
            return;
        }
        SignExtend(more) => {
            let _ = write!(out, "(_ sign_extend {more})");
            return;
        }
        IntToBv(width) => {
            let _ = write!(out, "(_ int2bv {width})");
            return;
        }
        Float(float) => {
            let width = terms.sort(terms.args(term)[0]).width().expect("a floating-point operator takes bit-vectors");
            out.push_str(&float.name(width));
            return;
        }
        ConstArray(sort) => {
            let _ = write!(out, "(as const {sort})");
            return;
        }
        Var(_) | Bool(_) | Int(_) | BitVec(..) => unreachable!("{op:?} takes no arguments"),
    };
    out.push_str(name);
}

/// What an escaped name starts with.
const ESCAPE: &str = "esc!";

/// Appends the name as a symbol: as it is, or between bars, or escaped.
///
/// An escaped name is `esc!` and the name with every byte that a quoted symbol cannot hold written as `%` and two
/// hexadecimal digits. [`symbol_name`] takes all of it back.
pub(super) fn write_symbol(name: &str, out: &mut String) {
    if needs_escape(name) {
        write_escaped(name, out);
    } else if is_simple(name) {
        out.push_str(name);
    } else {
        out.push('|');
        out.push_str(name);
        out.push('|');
    }
}

/// The name of a symbol as a solver writes it: without bars and escapes.
pub(super) fn symbol_name(text: &str) -> String {
    let inner = text.strip_prefix('|').and_then(|t| t.strip_suffix('|')).unwrap_or(text);
    match inner.strip_prefix(ESCAPE).and_then(unescape) {
        Some(name) => name,
        None => inner.to_owned(),
    }
}

fn write_escaped(name: &str, out: &mut String) {
    let mut text = String::from(ESCAPE);
    for byte in name.bytes() {
        if (b' '..=b'~').contains(&byte) && !matches!(byte, b'|' | b'\\' | b'%') {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02x}");
        }
    }
    let bars = if is_simple(&text) { "" } else { "|" };
    out.push_str(bars);
    out.push_str(&text);
    out.push_str(bars);
}

fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |b: u8| char::from(b).to_digit(16);
            let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

fn is_simple(name: &str) -> bool {
    !name.is_empty()
        && !name.as_bytes()[0].is_ascii_digit()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&b))
}

fn needs_escape(name: &str) -> bool {
    let odd = |b: u8| !(b' '..=b'~').contains(&b) || b == b'|' || b == b'\\';
    match name.as_bytes() {
        [] => true,
        [b'?' | b'@' | b'.', ..] => true,
        bytes if bytes.iter().any(|b| odd(*b)) => true,
        _ => name.starts_with(ESCAPE) || is_taken(name),
    }
}

/// Whether the name means something in SMT-LIB or in a solver's extensions of it.
fn is_taken(name: &str) -> bool {
    const FAMILIES: [&str; 15] = [
        "bv", "fp.", "float.", "str.", "re.", "seq.", "set.", "bag.", "rel.", "int_", "to_", "is_", "is-", "array.",
        "tuple.",
    ];
    const WORDS: &str = "\
        ! _ as BINARY DECIMAL exists HEXADECIMAL forall let match NUMERAL par STRING lambda choice witness \
        assert reset exit echo push pop true false not and or xor => implies iff if ite = distinct + - * / < \
        <= > >= div mod rem abs divisible select store const map default as-array eqrange concat extract \
        repeat zero_extend sign_extend rotate_left rotate_right ext_rotate_left ext_rotate_right int2bv \
        bv2nat bv2int ubv_to_int sbv_to_int nat2bv bit2bool bit mkbv sin cos tan csc sec cot arcsin arccos \
        arctan arccsc arcsec arccot asin acos atan sinh cosh tanh asinh acosh atanh pi real.pi exp sqrt \
        euler ^ ^0 div0 mod0 rem0 /0 iand pow2 piand update tuple tuple_project tuple_select tuple_update \
        table sep pto wand emp nil ff.add ff.mul ff.neg ff.bitsum union intersection setminus complement \
        subset member singleton insert card comprehension join product transpose tclosure iden nat fp \
        roundNearestTiesToEven roundNearestTiesToAway roundTowardPositive roundTowardNegative \
        roundTowardZero RNE RNA RTP RTN RTZ NaN +oo -oo +zero -zero pble pbge pbeq at-most at-least at_most \
        at_least interp partial-order linear-order tree-order piecewise-linear-order transitive-closure Bool \
        Int Real String BitVec Array Set Seq Float32 Float64 RoundingMode proof asserted char Char Unicode \
        is Tuple UnitTuple Bag Table Relation skolem _as-array bool int real";
    FAMILIES.iter().any(|f| name.starts_with(f)) || WORDS.split(' ').any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::super::Sort;
    use super::*;
    use expect_test::expect;

    #[test]
    fn shared_subterms_are_written_once() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(8));
        let y = terms.var("main::y", Sort::BitVec(8));
        let product = terms.raw(Op::BvMul, &[x, y]);
        let sum = terms.raw(Op::BvAdd, &[product, product]);
        let less = terms.raw(Op::BvUlt, &[sum, product]);
        let both = terms.raw(Op::And, &[less, less]);
        expect!["(let ((?0 (bvmul x |main::y|))) (let ((?1 (bvult (bvadd ?0 ?0) ?0))) (and ?1 ?1)))"]
            .assert_eq(&print(&terms, both));
    }

    #[test]
    fn constants() {
        let mut terms = Terms::new();
        let constants = [terms.int(-5), terms.bit_vec(5, 3), terms.bit_vec(-1, 8), terms.bit_vec(7, 65)];
        let texts: Vec<String> = constants.iter().map(|c| print(&terms, *c)).collect();
        expect!["(- 5) #b101 #xff (_ bv7 65)"].assert_eq(&texts.join(" "));
    }

    #[test]
    fn every_name_comes_back() {
        let names = [
            "x", "", "a b", "|", "\\", "esc!", "esc!a", "and", "let", "?1", "?x", "1x", "%7c", "é", "a\nb", "x!1",
            "bvx", "(", ";", "\"", "#b1", ":k", "-", "@a", ".b", "%", "main::x", "||", "exp",
        ];
        let mut seen = std::collections::BTreeSet::new();
        for name in names {
            let mut text = String::new();
            write_symbol(name, &mut text);
            assert_eq!(symbol_name(&text), name, "{text}");
            assert!(seen.insert(text.trim_matches('|').to_owned()), "{text}");
        }
    }

    #[test]
    fn deep_terms_do_not_overflow_the_stack() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(8));
        let deep = (0..200_000).fold(x, |t, _| terms.raw(Op::BvXor, &[t, x]));
        assert!(print(&terms, deep).len() > 200_000);
        let shared = (0..100_000).fold(x, |t, _| terms.raw(Op::BvXor, &[t, t]));
        assert!(print(&terms, shared).ends_with(")"));
    }
}

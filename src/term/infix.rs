//! Terms as people write them: `x <= y + 1 && b = 2`.

use super::{FloatKind, FloatOp, Integer, Op, Symbol, TermId, Terms};

/// How deep a term is written; what is below is `…`. People do not read further, and recursion stays bounded.
const DEEPEST: u32 = 200;

/// The term in infix form. Signed bit-vector operators carry a `s`, unsigned ones a `u` (`x <u y`, `x /s y`).
pub fn infix(terms: &Terms, term: TermId) -> String {
    infix_in(terms, term, &Plain)
}

/// The term in infix form, in a notation.
pub fn infix_in(terms: &Terms, term: TermId, notation: &dyn Notation) -> String {
    Infix { terms, notation }.at(term, Level::Lowest, DEEPEST)
}

/// How terms are written for one kind of reader.
pub trait Notation {
    /// What a symbol is called.
    fn name(&self, terms: &Terms, symbol: Symbol) -> String;

    /// Whether the numbers that a symbol stands for are signed, where that is known. Operators whose operands all
    /// agree with them carry no `s` or `u`.
    fn signed(&self, symbol: Symbol) -> Option<bool>;

    /// Whether operators are those of C, and bind as they do there: `==`, `c ? x : y`, `(x & 1) == 0`.
    fn like_c(&self) -> bool;

    /// The format of the floating-point numbers that a symbol stands for, if it does.
    fn float(&self, symbol: Symbol) -> Option<FloatKind> {
        let _ = symbol;
        None
    }
}

/// Names as they are in the store.
struct Plain;

impl Notation for Plain {
    fn name(&self, terms: &Terms, symbol: Symbol) -> String {
        terms.name(symbol).to_owned()
    }

    fn signed(&self, _: Symbol) -> Option<bool> {
        None
    }

    fn like_c(&self) -> bool {
        false
    }
}

/// How tightly an operator binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Lowest,
    Or,
    And,
    Comparison,
    Bits,
    Sum,
    Product,
    Unary,
}

struct Infix<'t> {
    terms: &'t Terms,
    notation: &'t dyn Notation,
}

impl Infix<'_> {
    /// The text, in parentheses if it binds less tightly than `least`.
    fn at(&self, term: TermId, least: Level, depth: u32) -> String {
        if depth == 0 {
            return "…".to_owned();
        }
        let (level, text) = self.node(term, depth - 1);
        if level < least { format!("({text})") } else { text }
    }

    fn node(&self, term: TermId, depth: u32) -> (Level, String) {
        use Op::*;
        let args = self.terms.args(term);
        let join = |operator: &str, level: Level, inner: Level| (level, self.joined(args, operator, inner, depth));
        let binary = |operator: &str, level: Level| {
            let (left, right) = (self.at(args[0], level, depth), self.at(args[1], next(level), depth));
            (level, format!("{left} {operator} {right}"))
        };
        match self.terms.op(term) {
            Var(symbol) => (Level::Unary, self.notation.name(self.terms, *symbol)),
            Bool(value) => (Level::Unary, value.to_string()),
            Int(value) => (if value.is_negative() { Level::Product } else { Level::Unary }, value.to_string()),
            BitVec(value, width) if self.notation.like_c() => (Level::Unary, value.wrap_signed(*width).to_string()),
            BitVec(value, width) => (Level::Unary, vector(value, *width)),
            Not => self.negation(args[0], depth),
            And => join("&&", Level::And, Level::Comparison),
            Or => join("||", Level::Or, Level::And),
            Implies => {
                let (left, right) = (self.at(args[0], Level::Or, depth), self.at(args[1], Level::Lowest, depth));
                (Level::Lowest, format!("{left} ==> {right}"))
            }
            Ite if self.notation.like_c() => {
                let [c, t, e] = [0, 1, 2].map(|i| self.at(args[i], Level::Or, depth));
                (Level::Lowest, format!("{c} ? {t} : {e}"))
            }
            Ite => {
                let [c, t, e] = [0, 1, 2].map(|i| self.at(args[i], Level::Or, depth));
                (Level::Lowest, format!("if {c} then {t} else {e}"))
            }
            Eq => self.comparison(if self.notation.like_c() { "==" } else { "=" }, args, depth),
            Le => self.comparison("<=", args, depth),
            Lt => self.comparison("<", args, depth),
            Add => {
                let (positive, negative) = self.sides(term);
                (Level::Sum, self.sum(&positive, &negative, depth))
            }
            Mul => match split(self.terms, term) {
                (coefficient, rest) if coefficient == Integer::from(-1) => {
                    (Level::Product, format!("-{}", self.at(rest, Level::Unary, depth)))
                }
                _ => join("*", Level::Product, Level::Unary),
            },
            Neg | BvNeg => (Level::Product, format!("-{}", self.at(args[0], Level::Unary, depth))),
            Div => binary("div", Level::Product),
            Mod => binary("mod", Level::Product),
            BvAdd => binary("+", Level::Sum),
            BvSub => binary("-", Level::Sum),
            BvMul => binary("*", Level::Product),
            BvUdiv => binary(self.operator("/u", args), Level::Product),
            BvUrem => binary(self.operator("%u", args), Level::Product),
            BvSdiv => binary(self.operator("/s", args), Level::Product),
            BvSrem => binary(self.operator("%s", args), Level::Product),
            BvShl => binary("<<", Level::Bits),
            BvLshr => binary(self.operator(">>u", args), Level::Bits),
            BvAshr => binary(self.operator(">>s", args), Level::Bits),
            BvAnd => binary("&", Level::Bits),
            BvOr => binary("|", Level::Bits),
            BvXor => binary("^", Level::Bits),
            BvUlt => self.plain_comparison("<u", args, depth),
            BvUle => self.plain_comparison("<=u", args, depth),
            BvSlt => self.plain_comparison("<s", args, depth),
            BvSle => self.plain_comparison("<=s", args, depth),
            BvNot => (Level::Unary, format!("~{}", self.at(args[0], Level::Unary, depth))),
            Select => {
                (Level::Unary, format!("{}[{}]", self.at(args[0], Level::Unary, depth), self.low(args[1], depth)))
            }
            Store => {
                let array = self.at(args[0], Level::Unary, depth);
                (Level::Unary, format!("{array}[{} := {}]", self.low(args[1], depth), self.low(args[2], depth)))
            }
            Concat => self.call("concat", args, depth),
            Extract(high, low) => (Level::Unary, format!("{}[{high}:{low}]", self.at(args[0], Level::Unary, depth))),
            ZeroExtend(more) => self.call(&format!("zero_extend{more}"), args, depth),
            SignExtend(more) => self.call(&format!("sign_extend{more}"), args, depth),
            IntToBv(width) => self.call(&format!("bits{width}"), args, depth),
            BvToNat => self.call("nat", args, depth),
            Float(op) => self.float(*op, args, depth),
            ConstArray(_) => (Level::Unary, format!("[{}, …]", self.low(args[0], depth))),
        }
    }

    fn float(&self, op: FloatOp, args: &[TermId], depth: u32) -> (Level, String) {
        let kind = self.terms.sort(args[0]).width().and_then(FloatKind::of_width);
        let operand = |at: usize, least: Level| match (self.terms.op(args[at]), kind) {
            (Op::BitVec(value, _), Some(kind)) => kind.print(value.to_u64().unwrap_or_default()),
            _ => self.at(args[at], least, depth),
        };
        let binary = |operator: &str, level: Level| {
            (level, format!("{} {operator} {}", operand(0, level), operand(1, next(level))))
        };
        match op {
            FloatOp::Add => binary("+", Level::Sum),
            FloatOp::Sub => binary("-", Level::Sum),
            FloatOp::Mul => binary("*", Level::Product),
            FloatOp::Div => binary("/", Level::Product),
            FloatOp::Lt => binary("<", Level::Comparison),
            FloatOp::Le => binary("<=", Level::Comparison),
            FloatOp::Eq if self.notation.like_c() => binary("==", Level::Comparison),
            FloatOp::Eq => binary("=", Level::Comparison),
            FloatOp::Convert(to) => self.call(&to.to_string(), args, depth),
            FloatOp::OfSigned(to) | FloatOp::OfUnsigned(to) => self.call(&to.to_string(), args, depth),
            FloatOp::ToSigned(width) => self.call(&format!("i{width}"), args, depth),
            FloatOp::ToUnsigned(width) => self.call(&format!("u{width}"), args, depth),
        }
    }

    fn low(&self, term: TermId, depth: u32) -> String {
        self.at(term, Level::Lowest, depth)
    }

    fn call(&self, name: &str, args: &[TermId], depth: u32) -> (Level, String) {
        let args: Vec<String> = args.iter().map(|a| self.low(*a, depth)).collect();
        (Level::Unary, format!("{name}({})", args.join(", ")))
    }

    fn joined(&self, args: &[TermId], operator: &str, inner: Level, depth: u32) -> String {
        let args: Vec<String> = args.iter().map(|a| self.at(*a, inner, depth)).collect();
        args.join(&format!(" {operator} "))
    }

    fn negation(&self, term: TermId, depth: u32) -> (Level, String) {
        let args = self.terms.args(term);
        let flip = |operator: &str| self.plain_comparison(operator, &[args[1], args[0]], depth);
        match self.terms.op(term) {
            Op::Eq => self.comparison("!=", args, depth),
            Op::BvUlt => flip("<=u"),
            Op::BvUle => flip("<u"),
            Op::BvSlt => flip("<=s"),
            Op::BvSle => flip("<s"),
            _ => (Level::Unary, format!("!{}", self.at(term, Level::Unary, depth))),
        }
    }

    fn plain_comparison(&self, operator: &str, args: &[TermId], depth: u32) -> (Level, String) {
        let least = if self.notation.like_c() { Level::Sum } else { Level::Bits };
        let side = |of: usize| match (self.terms.op(args[of]), self.terms.as_symbol(args[1 - of])) {
            (Op::BitVec(value, _), Some(other)) => match (self.notation.float(other), self.notation.signed(other)) {
                (Some(kind), _) => kind.print(value.to_u64().unwrap_or_default()),
                // A number next to an unsigned variable is none with a sign.
                (None, Some(false)) => value.to_string(),
                _ => self.at(args[of], least, depth),
            },
            _ => self.at(args[of], least, depth),
        };
        (Level::Comparison, format!("{} {} {}", side(0), self.operator(operator, args), side(1)))
    }

    /// The operator without the letter for its sign, where every symbol in the operands has that sign.
    fn operator<'o>(&self, operator: &'o str, args: &[TermId]) -> &'o str {
        let (bare, signed) = match operator.strip_suffix('s') {
            Some(bare) => (bare, true),
            None => match operator.strip_suffix('u') {
                Some(bare) => (bare, false),
                None => return operator,
            },
        };
        let symbols = self.terms.symbols_of(args.iter().copied());
        let agrees = !symbols.is_empty() && symbols.iter().all(|s| self.notation.signed(*s) == Some(signed));
        if agrees { bare } else { operator }
    }

    /// A comparison whose left side may be an integer sum: what is subtracted there goes to the right.
    fn comparison(&self, operator: &str, args: &[TermId], depth: u32) -> (Level, String) {
        let Op::Int(limit) = self.terms.op(args[1]) else { return self.plain_comparison(operator, args, depth) };
        let (mut left, mut right) = self.sides(args[0]);
        // The constant goes where it is not negative, or to the side that has nothing else.
        let constant = |value: Integer| Member { coefficient: value, rest: None };
        let mut operator = operator;
        if left.is_empty() {
            // `-x <= -5` reads `x >= 5`.
            std::mem::swap(&mut left, &mut right);
            operator = match operator {
                "<=" => ">=",
                "<" => ">",
                same => same,
            };
            right.push(constant(-limit.clone()));
        } else if right.is_empty() || !limit.is_negative() {
            if !limit.is_zero() || right.is_empty() {
                right.push(constant(limit.clone()));
            }
        } else if operator == "<=" && *limit == Integer::from(-1) {
            // `x - y <= -1` reads `x < y`.
            operator = "<";
        } else {
            left.push(constant(-limit.clone()));
        }
        let (left, right) = (self.sum(&left, &[], depth), self.sum(&right, &[], depth));
        (Level::Comparison, format!("{left} {operator} {right}"))
    }

    /// The members of a sum that are added, and those that are subtracted with their sign changed.
    fn sides(&self, term: TermId) -> (Vec<Member>, Vec<Member>) {
        let one = [term];
        let members = if *self.terms.op(term) == Op::Add { self.terms.args(term) } else { &one };
        let (mut positive, mut negative) = (Vec::new(), Vec::new());
        for &member in members {
            let (coefficient, rest) = match self.terms.op(member) {
                Op::Int(value) => (value.clone(), None),
                _ => {
                    let (coefficient, rest) = split(self.terms, member);
                    (coefficient, Some(rest))
                }
            };
            if coefficient.is_negative() {
                negative.push(Member { coefficient: -coefficient, rest });
            } else {
                positive.push(Member { coefficient, rest });
            }
        }
        (positive, negative)
    }

    fn sum(&self, positive: &[Member], negative: &[Member], depth: u32) -> String {
        let mut text = String::new();
        for member in positive {
            if !text.is_empty() {
                text.push_str(" + ");
            }
            text.push_str(&self.member(member, depth));
        }
        for member in negative {
            text.push_str(if text.is_empty() { "-" } else { " - " });
            text.push_str(&self.member(member, depth));
        }
        text
    }

    fn member(&self, member: &Member, depth: u32) -> String {
        match member.rest {
            None => member.coefficient.to_string(),
            Some(rest) if member.coefficient == Integer::ONE => self.at(rest, Level::Product, depth),
            Some(rest) => format!("{}*{}", member.coefficient, self.at(rest, Level::Unary, depth)),
        }
    }
}

/// A coefficient and what it multiplies; only a constant, where that is nothing.
struct Member {
    coefficient: Integer,
    rest: Option<TermId>,
}

fn split(terms: &Terms, term: TermId) -> (Integer, TermId) {
    if let (Op::Mul, &[first, rest]) = (terms.op(term), terms.args(term))
        && let Op::Int(coefficient) = terms.op(first)
    {
        return (coefficient.clone(), rest);
    }
    (Integer::ONE, term)
}

/// The level of what stands on the right of a left-associative operator.
fn next(level: Level) -> Level {
    match level {
        Level::Lowest => Level::Or,
        Level::Or => Level::And,
        Level::And => Level::Comparison,
        Level::Comparison => Level::Bits,
        // Bitwise operators and shifts do not mix without parentheses.
        Level::Bits => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product | Level::Unary => Level::Unary,
    }
}

/// A bit-vector constant: small ones as they are, those with the sign set also as negative numbers.
fn vector(value: &Integer, width: u32) -> String {
    let signed = value.wrap_signed(width);
    if signed.is_negative() && width > 1 { format!("{value}({signed})") } else { value.to_string() }
}

#[cfg(test)]
mod tests {
    use super::super::{Sort, parse_sexprs};
    use super::*;
    use expect_test::expect;

    fn shown(text: &str) -> String {
        let mut terms = Terms::new();
        for name in ["x", "y", "z"] {
            terms.var(name, Sort::Int);
        }
        for name in ["b", "c"] {
            terms.var(name, Sort::Bool);
        }
        for name in ["v", "w"] {
            terms.var(name, Sort::BitVec(8));
        }
        terms.var("a", Sort::array(Sort::Int, Sort::Int));
        let term = terms.parse_term(&parse_sexprs(text).unwrap()[0], &Default::default()).unwrap();
        infix(&terms, term)
    }

    #[test]
    fn readable() {
        let texts = [
            "(<= x y)",
            "(< x y)",
            "(<= x (+ y 1))",
            "(> x 5)",
            "(<= x (- 5))",
            "(= x y)",
            "(distinct x (+ y 2))",
            "(not (= b c))",
            "(and (or b c) (<= (* 2 x) (+ y z 7)))",
            "(=> b (not c))",
            "(= (- x y) (- 3))",
            "(ite b (- x) (* x y))",
            "(= (select a (+ x 1)) (mod x 3))",
            "(bvult v (bvadd w #x01))",
            "(bvule v w)",
            "(bvslt (bvsub v w) #xfb)",
            "(= (select (store a 1 x) y) 0)",
            "(<= (- 2 x) (* 3 (- y 1)))",
            "(= (* (+ x 1) y) 4)",
            "(>= (+ x y) 3)",
            "(bvand v (bvor w #x03))",
        ];
        let all: Vec<String> = texts.iter().map(|t| format!("{t}  {}", shown(t))).collect();
        expect![[r#"
            (<= x y)  x <= y
            (< x y)  x < y
            (<= x (+ y 1))  x <= y + 1
            (> x 5)  x >= 6
            (<= x (- 5))  x <= -5
            (= x y)  x = y
            (distinct x (+ y 2))  x != y + 2
            (not (= b c))  b != c
            (and (or b c) (<= (* 2 x) (+ y z 7)))  (b || c) && 2*x <= y + z + 7
            (=> b (not c))  !c || !b
            (= (- x y) (- 3))  x + 3 = y
            (ite b (- x) (* x y))  if b then -x else x * y
            (= (select a (+ x 1)) (mod x 3))  a[x + 1] = x mod 3
            (bvult v (bvadd w #x01))  v <u w + 1
            (bvule v w)  v <=u w
            (bvslt (bvsub v w) #xfb)  v - w <s 251(-5)
            (= (select (store a 1 x) y) 0)  a[1 := x][y] = 0
            (<= (- 2 x) (* 3 (- y 1)))  x + 3*y >= 5
            (= (* (+ x 1) y) 4)  y * (x + 1) = 4
            (>= (+ x y) 3)  x + y >= 3
            (bvand v (bvor w #x03))  v & (w | 3)
        "#]]
        .assert_eq(&(all.join("\n") + "\n"));
    }

    #[test]
    fn deep_terms_do_not_overflow_the_stack() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(8));
        let deep = (0..200_000).fold(x, |t, _| terms.raw(Op::BvXor, &[t, x]));
        assert!(infix(&terms, deep).contains('…'));
    }
}

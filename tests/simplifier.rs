//! The simplifier: every rule proven with the solver, and properties of simplified terms.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};
use tandem::generate::term::{Generator, Shape};
use tandem::term::Random;
use tandem::term::simplify::{fired, rule_names};
use tandem::term::{Integer, Op, Sort, TermId, Terms, eval, parse_sexprs, smtlib};

const WIDTHS: [u32; 7] = [1, 2, 3, 8, 31, 32, 33];

/// What each rule is proven on, per width or theory: enough to meet its cases, few enough to be quick.
const INSTANCES: usize = 6;

/// `op(args)` and what the rule made of it.
struct Instance {
    raw: TermId,
    simpler: TermId,
}

/// Instances by rule and by theme (a width, or integers, or arrays).
#[derive(Default)]
struct Collected(BTreeMap<(&'static str, String), Vec<Instance>>);

impl Collected {
    fn offer(&mut self, terms: &mut Terms, theme: &str, op: Op, args: &[TermId]) -> TermId {
        if let Some((rule, simpler)) = fired(terms, &op, args) {
            let known = self.0.entry((rule, theme.to_owned())).or_default();
            let raw = terms.raw(op, args);
            if known.len() < INSTANCES && known.iter().all(|k| k.raw != raw) {
                known.push(Instance { raw, simpler });
            }
            return simpler;
        }
        terms.raw(op, args)
    }
}

/// Terms to apply operators to, by sort; what comes of it goes in again, a few times.
struct Pool {
    by_sort: BTreeMap<Sort, Vec<TermId>>,
    /// How many of a sort may be kept.
    limit: usize,
}

impl Pool {
    fn new(limit: usize) -> Pool {
        Pool { by_sort: BTreeMap::new(), limit }
    }

    fn add(&mut self, terms: &Terms, term: TermId) {
        let same = self.by_sort.entry(terms.sort(term)).or_default();
        if same.len() < self.limit && !same.contains(&term) {
            same.push(term);
        }
    }

    fn pick(&self, random: &mut Random, sort: Sort) -> Option<TermId> {
        self.by_sort.get(&sort).map(|same| *random.choose(same))
    }
}

/// Applies random operators of the shape to the pool, and keeps what rules fire on.
fn explore(terms: &mut Terms, collected: &mut Collected, theme: &str, seed: u64, shape: Shape, sorts: &[Sort]) {
    let mut generator = Generator::new(seed, shape);
    for round in 0..3 {
        let mut pool = Pool::new(14 + 8 * round);
        for sort in sorts {
            for _ in 0..12 {
                let leaf = generator.leaf(terms, *sort);
                pool.add(terms, leaf);
            }
        }
        for _ in 0..6000 {
            let sort = *generator.random.choose(sorts);
            let (op, wanted) = generator.operator(sort);
            let mut args: Vec<TermId> = Vec::new();
            for sort in wanted {
                match pool.pick(&mut generator.random, sort) {
                    Some(arg) => args.push(arg),
                    None => args.push(generator.leaf(terms, sort)),
                }
            }
            let result = collected.offer(terms, theme, op, &args);
            pool.add(terms, result);
        }
    }
}

fn collect(terms: &mut Terms) -> Collected {
    let mut collected = Collected::default();
    for width in WIDTHS {
        let shape = Shape { depth: 1, widths: vec![width], integers: false, arrays: false, floats: false };
        let other = [Sort::BitVec(1), Sort::BitVec(width + 1), Sort::BitVec(width.div_ceil(2))];
        let mut sorts = vec![Sort::Bool, Sort::BitVec(width), Sort::BitVec(width)];
        sorts.extend(other);
        explore(terms, &mut collected, &format!("width {width}"), width.into(), shape, &sorts);
    }
    let integers = Shape { depth: 1, widths: vec![4], integers: true, arrays: false, floats: false };
    explore(terms, &mut collected, "integers", 100, integers, &[Sort::Bool, Sort::Int, Sort::Int]);
    for width in [1, 2, 3] {
        let mixed = Shape { depth: 1, widths: vec![width], integers: true, arrays: false, floats: false };
        let sorts = [Sort::Int, Sort::BitVec(width), Sort::BitVec(width + 2), Sort::Bool];
        explore(terms, &mut collected, &format!("mixed {width}"), u64::from(width) + 200, mixed, &sorts);
    }
    let floats = Shape { depth: 1, widths: vec![8, 32, 64], integers: false, arrays: false, floats: true };
    let sorts = [Sort::Bool, Sort::BitVec(32), Sort::BitVec(64), Sort::BitVec(8)];
    explore(terms, &mut collected, "floats", 400, floats, &sorts);
    for (index, element) in [(Sort::Int, Sort::Int), (Sort::BitVec(3), Sort::Bool), (Sort::Bool, Sort::BitVec(2))] {
        let arrays = Shape { depth: 1, widths: vec![3], integers: true, arrays: true, floats: false };
        let sort = Sort::array(index, element);
        let sorts = [sort, sort, index, element, Sort::Bool];
        explore(terms, &mut collected, &format!("arrays {sort}"), 300, arrays, &sorts);
    }
    for width in WIDTHS {
        templates(terms, &mut collected, width);
    }
    integer_templates(terms, &mut collected);
    collected
}

/// Instances that chance finds too seldom, and constants at the bounds of narrower vectors.
fn templates(terms: &mut Terms, collected: &mut Collected, width: u32) {
    let theme = format!("width {width}, by hand");
    let [x, y] = ["x", "y"].map(|name| terms.var(&format!("{name} {width}"), Sort::BitVec(width)));
    let wider = terms.var("wider", Sort::BitVec(40));
    let integer = terms.var("i", Sort::Int);
    for more in [1, 3] {
        let wide = width + more;
        let extensions = [Op::ZeroExtend(more), Op::SignExtend(more)];
        for extension in &extensions {
            let [a, b] = [x, y].map(|t| terms.make(extension.clone(), &[t]));
            for op in [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle] {
                collected.offer(terms, &theme, op.clone(), &[a, b]);
                for bound in [0, width - 1, width, wide - 1] {
                    for offset in [-1, 0, 1] {
                        let bound = Integer::power_of_two(bound) + Integer::from(offset);
                        let constant = terms.bit_vec(bound, wide);
                        collected.offer(terms, &format!("{theme} {op:?}"), op.clone(), &[a, constant]);
                        collected.offer(terms, &format!("{theme} {op:?}"), op.clone(), &[constant, a]);
                    }
                }
            }
            for (high, low) in [(0, 0), (wide - 1, 0), (wide - 1, width), (wide - 1, width - 1), (width, width - 1)] {
                collected.offer(terms, &theme, Op::Extract(high, low), &[a]);
            }
        }
        let narrower = terms.var(&format!("narrower {width}"), Sort::BitVec(width + 1));
        let (a, b) = (terms.zero_extend(more + 1, x), terms.zero_extend(more, narrower));
        collected.offer(terms, &theme, Op::BvUlt, &[a, b]);
        collected.offer(terms, &theme, Op::BvUlt, &[b, a]);
    }
    let (upper, lower) = (terms.extract(39, width, wider), terms.extract(width - 1, 0, wider));
    collected.offer(terms, &theme, Op::Concat, &[upper, lower]);
    if width <= 8 {
        let vector = terms.int_to_bv(width + 1, integer);
        collected.offer(terms, &theme, Op::Extract(width - 1, 0), &[vector]);
    }
    let [first, second] = [0, 1].map(|value| terms.bit_vec(value, width));
    let [is_first, is_second] = [first, second].map(|value| terms.eq(x, value));
    collected.offer(terms, &theme, Op::And, &[is_first, is_second]);
    let [no_first, no_second] = [is_first, is_second].map(|equal| terms.not(equal));
    collected.offer(terms, &theme, Op::Or, &[no_first, no_second]);
    // A sum with more members than the normal form takes.
    let many: Vec<TermId> = (0..12).map(|i| terms.var(&format!("m{i} {width}"), Sort::BitVec(width))).collect();
    let sum = many.iter().copied().reduce(|a, b| collected.offer(terms, &theme, Op::BvAdd, &[b, a])).unwrap();
    collected.offer(terms, &format!("{theme}, long"), Op::BvAdd, &[sum, many[3]]);
    collected.offer(terms, &format!("{theme}, long"), Op::Eq, &[sum, many[3]]);
    for amount in [0, 1, width - 1, width, width + 1] {
        let amount = terms.bit_vec(amount, width);
        for op in [Op::BvShl, Op::BvLshr, Op::BvAshr] {
            let shifted = collected.offer(terms, &format!("{theme}, shift"), op.clone(), &[x, amount]);
            let by_one = terms.bit_vec(1, width);
            collected.offer(terms, &format!("{theme}, shift"), op, &[shifted, by_one]);
        }
    }
}

/// Whether sums are multiples of numbers, and the remainders of a division that truncates.
fn multiples(terms: &mut Terms, collected: &mut Collected, [x, y]: [TermId; 2]) {
    for (number, (factor, modulus)) in [(4, 16), (6, 4), (-4, 16), (4, 6), (12, -8), (3, 5)].into_iter().enumerate() {
        for constant in [0, 3, 4, -7, 12] {
            let [by, more, divisor] = [factor, constant, modulus].map(|value| terms.int(value));
            let product = terms.mul(by, x);
            let twice = terms.mul(by, y);
            let sum = terms.sum([product, twice, more]);
            let minus = terms.neg(sum);
            let [remainder, opposite] = [sum, minus].map(|of| terms.modulo(of, divisor));
            let zero = terms.int(0);
            for value in [0, 2, 3, 4, 8] {
                let value = terms.int(value);
                collected.offer(terms, &format!("multiples {number}"), Op::Eq, &[remainder, value]);
            }
            let is_negative = terms.lt(sum, zero);
            let negated = terms.neg(opposite);
            for (a, b) in [(negated, remainder), (remainder, negated)] {
                let truncated = terms.ite(is_negative, a, b);
                collected.offer(terms, &format!("truncated {number}"), Op::Eq, &[truncated, zero]);
            }
        }
    }
}

fn integer_templates(terms: &mut Terms, collected: &mut Collected) {
    let theme = "integers, by hand";
    let [x, y] = ["x int", "y int"].map(|name| terms.var(name, Sort::Int));
    let condition = terms.var("x bool", Sort::Bool);
    let (one, five) = (terms.int(1), terms.int(5));
    let ite = terms.ite(condition, one, five);
    for limit in -6..7 {
        let limit = terms.int(limit);
        for op in [Op::Le, Op::Lt, Op::Eq] {
            collected.offer(terms, theme, op.clone(), &[ite, limit]);
            collected.offer(terms, theme, op, &[limit, ite]);
        }
        // Once normal, the sum on the left.
        let minus = terms.neg(ite);
        collected.offer(terms, "integers, minus ite", Op::Le, &[minus, limit]);
    }
    for divisor in [-7, -3, -1, 1, 2, 3, 6, 12] {
        let divisor = terms.int(divisor);
        for factor in [-12, -6, -5, 1, 3, 7] {
            let factor = terms.int(factor);
            let product = terms.mul(factor, x);
            let sum = terms.sum([product, y, factor]);
            for op in [Op::Div, Op::Mod] {
                let inner = terms.make(op.clone(), &[y, divisor]);
                collected.offer(terms, "integers, division", op.clone(), &[sum, divisor]);
                collected.offer(terms, "integers, division twice", op.clone(), &[inner, factor]);
                let sum = terms.add(inner, x);
                collected.offer(terms, "integers, sum of division", op, &[sum, divisor]);
            }
        }
    }
    multiples(terms, collected, [x, y]);
    let bound = |terms: &mut Terms, factor: i64, limit: i64| {
        let (factor, limit) = (terms.int(factor), terms.int(limit));
        let left = terms.mul(factor, x);
        terms.le(left, limit)
    };
    for limit in -3..4 {
        for op in [Op::And, Op::Or] {
            let (upper, lower) = (bound(terms, 1, 0), bound(terms, -1, limit));
            collected.offer(terms, &format!("{theme}, {op:?}"), op.clone(), &[upper, lower]);
            collected.offer(terms, &format!("{theme}, {op:?}"), op, &[lower, upper, condition]);
        }
        let (upper, lower) = (bound(terms, 1, 0), bound(terms, -1, limit));
        collected.offer(terms, theme, Op::Eq, &[upper, lower]);
    }
    let members: Vec<TermId> = (0..70).map(|i| terms.var(&format!("m{i}"), Sort::Int)).collect();
    let long = terms.sum(members.iter().copied());
    let other = terms.sum(members[..40].iter().copied());
    for op in [Op::Add, Op::Le, Op::Lt, Op::Eq, Op::Mul] {
        collected.offer(terms, "integers, long", op.clone(), &[long, x]);
        collected.offer(terms, "integers, long", op.clone(), &[long, other]);
        collected.offer(terms, "integers, long", op, &[five, long]);
    }
    let array = terms.var("a", Sort::array(Sort::Int, Sort::Int));
    let stored = terms.store(array, x, y);
    collected.offer(terms, theme, Op::Eq, &[array, stored]);
    collected.offer(terms, theme, Op::Eq, &[stored, array]);
    let next = terms.add(x, one);
    collected.offer(terms, theme, Op::Select, &[stored, next]);
}

fn solver() -> Command {
    let local = concat!(env!("CARGO_MANIFEST_DIR"), "/.tools/python/bin/z3");
    let path = std::env::var("TANDEM_SOLVER").ok();
    let path = path.unwrap_or_else(|| if std::path::Path::new(local).exists() { local.into() } else { "z3".into() });
    let mut command = Command::new(path);
    command.args(["-in", "-smt2"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// The definitions that the term needs, one a line.
fn definitions(terms: &Terms, term: TermId) -> Vec<String> {
    smtlib::definitions(terms, [term]).lines().map(|line| format!("{line}\n")).collect()
}

fn run(script: String) -> String {
    let mut child = solver().spawn().expect("z3 is in TANDEM_SOLVER, .tools or PATH");
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(script.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Asks for each equation whether it can fail; the answers, in order.
fn refute(terms: &Terms, equations: &[(TermId, TermId)]) -> Vec<String> {
    let mut script = String::from("(set-option :timeout 20000)\n");
    let all = equations.iter().flat_map(|(a, b)| [*a, *b]);
    for symbol in terms.symbols_of(all) {
        script += &format!("(declare-const {} {})\n", terms.symbol_text(symbol), terms.symbol_sort(symbol));
    }
    let mut defined = BTreeSet::new();
    for (a, b) in equations {
        for definition in [*a, *b].iter().flat_map(|side| definitions(terms, *side)) {
            if defined.insert(definition.clone()) {
                script += &definition;
            }
        }
        let (a, b) = match (terms.op(*a), terms.op(*b)) {
            // By definition integers give one bit-vector if they are the same modulo the power of two.
            (Op::IntToBv(width), Op::IntToBv(_)) => {
                let modulus = Integer::power_of_two(*width);
                let natural = |t: TermId| format!("(mod {} {modulus})", smtlib::print(terms, terms.args(t)[0]));
                (natural(*a), natural(*b))
            }
            _ => (smtlib::print(terms, *a), smtlib::print(terms, *b)),
        };
        script += &format!("(push)\n(assert (not (= {a} {b})))\n(check-sat)\n(pop)\n");
    }
    run(script).lines().map(str::to_owned).collect()
}

#[test]
fn every_rule_is_proven() {
    let mut terms = Terms::new();
    // Some rules come first in an unrolled program, and leave nothing to others.
    let mut collected = collect(&mut terms);
    terms.set_unrolled();
    collected.0.append(&mut collect(&mut terms).0);
    let met: BTreeSet<&str> = collected.0.keys().map(|(rule, _)| *rule).collect();
    let missed: Vec<&str> = rule_names().into_iter().filter(|name| !met.contains(name)).collect();
    assert!(missed.is_empty(), "no instance of {missed:?}");
    let labelled: Vec<(&str, &str, &Instance)> = collected
        .0
        .iter()
        .flat_map(|((rule, theme), all)| all.iter().map(move |instance| (*rule, theme.as_str(), instance)))
        .collect();
    let equations: Vec<(TermId, TermId)> = labelled.iter().map(|(_, _, i)| (i.raw, i.simpler)).collect();
    let answers = refute(&terms, &equations);
    let mut wrong = Vec::new();
    for ((rule, theme, instance), answer) in labelled.iter().zip(&answers) {
        if answer != "unsat" {
            let (raw, simpler) = (smtlib::print(&terms, instance.raw), smtlib::print(&terms, instance.simpler));
            wrong.push(format!("{rule}, {theme}: {answer}\n  {raw}\n  {simpler}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), labelled.len(), wrong.join("\n"));
    assert_eq!(answers.len(), labelled.len());
    println!("{} instances of {} rules", labelled.len(), met.len());
}

/// The shape of random terms: every third is one with floating-point numbers.
fn shape(seed: u64, depth: u32) -> Shape {
    match seed % 3 {
        0 => Shape { depth, widths: vec![1, 8, 32, 64], floats: true, ..Shape::default() },
        _ => Shape { depth, ..Shape::default() },
    }
}

#[test]
fn simplification_keeps_the_value() {
    for seed in 0..6000 {
        let mut terms = Terms::new();
        let mut generator = Generator::new(seed, shape(seed, 4));
        let sort = generator.sort();
        let raw = generator.term(&mut terms, sort);
        let simple = terms.simplify(raw);
        assert_eq!(terms.sort(simple), sort);
        for _ in 0..4 {
            let assignment = generator.assignment(&terms, raw);
            let (expected, found) = (eval(&terms, raw, &assignment), eval(&terms, simple, &assignment));
            let (raw, simple) = (smtlib::print(&terms, raw), smtlib::print(&terms, simple));
            assert_eq!(found, expected, "seed {seed}:\n{raw}\n{simple}\n{assignment:?}");
        }
    }
}

#[test]
fn simplified_terms_stay_as_they_are() {
    for seed in 0..6000 {
        let mut terms = Terms::new();
        let mut generator = Generator::new(seed, shape(seed, 4));
        let sort = generator.sort();
        let raw = generator.term(&mut terms, sort);
        let simple = terms.simplify(raw);
        let again = terms.simplify(simple);
        let (one, two) = (smtlib::print(&terms, simple), smtlib::print(&terms, again));
        assert_eq!(simple, again, "seed {seed}:\n{one}\n{two}");
    }
}

#[test]
fn printed_terms_parse_to_themselves() {
    for seed in 0..4000 {
        let mut terms = Terms::new();
        let mut generator = Generator::new(seed, shape(seed, 5));
        let sort = generator.sort();
        let raw = generator.term(&mut terms, sort);
        let simple = terms.simplify(raw);
        let text = smtlib::print(&terms, simple);
        let read = parse_sexprs(&text).unwrap();
        assert_eq!(terms.parse_term(&read[0], &Default::default()), Ok(simple), "{text}");
    }
}

#[test]
fn long_chains_are_simplified_in_time() {
    let mut terms = Terms::new();
    let count = 100_000;
    let ints: Vec<TermId> = (0..count).map(|i| terms.var(&format!("i{i}"), Sort::Int)).collect();
    let bools: Vec<TermId> = (0..count).map(|i| terms.var(&format!("b{i}"), Sort::Bool)).collect();
    let vectors: Vec<TermId> = (0..count).map(|i| terms.var(&format!("v{i}"), Sort::BitVec(8))).collect();
    let chain = |terms: &mut Terms, op: Op, all: &[TermId]| {
        all.iter().copied().reduce(|a, b| terms.make(op.clone(), &[a, b])).unwrap()
    };
    for (op, all) in [
        (Op::Add, &ints),
        (Op::Mul, &ints),
        (Op::And, &bools),
        (Op::Or, &bools),
        (Op::Eq, &bools),
        (Op::Implies, &bools),
        (Op::BvAdd, &vectors),
        (Op::BvSub, &vectors),
        (Op::BvMul, &vectors),
        (Op::BvXor, &vectors),
        (Op::Concat, &vectors[..500].to_vec()),
    ] {
        let whole = chain(&mut terms, op.clone(), all);
        let again = terms.simplify(whole);
        assert_eq!(whole, again, "{op:?}");
    }
    let array = terms.var("a", Sort::array(Sort::Int, Sort::Int));
    let mut stored = array;
    for (i, element) in ints.iter().enumerate() {
        let index = terms.int(i);
        stored = terms.store(stored, index, *element);
    }
    let first = terms.int(0);
    assert_eq!(terms.select(stored, first), ints[0]);
    let conditions = bools.iter().zip(&ints);
    let ite = conditions.fold(ints[0], |otherwise, (condition, then)| terms.ite(*condition, *then, otherwise));
    let decided = terms.le(ite, first);
    assert_eq!(terms.simplify(decided), decided);
}

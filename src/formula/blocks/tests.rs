//! A block as one formula says what its steps say one after the other.

use super::*;
use crate::formula::encode::Arithmetic;
use crate::formula::memory::Representation;
use crate::generate::program::{ExecutableConfig, Random, generate_executable};
use crate::program::{FileId, text};
use crate::term::{Assignment, Value, eval};

fn blocks<'p>(program: &'p Program, property: &'p Property, terms: &mut Terms, size: BlockSize) -> Blocks<'p> {
    let encoder = Encoder::with_arithmetic(program, terms, Arithmetic::Bits);
    let memory = Memory::new(program, terms, Representation::Chosen);
    Blocks::new(program, property, encoder, memory, size)
}

fn entry(program: &Program, procedure: ProcId) -> [Frame; 1] {
    [Frame { procedure, location: program.procedures[procedure].entry, call: None }]
}

/// A random value of a sort.
fn value(random: &mut Random, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(random.percent(50)),
        Sort::BitVec(width) => Value::BitVec((random.next_u64() % (1 << width.min(20))).into(), width),
        _ => Value::Int((random.next_u64() % 7).into()),
    }
}

/// Where single steps lead, by trying all of them, and what they leave.
fn followed(terms: &Terms, walk: &Walk, node: usize, state: &Assignment, found: &mut Vec<(usize, Assignment)>) {
    for step in &walk.nodes[node].moves {
        let holds = |term| eval(terms, term, state) == Value::Bool(true);
        let updates: &[(Symbol, TermId)] = match &*step.code {
            _ if !holds(step.choice) => continue,
            Code::Plain(transition) if !holds(transition.guard) => continue,
            Code::Plain(transition) => &transition.updates,
            Code::Call { parameters, .. } => parameters,
            Code::Return { result } => result.as_slice(),
        };
        let mut after = state.clone();
        after.extend(updates.iter().map(|&(symbol, term)| (symbol, eval(terms, term, state))));
        match step.to {
            Target::Node(next) => followed(terms, walk, next, &after, found),
            Target::End(end) => found.push((end, after)),
        }
    }
}

#[test]
fn a_block_does_what_its_steps_do() {
    let config = ExecutableConfig { uncounted: 40, ..ExecutableConfig::default() };
    let property = Property::Assert;
    let (mut reached, mut merged) = (0, 0);
    for seed in 0..60 {
        let program = generate_executable(seed, &config);
        let mut random = Random::new(seed);
        let mut terms = Terms::new();
        let mut blocks = blocks(&program, &property, &mut terms, BlockSize::Large);
        let tracked: FxHashSet<Symbol> = match seed % 3 {
            0 => program.globals().filter_map(|global| blocks.symbol(global)).collect(),
            _ => FxHashSet::default(),
        };
        for (procedure, _) in program.procedures.enumerate() {
            let start = entry(&program, procedure);
            let walk = blocks.walk(&mut terms, &start, &[], &tracked, &|| false).expect("it can be expressed");
            merged += walk.ends.iter().filter(|end| end.values.values().any(|v| terms.args(*v).len() == 3)).count();
            for _ in 0..20 {
                let all: Vec<Symbol> = (walk.ends.iter())
                    .flat_map(|end| terms.symbols_of(end.guard.iter().chain(end.values.values()).copied()))
                    .chain(program.variables.enumerate().filter_map(|(id, _)| blocks.symbol(id)))
                    .chain(inputs(&walk))
                    .chain(choices(&terms, &walk))
                    .collect();
                let mut state = Assignment::default();
                for symbol in all {
                    state.entry(symbol).or_insert_with(|| value(&mut random, terms.symbol_sort(symbol)));
                }
                let mut expected = Vec::new();
                followed(&terms, &walk, 0, &state, &mut expected);
                let holds = |end: &End| end.guard.iter().all(|&g| eval(&terms, g, &state) == Value::Bool(true));
                let ends: Vec<usize> = (0..walk.ends.len()).filter(|&end| holds(&walk.ends[end])).collect();
                assert!(expected.len() <= 1, "seed {seed}: two ways at once");
                let expected_ends: Vec<usize> = expected.iter().map(|(end, _)| *end).collect();
                assert_eq!(ends, expected_ends, "seed {seed}\n{}", text::print(&program));
                for (end, after) in expected {
                    reached += 1;
                    for (symbol, term) in &walk.ends[end].values {
                        assert_eq!(eval(&terms, *term, &state), after[symbol], "seed {seed}, {}", terms.name(*symbol));
                    }
                }
            }
        }
    }
    assert!(reached > 500 && merged >= 3, "{reached} reached, {merged} merged");
}

fn inputs(walk: &Walk) -> Vec<Symbol> {
    let steps = walk.nodes.iter().flat_map(|node| &node.moves);
    let inputs = steps.filter_map(|step| match &*step.code {
        Code::Plain(transition) => Some(transition.inputs.iter().map(|input| input.symbol)),
        _ => None,
    });
    inputs.flatten().collect()
}

fn choices(terms: &Terms, walk: &Walk) -> Vec<Symbol> {
    let steps = walk.nodes.iter().flat_map(|node| &node.moves);
    steps.flat_map(|step| terms.symbols_of([step.choice])).collect()
}

const DIAMONDS: &str = "
procedure main() {
  local x: i8
  location L0 entry
  location L1 exit
  location L2
  location L3
  edge L0 -> L2 { havoc x; }
  edge L2 -> L3 { assume x < 0i8; x := -x; }
  edge L2 -> L3 { assume x >= 0i8; }
  edge L3 -> L3 { assume x < 9i8; x := x + 1i8; }
  edge L3 -> L1 { assume x >= 9i8; }
}
main main
";

#[test]
fn cut_points_are_the_heads_of_loops() {
    let program = text::parse(DIAMONDS, FileId::new(0)).expect("the program is valid");
    let property = Property::Assert;
    let mut terms = Terms::new();
    let mut blocks = blocks(&program, &property, &mut terms, BlockSize::Large);
    let cuts: Vec<usize> = (0..4).filter(|&l| blocks.cuts().is_cut(program.main, LocId::new(l))).collect();
    assert_eq!(cuts, [3], "only the loop has a head");
    let start = entry(&program, program.main);
    let walk = blocks.walk(&mut terms, &start, &[], &FxHashSet::default(), &|| false).expect("it can be expressed");
    assert_eq!(walk.ends.len(), 1, "both branches come together before the loop");
    assert!(walk.ends[0].guard.is_empty(), "one of them is always taken");
}

#[test]
fn values_of_tracked_variables_keep_ways_apart() {
    let source =
        DIAMONDS.replace("x := -x;", "x := 1i8;").replace("assume x >= 0i8; }", "assume x >= 0i8; x := 2i8; }");
    let program = text::parse(&source, FileId::new(0)).expect("the program is valid");
    let property = Property::Assert;
    let mut terms = Terms::new();
    let mut blocks = blocks(&program, &property, &mut terms, BlockSize::Large);
    let start = entry(&program, program.main);
    let x = program.locals(program.main).find_map(|local| blocks.symbol(local)).expect("x has a symbol");
    let tracked = FxHashSet::from_iter([x]);
    let ends = |blocks: &mut Blocks<'_>, terms: &mut Terms, tracked: &FxHashSet<Symbol>| {
        blocks.walk(terms, &start, &[], tracked, &|| false).expect("it can be expressed").ends.len()
    };
    assert_eq!(ends(&mut blocks, &mut terms, &tracked), 2);
    assert_eq!(ends(&mut blocks, &mut terms, &FxHashSet::default()), 1);
}

/// How many shapes of memory there are at a loop head, where each round makes an object.
fn shapes_of(body: &str) -> usize {
    let text = format!(
        "pointer_bytes 8 global p: ptr global q: ptr global n: i64 init {{ p := null; q := null; n := 0i64; }}
         procedure main() {{ location a entry location z exit edge a -> a {{ {body} }} edge a -> z {{ }} }}"
    );
    let program = text::parse(&text, FileId::new(0)).expect("it is a program");
    let property = Property::Assert;
    let mut terms = Terms::new();
    let mut blocks = blocks(&program, &property, &mut terms, BlockSize::Large);
    let start = entry(&program, program.main);
    loop {
        let mut shapes = FxHashSet::default();
        let (_, mut values) = blocks.init(&mut terms).expect("it can be expressed");
        for _ in 0..9 {
            let known: Vec<(Symbol, TermId)> = values.into_iter().collect();
            let walk = blocks.walk(&mut terms, &start, &known, &FxHashSet::default(), &|| false);
            let ends = walk.expect("it can be walked").ends.into_iter();
            values = ends.into_iter().find(|end| end.kind == EndKind::Cut).expect("it goes round").values;
            shapes.insert(values[&blocks.memory().shape_symbol()]);
        }
        if !blocks.cells_changed() {
            return shapes.len();
        }
    }
}

#[test]
fn objects_that_nothing_leads_to_are_forgotten() {
    const MAKE: &str = "p := allocate(heap, 16i64, zeroed);";
    assert_eq!(shapes_of(MAKE), 2, "the new one, and the one before");
    assert_eq!(shapes_of(&format!("q := p; {MAKE}")), 4, "two, made at first or later");
    assert_eq!(shapes_of(&format!("q := p; {MAKE} [p] := q; q := ptr[p];")), 9, "each leads to the one before");
    assert_eq!(shapes_of(&format!("{MAKE} n := i64(p);")), 9, "it may come back from a number");
}

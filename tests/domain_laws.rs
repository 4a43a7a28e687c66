//! Every domain keeps the laws of `Domain`, on the states of random executions: the interpreter says what is right.

use std::collections::BTreeSet;
use std::fmt::Debug;
use tandem::concrete::{Inputs, Machine, Outcome, Pointer, Request, Value};
use tandem::domain::{Constants, Domain, Intervals, State, Thresholds};
use tandem::formula::encode::{Arithmetic, Encoder, Transition};
use tandem::generate::program::{ExecutableConfig, Random, generate_executable};
use tandem::program::control::{Action, Flow};
use tandem::program::{Id, Program, ThreadId, Type, VarId};
use tandem::term::eval::{self, Assignment, eval};
use tandem::term::{Integer, Interval, Symbol, Terms};

/// Random inputs, noted down.
struct Noted<'r> {
    random: &'r mut Random,
    given: Vec<Value>,
}

impl Inputs for Noted<'_> {
    fn next(&mut self, request: &Request) -> Option<Value> {
        let n = Integer::from(self.random.below(9) as i64 - 4);
        let value = match request.ty {
            Type::Bool => Value::Bool(!n.is_zero()),
            Type::Int => Value::Int(n),
            Type::Machine(machine) => Value::Int(machine.wrap(&n)),
            Type::Pointer => Value::Pointer(Pointer::NULL),
            Type::Float(kind) => Value::Float(kind.of_integer(&n), kind),
        };
        self.given.push(value.clone());
        Some(value)
    }
}

/// A step of an execution: what the variables were, inputs included, what they are then, and what was done.
struct Taken {
    before: Assignment,
    after: Assignment,
    transition: Transition,
}

fn of_terms(value: &Value, ty: Type, arithmetic: Arithmetic) -> Option<eval::Value> {
    Some(match (value, ty, arithmetic) {
        (Value::Bool(b), ..) => eval::Value::Bool(*b),
        (Value::Int(n), Type::Machine(machine), Arithmetic::Bits) => {
            eval::Value::BitVec(n.wrap_unsigned(machine.width), machine.width)
        }
        (Value::Int(n), ..) => eval::Value::Int(n.clone()),
        (Value::Float(bits, kind), ..) => eval::Value::BitVec(Integer::from(*bits), kind.width()),
        (Value::Undefined | Value::Pointer(_) | Value::Token(_), ..) => return None,
    })
}

fn assignment(machine: &Machine<'_>, encoder: &Encoder<'_>) -> Assignment {
    let (program, thread) = (machine.program(), ThreadId::new(0));
    let known = |variable: VarId| {
        let value = machine.value(thread, variable)?;
        let value = of_terms(&value, program.variables[variable].ty, encoder.arithmetic())?;
        Some((encoder.symbol(variable)?, value))
    };
    let procedure = machine.control().threads[0].frames.last().map(|frame| frame.procedure);
    let locals = procedure.into_iter().flat_map(|procedure| program.locals(procedure));
    program.globals().chain(locals).filter_map(known).collect()
}

/// The steps of a random execution that have formulas.
fn execution(program: &Program, encoder: &Encoder<'_>, terms: &mut Terms, random: &mut Random) -> Vec<Taken> {
    let flow = Flow::of(program);
    let mut machine = Machine::new(program);
    let mut taken = Vec::new();
    if !matches!(machine.start(&mut Noted { random, given: Vec::new() }), Ok(Outcome::Taken)) {
        return taken;
    }
    for _ in 0..30 {
        let steps = machine.control().steps(program, &flow);
        if steps.is_empty() {
            break;
        }
        let step = *random.choose(&steps);
        let mut before = assignment(&machine, encoder);
        let top = machine.control().threads[0].frames.last().copied();
        let mut inputs = Noted { random, given: Vec::new() };
        let Ok(outcome) = machine.step(step, &mut inputs) else { break };
        let (Action::Edge(edge), Some(top), Outcome::Taken) = (step.action, top, outcome) else { continue };
        let Ok(transition) = encoder.edge(terms, top.procedure, edge) else { continue };
        for (input, value) in transition.inputs.iter().zip(&inputs.given) {
            let value = of_terms(value, program.variables[input.variable].ty, encoder.arithmetic());
            before.insert(input.symbol, value.expect("an input is a number or a truth value"));
        }
        taken.push(Taken { before, after: assignment(&machine, encoder), transition });
    }
    taken
}

/// A domain with another way to tell members from others than its formula, which has these symbols.
trait Member: Domain + Debug {
    fn has(&self, terms: &Terms, values: &Assignment, symbols: &BTreeSet<Symbol>) -> bool;
}

/// The value of a symbol; what no variable has is zero, as for the evaluator.
fn value_in(terms: &Terms, values: &Assignment, symbol: Symbol) -> eval::Value {
    values.get(&symbol).cloned().unwrap_or_else(|| eval::Value::zero(terms.symbol_sort(symbol)))
}

impl Member for Constants {
    fn has(&self, terms: &Terms, values: &Assignment, _: &BTreeSet<Symbol>) -> bool {
        let equal = |(symbol, value)| terms.as_value(value) == Some(value_in(terms, values, symbol));
        !self.is_bottom(terms) && self.iter().all(equal)
    }
}

impl Member for Intervals {
    fn has(&self, terms: &Terms, values: &Assignment, symbols: &BTreeSet<Symbol>) -> bool {
        let within = |symbol: Symbol| match value_in(terms, values, symbol) {
            eval::Value::Int(number) => self.get(symbol).contains(&number),
            _ => self.get(symbol) == Interval::ALL,
        };
        !self.is_bottom(terms) && symbols.iter().copied().all(within)
    }
}

impl Member for State {
    fn has(&self, terms: &Terms, values: &Assignment, _: &BTreeSet<Symbol>) -> bool {
        let equal = |&(symbol, value): &(Symbol, _)| terms.as_value(value) == Some(value_in(terms, values, symbol));
        self.values.iter().all(equal)
            && self.literals.iter().all(|literal| eval(terms, *literal, values) == eval::Value::Bool(true))
    }
}

/// Whether a concrete state is one that the abstract one stands for: by its formula, and the other way too.
fn stands_for<D: Member>(state: &D, terms: &mut Terms, values: &Assignment) -> bool {
    let formula = state.formula(terms);
    let symbols = terms.symbols_of([formula]).into_iter().chain(values.keys().copied()).collect();
    let holds = eval(terms, formula, values) == eval::Value::Bool(true);
    assert_eq!(holds, state.has(terms, values, &symbols), "the formula of {state:?} in {values:?}");
    holds
}

/// A random abstract state that stands for a concrete one, and perhaps for others that were met.
fn abstraction<D: Domain>(terms: &mut Terms, random: &mut Random, values: &Assignment, others: &[D]) -> D {
    let mut state = D::top();
    let mut symbols: Vec<(&Symbol, &eval::Value)> = values.iter().collect();
    symbols.sort_by_key(|(symbol, _)| **symbol);
    for (symbol, value) in symbols {
        if random.percent(70) {
            let (name, value) = (terms.of_symbol(*symbol), terms.of_value(value));
            let equation = terms.eq(name, value);
            state.assume(terms, equation);
        }
    }
    match others {
        [] => state,
        _ if random.once_in(2) => state,
        others => state.join(terms, random.choose(others)),
    }
}

/// Each step leads from what an abstract state stands for to what its post stands for.
fn steps_are_followed<D: Member>(arithmetic: Arithmetic, seed: u64) -> Vec<(D, Assignment)> {
    let random = &mut Random::new(seed);
    let widths = vec![1, 3, 8, 32];
    let config = ExecutableConfig { mathematical: true, depth: 3, widths, ..ExecutableConfig::default() };
    let program = generate_executable(seed, &config);
    let terms = &mut Terms::new();
    let encoder = Encoder::with_arithmetic(&program, terms, arithmetic);
    let (mut states, mut met): (Vec<D>, Vec<(D, Assignment)>) = Default::default();
    for Taken { before, after, transition } in execution(&program, &encoder, terms, random) {
        let state = abstraction(terms, random, &before, &states);
        assert!(stands_for(&state, terms, &before), "{state:?} was made for {before:?}");
        let mut ranges: Vec<_> = before.keys().filter_map(|symbol| encoder.in_range(terms, *symbol)).collect();
        ranges.extend(transition.inputs.iter().filter_map(|input| encoder.input_in_range(terms, input)));
        let post = state.post(terms, &transition, &ranges);
        let mut values = before.clone();
        values.extend(after);
        assert!(stands_for(&post, terms, &values), "seed {seed}: {state:?} to {post:?} by {transition:?}");
        let mut assumed = state.clone();
        assumed.assume(terms, transition.guard);
        assert!(stands_for(&assumed, terms, &before), "seed {seed}: {assumed:?}");
        let targets: Vec<Symbol> = values.keys().copied().filter(|_| random.once_in(3)).collect();
        let mut forgot = post.clone();
        forgot.forget(terms, &targets);
        let changed = |symbol: &Symbol, terms: &Terms| eval::Value::zero(terms.symbol_sort(*symbol));
        let elsewhere = targets.iter().map(|symbol| (*symbol, changed(symbol, terms)));
        let elsewhere: Vec<(Symbol, eval::Value)> = elsewhere.collect();
        let mut others = values.clone();
        others.extend(elsewhere);
        assert!(stands_for(&forgot, terms, &others), "seed {seed}: {forgot:?} after {targets:?} are forgotten");
        states.extend([state, post.clone(), forgot]);
        met.push((post, values));
    }
    order_is_kept(terms, random, &states, &met);
    met
}

/// `leq` is a partial order and says the truth; joins and widenings are upper bounds; chains of widenings end.
fn order_is_kept<D: Member>(terms: &mut Terms, random: &mut Random, states: &[D], met: &[(D, Assignment)]) {
    let thresholds = Thresholds::new([-3, 0, 7].map(Integer::from));
    for _ in 0..states.len().min(30) {
        let [a, b, c] = [(); 3].map(|()| random.choose(states));
        assert!(a.leq(terms, a) && a.leq(terms, &D::top()));
        let (below, back) = (a.leq(terms, b), b.leq(terms, a));
        assert!(!below || !b.leq(terms, c) || a.leq(terms, c), "{a:?} {b:?} {c:?}");
        for bound in [a.join(terms, b), a.widen(terms, b, &thresholds)] {
            assert!(a.leq(terms, &bound) && b.leq(terms, &bound), "{bound:?} is above {a:?} and {b:?}");
        }
        for (_, values) in met {
            let (in_a, in_b) = (stands_for(a, terms, values), stands_for(b, terms, values));
            assert!(!below || !in_a || in_b, "{a:?} is below {b:?}");
            assert!(!(below && back) || in_a == in_b, "{a:?} is {b:?}");
        }
    }
    let Some(mut chain) = states.first().cloned() else { return };
    let mut changes = 0;
    for _ in 0..300 {
        let next = chain.widen(terms, random.choose(states), &thresholds);
        changes += usize::from(next != chain);
        chain = next;
    }
    assert!(changes <= 100, "widening goes on");
}

fn laws<D: Member>() {
    let mut followed = 0;
    for seed in 0..150 {
        for arithmetic in [Arithmetic::Integers, Arithmetic::Bits] {
            let met = steps_are_followed::<D>(arithmetic, seed);
            followed += met.iter().filter(|(post, _)| *post != D::top()).count();
        }
    }
    assert!(followed > 1_000, "only {followed} steps were followed that something is known of");
}

#[test]
fn constants_keep_the_laws() {
    laws::<Constants>();
}

#[test]
fn intervals_keep_the_laws() {
    laws::<Intervals>();
}

#[test]
fn predicates_keep_the_laws() {
    laws::<State>();
}

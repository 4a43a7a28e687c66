//! The meanings of a block agree: the formulas that `encode` makes of it, over bit-vectors and over integers, evaluated,
//! and the interpreter.

use tandem::concrete::{Inputs, Machine, Outcome, Request, Value};
use tandem::formula::encode::{Arithmetic, Encoder, Transition};
use tandem::generate::program::{ExecutableConfig, GenerateConfig, Random, generate, generate_executable};
use tandem::program::control::{Action, Flow, Step};
use tandem::program::{Id, Program, ThreadId, Type, VarId};
use tandem::term::eval::{self, Assignment, eval};
use tandem::term::{Integer, Terms};

/// Random inputs, noted down.
struct Noted<'r> {
    random: &'r mut Random,
    given: Vec<Value>,
}

impl Inputs for Noted<'_> {
    fn next(&mut self, request: &Request) -> Option<Value> {
        let value = random_value(self.random, request.ty);
        self.given.push(value.clone());
        Some(value)
    }
}

fn random_value(random: &mut Random, ty: Type) -> Value {
    let n = match random.below(4) {
        0 => Integer::from(random.next_u64()),
        _ => Integer::from(random.below(7) as i64 - 3),
    };
    match ty {
        Type::Bool => Value::Bool(!n.is_zero()),
        Type::Int => Value::Int(n),
        Type::Machine(machine) => Value::Int(machine.wrap(&n)),
        Type::Pointer => Value::Pointer(tandem::concrete::Pointer::NULL),
        Type::Float(kind) if random.once_in(3) => Value::Float(random.next_u64() >> (64 - kind.width()), kind),
        Type::Float(kind) => Value::Float(kind.of_integer(&n), kind),
    }
}

/// The value as the evaluator of terms has it; nothing for pointers and what is undefined.
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

/// The values of all variables that the thread sees.
fn assignment(machine: &Machine<'_>, encoder: &Encoder<'_>, thread: ThreadId) -> Assignment {
    let program = machine.program();
    let known = |variable: VarId| {
        let value = machine.value(thread, variable)?;
        let value = of_terms(&value, program.variables[variable].ty, encoder.arithmetic())?;
        Some((encoder.symbol(variable)?, value))
    };
    let procedure = machine.control().threads[thread.index()].frames.last().map(|f| f.procedure);
    let locals = procedure.into_iter().flat_map(|p| program.locals(p));
    program.globals().chain(locals).filter_map(known).collect()
}

/// How many steps were compared.
#[derive(Default, Debug)]
struct Compared {
    exact: usize,
    abstracted: usize,
}

/// Takes the step in the interpreter and by formulas.
fn take(
    machine: &mut Machine<'_>,
    encoders: &[Encoder<'_>],
    terms: &mut Terms,
    step: Step,
    random: &mut Random,
    compared: &mut Compared,
) {
    let before: Vec<Assignment> = encoders.iter().map(|encoder| assignment(machine, encoder, step.thread)).collect();
    let frame = machine.control().threads[step.thread.index()].frames.last().copied();
    let mut inputs = Noted { random, given: Vec::new() };
    let Ok(outcome) = machine.step(step, &mut inputs) else { return };
    let given = inputs.given;
    let taken = outcome == Outcome::Taken;
    let (Action::Edge(edge), Some(frame)) = (step.action, frame) else { return };
    for (encoder, before) in encoders.iter().zip(before) {
        let after = assignment(machine, encoder, step.thread);
        if let Ok(transition) = encoder.edge(terms, frame.procedure, edge) {
            let before = with_inputs(before.clone(), encoder, &transition, &given, machine.program());
            in_range(encoder, terms, &transition, &before);
            if given.len() < transition.inputs.len() {
                // The interpreter stopped at a condition before it read them all; the formula has to be false whatever
                // they are.
                assert!(!taken);
            }
            assert_eq!(eval(terms, transition.guard, &before), eval::Value::Bool(taken), "guard");
            if taken {
                same_values(terms, &transition, &before, &after);
            }
            compared.exact += 1;
        }
        match encoder.abstract_edge(terms, frame.procedure, edge) {
            // Where a symbol stands for what is not modelled its value is unknown here.
            Ok((transition, _)) if taken && transition.unmodelled.is_empty() => {
                let before = with_inputs(before, encoder, &transition, &given, machine.program());
                assert_eq!(eval(terms, transition.guard, &before), eval::Value::Bool(true), "guard");
                same_values(terms, &transition, &before, &after);
                compared.abstracted += 1;
            }
            _ => {}
        }
    }
}

/// The assignment with the inputs that have a symbol.
fn with_inputs(
    mut before: Assignment,
    encoder: &Encoder<'_>,
    transition: &Transition,
    given: &[Value],
    program: &Program,
) -> Assignment {
    let given = given.iter().filter(|value| !matches!(value, Value::Pointer(_)));
    for (input, value) in transition.inputs.iter().zip(given) {
        let value = of_terms(value, program.variables[input.variable].ty, encoder.arithmetic());
        before.insert(input.symbol, value.expect("an input is a number or a truth value"));
    }
    before
}

/// The ranges that encoders give hold of the values in an execution.
fn in_range(encoder: &Encoder<'_>, terms: &mut Terms, transition: &Transition, values: &Assignment) {
    let mut ranges: Vec<_> = values.keys().filter_map(|symbol| encoder.in_range(terms, *symbol)).collect();
    let known = transition.inputs.iter().filter(|input| values.contains_key(&input.symbol));
    ranges.extend(known.filter_map(|input| encoder.input_in_range(terms, input)));
    for range in ranges {
        assert_eq!(eval(terms, range, values), eval::Value::Bool(true), "range");
    }
}

/// Variables have the values after the step that the transition leaves, and others what they had.
fn same_values(terms: &Terms, transition: &Transition, before: &Assignment, after: &Assignment) {
    let updates = transition.update_map();
    for (symbol, value) in after {
        match updates.get(symbol) {
            Some(update) => assert_eq!(eval(terms, *update, before), *value, "{}", terms.name(*symbol)),
            None => assert_eq!(before.get(symbol), Some(value), "{}", terms.name(*symbol)),
        }
    }
}

fn walk(program: &Program, seed: u64, compared: &mut Compared) {
    let random = &mut Random::new(seed);
    let flow = Flow::of(program);
    let mut terms = Terms::new();
    let encoders = [Arithmetic::Bits, Arithmetic::Integers]
        .map(|arithmetic| Encoder::with_arithmetic(program, &mut terms, arithmetic));
    let mut machine = Machine::new(program);
    let mut inputs = Noted { random, given: Vec::new() };
    if !matches!(machine.start(&mut inputs), Ok(Outcome::Taken)) {
        return;
    }
    for _ in 0..30 {
        let steps = machine.control().steps(program, &flow);
        if steps.is_empty() {
            break;
        }
        let step = *random.choose(&steps);
        take(&mut machine, &encoders, &mut terms, step, random, compared);
    }
}

#[test]
fn formulas_and_execution_agree() {
    let mut compared = Compared::default();
    let wide = ExecutableConfig { mathematical: true, depth: 3, widths: vec![5, 8, 32, 64, 128], ..Default::default() };
    for seed in 0..300 {
        walk(&generate_executable(seed, &wide), seed, &mut compared);
    }
    let floats = ExecutableConfig { floats: true, depth: 3, widths: vec![1, 8, 32, 64], ..Default::default() };
    for seed in 0..1000 {
        walk(&generate_executable(seed, &floats), seed, &mut compared);
    }
    for seed in 0..1500 {
        walk(&generate_executable(seed, &ExecutableConfig::default()), seed, &mut compared);
        walk(&generate(seed, &GenerateConfig::default()), seed, &mut compared);
    }
    assert!(compared.exact > 10_000, "much is compared: {compared:?}");
    assert!(compared.abstracted > compared.exact / 2, "much is compared: {compared:?}");
}

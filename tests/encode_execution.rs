//! The two meanings of a block agree: the formula that `encode` makes of it, evaluated, and the interpreter.

use tandem::concrete::{Inputs, Machine, Outcome, Request, Value};
use tandem::program::control::{Action, Flow, Step};
use tandem::program::encode::{Encoder, Transition};
use tandem::program::generate::{ExecutableConfig, GenerateConfig, Random, generate, generate_executable};
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
        Type::Float(kind) => Value::Float(kind.of_integer(&n), kind),
    }
}

/// The value as the evaluator of terms has it; nothing for pointers, floating-point numbers and what is undefined.
fn of_terms(value: &Value, ty: Type) -> Option<eval::Value> {
    Some(match (value, ty) {
        (Value::Bool(b), _) => eval::Value::Bool(*b),
        (Value::Int(n), Type::Machine(machine)) => eval::Value::BitVec(n.wrap_unsigned(machine.width), machine.width),
        (Value::Int(n), _) => eval::Value::Int(n.clone()),
        (Value::Undefined | Value::Pointer(_) | Value::Float(..), _) => return None,
    })
}

/// The values of all variables that the thread sees.
fn assignment(machine: &Machine<'_>, encoder: &Encoder<'_>, thread: ThreadId) -> Assignment {
    let program = machine.program();
    let known = |variable: VarId| {
        let value = machine.value(thread, variable)?;
        Some((encoder.symbol(variable)?, of_terms(&value, program.variables[variable].ty)?))
    };
    let procedure = machine.control().threads[thread.index()].frames.last().map(|f| f.procedure);
    let locals = procedure.into_iter().flat_map(|p| program.locals(p));
    program.globals().chain(locals).filter_map(known).collect()
}

/// Takes the step both ways. Tells whether the interpreter took it, and whether there was something to compare.
fn take(
    machine: &mut Machine<'_>,
    encoder: &Encoder<'_>,
    terms: &mut Terms,
    step: Step,
    random: &mut Random,
) -> (bool, bool) {
    let before = assignment(machine, encoder, step.thread);
    let frame = machine.control().threads[step.thread.index()].frames.last().copied();
    let mut inputs = Noted { random, given: Vec::new() };
    let Ok(outcome) = machine.step(step, &mut inputs) else { return (false, false) };
    let given = inputs.given;
    let taken = outcome == Outcome::Taken;
    let (Action::Edge(edge), Some(frame)) = (step.action, frame) else { return (taken, false) };
    let Ok(transition) = encoder.edge(terms, frame.procedure, edge) else { return (taken, false) };
    compare(machine, encoder, terms, &transition, before, &given, taken, step.thread);
    (taken, true)
}

#[allow(clippy::too_many_arguments)]
fn compare(
    machine: &Machine<'_>,
    encoder: &Encoder<'_>,
    terms: &Terms,
    transition: &Transition,
    mut before: Assignment,
    given: &[Value],
    taken: bool,
    thread: ThreadId,
) {
    let program = machine.program();
    for (input, value) in transition.inputs.iter().zip(given) {
        let value =
            of_terms(value, program.variables[input.variable].ty).expect("an input is a number or a truth value");
        before.insert(input.symbol, value);
    }
    if given.len() < transition.inputs.len() {
        // The interpreter stopped at a condition before it read them all; the formula has to be false whatever they are.
        assert!(!taken);
    }
    assert_eq!(eval(terms, transition.guard, &before), eval::Value::Bool(taken), "guard");
    if taken {
        for (symbol, update) in &transition.updates {
            let variable = encoder.variable(*symbol).expect("updates are of variables");
            let after = machine.value(thread, variable).and_then(|v| of_terms(&v, program.variables[variable].ty));
            assert_eq!(Some(eval(terms, *update, &before)), after, "{}", program.variables[variable].name);
        }
    }
}

fn walk(program: &Program, seed: u64) -> usize {
    let random = &mut Random::new(seed);
    let flow = Flow::of(program);
    let mut terms = Terms::new();
    let encoder = Encoder::new(program, &mut terms);
    let mut machine = Machine::new(program);
    let mut inputs = Noted { random, given: Vec::new() };
    if !matches!(machine.start(&mut inputs), Ok(Outcome::Taken)) {
        return 0;
    }
    let mut compared = 0;
    for _ in 0..30 {
        let steps = machine.control().steps(program, &flow);
        if steps.is_empty() {
            break;
        }
        let step = *random.choose(&steps);
        compared += usize::from(take(&mut machine, &encoder, &mut terms, step, random).1);
    }
    compared
}

#[test]
fn formulas_and_execution_agree() {
    let mut compared = 0;
    for seed in 0..1500 {
        compared += walk(&generate_executable(seed, &ExecutableConfig::default()), seed);
        compared += walk(&generate(seed, &GenerateConfig::default()), seed);
    }
    assert!(compared > 5000, "much is compared: {compared}");
}

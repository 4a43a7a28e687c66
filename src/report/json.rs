//! The report for programs: one JSON document, described by `docs/result.schema.json`. Only this file, and `part.rs` for one line, know JSON.
//!
//! Numbers of the program are JSON numbers within ±(2^53 - 1), where every reader keeps them exactly, and strings
//! of decimal digits beyond. A value that was never written is `null`; a pointer is an object.

use super::place::{Place, Places, input_name};
use super::properties::{self, Known};
use super::tried::{Account, Taken, taken_for_granted};
use super::{Outcome, RemarkSummary, TaskSummary, reason};
use crate::concrete::{Change, HeldLock, Input, Pointer, ReplayedStep, Situation, Trace, TraceStep, Value};
use crate::confirm::{
    CheckedProof, ErrorSearch, ProofMethod, ReplayedTrace, StatedCase, StatedLoop, StatedProcedure, Verdict,
};
use crate::engine::Statistics;
use crate::program::control::{Action, Step};
use crate::program::{
    EdgeId, ErrorKind, FloatKind, Id, ProcId, Program, SourceFiles, Span, ThreadId, UnknownErrorKind,
};
use crate::term::Integer;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The whole document.
#[derive(Debug, Serialize)]
struct Document<'a> {
    version: &'static str,
    verdict: &'static str,
    reason: String,
    program: Option<&'a str>,
    files: &'a [String],
    property: Option<&'a str>,
    properties: Vec<PropertyDocument>,
    engine: &'a str,
    seconds: f64,
    statistics: &'a Statistics,
    tried: Vec<Account>,
    proof: Option<ProofDocument<'a>>,
    assumptions: Vec<AssumptionDocument>,
    remarks: Vec<AssumptionDocument>,
    initial: Vec<ValueDocument>,
    inputs: Vec<InputDocument>,
    trace: Vec<StepDocument>,
    violation: Option<ViolationDocument>,
    other_errors: Vec<ErrorDocument>,
    /// Whether there are no others; nothing, where none were looked for.
    all_errors: Option<bool>,
}

/// Another error, where more than the first was asked for.
#[derive(Debug, Serialize)]
struct ErrorDocument {
    initial: Vec<ValueDocument>,
    inputs: Vec<InputDocument>,
    trace: Vec<StepDocument>,
    violation: ViolationDocument,
}

/// What is known of one of the properties.
#[derive(Debug, Serialize)]
struct PropertyDocument {
    name: String,
    verdict: &'static str,
}

#[derive(Debug, Serialize)]
struct ProofDocument<'a> {
    kind: &'static str,
    /// States of the set, or locations with an invariant.
    size: usize,
    checked_by: &'a str,
    loop_invariants: Vec<LoopDocument>,
    summaries: Vec<SummaryDocument>,
}

/// What holds at a loop head.
#[derive(Debug, Serialize)]
struct LoopDocument {
    procedure: String,
    place: Option<PlaceDocument>,
    invariant: String,
}

/// What a recursive procedure requires and ensures.
#[derive(Debug, Serialize)]
struct SummaryDocument {
    procedure: String,
    place: Option<PlaceDocument>,
    cases: Vec<CaseDocument>,
}

#[derive(Debug, Serialize)]
struct CaseDocument {
    requires: String,
    /// `false` where the procedure does not return.
    ensures: String,
}

#[derive(Debug, Serialize)]
struct AssumptionDocument {
    text: String,
    place: Option<PlaceDocument>,
}

#[derive(Debug, Serialize, Deserialize)]
struct PlaceDocument {
    file: String,
    line: usize,
    column: usize,
    text: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct ValueDocument {
    variable: String,
    value: Json,
}

#[derive(Debug, Serialize, Deserialize)]
struct InputDocument {
    /// 0 for an input of the initial state, else the number of the step that read it.
    step: usize,
    variable: String,
    value: Json,
    place: Option<PlaceDocument>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StepDocument {
    step: usize,
    #[serde(flatten)]
    taken: StepTaken,
    place: Option<PlaceDocument>,
    inputs: Vec<ValueDocument>,
    changes: Vec<ChangeDocument>,
    /// Everything that the step was given: the inputs, and which thread a notification chose.
    given: Vec<Json>,
}

/// Which step it is, for a reader that knows the program.
#[derive(Debug, Serialize, Deserialize)]
struct StepTaken {
    thread: usize,
    action: ActionName,
    procedure: String,
    edge: Option<usize>,
    label: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ActionName {
    Edge,
    Return,
    Wake,
}

#[derive(Debug, Serialize, Deserialize)]
struct ChangeDocument {
    variable: String,
    before: Json,
    after: Json,
}

#[derive(Debug, Serialize, Deserialize)]
struct ViolationDocument {
    kind: String,
    message: String,
    place: Option<PlaceDocument>,
    /// The step that enters the error location, where one does.
    entered_by: Option<EnteredBy>,
    /// The threads of a data race or a deadlock.
    #[serde(default)]
    threads: Vec<ThreadDocument>,
}

/// Where a thread is that races with another or waits for one.
#[derive(Debug, Serialize, Deserialize)]
struct ThreadDocument {
    thread: usize,
    does: String,
    /// The number of the thread that it waits for.
    waits_for: Option<usize>,
    /// The innermost activation first.
    stack: Vec<FrameDocument>,
    locks: Vec<LockDocument>,
}

#[derive(Debug, Serialize, Deserialize)]
struct FrameDocument {
    procedure: String,
    place: Option<PlaceDocument>,
}

#[derive(Debug, Serialize, Deserialize)]
struct LockDocument {
    name: String,
    /// Where it was taken.
    place: Option<PlaceDocument>,
}

#[derive(Debug, Serialize, Deserialize)]
struct EnteredBy {
    #[serde(flatten)]
    taken: StepTaken,
    given: Vec<Json>,
}

/// The document, on several lines.
pub fn document(outcome: &Outcome) -> String {
    let mut document = Document {
        version: env!("CARGO_PKG_VERSION"),
        verdict: outcome.verdict.name(),
        reason: reason(outcome.verdict),
        program: outcome.summary.map(|summary| summary.name.as_str()),
        files: outcome.files,
        property: outcome.summary.map(|summary| summary.property.as_str()),
        properties: property_documents(outcome),
        engine: outcome.engine,
        seconds: (outcome.seconds * 1e6).round() / 1e6,
        statistics: outcome.statistics,
        tried: if outcome.accounts.is_empty() {
            Account::of(outcome).into_iter().collect()
        } else {
            outcome.accounts.to_vec()
        },
        proof: None,
        assumptions: taken_for_granted(outcome).into_iter().map(AssumptionDocument::from).collect(),
        remarks: outcome.summary.map_or(Vec::new(), remark_documents),
        initial: Vec::new(),
        inputs: Vec::new(),
        trace: Vec::new(),
        violation: None,
        other_errors: Vec::new(),
        all_errors: None,
    };
    match (outcome.verdict, outcome.task) {
        (Verdict::Safe(proof), task) => document.proof = Some(proof_document(proof, task.map(|task| &task.program))),
        (Verdict::Unsafe(trace), Some(task)) => {
            let ErrorDocument { initial, inputs, trace: steps, violation } = error_document(&task.program, trace);
            (document.initial, document.inputs, document.trace) = (initial, inputs, steps);
            document.violation = Some(violation);
            document.other_errors = trace.others().iter().map(|other| error_document(&task.program, other)).collect();
            document.all_errors = trace.search().map(|search| *search == ErrorSearch::Complete);
        }
        (Verdict::Unsafe(_), None) | (Verdict::Unknown(_), _) => {}
    }
    serde_json::to_string_pretty(&document).expect("the document has string keys and finite numbers only")
}

fn property_documents(outcome: &Outcome) -> Vec<PropertyDocument> {
    let document = |(name, known): (String, Known)| PropertyDocument { name, verdict: known.verdict() };
    properties::known(outcome).into_iter().map(document).collect()
}

fn proof_document<'a>(proof: &'a CheckedProof, program: Option<&Program>) -> ProofDocument<'a> {
    let (kind, size) = match proof.method() {
        ProofMethod::ReachedStates(states) => ("reached-states", states),
        ProofMethod::FollowedExecutions(states) => ("followed-executions", states),
        ProofMethod::LocationInvariants(locations) => ("location-invariants", locations),
        ProofMethod::CutInvariants(states) => ("cut-invariants", states),
        ProofMethod::ThreadModular(facts) => ("thread-modular", facts),
        ProofMethod::Shapes(shapes) => ("shapes", shapes),
        ProofMethod::Unrolling(states) => ("unrolling", states),
    };
    let mut document =
        ProofDocument { kind, size, checked_by: proof.checker(), loop_invariants: Vec::new(), summaries: Vec::new() };
    let Some(program) = program else { return document };
    for StatedLoop { procedure, location, invariant } in &proof.stated().loops {
        let procedure = &program.procedures[*procedure];
        document.loop_invariants.push(LoopDocument {
            procedure: procedure.name.clone(),
            place: place(&program.sources, procedure.locations[*location].span),
            invariant: invariant.to_string(),
        });
    }
    for StatedProcedure { procedure, cases } in &proof.stated().procedures {
        let procedure = &program.procedures[*procedure];
        let case =
            |case: &StatedCase| CaseDocument { requires: case.requires.to_string(), ensures: case.ensures.to_string() };
        document.summaries.push(SummaryDocument {
            procedure: procedure.name.clone(),
            place: place(&program.sources, procedure.span),
            cases: cases.iter().map(case).collect(),
        });
    }
    document
}

fn remark_documents(task: &TaskSummary) -> Vec<AssumptionDocument> {
    let document = |remark: &RemarkSummary| AssumptionDocument {
        text: remark.text.clone(),
        place: remark.place().map(PlaceDocument::from),
    };
    task.remarks.iter().map(document).collect()
}

impl From<Taken> for AssumptionDocument {
    fn from(Taken { text, place }: Taken) -> AssumptionDocument {
        AssumptionDocument { text, place: place.as_ref().map(|at| at.place().into()) }
    }
}

/// Of an execution of more steps, those in the middle have neither a place nor what they changed.
const MAX_DETAILED: usize = 20_000;

fn error_document(program: &Program, trace: &ReplayedTrace) -> ErrorDocument {
    let replay = trace.replay();
    let places = Places::new(&program.sources);
    let place = |span| places.of(span).map(PlaceDocument::from);
    let variable = |id| program.variables[id].name.clone();
    let value = |id, of: &Value| ValueDocument { variable: variable(id), value: value_to_json(of) };
    let input = |step: usize, input: &Input| InputDocument {
        step,
        variable: input_name(program, input).to_owned(),
        value: value_to_json(&input.value),
        place: place(input.span),
    };
    let change = |change: &Change| ChangeDocument {
        variable: variable(change.variable),
        before: value_to_json(&change.before),
        after: value_to_json(&change.after),
    };
    let mut inputs: Vec<InputDocument> = replay.initial_inputs.iter().map(|i| input(0, i)).collect();
    let mut steps = Vec::new();
    for (index, step) in replay.steps.iter().enumerate() {
        inputs.extend(step.inputs.iter().map(|i| input(index + 1, i)));
        // The middle of a very long execution can be replayed, but hardly read.
        let detailed = index < MAX_DETAILED / 2 || index + MAX_DETAILED / 2 >= replay.steps.len();
        let changes = if detailed { step.changes.as_slice() } else { &[] };
        steps.push(StepDocument {
            step: index + 1,
            taken: step_taken(program, step.procedure, step.step),
            place: if detailed { place(step_span(program, step)) } else { None },
            inputs: (step.inputs.iter())
                .map(|i| ValueDocument { variable: input_name(program, i).to_owned(), value: value_to_json(&i.value) })
                .collect(),
            changes: changes.iter().map(change).collect(),
            given: given(trace.trace().steps.get(index)),
        });
    }
    let violation = &replay.violation;
    let last = trace.trace().steps.get(replay.steps.len());
    let violation = ViolationDocument {
        kind: violation.failure.kind.to_string(),
        message: violation.failure.message.clone(),
        place: place(violation.span),
        entered_by: last.zip(violation.place).map(|(last, (procedure, _))| EnteredBy {
            taken: step_taken(program, procedure, last.step),
            given: given(Some(last)),
        }),
        threads: violation.threads.iter().map(|thread| thread_document(program, thread)).collect(),
    };
    let initial = replay.initial.iter().map(|(id, v)| value(*id, v)).collect();
    ErrorDocument { initial, inputs, trace: steps, violation }
}

fn thread_document(program: &Program, situation: &Situation) -> ThreadDocument {
    let place = |span| place(&program.sources, span);
    let frame = |(procedure, span): &(ProcId, Option<Span>)| FrameDocument {
        procedure: program.procedures[*procedure].name.clone(),
        place: place(*span),
    };
    let lock = |lock: &HeldLock| LockDocument { name: lock.name.clone(), place: place(lock.taken) };
    ThreadDocument {
        thread: situation.thread.index(),
        does: situation.doing.to_string(),
        waits_for: situation.waits_for().map(Id::index),
        stack: situation.stack.iter().map(frame).collect(),
        locks: situation.locks.iter().map(lock).collect(),
    }
}

fn given(step: Option<&TraceStep>) -> Vec<Json> {
    step.map(|step| step.inputs.iter().map(value_to_json).collect()).unwrap_or_default()
}

fn step_taken(program: &Program, procedure: ProcId, step: Step) -> StepTaken {
    let procedure = &program.procedures[procedure];
    let (action, edge) = match step.action {
        Action::Edge(edge) => (ActionName::Edge, Some(edge)),
        Action::Return => (ActionName::Return, None),
        Action::Wake => (ActionName::Wake, None),
    };
    StepTaken {
        thread: step.thread.index(),
        action,
        procedure: procedure.name.clone(),
        edge: edge.map(Id::index),
        label: edge.and_then(|edge| procedure.edges[edge].label.clone()),
    }
}

fn step_span(program: &Program, step: &ReplayedStep) -> Option<Span> {
    program.procedures[step.procedure].edges.get(step.edge?)?.span
}

fn place(sources: &SourceFiles, span: Option<Span>) -> Option<PlaceDocument> {
    Place::of(sources, span).map(PlaceDocument::from)
}

impl From<Place<'_>> for PlaceDocument {
    fn from(place: Place<'_>) -> PlaceDocument {
        PlaceDocument {
            file: place.file.to_owned(),
            line: place.line,
            column: place.column,
            text: place.text.to_owned(),
        }
    }
}

/// The greatest number that every JSON reader keeps exactly.
const GREATEST_EXACT: i64 = (1 << 53) - 1;

fn value_to_json(value: &Value) -> Json {
    match value {
        Value::Undefined => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(number) => match number.to_i64() {
            Some(small) if (-GREATEST_EXACT..=GREATEST_EXACT).contains(&small) => Json::from(small),
            _ => Json::String(number.to_string()),
        },
        Value::Float(bits, kind) => serde_json::json!({ "type": kind.to_string(), "number": kind.print(*bits) }),
        Value::Token(token) => serde_json::json!({ "token": token.name() }),
        Value::Pointer(pointer) => serde_json::json!({ "object": pointer.object, "offset": pointer.offset }),
    }
}

/// Why a document holds no trace that can be replayed.
#[derive(Debug, thiserror::Error)]
pub enum NoTrace {
    /// It is not the JSON that `tandem verify --json` writes.
    #[error("this is not a result of `tandem verify --json`: {0}")]
    Malformed(#[from] serde_json::Error),
    /// The verdict was another one.
    #[error("the verdict of this result is {0}, so there is no counterexample to replay")]
    NotUnsafe(String),
    /// A value that no variable can have.
    #[error("{0} is no value")]
    BadValue(Json),
    /// An error that cannot be.
    #[error(transparent)]
    BadKind(#[from] UnknownErrorKind),
    /// A step of another program.
    #[error("step {0} takes an edge that the program does not have: the result is of another program")]
    OtherProgram(usize),
}

/// The part of a document that replay needs.
#[derive(Debug, Deserialize)]
struct ReadDocument {
    verdict: String,
    inputs: Vec<InputDocument>,
    trace: Vec<StepDocument>,
    violation: Option<ViolationDocument>,
}

/// Of a document, only what was asked.
#[derive(Debug, Deserialize)]
struct AskedDocument {
    property: Option<String>,
}

/// The properties that a result is about, by their short names.
pub fn read_property(text: &str) -> Option<String> {
    serde_json::from_str::<AskedDocument>(text).ok()?.property
}

/// A counterexample that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counterexample {
    /// The execution.
    pub trace: Trace,
    /// What goes wrong at its end.
    pub kind: ErrorKind,
}

/// The counterexample in a document that [`document`] wrote for the same program.
///
/// # Errors
/// Where there is none in it.
pub fn read_counterexample(text: &str, program: &Program) -> Result<Counterexample, NoTrace> {
    let read: ReadDocument = serde_json::from_str(text)?;
    let Some(violation) = read.violation.filter(|_| read.verdict == "unsafe") else {
        return Err(NoTrace::NotUnsafe(read.verdict));
    };
    let values = |given: &[Json]| given.iter().map(value_from_json).collect::<Result<Vec<_>, _>>();
    let at_start: Vec<Json> = read.inputs.into_iter().filter(|i| i.step == 0).map(|i| i.value).collect();
    let mut steps = Vec::new();
    for step in &read.trace {
        let inputs = values(&step.given)?;
        steps.push(TraceStep { step: read_step(program, &step.taken, step.step)?, inputs });
    }
    if let Some(last) = &violation.entered_by {
        let inputs = values(&last.given)?;
        steps.push(TraceStep { step: read_step(program, &last.taken, steps.len() + 1)?, inputs });
    }
    let trace = Trace { initial_inputs: values(&at_start)?, steps };
    Ok(Counterexample { trace, kind: violation.kind.parse()? })
}

fn read_step(program: &Program, taken: &StepTaken, number: usize) -> Result<Step, NoTrace> {
    let other = || NoTrace::OtherProgram(number);
    let procedure = program.find_procedure(&taken.procedure).ok_or_else(other)?;
    let action = match taken.action {
        ActionName::Return => Action::Return,
        ActionName::Wake => Action::Wake,
        ActionName::Edge => {
            let index =
                taken.edge.filter(|&index| index < program.procedures[procedure].edges.len()).ok_or_else(other)?;
            let edge = EdgeId::new(index);
            if program.procedures[procedure].edges[edge].label != taken.label {
                return Err(other());
            }
            Action::Edge(edge)
        }
    };
    let thread = u32::try_from(taken.thread).map_err(|_| other())?;
    Ok(Step { thread: ThreadId::new(thread as usize), action })
}

fn value_from_json(json: &Json) -> Result<Value, NoTrace> {
    let bad = || NoTrace::BadValue(json.clone());
    match json {
        Json::Null => Ok(Value::Undefined),
        Json::Bool(value) => Ok(Value::Bool(*value)),
        Json::Number(number) => number.as_i64().map(Value::int).ok_or_else(bad),
        Json::String(digits) => digits.parse::<Integer>().map(Value::Int).map_err(|_| bad()),
        Json::Object(fields) if fields.contains_key("number") => {
            let field = |name: &str| fields.get(name).and_then(Json::as_str).ok_or_else(bad);
            let kind = match field("type")? {
                "f32" => FloatKind::F32,
                "f64" => FloatKind::F64,
                _ => return Err(bad()),
            };
            kind.parse(field("number")?).map(|bits| Value::Float(bits, kind)).ok_or_else(bad)
        }
        Json::Object(fields) => {
            let object = fields.get("object").and_then(Json::as_u64).and_then(|n| u32::try_from(n).ok());
            let offset = fields.get("offset").and_then(Json::as_i64);
            let (object, offset) = object.zip(offset).ok_or_else(bad)?;
            Ok(Value::Pointer(Pointer { object, offset }))
        }
        Json::Array(_) => Err(bad()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_were() {
        let numbers = [
            "0",
            "-1",
            "9007199254740991",
            "9007199254740992",
            "-9007199254740993",
            "170141183460469231731687303715884105728",
        ];
        let mut values: Vec<Value> = numbers.iter().map(|n| Value::Int(n.parse().expect("digits"))).collect();
        let nan = FloatKind::F64.parse("nan(0xfff8000000000007)").expect("the bits of no number");
        values.extend([Value::Float(nan, FloatKind::F64), Value::Float(0x3dcc_cccd, FloatKind::F32)]);
        values.extend([Value::Undefined, Value::Bool(true), Value::Pointer(Pointer { object: 3, offset: -4 })]);
        for value in values {
            let json = value_to_json(&value);
            let text = serde_json::to_string(&json).expect("values have no odd keys");
            let read: Json = serde_json::from_str(&text).expect("what was written can be read");
            assert_eq!(value_from_json(&read).expect("a value"), value, "{text}");
        }
    }

    #[test]
    fn only_small_numbers_are_json_numbers() {
        assert_eq!(value_to_json(&Value::int(9007199254740991i64)).to_string(), "9007199254740991");
        assert_eq!(value_to_json(&Value::int(9007199254740992i64)).to_string(), "\"9007199254740992\"");
        assert_eq!(value_to_json(&Value::int(-9007199254740992i64)).to_string(), "\"-9007199254740992\"");
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for text in ["1.5", "1e40", "[]", "\"x\"", "{\"object\":1}", "{\"type\":\"f16\",\"number\":\"1\"}"] {
            let json: Json = serde_json::from_str(text).expect("JSON");
            assert!(matches!(value_from_json(&json), Err(NoTrace::BadValue(_))), "{text}");
        }
    }
}

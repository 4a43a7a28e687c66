//! How deep the stack is: methods that call each other for ever end with a `StackOverflowError`.
//!
//! Java does not say how many calls a stack holds. Calls inside of a circle of methods are counted where that can matter:
//! where the error counts, where the program can catch it, and where it is executed. A stack holds [`SURE_DEPTH`] of them
//! for sure and never [`OVERFLOW_DEPTH`]; what is in between is up to the virtual machine, and is not modelled. Nor is what
//! follows where the program catches the error and can tell how far it came. Elsewhere nobody can tell endless recursion
//! from its end.

use super::branch::{compare, int};
use super::{INT, Lower, Lowered};
use crate::frontend::java::class::Origin;
use crate::frontend::java::code::{Code, Handler, Instruction, InvokeKind, StackOp};
use crate::frontend::java::library::NATIVE;
use crate::frontend::java::reach::{Trap, is_related};
use crate::frontend::java::types::Kind;
use crate::frontend::java::world::{ClassId, MethodId};
use crate::program::{BinaryOp, Expr, Remark, Statement, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A stack of a virtual machine with its defaults holds so many calls, each of them with some hundred bytes.
const SURE_DEPTH: i64 = 3_000;
/// No such stack holds so many: calls need more than ten bytes each.
const OVERFLOW_DEPTH: i64 = 100_000;
/// How many calls the stack holds where the program is executed for a user.
const RUN_DEPTH: i64 = 10_000;

/// Native methods of which nobody can tell how often they were called.
const TRACELESS: &[&str] = &[
    "executes",
    "print",
    "printNumber",
    "anyBoolean",
    "anyByte",
    "anyChar",
    "anyShort",
    "anyInt",
    "anyLong",
    "anyFloat",
    "anyDouble",
    "assume",
    "fill",
    "hasThreads",
    "isArray",
    "length",
    "sameClass",
    "isReferenceArray",
];

/// What is known of methods that call each other.
#[derive(Debug, Default)]
pub(super) struct Recursion {
    /// For each method that is in a circle of calls, which one.
    circles: FxHashMap<MethodId, usize>,
    /// The methods that may run where the program catches a stack's overflow.
    covered: FxHashSet<MethodId>,
    /// Whether each circle leaves nothing behind that tells how often it was gone round.
    traceless: FxHashMap<usize, bool>,
    /// How many calls of the thread are counted.
    depth: Option<VarId>,
}

/// A call that is counted: the variable, and whether its depth may be one that not every stack holds.
pub(super) type Counted = (VarId, bool);

impl Lower<'_> {
    /// Finds the circles of calls.
    pub(super) fn find_recursion(&mut self) {
        self.recursion.circles = circles(&self.reached.calls);
        if self.recursion.circles.is_empty() {
            return;
        }
        let Ok(overflow) = self.world.load(Trap::StackOverflow.class()) else { return };
        let mut waiting: Vec<MethodId> = Vec::new();
        for (method, calls) in &self.reached.calls {
            let Some(code) = &self.world.method(*method).code else { continue };
            let is_inside = |index: &usize| self.catches(code, *index, overflow);
            if !self.is_thread_entry(*method) {
                waiting.extend(calls.iter().filter(|(index, _)| is_inside(index)).flat_map(|(_, called)| called));
            }
        }
        self.recursion.covered = self.called_from(waiting);
    }

    /// Whether code of the program runs after an exception of the class at an instruction of a method.
    fn catches(&self, code: &Code, index: usize, class: ClassId) -> bool {
        let fits = |handler: &&Handler| match &handler.class {
            None => !only_unlocks(code, handler.target),
            Some(name) => self.world.known(name).is_some_and(|caught| is_related(self.world, class, Some(caught))),
        };
        code.handlers_at(index).any(|handler| fits(&handler))
    }

    /// Counts a call that is about to be made, if the depth of the stack matters for it.
    pub(super) fn count_call(&mut self, callee: MethodId) -> Lowered<Option<Counted>> {
        let Some(caller) = self.body.method else { return Ok(None) };
        let circle = self.recursion.circles.get(&caller).copied();
        let Some(circle) = circle.filter(|circle| self.recursion.circles.get(&callee) == Some(circle)) else {
            return Ok(None);
        };
        if !self.is_reachable() {
            return Ok(None);
        }
        let class = self.world.load(Trap::StackOverflow.class()).map_err(|error| self.wrong(error.to_string()))?;
        let code = self.body.code.clone();
        let is_handled = self.recursion.covered.contains(&caller)
            || code.is_some_and(|code| self.catches(&code, self.body.index, class));
        let counts = self.counts(class);
        let ends_thread = self.reached.has_threads && !counts && self.is_of_user(circle);
        let is_caught = is_handled || ends_thread;
        if !counts && !is_caught && !self.options.executes {
            return Ok(None);
        }
        let variable = self.depth_variable();
        let depth = Expr::Var(variable);
        let reaches = |limit: i64| Expr::binary(BinaryOp::Ge, depth.clone(), int(limit));
        let mut may_differ = false;
        if self.options.executes {
            self.overflow_if(RUN_DEPTH, variable, is_caught, class)?;
        } else if is_caught && !self.is_traceless(circle) {
            self.unmodelled_if(reaches(SURE_DEPTH), "a caught StackOverflowError, which tells how deep the stack is");
        } else {
            may_differ = true;
            self.overflow_if(OVERFLOW_DEPTH, variable, is_caught, class)?;
        }
        let deeper = Expr::binary(BinaryOp::Add, depth, int(1));
        self.emit(Statement::Assign(vec![(variable, deeper)]));
        self.remark_on_depth(may_differ);
        Ok(Some((variable, may_differ)))
    }

    /// Tells the user once what is taken for the depth of a stack, which Java leaves open.
    fn remark_on_depth(&mut self, may_differ: bool) {
        let text = if self.options.executes {
            format!("a stack was taken to hold {RUN_DEPTH} recursive calls, which Java leaves open")
        } else if may_differ {
            format!(
                "a stack was taken to hold {SURE_DEPTH} recursive calls, and never {OVERFLOW_DEPTH}, which Java leaves open"
            )
        } else {
            format!("a stack was taken to hold {SURE_DEPTH} recursive calls, which Java leaves open")
        };
        if !self.program.remarks.iter().any(|remark| remark.text == text) {
            self.program.remarks.push(Remark { text, span: None });
        }
    }

    /// The counted call has come back.
    pub(super) fn uncount_call(&mut self, (variable, may_differ): Counted) {
        let depth = Expr::Var(variable);
        if may_differ {
            let is_deep = Expr::binary(BinaryOp::Gt, depth.clone(), int(SURE_DEPTH));
            let has_returned = compare(BinaryOp::Eq, Expr::Var(self.exception), Expr::Null);
            self.unmodelled_if(
                Expr::And(vec![is_deep, has_returned]),
                &format!("a stack of more than {SURE_DEPTH} calls"),
            );
        }
        let back = Expr::binary(BinaryOp::Sub, depth, int(1));
        self.emit(Statement::Assign(vec![(variable, back)]));
    }

    /// Whether a method of the program is in a circle. That a library's own goes on for ever is not to be expected.
    fn is_of_user(&self, circle: usize) -> bool {
        let is_user = |method: &MethodId| self.world.class(method.class).origin == Origin::User;
        self.recursion.circles.iter().any(|(method, of)| *of == circle && is_user(method))
    }

    fn depth_variable(&mut self) -> VarId {
        if let Some(known) = self.recursion.depth {
            return known;
        }
        let variable = self.global("calls", INT, int(0));
        self.make_own(variable);
        self.recursion.depth = Some(variable);
        variable
    }

    /// A new thread has no calls on its stack, where they are counted, which is known when all methods are.
    pub(super) fn finish_threads(&mut self) {
        let (Some(depth), Some(entry)) = (self.recursion.depth, self.entry) else { return };
        let edges = self.program.procedures[entry].edges.iter_mut();
        for statement in edges.flat_map(|edge| &mut edge.block) {
            if let Statement::Assign(pairs) = statement {
                pairs.push((depth, int(0)));
                return;
            }
        }
    }

    fn overflow_if(&mut self, limit: i64, depth: VarId, is_caught: bool, class: ClassId) -> Lowered<()> {
        let condition = Expr::binary(BinaryOp::Ge, Expr::Var(depth), int(limit));
        if is_caught {
            return self.trap_if(condition, Trap::StackOverflow, &[]);
        }
        let (bad, next) = (self.location(), self.location());
        let known = self.body.not_null.clone();
        self.branch(condition, bad, next);
        self.start_at(bad);
        let error = self.uncaught_location_with(class, &format!(": more than {limit} calls on the stack"));
        self.go_to(error);
        self.start_at(next);
        self.body.not_null = known;
        Ok(())
    }

    fn unmodelled_if(&mut self, condition: Expr, what: &str) {
        let (bad, next) = (self.location(), self.location());
        let known = self.body.not_null.clone();
        self.branch(condition, bad, next);
        self.start_at(bad);
        self.unmodelled(what);
        self.start_at(next);
        self.body.not_null = known;
    }

    /// Whether a circle of methods, with all that they call, leaves nothing behind where it is broken off.
    fn is_traceless(&mut self, circle: usize) -> bool {
        if let Some(known) = self.recursion.traceless.get(&circle) {
            return *known;
        }
        let members = self.recursion.circles.iter().filter(|(_, of)| **of == circle);
        let methods = self.called_from(members.map(|(method, _)| *method).collect());
        let overflow = self.world.known(Trap::StackOverflow.class());
        let found = methods.into_iter().all(|method| overflow.is_some_and(|class| self.leaves_nothing(method, class)));
        self.recursion.traceless.insert(circle, found);
        found
    }

    fn leaves_nothing(&self, method: MethodId, overflow: ClassId) -> bool {
        let (class, called) = (self.world.class(method.class), self.world.method(method));
        let Some(code) = &called.code else {
            return &*class.name == NATIVE && TRACELESS.contains(&&*called.name);
        };
        if &*called.name == "<clinit>" {
            return self.started.contains(&method.class) || self.starts_early(method.class);
        }
        // Nobody else has the objects yet that are being made.
        let is_maker = &*called.name == "<init>" && (class.origin != Origin::User || only_makes(code));
        let is_traceless = |(index, instruction): (usize, &Instruction)| {
            let writes = match instruction {
                Instruction::PutField(_) => !is_maker,
                Instruction::PutStatic(_) | Instruction::ArrayStore(_) => true,
                _ => false,
            };
            !writes && !self.catches(code, index, overflow)
        };
        code.instructions.iter().enumerate().all(is_traceless)
    }
}

/// Whether the code of a constructor knows no objects but its own and those that it makes.
fn only_makes(code: &Code) -> bool {
    code.instructions.iter().all(|instruction| match instruction {
        Instruction::Load(Kind::Reference, slot) => *slot == 0,
        Instruction::Invoke(kind, member) => *kind == InvokeKind::Special && &*member.name == "<init>",
        Instruction::GetField(_) | Instruction::GetStatic(_) | Instruction::ArrayLoad(_) => false,
        _ => true,
    })
}

/// Whether a handler does nothing but give back a lock, and throws again what it caught.
fn only_unlocks(code: &Code, target: usize) -> bool {
    let is_plain = |i: &&Instruction| {
        matches!(i, Instruction::Store(..) | Instruction::Load(..) | Instruction::MonitorExit)
            || matches!(i, Instruction::Stack(StackOp::Dup))
    };
    let mut rest = code.instructions[target..].iter().skip_while(is_plain);
    matches!(rest.next(), Some(Instruction::Throw))
}

/// The circles of calls: for each method in one, its number.
fn circles(calls: &FxHashMap<MethodId, Vec<(usize, Vec<MethodId>)>>) -> FxHashMap<MethodId, usize> {
    let mut methods: Vec<MethodId> = calls.keys().copied().collect();
    methods.sort_unstable();
    let called = |method: MethodId| -> Vec<MethodId> {
        let all = calls.get(&method).into_iter().flatten();
        all.flat_map(|(_, called)| called.iter().copied()).collect()
    };
    // Each method comes after those that it calls, but for circles.
    let mut order: Vec<MethodId> = Vec::new();
    let mut seen: FxHashSet<MethodId> = FxHashSet::default();
    for start in &methods {
        let mut path = Vec::new();
        if seen.insert(*start) {
            path.push((*start, called(*start)));
        }
        while let Some((method, left)) = path.last_mut() {
            match left.pop() {
                Some(next) if seen.insert(next) => path.push((next, called(next))),
                Some(_) => {}
                None => {
                    order.push(*method);
                    path.pop();
                }
            }
        }
    }
    let mut callers: FxHashMap<MethodId, Vec<MethodId>> = FxHashMap::default();
    for method in &methods {
        for callee in called(*method) {
            callers.entry(callee).or_default().push(*method);
        }
    }
    let mut found: FxHashMap<MethodId, usize> = FxHashMap::default();
    let mut done: FxHashSet<MethodId> = FxHashSet::default();
    for (number, root) in order.iter().rev().enumerate() {
        let mut members = Vec::new();
        let mut waiting = vec![*root];
        while let Some(method) = waiting.pop() {
            if done.insert(method) {
                members.push(method);
                waiting.extend(callers.get(&method).into_iter().flatten());
            }
        }
        let is_circle = members.len() > 1 || members.iter().any(|method| called(*method).contains(method));
        if is_circle {
            found.extend(members.into_iter().map(|method| (method, number)));
        }
    }
    found
}

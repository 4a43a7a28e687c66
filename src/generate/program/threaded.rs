//! Random programs with threads that run: the main procedure starts workers, which share globals and locks.

use super::Random;
use super::expr::{ExprSource, literal};
use crate::program::{
    BinaryOp, Edge, ErrorKind, Expr, Failure, Id, LocId, Location, OFFSET, ProcId, Procedure, Program, Region, Role,
    Rules, Scope, Statement, Type, UnaryOp, VarId, Variable,
};

/// How large random programs with threads are.
#[derive(Debug, Clone)]
pub struct ThreadedConfig {
    /// The most procedures that threads run.
    pub workers: usize,
    /// The most statements of a body.
    pub statements: usize,
    /// How deep branches, loops and sections are nested at most.
    pub nesting: usize,
    /// In how many cases of a hundred a lock is released without a look at who holds it.
    pub careless: usize,
    /// In how many cases of a hundred threads are started in a loop.
    pub repeated: usize,
}

impl Default for ThreadedConfig {
    fn default() -> Self {
        ThreadedConfig { workers: 2, statements: 3, nesting: 1, careless: 4, repeated: 10 }
    }
}

/// The type of the numbers of threads.
const HANDLE: Type = Type::Machine(crate::program::MachineInt { width: 8, signed: false });

/// A random valid program with threads: no recursion, no objects but locks, nobody waits to be notified. Every variable
/// is written before it is read.
pub fn generate_threaded(seed: u64, config: &ThreadedConfig) -> Program {
    let mut random = Random::new(seed);
    let workers = random.between(1, config.workers);
    let program = Program {
        name: format!("threads{seed}"),
        sources: Default::default(),
        variables: Default::default(),
        init: Vec::new(),
        procedures: Default::default(),
        main: ProcId::new(0),
        pointer_bytes: 8,
        header_bytes: 0,
        main_ends_all: random.percent(60),
        rules: Rules::Language,
        classes: Vec::new(),
        shapes: Default::default(),
        assumptions: Vec::new(),
        remarks: Vec::new(),
    };
    let none = LocId::new(0);
    let (globals, locks) = (Vec::new(), Vec::new());
    let mut maker =
        Maker { random, config, program, globals, locks, visible: Vec::new(), scope: ProcId::new(0), here: none };
    maker.globals();
    let names = ["main".to_owned(), "help".to_owned()].into_iter().chain((0..workers).map(|n| format!("work{n}")));
    names.for_each(|name| maker.declare(name));
    maker.program.procedures.ids().for_each(|id| maker.define(id));
    maker.program
}

struct Maker<'c> {
    random: Random,
    config: &'c ThreadedConfig,
    program: Program,
    globals: Vec<(VarId, Type)>,
    locks: Vec<VarId>,
    /// The variables that may be used.
    visible: Vec<(VarId, Type)>,
    scope: ProcId,
    here: LocId,
}

/// The procedure that others call.
const HELPER: usize = 1;

impl Maker<'_> {
    fn ty(&mut self) -> Type {
        if self.random.percent(20) { Type::Bool } else { Type::machine(2, self.random.percent(30)) }
    }

    fn variable(&mut self, name: String, ty: Type, scope: Scope) -> VarId {
        self.program.variables.push(Variable { name, ty, scope, role: Role::Data, span: None })
    }

    fn expr(&mut self, ty: Type) -> Expr {
        let mut types: Vec<Type> = self.visible.iter().map(|(_, ty)| *ty).collect();
        types.push(Type::Bool);
        ExprSource { variables: &self.visible, types: &types, memory: false, procedures: 0 }.expr(
            &mut self.random,
            ty,
            2,
        )
    }

    fn globals(&mut self) {
        for number in 0..self.random.between(1, 2) {
            let ty = self.ty();
            let target = self.variable(format!("g{number}"), ty, Scope::Global);
            let first = literal(&mut self.random, ty);
            self.program.init.push(Statement::Assign(vec![(target, first)]));
            self.globals.push((target, ty));
        }
        for number in 0..2 {
            let target = self.variable(format!("l{number}"), Type::Pointer, Scope::Global);
            let size = Expr::Int(8.into(), OFFSET);
            self.program.init.push(Statement::Allocate { target, size, region: Region::Static, zeroed: true });
            self.locks.push(target);
        }
    }

    /// Adds a procedure without a body; all but the main one take a number, the helper gives one.
    fn declare(&mut self, name: String) {
        let id = self.program.procedures.next_id();
        let mut parameters = Vec::new();
        if id.index() > 0 {
            let ty = self.ty();
            parameters.push(self.variable("a".to_owned(), ty, Scope::Local(id)));
        }
        let ty = self.ty();
        let result = (id.index() == HELPER).then(|| self.variable("result".to_owned(), ty, Scope::Local(id)));
        let nowhere = LocId::new(0);
        let locations = [Location::default()].into_iter().collect();
        let edges = Default::default();
        let empty = Procedure { name, parameters, result, locations, edges, entry: nowhere, exit: nowhere, span: None };
        self.program.procedures.push(empty);
    }

    fn define(&mut self, id: ProcId) {
        self.scope = id;
        self.here = self.program.procedures[id].entry;
        self.visible = self.globals.clone();
        let ty = self.ty();
        self.variable("x".to_owned(), ty, Scope::Local(id));
        let parameters = self.program.procedures[id].parameters.clone();
        let locals: Vec<VarId> = self.program.locals(id).collect();
        let mut written = Vec::new();
        for local in locals {
            let ty = self.program.variables[local].ty;
            if !parameters.contains(&local) {
                written.push((local, literal(&mut self.random, ty)));
            }
            self.visible.push((local, ty));
        }
        self.step(vec![Statement::Assign(written)]);
        if id.index() == 0 {
            self.start_and_join();
        } else {
            self.body(self.config.nesting);
            // Now and then, a worker starts another one: never itself, so that there are not too many.
            let last = self.program.procedures.len() - 1;
            if id.index() > HELPER && id.index() < last && self.random.percent(15) {
                self.start(ProcId::new(last), None);
            }
        }
        self.program.procedures[id].exit = self.here;
    }

    /// The main procedure starts threads, does something, and waits for some of them.
    fn start_and_join(&mut self) {
        let workers = self.program.procedures.len() - HELPER - 1;
        let mut handles = Vec::new();
        for number in 0..self.random.between(1, 2) {
            let handle = self.variable(format!("t{number}"), HANDLE, Scope::Local(self.scope));
            self.step(vec![Statement::Assign(vec![(handle, Expr::Int(0.into(), HANDLE))])]);
            let callee = ProcId::new(HELPER + 1 + self.random.below(workers));
            if self.random.percent(self.config.repeated) {
                let rounds = self.random.between(1, 2);
                self.repeat(rounds, |maker| maker.start(callee, Some(handle)));
            } else {
                self.start(callee, Some(handle));
            }
            handles.push(handle);
        }
        if self.random.percent(50) {
            self.body(self.config.nesting);
        }
        for handle in handles {
            if self.random.percent(70) {
                self.step(vec![Statement::Join(Expr::Var(handle))]);
            }
        }
        self.assert();
    }

    fn start(&mut self, callee: ProcId, target: Option<VarId>) {
        let ty = self.program.variables[self.program.procedures[callee].parameters[0]].ty;
        let arguments = vec![self.expr(ty)];
        self.step(vec![Statement::Spawn { target, callee, arguments }]);
    }

    fn location(&mut self) -> LocId {
        self.program.procedures[self.scope].locations.push(Location::default())
    }

    fn edge(&mut self, source: LocId, target: LocId, block: Vec<Statement>) {
        self.program.procedures[self.scope].edges.push(Edge {
            source,
            target,
            label: None,
            block,
            span: None,
            places: Vec::new(),
        });
    }

    fn step(&mut self, block: Vec<Statement>) {
        let next = self.location();
        self.edge(self.here, next, block);
        self.here = next;
    }

    fn body(&mut self, nesting: usize) {
        for _ in 0..self.random.between(1, self.config.statements) {
            match self.random.below(12) {
                0 if nesting > 0 => self.branch(nesting - 1),
                1 if nesting > 0 => self.repeat(2, |maker| maker.body(nesting - 1)),
                2 | 3 if nesting > 0 => self.section(nesting - 1),
                4 if nesting > 0 => self.atomic(nesting - 1),
                5 => self.assert(),
                6 if self.scope.index() != HELPER => self.call(),
                7 => self.input(),
                8 if self.random.percent(self.config.careless * 10) => self.unlock(),
                _ => self.assign(),
            }
        }
    }

    fn assign(&mut self) {
        let (target, ty) = *self.random.choose(&self.visible);
        let value = self.expr(ty);
        self.step(vec![Statement::Assign(vec![(target, value)])]);
    }

    fn input(&mut self) {
        let (target, _) = *self.random.choose(&self.visible);
        self.step(vec![Statement::Havoc { target, span: None }]);
    }

    fn assert(&mut self) {
        let condition = self.expr(Type::Bool);
        let failure = Failure { kind: ErrorKind::Assertion, message: "an assertion".to_owned() };
        let error = Location { error: Some(failure), ..Location::default() };
        let error = self.program.procedures[self.scope].locations.push(error);
        self.edge(self.here, error, vec![Statement::Assume(condition.clone().negate())]);
        self.step(vec![Statement::Assume(condition)]);
    }

    fn branch(&mut self, nesting: usize) {
        let condition = match self.random.percent(15) {
            true => Expr::unary(UnaryOp::IsLocked, Expr::Var(*self.random.choose(&self.locks))),
            false => self.expr(Type::Bool),
        };
        let (start, end) = (self.here, self.location());
        for condition in [condition.clone(), condition.negate()] {
            self.here = start;
            self.step(vec![Statement::Assume(condition)]);
            self.body(nesting);
            self.edge(self.here, end, vec![]);
        }
        self.here = end;
    }

    fn repeat(&mut self, rounds: usize, body: impl Fn(&mut Self)) {
        let ty = Type::machine(3, false);
        let name = format!("round{}", self.program.variables.len());
        let counter = self.variable(name, ty, Scope::Local(self.scope));
        let number = |n: usize| Expr::Int(n.into(), ty);
        self.step(vec![Statement::Assign(vec![(counter, number(0))])]);
        let more = Expr::binary(BinaryOp::Lt, Expr::Var(counter), number(rounds));
        let head = self.here;
        self.step(vec![Statement::Assume(more.clone())]);
        body(self);
        let next = Expr::binary(BinaryOp::Add, Expr::Var(counter), number(1));
        self.edge(self.here, head, vec![Statement::Assign(vec![(counter, next)])]);
        self.here = head;
        self.step(vec![Statement::Assume(more.negate())]);
    }

    /// Something under a lock.
    fn section(&mut self, nesting: usize) {
        let lock = Expr::Var(*self.random.choose(&self.locks));
        let reentrant = self.random.percent(30);
        self.step(vec![Statement::Lock { lock: lock.clone(), reentrant }]);
        self.body(nesting);
        self.step(vec![Statement::Unlock(lock)]);
    }

    fn unlock(&mut self) {
        let lock = Expr::Var(*self.random.choose(&self.locks));
        self.step(vec![Statement::Unlock(lock)]);
    }

    fn atomic(&mut self, nesting: usize) {
        self.step(vec![Statement::AtomicBegin]);
        self.body(nesting);
        self.step(vec![Statement::AtomicEnd]);
    }

    fn call(&mut self) {
        let callee = ProcId::new(HELPER);
        let helper = &self.program.procedures[callee];
        let (parameter, result) = (helper.parameters[0], helper.result.expect("the helper has a result"));
        let (takes, gives) = (self.program.variables[parameter].ty, self.program.variables[result].ty);
        let argument = self.expr(takes);
        let fit: Vec<VarId> = self.visible.iter().filter(|(_, ty)| *ty == gives).map(|(v, _)| *v).collect();
        let target = if fit.is_empty() { None } else { Some(*self.random.choose(&fit)) };
        self.step(vec![Statement::Call { target, callee, arguments: vec![argument] }]);
    }
}

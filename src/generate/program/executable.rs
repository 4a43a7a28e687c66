//! Random programs that run: structured control, every variable written before it is read, no memory, no threads.

use super::Random;
use super::expr::{ExprSource, literal};
use crate::program::{
    BinaryOp, Edge, ErrorKind, Expr, Failure, FloatKind, Id, LocId, Location, ProcId, Procedure, Program, Role, Rules,
    Scope, Statement, Type, VarId, Variable,
};

/// How large random programs that run are, and what they use.
#[derive(Debug, Clone)]
pub struct ExecutableConfig {
    /// The most procedures beside the main one.
    pub procedures: usize,
    /// The most globals.
    pub globals: usize,
    /// The most locals of a procedure, beside parameters and counters.
    pub locals: usize,
    /// The most statements of a body.
    pub statements: usize,
    /// How deep branches and loops are nested at most.
    pub nesting: usize,
    /// How deep expressions are nested at most.
    pub depth: usize,
    /// The most rounds of a counted loop.
    pub rounds: usize,
    /// In how many cases of a hundred a loop is not counted, so that it may run for ever.
    pub uncounted: usize,
    /// Whether variables may be input.
    pub inputs: bool,
    /// Whether variables may be mathematical integers; no input is.
    pub mathematical: bool,
    /// Whether variables may be floating-point numbers.
    pub floats: bool,
    /// The widths of machine integers.
    pub widths: Vec<u32>,
}

impl Default for ExecutableConfig {
    fn default() -> Self {
        ExecutableConfig {
            procedures: 2,
            globals: 3,
            locals: 2,
            statements: 4,
            nesting: 2,
            depth: 2,
            rounds: 3,
            uncounted: 10,
            inputs: true,
            mathematical: false,
            floats: false,
            widths: vec![1, 2, 3, 4],
        }
    }
}

/// The type of the parameter that bounds recursion.
const FUEL: Type = Type::Machine(crate::program::MachineInt { width: 3, signed: false });

/// A random valid program that runs; most end on every input.
pub fn generate_executable(seed: u64, config: &ExecutableConfig) -> Program {
    let mut random = Random::new(seed);
    let callees = random.below(config.procedures + 1);
    let program = Program {
        name: format!("random{seed}"),
        sources: Default::default(),
        variables: Default::default(),
        init: Vec::new(),
        procedures: Default::default(),
        main: ProcId::new(0),
        pointer_bytes: 8,
        header_bytes: 0,
        main_ends_all: true,
        rules: Rules::Language,
        classes: Vec::new(),
        assumptions: Vec::new(),
        shapes: Default::default(),
        remarks: Vec::new(),
    };
    let mut maker = Maker { random, config, program, visible: Vec::new(), scope: ProcId::new(0), here: LocId::new(0) };
    maker.globals();
    maker.declare("main", false);
    for number in 0..callees {
        maker.declare(&format!("f{number}"), true);
    }
    for id in maker.program.procedures.ids() {
        maker.define(id);
    }
    maker.program
}

struct Maker<'c> {
    random: Random,
    config: &'c ExecutableConfig,
    program: Program,
    /// The variables that may be used.
    visible: Vec<(VarId, Type)>,
    scope: ProcId,
    /// Where the next statement starts.
    here: LocId,
}

impl Maker<'_> {
    fn ty(&mut self) -> Type {
        if self.config.floats && self.random.percent(40) {
            return Type::Float(*self.random.choose(&[FloatKind::F32, FloatKind::F64]));
        }
        match self.random.below(6) {
            0 => Type::Bool,
            1 | 2 if self.config.mathematical => Type::Int,
            _ => Type::machine(*self.random.choose(&self.config.widths), self.random.percent(50)),
        }
    }

    fn variable(&mut self, name: String, ty: Type, scope: Scope) -> VarId {
        self.program.variables.push(Variable { name, ty, scope, role: Role::Data, span: None })
    }

    fn expr(&mut self, ty: Type) -> Expr {
        let mut types: Vec<Type> = self.visible.iter().map(|(_, ty)| *ty).collect();
        types.push(Type::Bool);
        let source = ExprSource { variables: &self.visible, types: &types, memory: false, procedures: 0 };
        source.expr(&mut self.random, ty, self.config.depth)
    }

    fn globals(&mut self) {
        for number in 0..self.random.between(1, self.config.globals) {
            let ty = self.ty();
            let target = self.variable(format!("g{number}"), ty, Scope::Global);
            let input = self.config.inputs && ty != Type::Int && self.random.percent(30);
            let statement = match input {
                true => Statement::Havoc { target, span: None },
                false => Statement::Assign(vec![(target, literal(&mut self.random, ty))]),
            };
            self.program.init.push(statement);
            self.visible.push((target, ty));
        }
        if self.random.percent(20) {
            let condition = self.expr(Type::Bool);
            self.program.init.push(Statement::Assume(condition));
        }
        self.visible.clear();
    }

    /// Adds a procedure without a body. One that takes parameters takes its fuel first, and has a result.
    fn declare(&mut self, name: &str, takes_parameters: bool) {
        let id = self.program.procedures.next_id();
        let mut parameters = Vec::new();
        let mut result = None;
        if takes_parameters {
            parameters.push(self.variable("fuel".to_owned(), FUEL, Scope::Local(id)));
            if self.random.percent(70) {
                let ty = self.ty();
                parameters.push(self.variable("a".to_owned(), ty, Scope::Local(id)));
            }
            let ty = self.ty();
            result = Some(self.variable("result".to_owned(), ty, Scope::Local(id)));
        }
        self.program.procedures.push(Procedure {
            name: name.to_owned(),
            parameters,
            result,
            locations: [Location::default()].into_iter().collect(),
            edges: Default::default(),
            entry: LocId::new(0),
            exit: LocId::new(0),
            span: None,
        });
    }

    fn define(&mut self, id: ProcId) {
        self.scope = id;
        self.here = self.program.procedures[id].entry;
        self.visible = self.program.globals().map(|v| (v, self.program.variables[v].ty)).collect();
        for number in 0..self.random.below(self.config.locals + 1) {
            let ty = self.ty();
            self.variable(format!("x{number}"), ty, Scope::Local(id));
        }
        let parameters = self.program.procedures[id].parameters.clone();
        let mut written = Vec::new();
        let locals: Vec<VarId> = self.program.locals(id).collect();
        for local in locals {
            let ty = self.program.variables[local].ty;
            if !parameters.contains(&local) {
                written.push((local, literal(&mut self.random, ty)));
            }
            // Fuel is only ever passed on, so that recursion ends.
            if parameters.first() != Some(&local) {
                self.visible.push((local, ty));
            }
        }
        self.step(vec![Statement::Assign(written)]);
        self.body(self.config.nesting);
        self.program.procedures[id].exit = self.here;
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
            match self.random.below(10) {
                0 | 1 if nesting > 0 => self.branch(nesting - 1),
                2 if nesting > 0 => self.repeat(nesting - 1),
                3 | 4 => self.assert(),
                5 if self.program.procedures.len() > 1 => self.call(),
                6 if self.config.inputs => self.input(),
                _ => self.assign(),
            }
        }
    }

    fn assign(&mut self) {
        let mut pairs: Vec<(VarId, Expr)> = Vec::new();
        for _ in 0..self.random.between(1, 2) {
            let (target, ty) = *self.random.choose(&self.visible);
            if pairs.iter().all(|(v, _)| *v != target) {
                pairs.push((target, self.expr(ty)));
            }
        }
        self.step(vec![Statement::Assign(pairs)]);
    }

    fn input(&mut self) {
        let fit: Vec<VarId> = self.visible.iter().filter(|(_, ty)| *ty != Type::Int).map(|(v, _)| *v).collect();
        if fit.is_empty() {
            return;
        }
        let target = *self.random.choose(&fit);
        let mut block = vec![Statement::Havoc { target, span: None }];
        if self.random.percent(30) {
            block.push(Statement::Assume(self.expr(Type::Bool)));
        }
        self.step(block);
    }

    fn assert(&mut self) {
        let condition = self.expr(Type::Bool);
        let message = format!("assertion {}", self.program.procedures[self.scope].edges.len());
        let failure = Failure { kind: ErrorKind::Assertion, message };
        let error = Location { error: Some(failure), ..Location::default() };
        let error = self.program.procedures[self.scope].locations.push(error);
        self.edge(self.here, error, vec![Statement::Assume(condition.clone().negate())]);
        self.step(vec![Statement::Assume(condition)]);
    }

    fn branch(&mut self, nesting: usize) {
        let condition = self.expr(Type::Bool);
        let (start, end) = (self.here, self.location());
        for condition in [condition.clone(), condition.negate()] {
            self.here = start;
            self.step(vec![Statement::Assume(condition)]);
            if self.random.percent(70) {
                self.body(nesting);
            }
            self.edge(self.here, end, vec![]);
        }
        self.here = end;
    }

    /// A loop; if it is counted, by a variable that nothing else writes.
    fn repeat(&mut self, nesting: usize) {
        let counted = !self.random.percent(self.config.uncounted);
        let mut condition = self.expr(Type::Bool);
        let mut advance = Vec::new();
        if counted {
            let ty = Type::machine(8, false);
            let name = format!("round{}", self.program.variables.len());
            let counter = self.variable(name, ty, Scope::Local(self.scope));
            let number = |n: usize| Expr::Int(n.into(), ty);
            self.step(vec![Statement::Assign(vec![(counter, number(0))])]);
            let rounds = self.random.between(1, self.config.rounds.min(200));
            let more = Expr::binary(BinaryOp::Lt, Expr::Var(counter), number(rounds));
            condition = if self.random.percent(50) { more } else { Expr::And(vec![more, condition]) };
            let next = Expr::binary(BinaryOp::Add, Expr::Var(counter), number(1));
            advance = vec![Statement::Assign(vec![(counter, next)])];
        }
        let head = self.here;
        self.step(vec![Statement::Assume(condition.clone())]);
        self.body(nesting);
        self.edge(self.here, head, advance);
        self.here = head;
        self.step(vec![Statement::Assume(condition.negate())]);
    }

    /// A call with less fuel, where there is fuel left.
    fn call(&mut self) {
        let callee = ProcId::new(self.random.between(1, self.program.procedures.len() - 1));
        let number = |n: usize| Expr::Int(n.into(), FUEL);
        let fuel = self.program.procedures[self.scope].parameters.first().copied();
        let given = match fuel {
            None => number(self.random.between(0, 2)),
            Some(own) => Expr::binary(BinaryOp::Sub, Expr::Var(own), number(1)),
        };
        let mut arguments = vec![given];
        if let Some(&parameter) = self.program.procedures[callee].parameters.get(1) {
            let ty = self.program.variables[parameter].ty;
            arguments.push(self.expr(ty));
        }
        let result = self.program.procedures[callee].result.map(|r| self.program.variables[r].ty);
        let fit = |(_, ty): &&(VarId, Type)| Some(*ty) == result;
        let fit: Vec<VarId> = self.visible.iter().filter(fit).map(|(v, _)| *v).collect();
        let target = if fit.is_empty() { None } else { Some(*self.random.choose(&fit)) };
        let call = vec![Statement::Call { target, callee, arguments }];
        let Some(own) = fuel else { return self.step(call) };
        let empty = Expr::binary(BinaryOp::Eq, Expr::Var(own), number(0));
        let (start, end) = (self.here, self.location());
        self.edge(start, end, vec![Statement::Assume(empty.clone())]);
        self.step(vec![Statement::Assume(empty.negate())]);
        self.edge(self.here, end, call);
        self.here = end;
    }
}

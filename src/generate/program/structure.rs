//! Random programs of every shape.

use super::Random;
use super::expr::ExprSource;
use crate::program::{
    Conversion, Edge, ErrorKind, Expr, Failure, FileId, FloatKind, Id, LocId, Location, OFFSET, Piece, ProcId,
    Procedure, Program, Region, Role, Rules, Scope, SourceFile, SourceFiles, Span, Statement, Style, Type, VarId,
    Variable,
};
use std::collections::BTreeSet;

/// How large and how varied random programs are.
#[derive(Debug, Clone)]
pub struct GenerateConfig {
    /// The most procedures.
    pub procedures: usize,
    /// The most variables.
    pub variables: usize,
    /// The most locations of a procedure.
    pub locations: usize,
    /// The most edges of a procedure.
    pub edges: usize,
    /// The most statements of a block.
    pub block: usize,
    /// How deep expressions are nested at most.
    pub depth: usize,
    /// Whether names may be any text.
    pub odd_names: bool,
    /// Whether there are source files and spans.
    pub spans: bool,
    /// Whether there are pointers, loads, stores and objects.
    pub memory: bool,
    /// Whether there are floating-point numbers.
    pub floats: bool,
    /// Whether there are threads, locks and atomic sections.
    pub threads: bool,
}

impl Default for GenerateConfig {
    fn default() -> Self {
        GenerateConfig {
            procedures: 4,
            variables: 14,
            locations: 6,
            edges: 8,
            block: 4,
            depth: 4,
            odd_names: true,
            spans: true,
            memory: true,
            floats: true,
            threads: true,
        }
    }
}

const PLAIN_NAMES: [&str; 8] = ["x", "y", "count", "f", "pc", "_tmp", "a.b", "s$1"];
const ODD_NAMES: [&str; 16] = [
    "é",
    "a b",
    "`tick`",
    "back\\slash",
    "line\nbreak",
    "true",
    "i32",
    "procedure",
    "::x",
    "L7",
    "\u{202e}",
    "0start",
    "\"",
    "main",
    "L",
    "…\t\u{7f}",
];
const TEXTS: [&str; 6] = ["", "int x;\n", "é ∧ 𝄞\r\n", "\n\n", "a \"quoted\" \\ `line`\n", "no end of line"];
const WIDTHS: [u32; 8] = [1, 2, 8, 16, 32, 33, 64, 128];

/// A random valid program.
pub fn generate(seed: u64, config: &GenerateConfig) -> Program {
    let mut random = Random::new(seed);
    let sources = if config.spans { sources(&mut random) } else { SourceFiles::new() };
    let mut generator = Generator { random, config, program: empty(sources) };
    generator.types_and_variables();
    generator.procedures();
    generator.program.main = generator.choose_main();
    generator.blocks();
    generator.program
}

fn empty(sources: SourceFiles) -> Program {
    Program {
        name: String::new(),
        sources,
        variables: Default::default(),
        init: Vec::new(),
        procedures: Default::default(),
        main: ProcId::new(0),
        pointer_bytes: 8,
        header_bytes: 0,
        main_ends_all: false,
        rules: Rules::Language,
        classes: Vec::new(),
        assumptions: Vec::new(),
        shapes: Default::default(),
        remarks: Vec::new(),
    }
}

fn sources(random: &mut Random) -> SourceFiles {
    let count = random.below(3);
    (0..count)
        .map(|number| {
            let pieces = random.below(5);
            let text = (0..pieces).map(|_| *random.choose(&TEXTS)).collect();
            SourceFile { name: format!("{}{number}.c", random.choose(&["", "dir/", "\\odd \""])), text }
        })
        .collect()
}

struct Generator<'c> {
    random: Random,
    config: &'c GenerateConfig,
    program: Program,
}

impl Generator<'_> {
    fn span(&mut self) -> Option<Span> {
        let files = self.program.sources.len();
        if files == 0 || self.random.percent(30) {
            return None;
        }
        let file = FileId::new(self.random.below(files));
        let text = &self.program.sources[file].text;
        let cuts: Vec<usize> = (0..=text.len()).filter(|&i| text.is_char_boundary(i)).collect();
        let (a, b) = (*self.random.choose(&cuts), *self.random.choose(&cuts));
        Some(Span::new(file, a.min(b), a.max(b)))
    }

    fn text(&mut self) -> String {
        let odd = self.config.odd_names && self.random.percent(40);
        (*self.random.choose(if odd { &ODD_NAMES[..] } else { &PLAIN_NAMES[..] })).to_owned()
    }

    /// A text that is not among those taken.
    fn unique(&mut self, taken: &mut BTreeSet<String>) -> String {
        let mut name = self.text();
        while !taken.insert(name.clone()) {
            name = format!("{}{}", self.text(), self.random.below(100));
        }
        name
    }

    fn ty(&mut self) -> Type {
        if self.config.floats && self.random.percent(10) {
            return Type::Float(*self.random.choose(&[FloatKind::F32, FloatKind::F64]));
        }
        match self.random.below(if self.config.memory { 8 } else { 6 }) {
            0 => Type::Bool,
            1 | 2 => Type::Int,
            3..=5 => Type::machine(*self.random.choose(&WIDTHS), self.random.percent(50)),
            6 => OFFSET,
            _ => Type::Pointer,
        }
    }

    fn types_and_variables(&mut self) {
        self.program.name = if self.random.percent(80) { self.text() } else { String::new() };
        self.program.pointer_bytes = *self.random.choose(&[4, 8]);
        self.program.header_bytes = *self.random.choose(&[0, 8]);
        self.program.main_ends_all = self.random.percent(50);
        self.program.rules = if self.random.percent(50) { Rules::Competition } else { Rules::Language };
        let procedures = self.random.between(1, self.config.procedures);
        let count = self.random.below(self.config.variables + 1);
        let mut scopes: Vec<Scope> = (0..count)
            .map(|_| match self.random.below(procedures + 1) {
                0 => Scope::Global,
                p => Scope::Local(ProcId::new(p - 1)),
            })
            .collect();
        if self.random.percent(50) {
            scopes.sort_by_key(|scope| match scope {
                Scope::Global => 0,
                Scope::Local(procedure) => procedure.index() + 1,
            });
        }
        let mut taken: Vec<BTreeSet<String>> = vec![BTreeSet::new(); procedures + 1];
        for scope in scopes {
            let number = match scope {
                Scope::Global => 0,
                Scope::Local(procedure) => procedure.index() + 1,
            };
            let name = self.unique(&mut taken[number]);
            let role = *self.random.choose(&[Role::Data, Role::Data, Role::Data, Role::Control, Role::Own]);
            let (ty, span) = (self.ty(), self.span());
            self.program.variables.push(Variable { name, ty, scope, role, span });
        }
        let mut names = BTreeSet::new();
        for _ in 0..procedures {
            let name = self.unique(&mut names);
            let span = self.span();
            let exit = LocId::new(0);
            self.program.procedures.push(Procedure {
                name,
                parameters: Vec::new(),
                result: None,
                locations: Default::default(),
                edges: Default::default(),
                entry: exit,
                exit,
                span,
            });
        }
    }

    /// Parameters, results and locations.
    fn procedures(&mut self) {
        for id in self.program.procedures.ids() {
            let mut locals: Vec<VarId> = self.program.locals(id).collect();
            if !locals.is_empty() && self.random.percent(60) {
                self.program.procedures[id].result = Some(*self.random.choose(&locals));
            }
            let count = self.random.below(locals.len().min(3) + 1);
            // The first procedure stays without parameters, so that there is one to start with.
            let count = if id.index() == 0 { 0 } else { count };
            for _ in 0..count {
                let parameter = locals.swap_remove(self.random.below(locals.len()));
                self.program.procedures[id].parameters.push(parameter);
            }
            let count = self.random.between(1, self.config.locations);
            let exit = LocId::new(self.random.below(count));
            self.program.procedures[id].exit = exit;
            self.program.procedures[id].entry = LocId::new(self.random.below(count));
            for location in 0..count {
                let name = if self.random.percent(40) { Some(self.location_name()) } else { None };
                let error = location != exit.index() && self.random.percent(25);
                let error = if error { Some(self.failure()) } else { None };
                let span = self.span();
                self.program.procedures[id].locations.push(Location { name, error, span });
            }
        }
    }

    fn location_name(&mut self) -> String {
        if self.config.odd_names && self.random.percent(10) { String::new() } else { self.text() }
    }

    fn failure(&mut self) -> Failure {
        use ErrorKind::*;
        let plain = [
            Assertion,
            Overflow,
            DivisionByZero,
            ShiftOutOfRange,
            NullDereference,
            OutOfBounds,
            IndexOutOfRange,
            UseAfterFree,
            InvalidFree,
            UninitialisedRead,
            UndefinedExpression,
            Leak,
            Deadlock,
            DataRace,
        ];
        let kind = match self.random.below(6) {
            0 => Call(self.text()),
            1 => UncaughtException(self.text()),
            2 => Undefined(self.text()),
            _ => self.random.choose(&plain).clone(),
        };
        Failure { kind, message: self.text() }
    }

    fn choose_main(&mut self) -> ProcId {
        let fit = |p: &ProcId| self.program.procedures[*p].parameters.is_empty();
        let fit: Vec<ProcId> = self.program.procedures.ids().filter(fit).collect();
        *self.random.choose(&fit)
    }

    fn blocks(&mut self) {
        let count = self.random.below(self.config.block + 1);
        for _ in 0..count {
            if let Some(statement) = self.statement(None) {
                self.program.init.push(statement);
            }
        }
        for id in self.program.procedures.ids() {
            let procedure = &self.program.procedures[id];
            let leaves = |l: &LocId| *l != procedure.exit && procedure.locations[*l].error.is_none();
            let starts: Vec<LocId> = procedure.locations.ids().filter(leaves).collect();
            let locations = procedure.locations.len();
            if starts.is_empty() {
                continue;
            }
            for _ in 0..self.random.below(self.config.edges + 1) {
                let source = *self.random.choose(&starts);
                let target = LocId::new(self.random.below(locations));
                let label = if self.random.percent(50) { Some(self.text()) } else { None };
                let (block, span) = (self.block(id), self.span());
                self.program.procedures[id].edges.push(Edge { source, target, label, block, span, places: Vec::new() });
            }
        }
    }

    fn block(&mut self, id: ProcId) -> Vec<Statement> {
        if self.random.percent(15) {
            return self.call(id).into_iter().collect();
        }
        let count = self.random.below(self.config.block + 1);
        let mut block: Vec<Statement> = (0..count).filter_map(|_| self.statement(Some(id))).collect();
        if self.config.threads && self.random.percent(5) {
            let condition = self.expr(Some(id), Type::Pointer);
            block.push(Statement::Wait { condition, lock: self.expr(Some(id), Type::Pointer) });
        }
        block
    }

    fn visible(&self, scope: Option<ProcId>) -> Vec<(VarId, Type)> {
        let in_scope = |v: &Variable| v.scope == Scope::Global || scope.is_some_and(|p| v.scope == Scope::Local(p));
        self.program.variables.enumerate().filter(|(_, v)| in_scope(v)).map(|(id, v)| (id, v.ty)).collect()
    }

    fn expr(&mut self, scope: Option<ProcId>, ty: Type) -> Expr {
        let variables = self.visible(scope);
        let mut types: Vec<Type> = variables.iter().map(|(_, ty)| *ty).collect();
        types.extend([Type::Bool, Type::Int, Type::machine(8, true)]);
        if self.config.memory {
            types.push(Type::Pointer);
        }
        let source = ExprSource {
            variables: &variables,
            types: &types,
            memory: self.config.memory,
            procedures: self.program.procedures.len(),
        };
        source.expr(&mut self.random, ty, self.config.depth)
    }

    fn variable(&mut self, scope: Option<ProcId>, fits: impl Fn(Type) -> bool) -> Option<VarId> {
        let fit: Vec<VarId> = self.visible(scope).into_iter().filter(|(_, ty)| fits(*ty)).map(|(v, _)| v).collect();
        if fit.is_empty() { None } else { Some(*self.random.choose(&fit)) }
    }

    fn arguments(&mut self, scope: ProcId) -> (ProcId, Vec<Expr>) {
        let callee = ProcId::new(self.random.below(self.program.procedures.len()));
        let parameters = self.program.procedures[callee].parameters.clone();
        let types: Vec<Type> = parameters.into_iter().map(|p| self.program.variables[p].ty).collect();
        (callee, types.into_iter().map(|ty| self.expr(Some(scope), ty)).collect())
    }

    fn call(&mut self, scope: ProcId) -> Option<Statement> {
        let (callee, arguments) = self.arguments(scope);
        let result = self.program.procedures[callee].result.map(|r| self.program.variables[r].ty);
        let target = match result {
            Some(ty) if self.random.percent(70) => self.variable(Some(scope), |t| t == ty),
            _ => None,
        };
        Some(Statement::Call { target, callee, arguments })
    }

    /// A statement other than a call or a wait; none if it would need a variable that there is not.
    fn statement(&mut self, scope: Option<ProcId>) -> Option<Statement> {
        match self.random.below(12) {
            0..=2 => Some(Statement::Assume(self.expr(scope, Type::Bool))),
            3..=5 => Some(self.assign(scope)),
            6 => Some(Statement::Havoc { target: self.variable(scope, |_| true)?, span: self.span() }),
            7 | 8 if self.config.memory => self.memory_statement(scope),
            _ if self.random.percent(10) => Some(self.output(scope)),
            9.. if self.config.threads => self.thread_statement(scope?),
            _ => Some(self.assign(scope)),
        }
    }

    fn assign(&mut self, scope: Option<ProcId>) -> Statement {
        let mut pairs: Vec<(VarId, Expr)> = Vec::new();
        for _ in 0..self.random.below(4) {
            if let Some(target) = self.variable(scope, |_| true)
                && pairs.iter().all(|(v, _)| *v != target)
            {
                let ty = self.program.variables[target].ty;
                pairs.push((target, self.expr(scope, ty)));
            }
        }
        Statement::Assign(pairs)
    }

    fn memory_statement(&mut self, scope: Option<ProcId>) -> Option<Statement> {
        Some(match self.random.below(4) {
            0 if self.random.percent(50) => {
                let (target, source) = (self.expr(scope, Type::Pointer), self.expr(scope, Type::Pointer));
                Statement::Copy { target, source, bytes: self.expr(scope, OFFSET) }
            }
            0 => {
                let (target, byte) = (self.expr(scope, Type::Pointer), self.expr(scope, Type::machine(8, false)));
                Statement::Fill { target, byte, bytes: self.expr(scope, OFFSET) }
            }
            1 if self.random.percent(20) => {
                let bytes = (0..self.random.below(9)).map(|_| self.random.below(256) as u8).collect();
                Statement::Write { target: self.expr(scope, Type::Pointer), bytes }
            }
            1 => {
                let mut ty = self.ty();
                if ty == Type::Int {
                    ty = Type::Pointer;
                }
                let address = self.expr(scope, Type::Pointer);
                Statement::Store { address, value: self.expr(scope, ty) }
            }
            2 => {
                let target = self.variable(scope, |ty| ty == Type::Pointer)?;
                let regions = [
                    Region::Static,
                    Region::Literal,
                    Region::Constant,
                    Region::Heap,
                    Region::Stack,
                    Region::ConstantStack,
                ];
                let region = *self.random.choose(&regions[..if scope.is_some() { 5 } else { 4 }]);
                let zeroed = self.random.percent(50);
                Statement::Allocate { target, size: self.expr(scope, OFFSET), region, zeroed }
            }
            _ => Statement::Free(self.expr(scope, Type::Pointer)),
        })
    }

    fn output(&mut self, scope: Option<ProcId>) -> Statement {
        let mut pieces = Vec::new();
        for _ in 0..self.random.below(4) {
            if self.random.percent(40) {
                pieces.push(Piece::Text(self.text()));
                continue;
            }
            let ty = self.ty();
            let fit: Vec<Conversion> = Conversion::all().filter(|c| Style::plain(*c).takes(ty)).collect();
            if !fit.is_empty() {
                let style = self.style(&fit);
                pieces.push(Piece::Value { expr: self.expr(scope, ty), style });
            }
        }
        Statement::Output(pieces)
    }

    fn style(&mut self, conversions: &[Conversion]) -> Style {
        let mut flag = || self.random.percent(25);
        let (left, plus, space, alternate, zero) = (flag(), flag(), flag(), flag(), flag());
        let (wide, precise) = (flag(), flag());
        let width = wide.then(|| self.random.between(1, 20) as u16);
        let precision = precise.then(|| self.random.below(10) as u16);
        let conversion = *self.random.choose(conversions);
        Style { conversion, left, plus, space, alternate, zero, width, precision }
    }

    fn thread_statement(&mut self, id: ProcId) -> Option<Statement> {
        let scope = Some(id);
        Some(match self.random.below(7) {
            0 => {
                let (callee, arguments) = self.arguments(id);
                let target = self.variable(scope, Type::is_integer);
                Statement::Spawn { target, callee, arguments }
            }
            1 => {
                let ty = if self.random.percent(50) { Type::Int } else { Type::machine(32, true) };
                Statement::Join(self.expr(scope, ty))
            }
            2 => Statement::Lock { reentrant: self.random.percent(50), lock: self.expr(scope, Type::Pointer) },
            3 => Statement::Unlock(self.expr(scope, Type::Pointer)),
            4 => Statement::Notify { all: self.random.percent(50), condition: self.expr(scope, Type::Pointer) },
            5 => Statement::AtomicBegin,
            _ => Statement::AtomicEnd,
        })
    }
}

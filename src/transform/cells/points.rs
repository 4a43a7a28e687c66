//! Which objects pointers lead to, and at which offsets: a flow-insensitive analysis of pointer variables.

use crate::program::{BinaryOp, EdgeId, Expr, ProcId, Program, Statement, Type, VarId};
use crate::term::Offsets;
use rustc_hash::FxHashMap;

/// Where objects are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Site {
    /// The edge; none for `init`.
    pub edge: Option<(ProcId, EdgeId)>,
    /// Which statement of its block.
    pub statement: usize,
}

/// A set of sites, by their numbers.
pub(super) type Sites = u64;

/// How many sites a program has at most to be looked at.
const MAX_SITES: usize = 64;

/// What a pointer can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    pub sites: Sites,
    pub offsets: Offsets,
}

const NOWHERE: Target = Target { sites: 0, offsets: Offsets { rest: 0, step: 0 } };
const ANY: Target = Target { sites: Sites::MAX, offsets: Offsets::ANYWHERE };

impl Target {
    fn join(self, other: Target) -> Target {
        match (self.sites, other.sites) {
            (0, _) => other,
            (_, 0) => self,
            _ => Target { sites: self.sites | other.sites, offsets: self.offsets.join(other.offsets) },
        }
    }
}

/// What pointer variables can be.
pub(super) struct Points {
    pub sites: Vec<Site>,
    variables: FxHashMap<VarId, Target>,
    /// What pointers in memory can be.
    memory: Target,
}

impl Points {
    /// `None` where there are too many sites.
    pub(super) fn of(program: &Program) -> Option<Points> {
        let mut sites = Vec::new();
        each_statement(program, |edge, statement, what| {
            if let Statement::Allocate { .. } = what {
                sites.push(Site { edge, statement });
            }
        });
        if sites.len() > MAX_SITES {
            return None;
        }
        let mut points = Points { sites, variables: FxHashMap::default(), memory: NOWHERE };
        let mut changed = true;
        while changed {
            changed = false;
            each_statement(program, |edge, statement, what| changed |= points.take(program, edge, statement, what));
        }
        Some(points)
    }

    /// The set of one site.
    pub(super) fn set_of(&self, edge: Option<(ProcId, EdgeId)>, statement: usize) -> Sites {
        let number = self.sites.iter().position(|site| *site == Site { edge, statement });
        number.map_or(0, |number| 1 << number)
    }

    /// What an expression, a pointer, can be.
    pub(super) fn target(&self, program: &Program, expr: &Expr) -> Target {
        match expr {
            Expr::Null | Expr::Function(_) => NOWHERE,
            Expr::Var(variable) => self.variables.get(variable).copied().unwrap_or(NOWHERE),
            Expr::Binary(BinaryOp::PointerAdd, pointer, bytes) => {
                let Target { sites, offsets } = self.target(program, pointer);
                Target { sites, offsets: offsets.plus(multiple(program, bytes)) }
            }
            Expr::Ite(_, then, otherwise) => self.target(program, then).join(self.target(program, otherwise)),
            Expr::Cast(Type::Pointer, inner) if inner.type_in(program) == Type::Pointer => self.target(program, inner),
            Expr::Load(..) => self.memory,
            _ => ANY,
        }
    }

    /// What is made a number of.
    fn exposed(&self, program: &Program, expr: &Expr) -> Target {
        let inside = expr.operands().into_iter().fold(NOWHERE, |all, e| all.join(self.exposed(program, e)));
        match expr {
            Expr::Cast(Type::Machine(_), pointer) if pointer.type_in(program) == Type::Pointer => {
                inside.join(self.target(program, pointer))
            }
            _ => inside,
        }
    }

    /// Takes in what a statement does; whether that is new.
    fn take(
        &mut self,
        program: &Program,
        edge: Option<(ProcId, EdgeId)>,
        number: usize,
        statement: &Statement,
    ) -> bool {
        let is_pointer = |variable: VarId| program.variables[variable].ty == Type::Pointer;
        let exposed = statement.expressions().into_iter().fold(NOWHERE, |all, e| all.join(self.exposed(program, e)));
        if exposed.sites & !self.memory.sites != 0 {
            // An address as a number can come back as a pointer through memory.
            self.memory = self.memory.join(Target { offsets: Offsets::ANYWHERE, ..exposed });
            return true;
        }
        match statement {
            Statement::Allocate { target, .. } => {
                let made = Target { sites: self.set_of(edge, number), offsets: Offsets::at(0) };
                self.add(*target, made)
            }
            Statement::Assign(pairs) => {
                let pointers = pairs.iter().filter(|(target, _)| is_pointer(*target));
                let targets: Vec<(VarId, Target)> = pointers.map(|(to, e)| (*to, self.target(program, e))).collect();
                targets.into_iter().fold(false, |changed, (to, target)| self.add(to, target) | changed)
            }
            Statement::Havoc { target, .. } if is_pointer(*target) => self.add(*target, ANY),
            Statement::Call { target, callee, arguments } => {
                let procedure = &program.procedures[*callee];
                let mut changed = false;
                for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
                    if is_pointer(*parameter) {
                        let passed = self.target(program, argument);
                        changed |= self.add(*parameter, passed);
                    }
                }
                if let (Some(target), Some(result)) = (target, procedure.result)
                    && is_pointer(*target)
                {
                    let given = self.target(program, &Expr::Var(result));
                    changed |= self.add(*target, given);
                }
                changed
            }
            Statement::Store { value, .. } if value.type_in(program) == Type::Pointer => {
                let stored = self.memory.join(self.target(program, value));
                std::mem::replace(&mut self.memory, stored) != stored
            }
            _ => false,
        }
    }

    fn add(&mut self, variable: VarId, target: Target) -> bool {
        let before = self.variables.get(&variable).copied().unwrap_or(NOWHERE);
        let after = before.join(target);
        self.variables.insert(variable, after);
        before != after
    }
}

/// Calls the function on every statement, with its edge and number.
pub(super) fn each_statement(program: &Program, mut visit: impl FnMut(Option<(ProcId, EdgeId)>, usize, &Statement)) {
    for (number, statement) in program.init.iter().enumerate() {
        visit(None, number, statement);
    }
    for (id, procedure) in program.procedures.enumerate() {
        for (edge, data) in procedure.edges.enumerate() {
            for (number, statement) in data.block.iter().enumerate() {
                visit(Some((id, edge)), number, statement);
            }
        }
    }
}

/// What is known of a number of bytes.
fn multiple(program: &Program, expr: &Expr) -> Offsets {
    // Wrapping keeps multiples of powers of two only.
    let wrapped = |of: Offsets| match (of.step, bound(program, expr) < 1 << 62) {
        (0, _) | (_, true) => of,
        (step, false) => Offsets::of(of.rest, 1 << step.trailing_zeros().min(8)),
    };
    match expr {
        Expr::Int(value, _) => value.to_i64().map_or(Offsets::ANYWHERE, Offsets::at),
        Expr::Binary(BinaryOp::Add, a, b) => wrapped(multiple(program, a).plus(multiple(program, b))),
        Expr::Binary(BinaryOp::Mul, a, b) => {
            let (a, b) = (multiple(program, a), multiple(program, b));
            let by = |of: Offsets, factor: i64| {
                Some(Offsets::of(of.rest.checked_mul(factor)?, of.step.checked_mul(factor)?.abs()))
            };
            let product = match (a.step, b.step) {
                (_, 0) => by(a, b.rest),
                (0, _) => by(b, a.rest),
                _ => None,
            };
            wrapped(product.unwrap_or(Offsets::ANYWHERE))
        }
        Expr::Cast(Type::Machine(to), inner) => match inner.type_in(program) {
            Type::Machine(from) if to.width > from.width && (to.signed || !from.signed) => multiple(program, inner),
            Type::Machine(_) => {
                let of = multiple(program, inner);
                Offsets::of(of.rest, if of.step == 0 { 256 } else { 1 << of.step.trailing_zeros().min(8) })
            }
            _ => Offsets::ANYWHERE,
        },
        _ => Offsets::ANYWHERE,
    }
}

/// How large an `i64` is at most, without its sign, if nothing wraps on the way.
fn bound(program: &Program, expr: &Expr) -> u128 {
    const MOST: u128 = 1 << 64;
    match expr {
        Expr::Int(value, _) => value.to_i64().map_or(MOST, |value| u128::from(value.unsigned_abs())),
        Expr::Binary(BinaryOp::Add, a, b) => (bound(program, a) + bound(program, b)).min(MOST),
        Expr::Binary(BinaryOp::Mul, a, b) => (bound(program, a) * bound(program, b).min(MOST - 1)).min(MOST),
        Expr::Cast(_, inner) => match inner.type_in(program) {
            Type::Machine(from) if from.width <= 32 => 1 << from.width,
            _ => MOST,
        },
        _ => MOST,
    }
}

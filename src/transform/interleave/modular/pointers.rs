//! Which objects the pointers of an instance can be to, at each of its nodes.

use super::super::emit::{Made, To};
use crate::program::{BinaryOp, Expr, Program, Region, Statement, Type, UnaryOp, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// What a pointer can be to. An object is named by the variable that it was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    /// The offset in the object; none where it is not known.
    At(VarId, Option<i64>),
    /// Any object that a pointer to it was kept of where it is not followed.
    Unknown,
}

impl Target {
    fn anywhere(self) -> Target {
        match self {
            Target::At(object, _) => Target::At(object, None),
            Target::Unknown => Target::Unknown,
        }
    }
}

/// Where a pointer has more targets, their offsets are forgotten.
const MAX_TARGETS: usize = 16;

pub(super) type Targets = BTreeSet<Target>;

/// What is known of an instance's own pointers; one that is not in it was not written.
pub(super) type Facts = BTreeMap<VarId, Targets>;

/// What holds for all instances.
pub(super) struct Pointers<'p> {
    program: &'p Program,
    owners: &'p FxHashMap<VarId, usize>,
    /// The globals that one allocation in `init` writes, and nothing else.
    pub fixed: FxHashSet<VarId>,
    /// The sizes of objects, where they are constants.
    pub sizes: FxHashMap<VarId, i64>,
    /// The objects to which a pointer is kept where it is not followed, and those that are constant or of any size.
    pub escaped: FxHashSet<VarId>,
}

impl<'p> Pointers<'p> {
    pub(super) fn of(program: &'p Program, owners: &'p FxHashMap<VarId, usize>, made: &[Vec<Made>]) -> Self {
        let blocks = || made.iter().flatten().flat_map(|edge| &edge.block);
        let written: FxHashSet<VarId> = blocks().flat_map(Statement::targets).collect();
        let mut first: FxHashMap<VarId, u32> = FxHashMap::default();
        program.init.iter().flat_map(Statement::targets).for_each(|target| *first.entry(target).or_default() += 1);
        let (mut fixed, mut sizes, mut escaped) = (FxHashSet::default(), FxHashMap::default(), FxHashSet::default());
        for statement in program.init.iter().chain(blocks()) {
            if let Statement::Allocate { target, size, region, .. } = statement {
                let is_constant = matches!(region, Region::Literal | Region::Constant | Region::ConstantStack);
                match size {
                    Expr::Int(size, _)
                        if size.to_i64().is_some_and(|n| *sizes.entry(*target).or_insert(n) == n) && !is_constant => {}
                    _ => drop(escaped.insert(*target)),
                }
            }
        }
        for statement in &program.init {
            if let Statement::Allocate { target, .. } = statement
                && first[target] == 1
                && !written.contains(target)
            {
                fixed.insert(*target);
            }
        }
        Pointers { program, owners, fixed, sizes, escaped }
    }

    /// The size of a pointer.
    pub(super) fn pointer_bytes(&self) -> u32 {
        self.program.pointer_bytes
    }

    /// The facts at each node of an instance; none where no execution comes.
    pub(super) fn follow(
        &mut self,
        number: usize,
        nodes: usize,
        parameters: &[VarId],
        edges: &[Made],
    ) -> Vec<Option<Facts>> {
        let start = parameters.iter().map(|parameter| (*parameter, Targets::from([Target::Unknown]))).collect();
        let mut facts: Vec<Option<Facts>> = vec![None; nodes];
        facts[0] = Some(start);
        let mut waiting = BTreeSet::from([0]);
        while let Some(node) = waiting.pop_first() {
            for edge in edges.iter().filter(|edge| edge.source == node) {
                let mut after = facts[node].clone().expect("a node that waits was reached");
                edge.block.iter().for_each(|statement| self.write(number, statement, &mut after));
                if let To::Node(target) | To::Schedule(Some(target)) = edge.to
                    && join(&mut facts[target], after)
                {
                    waiting.insert(target);
                }
            }
        }
        facts
    }

    /// What a statement does to the instance's pointers; what leaves them has escaped.
    pub(super) fn write(&mut self, number: usize, statement: &Statement, facts: &mut Facts) {
        let mut kept = Vec::new();
        match statement {
            Statement::Assign(pairs) => {
                let values: Vec<Targets> = pairs.iter().map(|(_, value)| self.targets(value, facts)).collect();
                for ((target, value), targets) in pairs.iter().zip(values) {
                    let is_pointer = self.program.variables[*target].ty == Type::Pointer;
                    if is_pointer && self.owners.get(target) == Some(&number) {
                        self.parts(value, facts, &mut kept);
                        facts.insert(*target, targets);
                    } else {
                        self.values(value, facts, &mut kept);
                    }
                }
            }
            Statement::Havoc { target, .. } => drop(facts.insert(*target, [Target::Unknown].into())),
            Statement::Allocate { target, size, .. } => {
                self.values(size, facts, &mut kept);
                self.end(*target, facts);
                if self.owners.get(target) == Some(&number) {
                    facts.insert(*target, [Target::At(*target, Some(0))].into());
                } else if !self.fixed.contains(target) {
                    self.escaped.insert(*target);
                }
            }
            Statement::Free(pointer) => {
                self.parts(pointer, facts, &mut kept);
                for target in self.targets(pointer, facts) {
                    if let Target::At(object, _) = target {
                        self.end(object, facts);
                    }
                }
            }
            Statement::Store { address, value } => {
                self.parts(address, facts, &mut kept);
                self.values(value, facts, &mut kept);
            }
            Statement::Copy { target, source, bytes } => {
                self.parts(target, facts, &mut kept);
                self.parts(source, facts, &mut kept);
                self.values(bytes, facts, &mut kept);
            }
            Statement::Fill { target, byte, bytes } => {
                self.parts(target, facts, &mut kept);
                self.values(byte, facts, &mut kept);
                self.values(bytes, facts, &mut kept);
            }
            Statement::Write { target, .. } => self.parts(target, facts, &mut kept),
            other => other.expressions().into_iter().for_each(|expr| self.values(expr, facts, &mut kept)),
        }
        self.escaped.extend(kept);
    }

    /// The life of an object ends: what was a pointer to it is one to nothing that is followed.
    fn end(&self, object: VarId, facts: &mut Facts) {
        for targets in facts.values_mut() {
            let before = targets.len();
            targets.retain(|target| !matches!(target, Target::At(of, _) if *of == object));
            if targets.len() < before {
                targets.insert(Target::Unknown);
            }
        }
    }

    /// What a pointer can be to.
    pub(super) fn targets(&self, expr: &Expr, facts: &Facts) -> Targets {
        match expr {
            Expr::Function(_) => Targets::new(),
            Expr::Var(variable) if self.fixed.contains(variable) => [Target::At(*variable, Some(0))].into(),
            Expr::Var(variable) if self.owners.contains_key(variable) => {
                facts.get(variable).cloned().unwrap_or_default()
            }
            Expr::Binary(BinaryOp::PointerAdd, pointer, offset) => {
                let add = match &**offset {
                    Expr::Int(n, _) => n.to_i64(),
                    _ => None,
                };
                let moved = |target| match target {
                    Target::At(object, offset) => {
                        Target::At(object, offset.zip(add).and_then(|(offset, add)| offset.checked_add(add)))
                    }
                    Target::Unknown => Target::Unknown,
                };
                self.targets(pointer, facts).into_iter().map(moved).collect()
            }
            Expr::Ite(_, a, b) => self.targets(a, facts).union(&self.targets(b, facts)).copied().collect(),
            _ => [Target::Unknown].into(),
        }
    }

    /// The objects that pointers inside an address are kept of: those of its parts that are values of their own.
    fn parts(&self, expr: &Expr, facts: &Facts, kept: &mut Vec<VarId>) {
        match expr {
            Expr::Var(_) | Expr::Null | Expr::Function(_) => {}
            Expr::Binary(BinaryOp::PointerAdd, pointer, offset) => {
                self.parts(pointer, facts, kept);
                self.values(offset, facts, kept);
            }
            Expr::Ite(condition, a, b) => {
                self.values(condition, facts, kept);
                self.parts(a, facts, kept);
                self.parts(b, facts, kept);
            }
            other => self.values(other, facts, kept),
        }
    }

    /// The objects that pointers in an expression are kept of.
    fn values(&self, expr: &Expr, facts: &Facts, kept: &mut Vec<VarId>) {
        match expr {
            Expr::Load(_, address) => self.parts(address, facts, kept),
            // Nothing but a truth value comes of these.
            Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => {
                self.parts(a, facts, kept);
                self.parts(b, facts, kept);
            }
            Expr::Unary(UnaryOp::IsLive | UnaryOp::IsFreeable | UnaryOp::IsLocked | UnaryOp::HoldsLock, pointer) => {
                self.parts(pointer, facts, kept);
            }
            other => {
                if self.ty(other) == Some(Type::Pointer) {
                    let objects = self.targets(other, facts);
                    kept.extend(objects.into_iter().filter_map(|target| match target {
                        Target::At(object, _) => Some(object),
                        Target::Unknown => None,
                    }));
                }
                other.operands().into_iter().for_each(|operand| self.values(operand, facts, kept));
            }
        }
    }

    /// The type of an expression over variables of the program or their copies.
    fn ty(&self, expr: &Expr) -> Option<Type> {
        match expr {
            Expr::Null | Expr::Function(_) | Expr::Binary(BinaryOp::PointerAdd, ..) => Some(Type::Pointer),
            Expr::Load(ty, _) | Expr::Cast(ty, _) => Some(*ty),
            Expr::Ite(_, a, _) => self.ty(a),
            Expr::Var(variable) => self.program.variables.get(*variable).map(|variable| variable.ty),
            _ => None,
        }
    }
}

/// Adds to what is known of a node; tells whether that is more than before.
fn join(known: &mut Option<Facts>, facts: Facts) -> bool {
    let Some(known) = known else {
        *known = Some(facts);
        return true;
    };
    let mut grows = false;
    for (variable, targets) in facts {
        let here = known.entry(variable).or_default();
        let before = here.clone();
        here.extend(targets);
        if here.len() > MAX_TARGETS {
            *here = here.iter().map(|target| target.anywhere()).collect();
        }
        let known_anywhere = here.clone();
        here.retain(|target| *target == target.anywhere() || !known_anywhere.contains(&target.anywhere()));
        // With offsets forgotten there may be as many targets as before, and others.
        grows |= *here != before;
    }
    grows
}

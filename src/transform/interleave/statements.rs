//! What the statements of an instance become, over its copies of the variables.

use super::held::Slot;
use super::instance::{Instance, Move};
use super::locks::{Lock, Pointers};
use super::private::result_target;
use super::stack::StackObjects;
use super::{NotFollowed, Refused};
use crate::program::control::{Action, Frame};
use crate::program::{
    BinaryOp, Expr, IdVec, OFFSET, Piece, Program, Region, Role, Scope, Span, Statement, Type, UnaryOp, VarId, Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The type of the variables that say where instances are, their numbers, and who holds a lock.
const NUMBER: Type = Type::Machine(crate::program::MachineInt { width: 32, signed: false });

/// Where an instance is that was not started.
const NOT_STARTED: usize = 0;
/// Where one is that has ended.
const ENDED: usize = 1;
/// Where one is that is at its first node.
const FIRST_NODE: usize = 2;

/// One way to take a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Way {
    pub block: Vec<Statement>,
    /// The instances that it starts.
    pub starts: Vec<usize>,
    /// What goes wrong at its end.
    pub lost: Option<NotFollowed>,
}

/// The variables of the interleaved program.
pub(super) struct Translator<'p> {
    pub(super) program: &'p Program,
    pub(super) instances: &'p [Instance],
    objects: &'p StackObjects,
    pub(super) pointers: Pointers<'p>,
    pub variables: IdVec<VarId, Variable>,
    /// The first values of those that are new.
    pub first: Vec<(VarId, Expr)>,
    /// Whose a variable is that only one instance uses.
    pub owners: FxHashMap<VarId, usize>,
    copies: FxHashMap<(usize, VarId), VarId>,
    names: FxHashSet<String>,
    places: Vec<VarId>,
    numbers: Vec<VarId>,
    count: VarId,
    locks: BTreeMap<Lock, (VarId, Option<VarId>)>,
    /// The locks that each instance holds, where they are not known beforehand.
    pub(super) held: Option<Vec<Vec<Slot>>>,
    /// Whether locks are counted.
    counts_locks: bool,
    /// Whether an instance stands for any number of threads: who they are and which have ended is not known.
    pub(super) is_modular: bool,
}

/// Whose statements are translated.
#[derive(Clone, Copy)]
struct Scene<'a> {
    instance: usize,
    stack: &'a [Frame],
    span: Option<Span>,
}

impl<'p> Translator<'p> {
    pub(super) fn new(program: &'p Program, instances: &'p [Instance], objects: &'p StackObjects) -> Self {
        let globals = program.variables.iter().filter(|variable| variable.scope == Scope::Global);
        let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        let mut statements = edges.flat_map(|edge| edge.block.iter());
        let mut translator = Translator {
            program,
            instances,
            objects,
            pointers: Pointers::of(program, instances),
            variables: program.variables.clone(),
            first: Vec::new(),
            owners: FxHashMap::default(),
            copies: FxHashMap::default(),
            names: globals.map(|variable| variable.name.clone()).collect(),
            places: Vec::new(),
            numbers: Vec::new(),
            count: crate::program::Id::new(0),
            locks: BTreeMap::new(),
            held: None,
            counts_locks: statements.any(|s| matches!(s, Statement::Lock { reentrant: true, .. })),
            is_modular: false,
        };
        translator.count = translator.control("threads".to_owned(), 1);
        for number in 0..instances.len() {
            let place = translator.control(format!("at#{number}"), NOT_STARTED);
            translator.places.push(place);
            let own = translator.control(format!("number#{number}"), 0);
            translator.numbers.push(own);
        }
        translator.make_room_for_locks();
        translator
    }

    pub(super) fn control(&mut self, name: String, first: usize) -> VarId {
        let name = self.unused(name);
        let variable = Variable { name, ty: NUMBER, scope: Scope::Global, role: Role::Control, span: None };
        let id = self.variables.push(variable);
        self.first.push((id, number(first)));
        id
    }

    pub(super) fn unused(&mut self, mut name: String) -> String {
        while !self.names.insert(name.clone()) {
            name.push('\'');
        }
        name
    }

    /// The instance's copy of a variable.
    pub(super) fn copy(&mut self, instance: usize, variable: VarId) -> VarId {
        let original = &self.program.variables[variable];
        let is_shared = original.scope == Scope::Global && (original.role != Role::Own || instance == 0);
        if is_shared {
            if original.role == Role::Own {
                self.variables[variable].role = Role::Data;
                self.owners.insert(variable, 0);
            }
            return variable;
        }
        if let Some(&known) = self.copies.get(&(instance, variable)) {
            return known;
        }
        let thread = if instance == 0 { String::new() } else { format!("#{instance}") };
        let name = match original.scope {
            Scope::Global => format!("{}{thread}", original.name),
            Scope::Local(owner) => format!("{}{thread}.{}", self.program.procedures[owner].name, original.name),
        };
        let name = self.unused(name);
        let copy = Variable { name, scope: Scope::Global, role: Role::Data, ..original.clone() };
        // The first instance to use a local takes it over.
        let id = if self.variables[variable].scope == Scope::Global {
            self.variables.push(copy)
        } else {
            self.variables[variable] = copy;
            variable
        };
        self.first.push((id, zero(original.ty)));
        self.owners.insert(id, instance);
        self.copies.insert((instance, variable), id);
        id
    }

    /// All copies: the instance, the variable of the program, and the copy.
    pub(super) fn all_copies(&self) -> impl Iterator<Item = ((usize, VarId), VarId)> + '_ {
        let own = self
            .owners
            .iter()
            .filter(|(variable, instance)| **instance == 0 && !self.copies.values().any(|copy| copy == *variable));
        let own = own.map(|(variable, _)| ((0, *variable), *variable));
        self.copies.iter().map(|(of, copy)| (*of, *copy)).chain(own)
    }

    /// The copy of a variable that an instance has, if it has one.
    pub(super) fn known_copy(&self, instance: usize, variable: VarId) -> Option<VarId> {
        self.copies.get(&(instance, variable)).copied()
    }

    /// The variables that say who holds a lock.
    pub(super) fn lock_owners(&self) -> Vec<VarId> {
        self.locks.values().map(|(owner, _)| *owner).collect()
    }

    /// Whether a variable is the copy that an instance other than the first has of a global of a thread's own.
    pub(super) fn is_copy_of_own(&self, instance: usize, variable: VarId) -> bool {
        let own = |id: &VarId| self.program.variables[*id].scope == Scope::Global;
        self.copies.iter().any(|((of, original), copy)| *of == instance && *copy == variable && own(original))
    }

    /// That an instance is at a node, where another may be chosen.
    pub(super) fn is_at(&self, instance: usize, node: usize) -> Expr {
        equal(self.places[instance], FIRST_NODE + node)
    }

    /// Notes where an instance is; nowhere when it has ended.
    pub(super) fn goes_to(&self, instance: usize, node: Option<usize>) -> (VarId, Expr) {
        (self.places[instance], number(node.map_or(ENDED, |node| FIRST_NODE + node)))
    }

    /// The ways to take a step.
    pub(super) fn ways(&mut self, instance: usize, step: &Move) -> Result<Vec<Way>, Refused> {
        let of = &self.instances[instance];
        let stack = &of.nodes[step.source].stack;
        let Some(edge) = of.edge(self.program, step) else {
            let result = self.give_result(instance, step);
            let ended = self.ended(instance, step).to_vec().into_iter();
            let ends = ended.map(|object| Statement::Free(Expr::Var(self.copy(instance, object))));
            let block = result.into_iter().chain(ends).collect();
            return Ok(vec![Way { block, ..Way::default() }]);
        };
        debug_assert!(matches!(step.action, Action::Edge(_)));
        let scene = Scene { instance, stack, span: edge.span };
        let (mut ways, mut lost) = (vec![Way::default()], Vec::new());
        let mut starts = step.starts.iter();
        for statement in &edge.block {
            let choices = match statement {
                Statement::Spawn { target, callee: _, arguments } => {
                    let started = starts.next().expect("every start of a thread has its instances");
                    self.spawn(scene, *target, arguments, started)?
                }
                other => self.statement(scene, other)?,
            };
            let mut longer = Vec::new();
            for way in &ways {
                for choice in &choices {
                    let mut way = way.clone();
                    way.block.extend(choice.block.iter().cloned());
                    way.starts.extend(&choice.starts);
                    way.lost = choice.lost;
                    if way.lost.is_some() { lost.push(way) } else { longer.push(way) }
                }
            }
            ways = longer;
        }
        ways.extend(lost);
        Ok(ways)
    }

    /// The variables that point to objects whose lives end with a step.
    fn ended(&self, instance: usize, step: &Move) -> &'p [VarId] {
        let node = &self.instances[instance].nodes[step.source];
        match step.action {
            Action::Return => {
                let ending = self.objects.ending(node.top().procedure, instance == 0, node.stack.len() - 1);
                ending.unwrap_or_default()
            }
            Action::Edge(_) | Action::Wake => &[],
        }
    }

    /// Whether lives of objects end with a step.
    pub(super) fn ends_objects(&self, instance: usize, step: &Move) -> bool {
        !self.ended(instance, step).is_empty()
    }

    /// A return writes the caller's variable.
    fn give_result(&mut self, instance: usize, step: &Move) -> Option<Statement> {
        let of = &self.instances[instance];
        let target = result_target(self.program, of, step)?;
        let result = self.program.procedures[of.nodes[step.source].top().procedure].result?;
        let (target, result) = (self.copy(instance, target), self.copy(instance, result));
        Some(Statement::Assign(vec![(target, Expr::Var(result))]))
    }

    fn spawn(
        &mut self,
        scene: Scene<'_>,
        target: Option<VarId>,
        arguments: &[Expr],
        started: &[usize],
    ) -> Result<Vec<Way>, Refused> {
        let arguments = arguments.iter().map(|e| self.expr(scene, e)).collect::<Result<Vec<_>, _>>()?;
        if self.is_modular {
            return Ok(vec![self.spawn_any(scene, target, &arguments, started)]);
        }
        let mut ways = Vec::new();
        for (index, &new) in started.iter().enumerate() {
            let mut free = vec![equal(self.places[new], NOT_STARTED)];
            free.extend(started[..index].iter().map(|&before| equal(self.places[before], NOT_STARTED).negate()));
            let callee = self.instances[new].procedure;
            let parameters = self.program.procedures[callee].parameters.iter();
            let mut pairs: Vec<(VarId, Expr)> =
                parameters.zip(&arguments).map(|(parameter, e)| (self.copy(new, *parameter), e.clone())).collect();
            let next = Expr::binary(BinaryOp::Add, Expr::Var(self.count), number(1));
            pairs.extend([(self.numbers[new], Expr::Var(self.count)), (self.count, next), self.goes_to(new, Some(0))]);
            if let Some(target) = target {
                let ty = self.program.variables[target].ty;
                pairs.push((self.copy(scene.instance, target), cast(ty, Expr::Var(self.count))));
            }
            let block = vec![Statement::Assume(Expr::And(free)), Statement::Assign(pairs)];
            ways.push(Way { block, starts: vec![new], lost: None });
        }
        let none = started.iter().map(|&new| equal(self.places[new], NOT_STARTED).negate()).collect();
        ways.push(lost(Expr::And(none), NotFollowed::TooManyThreads));
        Ok(ways)
    }

    /// The start of a thread that the first of these instances stands for; its number can be any.
    fn spawn_any(&mut self, scene: Scene<'_>, target: Option<VarId>, arguments: &[Expr], started: &[usize]) -> Way {
        let new = started[0];
        let parameters = self.program.procedures[self.instances[new].procedure].parameters.iter().zip(arguments);
        let pairs: Vec<(VarId, Expr)> = parameters.map(|(v, e)| (self.copy(new, *v), e.clone())).collect();
        let mut block = vec![Statement::Assign(pairs)];
        if let Some(target) = target {
            block.push(Statement::Havoc { target: self.copy(scene.instance, target), span: scene.span });
        }
        Way { block, starts: vec![new], lost: None }
    }

    /// What a statement that starts no thread becomes.
    fn statement(&mut self, scene: Scene<'_>, statement: &Statement) -> Result<Vec<Way>, Refused> {
        use Statement::*;
        let me = scene.instance;
        let one = match statement {
            Assume(condition) => Assume(self.expr(scene, condition)?),
            Assign(pairs) => {
                let pairs = pairs.iter().map(|(v, e)| Ok((self.copy(me, *v), self.expr(scene, e)?)));
                Assign(pairs.collect::<Result<_, _>>()?)
            }
            Havoc { target, span } => Havoc { target: self.copy(me, *target), span: *span },
            Call { callee, arguments, .. } => {
                let parameters = self.program.procedures[*callee].parameters.iter().zip(arguments);
                let pairs = parameters.map(|(v, e)| Ok((self.copy(me, *v), self.expr(scene, e)?)));
                Assign(pairs.collect::<Result<_, _>>()?)
            }
            Store { address, value } => Store { address: self.expr(scene, address)?, value: self.expr(scene, value)? },
            Copy { target, source, bytes } => Copy {
                target: self.expr(scene, target)?,
                source: self.expr(scene, source)?,
                bytes: self.expr(scene, bytes)?,
            },
            Fill { target, byte, bytes } => Fill {
                target: self.expr(scene, target)?,
                byte: self.expr(scene, byte)?,
                bytes: self.expr(scene, bytes)?,
            },
            Write { target, bytes } => Write { target: self.expr(scene, target)?, bytes: bytes.clone() },
            Output(pieces) => {
                let piece = |piece: &Piece| match piece {
                    Piece::Text(text) => Ok(Piece::Text(text.clone())),
                    Piece::Value { expr, style } => Ok(Piece::Value { expr: self.expr(scene, expr)?, style: *style }),
                };
                Output(pieces.iter().map(piece).collect::<Result<_, _>>()?)
            }
            Allocate { target, size, region, zeroed } => {
                let (target, size) = (self.copy(me, *target), self.expr(scene, size)?);
                let procedure = scene.stack.last().expect("an instance that takes an edge has a frame").procedure;
                let region = match region {
                    Region::Stack | Region::ConstantStack => self
                        .objects
                        .region(*region, procedure, me == 0, scene.stack.len() - 1)
                        .expect("constants that end are refused before"),
                    Region::Static | Region::Literal | Region::Constant | Region::Heap => *region,
                };
                Allocate { target, size, region, zeroed: *zeroed }
            }
            Free(pointer) => Free(self.expr(scene, pointer)?),
            Join(thread) => return self.join(scene, thread),
            Lock { lock, reentrant } => return self.lock(scene, lock, *reentrant),
            Unlock(lock) => return self.unlock(scene, lock),
            // Nobody waits to be notified, and atomic sections are part of where an instance is.
            Notify { .. } | AtomicBegin | AtomicEnd => return Ok(vec![Way::default()]),
            Spawn { .. } | Wait { .. } => unreachable!("starts are treated apart, waits are refused"),
        };
        Ok(vec![Way { block: vec![one], ..Way::default() }])
    }

    fn join(&mut self, scene: Scene<'_>, thread: &Expr) -> Result<Vec<Way>, Refused> {
        if self.is_modular {
            return Ok(vec![Way::default()]);
        }
        let ty = thread.type_in(self.program);
        let thread = self.expr(scene, thread)?;
        // Both as numbers of a type that holds the one and the other.
        let common = match ty {
            Type::Machine(machine) if machine.width < 64 => OFFSET,
            other => other,
        };
        let thread = cast_from(ty, common, thread);
        let (mut ended, mut none) = (Vec::new(), Vec::new());
        for instance in 0..self.instances.len() {
            let number = cast(common, Expr::Var(self.numbers[instance]));
            let is_it = Expr::binary(BinaryOp::Eq, thread.clone(), number);
            ended.push(Expr::And(vec![is_it.clone(), equal(self.places[instance], ENDED)]));
            none.push(match instance {
                0 => is_it.negate(),
                _ => Expr::Or(vec![is_it.negate(), equal(self.places[instance], NOT_STARTED)]),
            });
        }
        let goes_on = Way { block: vec![Statement::Assume(Expr::Or(ended))], ..Way::default() };
        Ok(vec![goes_on, lost(Expr::And(none), NotFollowed::NoThread)])
    }

    fn lock(&mut self, scene: Scene<'_>, lock: &Expr, reentrant: bool) -> Result<Vec<Way>, Refused> {
        if self.held.is_some() {
            let lock = self.expr(scene, lock)?;
            return Ok(self.take_held(scene.instance, &lock, reentrant));
        }
        let (owner, depth) = self.lock_variables(scene, lock)?;
        let me = scene.instance + 1;
        let free = equal(owner, 0);
        let mut pairs = vec![(owner, number(me))];
        let guard = match depth.filter(|_| reentrant) {
            Some(_) => Expr::Or(vec![free, equal(owner, me)]),
            None => free,
        };
        if let Some(depth) = depth {
            let again = Expr::binary(BinaryOp::Add, Expr::Var(depth), number(1));
            pairs.push((depth, Expr::Ite(Box::new(equal(owner, me)), Box::new(again), Box::new(number(1)))));
        }
        let block = vec![Statement::Assume(guard), Statement::Assign(pairs)];
        Ok(vec![Way { block, ..Way::default() }])
    }

    fn unlock(&mut self, scene: Scene<'_>, lock: &Expr) -> Result<Vec<Way>, Refused> {
        if self.held.is_some() {
            let lock = self.expr(scene, lock)?;
            return Ok(self.release_held(scene.instance, &lock));
        }
        let (owner, depth) = self.lock_variables(scene, lock)?;
        let me = scene.instance + 1;
        let pairs = match depth {
            None => vec![(owner, number(0))],
            Some(depth) => {
                let again = Expr::binary(BinaryOp::Gt, Expr::Var(depth), number(1));
                let less = Expr::binary(BinaryOp::Sub, Expr::Var(depth), number(1));
                let choose = |then, other| Expr::Ite(Box::new(again.clone()), Box::new(then), Box::new(other));
                vec![(owner, choose(number(me), number(0))), (depth, choose(less, number(0)))]
            }
        };
        let block = vec![Statement::Assume(equal(owner, me)), Statement::Assign(pairs)];
        Ok(vec![Way { block, ..Way::default() }, lost(equal(owner, me).negate(), NotFollowed::NotOwner)])
    }

    /// Who holds a lock, and how often where that matters.
    fn lock_variables(&mut self, scene: Scene<'_>, lock: &Expr) -> Result<(VarId, Option<VarId>), Refused> {
        let found = self.pointers.lock(scene.instance, scene.stack, lock);
        let lock = found.ok_or_else(|| {
            let construct = "a lock that is not one object for the whole execution".to_owned();
            Refused { construct, span: scene.span }
        })?;
        if let Some(&known) = self.locks.get(&lock) {
            return Ok(known);
        }
        let name = self.program.variables[lock.0].name.trim_start_matches('&').to_owned();
        let name = if lock.1 == 0 { name } else { format!("{name}+{}", lock.1) };
        let owner = self.control(format!("owner of {name}"), 0);
        let depth = self.counts_locks.then(|| self.control(format!("depth of {name}"), 0));
        self.locks.insert(lock, (owner, depth));
        Ok((owner, depth))
    }

    fn expr(&mut self, scene: Scene<'_>, expr: &Expr) -> Result<Expr, Refused> {
        let me = scene.instance + 1;
        Ok(match expr {
            Expr::Bool(_) | Expr::Int(..) | Expr::Float(..) | Expr::Null | Expr::Function(_) => expr.clone(),
            Expr::Var(variable) => Expr::Var(self.copy(scene.instance, *variable)),
            Expr::Unary(UnaryOp::IsLocked, lock) if self.held.is_some() => {
                let lock = self.expr(scene, lock)?;
                Expr::Or((0..self.instances.len()).map(|instance| self.holds(instance, &lock)).collect())
            }
            Expr::Unary(UnaryOp::HoldsLock, lock) if self.held.is_some() => {
                let lock = self.expr(scene, lock)?;
                self.holds(scene.instance, &lock)
            }
            Expr::Unary(UnaryOp::IsLocked, lock) => equal(self.lock_variables(scene, lock)?.0, 0).negate(),
            // The copies of variables are not those of activations.
            Expr::Unary(UnaryOp::HasLost, _) => {
                return Err(Refused { construct: "the search for lost objects".to_owned(), span: scene.span });
            }
            Expr::Unary(UnaryOp::HoldsLock, lock) => equal(self.lock_variables(scene, lock)?.0, me),
            Expr::Unary(op, a) => Expr::unary(*op, self.expr(scene, a)?),
            Expr::Binary(op, a, b) => Expr::binary(*op, self.expr(scene, a)?, self.expr(scene, b)?),
            Expr::And(all) => Expr::And(all.iter().map(|e| self.expr(scene, e)).collect::<Result<_, _>>()?),
            Expr::Or(any) => Expr::Or(any.iter().map(|e| self.expr(scene, e)).collect::<Result<_, _>>()?),
            Expr::Ite(a, b, c) => {
                let (a, b, c) = (self.expr(scene, a)?, self.expr(scene, b)?, self.expr(scene, c)?);
                Expr::Ite(Box::new(a), Box::new(b), Box::new(c))
            }
            Expr::Cast(ty, a) => Expr::Cast(*ty, Box::new(self.expr(scene, a)?)),
            Expr::Load(ty, a) => Expr::Load(*ty, Box::new(self.expr(scene, a)?)),
        })
    }
}

/// The value that a variable has before anything is written to it; no execution reads it.
pub(super) fn zero(ty: Type) -> Expr {
    match ty {
        Type::Bool => Expr::Bool(false),
        Type::Pointer => Expr::Null,
        Type::Float(kind) => Expr::Float(0, kind),
        Type::Int | Type::Machine(_) => Expr::Int(crate::term::Integer::ZERO, ty),
    }
}

pub(super) fn number(value: usize) -> Expr {
    Expr::Int(crate::term::Integer::from(value), NUMBER)
}

pub(super) fn equal(variable: VarId, value: usize) -> Expr {
    Expr::binary(BinaryOp::Eq, Expr::Var(variable), number(value))
}

/// A number of a thread as another type.
fn cast(ty: Type, value: Expr) -> Expr {
    cast_from(NUMBER, ty, value)
}

fn cast_from(from: Type, to: Type, value: Expr) -> Expr {
    if from == to { value } else { Expr::Cast(to, Box::new(value)) }
}

pub(super) fn lost(condition: Expr, what: NotFollowed) -> Way {
    Way { block: vec![Statement::Assume(condition)], starts: Vec::new(), lost: Some(what) }
}

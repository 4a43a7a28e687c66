//! Programs that start any number of threads, one by one: the steps that one thread can take, over its own variables and
//! those that all threads see.
//!
//! Threads that start at one place are all alike. A *template* stands for them, with three copies of its variables: a
//! proof speaks of any thread that takes a step, and of any two others. What is left out makes for more steps, never
//! for fewer: a join does not wait, the number of a thread is any, and memory has any content but for cells that are
//! accessed at known places alone.

mod facts;
mod pointers;
mod promote;
mod steps;

pub use facts::{Assertion, Comparison, Fact, Facts, Obligation, Operand, Spot, Subject};

use super::emit::{Made, edges_of};
use super::instance::{Instance, Room, instances, starts_again};
use super::private::Shared;
use super::stack::StackObjects;
use super::statements::Translator;
use super::tidy::tidy;
use super::{Origin, Refused};
use crate::program::{IdVec, Program, Property, Role, Scope, Statement, Type, VarId, Variable};
use pointers::{Facts as PointerFacts, Pointers};
use promote::{Cells, facts_before};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// So many copies of the variables a template has for which there can be several threads.
const COPIES: usize = 3;

/// A program with any number of threads.
#[derive(Debug, Clone)]
pub struct ThreadModel {
    /// The program that the variables of all copies are of; its procedures mean nothing.
    pub program: Program,
    /// What happens before the first thread takes a step.
    pub init: Vec<Statement>,
    /// The variables that all threads see.
    pub globals: Vec<VarId>,
    /// The variables among these that say who holds a lock: nobody, or the number of a copy.
    pub owners: Vec<VarId>,
    /// The main thread, and then one for each place that starts threads.
    pub templates: Vec<Template>,
}

impl ThreadModel {
    /// Whether a place may start any number of threads.
    pub fn has_any_number(&self) -> bool {
        self.templates.iter().any(|template| template.copies.len() > 1)
    }
}

/// Threads that are alike.
#[derive(Debug, Clone)]
pub struct Template {
    /// The copies: one if there is at most one such thread. The last takes steps.
    pub copies: Vec<Copy>,
    /// The nodes at which others can take steps; a thread starts at the first.
    pub nodes: Vec<Node>,
    /// The steps.
    pub steps: Vec<ThreadStep>,
}

/// The variables of one thread.
#[derive(Debug, Clone)]
pub struct Copy {
    /// Its number as the owner of locks.
    pub number: usize,
    /// Its own variables, in the same order in each copy.
    pub locals: Vec<VarId>,
}

/// A place of a thread.
#[derive(Debug, Clone)]
pub struct Node {
    /// Its number in steps.
    pub number: usize,
    /// Those of the variables that the thread may still read, by their places in [`Copy::locals`].
    pub live: Vec<usize>,
}

/// What a thread does when it is chosen, up to where another may be.
#[derive(Debug, Clone)]
pub struct ThreadStep {
    /// From which node.
    pub source: usize,
    /// What it does, over the last copy.
    pub block: Vec<Statement>,
    /// Where it leads.
    pub end: End,
    /// The template of which it starts a thread, the first copy of it.
    pub starts: Option<usize>,
}

/// Where a step leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// To a node.
    Node(usize),
    /// The thread ends.
    Gone,
    /// What must not happen.
    Error,
}

/// The steps of the threads of a program in which a place starts any number of them.
///
/// # Errors
/// Where the program cannot be looked at so, or has no such place.
pub fn thread_model(program: &Program, property: &Property) -> Result<ThreadModel, Refused> {
    let refuse = |construct: &str| Refused { construct: construct.to_owned(), span: None };
    use Property::{Assert, NoOverflow, NoUndefinedArithmetic, UnreachCall};
    if !matches!(property, Assert | UnreachCall(_) | NoOverflow | NoUndefinedArithmetic) {
        return Err(refuse("a property of more than the values of variables"));
    }
    let trusts = program.rules.trusts_accesses() && matches!(property, UnreachCall(_) | NoOverflow);
    let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
    if !trusts && edges.flat_map(|edge| &edge.block).any(|s| matches!(s, Statement::Join(_))) {
        // To wait for a thread that never was is undefined, and it is not known which there were.
        return Err(refuse("a thread that is waited for"));
    }
    let objects = StackObjects::of(program);
    let instances = instances(program, &objects, Room::EachPlace(COPIES))?;
    // Several steps start the same threads where they take the same edge.
    let places: BTreeSet<Vec<usize>> = instances[0].moves.iter().flat_map(|step| step.starts.clone()).collect();
    if places.iter().map(Vec::len).sum::<usize>() + 1 != instances.len() {
        return Err(refuse("a thread that starts threads"));
    }
    // With many places there may be fewer copies than there are to be: one copy would mean one thread.
    let has_all = |index: usize| {
        let wanted = if starts_again(&instances[0], index) { COPIES } else { 1 };
        instances[0].moves[index].starts.iter().all(|copies| copies.len() == wanted)
    };
    if !(0..instances[0].moves.len()).all(has_all) {
        return Err(refuse("the start of threads at many places"));
    }
    let mut translator = Translator::new(program, &instances, &objects);
    translator.is_modular = true;
    if translator.held.is_some() {
        return Err(refuse("a lock that is not one object for the whole execution"));
    }
    for (number, instance) in instances.iter().enumerate() {
        program.procedures[instance.procedure].parameters.iter().for_each(|v| _ = translator.copy(number, *v));
    }
    let shared = Shared::of(program);
    let mut made = Vec::new();
    for number in 0..instances.len() {
        made.push(edges_of(program, &instances, number, &shared, &mut translator)?);
    }
    no_undefined_start(program, &instances, &made, &translator)?;
    let mut model = program.clone();
    model.variables = translator.variables.clone();
    let first = translator.first.iter().filter(|(variable, _)| model.variables[*variable].role == Role::Control);
    let owners: Vec<VarId> = translator.lock_owners();
    model.init.push(Statement::Assign(first.cloned().collect()));
    let (init, cells) = promote(&mut model, &instances, &translator, &mut made, trusts)?;
    let templates = [vec![0]].into_iter().chain(places);
    let templates: Vec<Vec<usize>> = templates.collect();
    let of_instance: FxHashMap<usize, usize> =
        templates.iter().enumerate().flat_map(|(t, copies)| copies.iter().map(move |copy| (*copy, t))).collect();
    let locals = locals(&translator, &cells, instances.len());
    let templates = templates.iter().map(|copies| {
        let (last, mover) = (copies[copies.len() - 1], &instances[copies[copies.len() - 1]]);
        let copies = copies.iter().map(|number| Copy { number: number + 1, locals: locals[*number].clone() }).collect();
        let (nodes, steps) = steps::steps(program, property, mover, &made[last], &locals[last], &of_instance)?;
        Ok(Template { copies, nodes, steps })
    });
    let templates = templates.collect::<Result<Vec<_>, Refused>>()?;
    let is_own = |variable: &VarId| locals.iter().any(|locals| locals.contains(variable));
    let steps = templates.iter().flat_map(|template| &template.steps).flat_map(|step| &step.block);
    let mut read = BTreeSet::new();
    for expr in steps.flat_map(Statement::expressions) {
        expr.for_each_var(&mut |variable| _ = read.insert(variable));
    }
    let is_plain = |v: &VarId| is_plain(model.variables[*v].ty) && model.variables[*v].scope == Scope::Global;
    let globals = read.into_iter().filter(|v| is_plain(v) && !is_own(v) && !owners.contains(v)).collect();
    let types = |copy: &Copy| copy.locals.iter().map(|local| model.variables[*local].ty).collect::<Vec<_>>();
    if templates.iter().any(|t| t.copies.iter().any(|copy| types(copy) != types(&t.copies[0]))) {
        return Err(refuse("threads that are alike and differ"));
    }
    Ok(ThreadModel { program: model, init, globals, owners, templates })
}

/// Whether facts speak of values of a type.
pub fn is_plain(ty: Type) -> bool {
    ty.is_integer() || ty == Type::Bool
}

/// Refuses threads that may read something of their own that has no value where they start.
fn no_undefined_start(
    program: &Program,
    instances: &[Instance],
    made: &[Vec<Made>],
    translator: &Translator<'_>,
) -> Result<(), Refused> {
    for (number, instance) in instances.iter().enumerate().skip(1) {
        let procedure = &program.procedures[instance.procedure];
        let parameters = procedure.parameters.iter().filter_map(|v| translator.known_copy(number, *v)).collect();
        let tidied = tidy(number, instance.nodes.len(), &made[number], &translator.owners, &parameters);
        if tidied.needed_at_start.iter().any(|variable| translator.is_copy_of_own(number, *variable)) {
            let construct = "a read of what may have no value there".to_owned();
            return Err(Refused { construct, span: procedure.span });
        }
    }
    Ok(())
}

/// A variable of the program, or the cell of an object that one points to.
type Origins = BTreeMap<(VarId, Option<(i64, usize)>), VarId>;

/// The integers that each instance has for itself, those for the same thing in the same order.
fn locals(translator: &Translator<'_>, cells: &[(VarId, VarId, i64)], instances: usize) -> Vec<Vec<VarId>> {
    let mut all: Vec<Origins> = vec![Origins::new(); instances];
    for ((instance, original), copy) in translator.all_copies() {
        all[instance].insert((original, None), copy);
    }
    let originals: FxHashMap<VarId, (usize, VarId)> =
        translator.all_copies().map(|((instance, original), copy)| (copy, (instance, original))).collect();
    for (cell, object, offset) in cells {
        if let Some((instance, original)) = originals.get(object) {
            // Several cells at one place differ in their types, and are found in the same order in every copy.
            let of = &mut all[*instance];
            let before = of.keys().filter(|(o, at)| o == original && at.is_some_and(|(at, _)| at == *offset)).count();
            of.insert((*original, Some((*offset, before))), *cell);
        }
    }
    all.into_iter().map(|origins| origins.into_values().collect()).collect()
}

/// Variables in place of cells in all blocks; what `init` becomes, and the cells with their objects and offsets.
#[allow(clippy::type_complexity)]
fn promote(
    model: &mut Program,
    instances: &[Instance],
    translator: &Translator<'_>,
    made: &mut [Vec<Made>],
    trusts: bool,
) -> Result<(Vec<Statement>, Vec<(VarId, VarId, i64)>), Refused> {
    let before = model.clone();
    let mut pointers = Pointers::of(&before, &translator.owners, made);
    let mut all: Vec<Vec<Vec<PointerFacts>>> = Vec::new();
    let nowhere = PointerFacts::new();
    for (number, edges) in made.iter().enumerate() {
        let parameters = before.procedures[instances[number].procedure].parameters.iter();
        let parameters: Vec<VarId> = parameters.filter_map(|v| translator.known_copy(number, *v)).collect();
        let facts = pointers.follow(number, instances[number].nodes.len(), &parameters, edges);
        let at = |edge: &Made| facts[edge.source].as_ref().unwrap_or(&nowhere);
        all.push(edges.iter().map(|edge| facts_before(&mut pointers, number, edge, at(edge))).collect());
    }
    let mut init_facts = Vec::new();
    let mut facts = PointerFacts::new();
    for statement in &before.init {
        init_facts.push(facts.clone());
        pointers.write(usize::MAX, statement, &mut facts);
    }
    let mut blocks: Vec<(&[Statement], Vec<PointerFacts>)> = vec![(&before.init, init_facts.clone())];
    for (edges, facts) in made.iter().zip(&all) {
        blocks.extend(edges.iter().zip(facts).map(|(edge, facts)| (edge.block.as_slice(), facts.clone())));
    }
    let mut variables: IdVec<VarId, Variable> = model.variables.clone();
    let cells = Cells::find(&pointers, &blocks, &mut variables, trusts);
    model.variables = variables;
    let type_of = |expr: &crate::program::Expr| expr.type_in(model);
    let init = cells.rewrite(&before.init, &init_facts, &type_of, None)?;
    let mut rewritten = Vec::new();
    for (edges, facts) in made.iter().zip(&all) {
        let blocks =
            edges.iter().zip(facts).map(|(edge, facts)| cells.rewrite(&edge.block, facts, &type_of, edge.span));
        rewritten.push(blocks.collect::<Result<Vec<_>, _>>()?);
    }
    let found = cells.made.iter().map(|(variable, (object, offset, _))| (*variable, *object, *offset)).collect();
    for (edges, blocks) in made.iter_mut().zip(rewritten) {
        edges.iter_mut().zip(blocks).for_each(|(edge, block)| edge.block = block);
    }
    Ok((init, found))
}

/// The template that a step starts a thread of.
fn started(origin: &Origin, of_instance: &FxHashMap<usize, usize>) -> Vec<usize> {
    match origin {
        Origin::Step { starts, .. } => starts.iter().map(|instance| of_instance[instance]).collect(),
        _ => Vec::new(),
    }
}

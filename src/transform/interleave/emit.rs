//! The one procedure that stands for all instances.

use super::instance::Instance;
use super::private::Shared;
use super::stack::StackObjects;
use super::statements::{Translator, zero};
use super::tidy::tidy;
use super::{Interleaved, NotFollowed, Origin, Refused};
use crate::program::{
    Edge, EdgeId, ErrorKind, Expr, Failure, Id, IdVec, LocId, Location, Procedure, Program, Span, Statement, VarId,
};
use std::collections::{BTreeMap, BTreeSet};

/// An edge of an instance, before it has its place.
pub(super) struct Made {
    pub source: usize,
    pub to: To,
    pub block: Vec<Statement>,
    pub origin: Origin,
    label: Option<String>,
    pub span: Option<Span>,
}

/// Where an edge of an instance leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    /// Another instance may be chosen; where this one is then, unless it has ended.
    Schedule(Option<usize>),
    /// The instance goes on.
    Node(usize),
    /// The program ends.
    Exit,
    /// Nothing happens any more.
    Nowhere,
    /// The execution is not followed any further.
    NotFollowed(NotFollowed),
}

pub(super) fn emit(program: &Program, instances: &[Instance], objects: &StackObjects) -> Result<Interleaved, Refused> {
    let mut translator = Translator::new(program, instances, objects);
    let shared = Shared::of(program);
    let mut made: Vec<Vec<Made>> = Vec::new();
    for number in 0..instances.len() {
        made.push(edges_of(program, instances, number, &shared, &mut translator)?);
    }
    for (number, instance) in instances.iter().enumerate() {
        let parameters = program.procedures[instance.procedure].parameters.iter();
        let parameters: BTreeSet<VarId> = parameters.map(|p| translator.copy(number, *p)).collect();
        let tidied = tidy(number, instance.nodes.len(), &made[number], &translator.owners, &parameters);
        let is_undefined = |v: &&VarId| number > 0 && translator.is_copy_of_own(number, **v);
        if let Some(variable) = tidied.needed_at_start.iter().find(is_undefined) {
            let name = &translator.variables[*variable].name;
            let construct = format!("a read of {name}, which may have no value there,");
            return Err(Refused { construct, span: program.procedures[instance.procedure].span });
        }
        for (edge, reset) in made[number].iter_mut().zip(tidied.resets) {
            let mut pairs: Vec<(VarId, Expr)> =
                reset.into_iter().map(|variable| (variable, zero(translator.variables[variable].ty))).collect();
            if let To::Schedule(node) = edge.to {
                pairs.push(translator.goes_to(number, node));
            }
            if !pairs.is_empty() {
                edge.block.push(Statement::Assign(pairs));
            }
        }
    }
    Ok(assemble(program, instances, &translator, made))
}

/// The edges of an instance.
pub(super) fn edges_of(
    program: &Program,
    instances: &[Instance],
    number: usize,
    shared: &Shared<'_>,
    translator: &mut Translator<'_>,
) -> Result<Vec<Made>, Refused> {
    let instance = &instances[number];
    let mut made = Vec::new();
    for step in &instance.moves {
        let node = &instance.nodes[step.source];
        let edge = instance.edge(program, step);
        let (span, label) = (edge.and_then(|edge| edge.span), edge.and_then(|edge| edge.label.clone()));
        let is_private =
            node.atomic == 0 && shared.is_private(instance, step) && !translator.ends_objects(number, step);
        let to = match step.target {
            None if number == 0 && (program.main_ends_all || node.is_alone) => To::Exit,
            // A thread that ends in an atomic section stops all others.
            None if node.atomic > 0 => To::Nowhere,
            None => To::Schedule(None),
            Some(target) => {
                let after = &instance.nodes[target];
                let goes_on = after.is_alone || after.atomic > 0 || is_private || after.failure(program).is_some();
                if goes_on { To::Node(target) } else { To::Schedule(Some(target)) }
            }
        };
        for way in translator.ways(number, step)? {
            let (to, origin) = match way.lost.or(step.is_recursive.then_some(NotFollowed::Recursion)) {
                Some(what) => (To::NotFollowed(what), Origin::NotFollowed { what, span }),
                None => (to, Origin::Step { instance: number, action: step.action, starts: way.starts }),
            };
            made.push(Made { source: step.source, to, block: way.block, origin, label: label.clone(), span });
        }
    }
    Ok(made)
}

/// Locations and edges, as they are made.
struct Assembly {
    locations: IdVec<LocId, Location>,
    edges: IdVec<EdgeId, Edge>,
    origins: IdVec<EdgeId, Origin>,
}

impl Assembly {
    fn location(&mut self, name: &str, error: Option<Failure>, span: Option<Span>) -> LocId {
        self.locations.push(Location { name: Some(name.to_owned()), error, span })
    }

    fn edge(&mut self, edge: Edge, origin: Origin) {
        self.edges.push(edge);
        self.origins.push(origin);
    }
}

fn assemble(
    program: &Program,
    instances: &[Instance],
    translator: &Translator<'_>,
    made: Vec<Vec<Made>>,
) -> Interleaved {
    let main = &program.procedures[program.main];
    let mut assembly = Assembly { locations: IdVec::new(), edges: IdVec::new(), origins: IdVec::new() };
    let schedule = assembly.location("schedule", None, main.span);
    let exit = assembly.location("end", None, main.span);
    let nowhere = assembly.location("stuck", None, main.span);
    let mut lost: BTreeMap<NotFollowed, LocId> = BTreeMap::new();
    let places: Vec<Vec<LocId>> = (instances.iter())
        .map(|instance| {
            let place = |node: &super::instance::Node| {
                let top = node.top();
                let at = &program.procedures[top.procedure].locations[top.location];
                assembly.locations.push(at.clone())
            };
            instance.nodes.iter().map(place).collect()
        })
        .collect();
    for (number, edges) in made.into_iter().enumerate() {
        let chosen: BTreeSet<usize> = chosen_at(number, &edges);
        for node in chosen {
            let block = vec![Statement::Assume(translator.is_at(number, node))];
            let edge = Edge {
                source: schedule,
                target: places[number][node],
                label: None,
                block,
                span: None,
                places: Vec::new(),
            };
            assembly.edge(edge, Origin::Schedule);
        }
        for made in edges {
            let target = match made.to {
                To::Schedule(_) => schedule,
                To::Node(node) => places[number][node],
                To::Exit => exit,
                To::Nowhere => nowhere,
                To::NotFollowed(what) => *lost.entry(what).or_insert_with(|| {
                    let kind = ErrorKind::Unmodelled(what.describe().to_owned());
                    let failure = Failure { kind, message: format!("{} is not modelled", what.describe()) };
                    assembly.location("lost", Some(failure), main.span)
                }),
            };
            let source = places[number][made.source];
            let edge =
                Edge { source, target, label: made.label, block: made.block, span: made.span, places: Vec::new() };
            assembly.edge(edge, made.origin);
        }
    }
    let mut result = program.clone();
    result.variables = translator.variables.clone();
    result.init.push(Statement::Assign(translator.first.clone()));
    // Pointers to procedures stay what they are, but nothing calls them.
    for (id, procedure) in program.procedures.enumerate() {
        let here = LocId::new(0);
        let locations = IdVec::from_iter([Location::default()]);
        let nothing = Procedure { parameters: Vec::new(), result: None, locations, ..procedure.clone() };
        result.procedures[id] = Procedure { edges: IdVec::new(), entry: here, exit: here, ..nothing };
    }
    let main = Procedure {
        parameters: Vec::new(),
        result: None,
        locations: assembly.locations,
        edges: assembly.edges,
        entry: places[0][0],
        exit,
        ..main.clone()
    };
    result.procedures[program.main] = main;
    Interleaved { program: result, origins: assembly.origins, instances: instances.len() }
}

/// The nodes at which an instance can be chosen.
fn chosen_at(number: usize, edges: &[Made]) -> BTreeSet<usize> {
    let mut chosen: BTreeSet<usize> = (number > 0).then_some(0).into_iter().collect();
    chosen.extend(edges.iter().filter_map(|made| match made.to {
        To::Schedule(node) => node,
        _ => None,
    }));
    chosen
}

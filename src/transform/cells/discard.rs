//! Which failures may be discarded, and what says so.
//!
//! An edge to an error location is *conditional on reads* where its condition reads arrays, or has variables that were
//! given values read there. For each such variable a flag says whether its last value was made of a read that was not
//! tracked. The failure is discarded where a flag is set, or a read of the condition itself is not tracked.

use super::loops::{base_of, bytes_of};
use super::{MAX_CELLS, is_header, is_single, sites_of};
use crate::program::points::{Points, Sites};
use crate::program::{BinaryOp, EdgeId, Expr, OFFSET, ProcId, Procedure, Program, Statement, Type, VarId};
use crate::term::{Integer, Offsets};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is done about failures.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The edges whose failures may be discarded, with the variables whose flags say so.
    pub failing: FxHashMap<(ProcId, EdgeId), Vec<VarId>>,
    /// The variables with flags.
    pub flagged: FxHashSet<VarId>,
    /// How many reads of one site a condition was made of, at most.
    pub most: usize,
    /// Whether every condition was made of reads at one index, so that one index is enough for all arrays: where cells
    /// are as far apart as the elements that are counted.
    pub is_shared: bool,
    /// The sites of these reads, with where they are.
    pub counted: Vec<(usize, Offsets)>,
}

/// What reads of a site are told apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// The element.
    Elements,
    /// The object, wherever in it they are.
    Objects,
}

/// The addresses that are read of each site.
type Reads = FxHashMap<usize, Vec<Expr>>;

impl Plan {
    pub(super) fn of(program: &Program, points: &Points, selected: Sites, counted: Counted) -> Plan {
        let mut plan = Plan { is_shared: true, ..Plan::default() };
        let by_variable = reads_of_variables(program, points, selected, counted);
        for (id, procedure) in program.procedures.enumerate() {
            for (edge, data) in procedure.edges.enumerate() {
                if data.call().is_some() || !is_doomed(procedure, edge) {
                    continue;
                }
                let mut variables = Vec::new();
                let mut direct = Reads::default();
                // Where nothing is assigned between them, one address is one place.
                let is_at_once = data.block.iter().all(|statement| matches!(statement, Statement::Assume(_)));
                for expr in data.block.iter().flat_map(Statement::expressions) {
                    collect((program, points), (selected, counted), expr, is_at_once, &mut direct);
                    expr.for_each_var(&mut |variable| {
                        // Where a pointer was read says nothing of the object that it is to.
                        let is_value = counted == Counted::Elements || program.variables[variable].ty != Type::Pointer;
                        if is_value && by_variable.contains_key(&variable) && !variables.contains(&variable) {
                            variables.push(variable);
                        }
                    });
                }
                let mut numbers: FxHashMap<usize, usize> =
                    direct.iter().map(|(site, reads)| (*site, reads.len())).collect();
                for given in variables.iter().map(|variable| &by_variable[variable]) {
                    for site in given.iter().flat_map(|reads| reads.keys()).collect::<FxHashSet<_>>() {
                        let most = given.iter().filter_map(|reads| reads.get(site)).map(Vec::len).max();
                        *numbers.entry(*site).or_default() += most.unwrap_or_default();
                    }
                }
                let most_of = |site: usize| if is_single(program, points, site) { MAX_CELLS } else { 1 };
                let fits = numbers.iter().all(|(site, number)| *number <= most_of(*site));
                if let (true, Some(most)) = (fits, numbers.values().max()) {
                    plan.most = plan.most.max(*most);
                    let sources = usize::from(!direct.is_empty()) + variables.len();
                    let given = variables.iter().flat_map(|variable| &by_variable[variable]);
                    plan.is_shared &= sources == 1
                        && (is_at_once || direct.is_empty())
                        && given.clone().chain([&direct]).all(|reads| is_one_index(program, points, reads));
                    for (site, addresses) in given.chain([&direct]).flatten() {
                        let offsets = addresses.iter().map(|address| points.target(program, address).offsets);
                        plan.counted.extend(offsets.map(|offsets| (*site, offsets)));
                    }
                    plan.flagged.extend(variables.iter().copied());
                    plan.failing.insert((id, edge), variables);
                }
            }
        }
        plan
    }
}

/// Whether an edge leads to an error, whatever comes.
fn is_doomed(procedure: &Procedure, edge: EdgeId) -> bool {
    let outgoing = procedure.outgoing();
    let mut location = procedure.edges[edge].target;
    for _ in 0..procedure.locations.len() {
        if procedure.locations[location].error.is_some() {
            return true;
        }
        let [only] = outgoing[location][..] else { return false };
        if !procedure.edges[only].block.is_empty() {
            return false;
        }
        location = procedure.edges[only].target;
    }
    false
}

/// Whether reads, all done at one time, are at one index of arrays that they begin at the start of.
fn is_one_index(program: &Program, points: &Points, reads: &Reads) -> bool {
    let mut indices = reads.values().flatten().map(|address| index_of(program, points, address));
    let Some(first) = indices.next() else { return true };
    first.is_some() && indices.all(|index| index == first)
}

/// The index that an address is at, in elements; in bytes, with the distance of elements, where it is not a multiple.
fn index_of(program: &Program, points: &Points, address: &Expr) -> Option<(Expr, Option<i64>)> {
    let (base, bytes) = (base_of(address), bytes_of(address)?);
    let (step, start) = (points.target(program, address).offsets, points.target(program, base).offsets);
    match bytes {
        _ if step.rest != 0 || start.rest != 0 || start.step != 0 => None,
        Expr::Binary(BinaryOp::Mul, index, by) if *by == Expr::Int(Integer::from(step.step), OFFSET) => {
            Some((*index, None))
        }
        other if step.step == 1 => Some((other, None)),
        other => Some((other, Some(step.step))),
    }
}

/// For each variable that is given values made of reads, those of each assignment.
fn reads_of_variables(
    program: &Program,
    points: &Points,
    selected: Sites,
    counted: Counted,
) -> FxHashMap<VarId, Vec<Reads>> {
    let mut found: FxHashMap<VarId, Vec<Reads>> = FxHashMap::default();
    let mut given = |variable: VarId, expr: &Expr| {
        let mut reads = Reads::default();
        collect((program, points), (selected, counted), expr, true, &mut reads);
        if !reads.is_empty() {
            found.entry(variable).or_default().push(reads);
        }
    };
    super::each_statement(program, |_, _, statement| match statement {
        Statement::Assign(pairs) => pairs.iter().for_each(|(variable, expr)| given(*variable, expr)),
        Statement::Call { callee, arguments, .. } => {
            let parameters = &program.procedures[*callee].parameters;
            parameters.iter().zip(arguments).for_each(|(parameter, argument)| given(*parameter, argument));
        }
        _ => {}
    });
    found
}

/// Adds the addresses that an expression reads.
fn collect(
    (program, points): (&Program, &Points),
    (selected, counted): (Sites, Counted),
    expr: &Expr,
    is_at_once: bool,
    reads: &mut Reads,
) {
    if let Expr::Load(_, address) = expr
        && !is_header(program, address)
    {
        for site in sites_of(points.target(program, address).sites & selected) {
            let known = reads.entry(site).or_default();
            let place = if counted == Counted::Objects { base_of(address) } else { address };
            if !is_at_once || !known.contains(place) {
                known.push(place.clone());
            }
        }
    }
    for operand in expr.operands() {
        collect((program, points), (selected, counted), operand, is_at_once, reads);
    }
}

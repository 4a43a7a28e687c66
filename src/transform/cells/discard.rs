//! Which failures may be discarded, and what says so.
//!
//! An edge to an error location is *conditional on reads* where its condition reads arrays, or has variables that were
//! given values read there. For each such variable a flag says whether its last value was made of a read that was not
//! tracked. The failure is discarded where a flag is set, or a read of the condition itself is not tracked.

use super::points::{Points, Sites};
use super::{MAX_CELLS, is_header, is_single, sites_of};
use crate::program::{EdgeId, Expr, ProcId, Procedure, Program, Statement, VarId};
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
}

/// How many reads there are of each site.
type Reads = FxHashMap<usize, usize>;

impl Plan {
    pub(super) fn of(program: &Program, points: &Points, selected: Sites) -> Plan {
        let mut plan = Plan::default();
        let by_variable = reads_of_variables(program, points, selected);
        for (id, procedure) in program.procedures.enumerate() {
            for (edge, data) in procedure.edges.enumerate() {
                if data.call().is_some() || !is_doomed(procedure, edge) {
                    continue;
                }
                let mut variables = Vec::new();
                let mut reads = Reads::default();
                for expr in data.block.iter().flat_map(Statement::expressions) {
                    count(program, points, selected, expr, &mut reads);
                    expr.for_each_var(&mut |variable| {
                        if by_variable.contains_key(&variable) && !variables.contains(&variable) {
                            variables.push(variable);
                        }
                    });
                }
                for variable in &variables {
                    by_variable[variable].iter().for_each(|(site, number)| *reads.entry(*site).or_default() += number);
                }
                let most_of = |site: usize| if is_single(program, points, site) { MAX_CELLS } else { 1 };
                let fits = reads.iter().all(|(site, number)| *number <= most_of(*site));
                if let (true, Some(most)) = (fits, reads.values().max()) {
                    plan.most = plan.most.max(*most);
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

/// For each variable that is given a value made of reads, how many of each site at most.
fn reads_of_variables(program: &Program, points: &Points, selected: Sites) -> FxHashMap<VarId, Reads> {
    let mut found: FxHashMap<VarId, Reads> = FxHashMap::default();
    let mut given = |variable: VarId, expr: &Expr| {
        let mut reads = Reads::default();
        count(program, points, selected, expr, &mut reads);
        if reads.is_empty() {
            return;
        }
        let most = found.entry(variable).or_default();
        for (site, number) in reads {
            let known = most.entry(site).or_default();
            *known = number.max(*known);
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

/// Adds the reads of an expression.
fn count(program: &Program, points: &Points, selected: Sites, expr: &Expr, reads: &mut Reads) {
    if let Expr::Load(_, address) = expr
        && !is_header(program, address)
    {
        for site in sites_of(points.target(program, address).sites & selected) {
            *reads.entry(site).or_default() += 1;
        }
    }
    expr.operands().into_iter().for_each(|operand| count(program, points, selected, operand, reads));
}

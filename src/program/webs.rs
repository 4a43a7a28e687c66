//! A program in which every local pointer variable has one purpose: where its values never meet, there are several variables.
//!
//! What is found out about variables without regard to the order of statements is more precise then. Nothing else
//! changes: procedures, edges and statements keep their places.

use super::liveness::Liveness;
use super::{EdgeId, Id, IdVec, LocId, ProcId, Program, Scope, Statement, Type, VarId};
use rustc_hash::FxHashMap;

/// A statement of an edge of a procedure.
pub type StatementAt = (ProcId, EdgeId, usize);

/// Gives the values of local pointers that never meet names of their own.
pub fn split(program: &Program) -> Program {
    let mut result = program.clone();
    for id in program.procedures.ids() {
        split_procedure(&mut result, id);
    }
    result
}

/// Values that may meet have one number (union-find).
struct Webs(Vec<usize>);

impl Webs {
    fn new_web(&mut self) -> usize {
        self.0.push(self.0.len());
        self.0.len() - 1
    }

    fn root(&mut self, mut web: usize) -> usize {
        while self.0[web] != web {
            self.0[web] = self.0[self.0[web]];
            web = self.0[web];
        }
        web
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other);
    }
}

/// The value that each variable has.
type Values = FxHashMap<VarId, usize>;

fn split_procedure(program: &mut Program, id: ProcId) {
    let procedure = &program.procedures[id];
    let is_pointer = |variable: &VarId| program.variables[*variable].ty == Type::Pointer;
    let locals: Vec<VarId> = program.locals(id).filter(is_pointer).collect();
    let live = Liveness::of(procedure, locals.iter().copied(), true);
    let mut webs = Webs(Vec::new());
    // What a variable has at the start keeps its name, and so does the result.
    let first: Values = locals.iter().map(|variable| (*variable, webs.new_web())).collect();
    let mut written: FxHashMap<(usize, usize, VarId), usize> = FxHashMap::default();
    let mut at: IdVec<LocId, Option<Values>> = procedure.locations.iter().map(|_| None).collect();
    at[procedure.entry] = Some(first.clone());
    let outgoing = procedure.outgoing();
    let mut open = vec![procedure.entry];
    while let Some(location) = open.pop() {
        for edge in &outgoing[location] {
            let mut values = at[location].clone().unwrap_or_default();
            for (index, statement) in procedure.edges[*edge].block.iter().enumerate() {
                for target in statement.targets().into_iter().filter(|target| first.contains_key(target)) {
                    let key = (edge.index(), index, target);
                    let web = *written.entry(key).or_insert_with(|| webs.new_web());
                    values.insert(target, web);
                }
            }
            let target = procedure.edges[*edge].target;
            values.retain(|variable, _| live.has(live.at(target), *variable));
            let is_new = at[target].is_none();
            let known = at[target].get_or_insert_default();
            let mut grows = is_new;
            for (variable, web) in values {
                match known.get(&variable) {
                    Some(other) => webs.join(*other, web),
                    None => {
                        known.insert(variable, web);
                        grows = true;
                    }
                }
            }
            if grows {
                open.push(target);
            }
        }
    }
    if let Some(result) = procedure.result
        && let Some(values) = &at[procedure.exit]
        && let (Some(first), Some(last)) = (first.get(&result), values.get(&result))
    {
        webs.join(*first, *last);
    }
    rename(program, id, (&mut webs, &first, &written, &at));
}

type Found<'a> =
    (&'a mut Webs, &'a Values, &'a FxHashMap<(usize, usize, VarId), usize>, &'a IdVec<LocId, Option<Values>>);

fn rename(program: &mut Program, id: ProcId, (webs, first, written, at): Found<'_>) {
    let mut names: FxHashMap<usize, VarId> = FxHashMap::default();
    for (variable, web) in first {
        names.insert(webs.root(*web), *variable);
    }
    let edges: Vec<_> = program.procedures[id].edges.ids().collect();
    for edge in edges {
        let source = program.procedures[id].edges[edge].source;
        let Some(mut values) = at[source].clone() else { continue };
        let mut block = std::mem::take(&mut program.procedures[id].edges[edge].block);
        for (index, statement) in block.iter_mut().enumerate() {
            let targets: Vec<VarId> = statement.targets();
            rename_reads(program, statement, &values, webs, &mut names, id);
            for target in targets {
                if let Some(web) = written.get(&(edge.index(), index, target)) {
                    values.insert(target, *web);
                }
            }
            let mut name = |variable: VarId| match values.get(&variable) {
                Some(web) => name_of(program, webs, &mut names, *web, variable, id),
                None => variable,
            };
            let renamed: FxHashMap<VarId, VarId> =
                statement.targets().into_iter().map(|target| (target, name(target))).collect();
            statement.rename_targets(&|variable| *variable = renamed.get(variable).copied().unwrap_or(*variable));
        }
        program.procedures[id].edges[edge].block = block;
    }
}

fn rename_reads(
    program: &mut Program,
    statement: &mut Statement,
    values: &Values,
    webs: &mut Webs,
    names: &mut FxHashMap<usize, VarId>,
    id: ProcId,
) {
    let mut renamed: FxHashMap<VarId, VarId> = FxHashMap::default();
    for expression in statement.expressions() {
        expression.for_each_var(&mut |variable| {
            if let Some(web) = values.get(&variable) {
                renamed.insert(variable, name_of(program, webs, names, *web, variable, id));
            }
        });
    }
    for expression in statement.expressions_mut() {
        expression.rename(&|variable| *variable = renamed.get(variable).copied().unwrap_or(*variable));
    }
}

/// The variable for a value of another one.
fn name_of(
    program: &mut Program,
    webs: &mut Webs,
    names: &mut FxHashMap<usize, VarId>,
    web: usize,
    variable: VarId,
    id: ProcId,
) -> VarId {
    let root = webs.root(web);
    if let Some(known) = names.get(&root) {
        return *known;
    }
    let mut copy = program.variables[variable].clone();
    copy.name = format!("{}~{root}", copy.name);
    copy.scope = Scope::Local(id);
    let name = program.variables.push(copy);
    names.insert(root, name);
    name
}

#[cfg(test)]
mod tests {
    use super::split;
    use crate::program::FileId;
    use crate::program::Id;
    use crate::program::text::{parse, print};

    #[test]
    fn values_that_never_meet_have_names_of_their_own_and_parameters_and_results_keep_theirs() {
        let text = "procedure f(p) -> r { local p: ptr local r: ptr local q: ptr
            location L0 entry location L1 location L2 location L3 exit
            edge L0 -> L1 { q := p; } edge L1 -> L2 { r := q; q := allocate(heap, 4i64, zeroed); }
            edge L2 -> L2 { q := q; } edge L2 -> L3 { free q; } }
            procedure main() { location L0 entry location L1 exit edge L0 -> L1 { } }";
        let program = parse(text, FileId::new(0)).expect("it parses");
        let text = print(&split(&program));
        let edges: Vec<&str> = text.lines().filter(|line| line.contains("edge")).collect();
        assert!(edges[0].contains("`q~3` := p"), "{text}");
        assert!(
            text.contains("r := `q~3`") && text.contains("`q~5` := `q~5`") && text.contains("free `q~5`"),
            "{text}"
        );
    }
}

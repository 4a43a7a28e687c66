//! Objects on the stacks of procedures: in a program of one procedure, they are on the heap and freed at the return.

use crate::program::{IdVec, ProcId, Program, Region, Statement, VarId};

/// For each procedure the variables that point to its objects; none where the ends of their lives cannot be told.
pub(super) struct StackObjects {
    of: IdVec<ProcId, Option<Vec<VarId>>>,
    /// Whether those of the first activation of all live as long as the program.
    main: Option<ProcId>,
}

impl StackObjects {
    pub(super) fn of(program: &Program) -> Self {
        let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        // To free an object on the stack is a fault, to free one on the heap is none.
        let frees = edges.flat_map(|edge| edge.block.iter()).any(|s| matches!(s, Statement::Free(_)));
        let of = program.procedures.ids().map(|id| objects(program, id).filter(|objects| objects.is_empty() || !frees));
        StackObjects { of: of.collect(), main: program.main_ends_all.then_some(program.main) }
    }

    /// The variables that point to the objects whose lives end where an activation returns, with so many below it, of the
    /// first thread or another; none where that cannot be told.
    pub(super) fn ending(&self, procedure: ProcId, is_first_thread: bool, below: usize) -> Option<&[VarId]> {
        if is_first_thread && below == 0 && self.main == Some(procedure) {
            return Some(&[]);
        }
        self.of[procedure].as_deref()
    }

    /// The region that stands for the stack of an activation, or for the constants on it; none for constants that are
    /// freed at the return, which would be no constants on the heap.
    pub(super) fn region(&self, own: Region, procedure: ProcId, is_first_thread: bool, below: usize) -> Option<Region> {
        let lives_on = is_first_thread && below == 0 && self.main == Some(procedure);
        match own {
            _ if lives_on => Some(own),
            Region::ConstantStack => None,
            _ => Some(Region::Heap),
        }
    }
}

/// The variables that point to the objects of a procedure, if each is made once, where the procedure starts, and nothing
/// else is written to its variable.
fn objects(program: &Program, id: ProcId) -> Option<Vec<VarId>> {
    let procedure = &program.procedures[id];
    let (mut made, mut written) = (Vec::new(), Vec::new());
    let mut is_at_start = true;
    for edge in procedure.edges.iter() {
        for statement in &edge.block {
            written.extend(statement.targets());
            if let Statement::Allocate { target, region, .. } = statement
                && region.is_on_stack()
            {
                made.push(*target);
                is_at_start &= edge.source == procedure.entry;
            }
        }
    }
    let starts = procedure.edges.iter().filter(|edge| edge.source == procedure.entry).count();
    let returns_to_start = procedure.edges.iter().any(|edge| edge.target == procedure.entry);
    let is_local = |target: &VarId| program.variables[*target].scope == crate::program::Scope::Local(id);
    let is_written_once = |target: &VarId| written.iter().filter(|other| *other == target).count() == 1;
    let is_known = is_at_start && starts == 1 && !returns_to_start;
    let is_known = is_known && made.iter().all(|target| is_local(target) && is_written_once(target));
    (made.is_empty() || is_known).then_some(made)
}

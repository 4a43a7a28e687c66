//! What executions suggest: relations that held whenever some executions came by become predicates.
//!
//! A recursive procedure is understood by what its results have to do with its arguments; path by path, interpolants may
//! name one depth of the recursion after the other and never find it. Here concrete execution shows it to the
//! abstraction, which proves a predicate where it holds and drops it where it does not.

mod change;
mod observe;
mod split;

pub(super) use split::Case;

use super::CegarSpace;
use super::limits::MAX_VALUES_OF_GLOBAL;
use crate::concrete::choices::Candidates;
use crate::domain::Tracking;
use crate::engine::Stop;
use crate::engine::refine::atoms;
use crate::engine::refine::relate::{Relation, relations};
use crate::formula::encode::Arithmetic;
use crate::program::{LocId, ProcId, Scope, Statement, Type, VarId};
use crate::term::{Integer, Symbol, TermId, Terms};
use observe::{Column, Seen};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What was learned besides predicates.
#[derive(Debug, Default)]
pub(super) struct Learned {
    /// Variables that are tracked outside recursive procedures alone.
    tracked_outside: FxHashSet<Symbol>,
    /// By procedures, when their results are given by arguments.
    explained: FxHashMap<ProcId, Vec<Explained>>,
    /// Numbers that had many values before a recursive call, with the changes of the precision then.
    unsplit: FxHashMap<(ProcId, LocId, Symbol), u64>,
}

/// That the result of a procedure is given by arguments, as a predicate says.
#[derive(Debug)]
struct Explained {
    /// The argument that has this value, if not always.
    case: Option<(Symbol, TermId)>,
    /// The arguments.
    arguments: FxHashSet<Symbol>,
}

impl Learned {
    /// Whether the variable is not tracked in recursive procedures.
    pub(super) fn is_tracked_outside(&self, variable: Symbol) -> bool {
        self.tracked_outside.contains(&variable)
    }

    /// Whether the result of the procedure is given by this argument and perhaps others, where arguments have the
    /// values that are told: then a predicate is better than the value.
    pub(super) fn is_explained(
        &self,
        procedure: ProcId,
        argument: Symbol,
        value_of: impl Fn(Symbol) -> Option<TermId>,
    ) -> bool {
        let explained = self.explained.get(&procedure).map(Vec::as_slice).unwrap_or_default();
        explained
            .iter()
            .filter(|explained| explained.arguments.contains(&argument))
            .any(|explained| explained.case.is_none_or(|(symbol, value)| value_of(symbol) == Some(value)))
    }
}

impl CegarSpace<'_> {
    /// Executes the program some times, and adds what held at its cut points to the precision, where that speaks of
    /// recursion. The search starts again with it.
    pub(super) fn learn(&mut self) -> Result<(), Stop> {
        let candidates = Candidates::of(self.program());
        let seen = self.observe(&candidates)?;
        let mut learned = Learned::default();
        self.history.keep_more_values();
        if self.precision.tracking() == Tracking::Everything {
            self.track_everything();
        }
        for ((procedure, location), Seen { columns, rows }) in seen {
            let rows: Vec<Vec<i64>> = rows.into_iter().collect();
            for relation in relations(&rows) {
                // By how much a global changes in a case is found where it matters.
                if relation.case.is_some() && self.is_global(columns[relation.dependent().0]) {
                    continue;
                }
                if let Some(predicate) = self.equation(&relation, &columns) {
                    self.precision.add(procedure, location, predicate);
                    self.explain(&mut learned, (procedure, location), &relation, &columns);
                }
            }
            for (number, column) in columns.iter().enumerate() {
                let values = || rows.iter().map(|row| row[number]);
                if self.is_global(*column) && values().collect::<FxHashSet<i64>>().len() > MAX_VALUES_OF_GLOBAL {
                    // By how much recursion changes it is kept there.
                    learned.tracked_outside.extend(self.formulas.blocks.symbol(column.variable));
                    continue;
                }
                for predicate in self.bounds(*column, values().min(), values().max(), &candidates) {
                    self.precision.add(procedure, location, predicate);
                }
            }
        }
        self.learn_conditions();
        self.learned = Some(learned);
        Ok(())
    }

    fn is_global(&self, column: Column) -> bool {
        self.program().variables[column.variable].scope == Scope::Global
    }

    /// Adds the conditions on the arguments that recursive procedures themselves tell apart, now and when they started.
    fn learn_conditions(&mut self) {
        let program = self.program();
        for (id, procedure) in program.procedures.enumerate() {
            if !self.formulas.blocks.cuts().is_recursive(id) {
                continue;
            }
            let is_argument = |variable: VarId| procedure.parameters.contains(&variable);
            let conditions = procedure.edges.iter().flat_map(|edge| edge.block.iter()).filter_map(|statement| {
                let Statement::Assume(condition) = statement else { return None };
                let mut on_arguments = true;
                condition.for_each_var(&mut |variable| on_arguments &= is_argument(variable));
                on_arguments.then_some(condition)
            });
            let mut ghosts = FxHashMap::default();
            for &parameter in &procedure.parameters {
                let Some(symbol) = self.formulas.blocks.symbol(parameter) else { continue };
                let ghost = self.formulas.blocks.ghost(&mut self.formulas.terms, symbol);
                ghosts.insert(symbol, self.formulas.terms.of_symbol(ghost));
            }
            for condition in conditions {
                let Ok(condition) = self.formulas.blocks.encoder().expr(&mut self.formulas.terms, condition) else {
                    continue;
                };
                for atom in atoms(&mut self.formulas.terms, condition) {
                    let at_entry = self.formulas.terms.substitute(atom, &ghosts);
                    self.precision.add(id, procedure.entry, atom);
                    self.precision.add(id, procedure.entry, at_entry);
                }
            }
        }
    }

    /// The term of a column.
    fn column(&mut self, column: Column) -> Option<TermId> {
        let mut symbol = self.formulas.blocks.symbol(column.variable)?;
        if column.is_ghost {
            symbol = self.formulas.blocks.ghost(&mut self.formulas.terms, symbol);
        }
        Some(self.formulas.terms.of_symbol(symbol))
    }

    /// The relation as a formula: an equation of machine integers holds up to wrapping. `None` where its columns differ
    /// in type.
    fn equation(&mut self, relation: &Relation, columns: &[Column]) -> Option<TermId> {
        let types = relation.terms.iter().map(|(column, _)| self.program().variables[columns[*column].variable].ty);
        let types: BTreeSet<Type> = types.collect();
        let &[ty] = types.into_iter().collect::<Vec<Type>>().as_slice() else { return None };
        let mut parts = Vec::new();
        for &(column, factor) in &relation.terms {
            parts.push((self.column(columns[column])?, factor));
        }
        let (dependent, factor) = *parts.last().expect("a relation has columns");
        // Where one column is given by the others, it is what they make.
        let is_solved = factor.abs() == 1 && !relation.is_parity;
        let sign = if is_solved { -factor } else { 1 };
        let parts = &parts[..parts.len() - usize::from(is_solved)];
        let terms = &mut self.formulas.terms;
        Some(match (ty, self.formulas.blocks.encoder().arithmetic()) {
            (Type::Machine(machine), Arithmetic::Bits) => {
                let mut sum = terms.bit_vec(Integer::from(sign * relation.constant), machine.width);
                for (part, factor) in parts {
                    let factor = terms.bit_vec(Integer::from(sign * factor), machine.width);
                    let product = terms.bv_mul(factor, *part);
                    sum = terms.bv_add(sum, product);
                }
                let sum = if relation.is_parity { terms.extract(0, 0, sum) } else { sum };
                let zero = terms.bit_vec(0, if relation.is_parity { 1 } else { machine.width });
                terms.eq(sum, if is_solved { dependent } else { zero })
            }
            (ty, _) => {
                let mut sum = vec![terms.int(sign * relation.constant)];
                for (part, factor) in parts {
                    let factor = terms.int(sign * factor);
                    sum.push(terms.mul(factor, *part));
                }
                let sum = terms.sum(sum);
                let sum = match ty {
                    _ if relation.is_parity => remainder(terms, sum, &Integer::ZERO, Integer::from(2)),
                    // One column that equals another needs no arithmetic.
                    Type::Machine(_) if is_solved && is_copy(parts, sign, relation.constant) => sum,
                    Type::Machine(machine) if is_solved => {
                        remainder(terms, sum, &machine.min(), Integer::power_of_two(machine.width))
                    }
                    Type::Machine(machine) => {
                        remainder(terms, sum, &Integer::ZERO, Integer::power_of_two(machine.width))
                    }
                    _ => sum,
                };
                let zero = terms.int(0);
                terms.eq(sum, if is_solved { dependent } else { zero })
            }
        })
    }

    /// Notes that the result of a procedure is given by arguments, whose values need not be tracked then, or a global,
    /// whose change need not.
    fn explain(
        &mut self,
        learned: &mut Learned,
        (procedure, location): (ProcId, LocId),
        relation: &Relation,
        columns: &[Column],
    ) {
        let data = &self.program().procedures[procedure];
        if data.exit != location || relation.is_parity || !self.formulas.blocks.cuts().is_recursive(procedure) {
            return;
        }
        let symbol = |column: usize| self.formulas.blocks.symbol(columns[column].variable);
        let (dependent, _) = relation.dependent();
        if Some(columns[dependent].variable) != data.result {
            if let (Some(global), None) = (symbol(dependent), relation.case) {
                self.history.give_up_change(procedure, global);
            }
            return;
        }
        let arguments = relation.terms.iter().filter_map(|(column, _)| symbol(*column)).collect();
        let case = match relation.case {
            None => None,
            Some((column, value)) => {
                let Some(symbol) = symbol(column) else { return };
                let ty = self.program().variables[columns[column].variable].ty;
                Some((
                    symbol,
                    self.formulas.blocks.encoder().number(&mut self.formulas.terms, &Integer::from(value), ty),
                ))
            }
        };
        learned.explained.entry(procedure).or_default().push(Explained { case, arguments });
    }

    /// That a column is never less, or never more, than what was seen, where that is a number that the program knows.
    fn bounds(
        &mut self,
        column: Column,
        least: Option<i64>,
        most: Option<i64>,
        candidates: &Candidates,
    ) -> Vec<TermId> {
        let ty = self.program().variables[column.variable].ty;
        let Some(term) = self.column(column) else { return Vec::new() };
        let known = |bound: Option<i64>| bound.map(Integer::from).filter(|bound| candidates.has(bound));
        let at_most = |space: &mut Self, a: TermId, b: TermId| match (ty, space.formulas.blocks.encoder().arithmetic())
        {
            (Type::Machine(machine), Arithmetic::Bits) if machine.signed => space.formulas.terms.bv_sle(a, b),
            (Type::Machine(_), Arithmetic::Bits) => space.formulas.terms.bv_ule(a, b),
            _ => space.formulas.terms.le(a, b),
        };
        let mut found = Vec::new();
        if let Some(least) = known(least) {
            let least = self.formulas.blocks.encoder().number(&mut self.formulas.terms, &least, ty);
            found.push(at_most(self, least, term));
        }
        if let Some(most) = known(most) {
            let most = self.formulas.blocks.encoder().number(&mut self.formulas.terms, &most, ty);
            found.push(at_most(self, term, most));
        }
        found
    }
}

/// Whether the sum is one of its parts.
fn is_copy(parts: &[(TermId, i64)], sign: i64, constant: i64) -> bool {
    constant == 0 && matches!(parts, [(_, factor)] if sign * factor == 1)
}

/// The number from the first one on that equals the term up to a multiple of the modulus.
fn remainder(terms: &mut Terms, term: TermId, first: &Integer, modulus: Integer) -> TermId {
    let (first, modulus) = (terms.int(first.clone()), terms.int(modulus));
    let from_first = terms.sub(term, first);
    let rest = terms.modulo(from_first, modulus);
    terms.add(rest, first)
}

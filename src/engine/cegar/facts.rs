//! What holds at every cut point: the strongest facts of a form that are inductive together.
//!
//! The facts at a cut point are comparisons of variables with each other and with constants of the program, and sums of
//! multiples that are zero modulo a power of two. They start with those of one execution, and whatever a step leaves that
//! does not fit weakens them, until every step fits (symbolic abstraction, by models). If they exclude all errors, they
//! are a proof; if not, every abstract state has them.

use super::CegarSpace;
use super::horn::Whole;
use super::limits::{FACT_PART_OF_TIME, MAX_COMPARED, MAX_COMPARED_CONSTANTS, MAX_FACT_QUERY, MAX_FACT_TIME};
use crate::domain::{Affine, AffineRelation};
use crate::engine::{Budget, CutInvariants, Stop};
use crate::formula::encode::Arithmetic;
use crate::program::control::Frame;
use crate::program::{BinaryOp, Expr, MachineInt, Type, VarId};
use crate::solver::{Answer, Cascade, HornClause, HornClauses, Models, Solve};
use crate::term::{Assignment, Integer, Op, Symbol, TermId, eval::eval};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// By location stacks, what holds there.
pub(super) type Facts = FxHashMap<Vec<Frame>, Vec<TermId>>;

/// By location stacks, the comparisons that hold there.
type Comparisons = FxHashMap<Vec<Frame>, Vec<Expr>>;

/// What is known of a cut point that was reached.
struct Holding {
    comparisons: Vec<(Expr, TermId)>,
    /// For each type, its variables and their relations.
    sums: Vec<(MachineInt, Vec<VarId>, Affine)>,
}

impl Holding {
    const NOTHING: Holding = Holding { comparisons: Vec::new(), sums: Vec::new() };
}

/// The search for facts.
struct Weakening {
    horn: HornClauses,
    /// By location stacks; nothing for what was not reached.
    known: Vec<Option<Holding>>,
    solver: Cascade,
    budget: Budget,
}

impl CegarSpace<'_> {
    /// Looks for facts; a proof, if they exclude all errors. They are found by bit-vectors, which know remainders;
    /// integers use the comparisons.
    pub(super) fn find_facts(&mut self) -> Result<Option<Box<CutInvariants>>, Stop> {
        self.facts = Some(Facts::default());
        let limit = self.budget.remaining().map_or(MAX_FACT_TIME, |left| (left / FACT_PART_OF_TIME).min(MAX_FACT_TIME));
        let budget = self.budget.at_most(limit);
        if self.formulas.blocks.encoder().arithmetic() == Arithmetic::Bits {
            return Ok(self.find_facts_within(budget)?.0);
        }
        let space = CegarSpace::new(self.task, &self.config, &budget, Arithmetic::Bits);
        let Ok((proof, comparisons)) = space.and_then(|mut space| space.find_facts_within(budget)) else {
            self.budget.check()?;
            return Ok(None);
        };
        if proof.is_none() {
            let mut facts = Facts::default();
            for (stack, comparisons) in comparisons {
                facts.insert(stack, self.encoded(&comparisons)?);
            }
            self.facts = Some(facts);
        }
        Ok(proof)
    }

    fn encoded(&mut self, comparisons: &[Expr]) -> Result<Vec<TermId>, Stop> {
        let (encoder, terms) = (self.formulas.blocks.encoder(), &mut self.formulas.terms);
        comparisons.iter().map(|comparison| Ok(encoder.expr(terms, comparison)?)).collect()
    }

    /// Looks for facts by bit-vectors; a proof, or the comparisons at each location stack.
    fn find_facts_within(&mut self, budget: Budget) -> Result<(Option<Box<CutInvariants>>, Comparisons), Stop> {
        let none = (None, Comparisons::default());
        self.facts = Some(Facts::default());
        if self.formulas.blocks.cuts().has_recursion() {
            return Ok(none);
        }
        let Some(Whole { points, horn }) = self.clauses()? else { return Ok(none) };
        let mut stacks = Vec::new();
        let of_points: Vec<usize> = points.iter().map(|point| number_of(&mut stacks, &point.stack)).collect();
        if stacks.len() == 1 {
            return Ok(none);
        }
        let mut solver = budget.quick_solver(self.config.solver.as_deref())?;
        solver.set_query_limit(MAX_FACT_QUERY);
        let known = stacks.iter().map(|_| None).collect();
        let horn = by_stacks(horn, &of_points, stacks.len());
        let mut weakening = Weakening { horn, known, solver, budget };
        if self.weaken_all(&mut weakening).is_err() {
            // What is not known to be inductive is not used.
            return self.budget.check().map(|()| none);
        }
        let invariants = (0..stacks.len()).map(|cut| self.facts_at(&weakening, cut));
        let invariants = invariants.collect::<Result<Vec<_>, Stop>>()?;
        if self.excludes_errors(&mut weakening, &invariants)? {
            let of_points = of_points.iter().map(|stack| invariants[*stack].clone()).collect();
            return Ok((Some(Box::new(self.invariants(points, of_points))), none.1));
        }
        let comparisons = |known: Option<Holding>| -> Vec<Expr> {
            known.into_iter().flat_map(|known| known.comparisons).map(|(comparison, _)| comparison).collect()
        };
        let known = weakening.known.into_iter().map(comparisons);
        let comparisons = stacks.iter().cloned().zip(known).collect();
        self.facts = Some(stacks.into_iter().zip(invariants).collect());
        Ok((None, comparisons))
    }

    /// Weakens what is known until every step fits.
    fn weaken_all(&mut self, weakening: &mut Weakening) -> Result<(), Stop> {
        let clauses = std::mem::take(&mut weakening.horn.clauses);
        let mut open: BTreeSet<usize> =
            (0..clauses.len()).filter(|clause| clauses[*clause].premise.is_none()).collect();
        while let Some(number) = open.pop_first() {
            let Some((to, _)) = &clauses[number].conclusion else { continue };
            if self.weaken(weakening, &clauses[number])? {
                open.extend((0..clauses.len()).filter(|clause| clauses[*clause].premise == Some(*to)));
            }
        }
        weakening.horn.clauses = clauses;
        Ok(())
    }

    /// Weakens what is known after a step until the step fits; tells whether that changed anything.
    fn weaken(&mut self, weakening: &mut Weakening, clause: &HornClause) -> Result<bool, Stop> {
        let Some((to, values)) = &clause.conclusion else { return Ok(false) };
        let mut changed = false;
        loop {
            weakening.budget.check()?;
            let before = match clause.premise {
                Some(cut) if weakening.known[cut].is_none() => return Ok(changed),
                Some(cut) => self.facts_at(weakening, cut)?,
                None => Vec::new(),
            };
            let stated = self.facts_at(weakening, *to)?;
            let terms = &mut self.formulas.terms;
            let after = terms.and(stated.iter().copied());
            let after = terms.substitute(after, values);
            let misfit = match weakening.known[*to] {
                Some(_) => terms.not(after),
                None => terms.bool(true),
            };
            let query = terms.and(before.into_iter().chain([clause.constraint, misfit]));
            match weakening.solver.check(terms, &[query]) {
                Answer::Unsat => return Ok(changed),
                Answer::Sat => {
                    let left = weakening.horn.relations[*to].iter();
                    let left: Vec<TermId> = left.filter_map(|symbol| values.get(symbol).copied()).collect();
                    let relations = &weakening.horn.relations[*to];
                    let read = terms.symbols_of(left.into_iter().chain([query])).into_iter();
                    let symbols: BTreeSet<Symbol> = read.chain(relations.iter().copied()).collect();
                    let symbols: Vec<Symbol> = symbols.into_iter().collect();
                    let model = weakening.solver.model(terms, &symbols);
                    let model = model.map_err(|error| Stop::Solver(error.to_string()))?;
                    let point = self.point(&model, relations, values);
                    match &mut weakening.known[*to] {
                        Some(known) => self.include(known, &point)?,
                        none => *none = Some(self.first(&weakening.horn.relations[*to], &point)?),
                    }
                    // A model of memory may not say enough.
                    if self.facts_at(weakening, *to)? == stated {
                        weakening.known[*to] = Some(Holding::NOTHING);
                        return Ok(true);
                    }
                }
                Answer::Unknown(_) => {
                    weakening.budget.check()?;
                    weakening.known[*to] = Some(Holding::NOTHING);
                    return Ok(true);
                }
            }
            changed = true;
        }
    }

    /// The values that a step leaves in a model.
    fn point(&self, model: &Assignment, symbols: &[Symbol], values: &FxHashMap<Symbol, TermId>) -> Assignment {
        let value = |symbol: &Symbol| match values.get(symbol) {
            Some(value) => Some(eval(&self.formulas.terms, *value, model)),
            None => model.get(symbol).cloned(),
        };
        symbols.iter().filter_map(|symbol| Some((*symbol, value(symbol)?))).collect()
    }

    /// What is known of a cut point with one point.
    fn first(&mut self, relation: &[Symbol], point: &Assignment) -> Result<Holding, Stop> {
        let variables: Vec<(VarId, Type)> = relation
            .iter()
            .filter_map(|symbol| self.formulas.blocks.encoder().variable(*symbol))
            .map(|variable| (variable, self.program().variables[variable].ty))
            .filter(|(_, ty)| ty.is_integer())
            .collect();
        let mut types: BTreeMap<Type, Vec<VarId>> = BTreeMap::new();
        variables.iter().for_each(|(variable, ty)| types.entry(*ty).or_default().push(*variable));
        let mut comparisons = self.comparisons(&types)?;
        comparisons.retain(|(_, comparison)| self.holds(*comparison, point));
        // Only the width matters to sums.
        let mut of_width: BTreeMap<u32, Vec<VarId>> = BTreeMap::new();
        for (ty, variables) in &types {
            if let Type::Machine(machine) = ty
                && machine.width <= u64::BITS
            {
                of_width.entry(machine.width).or_default().extend(variables);
            }
        }
        let sums = of_width
            .into_iter()
            .map(|(width, variables)| (MachineInt { width, signed: false }, variables, Affine::empty(width)));
        let mut known = Holding { comparisons, sums: sums.collect() };
        self.include(&mut known, point)?;
        Ok(known)
    }

    /// The comparisons of variables with each other and with constants of the program.
    fn comparisons(&mut self, types: &BTreeMap<Type, Vec<VarId>>) -> Result<Vec<(Expr, TermId)>, Stop> {
        let mut found = Vec::new();
        for (ty, variables) in types {
            let variables = &variables[..variables.len().min(MAX_COMPARED)];
            let constants = constants(self.program(), *ty);
            for (index, variable) in variables.iter().enumerate() {
                let numbers = constants.iter().map(|number| Expr::Int(number.clone(), *ty));
                let others = numbers.chain(variables[index + 1..].iter().map(|other| Expr::Var(*other)));
                for other in others {
                    for order in [BinaryOp::Le, BinaryOp::Ge, BinaryOp::Ne] {
                        let comparison = Expr::Binary(order, Expr::Var(*variable).into(), other.clone().into());
                        let term = self.formulas.blocks.encoder().expr(&mut self.formulas.terms, &comparison)?;
                        if !self.formulas.terms.is_value(term) {
                            found.push((comparison, term));
                        }
                    }
                }
            }
        }
        Ok(found)
    }

    fn holds(&self, fact: TermId, point: &Assignment) -> bool {
        eval(&self.formulas.terms, fact, point).as_bool() == Some(true)
    }

    /// Weakens what is known so that a point fits.
    fn include(&mut self, known: &mut Holding, point: &Assignment) -> Result<(), Stop> {
        known.comparisons.retain(|(_, comparison)| self.holds(*comparison, point));
        for (machine, variables, sums) in &mut known.sums {
            let value = |variable: &VarId| {
                let value = point.get(&self.formulas.blocks.symbol(*variable)?)?.as_integer()?.clone();
                machine.wrap(&value).to_u64()
            };
            match variables.iter().map(value).collect::<Option<Vec<u64>>>() {
                Some(point) => _ = sums.include(&point),
                None => sums.forget(),
            }
        }
        Ok(())
    }

    /// What is known of a cut point, as formulas; false where it is not reached.
    fn facts_at(&mut self, weakening: &Weakening, cut: usize) -> Result<Vec<TermId>, Stop> {
        let Some(known) = &weakening.known[cut] else { return Ok(vec![self.formulas.terms.bool(false)]) };
        let mut facts: Vec<TermId> = known.comparisons.iter().map(|(_, comparison)| *comparison).collect();
        for (machine, variables, sums) in &known.sums {
            for relation in sums.relations().into_iter().flatten() {
                let relation =
                    equation(&relation, variables, *machine, |variable| self.program().variables[variable].ty);
                facts.push(self.formulas.blocks.encoder().expr(&mut self.formulas.terms, &relation)?);
            }
        }
        facts.retain(|fact| self.formulas.terms.op(*fact) != &Op::Bool(true));
        Ok(facts)
    }

    /// Whether no error is possible where the facts hold.
    fn excludes_errors(&mut self, weakening: &mut Weakening, facts: &[Vec<TermId>]) -> Result<bool, Stop> {
        for clause in &weakening.horn.clauses {
            if clause.conclusion.is_some() {
                continue;
            }
            self.budget.check()?;
            let before = clause.premise.map_or(&[][..], |cut| &facts[cut]);
            let query = self.formulas.terms.and(before.iter().copied().chain([clause.constraint]));
            if !weakening.solver.check(&self.formulas.terms, &[query]).is_unsat() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether there are facts.
    pub(super) fn has_facts(&self) -> bool {
        self.facts.iter().flat_map(FxHashMap::values).any(|facts| !facts.is_empty())
    }

    /// The facts at a location stack.
    pub(super) fn facts_of(&self, stack: &[Frame]) -> &[TermId] {
        self.facts.as_ref().and_then(|facts| facts.get(stack)).map_or(&[], Vec::as_slice)
    }
}

fn number_of(stacks: &mut Vec<Vec<Frame>>, stack: &[Frame]) -> usize {
    stacks.iter().position(|known| known == stack).unwrap_or_else(|| {
        stacks.push(stack.to_vec());
        stacks.len() - 1
    })
}

/// The clauses over the stacks of the points, whatever memory is there: a relation has what all points of its stack have.
fn by_stacks(horn: HornClauses, of_points: &[usize], stacks: usize) -> HornClauses {
    let mut relations: Vec<Option<Vec<Symbol>>> = vec![None; stacks];
    for (point, symbols) in horn.relations.into_iter().enumerate() {
        match &mut relations[of_points[point]] {
            Some(known) => known.retain(|symbol| symbols.contains(symbol)),
            none => *none = Some(symbols),
        }
    }
    let clauses = horn.clauses.into_iter().map(|clause| HornClause {
        premise: clause.premise.map(|point| of_points[point]),
        conclusion: clause.conclusion.map(|(point, values)| (of_points[point], values)),
        ..clause
    });
    HornClauses { relations: relations.into_iter().flatten().collect(), clauses: clauses.collect() }
}

/// That the lowest bits of a sum are zero; of one variable, that they are those of a number.
fn equation(
    relation: &AffineRelation,
    variables: &[VarId],
    machine: MachineInt,
    type_of: impl Fn(VarId) -> Type,
) -> Expr {
    let ty = Type::Machine(machine);
    let number = |number: u64| Expr::Int(machine.wrap(&Integer::from(number)), ty);
    let binary = |op, a: Expr, b: Expr| Expr::Binary(op, a.into(), b.into());
    let used = relation
        .factors
        .iter()
        .zip(variables)
        .filter(|(factor, _)| machine.wrap(&Integer::from(**factor)) != Integer::ZERO);
    let mut sum: Option<Expr> = None;
    for (factor, variable) in used {
        let value = match type_of(*variable) {
            same if same == ty => Expr::Var(*variable),
            _ => Expr::Cast(ty, Expr::Var(*variable).into()),
        };
        let value = if *factor == 1 { value } else { binary(BinaryOp::Mul, number(*factor), value) };
        sum = Some(match sum {
            Some(sum) => binary(BinaryOp::Add, sum, value),
            None => value,
        });
    }
    let sum = sum.unwrap_or_else(|| number(0));
    let mask = u64::MAX >> (u64::BITS - relation.bits);
    let low = if relation.bits == machine.width { sum } else { binary(BinaryOp::BitAnd, sum, number(mask)) };
    binary(BinaryOp::Eq, low, number(relation.constant.wrapping_neg() & mask))
}

/// The constants of a type that the program mentions, the least first.
fn constants(program: &crate::program::Program, ty: Type) -> Vec<Integer> {
    let mut found: BTreeSet<(Integer, Integer)> = BTreeSet::new();
    let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
    let statements = program.init.iter().chain(edges.flat_map(|edge| edge.block.iter()));
    let mut open: Vec<&Expr> = statements.flat_map(crate::program::Statement::expressions).collect();
    let mut seen: FxHashSet<&Integer> = FxHashSet::default();
    while let Some(expr) = open.pop() {
        if let Expr::Int(number, of) = expr
            && *of == ty
            && seen.insert(number)
        {
            found.insert((number.abs(), number.clone()));
        }
        open.extend(expr.operands());
    }
    found.into_iter().map(|(_, number)| number).take(MAX_COMPARED_CONSTANTS).collect()
}

//! All combinations of truth values of some predicates: models are found one by one, each blocked for the next
//! check, and merged into disjoint cubes at the end.

use super::{AllModels, AllModelsResult, Answer, Cube, Models, Reason, SolverError};
use crate::term::{Sort, Symbol, TermId, Terms, Value};

impl<S: Models> AllModels for S {
    fn all_models(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        predicates: &[TermId],
        limit: usize,
    ) -> AllModelsResult {
        self.push();
        for &assumption in assumptions {
            self.assert(terms, assumption);
        }
        let literals: Vec<TermId> = (0..predicates.len()).map(|i| literal(terms, i)).collect();
        for (&literal, &predicate) in literals.iter().zip(predicates) {
            let meaning = terms.eq(literal, predicate);
            self.assert(terms, meaning);
        }
        let (mut models, stopped) = enumerate(self, terms, &literals, limit);
        self.pop();
        models.sort_unstable();
        AllModelsResult { cubes: merge(&models, 0), stopped }
    }
}

/// The literal that stands for the predicate of that number; the same in every enumeration, so none pile up.
fn literal(terms: &mut Terms, number: usize) -> TermId {
    terms.var(&format!("all!{number}"), Sort::Bool)
}

fn enumerate<S: Models>(
    solver: &mut S,
    terms: &mut Terms,
    literals: &[TermId],
    limit: usize,
) -> (Vec<Vec<bool>>, Option<Reason>) {
    let symbols: Vec<Symbol> = literals.iter().filter_map(|&literal| terms.as_symbol(literal)).collect();
    let mut models: Vec<Vec<bool>> = Vec::new();
    loop {
        match solver.check(terms, &[]) {
            Answer::Unsat => return (models, None),
            Answer::Unknown(reason) => return (models, Some(reason)),
            Answer::Sat if models.len() >= limit => return (models, Some(Reason::Limit)),
            Answer::Sat => {}
        }
        let values = match solver.model(terms, &symbols) {
            Ok(values) => values,
            Err(SolverError::Unknown(reason)) => return (models, Some(reason)),
            Err(other) => return (models, Some(Reason::Failed(other.to_string()))),
        };
        let model: Vec<bool> = symbols.iter().map(|symbol| values.get(symbol) == Some(&Value::Bool(true))).collect();
        let differs: Vec<TermId> = literals
            .iter()
            .zip(&model)
            .map(|(&literal, &value)| if value { terms.not(literal) } else { literal })
            .collect();
        let blocked = terms.or(differs);
        solver.assert(terms, blocked);
        models.push(model);
    }
}

/// Disjoint cubes for sorted models that agree before position `from`: where both values of a predicate allow the
/// same for the rest, it does not matter.
fn merge(models: &[Vec<bool>], from: usize) -> Vec<Cube> {
    let Some(first) = models.first() else { return Vec::new() };
    if from == first.len() {
        return vec![vec![None; from]];
    }
    let split = models.partition_point(|model| !model[from]);
    let (without, with) = (merge(&models[..split], from + 1), merge(&models[split..], from + 1));
    if without == with {
        return without;
    }
    let fixed = |cubes: Vec<Cube>, value: bool| {
        cubes.into_iter().map(move |mut cube| {
            cube[from] = Some(value);
            cube
        })
    };
    fixed(without, false).chain(fixed(with, true)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_keeps_exactly_the_models() {
        for set in 0u32..256 {
            let models: Vec<Vec<bool>> =
                (0u32..8).filter(|m| set >> m & 1 == 1).map(|m| vec![m & 4 > 0, m & 2 > 0, m & 1 > 0]).collect();
            let cubes = merge(&models, 0);
            for m in 0u32..8 {
                let model = [m & 4 > 0, m & 2 > 0, m & 1 > 0];
                let covering =
                    cubes.iter().filter(|cube| cube.iter().zip(model).all(|(c, v)| c.is_none_or(|c| c == v)));
                assert_eq!(covering.count(), (set >> m & 1) as usize);
            }
        }
        assert_eq!(merge(&[vec![false, true], vec![true, true]], 0), [[None, Some(true)]]);
    }
}

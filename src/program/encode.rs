//! From programs to terms, exactly: a block of statements as a guard and the values it leaves.
//!
//! Truth values are of sort Bool, mathematical integers Int, machine integers BitVec of their width; the sign of a
//! type is in the operators. Pointers, memory, floating-point numbers, threads and calls are refused by name; what is
//! printed changes nothing. Every variable that a block reads is taken to have a value: that a variable is never read undefined is for others to know.

mod expr;
mod transition;

use super::{EdgeId, Expr, IdVec, ProcId, Program, Scope, Span, Statement, Type, VarId};
use crate::term::{Sort, Symbol, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
pub use transition::{Input, Transition};

/// What cannot be expressed by terms yet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{construct} cannot be expressed as a formula yet")]
pub struct Unsupported {
    /// What it is.
    pub construct: &'static str,
    /// Where it is, as far as the program says.
    pub span: Option<Span>,
}

impl Unsupported {
    fn new(construct: &'static str) -> Unsupported {
        Unsupported { construct, span: None }
    }

    fn or_at(self, span: Option<Span>) -> Unsupported {
        Unsupported { span: self.span.or(span), ..self }
    }
}

/// The sort of a type's values.
pub fn sort_of(ty: Type) -> Result<Sort, Unsupported> {
    match ty {
        Type::Bool => Ok(Sort::Bool),
        Type::Int => Ok(Sort::Int),
        Type::Machine(machine) => Ok(Sort::BitVec(machine.width)),
        Type::Pointer => Err(Unsupported::new("a pointer")),
        Type::Float(_) => Err(Unsupported::new("a floating-point number")),
    }
}

/// Turns pieces of one valid program into terms of one store.
pub struct Encoder<'p> {
    program: &'p Program,
    /// The symbol of each variable whose type has a sort.
    symbols: IdVec<VarId, Option<Symbol>>,
    variables: FxHashMap<Symbol, VarId>,
}

/// The values of the variables at some point of a block; a variable that is not in it has its value from before.
type Values = FxHashMap<VarId, TermId>;

impl<'p> Encoder<'p> {
    /// Gives each variable its symbol in the store: `x` for a global, `procedure::x` for a local, with a quote
    /// added where two would be the same. Another encoder of the same program and store gives the same ones.
    pub fn new(program: &'p Program, terms: &mut Terms) -> Encoder<'p> {
        let mut taken: FxHashSet<String> = FxHashSet::default();
        let mut variables = FxHashMap::default();
        let mut symbols = IdVec::new();
        for (id, variable) in program.variables.enumerate() {
            let Ok(sort) = sort_of(variable.ty) else {
                symbols.push(None);
                continue;
            };
            let mut name = match variable.scope {
                Scope::Global => variable.name.clone(),
                Scope::Local(procedure) => format!("{}::{}", program.procedures[procedure].name, variable.name),
            };
            let of_other_sort =
                |name: &str, terms: &Terms| terms.find_symbol(name).is_some_and(|s| terms.symbol_sort(s) != sort);
            while taken.contains(&name) || of_other_sort(&name, terms) {
                name.push('\'');
            }
            let term = terms.var(&name, sort);
            let symbol = terms.as_symbol(term).expect("a free constant is its symbol");
            taken.insert(name);
            variables.insert(symbol, id);
            symbols.push(Some(symbol));
        }
        Encoder { program, symbols, variables }
    }

    /// The symbol of a variable, where its type has a sort.
    pub fn symbol(&self, variable: VarId) -> Option<Symbol> {
        self.symbols.get(variable).copied().flatten()
    }

    /// The variable of a symbol, where it is one's.
    pub fn variable(&self, symbol: Symbol) -> Option<VarId> {
        self.variables.get(&symbol).copied()
    }

    /// The term of an expression over the variables' symbols.
    pub fn expr(&self, terms: &mut Terms, expr: &Expr) -> Result<TermId, Unsupported> {
        self.expr_in(terms, expr, &Values::default())
    }

    /// What an edge does.
    pub fn edge(&self, terms: &mut Terms, procedure: ProcId, edge: EdgeId) -> Result<Transition, Unsupported> {
        let edge = &self.program.procedures[procedure].edges[edge];
        self.block(terms, &edge.block).map_err(|unsupported| unsupported.or_at(edge.span))
    }

    /// What `init` does: the variables that it writes have their updates for first values, which mention inputs
    /// only.
    pub fn init(&self, terms: &mut Terms) -> Result<Transition, Unsupported> {
        let mut written: FxHashSet<VarId> = FxHashSet::default();
        for statement in &self.program.init {
            let mut undefined = false;
            for expr in statement.expressions() {
                expr.for_each_var(&mut |variable| undefined |= !written.contains(&variable));
            }
            if undefined {
                return Err(Unsupported::new("a read of a variable before it has a value"));
            }
            written.extend(statement.targets());
        }
        self.block(terms, &self.program.init)
    }

    /// What the statements do, one after the other.
    pub fn block(&self, terms: &mut Terms, block: &[Statement]) -> Result<Transition, Unsupported> {
        let mut values = Values::default();
        let mut guards = Vec::new();
        let mut inputs = Vec::new();
        for statement in block {
            match statement {
                Statement::Assume(condition) => guards.push(self.expr_in(terms, condition, &values)?),
                Statement::Assign(pairs) => {
                    let assigned: Vec<(VarId, TermId)> = pairs
                        .iter()
                        .map(|(target, value)| Ok((*target, self.expr_in(terms, value, &values)?)))
                        .collect::<Result<_, Unsupported>>()?;
                    values.extend(assigned);
                }
                Statement::Havoc { target, span } => {
                    let symbol = self.known(*target).map_err(|unsupported| unsupported.or_at(*span))?;
                    let (name, sort) = (format!("{}!input", terms.name(symbol)), terms.symbol_sort(symbol));
                    let fresh = terms.fresh_var(&name, sort);
                    let symbol = terms.as_symbol(fresh).expect("a free constant is its symbol");
                    inputs.push(Input { symbol, variable: *target, span: *span });
                    values.insert(*target, fresh);
                }
                Statement::Output(_) => {
                    for expr in statement.expressions() {
                        self.expr_in(terms, expr, &values)?;
                    }
                }
                other => return Err(Unsupported::new(refused(other))),
            }
        }
        let guard = terms.and(guards);
        let mut updates: Vec<(VarId, TermId)> = values.into_iter().collect();
        updates.sort_unstable();
        let updates = updates.into_iter().map(|(variable, value)| Ok((self.known(variable)?, value)));
        let updates: Vec<(Symbol, TermId)> = updates.collect::<Result<_, Unsupported>>()?;
        let updates = updates.into_iter().filter(|(symbol, value)| terms.as_symbol(*value) != Some(*symbol)).collect();
        Ok(Transition { guard, updates, inputs })
    }

    fn known(&self, variable: VarId) -> Result<Symbol, Unsupported> {
        match (self.symbol(variable), sort_of(self.program.variables[variable].ty)) {
            (Some(symbol), _) => Ok(symbol),
            (None, Err(unsupported)) => Err(unsupported),
            (None, Ok(_)) => unreachable!("a variable whose type has a sort has a symbol"),
        }
    }
}

/// What a statement that is not encoded is called.
fn refused(statement: &Statement) -> &'static str {
    match statement {
        Statement::Assume(_) | Statement::Assign(_) | Statement::Havoc { .. } | Statement::Output(_) => {
            "a plain statement"
        }
        Statement::Call { .. } => "a call",
        Statement::Store { .. } => "a write to memory",
        Statement::Copy { .. } => "a copy of memory",
        Statement::Fill { .. } => "a write to memory",
        Statement::Allocate { .. } => "an allocation",
        Statement::Free(_) => "a free",
        Statement::Spawn { .. } => "the start of a thread",
        Statement::Join(_) => "a join",
        Statement::Lock { .. } => "a lock",
        Statement::Unlock(_) => "an unlock",
        Statement::Wait { .. } => "a wait",
        Statement::Notify { .. } => "a notification",
        Statement::AtomicBegin | Statement::AtomicEnd => "an atomic section",
    }
}

#[cfg(test)]
mod tests;

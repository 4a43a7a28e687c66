//! From programs to terms, exactly: a block of statements as a guard and the values it leaves.
//!
//! Truth values are of sort Bool, mathematical integers Int. Machine integers are BitVec of their width, the sign of a
//! type being in the operators, or Int, always within their type's range ([`Arithmetic`]). Floating-point numbers are
//! BitVec: their bits. Pointers, memory, threads and calls are refused by name; what is printed changes nothing. Every
//! variable that a block reads is taken to have a value: that a variable is never read undefined is for others to know.
//!
//! [`Encoder::abstract_block`] over-approximates pointers and memory instead, and says so.

mod bits;
pub(in crate::formula) mod block;
mod expr;
mod float;
mod integer_encoding;
mod integers;
mod interval;
mod notation;
mod piece;
mod transition;

pub use crate::formula::memory::Access;
use crate::formula::memory::PointerTerm;
use crate::program::{EdgeId, Expr, Id, IdVec, OFFSET, ProcId, Program, Scope, Span, Statement, Type, VarId};
use crate::term::{Integer, Sort, Symbol, TermId, Terms};
use block::Block;
pub use block::Effect;
pub use integer_encoding::{IntegerEncoding, integer_encoding};
pub use notation::SourceNotation;
use rustc_hash::{FxHashMap, FxHashSet};
pub use transition::{FirstContent, Input, Transition, Unmodelled};

/// What cannot be expressed by terms yet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{construct} cannot be expressed as a formula yet")]
pub struct Unsupported {
    /// What it is.
    pub construct: &'static str,
    /// Where it is, as far as the program says.
    pub span: Option<Span>,
    /// Whether it is any value in the program too, as what was never written is, so that nothing is approximated.
    pub is_any: bool,
}

impl Unsupported {
    pub(in crate::formula) fn new(construct: &'static str) -> Unsupported {
        Unsupported { construct, span: None, is_any: false }
    }

    /// The same, at the place unless it has one.
    pub fn or_at(self, span: Option<Span>) -> Unsupported {
        Unsupported { span: self.span.or(span), ..self }
    }
}

/// What machine integers are in formulas. Both are exact: operators wrap as those of programs do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arithmetic {
    /// Bit-vectors of their width.
    Bits,
    /// Mathematical integers that are always within their type's range. A formula has its meaning only together with
    /// [`Encoder::in_range`] of every variable in it, and the like for inputs.
    Integers,
}

impl Arithmetic {
    /// The sort of a type's values.
    pub fn sort_of(self, ty: Type) -> Result<Sort, Unsupported> {
        match (ty, self) {
            (Type::Bool, _) => Ok(Sort::Bool),
            (Type::Int, _) | (Type::Machine(_), Arithmetic::Integers) => Ok(Sort::Int),
            (Type::Machine(machine), Arithmetic::Bits) => Ok(Sort::BitVec(machine.width)),
            (Type::Pointer, _) => Err(Unsupported::new("a pointer")),
            (Type::Float(kind), _) => Ok(Sort::BitVec(kind.width())),
        }
    }
}

/// The sort of a type's values where machine integers are bit-vectors.
pub fn sort_of(ty: Type) -> Result<Sort, Unsupported> {
    Arithmetic::Bits.sort_of(ty)
}

/// Turns pieces of one valid program into terms of one store.
pub struct Encoder<'p> {
    pub(in crate::formula) program: &'p Program,
    pub(in crate::formula) arithmetic: Arithmetic,
    /// The symbol of each variable whose type has a sort.
    symbols: IdVec<VarId, Option<Symbol>>,
    /// The symbols of each pointer: its object's number, and its offset.
    pointers: FxHashMap<VarId, (Symbol, Symbol)>,
    variables: FxHashMap<Symbol, VarId>,
}

impl<'p> Encoder<'p> {
    /// Gives each variable its symbol in the store: `x` for a global, `procedure::x` for a local, with a quote
    /// added where two would be the same. Another encoder of the same program and store gives the same ones.
    pub fn new(program: &'p Program, terms: &mut Terms) -> Encoder<'p> {
        Encoder::with_arithmetic(program, terms, Arithmetic::Bits)
    }

    /// As [`Encoder::new`], with machine integers of the given kind. In one store, the symbols of a machine integer
    /// in the two kinds differ: their sorts do.
    pub fn with_arithmetic(program: &'p Program, terms: &mut Terms, arithmetic: Arithmetic) -> Encoder<'p> {
        let mut taken: FxHashSet<String> = FxHashSet::default();
        let mut variables = FxHashMap::default();
        let mut symbols = IdVec::new();
        let mut pointers = FxHashMap::default();
        for (id, variable) in program.variables.enumerate() {
            let Ok(sort) = arithmetic.sort_of(variable.ty) else {
                symbols.push(None);
                if variable.ty == Type::Pointer {
                    let mut part = |name: &str, ty: Type| {
                        let sort = arithmetic.sort_of(ty).expect("the parts of a pointer have sorts");
                        let term = terms.var(&format!("{name}!{}!{}!{sort}", id.index(), variable.name), sort);
                        let symbol = terms.as_symbol(term).expect("a free constant is its symbol");
                        variables.insert(symbol, id);
                        symbol
                    };
                    pointers.insert(id, (part("object", Type::Int), part("offset", OFFSET)));
                }
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
        Encoder { program, arithmetic, symbols, pointers, variables }
    }

    /// What machine integers are.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// The sort of a type's values.
    pub fn sort_of(&self, ty: Type) -> Result<Sort, Unsupported> {
        self.arithmetic.sort_of(ty)
    }

    /// The term of a number of an integer type, within its range.
    pub fn number(&self, terms: &mut Terms, value: &Integer, ty: Type) -> TermId {
        match (ty, self.arithmetic) {
            (Type::Machine(machine), Arithmetic::Bits) => terms.bit_vec(value.clone(), machine.width),
            _ => terms.int(value.clone()),
        }
    }

    /// The symbol of a variable, where its type has a sort.
    pub fn symbol(&self, variable: VarId) -> Option<Symbol> {
        self.symbols.get(variable).copied().flatten()
    }

    /// The symbols of a pointer variable: its object's number, and its offset. Only blocks that model memory use them.
    pub fn pointer(&self, variable: VarId) -> Option<(Symbol, Symbol)> {
        self.pointers.get(&variable).copied()
    }

    /// All symbols of a variable: those of its parts if it is a pointer.
    pub fn symbols(&self, variable: VarId) -> Vec<Symbol> {
        match self.pointer(variable) {
            Some((object, offset)) => vec![object, offset],
            None => self.symbol(variable).into_iter().collect(),
        }
    }

    /// Whether the symbol is the number of a pointer variable's object.
    pub fn is_object(&self, symbol: Symbol) -> bool {
        self.variable(symbol).and_then(|variable| self.pointer(variable)).is_some_and(|(object, _)| object == symbol)
    }

    /// The pointer that a variable is.
    pub(in crate::formula) fn pointer_term(&self, terms: &mut Terms, variable: VarId) -> Option<PointerTerm> {
        let (object, offset) = self.pointer(variable)?;
        Some(PointerTerm { object: terms.of_symbol(object), offset: terms.of_symbol(offset) })
    }

    /// The type of a variable's symbol; of the parts of a pointer, those of numbers and offsets.
    pub fn type_of(&self, symbol: Symbol) -> Option<Type> {
        let variable = self.variable(symbol)?;
        Some(match self.pointer(variable) {
            Some((object, _)) if object == symbol => Type::Int,
            Some(_) => OFFSET,
            None => self.program.variables[variable].ty,
        })
    }

    /// At least what the statements do where memory is as the access says.
    pub fn effect(&self, terms: &mut Terms, block: &[Statement], access: Access<'_>) -> Result<Effect, Unsupported> {
        let mut encoded = Block::new(self, true);
        let is_init = access.edge.is_none();
        encoded.access = Some(access);
        if is_init {
            encoded.start_regions(terms);
        }
        for statement in block {
            encoded.statement(terms, statement)?;
        }
        Ok(encoded.effect(terms))
    }

    /// A condition on a state where memory is as the access says: that it can be evaluated, and holds; `None` where it
    /// cannot be expressed, or one of the guards is not known to hold, each of which is evaluated where those before do.
    pub fn condition(
        &self,
        terms: &mut Terms,
        guards: &[Expr],
        condition: &Expr,
        access: Access<'_>,
    ) -> Option<TermId> {
        let mut encoded = Block::new(self, false);
        encoded.access = Some(access);
        for guard in guards {
            let holds = encoded.expr(terms, guard).ok()?;
            if encoded.truth_here(terms, holds) != Some(true) {
                return None;
            }
        }
        let holds = encoded.expr(terms, condition).ok()?;
        let is_exact = encoded.unmodelled.is_empty() && encoded.constructs.is_empty();
        is_exact.then(|| terms.and(encoded.guards.into_iter().chain([holds])))
    }

    /// At least what a call does: the parameters' symbols with their values, and when the arguments have a meaning.
    pub fn effect_of_call(
        &self,
        terms: &mut Terms,
        parameters: &[VarId],
        arguments: &[Expr],
        access: Access<'_>,
    ) -> Result<Effect, Unsupported> {
        let mut encoded = Block::new(self, true);
        encoded.access = Some(access);
        let pairs = parameters.iter().copied().zip(arguments.iter().cloned()).collect();
        encoded.statement(terms, &Statement::Assign(pairs))?;
        Ok(encoded.effect(terms))
    }

    /// The variable of a symbol, where it is one's.
    pub fn variable(&self, symbol: Symbol) -> Option<VarId> {
        self.variables.get(&symbol).copied()
    }

    /// The term of an expression over the variables' symbols.
    pub fn expr(&self, terms: &mut Terms, expr: &Expr) -> Result<TermId, Unsupported> {
        Block::new(self, false).expr(terms, expr)
    }

    /// What an edge does.
    pub fn edge(&self, terms: &mut Terms, procedure: ProcId, edge: EdgeId) -> Result<Transition, Unsupported> {
        let edge = &self.program.procedures[procedure].edges[edge];
        self.block(terms, &edge.block).map_err(|unsupported| unsupported.or_at(edge.span))
    }

    /// What `init` does: the variables that it writes have their updates for first values, which mention inputs
    /// only.
    pub fn init(&self, terms: &mut Terms) -> Result<Transition, Unsupported> {
        self.init_reads_what_it_wrote()?;
        self.block(terms, &self.program.init)
    }

    /// What the statements do, one after the other.
    pub fn block(&self, terms: &mut Terms, block: &[Statement]) -> Result<Transition, Unsupported> {
        Ok(self.run(terms, block, false)?.0)
    }

    /// At least what an edge does; see [`Encoder::abstract_block`].
    pub fn abstract_edge(
        &self,
        terms: &mut Terms,
        procedure: ProcId,
        edge: EdgeId,
    ) -> Result<(Transition, Vec<Unsupported>), Unsupported> {
        let edge = &self.program.procedures[procedure].edges[edge];
        let (transition, mut constructs) =
            self.abstract_block(terms, &edge.block).map_err(|unsupported| unsupported.or_at(edge.span))?;
        for construct in &mut constructs {
            construct.span = construct.span.or(edge.span);
        }
        Ok((transition, constructs))
    }

    /// At least what `init` does; see [`Encoder::abstract_block`].
    pub fn abstract_init(&self, terms: &mut Terms) -> Result<(Transition, Vec<Unsupported>), Unsupported> {
        self.init_reads_what_it_wrote()?;
        self.abstract_block(terms, &self.program.init)
    }

    /// At least what the statements do: every way from state to state of theirs is one of the transition's, and what
    /// is listed may have added others. Memory and pointers are over-approximated. An expression that cannot be expressed has any value of its type ([`Transition::unmodelled`]); variables whose
    /// type has no sort are left out, inputs to them also; what writes memory does nothing to the other variables.
    /// Faults are left out, and nothing that is ignored is evaluated. Calls and threads are refused as by
    /// [`Encoder::block`].
    pub fn abstract_block(
        &self,
        terms: &mut Terms,
        block: &[Statement],
    ) -> Result<(Transition, Vec<Unsupported>), Unsupported> {
        self.run(terms, block, true)
    }

    /// That the value of a variable's symbol is one of its type, where the sort has others.
    pub fn in_range(&self, terms: &mut Terms, symbol: Symbol) -> Option<TermId> {
        let ty = self.type_of(symbol)?;
        self.of_type(terms, symbol, ty)
    }

    /// That an input is a value of its variable's type, where the sort has others.
    pub fn input_in_range(&self, terms: &mut Terms, input: &Input) -> Option<TermId> {
        self.of_type(terms, input.symbol, self.program.variables[input.variable].ty)
    }

    /// That a value that is not modelled is one of its type, where the sort has others.
    pub fn unmodelled_in_range(&self, terms: &mut Terms, unmodelled: &Unmodelled) -> Option<TermId> {
        self.of_type(terms, unmodelled.symbol, unmodelled.ty)
    }

    /// That the value of a symbol is one of a type, where the sort has others.
    pub fn of_type(&self, terms: &mut Terms, symbol: Symbol, ty: Type) -> Option<TermId> {
        let (Arithmetic::Integers, Type::Machine(machine)) = (self.arithmetic, ty) else { return None };
        if matches!(terms.symbol_sort(symbol), Sort::Array(_)) {
            // What is read of an array is in range where it is read.
            return None;
        }
        let value = terms.of_symbol(symbol);
        let (min, max) = (terms.int(machine.min()), terms.int(machine.max()));
        let (low, high) = (terms.le(min, value), terms.le(value, max));
        Some(terms.and([low, high]))
    }

    fn run(
        &self,
        terms: &mut Terms,
        statements: &[Statement],
        over_approximates: bool,
    ) -> Result<(Transition, Vec<Unsupported>), Unsupported> {
        let mut block = Block::new(self, over_approximates);
        for statement in statements {
            block.statement(terms, statement)?;
        }
        Ok(block.finish(terms))
    }

    /// Whether `init` only reads variables that it has written.
    pub fn init_reads_what_it_wrote(&self) -> Result<(), Unsupported> {
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
        Ok(())
    }

    fn known(&self, variable: VarId) -> Result<Symbol, Unsupported> {
        match (self.symbol(variable), self.sort_of(self.program.variables[variable].ty)) {
            (Some(symbol), _) => Ok(symbol),
            (None, Err(unsupported)) => Err(unsupported),
            (None, Ok(_)) => unreachable!("a variable whose type has a sort has a symbol"),
        }
    }
}

#[cfg(test)]
mod tests;

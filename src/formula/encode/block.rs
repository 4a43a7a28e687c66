//! Blocks of statements as transitions.

use super::{Arithmetic, Encoder, Input, Transition, Unmodelled, Unsupported};
use crate::formula::memory::access::Access;
use crate::formula::memory::{PointerTerm, Shape};
use crate::program::{Expr, Piece, Span, Statement, Type, VarId};
use crate::term::{Interval, Op, Symbol, TermId, TermIntervals, Terms};
use rustc_hash::FxHashMap;

/// What is known while a block is turned into terms.
pub(in crate::formula) struct Block<'e, 'p> {
    pub encoder: &'e Encoder<'p>,
    /// Whether what cannot be expressed is any value instead of refused.
    pub over_approximates: bool,
    /// The values of the variables so far; a variable that is not in it has its value from before.
    pub values: FxHashMap<VarId, TermId>,
    /// What was over-approximated by a symbol.
    pub unmodelled: Vec<Unmodelled>,
    /// All that was over-approximated.
    pub constructs: Vec<Unsupported>,
    /// For a wrapped integer, what it was before, and the width modulo which the two are the same.
    pub unwrapped: FxHashMap<TermId, (TermId, u32)>,
    /// Whether there was an operator that integers express badly.
    pub costly: bool,
    /// Whether there are products of unknown numbers that could wrap.
    pub has_wrapping_products: bool,
    /// Whether there was one on floating-point numbers, or their bits, that only bits express well.
    pub on_floats: bool,
    /// Memory, where it is modelled.
    pub access: Option<Access<'e>>,
    /// The values of pointers so far.
    pub pointers: FxHashMap<VarId, PointerTerm>,
    /// What holds wherever what is evaluated now is evaluated at all.
    pub conditions: Vec<TermId>,
    /// When the block has no meaning.
    pub faults: Vec<TermId>,
    /// When it can be taken so far.
    pub guards: Vec<TermId>,
    intervals: TermIntervals,
    inputs: Vec<Input>,
}

/// What a block does, memory included.
pub struct Effect {
    /// What it does to variables and cells.
    pub transition: Transition,
    /// What was over-approximated.
    pub constructs: Vec<Unsupported>,
    /// When it has no meaning, over the values before it.
    pub fault: TermId,
    /// The objects after it; `None` where they are not known.
    pub shape: Option<Shape>,
}

impl<'e, 'p> Block<'e, 'p> {
    /// Before the first statement.
    pub fn new(encoder: &'e Encoder<'p>, over_approximates: bool) -> Block<'e, 'p> {
        Block {
            encoder,
            over_approximates,
            values: FxHashMap::default(),
            unmodelled: Vec::new(),
            constructs: Vec::new(),
            unwrapped: FxHashMap::default(),
            costly: false,
            has_wrapping_products: false,
            on_floats: false,
            access: None,
            pointers: FxHashMap::default(),
            conditions: Vec::new(),
            faults: Vec::new(),
            guards: Vec::new(),
            intervals: TermIntervals::default(),
            inputs: Vec::new(),
        }
    }

    /// The interval of an integer term.
    pub fn interval(&mut self, terms: &Terms, term: TermId) -> Interval {
        self.intervals.of(&|symbol| self.encoder.interval_of(symbol), terms, term)
    }

    /// Notes that an integer term is in the interval.
    pub fn restrict(&mut self, terms: &Terms, term: TermId, to: &Interval) {
        self.intervals.restrict(&|symbol| self.encoder.interval_of(symbol), terms, term, to);
    }

    /// Notes what a guard says of sums: what follows only counts where it holds. So a sum that was checked is not wrapped.
    fn learn(&mut self, terms: &mut Terms, guard: TermId) {
        let members = if terms.op(guard) == &Op::And { terms.args(guard).to_vec() } else { vec![guard] };
        for member in members {
            let (Op::Le, &[sum, limit]) = (terms.op(member), terms.args(member)) else { continue };
            let Op::Int(limit) = terms.op(limit) else { continue };
            let (below, above) = (Some(limit.clone()), Some(-limit.clone()));
            self.restrict(terms, sum, &Interval { low: None, high: below });
            let opposite = terms.neg(sum);
            self.restrict(terms, opposite, &Interval { low: above, high: None });
        }
    }

    /// The next statement.
    pub fn statement(&mut self, terms: &mut Terms, statement: &Statement) -> Result<(), Unsupported> {
        match statement {
            Statement::Assume(condition) => {
                let condition = self.expr(terms, condition)?;
                self.guards.push(condition);
                if self.encoder.arithmetic == Arithmetic::Integers {
                    self.learn(terms, condition);
                }
            }
            Statement::Assign(pairs) => self.assign(terms, pairs)?,
            Statement::Havoc { target, span } => self.havoc(terms, *target, *span)?,
            Statement::Output(pieces) if self.over_approximates => self.output(terms, pieces),
            Statement::Store { address, value } if self.access.is_some() => self.store(terms, address, value)?,
            Statement::Copy { target, source, bytes } if self.access.is_some() => {
                self.copy(terms, [target, source, bytes])?;
            }
            Statement::Fill { target, byte, bytes } if self.access.is_some() => {
                self.fill(terms, [target, byte, bytes])?;
            }
            Statement::Write { target, bytes } if self.access.is_some() => self.write_bytes(terms, target, bytes)?,
            Statement::Allocate { target, size, region, zeroed } if self.access.is_some() => {
                self.allocate(terms, *target, size, *region, *zeroed)?;
            }
            Statement::Free(pointer) if self.access.is_some() => self.free(terms, pointer)?,
            Statement::Output(_) => {
                for expr in statement.expressions() {
                    self.expr(terms, expr)?;
                }
            }
            Statement::Store { .. }
            | Statement::Copy { .. }
            | Statement::Fill { .. }
            | Statement::Write { .. }
            | Statement::Allocate { .. }
            | Statement::Free(_)
                if self.over_approximates =>
            {
                self.constructs.push(Unsupported::new(refused(statement)));
            }
            other => return Err(Unsupported::new(refused(other))),
        }
        if let Some(access) = &mut self.access {
            access.statement += 1;
        }
        Ok(())
    }

    /// Prints: nothing changes, but what is printed is read.
    fn output(&mut self, terms: &mut Terms, pieces: &[Piece]) {
        for piece in pieces {
            if let Piece::Value { expr, .. } = piece
                && expr.has_load()
            {
                match expr.type_in(self.encoder.program) {
                    Type::Pointer => drop(self.pointer(terms, expr)),
                    _ => drop(self.expr(terms, expr)),
                }
            }
        }
    }

    /// What the statements so far do, memory included.
    pub fn effect(mut self, terms: &mut Terms) -> Effect {
        let fault = terms.or(std::mem::take(&mut self.faults));
        let mut pointers: Vec<(VarId, PointerTerm)> = std::mem::take(&mut self.pointers).into_iter().collect();
        pointers.sort_unstable_by_key(|(variable, _)| *variable);
        let mut more = Vec::new();
        for (variable, value) in pointers {
            let (object, offset) = self.encoder.pointer(variable).expect("a pointer has symbols");
            more.extend([(object, value.object), (offset, value.offset)]);
        }
        let mut shape = None;
        if let Some(access) = self.access.take() {
            let mut cells: Vec<(Symbol, TermId)> = access.cells.into_iter().collect();
            cells.sort_unstable();
            more.extend(cells);
            shape = access.shape;
        }
        let (mut transition, constructs) = self.finish(terms);
        more.retain(|(symbol, value)| terms.as_symbol(*value) != Some(*symbol));
        transition.updates.extend(more);
        Effect { transition, constructs, fault, shape }
    }

    /// What the statements so far do.
    pub fn finish(self, terms: &mut Terms) -> (Transition, Vec<Unsupported>) {
        let guard = terms.and(self.guards);
        let mut updates: Vec<(VarId, TermId)> = self.values.into_iter().collect();
        updates.sort_unstable();
        let symbol = |variable: VarId| self.encoder.symbol(variable).expect("what has a value has a symbol");
        let updates = updates.into_iter().map(|(variable, value)| (symbol(variable), value));
        let updates: Vec<(Symbol, TermId)> =
            updates.filter(|(symbol, value)| terms.as_symbol(*value) != Some(*symbol)).collect();
        (Transition { guard, updates, inputs: self.inputs, unmodelled: self.unmodelled }, self.constructs)
    }

    fn assign(&mut self, terms: &mut Terms, pairs: &[(VarId, Expr)]) -> Result<(), Unsupported> {
        let mut assigned = Vec::with_capacity(pairs.len());
        let mut pointers = Vec::new();
        for (target, value) in pairs {
            if self.access.is_some() && self.encoder.program.variables[*target].ty == Type::Pointer {
                pointers.push((*target, self.pointer(terms, value)?));
                continue;
            }
            match self.encoder.known(*target) {
                Ok(_) => assigned.push((*target, self.expr(terms, value)?)),
                Err(unsupported) if self.over_approximates => {
                    self.constructs.push(unsupported);
                    if self.access.is_some() && value.has_load() {
                        // It is still evaluated, for what it reads.
                        drop(self.expr(terms, value));
                    }
                }
                Err(unsupported) => {
                    // The value may be refused by a name that says more.
                    self.expr(terms, value)?;
                    return Err(unsupported);
                }
            }
        }
        self.values.extend(assigned);
        self.pointers.extend(pointers);
        Ok(())
    }

    fn havoc(&mut self, terms: &mut Terms, target: VarId, span: Option<Span>) -> Result<(), Unsupported> {
        let symbol = match self.encoder.known(target).map_err(|unsupported| unsupported.or_at(span)) {
            Ok(symbol) => symbol,
            Err(unsupported) if self.over_approximates => {
                if self.access.is_some() && self.encoder.pointer(target).is_some() {
                    let pointer = self.any_pointer(terms, unsupported);
                    self.pointers.insert(target, pointer);
                } else {
                    self.constructs.push(unsupported);
                }
                return Ok(());
            }
            Err(unsupported) => return Err(unsupported),
        };
        let (name, sort) = (format!("{}!input", terms.name(symbol)), terms.symbol_sort(symbol));
        let fresh = terms.fresh_var(&name, sort);
        let symbol = terms.as_symbol(fresh).expect("a free constant is its symbol");
        self.restrict_to_type(terms, fresh, self.encoder.program.variables[target].ty);
        self.inputs.push(Input { symbol, variable: target, span });
        self.values.insert(target, fresh);
        Ok(())
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
        Statement::Fill { .. } | Statement::Write { .. } => "a write to memory",
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

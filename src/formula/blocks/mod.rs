//! Large blocks: each loop-free piece of a program between cut points as one step, calls that are not recursive
//! included.
//!
//! A block starts at a location stack and is walked in an order in which every location comes after all that lead to
//! it, so that what comes together is merged before it goes on: a block with a thousand paths is still one formula of
//! the size of the program. Conditions that are decided on the way prune the walk; where the values of tracked
//! variables differ, what comes together stays apart.
//!
//! The guards of what was walked exclude each other, whatever the inputs: where several edges can be taken at once,
//! an input of its own chooses between them.

mod activation;
mod call;
mod cuts;
mod facts;
mod lifetime;
mod live;
mod merge;
mod walk;

pub use activation::{Activation, ReturnTo};
pub use call::Known;
pub use cuts::{BlockSize, Cuts};
pub use live::Live;
pub use merge::merge_values;
pub use walk::{End, EndKind, Move, Reading, Target, Walk, WalkError, WalkNode};

use crate::formula::encode::{Access, Arithmetic, Effect, Encoder, Transition, Unsupported};
use crate::formula::memory::Memory;
use crate::program::control::{Flow, Frame};
use crate::program::{
    EdgeId, Expr, Id, IdVec, LocId, ProcId, Program, Property, Scope, Span, Statement, Type, UnaryOp, VarId,
};
use crate::term::{Op, Sort, Symbol, TermId, Terms};
use merge::KnownValues;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Turns a program without threads into blocks.
pub struct Blocks<'p> {
    program: &'p Program,
    property: &'p Property,
    flow: Flow,
    cuts: Cuts,
    live: Live,
    encoder: Encoder<'p>,
    /// The locals of each procedure, with their symbols.
    locals: IdVec<ProcId, Vec<(VarId, Symbol)>>,
    memory: Memory,
    known_values: KnownValues,
    /// The edges whose effect depends on what is known of memory.
    on_memory: FxHashMap<(ProcId, EdgeId), bool>,
    /// Every location stack seen, by number.
    stacks: FxHashMap<Box<[Frame]>, u32>,
    edges: FxHashMap<(u32, EdgeId), Rc<Code>>,
    /// The inputs of the codes, with the values that they can have.
    ranges: FxHashMap<Symbol, TermId>,
    /// Names for values of variables at other times, with the variables.
    copies: FxHashMap<Symbol, Symbol>,
    /// Those of them that are for the time when an activation started.
    ghosts: FxHashSet<Symbol>,
    /// The globals that a procedure, with all that it calls, can write.
    writes: IdVec<ProcId, call::Writes>,
    /// What is only approximated.
    approximated: Vec<Unsupported>,
    /// Whether `init` may access memory that it must not.
    init_faults: bool,
    /// The locations whose edges exclude each other.
    exclusive: FxHashMap<(ProcId, LocId), bool>,
}

/// What an edge, or a return, does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Code {
    /// Stays in the activation.
    Plain(Transition),
    /// Enters a procedure with these values of its parameters.
    Call {
        /// Which procedure.
        callee: ProcId,
        /// When the arguments have a meaning.
        guard: TermId,
        /// The parameters' symbols with their values, over the caller's variables.
        parameters: Vec<(Symbol, TermId)>,
    },
    /// Leaves a procedure: the caller's variable takes the value of the callee's result.
    Return {
        /// The caller's symbols with the callee's values; two of them for a pointer.
        result: Vec<(Symbol, TermId)>,
    },
}

/// What was taken over of an effect.
struct Taken {
    transition: Transition,
    fault: Option<TermId>,
    shape: Option<TermId>,
}

/// What an edge does at a place of a walk.
#[derive(Debug, Clone)]
struct Step {
    code: Rc<Code>,
    /// When it has no meaning.
    fault: Option<TermId>,
    /// The number of the shape of memory after it; `Some(None)` if that is not known any more.
    shape: Option<Option<TermId>>,
}

impl<'p> Blocks<'p> {
    /// The blocks of a program with respect to a property.
    pub fn new(
        program: &'p Program,
        property: &'p Property,
        encoder: Encoder<'p>,
        memory: Memory,
        size: BlockSize,
    ) -> Blocks<'p> {
        let flow = Flow::of(program);
        let cuts = Cuts::of(program, &flow, size);
        Blocks {
            program,
            property,
            cuts,
            live: Live::of(program),
            flow,
            copies: FxHashMap::default(),
            ghosts: FxHashSet::default(),
            writes: call::writes(program),
            locals: locals(program, &encoder),
            encoder,
            memory,
            known_values: KnownValues::default(),
            on_memory: FxHashMap::default(),
            stacks: FxHashMap::default(),
            edges: FxHashMap::default(),
            ranges: FxHashMap::default(),
            approximated: Vec::new(),
            init_faults: false,
            exclusive: FxHashMap::default(),
        }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Where blocks begin and end.
    pub fn cuts(&self) -> &Cuts {
        &self.cuts
    }

    /// How variables become symbols.
    pub fn encoder(&self) -> &Encoder<'p> {
        &self.encoder
    }

    /// Whether the variable of a symbol matters at a location stack: a global, or a local that is live in a frame. Ghosts
    /// do that are of globals, or of parameters of the outermost procedure, whose activation it is.
    pub fn matters(&self, stack: &[Frame], symbol: Symbol) -> bool {
        if let Some(variable) = self.ghost_of(symbol).and_then(|original| self.encoder.variable(original)) {
            let Scope::Local(procedure) = self.program.variables[variable].scope else { return true };
            return stack.first().is_some_and(|frame| frame.procedure == procedure);
        }
        let Some(variable) = self.encoder.variable(symbol) else { return true };
        match self.program.variables[variable].scope {
            Scope::Global => true,
            Scope::Local(procedure) => (stack.iter().rev())
                .find(|frame| frame.procedure == procedure)
                .is_some_and(|frame| self.live.is_live(procedure, frame.location, variable)),
        }
    }

    /// The procedure whose local the variable of a symbol is; none for globals, and for memory.
    pub fn procedure_of(&self, symbol: Symbol) -> Option<ProcId> {
        match self.program.variables[self.encoder.variable(symbol)?].scope {
            Scope::Global => None,
            Scope::Local(procedure) => Some(procedure),
        }
    }

    /// The symbol of a variable that formulas can speak of.
    pub fn symbol(&self, variable: VarId) -> Option<Symbol> {
        self.encoder.symbol(variable)
    }

    /// The tables of memory.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Whether cells of memory were found since this was asked last: what was walked before is to be walked again, and
    /// what was noted there is forgotten.
    pub fn cells_changed(&mut self) -> bool {
        let cells_changed = self.memory.cells_changed();
        self.forget_if(cells_changed);
        cells_changed
    }

    /// From here on, objects stay that nothing leads to: where values are known in one walk of a block and not in another one,
    /// they would be forgotten in one alone.
    pub fn keep_all_objects(&mut self) {
        self.memory.keep_all();
    }

    /// Makes regions of what is made more than so many times at one place; whether there were any: then, too, what was
    /// walked before is to be walked again.
    pub fn make_regions_of_more_than(&mut self, most: usize) -> bool {
        self.make_regions_among(most, 1..=self.memory.count())
    }

    /// The same, where more than so many of the objects are made at one place whose cells the formulas speak of.
    pub fn make_regions_in(&mut self, terms: &Terms, formulas: impl IntoIterator<Item = TermId>, most: usize) -> bool {
        let symbols = terms.symbols_of(formulas).into_iter();
        let mut objects: Vec<i64> = symbols.filter_map(|symbol| self.memory.owner(symbol)).collect();
        objects.sort_unstable();
        objects.dedup();
        self.make_regions_among(most, objects.into_iter())
    }

    fn make_regions_among(&mut self, most: usize, objects: impl Iterator<Item = i64>) -> bool {
        self.memory.want_regions_of_more_than(most, objects);
        let are_made = self.memory.make_regions();
        self.forget_if(are_made);
        are_made
    }

    fn forget_if(&mut self, is_outdated: bool) {
        if is_outdated {
            self.edges.clear();
            self.approximated.clear();
        }
    }

    /// The symbols of globals and of memory.
    pub fn globals(&self) -> Vec<Symbol> {
        let globals = self.program.globals().flat_map(|global| self.encoder.symbols(global));
        globals.chain(self.memory.symbols()).collect()
    }

    /// Whether the symbol stands for a variable, or for memory, and not for an input.
    pub fn is_state(&self, symbol: Symbol) -> bool {
        self.encoder.variable(symbol).is_some() || self.memory.type_of(symbol).is_some()
    }

    /// Whether anything that was seen so far depends on memory.
    pub fn touches_memory(&self) -> bool {
        self.on_memory.values().any(|on_memory| *on_memory)
    }

    /// Whether the symbol stands for memory.
    pub fn is_memory(&self, symbol: Symbol) -> bool {
        self.memory.type_of(symbol).is_some()
    }

    /// Whether the value of the symbol is always kept where it is known: objects' numbers, and what objects there are.
    pub fn is_always_known(&self, symbol: Symbol) -> bool {
        self.encoder.is_object(symbol) || self.memory.is_number(symbol)
    }

    /// What `init` does, and the values that it leaves.
    pub fn init(&mut self, terms: &mut Terms) -> Result<(Transition, FxHashMap<Symbol, TermId>), Unsupported> {
        let entry = self.program.procedures[self.program.main].entry;
        let stack = [Frame { procedure: self.program.main, location: entry, call: None }];
        self.encoder.init_reads_what_it_wrote()?;
        let known = FxHashMap::default();
        let access = Access::new(terms, &mut self.memory, &known, &stack, None, true);
        let effect = self.encoder.effect(terms, &self.program.init, access)?;
        let Taken { transition, fault, shape } = self.take(terms, effect, None, "in!init");
        let mut values = transition.update_map();
        values.extend(shape.map(|shape| (self.memory.shape_symbol(), shape)));
        self.init_faults = fault.is_some();
        Ok((transition, values))
    }

    /// A condition on the state at a stack, where these values are known; `None` where it cannot be expressed there, or
    /// its guards are not known to hold.
    pub fn condition_at(
        &mut self,
        terms: &mut Terms,
        stack: &[Frame],
        known: &FxHashMap<Symbol, TermId>,
        (guards, condition): (&[Expr], &Expr),
    ) -> Option<TermId> {
        let shape = known.get(&self.memory.shape_symbol()).and_then(|number| self.memory.shape_of(terms, *number));
        let mut access = Access::new(terms, &mut self.memory, known, stack, None, true);
        access.shape = shape;
        let holds = self.encoder.condition(terms, guards, condition, access)?;
        // Only the state counts, and no input.
        terms.symbols_of([holds]).into_iter().all(|symbol| self.is_state(symbol)).then_some(holds)
    }

    /// What an edge of the procedure on top of the stack, which has a number, does there, where these values are known. Its inputs have the
    /// same symbols whenever they are read at this stack, which is at most once in a block.
    fn step(
        &mut self,
        terms: &mut Terms,
        (number, stack): (u32, &[Frame]),
        edge: EdgeId,
        known: &FxHashMap<Symbol, TermId>,
    ) -> Result<Step, Unsupported> {
        let procedure = stack.last().expect("a location stack has a top").procedure;
        let program = self.program;
        let data = &program.procedures[procedure].edges[edge];
        let on_memory =
            *(self.on_memory.entry((procedure, edge))).or_insert_with(|| is_on_memory(program, &data.block));
        if !on_memory && let Some(code) = self.edges.get(&(number, edge)) {
            return Ok(Step { code: Rc::clone(code), fault: None, shape: None });
        }
        let has_stack = match stack {
            [main] => !self.cuts.is_recursive(main.procedure),
            _ => !self.cuts.has_recursion(),
        };
        let mut access = Access::new(terms, &mut self.memory, known, stack, Some(edge), has_stack);
        let asks_for_accesses = !matches!(self.property, Property::UnreachCall(_) | Property::NoOverflow);
        access.trusts_unknown = program.rules.trusts_accesses() && !asks_for_accesses;
        let prefix = format!("in!{number}!{}", edge.index());
        let (code, fault, shape) = match data.call() {
            Some((_, callee, arguments)) => {
                let parameters = &program.procedures[callee].parameters;
                let effect = self.encoder.effect_of_call(terms, parameters, arguments, access)?;
                let Taken { mut transition, fault, .. } = self.take(terms, effect, data.span, &prefix);
                // A parameter that is passed on is another variable inside.
                for symbol in parameters.iter().flat_map(|parameter| self.encoder.symbols(*parameter)) {
                    if !transition.updates.iter().any(|(updated, _)| *updated == symbol) {
                        transition.updates.push((symbol, terms.of_symbol(symbol)));
                    }
                }
                (Code::Call { callee, guard: transition.guard, parameters: transition.updates }, fault, None)
            }
            None => {
                let effect =
                    self.encoder.effect(terms, &data.block, access).map_err(|refused| refused.or_at(data.span))?;
                let Taken { transition, fault, shape } = self.take(terms, effect, data.span, &prefix);
                (Code::Plain(transition), fault, Some(shape))
            }
        };
        let code = Rc::new(code);
        if !on_memory {
            self.edges.insert((number, edge), Rc::clone(&code));
            return Ok(Step { code, fault: None, shape: None });
        }
        Ok(Step { code, fault, shape })
    }

    /// What an edge does at a stack, where these values are known.
    pub fn code(
        &mut self,
        terms: &mut Terms,
        stack: &[Frame],
        edge: EdgeId,
        known: &[(Symbol, TermId)],
    ) -> Result<Rc<Code>, Unsupported> {
        let known = known.iter().copied().collect();
        let number = self.number(stack);
        Ok(self.step(terms, (number, stack), edge, &known)?.code)
    }

    /// Takes over an effect: what it leaves open is remembered, and its inputs get their names.
    fn take(&mut self, terms: &mut Terms, effect: Effect, span: Option<Span>, prefix: &str) -> Taken {
        let Effect { mut transition, constructs, fault, shape } = effect;
        let at = |unsupported: Unsupported| unsupported.or_at(span);
        for construct in constructs.into_iter().map(at) {
            if !self.approximated.contains(&construct) {
                self.approximated.push(construct);
            }
        }
        // The inputs of the fault are those of the transition.
        let named = transition.with_inputs_named(terms, prefix);
        let renaming = named.own_symbols().map(|symbol| terms.of_symbol(symbol)).collect::<Vec<_>>();
        let renaming = transition.own_symbols().zip(renaming).collect();
        let fault = terms.substitute(fault, &renaming);
        transition = named;
        self.note_ranges(terms, &transition);
        let fault = (terms.op(fault) != &Op::Bool(false)).then_some(fault);
        let shape = shape.map(|shape| self.memory.number_of(terms, &shape));
        Taken { transition, fault, shape }
    }

    /// Whether `init` may access memory that it must not.
    pub fn init_faults(&self) -> bool {
        self.init_faults
    }

    /// What of the blocks seen so far is only approximated: it can have any value.
    pub fn approximated(&self) -> &[Unsupported] {
        &self.approximated
    }

    /// The first that has fewer values in the program.
    pub fn first_inexact(&self) -> Option<&Unsupported> {
        self.approximated.iter().find(|unsupported| !unsupported.is_any)
    }

    /// Remembers which values the inputs of a transition can have.
    pub fn note_ranges(&mut self, terms: &mut Terms, transition: &Transition) {
        for input in &transition.inputs {
            let range = self.encoder.input_in_range(terms, input);
            self.note_range(terms, input.symbol, range);
        }
        for unmodelled in &transition.unmodelled {
            let range = self.encoder.unmodelled_in_range(terms, unmodelled);
            self.note_range(terms, unmodelled.symbol, range);
        }
    }

    /// A name that stands for values of several types, where what is known of memory differs, has the ranges of all.
    fn note_range(&mut self, terms: &mut Terms, symbol: Symbol, range: Option<TermId>) {
        let range = range.unwrap_or_else(|| terms.bool(true));
        match self.ranges.get(&symbol) {
            Some(known) if *known == range => {}
            Some(known) => {
                let either = terms.or([*known, range]);
                self.ranges.insert(symbol, either);
            }
            None => {
                self.ranges.insert(symbol, range);
            }
        }
    }

    /// The values that a variable or an input can have, where that says anything.
    pub fn range(&self, terms: &mut Terms, symbol: Symbol) -> Option<TermId> {
        if let Some(original) = self.original(symbol) {
            let range = self.range(terms, original)?;
            let copy = terms.of_symbol(symbol);
            return Some(terms.substitute(range, &FxHashMap::from_iter([(original, copy)])));
        }
        match (self.ranges.get(&symbol), self.memory.type_of(symbol)) {
            (Some(&range), _) => (terms.op(range) != &Op::Bool(true)).then_some(range),
            (None, Some(ty)) => match self.memory.range_of_counter(terms, symbol) {
                None => self.range_in_memory(terms, symbol, ty),
                range => range,
            },
            (None, None) => self.encoder.in_range(terms, symbol),
        }
    }

    /// The values that a symbol of memory can have: no size is negative.
    fn range_in_memory(&self, terms: &mut Terms, symbol: Symbol, ty: Type) -> Option<TermId> {
        let in_type = self.encoder.of_type(terms, symbol, ty);
        if !self.memory.is_size(terms, symbol) {
            return in_type;
        }
        let (size, zero) = (terms.of_symbol(symbol), self.encoder.offset(terms, 0));
        let not_negative = match self.encoder.arithmetic() {
            Arithmetic::Integers => terms.ge(size, zero),
            Arithmetic::Bits => terms.bv_sle(zero, size),
        };
        Some(terms.and(in_type.into_iter().chain([not_negative])))
    }

    /// What the return to the frame below the top does.
    pub fn return_code(&mut self, terms: &mut Terms, stack: &[Frame]) -> Code {
        let [.., caller, callee] = stack else { return Code::Return { result: Vec::new() } };
        let result = self.result_of(terms, caller.procedure, callee.call, callee.procedure);
        Code::Return { result }
    }

    /// The symbols of the caller's variable for the result of a call, with the callee's values.
    pub fn result_of(
        &self,
        terms: &mut Terms,
        caller: ProcId,
        call: Option<EdgeId>,
        callee: ProcId,
    ) -> Vec<(Symbol, TermId)> {
        let call = call.and_then(|call| self.program.procedures[caller].edges[call].call());
        let (Some((Some(target), ..)), Some(result)) = (call, self.program.procedures[callee].result) else {
            return Vec::new();
        };
        let (targets, results) = (self.encoder.symbols(target), self.encoder.symbols(result));
        targets.into_iter().zip(results).map(|(target, result)| (target, terms.of_symbol(result))).collect()
    }

    /// The number of a location stack.
    fn number(&mut self, stack: &[Frame]) -> u32 {
        if let Some(&number) = self.stacks.get(stack) {
            return number;
        }
        let number = self.stacks.len() as u32;
        self.stacks.insert(stack.into(), number);
        number
    }

    /// The truth value that chooses the edge with this index, of several that may be taken from one stack.
    fn choice(&mut self, terms: &mut Terms, stack: &[Frame], index: usize) -> TermId {
        let number = self.number(stack);
        terms.var(&format!("choice!{number}!{index}"), Sort::Bool)
    }

    /// The locals of a procedure, as symbols.
    pub fn locals(&self, procedure: ProcId) -> FxHashSet<Symbol> {
        self.locals[procedure].iter().map(|(_, symbol)| *symbol).collect()
    }
}

fn locals(program: &Program, encoder: &Encoder<'_>) -> IdVec<ProcId, Vec<(VarId, Symbol)>> {
    let mut locals: IdVec<ProcId, Vec<(VarId, Symbol)>> = program.procedures.iter().map(|_| Vec::new()).collect();
    for (variable, data) in program.variables.enumerate() {
        if let Scope::Local(procedure) = data.scope {
            locals[procedure].extend(encoder.symbols(variable).into_iter().map(|symbol| (variable, symbol)));
        }
    }
    locals
}

/// Whether what the statements do depends on what is known of memory.
fn is_on_memory(program: &Program, block: &[Statement]) -> bool {
    fn uses(program: &Program, expr: &Expr) -> bool {
        let pointer = |operand: &Expr| operand.type_in(program) == Type::Pointer;
        let here = match expr {
            Expr::Load(..) | Expr::Unary(UnaryOp::HasLost, _) => true,
            // A pointer that is only copied is one into the object that is known here.
            Expr::Var(_) => pointer(expr),
            Expr::Unary(_, a) => pointer(a),
            Expr::Binary(_, a, b) => pointer(a) || pointer(b),
            Expr::Cast(to, a) => pointer(a) || *to == Type::Pointer,
            _ => false,
        };
        here || expr.operands().into_iter().any(|operand| uses(program, operand))
    }
    block.iter().any(|statement| {
        use Statement::*;
        matches!(
            statement,
            Store { .. } | Copy { .. } | Fill { .. } | Write { .. } | Allocate { .. } | Free(_) | Output(_)
        ) || statement.expressions().into_iter().any(|expr| uses(program, expr))
    })
}

#[cfg(test)]
mod tests;

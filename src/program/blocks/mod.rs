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

mod call;
mod cuts;
mod live;
mod merge;
mod walk;

pub use call::Known;
pub use cuts::{BlockSize, Cuts};
pub use live::Live;
pub use walk::{End, EndKind, Move, Target, Walk, WalkError, WalkNode};

use crate::program::control::{Flow, Frame};
use crate::program::encode::{Encoder, Transition, Unsupported};
use crate::program::{EdgeId, Expr, Id, IdVec, LocId, Piece, ProcId, Program, Property, Scope, Span, Statement, VarId};
use crate::term::{Sort, Symbol, TermId, Terms};
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
    /// Every location stack seen, by number.
    stacks: FxHashMap<Box<[Frame]>, u32>,
    edges: FxHashMap<(u32, EdgeId), Rc<Code>>,
    /// The inputs of the codes, with the values that they can have.
    ranges: FxHashMap<Symbol, TermId>,
    /// Names for values of variables at other times, with the variables.
    copies: FxHashMap<Symbol, Symbol>,
    /// The globals that a procedure, with all that it calls, can write.
    writes: IdVec<ProcId, Rc<FxHashSet<Symbol>>>,
    /// What is only approximated.
    approximated: Vec<Unsupported>,
    /// What is only approximated and can leave an execution without a meaning.
    faults: Vec<Unsupported>,
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
        /// The parameters' symbols with their values, over the caller's variables.
        parameters: Vec<(Symbol, TermId)>,
    },
    /// Leaves a procedure: the caller's variable takes the value of the callee's result.
    Return {
        /// The two symbols, where there are both.
        result: Option<(Symbol, TermId)>,
    },
}

impl<'p> Blocks<'p> {
    /// The blocks of a program with respect to a property.
    pub fn new(program: &'p Program, property: &'p Property, encoder: Encoder<'p>, size: BlockSize) -> Blocks<'p> {
        let flow = Flow::of(program);
        let cuts = Cuts::of(program, &flow, size);
        Blocks {
            program,
            property,
            cuts,
            live: Live::of(program),
            flow,
            copies: FxHashMap::default(),
            writes: call::writes(program, |variable| encoder.symbol(variable)),
            encoder,
            stacks: FxHashMap::default(),
            edges: FxHashMap::default(),
            ranges: FxHashMap::default(),
            approximated: Vec::new(),
            faults: Vec::new(),
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

    /// Whether the variable of a symbol matters at a location stack: a global, or a local that is live in a frame.
    pub fn matters(&self, stack: &[Frame], symbol: Symbol) -> bool {
        let Some(variable) = self.encoder.variable(symbol) else { return true };
        match self.program.variables[variable].scope {
            Scope::Global => true,
            Scope::Local(procedure) => (stack.iter().rev())
                .find(|frame| frame.procedure == procedure)
                .is_some_and(|frame| self.live.is_live(procedure, frame.location, variable)),
        }
    }

    /// The symbol of a variable that formulas can speak of.
    pub fn symbol(&self, variable: VarId) -> Option<Symbol> {
        self.encoder.symbol(variable)
    }

    /// The globals' symbols.
    pub fn globals(&self) -> Vec<Symbol> {
        self.program.globals().filter_map(|global| self.encoder.symbol(global)).collect()
    }

    /// What an edge of the procedure on top of the stack does there. Its inputs have the same symbols whenever they
    /// are read at this stack, which is at most once in a block.
    pub fn code(&mut self, terms: &mut Terms, stack: &[Frame], edge: EdgeId) -> Result<Rc<Code>, Unsupported> {
        let number = self.number(stack);
        if let Some(code) = self.edges.get(&(number, edge)) {
            return Ok(Rc::clone(code));
        }
        let procedure = stack.last().expect("a location stack has a top").procedure;
        let edge_data = &self.program.procedures[procedure].edges[edge];
        let code = match edge_data.call() {
            Some((_, callee, arguments)) => {
                let parameters = &self.program.procedures[callee].parameters;
                let mut given = Vec::new();
                for (&parameter, argument) in parameters.iter().zip(arguments) {
                    if let Some(symbol) = self.encoder.symbol(parameter) {
                        given.push((symbol, self.encoder.expr(terms, argument)?));
                    }
                }
                Code::Call { callee, parameters: given }
            }
            None => {
                let (transition, approximated) = self.encoder.abstract_edge(terms, procedure, edge)?;
                self.approximated.extend(approximated);
                self.note_faults(&edge_data.block, edge_data.span);
                let transition = transition.with_inputs_named(terms, &format!("in!{number}!{}", edge.index()));
                self.note_ranges(terms, &transition);
                Code::Plain(transition)
            }
        };
        let code = Rc::new(code);
        self.edges.insert((number, edge), Rc::clone(&code));
        Ok(code)
    }

    /// What of the blocks seen so far is only approximated and can leave an execution without a meaning: a proof about
    /// them takes for granted that it does not.
    pub fn faults(&self) -> &[Unsupported] {
        &self.faults
    }

    /// What of the blocks seen so far is only approximated: it can have any value.
    pub fn approximated(&self) -> &[Unsupported] {
        &self.approximated
    }

    /// Remembers the accesses to memory in a block; nothing else faults.
    fn note_faults(&mut self, block: &[Statement], span: Option<Span>) {
        for statement in block {
            let construct = match statement {
                Statement::Store { .. } | Statement::Copy { .. } | Statement::Fill { .. } => "a write to memory",
                Statement::Free(_) => "a free",
                other if other.expressions().into_iter().any(Expr::has_load) => "a read of memory",
                Statement::Output(pieces) if pieces.iter().any(Piece::reads_memory) => "a read of memory",
                _ => continue,
            };
            let fault = Unsupported { construct, span };
            if !self.faults.contains(&fault) {
                self.faults.push(fault);
            }
        }
    }

    /// Remembers which values the inputs of a transition can have.
    pub fn note_ranges(&mut self, terms: &mut Terms, transition: &Transition) {
        for input in &transition.inputs {
            let range = self.encoder.input_in_range(terms, input);
            self.ranges.extend(range.map(|range| (input.symbol, range)));
        }
        for unmodelled in &transition.unmodelled {
            let range = self.encoder.unmodelled_in_range(terms, unmodelled);
            self.ranges.extend(range.map(|range| (unmodelled.symbol, range)));
        }
    }

    /// The values that a variable or an input can have, where that says anything.
    pub fn range(&self, terms: &mut Terms, symbol: Symbol) -> Option<TermId> {
        if let Some(original) = self.original(symbol) {
            let range = self.encoder.in_range(terms, original)?;
            let copy = terms.of_symbol(symbol);
            return Some(terms.substitute(range, &FxHashMap::from_iter([(original, copy)])));
        }
        match self.ranges.get(&symbol) {
            Some(&range) => Some(range),
            None => self.encoder.in_range(terms, symbol),
        }
    }

    /// What the return to the frame below the top does.
    pub fn return_code(&mut self, terms: &mut Terms, stack: &[Frame]) -> Code {
        let [.., caller, callee] = stack else { return Code::Return { result: None } };
        let result = self.result_of(terms, caller.procedure, callee.call, callee.procedure);
        Code::Return { result }
    }

    /// The caller's variable for the result of a call, and the callee's result.
    pub fn result_of(
        &self,
        terms: &mut Terms,
        caller: ProcId,
        call: Option<EdgeId>,
        callee: ProcId,
    ) -> Option<(Symbol, TermId)> {
        let (target, _, _) = self.program.procedures[caller].edges[call?].call()?;
        let target = self.encoder.symbol(target?)?;
        let result = self.encoder.symbol(self.program.procedures[callee].result?)?;
        Some((target, terms.of_symbol(result)))
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
    fn locals(&self, procedure: ProcId) -> FxHashSet<Symbol> {
        self.program.locals(procedure).filter_map(|local| self.encoder.symbol(local)).collect()
    }
}

#[cfg(test)]
mod tests;

//! Calls of recursive procedures: what is known when one starts, and after it has come back.
//!
//! Inside an activation, ghosts stand for what its parameters and the globals were when it started. They do not change,
//! so that what holds at an exit, over them, is a summary of the procedure: with what was passed in place of the ghosts
//! it holds after the call.

use super::{Blocks, Code};
use crate::formula::encode::Unsupported;
use crate::program::control::Frame;
use crate::program::{EdgeId, IdVec, ProcId, Program, Scope, Statement, VarId};
use crate::term::{Symbol, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known at a place.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The values of some variables.
    pub values: &'a [(Symbol, TermId)],
    /// Formulas that hold.
    pub literals: &'a [TermId],
}

impl Known<'_> {
    /// The formulas, with the values filled in.
    pub fn formulas(&self, terms: &mut Terms) -> Vec<TermId> {
        let values: FxHashMap<Symbol, TermId> = self.values.iter().copied().collect();
        self.literals.iter().map(|&literal| terms.substitute(literal, &values)).collect()
    }
}

impl Blocks<'_> {
    /// The values of the variables and ghosts of an activation when it starts, over the caller's at the call.
    pub fn entered(
        &mut self,
        terms: &mut Terms,
        stack: &[Frame],
        edge: EdgeId,
        caller: Known<'_>,
    ) -> Result<(ProcId, FxHashMap<Symbol, TermId>), Unsupported> {
        let known: FxHashMap<Symbol, TermId> = caller.values.iter().copied().collect();
        let number = self.number(stack);
        let code = self.step(terms, (number, stack), edge, &known)?.code;
        let Code::Call { callee, parameters, .. } = &*code else { unreachable!("the edge calls") };
        let mut values = FxHashMap::default();
        for global in self.globals() {
            let value = known.get(&global).copied().unwrap_or_else(|| terms.of_symbol(global));
            values.insert(global, value);
            values.insert(self.ghost(terms, global), value);
        }
        for &(symbol, value) in parameters {
            let value = terms.substitute(value, &known);
            values.insert(symbol, value);
            values.insert(self.ghost(terms, symbol), value);
        }
        Ok((*callee, values))
    }

    /// What is known after a call that came back from an exit of an activation with this entry: formulas over the caller's variables, what they were at the call and what the callee
    /// left; and the values of variables over these. What the caller knew of globals that the callee can write is about
    /// what they were at the call.
    pub fn returned(
        &mut self,
        terms: &mut Terms,
        stack: &[Frame],
        edge: EdgeId,
        caller: Known<'_>,
        entry: Known<'_>,
        exit: Known<'_>,
    ) -> Result<(Vec<TermId>, FxHashMap<Symbol, TermId>), Unsupported> {
        let known: FxHashMap<Symbol, TermId> = caller.values.iter().copied().collect();
        let number = self.number(stack);
        let code = self.step(terms, (number, stack), edge, &known)?.code;
        let Code::Call { callee, parameters, .. } = &*code else { unreachable!("the edge calls") };
        let written = self.written_by(*callee);
        let mut at_call = known.clone();
        for &global in written.iter() {
            let remembered = self.copy(terms, "call", global);
            at_call.entry(global).or_insert(remembered);
        }
        let mut inside = FxHashMap::default();
        for &(parameter, value) in parameters {
            inside.insert(self.ghost(terms, parameter), terms.substitute(value, &at_call));
        }
        for global in self.globals() {
            let value = at_call.get(&global).copied().unwrap_or_else(|| terms.of_symbol(global));
            inside.insert(self.ghost(terms, global), value);
        }
        // The activation that it comes back from is one whose entry allowed the call.
        let mut at_entry = inside.clone();
        for symbol in parameters.iter().map(|(parameter, _)| *parameter).chain(self.globals()) {
            at_entry.insert(symbol, inside[&self.ghost(terms, symbol)]);
        }
        let mut context: Vec<TermId> = Vec::new();
        context.extend(entry.literals.iter().map(|&literal| terms.substitute(literal, &at_entry)));
        for (symbol, value) in entry.values {
            let passed = at_entry.get(symbol).copied().unwrap_or_else(|| terms.of_symbol(*symbol));
            context.push(terms.eq(passed, *value));
        }
        let locals = self.locals(*callee);
        for &local in &locals {
            inside.insert(local, self.copy(terms, "back", local));
        }
        context.extend(caller.literals.iter().map(|&literal| terms.substitute(literal, &at_call)));
        context.extend(exit.literals.iter().map(|&literal| terms.substitute(literal, &inside)));
        for (symbol, value) in exit.values {
            let left = inside.get(symbol).copied().unwrap_or_else(|| terms.of_symbol(*symbol));
            context.push(terms.eq(left, *value));
        }
        let mut values: FxHashMap<Symbol, TermId> =
            caller.values.iter().copied().filter(|(symbol, _)| !written.contains(symbol)).collect();
        let left: FxHashMap<Symbol, TermId> = exit.values.iter().copied().collect();
        for global in written.iter() {
            values.extend(left.get(global).map(|value| (*global, *value)));
        }
        let caller = stack.last().expect("a location stack has a top").procedure;
        for (target, result) in self.result_of(terms, caller, Some(edge), *callee) {
            let symbol = terms.as_symbol(result).expect("a result is a variable");
            values.insert(target, left.get(&symbol).copied().unwrap_or(inside[&symbol]));
        }
        Ok((context, values))
    }

    /// The globals that a procedure, with all that it calls, can write.
    pub fn globals_written_by(&self, procedure: ProcId) -> impl Iterator<Item = VarId> + '_ {
        self.writes[procedure].globals.iter().copied()
    }

    /// The symbols of what a procedure, with all that it calls, can write.
    fn written_by(&self, procedure: ProcId) -> FxHashSet<Symbol> {
        let Writes { globals, memory } = &self.writes[procedure];
        let mut written: FxHashSet<Symbol> = globals.iter().flat_map(|v| self.encoder.symbols(*v)).collect();
        if *memory {
            written.extend(self.memory.symbols());
        }
        written
    }

    /// The ghost of a parameter or global: what it was when the activation started.
    pub fn ghost(&mut self, terms: &mut Terms, symbol: Symbol) -> Symbol {
        let ghost = self.copy(terms, "old", symbol);
        let ghost = terms.as_symbol(ghost).expect("a free constant is its symbol");
        self.ghosts.insert(ghost);
        ghost
    }

    /// The parameter or global that a ghost stands for.
    pub fn ghost_of(&self, ghost: Symbol) -> Option<Symbol> {
        self.original(ghost).filter(|_| self.ghosts.contains(&ghost))
    }

    /// What a ghost, or another name for a value of a variable, stands for.
    pub fn original(&self, copy: Symbol) -> Option<Symbol> {
        self.copies.get(&copy).copied()
    }

    /// The copy of an input for a time.
    pub fn copy_for(&mut self, terms: &mut Terms, time: u32, input: Symbol) -> TermId {
        self.copy(terms, &format!("{time}!"), input)
    }

    fn copy(&mut self, terms: &mut Terms, prefix: &str, symbol: Symbol) -> TermId {
        let copy = terms.at_other_time(prefix, symbol);
        self.copies.insert(terms.as_symbol(copy).expect("a free constant is its symbol"), symbol);
        copy
    }
}

/// What a procedure, with all that it calls, can write.
#[derive(Debug, Clone, Default)]
pub(in crate::formula) struct Writes {
    globals: FxHashSet<VarId>,
    memory: bool,
}

/// For each procedure, what it and all that it calls can write.
pub(in crate::formula) fn writes(program: &Program) -> IdVec<ProcId, Writes> {
    let mut writes: IdVec<ProcId, Writes> = IdVec::new();
    let mut calls: Vec<(ProcId, ProcId)> = Vec::new();
    for (id, procedure) in program.procedures.enumerate() {
        let statements = || procedure.edges.iter().flat_map(|edge| edge.block.iter());
        let targets = statements().flat_map(Statement::targets);
        let on_memory = |statement: &Statement| {
            use Statement::*;
            matches!(statement, Store { .. } | Copy { .. } | Fill { .. } | Write { .. } | Allocate { .. } | Free(_))
        };
        writes.push(Writes {
            globals: targets.filter(|target| program.variables[*target].scope == Scope::Global).collect(),
            memory: statements().any(on_memory),
        });
        calls.extend(statements().filter_map(|statement| match statement {
            Statement::Call { callee, .. } => Some((id, *callee)),
            _ => None,
        }));
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &(caller, callee) in &calls {
            let Writes { globals, memory } = writes[callee].clone();
            let more: Vec<VarId> = globals.difference(&writes[caller].globals).copied().collect();
            changed |= !more.is_empty() || memory && !writes[caller].memory;
            writes[caller].globals.extend(more);
            writes[caller].memory |= memory;
        }
    }
    writes
}

//! Paths with procedure calls, and which symbols are visible where.

use super::InterpolateError;
use crate::term::{Symbol, TermId, Terms};
use std::collections::BTreeSet;

/// A step inside one activation: the guard holds in the old state, then all updates happen at once from the old
/// state, and each havocked symbol gets any value. No symbol is both updated and havocked, or updated twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathStep {
    /// What holds before.
    pub guard: TermId,
    /// New values, over the old state.
    pub updates: Vec<(Symbol, TermId)>,
    /// What gets any value.
    pub havoc: Vec<Symbol>,
}

/// A step of a path with calls. Symbols that are not global belong to an activation: the same symbol in two activations
/// is two variables. The caller's keep their values during the call, and are not visible there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NestedStep {
    /// A step inside the current activation.
    Internal(PathStep),
    /// The start of an activation; its other locals have any value.
    Call {
        /// The callee's parameters, with their values over the caller's symbols and the globals.
        parameters: Vec<(Symbol, TermId)>,
    },
    /// The end of the current activation.
    Return {
        /// The caller's symbols, or globals, that get a value over the callee's symbols and the globals.
        results: Vec<(Symbol, TermId)>,
    },
}

/// A path through activations, the first of which is that of the outermost procedure. A call without its return is
/// an activation that the path ends in.
#[derive(Debug, Clone, Copy)]
pub struct NestedPath<'a> {
    /// The symbols that all activations share.
    pub globals: &'a [Symbol],
    /// The steps.
    pub steps: &'a [NestedStep],
}

/// The ghost symbol for the value that a parameter or global had when the current activation started.
pub fn old(terms: &mut Terms, symbol: Symbol) -> TermId {
    terms.at_other_time("old", symbol)
}

/// An activation on a path.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame {
    /// The step that is its call, and its return; the outermost one has neither.
    pub(super) call: Option<usize>,
    pub(super) exit: Option<usize>,
    pub(super) caller: Option<usize>,
    /// The locals that its steps mention.
    pub(super) locals: BTreeSet<Symbol>,
    /// Ghosts, with what they are the old value of; none in an activation without a call.
    pub(super) ghosts: Vec<(Symbol, Symbol)>,
}

/// Which activation each position is in, and what is visible there. Position `i` is before step `i`.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) frames: Vec<Frame>,
    pub(super) frame_at: Vec<usize>,
    /// The globals that the path mentions.
    pub(super) globals: Vec<Symbol>,
    /// The mentions of each symbol with its frame (globals: no frame), as first and last step.
    windows: rustc_hash::FxHashMap<(Option<usize>, Symbol), (usize, usize)>,
}

impl Layout {
    pub(super) fn new(terms: &mut Terms, path: NestedPath<'_>) -> Result<Layout, InterpolateError> {
        let mut layout = Layout {
            frames: vec![Frame::default()],
            frame_at: vec![0],
            globals: Vec::new(),
            windows: Default::default(),
        };
        let globals: BTreeSet<Symbol> = path.globals.iter().copied().collect();
        for (number, step) in path.steps.iter().enumerate() {
            let current = layout.frame_at[number];
            match step {
                NestedStep::Internal(step) => {
                    well_formed(terms, step)?;
                    let read = [step.guard].into_iter().chain(step.updates.iter().map(|u| u.1));
                    let written = step.updates.iter().map(|u| u.0).chain(step.havoc.iter().copied());
                    layout.mention(terms, &globals, number, current, read, written);
                    layout.frame_at.push(current);
                }
                NestedStep::Call { parameters } => {
                    let callee = layout.frames.len();
                    layout.frames.push(Frame { call: Some(number), caller: Some(current), ..Frame::default() });
                    check_updates(terms, parameters)?;
                    layout.mention(terms, &globals, number, current, parameters.iter().map(|p| p.1), []);
                    layout.mention(terms, &globals, number, callee, [], parameters.iter().map(|p| p.0));
                    layout.frame_at.push(callee);
                }
                NestedStep::Return { results } => {
                    let caller = layout.frames[current].caller;
                    let caller = caller.ok_or_else(|| malformed(format!("step {number} returns from no call")))?;
                    layout.frames[current].exit = Some(number);
                    check_updates(terms, results)?;
                    layout.mention(terms, &globals, number, current, results.iter().map(|r| r.1), []);
                    layout.mention(terms, &globals, number, caller, [], results.iter().map(|r| r.0));
                    layout.frame_at.push(caller);
                }
            }
        }
        layout.globals = globals.into_iter().filter(|g| layout.windows.contains_key(&(None, *g))).collect();
        layout.add_ghosts(terms, path);
        Ok(layout)
    }

    fn mention(
        &mut self,
        terms: &Terms,
        globals: &BTreeSet<Symbol>,
        step: usize,
        frame: usize,
        read: impl IntoIterator<Item = TermId>,
        written: impl IntoIterator<Item = Symbol>,
    ) {
        for symbol in terms.symbols_of(read).into_iter().chain(written) {
            let owner = (!globals.contains(&symbol)).then_some(frame);
            if owner.is_some() {
                self.frames[frame].locals.insert(symbol);
            }
            self.windows.entry((owner, symbol)).or_insert((step, step)).1 = step;
        }
    }

    fn add_ghosts(&mut self, terms: &mut Terms, path: NestedPath<'_>) {
        for frame in &mut self.frames {
            let Some(NestedStep::Call { parameters }) = frame.call.map(|call| &path.steps[call]) else { continue };
            let remembered = parameters.iter().map(|p| p.0).chain(self.globals.iter().copied());
            frame.ghosts = remembered
                .map(|symbol| {
                    let ghost = old(terms, symbol);
                    (terms.as_symbol(ghost).expect("a ghost is a symbol"), symbol)
                })
                .collect();
        }
    }

    /// The symbols of the position's activation and the globals that both sides of the path mention, and all ghosts.
    pub(super) fn relevant(&self, position: usize) -> Vec<Symbol> {
        let frame = self.frame_at[position];
        let spans = |owner: Option<usize>, symbol: Symbol| {
            self.windows.get(&(owner, symbol)).is_some_and(|&(first, last)| first < position && position <= last)
        };
        // Inside a call that returns, the values of globals on exit are what the caller sees, mentioned there or not.
        let returns = self.frames[frame].exit.is_some();
        let globals = self.globals.iter().copied().filter(|&g| returns || spans(None, g));
        let locals = self.frames[frame].locals.iter().copied().filter(|&local| spans(Some(frame), local));
        let ghosts = self.frames[frame].ghosts.iter().filter(|_| returns).map(|ghost| ghost.0);
        globals.chain(locals).chain(ghosts).collect()
    }

    /// Everything that may be mentioned at the position.
    pub(super) fn visible(&self, position: usize) -> BTreeSet<Symbol> {
        let frame = &self.frames[self.frame_at[position]];
        let ghosts = frame.ghosts.iter().map(|ghost| ghost.0);
        self.globals.iter().copied().chain(frame.locals.iter().copied()).chain(ghosts).collect()
    }

    /// The activation that a step of kind `Return` ends, and the position before its call.
    pub(super) fn returning(&self, step: usize) -> (usize, usize) {
        let callee = self.frame_at[step];
        (callee, self.frames[callee].call.expect("a return ends an activation that has a call"))
    }
}

fn malformed(what: String) -> InterpolateError {
    InterpolateError::Malformed(what)
}

fn well_formed(terms: &Terms, step: &PathStep) -> Result<(), InterpolateError> {
    check_updates(terms, &step.updates)?;
    match step.havoc.iter().find(|symbol| step.updates.iter().any(|update| update.0 == **symbol)) {
        Some(&symbol) => Err(malformed(format!("{} is both updated and havocked", terms.name(symbol)))),
        None => Ok(()),
    }
}

fn check_updates(terms: &Terms, updates: &[(Symbol, TermId)]) -> Result<(), InterpolateError> {
    for (number, &(symbol, value)) in updates.iter().enumerate() {
        if updates[..number].iter().any(|update| update.0 == symbol) {
            return Err(malformed(format!("{} is updated twice in one step", terms.name(symbol))));
        }
        if terms.symbol_sort(symbol) != terms.sort(value) {
            return Err(malformed(format!("{} gets a value of another sort", terms.name(symbol))));
        }
    }
    Ok(())
}

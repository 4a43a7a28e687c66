//! Formulas about a program in the words of its source.

use super::Encoder;
use crate::program::{FloatKind, ProcId, Program, Scope, Type, VarId};
use crate::term::infix::{Notation, infix_in};
use crate::term::{Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// The prefix of the symbols for what variables were when the procedure was entered.
const OLD: &str = "old!";

/// A formula of more nodes than this, written out as a tree, tells a reader nothing.
const LARGEST: u64 = 2_000;

/// How formulas about one program are written: operators as in C, variables by their names in the source, those of
/// other procedures with the procedure's name, and `old(x)` for what a variable was when the procedure was entered.
pub struct SourceNotation<'p> {
    program: &'p Program,
    scope: Option<ProcId>,
    variables: FxHashMap<Symbol, (VarId, bool)>,
}

impl<'p> SourceNotation<'p> {
    /// For formulas over the symbols of an encoder of the program in this store.
    pub fn new(program: &'p Program, encoder: &Encoder<'_>, terms: &Terms) -> SourceNotation<'p> {
        let mut variables = FxHashMap::default();
        for (id, _) in program.variables.enumerate() {
            let Some(symbol) = encoder.symbol(id) else { continue };
            variables.insert(symbol, (id, false));
            let old = terms.find_symbol(&format!("{OLD}{}", terms.name(symbol)));
            variables.extend(old.map(|old| (old, (id, true))));
        }
        SourceNotation { program, scope: None, variables }
    }

    /// Writes formulas as they read inside a procedure.
    pub fn inside(&mut self, procedure: ProcId) {
        self.scope = Some(procedure);
    }

    /// The formula as text; `…` where that would be very long.
    pub fn write(&self, terms: &Terms, formula: TermId) -> String {
        match tree_size(terms, formula) {
            0..=LARGEST => infix_in(terms, formula, self),
            _ => "…".to_owned(),
        }
    }

    /// The variable that a symbol stands for, and whether it is its value when the procedure was entered.
    pub fn variable(&self, symbol: Symbol) -> Option<(VarId, bool)> {
        self.variables.get(&symbol).copied()
    }

    /// Whether a symbol stands for a variable that can be named inside a procedure.
    pub fn is_visible(&self, procedure: ProcId, symbol: Symbol) -> bool {
        let Some((variable, _)) = self.variable(symbol) else { return false };
        // What a front end adds for itself has names that no source has.
        if self.program.variables[variable].name.starts_with(['%', '&']) {
            return false;
        }
        match self.program.variables[variable].scope {
            Scope::Global => true,
            Scope::Local(owner) => owner == procedure,
        }
    }
}

impl Notation for SourceNotation<'_> {
    fn name(&self, terms: &Terms, symbol: Symbol) -> String {
        let Some((id, old)) = self.variable(symbol) else { return terms.name(symbol).to_owned() };
        let variable = &self.program.variables[id];
        let name = match variable.scope {
            Scope::Local(owner) if Some(owner) != self.scope => {
                format!("{}::{}", self.program.procedures[owner].name, variable.name)
            }
            _ => variable.name.clone(),
        };
        if old { format!("old({name})") } else { name }
    }

    fn signed(&self, symbol: Symbol) -> Option<bool> {
        let (variable, _) = self.variable(symbol)?;
        match self.program.variables[variable].ty {
            Type::Machine(machine) => Some(machine.signed),
            _ => None,
        }
    }

    fn like_c(&self) -> bool {
        true
    }

    fn float(&self, symbol: Symbol) -> Option<FloatKind> {
        let (variable, _) = self.variable(symbol)?;
        match self.program.variables[variable].ty {
            Type::Float(kind) => Some(kind),
            _ => None,
        }
    }
}

/// How many nodes the term has as a tree.
fn tree_size(terms: &Terms, term: TermId) -> u64 {
    let mut sizes: FxHashMap<TermId, u64> = FxHashMap::default();
    let mut pending = vec![term];
    while let Some(&next) = pending.last() {
        let args = terms.args(next);
        let before = pending.len();
        pending.extend(args.iter().copied().filter(|arg| !sizes.contains_key(arg)));
        if pending.len() > before {
            continue;
        }
        let pending_args = terms.args(next).iter().map(|arg| sizes[arg]);
        let size = pending_args.fold(1_u64, u64::saturating_add);
        sizes.insert(next, size);
        pending.pop();
    }
    sizes[&term]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::encode::Arithmetic;
    use crate::program::text::parse;
    use crate::program::{FileId, Id};
    use crate::term::parse_sexprs;
    use expect_test::expect;

    const PROGRAM: &str = r#"
global g: i32
global u: u32
init { g := 0i32; u := 0u32; }
procedure main() {
  local n: i32
  location a entry
  location b exit
  edge a -> b { n := 0i32; }
}
"#;

    #[test]
    fn formulas_read_like_the_source() {
        let program = parse(PROGRAM, FileId::new(0)).unwrap();
        let mut terms = Terms::new();
        let encoder = Encoder::with_arithmetic(&program, &mut terms, Arithmetic::Bits);
        let g = encoder.symbol(VarId::new(0)).unwrap();
        terms.at_other_time("old", g);
        let mut notation = SourceNotation::new(&program, &encoder, &terms);
        let texts = [
            "(= g |main::n|)",
            "(bvslt g (bvneg #x00000005))",
            "(bvsle |old!g| g)",
            "(bvult u #xfffffffe)",
            "(bvult g #xfffffffe)",
            "(= (bvand g #x00000001) #x00000000)",
            "(= g (ite (= u #x00000000) g |main::n|))",
        ];
        let mut shown = Vec::new();
        for text in texts {
            let term = terms.parse_term(&parse_sexprs(text).unwrap()[0], &Default::default()).unwrap();
            shown.push(notation.write(&terms, term));
        }
        notation.inside(program.main);
        let term = terms.parse_term(&parse_sexprs(texts[0]).unwrap()[0], &Default::default()).unwrap();
        shown.push(notation.write(&terms, term));
        expect![[r#"
            g == main::n
            g < -5
            old(g) <= g
            u < 4294967294
            g <u -2
            (g & 1) == 0
            g == (u == 0 ? g : main::n)
            g == n"#]]
        .assert_eq(&shown.join("\n"));
    }

    #[test]
    fn what_would_be_very_long_is_cut() {
        let program = parse(PROGRAM, FileId::new(0)).unwrap();
        let mut terms = Terms::new();
        let encoder = Encoder::with_arithmetic(&program, &mut terms, Arithmetic::Bits);
        let notation = SourceNotation::new(&program, &encoder, &terms);
        let x = terms.of_symbol(encoder.symbol(VarId::new(0)).unwrap());
        let doubled = (0..100).fold(x, |t, _| terms.raw(crate::term::Op::BvMul, &[t, t]));
        assert_eq!(notation.write(&terms, doubled), "…");
    }
}

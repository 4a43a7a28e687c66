//! Whether symbolic execution takes machine integers for mathematical ones.

use crate::program::encode::{Suits, suits_integers};
use crate::program::{Program, Statement, Type};

/// Whether integers are better than bit-vectors: also where arithmetic with floating-point numbers is left open, unless
/// these are inputs.
pub(super) fn by_integers(program: &Program) -> bool {
    match suits_integers(program) {
        Suits::Yes => true,
        Suits::ButForFloats => !reads_floats(program),
        Suits::No => false,
    }
}

fn reads_floats(program: &Program) -> bool {
    let blocks = program.procedures.iter().flat_map(|procedure| procedure.edges.iter().map(|edge| &edge.block));
    let is_float = |statement: &Statement| match statement {
        Statement::Havoc { target, .. } => matches!(program.variables[*target].ty, Type::Float(_)),
        _ => false,
    };
    blocks.chain([&program.init]).flatten().any(is_float)
}

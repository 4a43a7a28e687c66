//! Whether symbolic execution takes machine integers for mathematical ones.

use crate::formula::encode::{IntegerEncoding, integer_encoding};
use crate::program::{Program, Scope, Type, Variable};

/// Whether integers are better than bit-vectors: also where arithmetic with floating-point numbers is left open, if only a
/// library has it.
pub fn by_integers(program: &Program) -> bool {
    match integer_encoding(program) {
        IntegerEncoding::Exact => true,
        IntegerEncoding::ExceptFloats => !has_floats_of_its_own(program),
        IntegerEncoding::ExceptProducts | IntegerEncoding::Unsuitable => false,
    }
}

/// Whether a floating-point variable has a place in the source.
fn has_floats_of_its_own(program: &Program) -> bool {
    let has_source = |variable: &Variable| match variable.scope {
        Scope::Global => variable.span.is_some(),
        Scope::Local(procedure) => {
            program.procedures[procedure].locations.iter().any(|location| location.span.is_some())
        }
    };
    program.variables.iter().any(|variable| matches!(variable.ty, Type::Float(_)) && has_source(variable))
}

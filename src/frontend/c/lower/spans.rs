//! Places in the library, which are in none of the user's files.

use crate::program::{Id, Program, Span, Statement};

/// Forgets every place that is in none of the files.
pub(super) fn forget_library(program: &mut Program) {
    let files = program.sources.len();
    let forget = |span: &mut Option<Span>| *span = span.filter(|span| span.file.index() < files);
    program.variables.iter_mut().for_each(|variable| forget(&mut variable.span));
    program.assumptions.iter_mut().for_each(|assumption| forget(&mut assumption.span));
    program.remarks.iter_mut().for_each(|remark| forget(&mut remark.span));
    let forget_in = |block: &mut Vec<Statement>| {
        for statement in block {
            if let Statement::Havoc { span, .. } = statement {
                forget(span);
            }
        }
    };
    forget_in(&mut program.init);
    for procedure in program.procedures.iter_mut() {
        forget(&mut procedure.span);
        procedure.locations.iter_mut().for_each(|location| forget(&mut location.span));
        for edge in procedure.edges.iter_mut() {
            forget(&mut edge.span);
            forget_in(&mut edge.block);
        }
    }
}

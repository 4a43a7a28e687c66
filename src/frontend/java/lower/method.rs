//! Methods: blocks of instructions, one after the other, with what is on the operand stack between them.

use super::body::{Body, Operand};
use super::{Lower, Lowered};
use crate::frontend::java::code::{Code, Instruction};
use crate::frontend::java::types::Kind;
use crate::frontend::java::world::MethodId;
use crate::program::{Expr, Id, LocId, Location, ProcId, Statement};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// How many edges a procedure has at most, before it is cleaned up.
const MAX_EDGES: usize = 1_000_000;

impl Lower<'_> {
    /// Starts a procedure; control is at its entry.
    pub(super) fn begin(&mut self, procedure: ProcId) {
        self.body = Body::default();
        self.body.procedure = Some(procedure);
        let entry = self.location();
        let exit = self.body.locations.push(Location::default());
        self.body.exit = Some(exit);
        self.start_at(entry);
    }

    /// Ends the procedure that is being built.
    pub(super) fn finish(&mut self) {
        let body = std::mem::take(&mut self.body);
        let id = body.procedure.expect("a procedure was begun");
        let procedure = &mut self.program.procedures[id];
        procedure.result = body.result.map(|(variable, _)| variable);
        procedure.entry = LocId::new(0);
        procedure.exit = body.exit.expect("a procedure was begun");
        procedure.locations = body.locations;
        procedure.edges = body.edges;
        self.checks.extend(body.checks.into_iter().map(|location| (id, location)));
    }

    /// Lowers the code of a method.
    pub(super) fn method(&mut self, method: MethodId) -> Lowered<()> {
        let procedure = self.procedures[&method];
        let code = Rc::clone(self.world.method(method).code.as_ref().expect("only methods with code wait"));
        self.begin(procedure);
        self.body.method = Some(method);
        self.body.code = Some(Rc::clone(&code));
        self.enter_parameters(method, procedure)?;
        let first = code.lines.first().copied().unwrap_or(0);
        let span = self.line_span(method.class, first);
        self.program.procedures[procedure].span = span;
        self.body.span = span;
        self.body.keeps_this = !self.world.method(method).is_static
            && !code.instructions.iter().any(|i| matches!(i, Instruction::Store(Kind::Reference, 0)));
        let starts = block_starts(&code);
        self.enter_monitor(method)?;
        self.look_at_order(method)?;
        self.go_to_block(0)?;
        loop {
            match (self.body.waiting.pop(), self.body.open_dispatches.pop()) {
                (None, None) => break,
                (start, dispatch) => {
                    if let Some((handlers, location)) = dispatch {
                        self.dispatch(&handlers, location)?;
                    }
                    if let Some(start) = start {
                        self.block(method, &code, &starts, start)?;
                    }
                }
            }
            if self.body.edges.len() > MAX_EDGES {
                return Err(self.wrong("its code is too long"));
            }
        }
        self.finish();
        Ok(())
    }

    fn enter_parameters(&mut self, method: MethodId, procedure: ProcId) -> Lowered<()> {
        let parameters = self.program.procedures[procedure].parameters.clone();
        let (kinds, result) = {
            let method = self.world.method(method);
            let receiver = (!method.is_static).then_some(Kind::Reference);
            let kinds: Vec<Kind> =
                receiver.into_iter().chain(method.signature.parameters.iter().map(|ty| ty.kind())).collect();
            (kinds, method.signature.result.as_ref().map(|ty| ty.kind()))
        };
        let mut slot = 0;
        for (kind, variable) in kinds.into_iter().zip(parameters) {
            self.body.locals.insert((slot, kind), variable);
            slot += if kind.is_wide() { 2 } else { 1 };
        }
        if let Some(kind) = result {
            let variable = self.new_local(procedure, "result", kind.program_type());
            self.body.result = Some((variable, kind));
        }
        Ok(())
    }

    fn block(&mut self, method: MethodId, code: &Code, starts: &FxHashSet<usize>, start: usize) -> Lowered<()> {
        let (location, kinds) = self.body.blocks[&start].clone();
        self.body.stack.clear();
        for (depth, kind) in kinds.into_iter().enumerate() {
            let variable = self.operand(depth, kind);
            self.body.stack.push(Operand::new(Expr::Var(variable), kind));
        }
        self.start_at(location);
        for index in start.. {
            self.body.index = index;
            self.body.span = self.line_span(method.class, code.lines[index]);
            self.release_temporaries();
            let instruction = &code.instructions[index];
            self.instruction(instruction)?;
            if instruction.ends_block() || !self.is_reachable() {
                break;
            }
            if starts.contains(&(index + 1)) {
                self.go_to_block(index + 1)?;
                break;
            }
        }
        Ok(())
    }

    /// Goes on at the instruction, with the operands that there are.
    pub(super) fn go_to_block(&mut self, target: usize) -> Lowered<()> {
        self.settle();
        let location = self.block_location(target)?;
        self.go_to(location);
        Ok(())
    }

    /// The location of a block, which the present operands reach.
    pub(super) fn block_location(&mut self, target: usize) -> Lowered<LocId> {
        let kinds: Vec<Kind> = self.body.stack.iter().map(|operand| operand.kind).collect();
        if let Some((location, known)) = self.body.blocks.get(&target) {
            if *known != kinds {
                return Err(self.wrong("its code reaches one place with different operands"));
            }
            return Ok(*location);
        }
        let location = self.location();
        self.body.blocks.insert(target, (location, kinds));
        self.body.waiting.push(target);
        Ok(location)
    }

    /// Ends the method, with a result where it has one.
    pub(super) fn return_value(&mut self, value: Option<(Expr, Kind)>) -> Lowered<()> {
        let exit = self.body.exit.expect("a procedure was begun");
        match (value, self.body.result) {
            (None, None) => {}
            (Some((value, kind)), Some((variable, wanted))) if kind == wanted => {
                self.emit(Statement::Assign(vec![(variable, value)]));
            }
            _ => return Err(self.wrong("its code returns what it should not")),
        }
        self.leave_monitor();
        self.go_to(exit);
        Ok(())
    }
}

/// The instructions that start a block.
fn block_starts(code: &Code) -> FxHashSet<usize> {
    let mut starts: FxHashSet<usize> = code.handlers.iter().map(|handler| handler.target).collect();
    for (index, instruction) in code.instructions.iter().enumerate() {
        if instruction.ends_block() {
            starts.extend(instruction.successors(index));
            starts.insert(index + 1);
        }
    }
    starts
}

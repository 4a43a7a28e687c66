//! Statements: control flow.

use super::arithmetic::{and, binary, or};
use super::{Lower, Lowered};
use crate::frontend::c::tree::{Case, ExprId, LabelId, StmtId, StmtKind};
use crate::frontend::c::types::VlaId;
use crate::program::{BinaryOp, Expr, LocId, Statement};

impl Lower<'_> {
    /// A statement.
    pub(super) fn statement(&mut self, statement: StmtId) -> Lowered<()> {
        self.check_length()?;
        let span = self.body.span.replace(self.unit.stmts[statement].span);
        // What a block with a value declares lives up to the end of the statement around it.
        let is_inside = self.body.scopes.gives_value;
        let values = self.body.scopes.values.len();
        let result = match self.unsupported.reason(self.current, statement) {
            Some(reason) => {
                self.unsupported_place(statement, &reason);
                Ok(())
            }
            None => self.with_temporaries(|this| this.statement_inside(statement)),
        };
        if result.is_err() {
            self.unsupported.note(self.current, statement);
        }
        if !is_inside {
            self.end_statement(values);
        }
        self.body.span = span;
        result
    }

    fn statement_inside(&mut self, statement: StmtId) -> Lowered<()> {
        let unit = self.unit;
        match &unit.stmts[statement].kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => self.effect(*expr)?,
            StmtKind::Block { stmts, objects } => {
                let gives_value = std::mem::take(&mut self.body.scopes.gives_value);
                self.enter_block(objects);
                self.forget_passed_by(statement)?;
                for inner in stmts {
                    self.statement(*inner)?;
                }
                self.leave_block(gives_value);
            }
            StmtKind::Declare(object, initialiser) => {
                let storage = self.object(*object)?;
                match initialiser {
                    Some(initialiser) => {
                        if unit.types.is_variable_length(unit.objects[*object].ty)
                            || initialiser.items.iter().any(|item| unit.mentions(item.value, *object))
                        {
                            self.forget_contents(*object, storage)?;
                        }
                        self.initialise(*object, storage, initialiser)?;
                    }
                    None => self.forget_contents(*object, storage)?,
                }
            }
            StmtKind::ComputeLength(vla) => self.compute_length(*vla)?,
            StmtKind::If { arms, otherwise } => self.if_arms(arms, *otherwise)?,
            StmtKind::While { condition, body } => self.while_loop(*condition, *body)?,
            StmtKind::DoWhile { body, condition } => self.do_while_loop(*body, *condition)?,
            StmtKind::For { init, condition, step, body } => self.for_loop(*init, *condition, *step, *body)?,
            StmtKind::Switch { value, cases, default, body } => self.switch(*value, cases, *default, *body)?,
            StmtKind::Label(label) => {
                let location = self.label(*label);
                self.go_to(location);
                self.start_at(location);
                self.note_label(*label);
            }
            StmtKind::Goto(label) => {
                self.jump_to_label(*label);
                let location = self.label(*label);
                self.go_to(location);
            }
            StmtKind::Break => {
                self.leave_blocks(self.body.scopes.breaks.last().copied().unwrap_or_default());
                let target = *self.body.breaks.last().expect("a checked `break` is inside a loop or switch");
                self.go_to(target);
            }
            StmtKind::Continue => {
                self.leave_blocks(self.body.scopes.continues.last().copied().unwrap_or_default());
                let target = *self.body.continues.last().expect("a checked `continue` is inside a loop");
                self.go_to(target);
            }
            StmtKind::Return(value) => self.return_value(*value)?,
        }
        Ok(())
    }

    /// Computes the length of an array type whose length is not constant.
    fn compute_length(&mut self, vla: VlaId) -> Lowered<()> {
        let length = self.value(self.unit.vlas[vla].length)?;
        let length = self.keep(length);
        self.check_array_length(&length);
        let variable = match self.body.lengths.get(&vla) {
            Some(variable) => *variable,
            None => {
                let ty = self.type_of(&length);
                let variable = self.local("length", ty, self.body.span);
                self.body.lengths.insert(vla, variable);
                variable
            }
        };
        self.emit(Statement::Assign(vec![(variable, length)]));
        Ok(())
    }

    fn while_loop(&mut self, condition: ExprId, body: StmtId) -> Lowered<()> {
        let head = self.here();
        let (inside, end) = (self.location(), self.location());
        self.with_temporaries(|this| this.jump(condition, inside, end))?;
        self.start_at(inside);
        let again = if self.is_tracking() { self.location() } else { head };
        self.looped(body, again, end)?;
        if again != head {
            self.go_to(again);
            self.start_at(again);
            self.check_lost(false);
        }
        self.go_to(head);
        self.start_at(end);
        Ok(())
    }

    fn do_while_loop(&mut self, body: StmtId, condition: ExprId) -> Lowered<()> {
        let head = self.here();
        let (test, end) = (self.location(), self.location());
        self.looped(body, test, end)?;
        self.go_to(test);
        self.start_at(test);
        let again = if self.is_tracking() { self.location() } else { head };
        self.with_temporaries(|this| this.jump(condition, again, end))?;
        if again != head {
            self.start_at(again);
            self.check_lost(false);
            self.go_to(head);
        }
        self.start_at(end);
        Ok(())
    }

    fn for_loop(
        &mut self,
        init: Option<StmtId>,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    ) -> Lowered<()> {
        if let Some(init) = init {
            self.statement(init)?;
        }
        let head = self.here();
        let (inside, next, end) = (self.location(), self.location(), self.location());
        match condition {
            Some(condition) => self.with_temporaries(|this| this.jump(condition, inside, end))?,
            None => self.go_to(inside),
        }
        self.start_at(inside);
        self.looped(body, next, end)?;
        self.go_to(next);
        self.start_at(next);
        if let Some(step) = step {
            self.with_temporaries(|this| this.effect(step))?;
        }
        self.check_lost(false);
        self.go_to(head);
        self.start_at(end);
        Ok(())
    }

    fn if_arms(&mut self, arms: &[(ExprId, StmtId)], otherwise: Option<StmtId>) -> Lowered<()> {
        let end = self.location();
        for (condition, then) in arms {
            let (yes, no) = (self.location(), self.location());
            let span = self.body.span.replace(self.unit.exprs[*condition].span);
            self.with_temporaries(|this| this.jump(*condition, yes, no))?;
            self.body.span = span;
            self.start_at(yes);
            self.statement(*then)?;
            self.go_to(end);
            self.start_at(no);
        }
        if let Some(otherwise) = otherwise {
            self.statement(otherwise)?;
        }
        self.go_to(end);
        self.start_at(end);
        Ok(())
    }

    fn looped(&mut self, body: StmtId, next: LocId, end: LocId) -> Lowered<()> {
        let depth = self.body.scopes.depth();
        self.body.breaks.push(end);
        self.body.continues.push(next);
        self.body.scopes.breaks.push(depth);
        self.body.scopes.continues.push(depth);
        let result = self.statement(body);
        self.body.breaks.pop();
        self.body.continues.pop();
        self.body.scopes.breaks.pop();
        self.body.scopes.continues.pop();
        result
    }

    fn switch(&mut self, value: ExprId, cases: &[Case], default: Option<LabelId>, body: StmtId) -> Lowered<()> {
        let value = self.value(value)?;
        let value = match value {
            Expr::Var(_) => value,
            other => self.keep(other),
        };
        let ty = self.type_of(&value);
        let end = self.location();
        self.forget_passed_by(body)?;
        let source = self.here();
        let mut others = Vec::new();
        for case in cases {
            let target = self.label(case.label);
            let (first, last) = (self.constant(case.first, ty), self.constant(case.last, ty));
            let (is_case, is_other) = if first == last {
                let is_case = binary(BinaryOp::Eq, value.clone(), first.clone());
                (is_case, binary(BinaryOp::Ne, value.clone(), first))
            } else {
                let from = binary(BinaryOp::Ge, value.clone(), first.clone());
                let to = binary(BinaryOp::Le, value.clone(), last.clone());
                let below = binary(BinaryOp::Lt, value.clone(), first);
                (and(vec![from, to]), or(vec![below, binary(BinaryOp::Gt, value.clone(), last)]))
            };
            self.edge(source, target, vec![Statement::Assume(is_case)], Some(case.span));
            others.push(is_other);
        }
        let target = default.map_or(end, |label| self.label(label));
        let span = self.body.span;
        let block = match and(others) {
            Expr::Bool(true) => vec![],
            condition => vec![Statement::Assume(condition)],
        };
        self.edge(source, target, block, span);
        self.leave();
        self.body.breaks.push(end);
        let depth = self.body.scopes.depth();
        self.body.scopes.breaks.push(depth);
        let result = self.statement(body);
        self.body.breaks.pop();
        self.body.scopes.breaks.pop();
        result?;
        self.go_to(end);
        self.start_at(end);
        Ok(())
    }

    pub(super) fn label(&mut self, label: LabelId) -> LocId {
        if let Some(location) = self.body.labels.get(&label) {
            return *location;
        }
        let location = self.location();
        self.body.labels.insert(label, location);
        location
    }

    fn return_value(&mut self, value: Option<ExprId>) -> Lowered<()> {
        if let Some(value) = value {
            match (self.body.result, self.body.result_pointer) {
                (Some(result), _) => {
                    self.value_into(result, value)?;
                    if self.body.procedure == Some(self.program.main) {
                        self.set_exit_status(Some(Expr::Var(result)));
                    }
                }
                (None, Some(pointer)) => {
                    let ty = self.unit.exprs[value].ty;
                    self.copy_value(Expr::Var(pointer), value, ty)?;
                }
                (None, None) => self.effect(value)?,
            }
        }
        self.finish_function()
    }
}

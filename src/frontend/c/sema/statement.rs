//! Statements.

use super::convert::Purpose;
use super::{Checked, NamedLabel, Reported, Sema, SwitchContext};
use crate::frontend::c::ast::{self, StmtKind as Ast};
use crate::frontend::c::names::Symbol;
use crate::frontend::c::tree::{Case, ExprId, ExprKind, Label, LabelId, ObjectId, StmtId, StmtKind};
use crate::frontend::c::types::Ty;
use crate::program::{Diagnostic, Span};

impl<'a> Sema<'a> {
    /// The body of a function, in the scope of its parameters.
    pub(super) fn function_body(&mut self, body: ast::StmtId) -> Checked<StmtId> {
        let span = self.ast.stmts[body].span;
        self.enter_block();
        let mut stmts = Vec::new();
        self.flush_lengths(&mut stmts, span);
        let result = match &self.ast.stmts[body].kind {
            Ast::Compound(items) => self.items(items, &mut stmts),
            _ => Ok(()),
        };
        let objects = self.leave_block();
        result?;
        Ok(self.stmt(StmtKind::Block { stmts: stmts.into(), objects }, span))
    }

    fn enter_block(&mut self) {
        if let Some(context) = &mut self.function {
            context.blocks.push(Vec::new());
        }
    }

    fn leave_block(&mut self) -> Box<[ObjectId]> {
        self.function.as_mut().and_then(|context| context.blocks.pop()).unwrap_or_default().into()
    }

    /// All statements of a block; a wrong one does not hide the next.
    fn items(&mut self, items: &'a [ast::StmtId], out: &mut Vec<StmtId>) -> Checked<()> {
        let mut result = Ok(());
        for item in items {
            let one = self.statement(*item, out);
            result = result.and(one);
        }
        result
    }

    fn block(&mut self, items: &'a [ast::StmtId], span: Span) -> Checked<StmtId> {
        self.open();
        self.enter_block();
        let mut stmts = Vec::with_capacity(items.len());
        let result = self.items(items, &mut stmts);
        let objects = self.leave_block();
        self.close();
        result?;
        Ok(self.stmt(StmtKind::Block { stmts: stmts.into(), objects }, span))
    }

    /// A statement that is part of another one.
    fn substatement(&mut self, stmt: ast::StmtId) -> Checked<StmtId> {
        let span = self.ast.stmts[stmt].span;
        if let Ast::Compound(items) = &self.ast.stmts[stmt].kind {
            return self.block(items, span);
        }
        let mut stmts = Vec::with_capacity(1);
        self.open();
        self.enter_block();
        let result = self.statement(stmt, &mut stmts);
        let objects = self.leave_block();
        self.close();
        result?;
        match stmts.as_slice() {
            [one] if objects.is_empty() => Ok(*one),
            _ => Ok(self.stmt(StmtKind::Block { stmts: stmts.into(), objects }, span)),
        }
    }

    fn statement(&mut self, stmt: ast::StmtId, out: &mut Vec<StmtId>) -> Checked<()> {
        let ast::Stmt { kind, span } = &self.ast.stmts[stmt];
        let span = *span;
        let kind = match kind {
            Ast::Empty => StmtKind::Empty,
            Ast::Expr(expr) => {
                let value = self.value(*expr)?;
                StmtKind::Expr(value)
            }
            Ast::Declaration(declaration) => return self.declare_all(declaration, out),
            Ast::Compound(items) => {
                let block = self.block(items, span)?;
                out.push(block);
                return Ok(());
            }
            Ast::If(..) | Ast::While(..) | Ast::DoWhile(..) | Ast::Switch(..) => {
                return self.statement_as_block(kind, span, out);
            }
            Ast::For(parts) => return self.for_loop(parts, span, out),
            Ast::Labeled(labels, body) => {
                let result = labels.iter().try_for_each(|label| self.label(label, out));
                return result.and(self.statement(*body, out));
            }
            Ast::Goto(name) => StmtKind::Goto(self.named_label(*name, span)),
            Ast::Break | Ast::Continue => self.leave(matches!(kind, Ast::Break), span)?,
            Ast::Return(value) => self.return_value(*value, span, out)?,
        };
        let stmt = self.stmt(kind, span);
        out.push(stmt);
        Ok(())
    }

    /// A statement that is a block of its own (C11 6.8.4, paragraph 3, and 6.8.5, paragraph 5): what its condition makes ends
    /// with it.
    fn statement_as_block(&mut self, kind: &'a Ast, span: Span, out: &mut Vec<StmtId>) -> Checked<()> {
        self.open();
        self.enter_block();
        let result = self.controlled(kind);
        let objects = self.leave_block();
        self.close();
        let stmt = self.stmt(result?, span);
        let is_alone = objects.is_empty();
        out.push(if is_alone { stmt } else { self.stmt(StmtKind::Block { stmts: Box::new([stmt]), objects }, span) });
        Ok(())
    }

    fn controlled(&mut self, kind: &'a Ast) -> Checked<StmtKind> {
        match kind {
            Ast::If(arms, otherwise) => self.if_chain(arms, *otherwise),
            Ast::While(condition, body) => {
                let condition = self.condition(*condition);
                let body = self.loop_body(*body);
                Ok(StmtKind::While { condition: condition?, body: body? })
            }
            Ast::DoWhile(body, condition) => {
                let body = self.loop_body(*body);
                let condition = self.condition(*condition);
                Ok(StmtKind::DoWhile { body: body?, condition: condition? })
            }
            Ast::Switch(value, body) => self.switch(*value, *body),
            _ => Err(Reported),
        }
    }

    fn if_chain(
        &mut self,
        arms: &'a [(ast::ExprId, ast::StmtId)],
        otherwise: Option<ast::StmtId>,
    ) -> Checked<StmtKind> {
        let mut out = Vec::with_capacity(arms.len());
        let mut result = Ok(());
        for (condition, body) in arms {
            let condition = self.condition(*condition);
            match (condition, self.substatement(*body)) {
                (Ok(condition), Ok(body)) => out.push((condition, body)),
                _ => result = Err(Reported),
            }
        }
        let otherwise = match otherwise {
            Some(body) => Some(self.substatement(body)?),
            None => None,
        };
        result?;
        Ok(StmtKind::If { arms: out.into(), otherwise })
    }

    fn loop_body(&mut self, body: ast::StmtId) -> Checked<StmtId> {
        self.change_nesting(1, 1);
        let result = self.substatement(body);
        self.change_nesting(-1, -1);
        result
    }

    fn change_nesting(&mut self, breakable: isize, continuable: isize) {
        if let Some(context) = &mut self.function {
            context.breakable = context.breakable.wrapping_add_signed(breakable);
            context.continuable = context.continuable.wrapping_add_signed(continuable);
        }
    }

    fn for_loop(&mut self, parts: &'a ast::ForParts, span: Span, out: &mut Vec<StmtId>) -> Checked<()> {
        self.open();
        self.enter_block();
        let mut stmts = Vec::new();
        let result = self.for_parts(parts, &mut stmts);
        let objects = self.leave_block();
        self.close();
        let kind = result?;
        let is_declaration = parts.init.is_some_and(|s| matches!(self.ast.stmts[s].kind, Ast::Declaration(_)));
        if !is_declaration && objects.is_empty() {
            let stmt = self.stmt(kind, span);
            out.push(stmt);
            return Ok(());
        }
        let stmt = self.stmt(kind, span);
        stmts.push(stmt);
        let block = self.stmt(StmtKind::Block { stmts: stmts.into(), objects }, span);
        out.push(block);
        Ok(())
    }

    /// A declaration goes to the statements before the loop, an expression into it.
    fn for_parts(&mut self, parts: &'a ast::ForParts, before: &mut Vec<StmtId>) -> Checked<StmtKind> {
        let mut init = None;
        if let Some(first) = parts.init {
            self.statement(first, before)?;
            if matches!(self.ast.stmts[first].kind, Ast::Expr(_)) {
                init = before.pop();
            }
        }
        let condition = match parts.condition {
            Some(condition) => Some(self.condition(condition)?),
            None => None,
        };
        let step = match parts.step {
            Some(step) => Some(self.value(step)?),
            None => None,
        };
        let body = self.loop_body(parts.body)?;
        Ok(StmtKind::For { init, condition, step, body })
    }

    fn switch(&mut self, value: ast::ExprId, body: ast::StmtId) -> Checked<StmtKind> {
        let value = self.value(value)?;
        if !self.types().is_integer(self.ty(value)) {
            let message = format!("a `switch` needs an integer, not `{}`", self.show(self.ty(value)));
            return self.error(Diagnostic::at(self.span(value), message, "no integer"));
        }
        let value = self.promote(value)?;
        let ty = self.ty(value);
        let Some(context) = &mut self.function else { return Err(Reported) };
        context.switches.push(SwitchContext { ty, cases: Vec::new(), default: None });
        self.change_nesting(1, 0);
        let body = self.substatement(body);
        self.change_nesting(-1, 0);
        let switch = self.function.as_mut().and_then(|context| context.switches.pop());
        let Some(SwitchContext { cases, default, .. }) = switch else { return Err(Reported) };
        let body = body?;
        self.check_cases(&cases)?;
        Ok(StmtKind::Switch { value, cases: cases.into(), default, body })
    }

    fn check_cases(&mut self, cases: &[Case]) -> Checked<()> {
        let mut sorted: Vec<&Case> = cases.iter().collect();
        sorted.sort_by_key(|case| case.first);
        for pair in sorted.windows(2) {
            if pair[1].first <= pair[0].last {
                let message = format!("two cases have the value {}", pair[1].first);
                return self.error(Diagnostic::at(pair[1].span, message, "the same value again"));
            }
        }
        Ok(())
    }

    fn new_label(&mut self, name: Option<Symbol>, span: Span) -> LabelId {
        let context = self.function.as_mut().expect("statements are only in functions");
        context.labels.push(Label { name, span })
    }

    /// The label of that name, which may come later.
    fn named_label(&mut self, name: Symbol, span: Span) -> LabelId {
        if let Some(label) = self.function.as_ref().and_then(|context| context.named.get(&name)) {
            return label.id;
        }
        let id = self.new_label(Some(name), span);
        let context = self.function.as_mut().expect("statements are only in functions");
        context.named.insert(name, NamedLabel { id, is_defined: false, first_use: span });
        id
    }

    fn label(&mut self, label: &ast::Label, out: &mut Vec<StmtId>) -> Checked<()> {
        let (id, span) = match *label {
            ast::Label::Name(name, span) => {
                let id = self.named_label(name, span);
                let context = self.function.as_mut().expect("statements are only in functions");
                let known = context.named.get_mut(&name).expect("made just before");
                if std::mem::replace(&mut known.is_defined, true) {
                    let message = format!("the label `{}` stands twice in this function", self.text(name));
                    return self.error(Diagnostic::at(span, message, "the second one"));
                }
                context.labels[id].span = span;
                (id, span)
            }
            ast::Label::Default(span) => {
                let id = self.new_label(None, span);
                match self.function.as_mut().and_then(|context| context.switches.last_mut()) {
                    Some(switch) if switch.default.is_none() => switch.default = Some(id),
                    Some(_) => return self.error(Diagnostic::at(span, "a second `default`", "one is enough")),
                    None => return self.outside(span, "default", "switch"),
                }
                (id, span)
            }
            ast::Label::Case(first, last, span) => (self.case(first, last, span)?, span),
        };
        let stmt = self.stmt(StmtKind::Label(id), span);
        out.push(stmt);
        Ok(())
    }

    fn outside<T>(&mut self, span: Span, what: &str, of: &str) -> Checked<T> {
        let message = format!("a `{what}` outside of any {of}");
        self.error(Diagnostic::at(span, message, format!("no {of} around it")))
    }

    fn case(&mut self, first: ast::ExprId, last: Option<ast::ExprId>, span: Span) -> Checked<LabelId> {
        let switch = self.function.as_ref().and_then(|context| context.switches.last());
        let Some(ty) = switch.map(|switch| switch.ty) else { return self.outside(span, "case", "switch") };
        let first = self.constant(first, "the value of a case")?.0;
        let last = match last {
            Some(last) => self.constant(last, "the value of a case")?.0,
            None => first,
        };
        let id = self.new_label(None, span);
        let (Some(first), Some(last)) = (self.wrap(first, ty), self.wrap(last, ty)) else {
            return self.error(Diagnostic::at(span, "a case of more than 127 bits", "too large"));
        };
        // gcc takes an empty range, which no value has.
        if first <= last {
            let switch = self.function.as_mut().and_then(|context| context.switches.last_mut());
            switch.expect("looked up above").cases.push(Case { first, last, label: id, span });
        }
        Ok(id)
    }

    fn leave(&mut self, is_break: bool, span: Span) -> Checked<StmtKind> {
        let context = self.function.as_ref();
        let (depth, kind, word, of) = if is_break {
            (context.map_or(0, |c| c.breakable), StmtKind::Break, "break", "loop or switch")
        } else {
            (context.map_or(0, |c| c.continuable), StmtKind::Continue, "continue", "loop")
        };
        if depth == 0 { self.outside(span, word, of) } else { Ok(kind) }
    }

    fn return_value(&mut self, value: Option<ast::ExprId>, span: Span, out: &mut Vec<StmtId>) -> Checked<StmtKind> {
        let Some(expr) = value else { return Ok(StmtKind::Return(None)) };
        let value = self.value(expr)?;
        let result = self.function.as_ref().map_or(Ty::VOID, |context| context.result);
        if self.types().is_void(result) {
            // gcc takes a value here, and drops it.
            let stmt = self.stmt(StmtKind::Expr(value), span);
            out.push(stmt);
            return Ok(StmtKind::Return(None));
        }
        let value = self.convert_assigned(value, result, Purpose::Return)?;
        Ok(StmtKind::Return(Some(value)))
    }

    /// `({ … })`: its value is that of the last statement, where that is an expression.
    pub(super) fn statement_expression(&mut self, body: ast::StmtId, span: Span) -> Checked<ExprId> {
        if self.function.is_none() || self.in_static_initialiser {
            let message = "a statement expression outside of any function";
            return self.error(Diagnostic::at(span, message, "cannot run"));
        }
        let Ast::Compound(items) = &self.ast.stmts[body].kind else { return Err(Reported) };
        self.open();
        self.enter_block();
        let mut stmts = Vec::new();
        let result = self.statements_with_value(items, &mut stmts);
        let objects = self.leave_block();
        self.close();
        let result = result?;
        let block = self.stmt(StmtKind::Block { stmts: stmts.into(), objects }, span);
        let ty = result.map_or(Ty::VOID, |expr| self.ty(expr));
        Ok(self.node(ExprKind::Statements { block, result }, ty, span))
    }

    fn statements_with_value(&mut self, items: &'a [ast::StmtId], out: &mut Vec<StmtId>) -> Checked<Option<ExprId>> {
        let Some((last, before)) = items.split_last() else { return Ok(None) };
        self.items(before, out)?;
        let mut last = *last;
        while let Ast::Labeled(labels, inner) = &self.ast.stmts[last].kind {
            labels.iter().try_for_each(|label| self.label(label, out))?;
            last = *inner;
        }
        if let Ast::Expr(expr) = self.ast.stmts[last].kind {
            return self.value(expr).map(Some);
        }
        self.statement(last, out)?;
        Ok(None)
    }
}

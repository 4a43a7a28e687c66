//! Cells of memory that are accessed at known places alone become variables. All other memory has any content.

use super::super::Refused;
use super::super::emit::Made;
use super::super::statements::zero;
use super::pointers::{Facts, Pointers, Target};
use crate::program::{Expr, IdVec, Role, Scope, Span, Statement, Type, VarId, Variable};
use std::collections::BTreeMap;

/// A cell: its object, offset and type.
type Cell = (VarId, i64, Type);

/// The variables that stand for cells.
pub(super) struct Cells<'c, 'p> {
    pointers: &'c Pointers<'p>,
    found: BTreeMap<(VarId, i64), Vec<(Type, VarId)>>,
    /// The variables, with whose each is, and the object and offset that it stands for.
    pub made: Vec<(VarId, Cell)>,
    /// Whether accesses that are not followed are taken to be valid.
    trusts: bool,
}

impl<'c, 'p> Cells<'c, 'p> {
    /// Finds the cells that are read somewhere.
    pub(super) fn find(
        pointers: &'c Pointers<'p>,
        blocks: &[(&[Statement], Vec<Facts>)],
        variables: &mut IdVec<VarId, Variable>,
        trusts: bool,
    ) -> Self {
        let mut cells = Cells { pointers, found: BTreeMap::new(), made: Vec::new(), trusts };
        for (block, facts) in blocks {
            for (statement, facts) in block.iter().zip(facts) {
                statement.expressions().into_iter().for_each(|expr| cells.find_in(expr, facts, variables));
            }
        }
        cells
    }

    fn find_in(&mut self, expr: &Expr, facts: &Facts, variables: &mut IdVec<VarId, Variable>) {
        if let Expr::Load(ty, address) = expr
            && let Some((object, offset)) = self.place(*ty, address, facts)
        {
            let here = self.found.entry((object, offset)).or_default();
            if !here.iter().any(|(known, _)| known == ty) {
                let name = variables[object].name.trim_start_matches('&');
                let name = if offset == 0 { format!("*{name}") } else { format!("*{name}+{offset}") };
                let name = format!("{name}#{}", variables.len());
                let cell = Variable { name, ty: *ty, scope: Scope::Global, role: Role::Data, span: None };
                let variable = variables.push(cell);
                here.push((*ty, variable));
                self.made.push((variable, (object, offset, *ty)));
            }
        }
        expr.operands().into_iter().for_each(|operand| self.find_in(operand, facts, variables));
    }

    /// The one place that an access is to, where it is that of a cell.
    fn place(&self, ty: Type, address: &Expr, facts: &Facts) -> Option<(VarId, i64)> {
        let bytes = match ty {
            Type::Machine(machine) => i64::from(machine.bytes()),
            Type::Bool => 1,
            _ => return None,
        };
        let targets = self.pointers.targets(address, facts);
        match targets.iter().next() {
            Some(Target::At(object, Some(offset))) if targets.len() == 1 && !self.pointers.escaped.contains(object) => {
                let size = *self.pointers.sizes.get(object)?;
                let is_inside = *offset >= 0 && offset + bytes <= size;
                is_inside.then_some((*object, *offset))
            }
            _ => None,
        }
    }

    /// The statements with variables in place of cells.
    pub(super) fn rewrite(
        &self,
        block: &[Statement],
        facts: &[Facts],
        type_of: &impl Fn(&Expr) -> Type,
        span: Option<Span>,
    ) -> Result<Vec<Statement>, Refused> {
        let mut result = Vec::new();
        for (statement, facts) in block.iter().zip(facts) {
            let mut statement = statement.clone();
            for expr in statement.expressions_mut() {
                self.rewrite_expr(expr, facts);
            }
            let refuse = || Refused { construct: "an access to memory that is not followed".to_owned(), span };
            if !self.trusts && statement.expressions().into_iter().any(Expr::has_load) {
                return Err(refuse());
            }
            match &statement {
                Statement::Store { address, value } => match self.place(type_of(value), address, facts) {
                    Some((object, offset)) => self.store((object, offset, type_of(value)), value, &mut result),
                    None if !self.trusts && !self.has_room(address, self.bytes(type_of(value)), facts) => {
                        return Err(refuse());
                    }
                    None => self.forget(address, facts, &mut result),
                },
                Statement::Copy { target, .. } | Statement::Fill { target, .. } | Statement::Write { target, .. } => {
                    if !self.trusts && !self.is_inside(&statement, facts) {
                        return Err(refuse());
                    }
                    self.forget(target, facts, &mut result);
                }
                Statement::Allocate { target, zeroed, .. } => self.start(*target, *zeroed, &mut result),
                Statement::Free(pointer) => {
                    let targets = self.pointers.targets(pointer, facts);
                    let is_own = matches!(targets.iter().next(), Some(Target::At(object, Some(0)))
                        if targets.len() == 1 && !self.pointers.fixed.contains(object));
                    if !self.trusts && !is_own {
                        return Err(refuse());
                    }
                }
                Statement::Output(_) => {}
                _ => result.push(statement),
            }
        }
        Ok(result)
    }

    /// Whether all bytes that a statement copies or writes are inside of objects that are followed.
    fn is_inside(&self, statement: &Statement, facts: &Facts) -> bool {
        let (pointers, bytes) = match statement {
            Statement::Copy { target, source, bytes: Expr::Int(bytes, _) } => (vec![target, source], bytes.to_i64()),
            Statement::Fill { target, bytes: Expr::Int(bytes, _), .. } => (vec![target], bytes.to_i64()),
            Statement::Write { target, bytes } => (vec![target], i64::try_from(bytes.len()).ok()),
            _ => return false,
        };
        let Some(bytes) = bytes.filter(|bytes| *bytes >= 0) else { return false };
        pointers.into_iter().all(|pointer| self.has_room(pointer, bytes, facts))
    }

    /// Whether so many bytes from a pointer on are inside of one object that is followed.
    fn has_room(&self, pointer: &Expr, bytes: i64, facts: &Facts) -> bool {
        let targets = self.pointers.targets(pointer, facts);
        match targets.iter().next() {
            Some(Target::At(object, Some(offset))) if targets.len() == 1 => {
                let end = offset.checked_add(bytes).filter(|_| *offset >= 0);
                end.zip(self.pointers.sizes.get(object)).is_some_and(|(end, size)| end <= *size)
            }
            _ => false,
        }
    }

    /// How many bytes a value has, at most.
    fn bytes(&self, ty: Type) -> i64 {
        match ty {
            Type::Machine(machine) => i64::from(machine.bytes()),
            Type::Bool => 1,
            Type::Pointer => i64::from(self.pointers.pointer_bytes()),
            _ => 16,
        }
    }

    fn rewrite_expr(&self, expr: &mut Expr, facts: &Facts) {
        if let Expr::Load(ty, address) = expr
            && let Some(place) = self.place(*ty, address, facts)
            && let Some((_, cell)) = self.found.get(&place).and_then(|here| here.iter().find(|(known, _)| known == ty))
        {
            *expr = Expr::Var(*cell);
            return;
        }
        expr.operands_mut().into_iter().for_each(|operand| self.rewrite_expr(operand, facts));
    }

    /// Writes one cell; those that share bytes with it have any value.
    fn store(&self, (object, offset, ty): Cell, value: &Expr, out: &mut Vec<Statement>) {
        let bytes = |ty: Type| self.bytes(ty);
        for (variable, (other, start, other_ty)) in &self.made {
            if (*other, *start, *other_ty) == (object, offset, ty) {
                out.push(Statement::Assign(vec![(*variable, value.clone())]));
            } else if *other == object && *start < offset + bytes(ty) && offset < *start + bytes(*other_ty) {
                out.push(Statement::Havoc { target: *variable, span: None });
            }
        }
    }

    /// All cells of what a pointer can be to have any value.
    fn forget(&self, pointer: &Expr, facts: &Facts, out: &mut Vec<Statement>) {
        for target in self.pointers.targets(pointer, facts) {
            for (variable, (object, ..)) in &self.made {
                if matches!(target, Target::At(of, _) if of == *object) {
                    out.push(Statement::Havoc { target: *variable, span: None });
                }
            }
        }
    }

    fn start(&self, target: VarId, zeroed: bool, out: &mut Vec<Statement>) {
        for (variable, (.., ty)) in self.made.iter().filter(|(_, (object, ..))| *object == target) {
            out.push(match zeroed {
                true => Statement::Assign(vec![(*variable, zero(*ty))]),
                false => Statement::Havoc { target: *variable, span: None },
            });
        }
    }
}

/// What is known before each statement of a block.
pub(super) fn facts_before(pointers: &mut Pointers<'_>, number: usize, edge: &Made, facts: &Facts) -> Vec<Facts> {
    let mut facts = facts.clone();
    let mut before = Vec::new();
    for statement in &edge.block {
        before.push(facts.clone());
        pointers.write(number, statement, &mut facts);
    }
    before
}

//! Objects of inner blocks: they are made with the activation, as if they lived until its end. That nothing uses one after its
//! block is an assumption where a pointer to it may be held there.

use super::{Lower, Storage};
use crate::frontend::c::tree::{Definition, ExprId, ExprKind, ObjectId, StmtId, StmtKind, Unit};
use crate::program::sharing::lifetimes::{InnerObject, are_held_after};
use crate::program::{Assumption, Expr, Id, ProcId, Program, Span, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// An object of an inner block, and where it is declared.
pub(super) type Noted = (InnerObject, Span);

impl Lower<'_> {
    /// Notes the objects of inner blocks of the function that was just lowered.
    pub(super) fn note_inner_objects(&mut self, procedure: ProcId, definition: &Definition) {
        let unit = self.unit;
        let mut blocks = FxHashMap::default();
        find_blocks(unit, definition.body, &mut blocks);
        let outermost: &[ObjectId] = match &unit.stmts[definition.body].kind {
            StmtKind::Block { objects, .. } => objects,
            _ => &[],
        };
        let in_expressions = std::mem::take(&mut self.body.expression_blocks);
        let literals = literals_of_activation(unit, definition.body);
        let is_temporary = |variable: &VarId| self.program.variables[*variable].name.starts_with('%');
        let all: BTreeSet<VarId> = self.program.locals(procedure).filter(|variable| !is_temporary(variable)).collect();
        let variable = |object: &ObjectId| match self.body.locals.get(object) {
            Some(Storage::Variable(variable) | Storage::Memory(variable)) => Some(*variable),
            None => None,
        };
        let mut noted = Vec::new();
        // A jump back over the declaration of an array of computed length ends it, and makes another one.
        let is_made_again =
            |local: &ObjectId| !definition.labels.is_empty() && unit.types.is_variable_length(unit.objects[*local].ty);
        let is_inner =
            |local: &&ObjectId| is_made_again(local) || !outermost.contains(local) && !literals.contains(local);
        for local in definition.locals.iter().filter(is_inner) {
            let Some(Storage::Memory(pointer)) = self.body.locals.get(local).copied() else { continue };
            // A literal is in none of the blocks.
            let of_expression = in_expressions.get(local);
            let of_block = blocks.get(local).or(of_expression.map(|(inside, _)| inside)).into_iter().flatten();
            // What a jump passes by a declaration keeps is not forgotten when its block starts again.
            let ends = |other: &&ObjectId| *other == local || definition.labels.is_empty();
            let inside: BTreeSet<VarId> = of_block.filter(ends).filter_map(variable).collect();
            let longer: BTreeSet<VarId> = all.difference(&inside).copied().collect();
            let given = of_expression.map(|(_, given)| given.clone()).unwrap_or_default();
            noted.push((InnerObject { procedure, pointer, inside, longer, given }, unit.objects[*local].span));
        }
        self.inner.insert(procedure, noted);
    }
}

impl Lower<'_> {
    /// Notes the objects of a block that is a part of an expression, and the value that it gives.
    pub(super) fn note_expression_block(&mut self, block: StmtId, value: Option<&Expr>) {
        let mut found = FxHashMap::default();
        find_blocks(self.unit, block, &mut found);
        for (object, objects) in found {
            let (inside, given) = self.body.expression_blocks.entry(object).or_default();
            *inside = objects;
            given.extend(value.cloned());
        }
    }
}

/// The literals in the outermost block itself, which live as long as the activation.
fn literals_of_activation(unit: &Unit, body: StmtId) -> Vec<ObjectId> {
    let mut open: Vec<ExprId> = Vec::new();
    let StmtKind::Block { stmts, .. } = &unit.stmts[body].kind else { return Vec::new() };
    for statement in stmts {
        match &unit.stmts[*statement].kind {
            StmtKind::Expr(expr) => open.push(*expr),
            StmtKind::Declare(_, Some(initialiser)) => open.extend(initialiser.items.iter().map(|item| item.value)),
            _ => {}
        }
    }
    let mut literals = Vec::new();
    while let Some(expr) = open.pop() {
        match &unit.exprs[expr].kind {
            ExprKind::CompoundLiteral(object, _) => literals.push(*object),
            // What its block has is inside of that.
            ExprKind::Statements { .. } => {}
            kind => kind.for_each_child(|child| open.push(child)),
        }
    }
    literals
}

/// Finds, for each object of a block inside of the statement, the objects that end with that block or before.
fn find_blocks(unit: &Unit, statement: StmtId, found: &mut FxHashMap<ObjectId, Vec<ObjectId>>) -> Vec<ObjectId> {
    let mut inside = Vec::new();
    let mut parts: Vec<StmtId> = Vec::new();
    match &unit.stmts[statement].kind {
        StmtKind::Block { stmts, objects } => {
            inside.extend(objects.iter().copied());
            parts.extend(stmts.iter().copied());
        }
        StmtKind::If { arms, otherwise } => {
            parts.extend(arms.iter().map(|(_, body)| *body));
            parts.extend(*otherwise);
        }
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::Switch { body, .. } => {
            parts.push(*body);
        }
        StmtKind::For { init, body, .. } => parts.extend(init.iter().copied().chain([*body])),
        _ => {}
    }
    for part in parts {
        inside.extend(find_blocks(unit, part, found));
    }
    if let StmtKind::Block { objects, .. } = &unit.stmts[statement].kind {
        found.extend(objects.iter().map(|object| (*object, inside.clone())));
    }
    inside
}

/// Adds the assumption where an object may be used after its block.
pub(super) fn assume_ended(program: &mut Program, noted: impl Iterator<Item = Vec<Noted>>) {
    let (objects, spans): (Vec<InnerObject>, Vec<Span>) = noted.flatten().unzip();
    let held = are_held_after(program, &objects);
    if let Some(index) = held.iter().position(|is_held| *is_held) {
        let text = "no object of an inner block is used after the block".to_owned();
        let span = Some(spans[index]).filter(|span| span.file.index() < program.sources.len());
        program.assumptions.push(Assumption { text, span });
    }
}

#[cfg(test)]
mod tests {
    use crate::frontend::c::DataModel;
    use crate::frontend::c::lower::{Checks, Options, lower_files};
    use crate::program::{SourceFile, SourceFiles};

    fn is_assumed(source: &str) -> bool {
        let mut files = SourceFiles::new();
        files.push(SourceFile { name: "test.c".to_owned(), text: source.to_owned() });
        let options = Options { checks: Checks { memory: true, ..Checks::default() }, ..Options::default() };
        let program = lower_files(&files, DataModel::Lp64, &options).expect("the program is supported");
        program.assumptions.iter().any(|assumption| assumption.text.contains("inner block"))
    }

    #[test]
    fn what_only_its_block_holds_is_not_used_after_it() {
        for block in [
            "int x = n; set(&x); n = x;",
            "int a[3] = {1, 2, 3}; int *p = a; while (p < a + 3) n += *p++;",
            "int x = 1; struct holder h = {&x}; n = *h.p;",
            "int x = 1; n = first(&x);",
            "int x = 1; n = through(&x);",
            "n = ({ int x = n; int *p = &x; *p = 2; x; });",
            "while (({ int x = n, y; first(&x); y = first(&x); y; })) n--;",
            "for (int i = 0; i < 2; i++) { char s[4] = \"abc\"; n += (int)strlen(s); }",
        ] {
            assert!(!is_assumed(&program(block)), "{block}");
        }
    }

    #[test]
    fn what_is_held_elsewhere_may_be_used_after_its_block() {
        for block in [
            "int x = n; outer = &x;",
            "int x = n; global = &x;",
            "int x = n; keep(&x);",
            "int x = n; *place = &x;",
            "int x = n; outer_holder.p = &x;",
            "int x = n; struct holder *h = malloc(sizeof *h); h->p = &x;",
            "int x = n; outer = same(&x);",
            "int x = n; number = (unsigned long)&x;",
            "int a[2] = {n, n}; outer = a + 1;",
            "outer = (int[]){n};",
            "outer = ({ int x = n; &x; });",
            "n = *({ int x = n; &x; });",
            "n = *same(({ int x = n; &x; }));",
            "if (n) outer = (int[]){n};",
            "int x; int *p; switch (n) { int *q; case 1: x = *q; default: { int y; q = &y; } }",
        ] {
            assert!(is_assumed(&program(block)), "{block}");
        }
    }

    /// A program with a function that has the block.
    fn program(block: &str) -> String {
        format!(
            "struct holder {{ int *p; }}; int *global; void *malloc(unsigned long); unsigned long strlen(const char *);
             void keep(int *p) {{ global = p; }} int *same(int *p) {{ return p; }} void set(int *p) {{ *p = 1; }}
             int first(int *p) {{ int *q = p; struct holder h; h.p = q; return *h.p; }}
             int through(int *p) {{ return first(p); }}
             int f(int n, int **place) {{
               int *outer = 0; struct holder outer_holder; unsigned long number = 0; outer_holder.p = 0;
               if (n) {{ {block} }}
               return n + (outer ? 1 : 0) + (outer_holder.p ? 1 : 0) + (int)number;
             }}
             int main(void) {{ int *place = 0; int n = f(3, &place); return place ? n : 0; }}"
        )
    }
}

//! Functions that have no body here and that lowering does not know.
//!
//! One that the system's headers declare has a meaning that is not modelled: an execution that comes to it is not
//! followed any further. One that does not return ends the execution. Any other returns anything.

use super::call::Target;
use super::{Linked, Lower, Lowered, Storage};
use crate::frontend::c::ast::Qualifiers;
use crate::frontend::c::library;
use crate::frontend::c::tree::{self, ExprId, ExprKind, FunctionId, Object, ObjectId};
use crate::frontend::c::types::{Ty, Types};
use crate::program::{ErrorKind, Expr, Failure, Location, OFFSET, Remark, Statement, Type};
use crate::term::Integer;
use rustc_hash::FxHashSet;

/// Functions of the library that print a message and end the program with the status that is their first argument.
const EXITS: [&str; 4] = ["err", "errx", "verr", "verrx"];
/// How many bytes are made symbolic at once.
const MAX_SYMBOLIC: u64 = 4096;
/// What the library's own sources call where they do not say what happens.
const UNMODELLED: &str = "__unmodelled";
/// Functions of the library's sources that call it, and what users know them as.
const PARTS: [(&str, &str); 7] = [
    ("address", "recvfrom"),
    ("__VERIFIER_atomic_family", "recvfrom"),
    ("scan", "strtod"),
    ("__VERIFIER_atomic_descriptor", "socket"),
    ("__VERIFIER_atomic_number", "scanf"),
    ("__VERIFIER_atomic_stream", "fopen"),
    ("__VERIFIER_atomic_unget", "ungetc"),
];

impl Lower<'_> {
    /// A call of a function without a body and without a known meaning.
    pub(super) fn external_call(
        &mut self,
        function: FunctionId,
        arguments: &[ExprId],
        target: &Target,
        expr: ExprId,
    ) -> Lowered<()> {
        let node = &self.unit.functions[function];
        let name = &*node.name;
        if EXITS.contains(&name) && node.is_noreturn {
            let values = self.arguments(arguments)?.values;
            self.exit(values.into_iter().next())?;
            return Ok(());
        }
        if library::is_declared(name) || name == UNMODELLED {
            self.arguments(arguments)?;
            self.unmodelled_function(name);
            return Ok(());
        }
        if node.is_noreturn {
            self.arguments(arguments)?;
            self.end_somehow(name);
            return Ok(());
        }
        self.undefined_call(name, arguments, target, expr)
    }

    /// What the function does is not modelled: nothing is known of what follows.
    pub(super) fn unmodelled_function(&mut self, name: &str) {
        let what = match self.body.procedure {
            Some(procedure) if name == UNMODELLED => {
                let own = &*self.program.procedures[procedure].name;
                let told = PARTS.iter().find(|(part, _)| *part == own).map_or(own, |(_, whole)| whole);
                format!("this use of the library function `{told}`")
            }
            _ => format!("the library function `{name}`"),
        };
        // Where this is does not need to be said as for other errors inside the library: it has its name.
        let error = Some(Failure { message: format!("{what} is not modelled"), kind: ErrorKind::Unmodelled(what) });
        let error = self.body.locations.push(Location { name: None, error, span: self.body.span });
        self.go_to(error);
    }

    /// A function that does not return is called: it ends the program, or the thread, or it never ends. That this thread
    /// takes no further step covers each of these.
    fn end_somehow(&mut self, name: &str) {
        if self.checks().cleanup {
            self.assume(format!("nothing is left on the heap where `{name}`, which has no body, ends the program"));
        }
        self.stop();
    }

    /// A function that is not defined returns anything. Under the competition's rules it writes nothing; elsewhere it may
    /// write whatever is visible outside of the file.
    fn undefined_call(&mut self, name: &str, arguments: &[ExprId], target: &Target, expr: ExprId) -> Lowered<()> {
        let unit = self.unit;
        let could_write = arguments.iter().any(|argument| {
            let pointee = unit.types.pointee(unit.exprs[*argument].ty);
            pointee.is_some_and(|ty| !unit.types.qualifiers(ty).has(Qualifiers::CONST))
        });
        self.arguments(arguments)?;
        self.remark(format!("`{name}` has no body: any result was assumed"));
        if self.options.rules.outside_is_open() {
            if could_write {
                self.assume(format!("`{name}`, which is not defined, writes nothing"));
            }
            self.forget_visible(name)?;
            let is_pointer = unit.types.pointee(unit.exprs[expr].ty).is_some();
            if is_pointer && !matches!(target, Target::Nothing) && !self.visible_objects().is_empty() {
                self.assume(format!("the pointer that `{name}` gives is to no object of the program"));
            }
        }
        match target {
            Target::Nothing => Ok(()),
            Target::Variable(variable) => {
                self.emit_input(*variable, self.body.span);
                Ok(())
            }
            Target::Room { address, .. } => self.havoc_record(address, unit.exprs[expr].ty, name),
        }
    }

    /// Tells the user something once.
    fn remark(&mut self, text: String) {
        if !self.program.remarks.iter().any(|remark| remark.text == text) {
            let span = self.body.span;
            self.program.remarks.push(Remark { text, span });
        }
    }

    /// The objects that other files can write, and that the program mentions.
    pub(super) fn visible_objects(&mut self) -> Vec<(usize, ObjectId)> {
        if let Some(known) = &self.visible {
            return known.clone();
        }
        let mut visible = Vec::new();
        for (number, Linked { unit, .. }) in self.linked[..self.user_units].iter().enumerate() {
            let mentions = unit.exprs.iter().filter_map(|expr| match expr.kind {
                ExprKind::Object(object) => Some(object),
                _ => None,
            });
            let mentioned: FxHashSet<ObjectId> = mentions.collect();
            let is_visible = |(id, object): &(ObjectId, &Object)| {
                let mut element = object.ty;
                while let Some((of, _)) = unit.types.as_array(element) {
                    element = of;
                }
                let is_constant = object.ty.is_const() || element.is_const();
                object.storage == tree::Storage::Global
                    && !is_constant
                    && !object.is_thread_local
                    && mentioned.contains(id)
            };
            visible.extend(unit.objects.enumerate().filter(is_visible).map(|(id, _)| (number, id)));
        }
        self.visible = Some(visible.clone());
        visible
    }

    /// Objects that other files can write hold anything from here on.
    fn forget_visible(&mut self, name: &str) -> Lowered<()> {
        let from = self.current;
        let mut forgotten = Vec::new();
        for (number, object) in self.visible_objects() {
            self.enter_unit(number);
            let ty = self.unit.objects[object].ty;
            let size = self.unit.types.size_of(ty);
            if has_pointer(&self.unit.types, ty) || size.is_none() {
                let what = &self.unit.objects[object].name;
                let text = format!("`{name}`, which is not defined, does not write `{what}`");
                self.enter_unit(from);
                self.assume(text);
                continue;
            }
            let storage = self.object(object);
            self.enter_unit(from);
            let storage = storage?;
            if forgotten.contains(&storage) {
                continue;
            }
            forgotten.push(storage);
            match storage {
                Storage::Variable(target) => {
                    let span = self.body.span;
                    self.emit_visible(Statement::Havoc { target, span });
                }
                Storage::Memory(pointer) => {
                    let size = size.unwrap_or(0);
                    if size > 0 {
                        let source = Expr::Var(self.unwritten(size));
                        let bytes = Expr::Int(Integer::from(size as i64), OFFSET);
                        self.emit_visible(Statement::Copy { target: Expr::Var(pointer), source, bytes });
                    }
                }
            }
        }
        Ok(())
    }

    /// Puts anything into memory of a constant size: into each scalar where the pointer is to such, else into each byte.
    pub(super) fn make_symbolic(&mut self, pointer: ExprId, size: ExprId) -> Lowered<()> {
        let unit = self.unit;
        let wrong = |this: &Self| this.wrong_arguments("klee_make_symbolic");
        let size = unit.constant(size).and_then(|size| u64::try_from(size).ok());
        let size = size.filter(|size| *size <= MAX_SYMBOLIC).ok_or_else(|| wrong(self))?;
        let mut inner = pointer;
        while let ExprKind::Convert(_, from) = unit.exprs[inner].kind {
            inner = from;
        }
        let mut element = unit.types.pointee(unit.exprs[inner].ty).ok_or_else(|| wrong(self))?;
        while let Some((of, _)) = unit.types.as_array(element) {
            element = of;
        }
        let scalar = self.scalar(element).zip(unit.types.size_of(element));
        let scalar = scalar.filter(|(_, width)| *width > 0 && size.is_multiple_of(*width));
        let (ty, width) = scalar.unwrap_or((Type::machine(8, false), 1));
        let start = self.value(pointer)?;
        let start = self.keep(start);
        let bytes = Expr::Int(Integer::from(size as i64), OFFSET);
        let start = self.check_access(start, bytes)?;
        for offset in (0..size).step_by(width as usize) {
            let any = self.temporary(ty);
            self.emit_input(any, self.body.span);
            let address = self.offset_by(start.clone(), offset);
            self.emit_visible(Statement::Store { address, value: Expr::Var(any) });
        }
        Ok(())
    }

    /// Puts anything into every scalar of a structure.
    fn havoc_record(&mut self, room: &Expr, ty: Ty, name: &str) -> Lowered<()> {
        let Some(size) = self.unit.types.size_of(ty) else {
            return Err(self.refuse(&format!("the result of `{name}`, which is not defined, is")));
        };
        let byte = Type::machine(8, false);
        for offset in 0..size {
            let any = self.temporary(byte);
            self.emit_input(any, self.body.span);
            let address = self.offset_by(room.clone(), offset);
            self.emit_visible(Statement::Store { address, value: Expr::Var(any) });
        }
        Ok(())
    }
}

/// Whether an object of a type holds a pointer.
pub(super) fn has_pointer(types: &Types, ty: Ty) -> bool {
    if let Some((element, _)) = types.as_array(ty) {
        return has_pointer(types, element);
    }
    match types.record_body(ty) {
        Some(body) => body.fields.iter().any(|field| has_pointer(types, field.ty)),
        None => types.pointee(ty).is_some(),
    }
}

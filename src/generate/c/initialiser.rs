//! Random initialisers: nested, partial, designated, with and without inner braces; and the declarations they end.

use super::Generator;
use super::place::{Reads, Variable, Wanted};
use super::scalar::Scalar;
use super::types::{Form, Type};
use super::value::Level;

/// Where a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    /// Outside of functions.
    File,
    /// In a block.
    Block,
    /// In a block, for as long as the program.
    Static,
}

/// How many scalars a variable holds at most.
const MAX_CELLS: usize = 80;

impl Generator<'_> {
    /// Declares a random variable there.
    pub(super) fn declare(&mut self, storage: Storage) {
        let ty = loop {
            let ty = self.object_type(if storage == Storage::File { 3 } else { 2 });
            if self.cells(&ty) <= MAX_CELLS {
                break ty;
            }
        };
        self.declare_as(storage, ty);
    }

    /// Declares a variable of the type there.
    pub(super) fn declare_as(&mut self, storage: Storage, ty: Type) {
        let (name, shadows) = self.variable_name(storage);
        let lifetime = if storage == Storage::Block { self.depth } else { 0 };
        let constant = self.random.percent(10);
        let variable = Variable {
            name: name.clone(),
            ty: ty.clone(),
            writable: !constant,
            private: storage == Storage::Block && self.random.percent(50),
            range: None,
            depth: self.depth,
            lifetime,
            ready: false,
        };
        self.variables.push(variable);
        let reads = if storage == Storage::Block { Reads::Any } else { Reads::Nothing };
        let qualifier = if constant { "const " } else { "" };
        let storage_class = match storage {
            Storage::Static => "static ",
            Storage::File if self.random.percent(50) => "static ",
            Storage::Block if !shadows && self.random.percent(5) => "register ",
            _ => "",
        };
        let register = storage_class == "register ";
        let text = match self.text_initialiser(&ty, &name) {
            Some(text) => text,
            None => {
                let declaration = self.declaration(&ty, &name);
                let skip = storage != Storage::Block && self.random.percent(20);
                if skip { declaration } else { format!("{declaration} = {}", self.initialiser(&ty, reads)) }
            }
        };
        // An array in a register has no address to find its elements by.
        let class = if register && !matches!(ty, Type::Scalar(_)) { "" } else { storage_class };
        self.line(&format!("{class}{qualifier}{text};"));
        let variable = self.variables.last_mut().expect("the variable was pushed above");
        variable.ready = true;
        variable.private |= register;
    }

    /// A new name, or at times that of a variable of an outer block, which it hides from here on.
    fn variable_name(&mut self, storage: Storage) -> (String, bool) {
        if storage != Storage::File && self.random.percent(8) {
            let outer: Vec<String> = (self.variables.iter())
                .filter(|variable| variable.writable && variable.depth < self.depth)
                .map(|variable| variable.name.clone())
                .filter(|name| !self.variables.iter().any(|other| other.name == *name && other.depth == self.depth))
                .collect();
            if !outer.is_empty() {
                return (self.random.choose(&outer).clone(), true);
            }
        }
        (self.fresh(if storage == Storage::File { "g" } else { "v" }), false)
    }

    /// The declaration of an array of characters with a string literal, at times without its length.
    fn text_initialiser(&mut self, ty: &Type, name: &str) -> Option<String> {
        let Type::Array(element, length) = ty else { return None };
        let Type::Scalar(scalar @ (Scalar::Char | Scalar::SignedChar | Scalar::UnsignedChar)) = **element else {
            return None;
        };
        let (text, count) = self.string(*length);
        let dimension =
            if count + 1 == *length && self.random.percent(50) { String::new() } else { length.to_string() };
        let braces = self.random.percent(20);
        let text = if braces { format!("{{ {text} }}") } else { text };
        Some(format!("{} {name}[{dimension}] = {text}", scalar.name()))
    }

    /// An initialiser of the type, of expressions that read at most that much.
    pub(super) fn initialiser(&mut self, ty: &Type, reads: Reads) -> String {
        match ty {
            Type::Scalar(_) | Type::Enumeration(_) => {
                self.expression(self.config.depth.min(2), reads).at(Level::Assignment)
            }
            Type::Float | Type::Double => self.floating_literal(),
            Type::Array(..) if self.random.percent(8) => "{ 0 }".to_owned(),
            Type::Array(element, length) => self.array_initialiser(element, *length, reads),
            Type::Record(_) if reads == Reads::Any && self.random.percent(30) => self.record_value(ty, reads),
            Type::Record(record) => self.record_initialiser(*record, reads),
            Type::Pointer(_) | Type::Cursor(..) => unreachable!("pointers are initialised where they are declared"),
        }
    }

    /// A value of a structure or union: another object, or a compound literal.
    pub(super) fn record_value(&mut self, ty: &Type, reads: Reads) -> String {
        let wanted = ty.clone();
        let place = if self.random.percent(70) { self.place(Wanted::read(reads), &|ty| *ty == wanted) } else { None };
        match place {
            Some(place) => place.text,
            None => self.compound_literal(ty, reads),
        }
    }

    fn compound_literal(&mut self, ty: &Type, reads: Reads) -> String {
        let Type::Record(record) = ty else { unreachable!("only records are made so") };
        let name = self.type_name(ty);
        format!("({name}){}", self.record_initialiser(*record, reads))
    }

    fn array_initialiser(&mut self, element: &Type, length: usize, reads: Reads) -> String {
        if self.is_plain(element) && self.random.percent(25) {
            let count = self.random.between(1, length * self.cells(element));
            let leaf = innermost(element).clone();
            let items: Vec<String> = (0..count).map(|_| self.initialiser(&leaf, reads)).collect();
            return format!("{{ {} }}", items.join(", "));
        }
        let mut items = Vec::new();
        if self.may_designate_elements() && self.random.percent(40) {
            for _ in 0..self.random.between(1, length) {
                let first = self.random.below(length);
                // Gcc takes no range for elements that are arrays with values known only when it runs.
                let ranges = self.config.gnu && !matches!(element, Type::Array(..));
                let last = if ranges { self.random.between(first, length - 1) } else { first };
                let designator = if last > first { format!("{first} ... {last}") } else { first.to_string() };
                // No statements in the value for a range: that it is computed once is a promise of compilers only.
                let statements = std::mem::replace(&mut self.statement_expressions, last == first);
                items.push(format!("[{designator}] = {}", self.initialiser(element, reads)));
                self.statement_expressions = statements;
                if last + 1 < length && self.random.percent(30) {
                    items.push(self.initialiser(element, reads));
                }
            }
        } else {
            let count = if self.random.percent(60) { length } else { self.random.between(1, length) };
            items.extend((0..count).map(|_| self.initialiser(element, reads)));
        }
        let comma = if self.random.percent(10) { "," } else { "" };
        format!("{{ {}{comma} }}", items.join(", "))
    }

    /// Whether designators may name elements. Where the bytes of a constant are looked at, gcc 12 takes an array whose
    /// initialiser does not start with its first element for zeros: `union { long long a; char b[8]; }` initialised by
    /// `{ .b = { [5] = 3 } }` has `a == 0` with it.
    fn may_designate_elements(&self) -> bool {
        !self.config.bytes && self.unions == 0
    }

    fn record_initialiser(&mut self, record: usize, reads: Reads) -> String {
        let record = self.records[record].clone();
        let mut fields = record.fields;
        let mut items = Vec::new();
        if record.form != Form::Structure {
            let field = if self.random.percent(50) { &fields[0] } else { self.random.choose(&fields) };
            self.unions += 1;
            let value = self.initialiser(&field.ty, reads);
            self.unions -= 1;
            return format!("{{ .{} = {value} }}", field.name);
        }
        if record.anonymous || self.random.percent(35) {
            while !fields.is_empty() && (items.is_empty() || self.random.percent(70)) {
                let field = fields.remove(self.random.below(fields.len()));
                items.push(format!(".{} = {}", field.name, self.initialiser(&field.ty, reads)));
            }
        } else {
            let count = if self.random.percent(60) { fields.len() } else { self.random.between(1, fields.len()) };
            for field in &fields[..count] {
                items.push(self.initialiser(&field.ty, reads));
            }
        }
        format!("{{ {} }}", items.join(", "))
    }

    /// How many scalars a type holds.
    pub(super) fn cells(&self, ty: &Type) -> usize {
        match ty {
            Type::Array(element, length) => length * self.cells(element),
            Type::Record(record) => self.records[*record].fields.iter().map(|field| self.cells(&field.ty)).sum(),
            _ => 1,
        }
    }

    fn is_plain(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(element, _) => self.is_plain(element),
            Type::Scalar(_) | Type::Enumeration(_) => true,
            _ => false,
        }
    }
}

fn innermost(ty: &Type) -> &Type {
    match ty {
        Type::Array(element, _) => innermost(element),
        other => other,
    }
}

//! Pointers: every one points to a live object of its type, or into an array at a known element.

use super::Generator;
use super::initialiser::Storage;
use super::place::{Place, Reads, Variable, Wanted};
use super::types::Type;
use super::value::Level;

impl Generator<'_> {
    /// Declares a pointer there, if there is something to point to.
    pub(super) fn declare_pointer(&mut self, storage: Storage) -> bool {
        let lifetime = if storage == Storage::Block { self.depth } else { 0 };
        let wanted = if storage == Storage::Block { Wanted::target(lifetime) } else { Wanted::constant_target() };
        let into_array = self.random.percent(35);
        let accept = |ty: &Type| match ty {
            Type::Array(..) => true,
            Type::Cursor(..) => false,
            _ => !into_array,
        };
        let Some(place) = self.place(wanted, &accept) else { return false };
        let (ty, value) = match &place.ty {
            Type::Array(element, length) if into_array => self.cursor(&place, element, *length),
            _ => (Type::pointer(place.ty.clone()), address(&place)),
        };
        let name = self.fresh("p");
        let declaration = self.declaration(&ty, &name);
        let class = match storage {
            Storage::Block => "",
            _ => "static ",
        };
        self.line(&format!("{class}{declaration} = {value};"));
        let private = self.random.percent(50) && storage == Storage::Block;
        self.variables.push(Variable {
            name,
            ty,
            writable: true,
            private,
            range: None,
            depth: self.depth,
            lifetime,
            ready: true,
        });
        true
    }

    /// A pointer to a random element of an array.
    fn cursor(&mut self, array: &Place, element: &Type, length: usize) -> (Type, String) {
        let at = self.random.below(length);
        let text = if array.level >= Level::Postfix { array.text.clone() } else { format!("({})", array.text) };
        let value = match self.random.below(3) {
            0 if at == 0 => text,
            1 => format!("{text} + {at}"),
            _ => format!("&{text}[{at}]"),
        };
        (Type::Cursor(Box::new(element.clone()), at, length - 1 - at), value)
    }

    /// Makes a pointer point elsewhere.
    pub(super) fn redirect(&mut self) -> bool {
        let Some(pointer) = self.place(Wanted::write(Reads::Any), &|ty| matches!(ty, Type::Pointer(_))) else {
            return false;
        };
        let Type::Pointer(target) = &pointer.ty else { unreachable!("only pointers are accepted") };
        // What is behind a pointer to a pointer may live longer than it.
        let lifetime = if pointer.whole { pointer.lifetime } else { 0 };
        let Some(value) = self.address_of(target, lifetime) else { return false };
        self.line(&format!("{} = {value};", pointer.text));
        true
    }

    /// The address of some object of the type that lives at least as long as a block of that depth.
    pub(super) fn address_of(&mut self, target: &Type, lifetime: usize) -> Option<String> {
        let place = self.place(Wanted::target(lifetime), &|ty| ty == target)?;
        Some(address(&place))
    }

    /// Writes a loop that walks a pointer over an array.
    pub(super) fn walk_array(&mut self) -> bool {
        let accept = |ty: &Type| matches!(ty, Type::Array(element, _) if matches!(**element, Type::Scalar(_)));
        let Some(array) = self.place(Wanted::read(Reads::Any), &accept) else { return false };
        let Type::Array(element, length) = &array.ty else { unreachable!("only arrays are accepted") };
        if !self.can_afford(*length as u64) {
            return false;
        }
        let scalar = self.scalar_of(element);
        let name = self.fresh("w");
        let pointer = format!("const {} *{name}", scalar.name());
        let base = if array.level >= Level::Postfix { array.text } else { format!("({})", array.text) };
        let text = match self.random.below(4) {
            0 => format!("for ({pointer} = {base}; {name} < {base} + {length}; {name}++) mix(*{name});"),
            1 => format!("for ({pointer} = {base}; {name} != &{base}[{length}]; ) mix(*{name}++);"),
            2 => format!("{{ {pointer} = {base} + {length}; while ({name} > {base}) mix(*--{name}); }}"),
            _ => format!(
                "{{ {pointer} = {base}; do {{ mix(*{name}); mix({name} - {base}); }} while (++{name} - {base} < {length}); }}"
            ),
        };
        self.line(&text);
        true
    }
}

/// The address of a place.
fn address(place: &Place) -> String {
    match place.text.strip_prefix('*') {
        // `&*p` is `p`, whatever kind of pointer it is.
        Some(pointer) if place.level == Level::Unary => pointer.to_owned(),
        _ => format!("&{}", place.text),
    }
}

//! Names for memory: what a place is called in the source, and how values are shown there.

use super::machine::Machine;
use super::{Pointer, Value};
use crate::program::{Id, ProcId, Program, Region, Scope, ShapeId, ShapeKind, ThreadId, Type, VarId};
use std::cell::Cell as Flag;
use std::collections::BTreeMap;

/// How many activations are looked through for a name.
const MAX_FRAMES: usize = 8;
/// A text of more characters is cut.
const MAX_TEXT: usize = 32;
/// How many parts of an object are shown.
const MAX_PARTS: usize = 4;

/// The names of a program's memory.
#[derive(Debug)]
pub(super) struct Naming<'p> {
    program: &'p Program,
    /// The variables that have a shape, by procedure.
    variables: BTreeMap<Option<ProcId>, Vec<Named<'p>>>,
    /// What objects on the heap are called, and their shapes.
    heap: BTreeMap<u32, (String, ShapeId)>,
    counts: BTreeMap<String, usize>,
}

/// A variable with its shape.
#[derive(Debug, Clone, Copy)]
struct Named<'p> {
    variable: VarId,
    name: &'p str,
    shape: ShapeId,
    /// Whether it stands for an object, to which it points.
    is_object: bool,
}

/// A variable that is there, and where it points.
struct Root<'p> {
    named: Named<'p>,
    pointer: Pointer,
    is_near: bool,
}

impl<'p> Naming<'p> {
    pub(super) fn new(program: &'p Program) -> Naming<'p> {
        let mut variables: BTreeMap<Option<ProcId>, Vec<Named<'p>>> = BTreeMap::new();
        for (variable, known) in program.variables.enumerate() {
            let procedure = match known.scope {
                Scope::Global => None,
                Scope::Local(procedure) => Some(procedure),
            };
            let Some(shape) = program.shapes.of_variable(procedure, &known.name) else { continue };
            let (name, is_object) = match known.name.strip_prefix('&') {
                Some(name) => (name, true),
                None => (known.name.as_str(), false),
            };
            let named = Named { variable, name: plain(name), shape, is_object };
            variables.entry(procedure).or_default().push(named);
        }
        Naming { program, variables, heap: BTreeMap::new(), counts: BTreeMap::new() }
    }

    /// Whether a procedure is one of the source, and not of a library.
    pub(super) fn is_of_source(&self, procedure: ProcId) -> bool {
        let procedure = &self.program.procedures[procedure];
        procedure.span.is_some() || procedure.edges.iter().any(|edge| edge.span.is_some())
    }

    /// What the bytes of an object from an offset on are called, and their shape.
    pub(super) fn place(
        &mut self,
        machine: &Machine<'_>,
        thread: ThreadId,
        at: Pointer,
        bytes: u64,
    ) -> Option<(String, ShapeId)> {
        let roots = self.roots(machine, thread);
        let of_object = |root: &&Root<'p>| root.named.is_object && root.pointer.object == at.object;
        let of_pointer = |root: &&Root<'p>| !root.named.is_object && root.pointer.object == at.object;
        let object = |root: &Root<'p>| {
            let offset = u64::try_from(at.offset - root.pointer.offset).ok()?;
            let (path, shape) = self.program.shapes.part(root.named.shape, offset, bytes)?;
            Some((format!("{}{path}", root.named.name), shape))
        };
        let pointer = |root: &Root<'p>| self.through(root, at.offset - root.pointer.offset, bytes);
        let near = |root: &&Root<'p>| root.is_near;
        roots
            .iter()
            .filter(of_object)
            .filter(near)
            .find_map(object)
            .or_else(|| roots.iter().filter(of_pointer).filter(near).find_map(pointer))
            .or_else(|| roots.iter().filter(of_object).find_map(object))
            .or_else(|| {
                let (name, shape) = self.heap_name(machine, &roots, at.object)?;
                let (path, shape) = self.program.shapes.part(shape, u64::try_from(at.offset).ok()?, bytes)?;
                Some((format!("{name}{path}"), shape))
            })
    }

    /// What is so many bytes behind where a variable points.
    fn through(&self, root: &Root<'p>, distance: i64, bytes: u64) -> Option<(String, ShapeId)> {
        let ShapeKind::Pointer(target) = self.program.shapes.get(root.named.shape)?.kind else { return None };
        let size = i64::try_from(self.program.shapes.get(target)?.bytes).ok().filter(|size| *size > 0)?;
        let (index, rest) = (distance.div_euclid(size), distance.rem_euclid(size));
        let (path, shape) = self.program.shapes.part(target, rest as u64, bytes)?;
        let name = root.named.name;
        let text = match (index, path.strip_prefix('.')) {
            (0, Some(field)) => format!("{name}->{field}"),
            (0, None) if path.is_empty() => format!("*{name}"),
            (0, None) => format!("(*{name}){path}"),
            _ => format!("{name}[{index}]{path}"),
        };
        Some((text, shape))
    }

    /// The variables with shapes that are there and point somewhere: those of the innermost activation of a procedure of
    /// the source first, then globals, then those of its callers.
    fn roots(&self, machine: &Machine<'_>, thread: ThreadId) -> Vec<Root<'p>> {
        let mut roots = Vec::new();
        let mut base = machine.data.threads.get(thread.index()).map_or(0, |data| data.base);
        let frames = machine.control.threads.get(thread.index()).map_or(&[][..], |control| &control.frames);
        let mut found = 0;
        for (index, frame) in frames.iter().enumerate().rev() {
            if let Some(named) = self.variables.get(&Some(frame.procedure)) {
                self.add(machine, thread, Some(base), named, found == 0, &mut roots);
                found += 1;
            }
            if found == 1
                && let Some(named) = self.variables.get(&None)
            {
                self.add(machine, thread, None, named, true, &mut roots);
                found += 1;
            }
            let Some(caller) = index.checked_sub(1).and_then(|index| frames.get(index)) else { break };
            base = base.saturating_sub(machine.code.procedures[caller.procedure].locals.len());
            if found > MAX_FRAMES {
                break;
            }
        }
        roots
    }

    fn add(
        &self,
        machine: &Machine<'_>,
        thread: ThreadId,
        base: Option<usize>,
        named: &[Named<'p>],
        is_near: bool,
        roots: &mut Vec<Root<'p>>,
    ) {
        for named in named {
            if let Some(Value::Pointer(pointer)) = machine.value_at(thread, base, named.variable)
                && pointer.object != 0
            {
                roots.push(Root { named: *named, pointer, is_near });
            }
        }
    }

    /// What an object on the heap is called: the name of its structure and a number.
    fn heap_name(&mut self, machine: &Machine<'_>, roots: &[Root<'p>], object: u32) -> Option<(String, ShapeId)> {
        if let Some(known) = self.heap.get(&object) {
            return Some(known.clone());
        }
        let index = object.checked_sub(1)? as usize;
        if machine.data.memory.objects.get(index)?.region != Region::Heap {
            return None;
        }
        let target = |root: &Root<'p>| match self.program.shapes.get(root.named.shape)?.kind {
            ShapeKind::Pointer(target) if !root.named.is_object => Some(target),
            _ => None,
        };
        let mut pointing = roots.iter().filter(|root| root.pointer == Pointer { object, offset: 0 });
        let shape = pointing.find_map(target)?;
        let name = match &self.program.shapes.get(shape)?.kind {
            ShapeKind::Record { name, .. } => name.clone(),
            _ => "block".to_owned(),
        };
        let count = self.counts.entry(name.clone()).or_default();
        *count += 1;
        let known = (format!("{name} {count}"), shape);
        self.heap.insert(object, known.clone());
        Some(known)
    }

    /// A value as the source would have it.
    pub(super) fn value(
        &mut self,
        machine: &Machine<'_>,
        thread: ThreadId,
        value: &Value,
        shape: Option<ShapeId>,
    ) -> String {
        let kind = shape.and_then(|shape| self.program.shapes.get(shape)).map(|shape| &shape.kind);
        match (value, kind) {
            (Value::Int(n), Some(ShapeKind::Character)) => match n.to_i64().and_then(|n| u8::try_from(n).ok()) {
                Some(0) => "'\\0'".to_owned(),
                Some(byte) if byte.is_ascii_graphic() || byte.is_ascii_whitespace() || byte == b' ' => {
                    format!("{:?}", char::from(byte))
                }
                _ => value.to_string(),
            },
            (Value::Pointer(pointer), kind) => {
                let target = match kind {
                    Some(ShapeKind::Pointer(target)) => Some(*target),
                    _ => None,
                };
                self.pointer(machine, thread, *pointer, target)
            }
            (Value::Undefined, _) => "any value".to_owned(),
            _ => value.to_string(),
        }
    }

    fn pointer(
        &mut self,
        machine: &Machine<'_>,
        thread: ThreadId,
        pointer: Pointer,
        target: Option<ShapeId>,
    ) -> String {
        if pointer.object == 0 {
            return if pointer.is_null() { "NULL".to_owned() } else { format!("{:#x}", pointer.offset) };
        }
        if let Some(function) = pointer.function() {
            let name = self.program.procedures.iter().nth(function as usize).map(|procedure| procedure.name.as_str());
            return name.unwrap_or("a function").to_owned();
        }
        let object = machine.data.memory.objects.get(pointer.object as usize - 1);
        if object.is_some_and(|object| object.region == Region::Literal) {
            return machine.text(pointer);
        }
        let roots = self.roots(machine, thread);
        let size = target.and_then(|target| self.program.shapes.get(target)).map_or(1, |shape| shape.bytes.max(1));
        let objects = || roots.iter().filter(|root| root.named.is_object && root.pointer.object == pointer.object);
        for root in objects() {
            let Ok(offset) = u64::try_from(pointer.offset - root.pointer.offset) else { continue };
            let name = root.named.name;
            let is_array = |shape: Option<ShapeId>| {
                let kind = shape.and_then(|shape| self.program.shapes.get(shape)).map(|shape| &shape.kind);
                matches!(kind, Some(ShapeKind::Array(_)))
            };
            if offset == 0 {
                return if is_array(Some(root.named.shape)) { name.to_owned() } else { format!("&{name}") };
            }
            return match self.program.shapes.part(root.named.shape, offset, size) {
                Some((path, _)) => match path.strip_suffix("[0]") {
                    Some(array) => format!("{name}{array}"),
                    None => format!("&{name}{path}"),
                },
                None => format!("{name} + {offset} bytes"),
            };
        }
        match self.heap_name(machine, &roots, pointer.object) {
            Some((name, _)) if pointer.offset == 0 => name,
            Some((name, shape)) => {
                let bytes = self.program.shapes.get(shape).map_or(0, |shape| shape.bytes) as i64;
                match pointer.offset.checked_rem(bytes) {
                    Some(0) => format!("{name} + {}", pointer.offset / bytes),
                    _ => format!("{name} + {} bytes", pointer.offset),
                }
            }
            None => "an object".to_owned(),
        }
    }

    /// What an object of a shape holds, from a place on.
    pub(super) fn contents(
        &mut self,
        machine: &Machine<'_>,
        thread: ThreadId,
        at: Pointer,
        shape: ShapeId,
    ) -> Option<String> {
        let program = self.program;
        let kind = &program.shapes.get(shape)?.kind;
        if let ShapeKind::Array(element) = kind
            && matches!(program.shapes.get(*element)?.kind, ShapeKind::Character)
        {
            return Some(machine.text(at));
        }
        if !matches!(kind, ShapeKind::Array(_) | ShapeKind::Record { .. }) {
            let value = machine.load_at(at, program.shapes.scalar(shape)?)?;
            return Some(self.value(machine, thread, &value, Some(shape)));
        }
        let leaves = program.shapes.leaves(shape, 4 * MAX_PARTS);
        let mut parts = Vec::new();
        for (path, offset, leaf) in &leaves {
            let place = Pointer { offset: at.offset + *offset as i64, ..at };
            let value = program.shapes.scalar(*leaf).and_then(|ty| machine.load_at(place, ty));
            let value = value.map_or("any value".to_owned(), |value| self.value(machine, thread, &value, Some(*leaf)));
            parts.push((path.trim_start_matches('.').to_owned(), value));
        }
        if !parts.is_empty() && parts.iter().all(|(_, value)| ["0", "NULL", "'\\0'", "false"].contains(&value.as_str()))
        {
            return Some("{0}".to_owned());
        }
        let is_array = matches!(kind, ShapeKind::Array(_));
        let shown = parts.iter().take(MAX_PARTS);
        let mut shown: Vec<String> =
            shown.map(|(path, value)| if is_array { value.clone() } else { format!(".{path} = {value}") }).collect();
        if parts.len() > MAX_PARTS {
            shown.push("…".to_owned());
        }
        Some(format!("{{{}}}", shown.join(", ")))
    }
}

/// The name in the source: a number at its end tells variables of one name apart.
fn plain(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((first, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => first,
        _ => name,
    }
}

impl Machine<'_> {
    /// The value of a variable: a global, or one of the activation whose locals start there.
    fn value_at(&self, thread: ThreadId, base: Option<usize>, variable: VarId) -> Option<Value> {
        use super::compile::Slot;
        match (self.code.slots[variable], base) {
            (Slot::Local(slot), Some(base)) => {
                self.data.threads.get(thread.index())?.locals.get(base + slot as usize).cloned()
            }
            (Slot::Local(_), None) => None,
            _ => self.value(thread, variable),
        }
    }

    /// What is at a place in memory.
    pub(super) fn load_at(&self, at: Pointer, ty: Type) -> Option<Value> {
        self.data.memory.load(at, ty, &Flag::new(false)).ok()
    }

    /// The text at a place in memory, cut where it is long.
    fn text(&self, at: Pointer) -> String {
        let mut bytes = Vec::new();
        let mut end = "\"…";
        for index in 0..MAX_TEXT as i64 {
            let place = Pointer { offset: at.offset + index, ..at };
            match self.load_at(place, Type::machine(8, false)) {
                Some(Value::Int(n)) if !n.is_zero() => bytes.push(n.to_i64().unwrap_or_default() as u8),
                other => {
                    end = if other.is_some() { "\"" } else { "\" without an end" };
                    break;
                }
            }
        }
        format!("\"{}{end}", bytes.escape_ascii())
    }
}

//! What statements, calls and returns do to shapes.

use super::number::Number;
use super::{Activation, Body, Refused, Shape, Target, Value};
use crate::program::{
    Conversion, Expr, MachineInt, Piece, ProcId, Program, Property, Region, Scope, Statement, Style, Type, VarId,
};
use rustc_hash::FxHashMap;

/// The largest object that can be made.
const MAX_OBJECT: i128 = 1 << 32;

/// More shapes after one statement are too many.
const MAX_SHAPES: usize = 4096;

/// What a program does to shapes.
#[derive(Debug)]
pub struct Semantics<'p> {
    pub(super) program: &'p Program,
    places: FxHashMap<VarId, Place>,
    /// How many globals there are.
    globals: usize,
    locals: FxHashMap<ProcId, usize>,
    /// Whether the program looks for lost objects: all that are there are kept then.
    pub tracks: bool,
    /// Whether an access about which nothing is known is taken to be valid.
    pub(super) trusts: bool,
}

/// Where the value of a variable is.
#[derive(Debug, Clone, Copy)]
enum Place {
    Global(usize),
    Local(usize),
}

impl<'p> Semantics<'p> {
    /// Of a program, for a property.
    pub fn new(program: &'p Program, property: &Property) -> Semantics<'p> {
        let (mut places, mut globals, mut locals) = (FxHashMap::default(), 0, FxHashMap::default());
        for (id, variable) in program.variables.enumerate() {
            let (place, count) = match variable.scope {
                Scope::Global => (Place::Global(globals), &mut globals),
                Scope::Local(procedure) => {
                    let count: &mut usize = locals.entry(procedure).or_default();
                    (Place::Local(*count), count)
                }
            };
            places.insert(id, place);
            *count += 1;
        }
        let asks = !matches!(property, Property::UnreachCall(_) | Property::NoOverflow);
        let trusts = program.rules.trusts_accesses() && !asks;
        Semantics { program, places, globals, locals, tracks: program.tracks_heap(), trusts }
    }

    /// The states after `init`, before the first step of the main procedure.
    ///
    /// # Errors
    /// Where something is not treated.
    pub fn initial(&self) -> Result<Vec<Shape>, Refused> {
        let mut shape = Shape { globals: vec![Value::Unset; self.globals], ..Shape::default() };
        shape.next_object = 1;
        let mut shapes = self.block(shape, &self.program.init)?;
        shapes.iter_mut().for_each(|shape| shape.activations.push(self.activation(self.program.main)));
        Ok(shapes)
    }

    fn activation(&self, procedure: ProcId) -> Activation {
        let count = self.locals.get(&procedure).copied().unwrap_or_default();
        Activation { procedure, values: vec![Value::Unset; count] }
    }

    /// What statements lead to, one after the other.
    ///
    /// # Errors
    /// Where something is not treated.
    pub fn block(&self, shape: Shape, statements: &[Statement]) -> Result<Vec<Shape>, Refused> {
        let mut shapes = vec![shape];
        for statement in statements {
            let mut after = Vec::new();
            for shape in shapes {
                self.statement(shape, statement, &mut after)?;
            }
            if after.len() > MAX_SHAPES {
                return Refused::new("a step with very many outcomes");
            }
            shapes = after;
        }
        Ok(shapes)
    }

    /// Enters a procedure.
    ///
    /// # Errors
    /// Where something is not treated.
    pub fn call(&self, shape: Shape, callee: ProcId, arguments: &[Expr]) -> Result<Vec<Shape>, Refused> {
        let arguments: Vec<&Expr> = arguments.iter().collect();
        let parameters = &self.program.procedures[callee].parameters;
        self.evaluate(shape, &arguments, |mut shape, values| {
            shape.activations.push(self.activation(callee));
            for (parameter, value) in parameters.iter().zip(values) {
                self.write_variable(&mut shape, *parameter, *value);
            }
            Ok(vec![shape])
        })
    }

    /// Returns from a procedure; its result goes to a variable of its caller.
    pub fn leave(&self, mut shape: Shape, target: Option<VarId>) -> Shape {
        let Some(procedure) = shape.activations.last().map(|activation| activation.procedure) else { return shape };
        let result = self.program.procedures[procedure].result;
        let result = result.map_or(Value::Unset, |result| self.variable(&shape, result));
        shape.results.push(result);
        shape.activations.pop();
        let depth = shape.activations.len() as u32;
        let ended = shape.objects.iter().filter(|(_, object)| object.owner == Some(depth)).map(|(id, _)| *id);
        for id in ended.collect::<Vec<_>>() {
            shape.end(id);
        }
        let result = shape.results.pop().unwrap_or(Value::Unset);
        if let Some(target) = target
            && !shape.activations.is_empty()
        {
            self.write_variable(&mut shape, target, result);
        }
        shape
    }

    /// Forgets the variables of an activation that are not read any more.
    pub(super) fn forget_unless(&self, shape: &mut Shape, depth: usize, is_live: impl Fn(VarId) -> bool) {
        let Some(activation) = shape.activations.get_mut(depth) else { return };
        for (id, variable) in self.program.variables.enumerate() {
            if variable.scope == Scope::Local(activation.procedure)
                && !is_live(id)
                && let Place::Local(index) = self.places[&id]
            {
                activation.values[index] = Value::Unset;
            }
        }
    }

    pub(super) fn variable(&self, shape: &Shape, variable: VarId) -> Value {
        match self.places[&variable] {
            Place::Global(index) => shape.globals[index],
            Place::Local(index) => shape.activations.last().map_or(Value::Unset, |top| top.values[index]),
        }
    }

    pub(super) fn write_variable(&self, shape: &mut Shape, variable: VarId, value: Value) {
        match self.places[&variable] {
            Place::Global(index) => shape.globals[index] = value,
            Place::Local(index) => {
                if let Some(top) = shape.activations.last_mut() {
                    top.values[index] = value;
                }
            }
        }
    }

    /// Evaluates expressions, and does something with their values.
    fn evaluate(
        &self,
        shape: Shape,
        expressions: &[&Expr],
        mut then: impl FnMut(Shape, &[Value]) -> Result<Vec<Shape>, Refused>,
    ) -> Result<Vec<Shape>, Refused> {
        let mut shapes = vec![shape];
        for expression in expressions {
            let mut after = Vec::new();
            for shape in shapes {
                self.eval(shape, expression, &mut after)?;
            }
            shapes = after;
        }
        let mut out = Vec::new();
        for mut shape in shapes {
            let values = shape.results.split_off(shape.results.len() - expressions.len());
            out.extend(then(shape, &values)?);
        }
        Ok(out)
    }

    fn statement(&self, shape: Shape, statement: &Statement, out: &mut Vec<Shape>) -> Result<(), Refused> {
        match statement {
            Statement::Assume(condition) => {
                let truths = self.truths(shape, condition)?.into_iter();
                out.extend(truths.filter(|(_, truth)| *truth).map(|(shape, _)| shape));
            }
            Statement::Assign(pairs) => {
                let values: Vec<&Expr> = pairs.iter().map(|(_, value)| value).collect();
                out.extend(self.evaluate(shape, &values, |mut shape, values| {
                    for ((target, _), value) in pairs.iter().zip(values) {
                        self.write_variable(&mut shape, *target, *value);
                    }
                    Ok(vec![shape])
                })?);
            }
            Statement::Havoc { target, .. } => {
                let mut shape = shape;
                let value = shape.name_or_any(Number::all(self.program.variables[*target].ty));
                self.write_variable(&mut shape, *target, value);
                out.push(shape);
            }
            Statement::Store { address, value } => {
                let bytes = self.bytes_of(value.type_in(self.program))?;
                self.at(shape, &[value], address, bytes, out, |shape, target, values| {
                    if let Some(fields) = shape.fields_mut(target) {
                        fields.write(target.offset, bytes, values[0]);
                    }
                    Ok(())
                })?;
            }
            Statement::Copy { target, source, bytes } => self.copy(shape, target, source, bytes, out)?,
            Statement::Fill { target, byte, bytes } => self.fill(shape, target, byte, bytes, out)?,
            Statement::Write { target, bytes } => {
                let count = bytes.len() as i64;
                if count == 0 {
                    out.push(shape);
                    return Ok(());
                }
                self.at(shape, &[], target, count, out, |shape, target, _| {
                    if let Some(fields) = shape.fields_mut(target) {
                        for (offset, byte) in (target.offset..).zip(bytes.iter()) {
                            fields.write(offset, 1, Value::Int(i128::from(*byte)));
                        }
                    }
                    Ok(())
                })?;
            }
            Statement::Output(pieces) => self.output(shape, pieces, out)?,
            Statement::Allocate { target, size, region, zeroed } => {
                out.extend(self.evaluate(shape, &[size], |mut shape, values| {
                    let Value::Int(size @ 0..=MAX_OBJECT) = values[0] else {
                        return Refused::new("an object of unknown size");
                    };
                    let owner = region.is_on_stack().then(|| shape.activations.len().saturating_sub(1) as u32);
                    let id = shape.allocate(size as i64, *region, *zeroed, owner);
                    self.write_variable(&mut shape, *target, Value::to_object(id));
                    Ok(vec![shape])
                })?);
            }
            Statement::Free(pointer) => {
                self.at(shape, &[], pointer, 0, out, |shape, target, _| {
                    if target.offset != 0 || shape.objects[&target.object].region != Region::Heap {
                        return Refused::new("a free of what is not the start of an object on the heap");
                    }
                    shape.end(target.object);
                    Ok(())
                })?;
            }
            Statement::AtomicBegin | Statement::AtomicEnd => out.push(shape),
            Statement::Call { .. } => return Refused::new("a call inside a block"),
            _ => return Refused::new("threads"),
        }
        Ok(())
    }

    /// Does something with an object that is live and has so many bytes at an address; some values are evaluated before.
    fn at(
        &self,
        shape: Shape,
        values: &[&Expr],
        address: &Expr,
        bytes: i64,
        out: &mut Vec<Shape>,
        mut then: impl FnMut(&mut Shape, Target, &[Value]) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let mut expressions = values.to_vec();
        expressions.push(address);
        let mut shapes = vec![shape];
        for expression in expressions {
            let mut after = Vec::new();
            for shape in shapes {
                self.eval(shape, expression, &mut after)?;
            }
            shapes = after;
        }
        for shape in shapes {
            for mut shape in self.resolved(shape)? {
                let address = shape.results.pop().and_then(Value::target);
                let Some(target) = address else { return Refused::new("a write through an unknown pointer") };
                shape.check_bounds(target, bytes)?;
                let values = shape.results.split_off(shape.results.len() - values.len());
                then(&mut shape, target, &values)?;
                out.push(shape);
            }
        }
        Ok(())
    }

    /// How many bytes are copied or filled, where it is any; where it is none, the other operands are evaluated all the
    /// same, because a load in them faults.
    fn counted(
        &self,
        shape: Shape,
        bytes: &Expr,
        others: [&Expr; 2],
        out: &mut Vec<Shape>,
    ) -> Result<Vec<(Shape, i64)>, Refused> {
        let (mut evaluated, mut counted) = (Vec::new(), Vec::new());
        self.eval(shape, bytes, &mut evaluated)?;
        for mut shape in evaluated {
            let Some(Value::Int(bytes)) = shape.results.pop() else {
                return Refused::new("a copy or a fill of an unknown number of bytes");
            };
            match i64::try_from(bytes).unwrap_or(-1) {
                0 => out.extend(self.evaluate(shape, &others, |shape, _| Ok(vec![shape]))?),
                bytes => counted.push((shape, bytes)),
            }
        }
        Ok(counted)
    }

    fn copy(
        &self,
        shape: Shape,
        target: &Expr,
        source: &Expr,
        bytes: &Expr,
        out: &mut Vec<Shape>,
    ) -> Result<(), Refused> {
        for (shape, bytes) in self.counted(shape, bytes, [target, source], out)? {
            let mut sources = Vec::new();
            self.eval(shape, source, &mut sources)?;
            for shape in sources {
                for shape in self.resolved(shape)? {
                    // The source stays among the results, so that unfolding the target keeps it.
                    self.at(shape, &[], target, bytes, out, |shape, to, _| {
                        let from = shape.results.pop().and_then(Value::target);
                        let Some(from) = from else { return Refused::new("a copy from an unknown pointer") };
                        shape.check_bounds(from, bytes)?;
                        let fields = shape.objects[&from.object].fields().cloned().unwrap_or_default();
                        if let Some(written) = shape.fields_mut(to) {
                            written.copy(to.offset, &fields, from.offset, bytes);
                        }
                        Ok(())
                    })?;
                }
            }
        }
        Ok(())
    }

    fn fill(
        &self,
        shape: Shape,
        target: &Expr,
        byte: &Expr,
        bytes: &Expr,
        out: &mut Vec<Shape>,
    ) -> Result<(), Refused> {
        for (shape, bytes) in self.counted(shape, bytes, [target, byte], out)? {
            self.at(shape, &[byte], target, bytes, out, |shape, to, values| {
                if let Some(fields) = shape.fields_mut(to) {
                    match values[0] {
                        Value::Int(0) => fields.clear(to.offset, to.offset + bytes),
                        _ => fields.forget(to.offset, to.offset + bytes),
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// What is printed is evaluated; a string that is read for it is not treated.
    fn output(&self, shape: Shape, pieces: &[Piece], out: &mut Vec<Shape>) -> Result<(), Refused> {
        let mut values = Vec::new();
        for piece in pieces {
            let Piece::Value { expr, style, .. } = piece else { continue };
            let Style { conversion, .. } = style;
            if expr.type_in(self.program) == Type::Pointer && *conversion != Conversion::Pointer {
                return Refused::new("a string that is printed");
            }
            values.push(expr);
        }
        out.extend(self.evaluate(shape, &values, |shape, _| Ok(vec![shape]))?);
        Ok(())
    }

    /// How many bytes a value takes in memory.
    pub(super) fn bytes_of(&self, ty: Type) -> Result<i64, Refused> {
        Ok(match ty {
            Type::Bool => 1,
            Type::Machine(machine) => i64::from(MachineInt::bytes(machine)),
            Type::Pointer => i64::from(self.program.pointer_bytes),
            Type::Float(kind) => i64::from(kind.bytes()),
            Type::Int => return Refused::new("a mathematical integer in memory"),
        })
    }
}

impl Shape {
    /// What an object holds, to be changed.
    pub(super) fn fields_mut(&mut self, target: Target) -> Option<&mut super::Fields> {
        match &mut self.objects.get_mut(&target.object)?.body {
            Body::Region(fields) => Some(fields),
            Body::Segment(_) => None,
        }
    }

    /// Whether bytes are inside their object.
    pub(super) fn check_bounds(&self, target: Target, bytes: i64) -> Result<(), Refused> {
        let size = self.objects[&target.object].size;
        let is_inside =
            bytes >= 0 && target.offset >= 0 && target.offset.checked_add(bytes).is_some_and(|end| end <= size);
        if is_inside { Ok(()) } else { Refused::new("an access that may be outside its object") }
    }
}

//! A function that is verified on its own: what `main` would be calls it with any arguments.
//!
//! A number is any of its type. A pointer is null, or to the start of a new object of any content, or to one of the objects
//! made before it that have its type, itself among them for a pointer inside of an object. How many elements an object has
//! and how deep pointers lead are options; what they leave out is an assumption.

use super::body::Body;
use super::call::{Arguments, Shape, Target};
use super::{Lower, Lowered};
use crate::frontend::c::tree::{self, ExprKind, FunctionId};
use crate::frontend::c::types::{Length, Ty};
use crate::program::{
    BinaryOp, Diagnostic, Edge, Expr, Id, IdVec, LocId, OFFSET, ProcId, Procedure, Region, Statement, Type, VarId,
};
use crate::term::Integer;

/// So many pointers are given values at most, one for each.
const MAX_POINTERS: usize = 200;

/// Of objects of at most so many bytes every number is an input with a name.
const MAX_NAMED_BYTES: u64 = 256;

/// Where a program starts that is not at `main`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The function.
    pub function: String,
    /// How many elements the objects have that pointers are to.
    pub array_length: u64,
    /// How many pointers lead from an argument to an object at most.
    pub pointer_depth: usize,
}

/// What is made for the arguments.
#[derive(Default)]
struct Made {
    /// The objects, by the type of their elements, without qualifiers.
    objects: Vec<(Ty, VarId)>,
    pointers: usize,
}

impl Lower<'_> {
    /// Makes the procedure in which the program starts.
    pub(super) fn start_at_function(&mut self, entry: &Entry) -> Lowered<()> {
        let (number, function) = self.function_named(&entry.function)?;
        self.enter_unit(number);
        let span = Some(self.unit.functions[function].span);
        let nowhere: LocId = Id::new(0);
        let procedure = self.program.procedures.push(Procedure {
            name: format!("any call of {}", entry.function),
            parameters: Vec::new(),
            result: None,
            locations: IdVec::new(),
            edges: IdVec::new(),
            entry: nowhere,
            exit: nowhere,
            span,
        });
        self.program.main = procedure;
        self.body = Body::new(Some(procedure), span);
        let (first, begin, exit) = (self.location(), self.location(), self.location());
        self.body.exit = Some(exit);
        self.start_at(begin);
        self.start_first_thread()?;
        self.call_with_anything(entry, number, function)?;
        self.finish_function()?;
        self.finish_jumps();
        self.finish_entry(procedure, first, begin, exit);
        Ok(())
    }

    /// The function of that name: one of external linkage, else the only one of internal linkage.
    fn function_named(&self, name: &str) -> Lowered<(usize, FunctionId)> {
        if let Some(found) = self.defined.get(name).filter(|(number, _)| *number < self.user_units) {
            return Ok(*found);
        }
        let units = self.linked[..self.user_units].iter().enumerate();
        let all = units.flat_map(|(number, linked)| {
            let functions = linked.unit.functions.enumerate();
            let named = functions.filter(|(_, function)| &*function.name == name && function.definition.is_some());
            named.map(move |(id, _)| (number, id))
        });
        match all.collect::<Vec<_>>()[..] {
            [found] => Ok(found),
            [] => Err(Diagnostic::general(format!("there is no function `{name}` with a body"))),
            _ => Err(Diagnostic::general(format!("several files have a function `{name}` of their own"))),
        }
    }

    fn finish_entry(&mut self, procedure: ProcId, entry: LocId, begin: LocId, exit: LocId) {
        let body = std::mem::take(&mut self.body);
        let made = &mut self.program.procedures[procedure];
        made.locations = body.locations;
        made.edges = body.edges;
        made.entry = entry;
        made.exit = exit;
        let span = made.span;
        made.edges.push(Edge {
            source: entry,
            target: begin,
            label: None,
            block: body.entry_block,
            span,
            places: Vec::new(),
        });
    }

    fn call_with_anything(&mut self, entry: &Entry, number: usize, function: FunctionId) -> Lowered<()> {
        let unit = self.unit;
        let node = &unit.functions[function];
        let ty = unit.types.as_function(node.ty).expect("a function has a function type");
        if ty.is_variadic {
            return Err(self.refuse("a start at a function with a variable number of arguments is"));
        }
        if self.options.checks.cleanup {
            return Err(self.refuse("a start at a function, to look for what is left on the heap, is"));
        }
        if self.has_constructors() {
            return Err(self.refuse("a start at a function of a program with functions that run before `main` is"));
        }
        if self.has_changing_globals() {
            self.assume(format!("where `{}` is called, global variables hold their first values", entry.function));
        }
        let definition = node.definition.as_ref().expect("it has a body");
        let mut made = Made::default();
        let (mut values, mut shapes) = (Vec::new(), Vec::new());
        for parameter in &definition.parameters {
            let object = &unit.objects[*parameter];
            let name = if object.name.is_empty() { "argument" } else { &*object.name };
            let (value, shape) = self.anything(entry, &mut made, object.ty, name)?;
            values.push(value);
            shapes.push(shape);
        }
        let result = match (self.is_record(ty.result), self.scalar(ty.result)) {
            (true, _) => {
                Target::Room { address: Expr::Var(self.argument_room(ty.result, Region::Stack, 1)?), is_used: false }
            }
            (_, Some(ty)) => Target::Variable(self.local("returned", ty, self.body.span)),
            _ => Target::Nothing,
        };
        self.defined_call(number, function, Arguments::new(values, shapes), &result)
    }

    /// Whether the program has static objects that can be written.
    fn has_changing_globals(&self) -> bool {
        self.linked[..self.user_units].iter().any(|linked| {
            let unit = linked.unit;
            unit.exprs.iter().any(|expr| match expr.kind {
                ExprKind::Object(object) => {
                    let object = &unit.objects[object];
                    let is_static = matches!(object.storage, tree::Storage::Global | tree::Storage::Static);
                    is_static && !object.ty.is_const()
                }
                _ => false,
            })
        })
    }

    /// Any value of a type.
    fn anything(&mut self, entry: &Entry, made: &mut Made, ty: Ty, name: &str) -> Lowered<(Expr, Shape)> {
        if self.is_record(ty) {
            let size = self.size(ty)?;
            let room = self.argument_room(ty, Region::Stack, 1)?;
            self.fill_object(entry, made, ty, &Expr::Var(room), entry.pointer_depth, name)?;
            return Ok((Expr::Var(room), Shape::Record(Some(size))));
        }
        let scalar = self.scalar(ty).ok_or_else(|| self.refuse("an argument of this type is"))?;
        let value = match scalar {
            Type::Pointer => self.any_pointer(entry, made, ty, entry.pointer_depth, name)?,
            scalar => {
                let any = self.local(name, scalar, self.body.span);
                self.emit_input(any, self.body.span);
                any
            }
        };
        Ok((Expr::Var(value), Shape::Scalar(scalar)))
    }

    /// Null, an object that there is, or a new one.
    fn any_pointer(&mut self, entry: &Entry, made: &mut Made, ty: Ty, depth: usize, name: &str) -> Lowered<VarId> {
        made.pointers += 1;
        if made.pointers > MAX_POINTERS {
            return Err(self.refuse("so many pointers in the arguments of a function are"));
        }
        let types = &self.unit.types;
        let pointee = types.pointee(ty).ok_or_else(|| self.refuse("a pointer of this type is"))?;
        let element = Ty::unqualified(pointee);
        let is_object = types.is_complete_object(element) && types.size_of(element).is_some_and(|size| size > 0);
        let pointer = self.local(name, Type::Pointer, self.body.span);
        let others: Vec<VarId> = made.objects.iter().filter(|(of, _)| *of == element).map(|(_, it)| *it).collect();
        let is_bytes = types.is_void(element);
        let can_be_new = depth > 0 && (is_object || is_bytes);
        match (is_object || is_bytes, depth > 0) {
            (false, _) => self.assume(format!("`{name}` is null")),
            (true, false) if others.is_empty() => {
                self.assume(format!("pointers that more than {} others lead to are null", entry.pointer_depth));
            }
            (true, false) => {
                let most = entry.pointer_depth;
                self.assume(format!(
                    "pointers that more than {most} others lead to are null or to objects before them"
                ));
            }
            (true, true) => {
                let elements = entry.array_length;
                let text = match elements {
                    1 => "arguments point to the start of objects of one element".to_owned(),
                    _ => format!("arguments point to the start of objects of {elements} elements"),
                };
                self.assume(text);
                self.assume("arguments point to no object of the program, and to none of another type".to_owned());
            }
        }
        let end = self.location();
        let ways = 1 + others.len() + usize::from(can_be_new);
        let choice = (ways > 1).then(|| self.any_choice(&format!("{name}: null, or which object"), ways));
        for way in 0..ways {
            let next = self.location();
            if let Some(choice) = choice.filter(|_| way + 1 < ways) {
                let this = self.location();
                let number = Expr::Int(Integer::from(way as i64), CHOICE);
                self.branch(Expr::binary(BinaryOp::Eq, Expr::Var(choice), number), this, next);
                self.start_at(this);
            }
            let value = match way.checked_sub(1) {
                None => Expr::Null,
                Some(index) if index < others.len() => Expr::Var(others[index]),
                Some(_) if is_bytes => Expr::Var(self.argument_bytes(entry.array_length, Region::Heap)),
                Some(_) => self.new_object(entry, made, element, depth, name)?,
            };
            self.emit(Statement::Assign(vec![(pointer, value)]));
            self.go_to(end);
            self.start_at(next);
        }
        // The last way is what is left.
        self.stop();
        self.start_at(end);
        Ok(pointer)
    }

    fn any_choice(&mut self, name: &str, ways: usize) -> VarId {
        let choice = self.local(name, CHOICE, self.body.span);
        self.emit_input(choice, self.body.span);
        let most = Expr::Int(Integer::from(ways as i64 - 1), CHOICE);
        self.emit(Statement::Assume(Expr::binary(BinaryOp::Le, Expr::Var(choice), most)));
        choice
    }

    /// A new object of any content, which others may point to.
    fn new_object(&mut self, entry: &Entry, made: &mut Made, ty: Ty, depth: usize, name: &str) -> Lowered<Expr> {
        let size = self.size(ty)?;
        let object = self.argument_room(ty, Region::Heap, entry.array_length)?;
        made.objects.push((ty, object));
        for index in 0..entry.array_length {
            let address = self.offset_by(Expr::Var(object), index * size);
            self.fill_object(entry, made, ty, &address, depth - 1, &format!("{name}[{index}]"))?;
        }
        Ok(Expr::Var(object))
    }

    /// Whether an object of the type holds something that not any bytes are a value of.
    fn has_special(&self, ty: Ty) -> bool {
        let types = &self.unit.types;
        if let Some((element, _)) = types.as_array(ty) {
            return self.has_special(element);
        }
        match types.record_body(ty) {
            Some(body) => body.fields.iter().any(|field| self.has_special(field.ty)),
            None => matches!(self.scalar(ty), Some(Type::Pointer | Type::Bool)),
        }
    }

    /// Writes the pointers and the truth values of an object. Of other numbers any bytes are a value: those of small objects
    /// are written, so that they are inputs with a name, and those of large ones are not.
    fn fill_object(
        &mut self,
        entry: &Entry,
        made: &mut Made,
        ty: Ty,
        address: &Expr,
        depth: usize,
        name: &str,
    ) -> Lowered<()> {
        let unit = self.unit;
        let is_small = self.size(ty)? <= MAX_NAMED_BYTES;
        if !self.has_special(ty) && !is_small {
            return Ok(());
        }
        if let Some((element, length)) = unit.types.as_array(ty) {
            let (Length::Fixed(length), size) = (length, self.size(element)?) else {
                return Err(self.refuse("an argument with an array whose size is not known is"));
            };
            for index in 0..length {
                let address = self.offset_by(address.clone(), index * size);
                self.fill_object(entry, made, element, &address, depth, &format!("{name}[{index}]"))?;
            }
            return Ok(());
        }
        if let Some(body) = unit.types.record_body(ty) {
            let is_union = unit.types.as_record(ty).is_some_and(|record| unit.types.records[record].is_union);
            if is_union && !self.has_special(ty) {
                return Ok(());
            }
            if is_union {
                return Err(self.refuse("an argument with a union that has a pointer or a truth value is"));
            }
            for field in &body.fields {
                if field.bits.is_some() {
                    continue;
                }
                let of = field.name.map_or(String::new(), |of| format!(".{}", unit.names.text(of)));
                let address = self.offset_by(address.clone(), field.offset);
                self.fill_object(entry, made, field.ty, &address, depth, &format!("{name}{of}"))?;
            }
            return Ok(());
        }
        let value = match self.scalar(ty) {
            Some(Type::Pointer) => Expr::Var(self.any_pointer(entry, made, ty, depth, name)?),
            Some(scalar) => {
                let any = self.local(name, scalar, self.body.span);
                self.emit_input(any, self.body.span);
                match scalar {
                    Type::Bool => super::arithmetic::cast(Type::machine(8, false), Expr::Var(any)),
                    _ => Expr::Var(any),
                }
            }
            None => return Err(self.refuse("an argument of this type is")),
        };
        self.emit(Statement::Store { address: address.clone(), value });
        Ok(())
    }

    /// Room for elements that nobody wrote, held as long as the program runs.
    fn argument_room(&mut self, ty: Ty, region: Region, elements: u64) -> Lowered<VarId> {
        let size = self.size(ty)?;
        Ok(self.argument_bytes(size * elements, region))
    }

    fn argument_bytes(&mut self, bytes: u64, region: Region) -> VarId {
        let object = self.global("&argument", Type::Pointer, self.body.span);
        self.program.init.push(Statement::Assign(vec![(object, Expr::Null)]));
        let size = Expr::Int(Integer::from(bytes as i64), OFFSET);
        self.emit(Statement::Allocate { target: object, size, region, zeroed: false });
        object
    }
}

/// The type of choices.
const CHOICE: Type = Type::Machine(crate::program::MachineInt { width: 8, signed: false });

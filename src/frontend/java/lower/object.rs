//! Objects: making them, their fields and elements, their classes.

use super::body::Operand;
use super::branch::{compare, int};
use super::instruction::{long, narrow};
use super::{INT, Lower, Lowered};
use crate::frontend::java::class::Origin;
use crate::frontend::java::code::Member;
use crate::frontend::java::reach::Trap;
use crate::frontend::java::types::{JavaType, Kind, element_type};
use crate::frontend::java::world::{BODY_OFFSET, CLASS_OFFSET, ClassId, FieldPlace, LENGTH_OFFSET};
use crate::program::{BinaryOp, Expr, FloatKind, OFFSET, Region, Scope, Statement, Type, VarId};
use crate::term::Integer;
use std::rc::Rc;

/// Arrays with more elements than this are not made: an execution that asks for one ends in a fault.
const MAX_ELEMENTS: i64 = 1 << 26;

/// The name of the field that the compiler makes for `assert`.
const ASSERTIONS_DISABLED: &str = "$assertionsDisabled";

/// The place so many bytes into an object.
pub(super) fn at(object: &Expr, offset: i64) -> Expr {
    match offset {
        0 => object.clone(),
        _ => Expr::binary(BinaryOp::PointerAdd, object.clone(), Expr::Int(Integer::from(offset), OFFSET)),
    }
}

/// The value of a cell as an operand.
pub(super) fn load_cell(ty: &JavaType, place: Expr) -> Expr {
    widen(ty, Expr::Load(ty.cell_type(), Box::new(place)))
}

fn widen(ty: &JavaType, cell: Expr) -> Expr {
    match ty {
        JavaType::Boolean | JavaType::Byte | JavaType::Char | JavaType::Short => Expr::Cast(INT, Box::new(cell)),
        _ => cell,
    }
}

/// An operand as the value of a cell.
pub(super) fn to_cell(ty: &JavaType, value: Expr) -> Expr {
    match (ty, value) {
        (JavaType::Boolean | JavaType::Byte | JavaType::Char | JavaType::Short, Expr::Int(n, _)) => {
            let Type::Machine(machine) = ty.cell_type() else { unreachable!("these are machine integers") };
            Expr::Int(machine.wrap(&n), ty.cell_type())
        }
        (JavaType::Boolean | JavaType::Byte | JavaType::Char | JavaType::Short, value) => {
            Expr::Cast(ty.cell_type(), Box::new(value))
        }
        (_, value) => value,
    }
}

/// Zero, false or null.
pub(super) fn default_value(kind: Kind) -> Expr {
    match kind {
        Kind::Int => int(0),
        Kind::Long => long(0),
        Kind::Float => Expr::Float(0, FloatKind::F32),
        Kind::Double => Expr::Float(0, FloatKind::F64),
        Kind::Reference => Expr::Null,
    }
}

impl Lower<'_> {
    /// Throws unless the reference is to an object.
    pub(super) fn null_check(&mut self, object: &Expr) -> Lowered<()> {
        if let Expr::Var(variable) = object
            && (self.body.not_null.contains(variable) || self.is_fixed(*variable))
        {
            return Ok(());
        }
        self.trap_if(compare(BinaryOp::Eq, object.clone(), Expr::Null), Trap::NullPointer, &[])?;
        // A global may be null again after any call.
        if let Expr::Var(variable) = object
            && self.program.variables[*variable].scope != Scope::Global
        {
            self.body.not_null.insert(*variable);
        }
        Ok(())
    }

    /// Whether a variable always points to an object: `this`, literals, class objects.
    fn is_fixed(&self, variable: VarId) -> bool {
        let is_this = self.body.keeps_this && self.body.locals.get(&(0, Kind::Reference)) == Some(&variable);
        is_this || self.fixed.contains(&variable)
    }

    /// Makes an object of a class.
    pub(super) fn new_object(&mut self, name: &str) -> Lowered<()> {
        let class = match self.world.load(name) {
            Ok(class) => class,
            Err(error) => {
                let what = self.unlinked(error);
                self.unmodelled(&what);
                return Ok(());
            }
        };
        if self.world.class(class).is_abstract || name.starts_with('[') {
            return Err(self.wrong("its code makes an object of an abstract class"));
        }
        if self.ends_uncaught(class) {
            return Ok(());
        }
        self.initialise(class)?;
        if !self.is_reachable() {
            return Ok(());
        }
        let variable = self.operand(self.body.stack.len(), Kind::Reference);
        self.allocate(variable, class)?;
        self.body.stack.push(Operand { exact: Some(class), ..Operand::new(Expr::Var(variable), Kind::Reference) });
        Ok(())
    }

    /// Makes an object of a class in a variable.
    pub(super) fn allocate(&mut self, variable: VarId, class: ClassId) -> Lowered<()> {
        let size = Expr::Int(Integer::from(self.world.classes[class].size), OFFSET);
        self.protect(&[variable]);
        self.emit(Statement::Allocate { target: variable, size, region: Region::Heap, zeroed: true });
        let number = self.class_number(class)?;
        self.emit(Statement::Store { address: at(&Expr::Var(variable), CLASS_OFFSET), value: number });
        self.body.not_null.insert(variable);
        Ok(())
    }

    /// The number of a class of which objects are made.
    pub(super) fn class_number(&self, class: ClassId) -> Lowered<Expr> {
        match self.numbers.get(&class) {
            Some(number) => Ok(int(i64::from(*number))),
            None => Err(self.wrong("too many methods are reached")),
        }
    }

    /// Takes a length from the stack, makes an array.
    pub(super) fn new_array(&mut self, element: &JavaType) -> Lowered<()> {
        let class = match self.world.load(&element.array_of()) {
            Ok(class) => class,
            Err(error) => {
                let what = self.unlinked(error);
                self.unmodelled(&what);
                return Ok(());
            }
        };
        self.simplify_top(1)?;
        let length = self.pop_kind(Kind::Int)?;
        let depth = self.body.stack.len();
        let variable = self.operand(depth, Kind::Reference);
        self.allocate_array(variable, class, &length)?;
        self.body.stack.push(Operand { exact: Some(class), ..Operand::new(Expr::Var(variable), Kind::Reference) });
        Ok(())
    }

    /// Makes an array in a variable.
    pub(super) fn allocate_array(&mut self, variable: VarId, class: ClassId, length: &Expr) -> Lowered<()> {
        self.trap_if(compare(BinaryOp::Lt, length.clone(), int(0)), Trap::NegativeSize, std::slice::from_ref(length))?;
        let element = self.world.class(class).element.clone().expect("this is an array class");
        self.protect(&[variable]);
        let allocate = |size| Statement::Allocate { target: variable, size, region: Region::Heap, zeroed: true };
        let size = match length {
            Expr::Int(n, _) => {
                let elements = n.to_i64().unwrap_or(i64::MAX);
                let bytes = if elements > MAX_ELEMENTS { -1 } else { BODY_OFFSET + elements * element.bytes() };
                Expr::Int(Integer::from(bytes), OFFSET)
            }
            other => {
                self.limit_length(other, variable);
                let wide = Expr::Cast(OFFSET, Box::new(other.clone()));
                let bytes = Expr::binary(BinaryOp::Mul, wide, Expr::Int(Integer::from(element.bytes()), OFFSET));
                Expr::binary(BinaryOp::Add, bytes, Expr::Int(Integer::from(BODY_OFFSET), OFFSET))
            }
        };
        self.emit(allocate(size));
        let number = self.class_number(class)?;
        self.emit(Statement::Store { address: at(&Expr::Var(variable), CLASS_OFFSET), value: number });
        self.emit(Statement::Store { address: at(&Expr::Var(variable), LENGTH_OFFSET), value: length.clone() });
        self.body.not_null.insert(variable);
        Ok(())
    }

    /// An array that is too long for memory is a fault, which engines tell of, before memory is really used up.
    fn limit_length(&mut self, length: &Expr, variable: VarId) {
        let (fine, huge) = (self.location(), self.location());
        self.branch(compare(BinaryOp::Le, length.clone(), int(MAX_ELEMENTS)), fine, huge);
        let known = self.body.not_null.clone();
        self.start_at(huge);
        let size = Expr::Int(Integer::from(-1), OFFSET);
        self.emit(Statement::Allocate { target: variable, size, region: Region::Heap, zeroed: true });
        self.go_to(fine);
        self.start_at(fine);
        self.body.not_null = known;
    }

    /// Makes an array of arrays: a call of a procedure with loops, one for each such instruction's shape.
    pub(super) fn new_arrays(&mut self, name: &Rc<str>, dimensions: u8) -> Lowered<()> {
        let mut lengths = Vec::new();
        self.simplify_top(dimensions.into())?;
        for _ in 0..dimensions {
            lengths.push(self.pop_kind(Kind::Int)?);
        }
        lengths.reverse();
        if let Err(error) = self.world.load(name) {
            let what = self.unlinked(error);
            self.unmodelled(&what);
            return Ok(());
        }
        // Every length is looked at before anything is made.
        for length in &lengths {
            let negative = compare(BinaryOp::Lt, length.clone(), int(0));
            self.trap_if(negative, Trap::NegativeSize, std::slice::from_ref(length))?;
        }
        let variable = self.operand(self.body.stack.len(), Kind::Reference);
        self.protect(&[variable]);
        // The lengths may be in operands' variables that the result takes.
        let lengths: Vec<Expr> = lengths.into_iter().map(|length| self.keep(length, INT)).collect();
        self.fill_arrays(variable, name, &lengths)?;
        self.push_expr(Expr::Var(variable), Kind::Reference);
        Ok(())
    }

    fn fill_arrays(&mut self, variable: VarId, name: &str, lengths: &[Expr]) -> Lowered<()> {
        let class = self.world.load(name).map_err(|error| self.wrong(error.to_string()))?;
        self.allocate_array(variable, class, &lengths[0])?;
        let rest = &lengths[1..];
        let Some(JavaType::Reference(inner)) = element_type(name).filter(|_| !rest.is_empty()) else { return Ok(()) };
        let (index, element) = (self.temporary(INT), self.temporary(Type::Pointer));
        self.emit(Statement::Assign(vec![(index, int(0))]));
        let head = self.here();
        let (again, done) = (self.location(), self.location());
        self.branch(compare(BinaryOp::Lt, Expr::Var(index), lengths[0].clone()), again, done);
        self.start_at(again);
        self.fill_arrays(element, &inner, rest)?;
        let ty = JavaType::Reference(Rc::clone(&inner));
        let place = element_place(&Expr::Var(variable), &Expr::Var(index), &ty);
        self.emit(Statement::Store { address: place, value: Expr::Var(element) });
        self.emit(Statement::Assign(vec![(index, Expr::binary(BinaryOp::Add, Expr::Var(index), int(1)))]));
        self.go_to(head);
        self.start_at(done);
        Ok(())
    }

    /// The length of an array on the stack.
    pub(super) fn array_length(&mut self) -> Lowered<()> {
        self.simplify_top(1)?;
        let array = self.pop_kind(Kind::Reference)?;
        self.null_check(&array)?;
        self.push_kept(length_of(&array), Kind::Int);
        Ok(())
    }

    /// Takes an array and an index from the stack, checks both; tells where the element is.
    fn element(&mut self, ty: &JavaType, array: &Expr, index: &Expr) -> Lowered<Expr> {
        self.null_check(array)?;
        let length = length_of(array);
        let below = compare(BinaryOp::Lt, index.clone(), int(0));
        let above = compare(BinaryOp::Ge, index.clone(), length.clone());
        let outside = if below == Expr::Bool(false) { above } else { Expr::Or(vec![below, above]) };
        self.trap_if(outside, Trap::Index, &[index.clone(), length])?;
        Ok(element_place(array, index, ty))
    }

    /// Loads an element.
    pub(super) fn array_load(&mut self, ty: &JavaType) -> Lowered<()> {
        self.simplify_top(2)?;
        let index = self.pop_kind(Kind::Int)?;
        let array = self.pop_kind(Kind::Reference)?;
        let place = self.element(ty, &array, &index)?;
        self.push_kept(load_cell(ty, place), ty.kind());
        Ok(())
    }

    /// Stores an element.
    pub(super) fn array_store(&mut self, ty: &JavaType) -> Lowered<()> {
        let is_reference = ty.kind() == Kind::Reference;
        self.simplify_top(3)?;
        let value = self.pop_kind(ty.kind())?;
        let index = self.pop_kind(Kind::Int)?;
        let array = self.pop_kind(Kind::Reference)?;
        let place = self.element(ty, &array, &index)?;
        if is_reference && value != Expr::Null {
            let wrong = self.breaks_array(&array, &value);
            self.trap_if(wrong, Trap::ArrayStore, std::slice::from_ref(&value))?;
        }
        self.emit(Statement::Store { address: place, value: to_cell(ty, value) });
        Ok(())
    }

    /// The condition that the array's elements are of a class that the value is not of.
    pub(super) fn breaks_array(&mut self, array: &Expr, value: &Expr) -> Expr {
        let (array_number, value_number) = (class_number_of(array), class_number_of(value));
        let mut cases = Vec::new();
        for class in self.numbered.clone() {
            let Some(element) = self.world.element_class(class) else { continue };
            let fits = self.is_instance(&value_number, element);
            if fits != Expr::Bool(true) {
                let is_this = compare(BinaryOp::Eq, array_number.clone(), int(i64::from(self.numbers[&class])));
                cases.push(Expr::And(vec![is_this, self.negated(fits)]));
            }
        }
        if cases.is_empty() {
            return Expr::Bool(false);
        }
        Expr::And(vec![compare(BinaryOp::Ne, value.clone(), Expr::Null), Expr::Or(cases)])
    }

    /// The condition that a class number is of a class below the given one.
    pub(super) fn is_instance(&self, number: &Expr, class: ClassId) -> Expr {
        let fits: Vec<ClassId> =
            self.numbered.iter().copied().filter(|known| self.world.is_subtype(*known, class)).collect();
        self.is_one_of(number, &fits)
    }

    /// The condition that a class number is of one of the classes.
    pub(super) fn is_one_of(&self, number: &Expr, classes: &[ClassId]) -> Expr {
        let mut numbers: Vec<i32> = classes.iter().filter_map(|class| self.numbers.get(class).copied()).collect();
        numbers.sort_unstable();
        if numbers.len() == self.numbered.len() {
            return Expr::Bool(true);
        }
        let mut ranges: Vec<(i32, i32)> = Vec::new();
        for n in numbers {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == n => *last = n,
                _ => ranges.push((n, n)),
            }
        }
        let highest = self.numbered.len() as i32;
        let range = |(first, last): (i32, i32)| {
            let low = Expr::binary(BinaryOp::Ge, number.clone(), int(first.into()));
            let high = Expr::binary(BinaryOp::Le, number.clone(), int(last.into()));
            match (first, last) {
                (first, last) if first == last => Expr::binary(BinaryOp::Eq, number.clone(), int(first.into())),
                (1, _) => high,
                (_, last) if last == highest => low,
                _ => Expr::And(vec![low, high]),
            }
        };
        let mut conditions: Vec<Expr> = ranges.into_iter().map(range).collect();
        match conditions.len() {
            0 => Expr::Bool(false),
            1 => conditions.remove(0),
            _ => Expr::Or(conditions),
        }
    }

    /// Throws unless the reference on top is null or to an object of the class.
    pub(super) fn check_cast(&mut self, name: &str) -> Lowered<()> {
        self.simplify_top(1)?;
        let operand = self.pop()?;
        self.expect(operand.kind == Kind::Reference)?;
        let class = match self.world.load(name) {
            Ok(class) => class,
            Err(error) => {
                // Only null can be cast to a class that is not there.
                if operand.expr != Expr::Null {
                    let (null, object) = (self.location(), self.location());
                    self.branch(compare(BinaryOp::Eq, operand.expr.clone(), Expr::Null), null, object);
                    self.start_at(object);
                    let what = self.unlinked(error);
                    self.unmodelled(&what);
                    self.start_at(null);
                }
                self.push(Operand::new(Expr::Null, Kind::Reference));
                return Ok(());
            }
        };
        let fits = self.is_instance(&class_number_of(&operand.expr), class);
        if operand.expr != Expr::Null && fits != Expr::Bool(true) {
            let wrong = match self.negated(fits) {
                Expr::Bool(true) => compare(BinaryOp::Ne, operand.expr.clone(), Expr::Null),
                other => Expr::And(vec![compare(BinaryOp::Ne, operand.expr.clone(), Expr::Null), other]),
            };
            let arguments = self.cast_arguments(&operand.expr, class);
            self.trap_if(wrong, Trap::ClassCast, &arguments)?;
        }
        self.push(operand);
        Ok(())
    }

    /// Whether the reference on top is to an object of the class.
    pub(super) fn instance_of(&mut self, name: &str) -> Lowered<()> {
        self.simplify_top(1)?;
        let object = self.pop_kind(Kind::Reference)?;
        let class = match self.world.load(name) {
            Ok(class) => class,
            Err(error) => {
                let what = self.unlinked(error);
                self.unmodelled(&what);
                return Ok(());
            }
        };
        let is_object = compare(BinaryOp::Ne, object.clone(), Expr::Null);
        let condition = match self.is_instance(&class_number_of(&object), class) {
            Expr::Bool(true) => is_object,
            Expr::Bool(false) => Expr::Bool(false),
            _ if object == Expr::Null => Expr::Bool(false),
            fits => Expr::And(vec![is_object, fits]),
        };
        match condition {
            Expr::Bool(value) => self.push_expr(int(value.into()), Kind::Int),
            condition => self.push_kept(Expr::Cast(INT, Box::new(condition)), Kind::Int),
        }
        Ok(())
    }

    fn field(&mut self, member: &Member, is_static: bool) -> Lowered<Option<FieldPlace>> {
        match self.world.resolve_field(member) {
            Ok(field) if field.offset.is_none() == is_static => Ok(Some(field)),
            Ok(_) => Err(self.wrong(format!("its code takes field {} for static, or does not", member.name))),
            Err(error) => {
                let what = self.unlinked(error);
                self.unmodelled(&what);
                Ok(None)
            }
        }
    }

    /// Loads a field of the object on top.
    pub(super) fn get_field(&mut self, member: &Member) -> Lowered<()> {
        let Some(field) = self.field(member, false)? else { return Ok(()) };
        self.simplify_top(1)?;
        let object = self.pop_kind(Kind::Reference)?;
        self.null_check(&object)?;
        let place = at(&object, field.offset.expect("the field is in objects"));
        self.push_shared(load_cell(&field.ty, place), field.ty.kind(), field.is_volatile);
        Ok(())
    }

    /// Stores the value on top in a field of the object below it.
    pub(super) fn put_field(&mut self, member: &Member) -> Lowered<()> {
        let Some(field) = self.field(member, false)? else { return Ok(()) };
        self.simplify_top(2)?;
        let value = self.pop_kind(field.ty.kind())?;
        let object = self.pop_kind(Kind::Reference)?;
        self.null_check(&object)?;
        let place = at(&object, field.offset.expect("the field is in objects"));
        self.emit_shared(Statement::Store { address: place, value: to_cell(&field.ty, value) }, field.is_volatile);
        Ok(())
    }

    /// Loads a static field.
    pub(super) fn get_static(&mut self, member: &Member) -> Lowered<()> {
        let Some(field) = self.field(member, true)? else { return Ok(()) };
        if &*member.name == ASSERTIONS_DISABLED {
            // Assertions are on in the user's classes, and off in the library's, as with `java -ea`.
            let disabled = self.world.class(field.class).origin != Origin::User;
            self.push_expr(int(disabled.into()), Kind::Int);
            return Ok(());
        }
        self.initialise(field.class)?;
        if !self.is_reachable() {
            return Ok(());
        }
        let variable = self.static_field(&field, member);
        if self.reached.has_threads {
            self.push_shared(Expr::Var(variable), field.ty.kind(), field.is_volatile);
        } else {
            self.push_expr(Expr::Var(variable), field.ty.kind());
        }
        Ok(())
    }

    /// Stores the value on top in a static field.
    pub(super) fn put_static(&mut self, member: &Member) -> Lowered<()> {
        let Some(field) = self.field(member, true)? else { return Ok(()) };
        self.simplify_top(1)?;
        self.initialise(field.class)?;
        if !self.is_reachable() {
            return Ok(());
        }
        let value = self.pop_kind(field.ty.kind())?;
        if &*member.name == ASSERTIONS_DISABLED {
            return Ok(());
        }
        let value = match &field.ty {
            ty @ (JavaType::Byte | JavaType::Char | JavaType::Short) => narrow(value, ty),
            _ => value,
        };
        let variable = self.static_field(&field, member);
        if self.reached.has_threads {
            self.emit_shared(Statement::Assign(vec![(variable, value)]), field.is_volatile);
        } else {
            self.assign(variable, value);
        }
        Ok(())
    }

    fn static_field(&mut self, field: &FieldPlace, member: &Member) -> VarId {
        let key = (field.class, Rc::clone(&member.name), member.descriptor.to_string());
        if let Some(known) = self.statics.get(&key) {
            return *known;
        }
        let declared = self.world.class(field.class).fields.iter().find(|f| f.name == member.name && f.ty == field.ty);
        let constant = declared.and_then(|field| field.constant.clone());
        let value = match constant {
            Some(constant) => self.constant_value(&constant),
            None => default_value(field.ty.kind()),
        };
        let name = format!("{}.{}", self.class_name(field.class), member.name);
        let variable = self.global(&name, field.ty.kind().program_type(), value);
        self.statics.insert(key, variable);
        variable
    }
}

/// The length of an array.
pub(super) fn length_of(array: &Expr) -> Expr {
    Expr::Load(INT, Box::new(at(array, LENGTH_OFFSET)))
}

/// The number of an object's class.
pub(super) fn class_number_of(object: &Expr) -> Expr {
    Expr::Load(INT, Box::new(at(object, CLASS_OFFSET)))
}

/// Where an element of an array is.
pub(super) fn element_place(array: &Expr, index: &Expr, ty: &JavaType) -> Expr {
    match index {
        Expr::Int(n, _) => match n.to_i64() {
            Some(n) if (0..MAX_ELEMENTS).contains(&n) => at(array, BODY_OFFSET + n * ty.bytes()),
            _ => at(array, -1),
        },
        other => {
            let wide = Expr::Cast(OFFSET, Box::new(other.clone()));
            let bytes = Expr::binary(BinaryOp::Mul, wide, Expr::Int(Integer::from(ty.bytes()), OFFSET));
            let offset = Expr::binary(BinaryOp::Add, bytes, Expr::Int(Integer::from(BODY_OFFSET), OFFSET));
            Expr::binary(BinaryOp::PointerAdd, array.clone(), offset)
        }
    }
}

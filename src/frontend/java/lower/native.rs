//! Methods without code that have a known meaning.

use super::branch::{compare, int};
use super::object::{at, class_number_of, element_place, length_of};
use super::{INT, Lower, Lowered};
use crate::frontend::java::library::{self, NATIVE};
use crate::frontend::java::reach::values_of;
use crate::frontend::java::types::{JavaType, Kind, source_name};
use crate::frontend::java::world::{CLASS_OFFSET, MethodId};
use crate::program::{BinaryOp, Conversion, Expr, FloatKind, OFFSET, Piece, Region, Statement, Style, Type, VarId};
use crate::term::Integer;

/// Where a result goes.
pub(super) type Target = Option<(VarId, Kind)>;

impl Lower<'_> {
    /// Does what a native method does.
    pub(super) fn native(&mut self, method: MethodId, arguments: Vec<Expr>, target: Target) -> Lowered<()> {
        let class = self.world.class(method.class).name.clone();
        let name = self.world.method(method).name.clone();
        match (&*class, &*name) {
            (NATIVE, "unmodelled") => {
                let caller = self.body.method.expect("only methods call");
                let name = self.caller_name(caller);
                self.unmodelled(&format!("what {name} does here"));
            }
            (NATIVE, name) => self.own_native(name, &arguments, target)?,
            ("java/lang/Object", "getClass") => {
                let table = self.class_table();
                let number = Expr::Cast(OFFSET, Box::new(class_number_of(&arguments[0])));
                let offset = Expr::binary(BinaryOp::Mul, number, Expr::Int(Integer::from(8), OFFSET));
                let place = Expr::binary(BinaryOp::PointerAdd, Expr::Var(table), offset);
                self.set(target, Expr::Load(Type::Pointer, Box::new(place)));
            }
            ("java/lang/Object", "hashCode") => self.identity_hash_once(&arguments[0], target),
            ("java/lang/System", "identityHashCode") => {
                let (null, object, join) = (self.location(), self.location(), self.location());
                self.branch(compare(BinaryOp::Eq, arguments[0].clone(), Expr::Null), null, object);
                self.start_at(null);
                self.set(target, int(0));
                self.go_to(join);
                self.start_at(object);
                self.identity_hash_once(&arguments[0], target);
                self.go_to(join);
                self.start_at(join);
            }
            ("java/lang/Object", "clone") => self.clone_object(&arguments[0], target)?,
            ("java/lang/Float", "floatToRawIntBits") => self.reinterpret(&arguments[0], INT, target),
            ("java/lang/Float", "intBitsToFloat") => {
                self.reinterpret(&arguments[0], Type::Float(FloatKind::F32), target);
            }
            ("java/lang/Double", "doubleToRawLongBits") => {
                self.reinterpret(&arguments[0], Kind::Long.program_type(), target);
            }
            ("java/lang/Double", "longBitsToDouble") => {
                self.reinterpret(&arguments[0], Type::Float(FloatKind::F64), target);
            }
            // What the virtual machine says was put into the exceptions that it makes.
            ("java/lang/NullPointerException", "getExtendedNPEMessage") => self.set(target, Expr::Null),
            (_, "registerNatives") => {}
            _ => {
                let name = self.world.method_name(method);
                self.unmodelled(&format!("the native method {name}"));
            }
        }
        Ok(())
    }

    /// What a program knows a method of the models as.
    fn caller_name(&self, caller: MethodId) -> String {
        let (class, method) = (self.world.class(caller.class), self.world.method(caller));
        match library::replaced(&class.name, &method.name, &method.descriptor) {
            Some((class, name)) => format!("{}.{name}{}", source_name(class), method.signature),
            None => self.world.method_name(caller),
        }
    }

    pub(super) fn set(&mut self, target: Target, value: Expr) {
        if let Some((variable, _)) = target {
            self.emit(Statement::Assign(vec![(variable, value)]));
        }
    }

    fn own_native(&mut self, name: &str, arguments: &[Expr], target: Target) -> Lowered<()> {
        match name {
            "executes" => self.set(target, int(self.options.executes.into())),
            "print" => {
                let byte = Expr::Cast(Type::machine(8, false), Box::new(arguments[0].clone()));
                self.emit(Statement::Output(vec![Piece::Value { expr: byte, style: Style::plain(Conversion::Char) }]));
            }
            "printNumber" => {
                let style = Style::plain(Conversion::Decimal);
                self.emit(Statement::Output(vec![Piece::Value { expr: arguments[0].clone(), style }]));
            }
            "anyBoolean" => self.input(Type::Bool, target),
            "anyByte" => self.input(JavaType::Byte.cell_type(), target),
            "anyChar" => self.input(JavaType::Char.cell_type(), target),
            "anyShort" => self.input(JavaType::Short.cell_type(), target),
            "anyInt" => self.input(INT, target),
            "anyLong" => self.input(JavaType::Long.cell_type(), target),
            "anyFloat" => self.input(JavaType::Float.cell_type(), target),
            "anyDouble" => self.input(JavaType::Double.cell_type(), target),
            "assume" => {
                let condition = compare(BinaryOp::Ne, arguments[0].clone(), int(0));
                self.emit(Statement::Assume(condition));
            }
            "halt" => {
                if let Some(status) = self.exit_status {
                    self.emit(Statement::Assign(vec![(status, arguments[0].clone())]));
                }
                if self.reached.has_threads {
                    self.emit(Statement::AtomicBegin);
                }
                self.stop();
            }
            "fill" => self.fill_in_stack_trace(&arguments[0])?,
            "takesSeveral" => {
                let takes_several = self.takes_several_permits();
                self.set(target, int(takes_several.into()));
            }
            "copy" => self.copy(arguments),
            "sameClass" => {
                let (a, b) = (class_number_of(&arguments[0]), class_number_of(&arguments[1]));
                self.set(target, Expr::Cast(INT, Box::new(compare(BinaryOp::Eq, a, b))));
            }
            "isReferenceArray" => {
                let is_meant = |ty: &JavaType| matches!(ty, JavaType::Reference(_));
                self.is_array_of(&arguments[0], is_meant, target);
            }
            "isArray" => self.is_array_of(&arguments[0], |_| true, target),
            "length" => self.set(target, length_of(&arguments[0])),
            "clone" => self.clone_object(&arguments[0], target)?,
            "enumConstants" => self.enum_constants(&arguments[0], target)?,
            "arrayNumber" => self.array_number(&arguments[0], target),
            "arrayOf" => {
                let array = self.world.load("[Ljava/lang/Object;").map_err(|error| self.wrong(error.to_string()))?;
                let Some((variable, _)) = target else { return Ok(()) };
                let number = self.keep(arguments[0].clone(), INT);
                self.allocate_array(variable, array, &arguments[1])?;
                self.emit(Statement::Store { address: at(&Expr::Var(variable), CLASS_OFFSET), value: number });
            }
            "literals" => {
                let table = self.literal_table();
                self.set(target, Expr::Var(table));
            }
            _ if self.thread_native(name, arguments, target)?
                || self.told_native(name, arguments, target)?
                || self.hash_native(name, arguments, target)? => {}
            other => return Err(self.wrong(format!("there is no native method {other}"))),
        }
        Ok(())
    }

    /// The constants of the enum that a class object is of.
    fn enum_constants(&mut self, object: &Expr, target: Target) -> Lowered<()> {
        let object = self.keep(object.clone(), Type::Pointer);
        let join = self.location();
        for class in self.reached.enums.clone() {
            let Some(values) = values_of(self.world, class) else { continue };
            let known = self.class_object(class);
            let (this, next) = (self.location(), self.location());
            self.branch(compare(BinaryOp::Eq, object.clone(), Expr::Var(known)), this, next);
            self.start_at(this);
            self.initialise(class)?;
            self.call(values, Vec::new(), target)?;
            self.go_to(join);
            self.start_at(next);
        }
        self.set(target, Expr::Null);
        self.go_to(join);
        self.start_at(join);
        Ok(())
    }

    /// The number of the class of arrays of objects of the class that a class object is of.
    fn array_number(&mut self, object: &Expr, target: Target) {
        let object = self.keep(object.clone(), Type::Pointer);
        let join = self.location();
        for array in self.numbered.clone() {
            let Some(element) = self.world.element_class(array) else { continue };
            let known = self.class_object(element);
            let (this, next) = (self.location(), self.location());
            self.branch(compare(BinaryOp::Eq, object.clone(), Expr::Var(known)), this, next);
            self.start_at(this);
            self.set(target, int(self.numbers[&array].into()));
            self.go_to(join);
            self.start_at(next);
        }
        self.set(target, int(0));
        self.go_to(join);
        self.start_at(join);
    }

    fn is_array_of(&mut self, object: &Expr, is_meant: impl Fn(&JavaType) -> bool, target: Target) {
        let is_array = |class: &_| self.world.class(*class).element.as_ref().is_some_and(&is_meant);
        let arrays: Vec<_> = self.numbered.iter().copied().filter(is_array).collect();
        let condition = self.is_one_of(&class_number_of(object), &arrays);
        self.set(target, Expr::Cast(INT, Box::new(condition)));
    }

    /// Any value of the type.
    fn input(&mut self, ty: Type, target: Target) {
        let Some((variable, kind)) = target else { return };
        let span = self.body.span;
        if ty == kind.program_type() {
            self.emit(Statement::Havoc { target: variable, span });
            return;
        }
        let value = self.temporary(ty);
        self.emit(Statement::Havoc { target: value, span });
        self.set(target, Expr::Cast(kind.program_type(), Box::new(Expr::Var(value))));
    }

    /// The bits of a number as those of another type of the same size.
    fn reinterpret(&mut self, value: &Expr, ty: Type, target: Target) {
        let cell = self.temporary(Type::Pointer);
        let size = Expr::Int(Integer::from(8), OFFSET);
        self.emit(Statement::Allocate { target: cell, size, region: Region::Heap, zeroed: true });
        self.emit(Statement::Store { address: Expr::Var(cell), value: value.clone() });
        self.set(target, Expr::Load(ty, Box::new(Expr::Var(cell))));
        self.emit(Statement::Free(Expr::Var(cell)));
    }

    /// Copies elements: the arrays have elements of one size, which their class says.
    pub(super) fn copy(&mut self, arguments: &[Expr]) {
        let [from, start, to, position, length] = arguments else { return };
        let join = self.location();
        let number = self.keep(class_number_of(from), INT);
        let object = JavaType::Reference("java/lang/Object".into());
        for ty in [JavaType::Byte, JavaType::Char, JavaType::Int, JavaType::Long, object] {
            let bytes = ty.bytes();
            let is_reference = |ty: &JavaType| matches!(ty, JavaType::Reference(_));
            let fits = |of: &JavaType| of.bytes() == bytes && is_reference(of) == is_reference(&ty);
            let has_size = |class: &_| self.world.class(*class).element.as_ref().is_some_and(fits);
            let classes: Vec<_> = self.numbered.iter().copied().filter(has_size).collect();
            if classes.is_empty() {
                continue;
            }
            let (this, next) = (self.location(), self.location());
            self.branch(self.is_one_of(&number, &classes), this, next);
            self.start_at(this);
            let wide = Expr::Cast(OFFSET, Box::new(length.clone()));
            let total = Expr::binary(BinaryOp::Mul, wide, Expr::Int(Integer::from(bytes), OFFSET));
            let (source, target) = (element_place(from, start, &ty), element_place(to, position, &ty));
            if self.reached.has_threads {
                self.copy_one_by_one([from, start, to, position, length], &ty);
            } else {
                self.emit(Statement::Copy { target, source, bytes: total });
            }
            self.go_to(join);
            self.start_at(next);
        }
        self.stop();
        self.start_at(join);
    }
}

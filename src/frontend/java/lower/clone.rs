//! Copies of objects and of elements, as other threads may see them being made.

use super::branch::int;
use super::native::Target;
use super::object::{at, class_number_of, length_of};
use super::{Lower, Lowered};
use crate::frontend::java::code::{Instruction, InvokeKind, Member};
use crate::frontend::java::reach::Trap;
use crate::frontend::java::world::{CLASS_OFFSET, ClassId, FieldPlace, HASH_OFFSET, LENGTH_OFFSET};
use crate::program::{Expr, OFFSET, Region, Statement, Type, UnaryOp, VarId};

/// The array of its constants that an enum has, as compilers name it.
const VALUES: &str = "$VALUES";

impl Lower<'_> {
    /// A copy of an object with all its fields or elements.
    pub(super) fn clone_object(&mut self, object: &Expr, target: Target) -> Lowered<()> {
        let Some((variable, _)) = target else { return Ok(()) };
        let cloneable = self.world.load("java/lang/Cloneable").map_err(|error| self.wrong(error.to_string()))?;
        let fits = self.is_instance(&class_number_of(object), cloneable);
        self.trap_if(self.negated(fits), Trap::NotCloneable, std::slice::from_ref(object))?;
        let original = self.keep(object.clone(), Type::Pointer);
        let size = self.keep(Expr::unary(UnaryOp::ObjectSize, original.clone()), OFFSET);
        self.emit(Statement::Allocate { target: variable, size: size.clone(), region: Region::Heap, zeroed: true });
        if self.reached.has_threads && !self.clones_constants() {
            return self.clone_in_steps(&original, variable, cloneable);
        }
        self.emit(Statement::Copy { target: Expr::Var(variable), source: original, bytes: size });
        // The hash code of an object that is no array is its own.
        let (plain, join) = (self.location(), self.location());
        let arrays = self.array_classes();
        self.branch(self.is_one_of(&class_number_of(&Expr::Var(variable)), &arrays), join, plain);
        self.start_at(plain);
        self.emit(Statement::Store { address: at(&Expr::Var(variable), HASH_OFFSET), value: int(0) });
        self.go_to(join);
        self.start_at(join);
        Ok(())
    }

    fn array_classes(&self) -> Vec<ClassId> {
        let is_array = |class: &_| self.world.class(*class).element.is_some();
        self.numbered.iter().copied().filter(is_array).collect()
    }

    /// Whether what is cloned here is the array of an enum's constants, which nothing changes: its class only clones it.
    fn clones_constants(&self) -> bool {
        let (Some(method), Some(code)) = (self.body.method, &self.body.code) else { return false };
        let class = self.world.class(method.class);
        let is_constants = |member: &Member| &*member.name == VALUES && member.class == class.name;
        let before = self.body.index.checked_sub(1).and_then(|index| code.instructions.get(index));
        let is_clone = |next: Option<&Instruction>| match next {
            Some(Instruction::Invoke(InvokeKind::Virtual, member)) => &*member.name == "clone",
            _ => false,
        };
        let only_clones = |instructions: &[Instruction]| {
            instructions.iter().enumerate().all(|(index, instruction)| match instruction {
                Instruction::GetStatic(member) if is_constants(member) => is_clone(instructions.get(index + 1)),
                _ => true,
            })
        };
        matches!(before, Some(Instruction::GetStatic(member)) if is_constants(member))
            && class.parent.as_deref() == Some("java/lang/Enum")
            && class
                .methods
                .iter()
                .filter_map(|method| method.code.as_ref())
                .all(|code| only_clones(&code.instructions))
    }

    /// Copies the fields of an object one after the other, or its elements.
    fn clone_in_steps(&mut self, original: &Expr, variable: VarId, cloneable: ClassId) -> Lowered<()> {
        let made = Expr::Var(variable);
        let number = self.keep(class_number_of(original), super::INT);
        self.emit(Statement::Store { address: at(&made, CLASS_OFFSET), value: number.clone() });
        let (array, plain, join) = (self.location(), self.location(), self.location());
        let arrays = self.array_classes();
        self.branch(self.is_one_of(&number, &arrays), array, plain);
        self.start_at(array);
        let length = self.keep(length_of(original), super::INT);
        self.emit(Statement::Store { address: at(&made, LENGTH_OFFSET), value: length.clone() });
        self.copy(&[original.clone(), int(0), made.clone(), int(0), length]);
        self.go_to(join);
        self.start_at(plain);
        for class in self.numbered.clone() {
            if arrays.contains(&class) || !self.world.is_subtype(class, cloneable) {
                continue;
            }
            let (this, next) = (self.location(), self.location());
            self.branch(self.is_one_of(&number, &[class]), this, next);
            self.start_at(this);
            for field in self.fields_of(class)? {
                let offset = field.offset.expect("the field is in objects");
                let cell = field.ty.cell_type();
                let value = self.temporary(cell);
                let load = Expr::Load(cell, Box::new(at(original, offset)));
                self.emit_shared(Statement::Assign(vec![(value, load)]), field.is_volatile);
                self.emit(Statement::Store { address: at(&made, offset), value: Expr::Var(value) });
            }
            self.go_to(join);
            self.start_at(next);
        }
        self.stop();
        self.start_at(join);
        Ok(())
    }

    /// The fields of objects of a class, those of the classes above it first.
    fn fields_of(&mut self, class: ClassId) -> Lowered<Vec<FieldPlace>> {
        let chain: Vec<ClassId> = self.world.chain(class).collect();
        let mut fields = Vec::new();
        for class in chain.into_iter().rev() {
            let of_class = self.world.class(class);
            let members: Vec<Member> = of_class
                .fields
                .iter()
                .filter(|field| !field.is_static)
                .map(|field| Member {
                    class: of_class.name.clone(),
                    name: field.name.clone(),
                    descriptor: field.ty.descriptor().into(),
                })
                .collect();
            for member in members {
                fields.push(self.world.resolve_field(&member).map_err(|error| self.wrong(error.to_string()))?);
            }
        }
        Ok(fields)
    }
}

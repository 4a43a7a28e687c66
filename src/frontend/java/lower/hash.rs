//! Identity hash codes, and hash tables that they choose places in.

use super::branch::{compare, int};
use super::native::Target;
use super::object::{at, class_number_of};
use super::{INT, Lower, Lowered};
use crate::frontend::java::code::Member;
use crate::frontend::java::reach::{goes_through, look};
use crate::frontend::java::types::Kind;
use crate::frontend::java::world::{ClassId, HASH_OFFSET, MethodId};
use crate::program::{BinaryOp, Expr, Statement, Type, UnaryOp};

impl Lower<'_> {
    /// The native methods that have to do with hash tables; tells whether this is one.
    pub(super) fn hash_native(&mut self, name: &str, arguments: &[Expr], target: Target) -> Lowered<bool> {
        match name {
            "isIdentity" => {
                let classes = self.identity_classes();
                let condition = self.is_one_of(&class_number_of(&arguments[0]), &classes);
                self.set(target, Expr::Cast(INT, Box::new(condition)));
            }
            "isTold" => {
                let executes = self.options.executes;
                let is_told = |class: &ClassId| executes || !self.has_plain_text(*class);
                let classes: Vec<ClassId> = self.numbered.iter().copied().filter(is_told).collect();
                let condition = self.is_one_of(&class_number_of(&arguments[0]), &classes);
                self.set(target, Expr::Cast(INT, Box::new(condition)));
            }
            "hashCell" => self.set(target, Expr::Load(INT, Box::new(at(&arguments[0], HASH_OFFSET)))),
            "setHashCell" => {
                let (address, value) = (at(&arguments[0], HASH_OFFSET), arguments[1].clone());
                self.emit(Statement::Store { address, value });
            }
            "openOrder" => self.may_be_another("the order of a hash table whose keys have identity hash codes"),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The classes of which objects are made that have the identity hash code, and equal themselves alone.
    fn identity_classes(&mut self) -> Vec<ClassId> {
        let mut own = |name: &str, descriptor: &str| -> Vec<MethodId> {
            let of = |class: &str| Member { class: class.into(), name: name.into(), descriptor: descriptor.into() };
            ["java/lang/Object", "java/lang/Enum"]
                .iter()
                .filter_map(|class| self.world.resolve_method(&of(class)).ok())
                .collect()
        };
        let (codes, equals) = (own("hashCode", "()I"), own("equals", "(Ljava/lang/Object;)Z"));
        let is_own = |class: ClassId, methods: &[MethodId]| {
            methods
                .first()
                .and_then(|first| self.world.select(class, *first))
                .is_some_and(|found| methods.contains(&found))
        };
        let is_identity = |class: &ClassId| {
            self.world.class(*class).element.is_none() && is_own(*class, &codes) && is_own(*class, &equals)
        };
        self.numbered.iter().copied().filter(is_identity).collect()
    }

    /// Whether the text of an object of the class is its name and the identity hash code.
    fn has_plain_text(&self, class: ClassId) -> bool {
        let object = self.world.known("java/lang/Object").expect("reached before anything else");
        let is_own = |name: &str, descriptor: &str| {
            let index = self.world.class(object).method(name, descriptor);
            let own = index.map(|index| MethodId { class: object, index: index as u32 });
            own.is_some_and(|own| self.world.select(class, own) == Some(own))
        };
        is_own("toString", "()Ljava/lang/String;") && is_own("hashCode", "()I")
    }

    /// Whether that is so of all objects that a reference to the class can be to.
    pub(super) fn have_plain_texts(&self, name: &str) -> bool {
        let Some(above) = self.world.known(name) else { return false };
        let mut below = self.numbered.iter().filter(|class| self.world.is_subtype(**class, above));
        below.all(|class| self.has_plain_text(*class))
    }

    /// What comes next is one of several possibilities, the others of which are not modelled.
    fn may_be_another(&mut self, what: &str) {
        if self.options.executes || !self.is_reachable() {
            return;
        }
        let other = self.temporary(Type::Bool);
        self.emit(Statement::Havoc { target: other, span: None });
        let (not_modelled, this) = (self.location(), self.location());
        self.branch(Expr::Var(other), not_modelled, this);
        self.start_at(not_modelled);
        self.unmodelled(what);
        self.start_at(this);
    }

    /// Where a method goes through a hash table, there is a look at its keys first.
    pub(super) fn look_at_order(&mut self, method: MethodId) -> Lowered<()> {
        let Some((slot, is_inside)) = goes_through(self.world, method) else { return Ok(()) };
        let looked = self.world.resolve_method(&look()).map_err(|error| self.wrong(error.to_string()))?;
        let object = Expr::Var(self.local(slot, Kind::Reference));
        let table = if is_inside {
            let class = self.world.class(method.class).name.to_string();
            let place = at(&object, self.field_offset(&class, "this$0", "Ljava/util/HashMap;"));
            self.keep(Expr::Load(Type::Pointer, Box::new(place)), Type::Pointer)
        } else {
            object
        };
        let callee = self.procedure(looked);
        self.emit_alone(Statement::Call { target: None, callee, arguments: vec![table] });
        Ok(())
    }

    /// The identity hash code, with no other thread in between.
    pub(super) fn identity_hash_once(&mut self, object: &Expr, target: Target) {
        if !self.reached.has_threads {
            return self.identity_hash(object, target);
        }
        self.emit(Statement::AtomicBegin);
        self.identity_hash(object, target);
        self.emit(Statement::AtomicEnd);
    }

    /// The identity hash code: any number, but always the same for one object.
    fn identity_hash(&mut self, object: &Expr, target: Target) {
        let is_array = |class: &_| self.world.class(*class).element.is_some();
        let arrays: Vec<_> = self.numbered.iter().copied().filter(is_array).collect();
        let array = self.is_one_of(&class_number_of(object), &arrays);
        let (plain, other) = (self.location(), self.location());
        self.branch(array, other, plain);
        self.start_at(other);
        self.unmodelled("the identity hash code of an array");
        self.start_at(plain);
        let place = at(object, HASH_OFFSET);
        let hash = self.keep(Expr::Load(INT, Box::new(place.clone())), INT);
        let (fresh, known) = (self.location(), self.location());
        self.branch(compare(BinaryOp::Gt, hash.clone(), int(0)), known, fresh);
        self.start_at(fresh);
        if let Expr::Var(variable) = hash {
            let (none, in_table, made) = (self.location(), self.location(), self.location());
            self.branch(compare(BinaryOp::Eq, hash.clone(), int(0)), none, in_table);
            self.start_at(in_table);
            self.may_be_another("the identity hash code of a key of a hash table");
            self.emit(Statement::Assign(vec![(variable, Expr::unary(UnaryOp::Neg, hash.clone()))]));
            self.go_to(made);
            self.start_at(none);
            let span = self.body.span;
            self.emit(Statement::Havoc { target: variable, span });
            self.emit(Statement::Assume(compare(BinaryOp::Gt, hash.clone(), int(0))));
            self.go_to(made);
            self.start_at(made);
            self.emit(Statement::Store { address: place, value: hash.clone() });
        }
        self.go_to(known);
        self.start_at(known);
        self.set(target, hash);
    }
}

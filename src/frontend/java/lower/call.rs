//! Calls: which method, on which objects, and what comes back.

use super::branch::int;
use super::instruction::is_assertion_status;
use super::object::class_number_of;
use super::{INT, Lower, Lowered};
use crate::frontend::java::class::Origin;
use crate::frontend::java::code::{Instruction, InvokeKind, Member};
use crate::frontend::java::dynamic::CONCAT;
use crate::frontend::java::library::{self, NATIVE};
use crate::frontend::java::null_message::makers;
use crate::frontend::java::reach::{self, receiver, targets};
use crate::frontend::java::types::{JavaType, Kind, Signature};
use crate::frontend::java::world::{ClassId, LinkError, MethodId};
use crate::program::{Expr, Statement};

/// How many instructions are between a text and what prints it.
const MAX_APART: usize = 200;
/// The class of standard output.
const PRINT_STREAM: &str = "java/io/PrintStream";

impl Lower<'_> {
    /// Lowers a call.
    pub(super) fn invoke(&mut self, kind: InvokeKind, member: &Member) -> Lowered<()> {
        let signature = Signature::parse(&member.descriptor).ok_or_else(|| self.wrong("a descriptor is broken"))?;
        if is_assertion_status(member) {
            self.pop_kind(Kind::Reference)?;
            let caller = self.body.method.map(|method| self.world.class(method.class).origin);
            self.push_expr(int((caller == Some(Origin::User)).into()), Kind::Int);
            return Ok(());
        }
        if &*member.class == NATIVE
            && let Some(known) = self.known_of_threads(&member.name)
        {
            self.push_expr(int(known.into()), Kind::Int);
            return Ok(());
        }
        if self.is_only_printed(member, &signature) {
            for ty in signature.parameters.iter().rev() {
                self.pop_kind(ty.kind())?;
            }
            self.push_expr(Expr::Null, Kind::Reference);
            return Ok(());
        }
        let count = signature.parameters.len() + usize::from(kind != InvokeKind::Static);
        let caller = self.body.method.expect("only methods call");
        let is_printed = self.is_text_printed(member);
        let printed = reach::printed();
        let member = if is_printed { &printed } else { member };
        let called = match reach::resolve(self.world, caller, kind, member) {
            Ok(called) => called,
            Err(error @ LinkError::Broken(_)) => return Err(self.wrong(error.to_string())),
            Err(error) => {
                let what = self.unlinked(error);
                self.unmodelled(&what);
                return Ok(());
            }
        };
        if kind != InvokeKind::Static {
            let length = self.body.stack.len();
            if count > length {
                return Err(self.wrong("its code takes an operand from an empty stack"));
            }
            self.simplify_operand(length - count);
        }
        if kind == InvokeKind::Static {
            self.initialise(called.class)?;
            if !self.is_reachable() {
                return Ok(());
            }
        }
        let mut arguments = Vec::with_capacity(count);
        for ty in signature.parameters.iter().rev() {
            arguments.push(self.pop_kind(ty.kind())?);
        }
        let mut exact = None;
        if kind != InvokeKind::Static {
            let object = self.pop()?;
            self.expect(object.kind == Kind::Reference)?;
            if object.exact.is_none() {
                self.null_check(&object.expr)?;
            }
            exact = object.exact;
            arguments.push(object.expr);
        }
        arguments.reverse();
        let result = signature.result.as_ref().map(|ty| ty.kind());
        match reach::effective(self.world, kind, called) {
            InvokeKind::Static | InvokeKind::Special => self.call_and_push(called, arguments, result),
            InvokeKind::Virtual | InvokeKind::Interface => {
                let found = match exact.and_then(|class| self.world.select(class, called)) {
                    Some(target) => vec![(target, Vec::new())],
                    None => {
                        let receiver = receiver(self.world, member, called);
                        targets(self.world, self.reached, receiver, called)
                    }
                };
                self.call_one_of(found, arguments, result)
            }
        }
    }

    /// Calls a method, and puts its result on the stack.
    pub(super) fn call_and_push(
        &mut self,
        method: MethodId,
        arguments: Vec<Expr>,
        result: Option<Kind>,
    ) -> Lowered<()> {
        self.call_one_of(vec![(method, Vec::new())], arguments, result)
    }

    fn call_one_of(
        &mut self,
        found: Vec<(MethodId, Vec<ClassId>)>,
        arguments: Vec<Expr>,
        result: Option<Kind>,
    ) -> Lowered<()> {
        let depth = self.body.stack.len();
        if let [(only, _)] = found.as_slice()
            && let Some(native) = self.forwarded(*only)
        {
            return self.call_native(native, arguments, result);
        }
        if let [(only, _)] = found.as_slice()
            && self.prints_unseen(*only)
        {
            return Ok(());
        }
        let target = result.map(|kind| self.operand(depth, kind));
        self.protect_globals();
        // The arguments may be in the operand's variable, but they are read before it is written.
        self.protect(&target.into_iter().collect::<Vec<_>>());
        match found.len() {
            // No object has such a class: the reference can only be null, which was looked at.
            0 => self.stop(),
            1 => self.call(found[0].0, arguments, target.zip(result))?,
            _ => {
                let number = self.keep(class_number_of(&arguments[0]), INT);
                let join = self.location();
                let last = found.len() - 1;
                for (i, (method, classes)) in found.into_iter().enumerate() {
                    if i < last {
                        let (this, next) = (self.location(), self.location());
                        self.branch(self.is_one_of(&number, &classes), this, next);
                        self.start_at(this);
                        self.call(method, arguments.clone(), target.zip(result))?;
                        self.go_to(join);
                        self.start_at(next);
                    } else {
                        self.call(method, arguments.clone(), target.zip(result))?;
                        self.go_to(join);
                    }
                }
                self.start_at(join);
            }
        }
        if let Some((variable, kind)) = target.zip(result) {
            self.push_expr(Expr::Var(variable), kind);
        }
        Ok(())
    }

    /// Whether a method does nothing but print, where nobody sees it.
    fn prints_unseen(&self, method: MethodId) -> bool {
        let called = self.world.method(method);
        &*self.world.class(method.class).name == PRINT_STREAM && self.is_unseen(&called.name, &called.descriptor)
    }

    /// What takes an object asks it for its text, and what takes an array looks at it.
    fn is_unseen(&self, name: &str, descriptor: &str) -> bool {
        let takes_value = ["()V", "(Z)V", "(C)V", "(I)V", "(J)V", "(F)V", "(D)V", "(Ljava/lang/String;)V"];
        !self.options.executes && matches!(name, "print" | "println") && takes_value.contains(&descriptor)
    }

    /// Whether this is a concatenation of which nothing can be told but what is printed, and nobody sees that.
    fn is_only_printed(&self, member: &Member, signature: &Signature) -> bool {
        let plain = |ty: &JavaType| match ty {
            JavaType::Reference(name) => &**name == "java/lang/String" || self.have_plain_texts(name),
            _ => true,
        };
        self.is_printed_next(self.body.index, member) && signature.parameters.iter().all(plain)
    }

    /// Whether the instruction concatenates, and the next one prints what comes of it unseen.
    fn is_printed_next(&self, index: usize, member: &Member) -> bool {
        let next = self.body.code.as_ref().and_then(|code| code.instructions.get(index + 1));
        let Some(Instruction::Invoke(InvokeKind::Virtual, next)) = next else { return false };
        member.name.starts_with(CONCAT) && &*next.class == PRINT_STREAM && self.is_unseen(&next.name, &next.descriptor)
    }

    /// Whether the text of an object is asked for here only to be part of what is printed unseen.
    fn is_text_printed(&self, member: &Member) -> bool {
        let Some(code) = self.body.code.as_ref().filter(|_| self.is_in_users_code()) else { return false };
        if !library::is_value_of(&member.class, &member.name, &member.descriptor) {
            return false;
        }
        let here = self.body.index;
        if matches!(code.instructions.get(here + 1), Some(Instruction::Stack(_))) {
            return false;
        }
        let rest = code.instructions.iter().enumerate().skip(here + 1).take(MAX_APART);
        let mut printed = rest.filter(|(index, instruction)| match instruction {
            Instruction::Invoke(InvokeKind::Static, member) => self.is_printed_next(*index, member),
            _ => false,
        });
        printed.any(|(index, _)| makers(code, index).contains(&Some(here)))
    }

    /// Whether the method that is being lowered is one of the user's.
    fn is_in_users_code(&self) -> bool {
        self.body.method.is_some_and(|method| self.world.class(method.class).origin == Origin::User)
    }

    /// The native method that a method of the models does nothing but call, with its own arguments.
    fn forwarded(&mut self, method: MethodId) -> Option<MethodId> {
        if self.world.class(method.class).origin != Origin::Model {
            return None;
        }
        let code = self.world.method(method).code.clone()?;
        let (Instruction::Return(_), before) = code.instructions.split_last()? else { return None };
        let (Instruction::Invoke(InvokeKind::Static, member), loads) = before.split_last()? else { return None };
        let is_native = &*member.class == NATIVE && &*member.name != "unmodelled";
        let is_load =
            |(i, load): (usize, &Instruction)| matches!(load, Instruction::Load(_, slot) if *slot == i as u16);
        let is_whole = loads.len() == self.world.method(method).signature.parameters.len();
        if !is_native || !is_whole || !self.world.method(method).is_static || !loads.iter().enumerate().all(is_load) {
            return None;
        }
        self.world.resolve_method(member).ok()
    }

    /// Does what a native method does right here, so that an input is where the source asks for it.
    fn call_native(&mut self, native: MethodId, arguments: Vec<Expr>, result: Option<Kind>) -> Lowered<()> {
        let next = self.body.code.as_ref().and_then(|code| code.instructions.get(self.body.index + 1)).cloned();
        let depth = self.body.stack.len();
        let target = match (result, next) {
            (None, _) => None,
            (Some(kind), Some(Instruction::Store(stored, slot))) if stored == kind => {
                Some((self.local(slot, kind), kind))
            }
            (Some(kind), _) => Some((self.operand(depth, kind), kind)),
        };
        self.protect(&target.map(|(variable, _)| variable).into_iter().collect::<Vec<_>>());
        self.native(native, arguments, target)?;
        if let Some((variable, kind)) = target {
            self.push_expr(Expr::Var(variable), kind);
        }
        Ok(())
    }

    /// Calls a method whose result goes to a variable, and looks whether it has thrown.
    pub(super) fn call(
        &mut self,
        method: MethodId,
        arguments: Vec<Expr>,
        target: Option<(crate::program::VarId, Kind)>,
    ) -> Lowered<()> {
        let called = self.world.method(method);
        if called.is_native {
            return self.native(method, arguments, target);
        }
        if library::is_not_followed(&self.world.class(method.class).name, &called.name) {
            let name = self.world.method_name(method);
            self.unmodelled(&format!("method {name}"));
            return Ok(());
        }
        if called.code.is_none() {
            let name = self.world.method_name(method);
            self.unmodelled(&format!("the call of the abstract method {name}"));
            return Ok(());
        }
        let callee = self.procedure(method);
        let counted = self.count_call(method)?;
        self.emit_alone(Statement::Call { target: target.map(|(variable, _)| variable), callee, arguments });
        if let Some(counted) = counted {
            self.uncount_call(counted);
        }
        self.check_exception();
        Ok(())
    }
}

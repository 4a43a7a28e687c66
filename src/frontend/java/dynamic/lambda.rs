//! Lambdas and method references: a class a place, with what is captured as fields.

use super::{Builder, Site, box_class, unboxed};
use crate::frontend::java::class::{BootstrapValue, Class, Field, HandleKind};
use crate::frontend::java::code::{Constant, Instruction, InvokeKind, Member, StackOp};
use crate::frontend::java::types::{JavaType, Kind, Signature};
use std::rc::Rc;

const OBJECT: &str = "java/lang/Object";

impl Site<'_> {
    /// The class of the objects that the instruction makes; its first method makes one.
    pub(super) fn lambda(&self) -> Option<Class> {
        let signature = self.signature()?;
        let interface = signature.result.as_ref()?.class_name()?;
        let [
            BootstrapValue::MethodType(erased),
            BootstrapValue::Method(kind, called),
            BootstrapValue::MethodType(exact),
            more @ ..,
        ] = self.bootstrap.arguments.as_slice()
        else {
            return None;
        };
        let name: Rc<str> = format!("{}$$Lambda{}", self.class.name, self.number).into();
        let mut class = Class {
            name: Rc::clone(&name),
            parent: Some(OBJECT.into()),
            interfaces: vec![Rc::clone(interface)],
            is_interface: false,
            is_abstract: false,
            is_final: true,
            fields: Vec::new(),
            methods: Vec::new(),
            source_file: None,
            bootstraps: Vec::new(),
            origin: self.class.origin,
            element: None,
            record: None,
            nesting: None,
            is_hidden: true,
        };
        for (i, ty) in signature.parameters.iter().enumerate() {
            let name = format!("captured{i}").into();
            let field = Field { name, ty: ty.clone(), is_static: false, is_volatile: false, constant: None };
            class.fields.push(field);
        }
        class.methods.push(self.maker(&name, &signature)?);
        class.methods.push(constructor(&name, &signature)?);
        let more = Further::read(more)?;
        class.interfaces.extend(more.interfaces);
        let mut descriptors = vec![Rc::clone(erased)];
        descriptors.extend(more.descriptors);
        descriptors.dedup();
        for descriptor in descriptors {
            let glue = Glue { name: &name, captured: &signature.parameters, kind: *kind, called, exact };
            class.methods.push(glue.method(&self.name, &descriptor)?);
        }
        Some(class)
    }

    fn maker(&self, name: &str, signature: &Signature) -> Option<crate::frontend::java::class::Method> {
        let mut code = Builder::default();
        code.push(Instruction::New(name.into()));
        code.push(Instruction::Stack(StackOp::Dup));
        let mut slot = 0;
        signature.parameters.iter().for_each(|ty| code.load(ty, &mut slot));
        code.invoke(InvokeKind::Special, name, "<init>", &constructor_descriptor(signature));
        code.push(Instruction::Return(Some(Kind::Reference)));
        code.method("make", &self.descriptor, true)
    }
}

fn constructor_descriptor(signature: &Signature) -> String {
    let parameters: String = signature.parameters.iter().map(JavaType::descriptor).collect();
    format!("({parameters})V")
}

fn constructor(name: &str, signature: &Signature) -> Option<crate::frontend::java::class::Method> {
    let mut code = Builder::default();
    code.push(Instruction::Load(Kind::Reference, 0));
    code.invoke(InvokeKind::Special, OBJECT, "<init>", "()V");
    let mut slot = 1;
    for (i, ty) in signature.parameters.iter().enumerate() {
        code.push(Instruction::Load(Kind::Reference, 0));
        code.load(ty, &mut slot);
        code.push(Instruction::PutField(captured_field(name, i, ty)));
    }
    code.push(Instruction::Return(None));
    code.method("<init>", &constructor_descriptor(signature), false)
}

fn captured_field(class: &str, index: usize, ty: &JavaType) -> Member {
    Member { class: class.into(), name: format!("captured{index}").into(), descriptor: ty.descriptor().into() }
}

/// What the object can do beside the one method.
#[derive(Default)]
struct Further {
    /// The interfaces that it has as well.
    interfaces: Vec<Rc<str>>,
    /// The further descriptors under which the method is called.
    descriptors: Vec<Rc<str>>,
}

impl Further {
    fn read(more: &[BootstrapValue]) -> Option<Further> {
        let mut further = Further::default();
        let Some((BootstrapValue::Constant(Constant::Int(flags)), rest)) = more.split_first() else {
            return Some(further);
        };
        const SERIALIZABLE: i32 = 1;
        const MARKERS: i32 = 2;
        const BRIDGES: i32 = 4;
        if flags & SERIALIZABLE != 0 {
            further.interfaces.push("java/io/Serializable".into());
        }
        let mut rest = rest.iter();
        if flags & MARKERS != 0 {
            for _ in 0..count(rest.next()?)? {
                match rest.next()? {
                    BootstrapValue::Constant(Constant::Class(name)) => further.interfaces.push(Rc::clone(name)),
                    _ => return None,
                }
            }
        }
        if flags & BRIDGES != 0 {
            for _ in 0..count(rest.next()?)? {
                match rest.next()? {
                    BootstrapValue::MethodType(descriptor) => further.descriptors.push(Rc::clone(descriptor)),
                    _ => return None,
                }
            }
        }
        Some(further)
    }
}

fn count(value: &BootstrapValue) -> Option<usize> {
    match value {
        BootstrapValue::Constant(Constant::Int(n)) => usize::try_from(*n).ok(),
        _ => None,
    }
}

/// What calls the method from the interface's method.
struct Glue<'c> {
    name: &'c str,
    captured: &'c [JavaType],
    kind: HandleKind,
    called: &'c Member,
    exact: &'c str,
}

impl Glue<'_> {
    fn method(&self, name: &str, descriptor: &str) -> Option<crate::frontend::java::class::Method> {
        let (given, exact) = (Signature::parse(descriptor)?, Signature::parse(self.exact)?);
        let called = Signature::parse(&self.called.descriptor)?;
        let mut wanted: Vec<JavaType> = called.parameters.clone();
        let has_receiver = matches!(self.kind, HandleKind::Virtual | HandleKind::Interface | HandleKind::Special);
        if has_receiver {
            wanted.insert(0, JavaType::Reference(Rc::clone(&self.called.class)));
        }
        if wanted.len() != self.captured.len() + given.parameters.len()
            || exact.parameters.len() != given.parameters.len()
        {
            return None;
        }
        let mut code = Builder::default();
        if self.kind == HandleKind::New {
            code.push(Instruction::New(Rc::clone(&self.called.class)));
            code.push(Instruction::Stack(StackOp::Dup));
        }
        for (i, ty) in self.captured.iter().enumerate() {
            code.push(Instruction::Load(Kind::Reference, 0));
            code.push(Instruction::GetField(captured_field(self.name, i, ty)));
        }
        let mut slot = 1;
        for (i, ty) in given.parameters.iter().enumerate() {
            code.load(ty, &mut slot);
            code.adapt(ty, &exact.parameters[i], &wanted[self.captured.len() + i])?;
        }
        let kind = match self.kind {
            HandleKind::Virtual => InvokeKind::Virtual,
            HandleKind::Interface => InvokeKind::Interface,
            HandleKind::Special | HandleKind::New => InvokeKind::Special,
            HandleKind::Static => InvokeKind::Static,
            HandleKind::Field => return None,
        };
        code.push(Instruction::Invoke(kind, self.called.clone()));
        let result = match self.kind {
            HandleKind::New => Some(JavaType::Reference(Rc::clone(&self.called.class))),
            _ => called.result.clone(),
        };
        match (&result, &given.result) {
            (_, None) => {
                if let Some(ty) = &result {
                    code.push(Instruction::Stack(if ty.kind().is_wide() { StackOp::Pop2 } else { StackOp::Pop }));
                }
                code.push(Instruction::Return(None));
            }
            (Some(from), Some(to)) => {
                let through = exact.result.clone().unwrap_or_else(|| to.clone());
                code.adapt_result(from, &through, to)?;
                code.push(Instruction::Return(Some(to.kind())));
            }
            (None, Some(_)) => return None,
        }
        code.method(name, descriptor, false)
    }
}

impl Builder {
    /// Makes what is wanted of what is given, where the interface is used with an exact type.
    fn adapt(&mut self, given: &JavaType, exact: &JavaType, wanted: &JavaType) -> Option<()> {
        match (given, wanted) {
            (JavaType::Reference(_), JavaType::Reference(to)) => {
                let class = exact.class_name().unwrap_or(to);
                if &**class != OBJECT && given.class_name() != Some(class) {
                    self.push(Instruction::CheckCast(Rc::clone(class)));
                }
                Some(())
            }
            (JavaType::Reference(_), to) => {
                let number = exact.class_name().and_then(|name| unboxed(name)).unwrap_or_else(|| to.clone());
                let (class, method) = box_class(&number)?;
                self.push(Instruction::CheckCast(class.into()));
                self.invoke(InvokeKind::Virtual, class, method, &format!("(){}", number.descriptor()));
                self.widen(&number, to)
            }
            (from, JavaType::Reference(_)) => self.boxed(from),
            (from, to) => self.widen(from, to),
        }
    }

    fn adapt_result(&mut self, from: &JavaType, exact: &JavaType, to: &JavaType) -> Option<()> {
        match (from, to) {
            (JavaType::Reference(_), JavaType::Reference(_)) => Some(()),
            (JavaType::Reference(class), to) => {
                let number = unboxed(class).unwrap_or_else(|| to.clone());
                let (class, method) = box_class(&number)?;
                self.push(Instruction::CheckCast(class.into()));
                self.invoke(InvokeKind::Virtual, class, method, &format!("(){}", number.descriptor()));
                self.widen(&number, to)
            }
            (from, JavaType::Reference(_)) => {
                // An `int` may become a `Long` only through `long`.
                let number = exact.class_name().and_then(|name| unboxed(name)).unwrap_or_else(|| from.clone());
                self.widen(from, &number)?;
                self.boxed(&number)
            }
            (from, to) => self.widen(from, to),
        }
    }

    fn boxed(&mut self, ty: &JavaType) -> Option<()> {
        let (class, _) = box_class(ty)?;
        self.invoke(InvokeKind::Static, class, "valueOf", &format!("({})L{class};", ty.descriptor()));
        Some(())
    }

    fn widen(&mut self, from: &JavaType, to: &JavaType) -> Option<()> {
        match (from.kind(), to.kind()) {
            (a, b) if a == b => Some(()),
            (a, b @ (Kind::Long | Kind::Float | Kind::Double)) if a != Kind::Reference => {
                self.push(Instruction::Convert(a, b));
                Some(())
            }
            _ => None,
        }
    }
}

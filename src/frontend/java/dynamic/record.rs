//! The methods that records have by themselves.

use super::{Builder, Site, box_class};
use crate::frontend::java::class::Method;
use crate::frontend::java::code::{Condition, Constant, Instruction, InvokeKind, Member, Operator};
use crate::frontend::java::types::{JavaType, Kind};
use std::rc::Rc;

const OBJECTS: &str = "java/util/Objects";

impl Site<'_> {
    /// One of `toString`, `hashCode` and `equals`.
    pub(super) fn record_method(&self) -> Option<Method> {
        let components = self.class.record.as_ref()?;
        let mut code = Builder::default();
        match &*self.name {
            "toString" => self.describe(components, &mut code),
            "hashCode" => {
                code.push(Instruction::Constant(Constant::Int(0)));
                for (name, ty) in components {
                    code.push(Instruction::Constant(Constant::Int(31)));
                    code.push(Instruction::Binary(Operator::Mul, Kind::Int));
                    self.component(0, name, ty, &mut code);
                    match box_class(ty) {
                        Some((class, _)) => {
                            code.invoke(InvokeKind::Static, class, "hashCode", &format!("({})I", ty.descriptor()));
                        }
                        None => code.invoke(InvokeKind::Static, OBJECTS, "hashCode", "(Ljava/lang/Object;)I"),
                    }
                    code.push(Instruction::Binary(Operator::Add, Kind::Int));
                }
                code.push(Instruction::Return(Some(Kind::Int)));
            }
            "equals" => self.equals(components, &mut code),
            _ => return None,
        }
        code.method(&format!("tandem$record{}", self.number), &self.descriptor, true)
    }

    fn component(&self, slot: u16, name: &Rc<str>, ty: &JavaType, code: &mut Builder) {
        code.push(Instruction::Load(Kind::Reference, slot));
        let descriptor = ty.descriptor().into();
        let member = Member { class: Rc::clone(&self.class.name), name: Rc::clone(name), descriptor };
        code.push(Instruction::GetField(member));
    }

    fn describe(&self, components: &[(Rc<str>, JavaType)], code: &mut Builder) {
        let simple = self.class.name.rsplit(['/', '$']).next().unwrap_or(&self.class.name);
        let simple = simple.trim_start_matches(|c: char| c.is_ascii_digit());
        let mut text: Vec<u16> = format!("{simple}[").encode_utf16().collect();
        code.new_builder();
        for (i, (name, ty)) in components.iter().enumerate() {
            let before = if i > 0 { ", " } else { "" };
            text.extend(format!("{before}{name}=").encode_utf16());
            code.append_text(&mut text);
            self.component(0, name, ty, code);
            code.append(ty);
        }
        text.push(u16::from(b']'));
        code.append_text(&mut text);
        code.return_text();
    }

    fn equals(&self, components: &[(Rc<str>, JavaType)], code: &mut Builder) {
        let fail = usize::MAX;
        code.push(Instruction::Load(Kind::Reference, 1));
        code.push(Instruction::InstanceOf(Rc::clone(&self.class.name)));
        code.push(Instruction::If(Condition::Equal, fail));
        for (name, ty) in components {
            self.component(0, name, ty, code);
            code.push(Instruction::Load(Kind::Reference, 1));
            code.push(Instruction::CheckCast(Rc::clone(&self.class.name)));
            let descriptor = ty.descriptor().into();
            let member = Member { class: Rc::clone(&self.class.name), name: Rc::clone(name), descriptor };
            code.push(Instruction::GetField(member));
            match (ty.kind(), box_class(ty)) {
                (Kind::Int, _) => code.push(Instruction::IfInts(Condition::NotEqual, fail)),
                (_, Some((class, _))) => {
                    let descriptor = ty.descriptor();
                    code.invoke(InvokeKind::Static, class, "compare", &format!("({descriptor}{descriptor})I"));
                    code.push(Instruction::If(Condition::NotEqual, fail));
                }
                (_, None) => {
                    let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
                    code.invoke(InvokeKind::Static, OBJECTS, "equals", descriptor);
                    code.push(Instruction::If(Condition::Equal, fail));
                }
            }
        }
        code.push(Instruction::Constant(Constant::Int(1)));
        code.push(Instruction::Return(Some(Kind::Int)));
        let end = code.code.len();
        code.push(Instruction::Constant(Constant::Int(0)));
        code.push(Instruction::Return(Some(Kind::Int)));
        for instruction in &mut code.code {
            if let Instruction::If(_, target) | Instruction::IfInts(_, target) = instruction
                && *target == fail
            {
                *target = end;
            }
        }
    }
}

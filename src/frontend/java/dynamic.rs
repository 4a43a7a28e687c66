//! What `invokedynamic` does, in plain instructions: string concatenation, lambdas and method references, the methods
//! of records. Each place becomes a call of a static method that is made for it.

mod lambda;
mod record;

use super::class::{Bootstrap, BootstrapValue, Class, Method};
use super::code::{Code, Constant, Instruction, InvokeKind, Member, StackOp};
use super::types::{JavaType, Kind, Signature};
use std::rc::Rc;

/// What the names of methods start with that concatenate strings.
pub const CONCAT: &str = "tandem$concat";

/// Replaces what is known; gives back the classes that were made for it.
pub fn expand(class: &mut Class) -> Vec<Class> {
    let mut made_methods: Vec<Method> = Vec::new();
    let mut made_classes: Vec<Class> = Vec::new();
    let mut methods = std::mem::take(&mut class.methods);
    for method in &mut methods {
        let Some(code) = &mut method.code else { continue };
        if !code.instructions.iter().any(|i| matches!(i, Instruction::InvokeDynamic(..))) {
            continue;
        }
        let mut new_code = Code::clone(code);
        for instruction in &mut new_code.instructions {
            let Instruction::InvokeDynamic(index, name, descriptor) = instruction else { continue };
            let Some(bootstrap) = class.bootstraps.get(*index) else { continue };
            let site = Site {
                class,
                bootstrap,
                name: Rc::clone(name),
                descriptor: Rc::clone(descriptor),
                number: made_methods.len() + made_classes.len(),
            };
            match site.expand() {
                Some(Expanded::Method(method)) => {
                    *instruction = call_of(&class.name, &method);
                    made_methods.push(*method);
                }
                Some(Expanded::Class(made)) => {
                    let maker = made.methods.first().expect("the first method makes an object");
                    *instruction = call_of(&made.name, maker);
                    made_classes.push(*made);
                }
                None => {}
            }
        }
        *code = Rc::new(new_code);
    }
    methods.extend(made_methods);
    class.methods = methods;
    made_classes
}

enum Expanded {
    Method(Box<Method>),
    Class(Box<Class>),
}

fn call_of(class: &Rc<str>, method: &Method) -> Instruction {
    let (name, descriptor) = (Rc::clone(&method.name), Rc::clone(&method.descriptor));
    Instruction::Invoke(InvokeKind::Static, Member { class: Rc::clone(class), name, descriptor })
}

/// One instruction with its bootstrap method.
struct Site<'c> {
    class: &'c Class,
    bootstrap: &'c Bootstrap,
    name: Rc<str>,
    descriptor: Rc<str>,
    number: usize,
}

impl Site<'_> {
    fn expand(&self) -> Option<Expanded> {
        let method = &self.bootstrap.method;
        let made = match (&*method.class, &*method.name) {
            ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants") => self.concat(true),
            ("java/lang/invoke/StringConcatFactory", "makeConcat") => self.concat(false),
            ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => {
                return self.lambda().map(|class| Expanded::Class(Box::new(class)));
            }
            ("java/lang/runtime/ObjectMethods", "bootstrap") => self.record_method(),
            _ => None,
        };
        made.map(|method| Expanded::Method(Box::new(method)))
    }

    fn signature(&self) -> Option<Signature> {
        Signature::parse(&self.descriptor)
    }

    /// The concatenation of its arguments, with the constants of the recipe between them.
    fn concat(&self, has_recipe: bool) -> Option<Method> {
        let signature = self.signature()?;
        let arguments = &self.bootstrap.arguments;
        let recipe: Rc<[u16]> = match arguments.first() {
            Some(BootstrapValue::Constant(Constant::String(recipe))) if has_recipe => Rc::clone(recipe),
            None if !has_recipe => std::iter::repeat_n(1, signature.parameters.len()).collect(),
            _ => return None,
        };
        let mut constants = arguments.iter().skip(1);
        let mut parameters = signature.parameters.iter();
        let mut code = Builder::default();
        code.new_builder();
        let mut slot = 0;
        let mut text: Vec<u16> = Vec::new();
        for unit in recipe.iter() {
            match unit {
                1 => {
                    code.append_text(&mut text);
                    let ty = parameters.next()?;
                    code.load(ty, &mut slot);
                    code.append(ty);
                }
                2 => match constants.next()? {
                    BootstrapValue::Constant(Constant::String(constant)) => text.extend(constant.iter()),
                    _ => return None,
                },
                other => text.push(*other),
            }
        }
        code.append_text(&mut text);
        if parameters.next().is_some() {
            return None;
        }
        code.return_text();
        code.method(&format!("{CONCAT}{}", self.number), &self.descriptor, true)
    }
}

/// A list of instructions that grows.
#[derive(Default)]
struct Builder {
    code: Vec<Instruction>,
}

const BUILDER: &str = "java/lang/StringBuilder";

impl Builder {
    fn push(&mut self, instruction: Instruction) {
        self.code.push(instruction);
    }

    fn invoke(&mut self, kind: InvokeKind, class: &str, name: &str, descriptor: &str) {
        let member = Member { class: class.into(), name: name.into(), descriptor: descriptor.into() };
        self.push(Instruction::Invoke(kind, member));
    }

    /// Loads a parameter, and goes to the place of the next.
    fn load(&mut self, ty: &JavaType, slot: &mut u16) {
        let kind = ty.kind();
        self.push(Instruction::Load(kind, *slot));
        *slot += if kind.is_wide() { 2 } else { 1 };
    }

    fn new_builder(&mut self) {
        self.push(Instruction::New(BUILDER.into()));
        self.push(Instruction::Stack(StackOp::Dup));
        self.invoke(InvokeKind::Special, BUILDER, "<init>", "()V");
    }

    fn append(&mut self, ty: &JavaType) {
        let descriptor = match ty {
            JavaType::Byte | JavaType::Short => "I".to_owned(),
            JavaType::Reference(name) if &**name != "java/lang/String" => "Ljava/lang/Object;".to_owned(),
            other => other.descriptor(),
        };
        self.invoke(InvokeKind::Virtual, BUILDER, "append", &format!("({descriptor})L{BUILDER};"));
    }

    fn append_text(&mut self, text: &mut Vec<u16>) {
        if !text.is_empty() {
            self.push(Instruction::Constant(Constant::String(text.drain(..).collect())));
            self.append(&JavaType::Reference("java/lang/String".into()));
        }
    }

    fn return_text(&mut self) {
        self.invoke(InvokeKind::Virtual, BUILDER, "concatenated", "()Ljava/lang/String;");
        self.push(Instruction::Return(Some(Kind::Reference)));
    }

    fn method(self, name: &str, descriptor: &str, is_static: bool) -> Option<Method> {
        let lines = vec![0; self.code.len()];
        let code =
            Code { max_locals: u16::MAX, instructions: self.code, lines, handlers: Vec::new(), names: Vec::new() };
        Some(Method {
            name: name.into(),
            descriptor: descriptor.into(),
            signature: Signature::parse(descriptor)?,
            is_static,
            is_abstract: false,
            is_native: false,
            is_private: false,
            is_package_private: false,
            is_synchronized: false,
            code: Some(Rc::new(code)),
        })
    }
}

/// The class of a primitive type's boxes, and the method that takes the number out.
fn box_class(ty: &JavaType) -> Option<(&'static str, &'static str)> {
    Some(match ty {
        JavaType::Boolean => ("java/lang/Boolean", "booleanValue"),
        JavaType::Byte => ("java/lang/Byte", "byteValue"),
        JavaType::Char => ("java/lang/Character", "charValue"),
        JavaType::Short => ("java/lang/Short", "shortValue"),
        JavaType::Int => ("java/lang/Integer", "intValue"),
        JavaType::Long => ("java/lang/Long", "longValue"),
        JavaType::Float => ("java/lang/Float", "floatValue"),
        JavaType::Double => ("java/lang/Double", "doubleValue"),
        JavaType::Reference(_) => return None,
    })
}

/// The primitive type whose boxes a class has.
fn unboxed(class: &str) -> Option<JavaType> {
    use JavaType::*;
    [Boolean, Byte, Char, Short, Int, Long, Float, Double]
        .into_iter()
        .find(|ty| box_class(ty).is_some_and(|b| b.0 == class))
}

//! Classes, as a class file has them, read with `cafebabe` into a form of our own.

mod decode;

use super::code::{Code, Constant, Member};
use super::types::{JavaType, Signature, parse_type};
use cafebabe::attributes::{AttributeData, AttributeInfo, BootstrapMethodEntry};
use cafebabe::constant_pool::{BootstrapArgument, LiteralConstant, ReferenceKind};
use cafebabe::{ClassAccessFlags, FieldAccessFlags, MethodAccessFlags};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// A class, an interface or an array class.
#[derive(Debug, Clone)]
pub struct Class {
    /// Its name as class files have it.
    pub name: Rc<str>,
    /// What it extends; only `java/lang/Object` has none.
    pub parent: Option<Rc<str>>,
    /// The interfaces that it names itself.
    pub interfaces: Vec<Rc<str>>,
    /// Whether it is an interface.
    pub is_interface: bool,
    /// Whether it has no objects of its own.
    pub is_abstract: bool,
    /// Whether nothing extends it.
    pub is_final: bool,
    /// Its own fields.
    pub fields: Vec<Field>,
    /// Its own methods.
    pub methods: Vec<Method>,
    /// The name of its source file, without folders.
    pub source_file: Option<Rc<str>>,
    /// What `invokedynamic` instructions start from.
    pub bootstraps: Vec<Bootstrap>,
    /// Where it comes from.
    pub origin: Origin,
    /// The element type, where this is an array class.
    pub element: Option<JavaType>,
    /// The components, where it is a record.
    pub record: Option<Vec<(Rc<str>, JavaType)>>,
    /// Where it stands, if that is inside of another class.
    pub nesting: Option<Nesting>,
    /// Whether the virtual machine makes it, and its name, while the program runs.
    pub is_hidden: bool,
}

/// Where a class stands that is inside of another one.
#[derive(Debug, Clone)]
pub struct Nesting {
    /// The class that it is a member of; none if it is inside of code.
    pub outer: Option<Rc<str>>,
    /// What it is called there; some have no name.
    pub name: Option<Rc<str>>,
}

/// Where a class comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// From the user.
    User,
    /// From Tandem, in place of one of the JDK's.
    Model,
    /// From the JDK.
    Jdk,
    /// An array class, which is nowhere.
    Array,
}

/// A field.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its name.
    pub name: Rc<str>,
    /// Its type.
    pub ty: JavaType,
    /// Whether the class has it, not each object.
    pub is_static: bool,
    /// Whether threads may use it without a lock.
    pub is_volatile: bool,
    /// What it is before the class is initialised.
    pub constant: Option<Constant>,
}

/// A method.
#[derive(Debug, Clone)]
pub struct Method {
    /// Its name; `<init>` and `<clinit>` are special.
    pub name: Rc<str>,
    /// Its descriptor.
    pub descriptor: Rc<str>,
    /// What the descriptor says.
    pub signature: Signature,
    /// Whether it has no receiver.
    pub is_static: bool,
    /// Whether it has no code.
    pub is_abstract: bool,
    /// Whether its code is not in the class file.
    pub is_native: bool,
    /// Whether only its own class sees it.
    pub is_private: bool,
    /// Whether only its own package sees it.
    pub is_package_private: bool,
    /// Whether it runs with the monitor of its receiver or class.
    pub is_synchronized: bool,
    /// Its code.
    pub code: Option<Rc<Code>>,
}

/// A bootstrap method with its static arguments.
#[derive(Debug, Clone)]
pub struct Bootstrap {
    /// The method.
    pub method: Member,
    /// The arguments; `None` for those of other kinds.
    pub arguments: Vec<BootstrapValue>,
}

/// A static argument of a bootstrap method.
#[derive(Debug, Clone)]
pub enum BootstrapValue {
    /// A constant.
    Constant(Constant),
    /// A method, and how it is called.
    Method(HandleKind, Member),
    /// A method type.
    MethodType(Rc<str>),
}

/// What a method handle does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the virtual machine's")]
pub enum HandleKind {
    Virtual,
    Interface,
    Special,
    Static,
    New,
    Field,
}

/// A class file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ClassError(pub String);

impl ClassError {
    fn new(text: impl Into<String>) -> ClassError {
        ClassError(text.into())
    }
}

/// The largest class file that is read.
pub const MAX_BYTES: usize = 16 << 20;

impl Class {
    /// Reads a class file.
    pub fn read(bytes: &[u8], origin: Origin) -> Result<Class, ClassError> {
        if bytes.len() > MAX_BYTES {
            return Err(ClassError::new("the class file is too large"));
        }
        let file = parse(bytes, &cafebabe::ParseOptions::default())?;
        if file.access_flags.contains(ClassAccessFlags::MODULE) {
            return Err(ClassError::new("it describes a module, not a class"));
        }
        let mut class = Class {
            name: (*file.this_class).into(),
            parent: file.super_class.as_ref().map(|name| (**name).into()),
            interfaces: file.interfaces.iter().map(|name| (**name).into()).collect(),
            is_interface: file.access_flags.contains(ClassAccessFlags::INTERFACE),
            is_abstract: file.access_flags.contains(ClassAccessFlags::ABSTRACT),
            is_final: file.access_flags.contains(ClassAccessFlags::FINAL),
            fields: Vec::new(),
            methods: Vec::new(),
            source_file: None,
            bootstraps: Vec::new(),
            origin,
            element: None,
            record: None,
            nesting: None,
            is_hidden: false,
        };
        for attribute in &file.attributes {
            match &attribute.data {
                AttributeData::SourceFile(name) => class.source_file = Some(name.as_ref().into()),
                AttributeData::BootstrapMethods(entries) => {
                    class.bootstraps = entries.iter().map(bootstrap).collect::<Result<_, _>>()?;
                }
                AttributeData::InnerClasses(entries) => {
                    let own = entries.iter().find(|entry| *entry.inner_class_info == *class.name);
                    class.nesting = own.map(|entry| Nesting {
                        outer: entry.outer_class_info.as_ref().map(|name| (**name).into()),
                        name: entry.inner_name.as_ref().map(|name| (**name).into()),
                    });
                }
                AttributeData::Record(components) => {
                    let component = |c: &cafebabe::attributes::RecordComponentEntry<'_>| {
                        let ty = java_type(&c.descriptor.to_string())?;
                        Ok((Rc::from(c.name.as_ref()), ty))
                    };
                    class.record = Some(components.iter().map(component).collect::<Result<_, ClassError>>()?);
                }
                _ => {}
            }
        }
        class.fields = file.fields.iter().map(field).collect::<Result<_, _>>()?;
        class.methods = file.methods.iter().map(method).collect::<Result<_, _>>()?;
        Ok(class)
    }

    /// The class of arrays with such elements.
    pub fn array(element: JavaType) -> Class {
        Class {
            name: element.array_of(),
            parent: Some("java/lang/Object".into()),
            interfaces: vec!["java/lang/Cloneable".into(), "java/io/Serializable".into()],
            is_interface: false,
            is_abstract: false,
            is_final: true,
            fields: Vec::new(),
            methods: Vec::new(),
            source_file: None,
            bootstraps: Vec::new(),
            origin: Origin::Array,
            element: Some(element),
            record: None,
            nesting: None,
            is_hidden: false,
        }
    }

    /// Its own method of that name and descriptor.
    pub fn method(&self, name: &str, descriptor: &str) -> Option<usize> {
        self.methods.iter().position(|m| &*m.name == name && &*m.descriptor == descriptor)
    }
}

/// The parts of a class file. Some that are broken make their reader panic.
pub(super) fn parse<'b>(
    bytes: &'b [u8],
    options: &cafebabe::ParseOptions,
) -> Result<cafebabe::ClassFile<'b>, ClassError> {
    match catch_unwind(AssertUnwindSafe(|| cafebabe::parse_class_with_options(bytes, options))) {
        Ok(parsed) => parsed.map_err(|error| ClassError::new(error.to_string())),
        Err(_) => Err(ClassError::new("a constant of it is of the wrong kind")),
    }
}

fn java_type(descriptor: &str) -> Result<JavaType, ClassError> {
    parse_type(descriptor).ok_or_else(|| ClassError::new(format!("`{descriptor}` is no type")))
}

fn field(info: &cafebabe::FieldInfo<'_>) -> Result<Field, ClassError> {
    let ty = java_type(&info.descriptor.to_string())?;
    let value = info.attributes.iter().find_map(|attribute| match &attribute.data {
        AttributeData::ConstantValue(value) => Some(value),
        _ => None,
    });
    let is_static = info.access_flags.contains(FieldAccessFlags::STATIC);
    let constant = match value.filter(|_| is_static) {
        Some(value) => Some(decode::literal(value)?),
        None => None,
    };
    let fits = match &constant {
        None => true,
        Some(Constant::Int(_)) => ty.kind() == super::types::Kind::Int,
        Some(Constant::Long(_)) => ty == JavaType::Long,
        Some(Constant::Float(_)) => ty == JavaType::Float,
        Some(Constant::Double(_)) => ty == JavaType::Double,
        Some(_) => matches!(ty, JavaType::Reference(_)),
    };
    if !fits {
        return Err(ClassError::new(format!("the constant of field `{}` is of another type", info.name)));
    }
    let is_volatile = info.access_flags.contains(FieldAccessFlags::VOLATILE);
    Ok(Field { name: info.name.as_ref().into(), ty, is_static, is_volatile, constant })
}

fn method(info: &cafebabe::MethodInfo<'_>) -> Result<Method, ClassError> {
    let descriptor: Rc<str> = info.descriptor.to_string().into();
    let signature = Signature::parse(&descriptor)
        .ok_or_else(|| ClassError::new(format!("`{descriptor}` is no method descriptor")))?;
    let code = info.attributes.iter().find_map(|attribute: &AttributeInfo<'_>| match &attribute.data {
        AttributeData::Code(code) => Some(code),
        _ => None,
    });
    let code = match code {
        Some(code) => Some(Rc::new(
            decode::code(code)
                .map_err(|error| ClassError::new(format!("method `{}{descriptor}`: {error}", info.name)))?,
        )),
        None => None,
    };
    let flags = info.access_flags;
    let method = Method {
        name: info.name.as_ref().into(),
        descriptor,
        signature,
        is_static: flags.contains(MethodAccessFlags::STATIC),
        is_abstract: flags.contains(MethodAccessFlags::ABSTRACT),
        is_native: flags.contains(MethodAccessFlags::NATIVE),
        is_private: flags.contains(MethodAccessFlags::PRIVATE),
        is_package_private: !flags
            .intersects(MethodAccessFlags::PRIVATE | MethodAccessFlags::PUBLIC | MethodAccessFlags::PROTECTED),
        is_synchronized: flags.contains(MethodAccessFlags::SYNCHRONIZED),
        code,
    };
    if method.code.is_some() == (method.is_abstract || method.is_native) {
        return Err(ClassError::new(format!("method `{}` has code where it must not, or none", info.name)));
    }
    let is_wrongly_static = match &*method.name {
        "<clinit>" => !method.is_static,
        "<init>" => method.is_static,
        _ => false,
    };
    if is_wrongly_static {
        return Err(ClassError::new(format!(
            "method `{}` is static where it must not be, or not where it must",
            info.name
        )));
    }
    Ok(method)
}

fn bootstrap(entry: &BootstrapMethodEntry<'_>) -> Result<Bootstrap, ClassError> {
    let argument = |argument: &BootstrapArgument<'_>| {
        Ok(match argument {
            BootstrapArgument::LiteralConstant(LiteralConstant::StringBytes(bytes)) => {
                BootstrapValue::Constant(Constant::String(decode::modified_utf8(bytes)?))
            }
            BootstrapArgument::LiteralConstant(value) => BootstrapValue::Constant(decode::literal(value)?),
            BootstrapArgument::ClassInfo(name) => BootstrapValue::Constant(Constant::Class(name.as_ref().into())),
            BootstrapArgument::MethodHandle(handle) => BootstrapValue::Method(handle_kind(handle.kind), member(handle)),
            BootstrapArgument::MethodType(descriptor) => BootstrapValue::MethodType(descriptor.as_ref().into()),
        })
    };
    let arguments = entry.arguments.iter().map(argument).collect::<Result<_, ClassError>>()?;
    Ok(Bootstrap { method: member(&entry.method), arguments })
}

fn member(handle: &cafebabe::constant_pool::MethodHandle<'_>) -> Member {
    Member {
        class: handle.class_name.as_ref().into(),
        name: handle.member_ref.name.as_ref().into(),
        descriptor: handle.member_ref.descriptor.as_ref().into(),
    }
}

fn handle_kind(kind: ReferenceKind) -> HandleKind {
    match kind {
        ReferenceKind::InvokeVirtual => HandleKind::Virtual,
        ReferenceKind::InvokeInterface => HandleKind::Interface,
        ReferenceKind::InvokeSpecial => HandleKind::Special,
        ReferenceKind::InvokeStatic => HandleKind::Static,
        ReferenceKind::NewInvokeSpecial => HandleKind::New,
        ReferenceKind::GetField | ReferenceKind::GetStatic | ReferenceKind::PutField | ReferenceKind::PutStatic => {
            HandleKind::Field
        }
    }
}

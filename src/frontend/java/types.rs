//! Java's types, and the descriptors that class files write them as.

use crate::program::{FloatKind, Type};
use std::fmt;
use std::rc::Rc;

/// The type of a field, an element, a parameter or a result.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are Java's")]
pub enum JavaType {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    /// A reference: the class name as class files have it, `java/lang/String`, or the descriptor of an array, `[I`.
    Reference(Rc<str>),
}

/// What a local variable or an operand of the stack machine is: small integers are `Int`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the virtual machine's")]
pub enum Kind {
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl Kind {
    /// The Program type of such an operand.
    pub fn program_type(self) -> Type {
        match self {
            Kind::Int => Type::machine(32, true),
            Kind::Long => Type::machine(64, true),
            Kind::Float => Type::Float(FloatKind::F32),
            Kind::Double => Type::Float(FloatKind::F64),
            Kind::Reference => Type::Pointer,
        }
    }

    /// Whether it takes two places on the stack and among the locals.
    pub fn is_wide(self) -> bool {
        matches!(self, Kind::Long | Kind::Double)
    }

    /// A letter for names of variables.
    pub fn letter(self) -> char {
        match self {
            Kind::Int => 'i',
            Kind::Long => 'l',
            Kind::Float => 'f',
            Kind::Double => 'd',
            Kind::Reference => 'a',
        }
    }
}

impl JavaType {
    /// What it is as an operand.
    pub fn kind(&self) -> Kind {
        match self {
            JavaType::Long => Kind::Long,
            JavaType::Float => Kind::Float,
            JavaType::Double => Kind::Double,
            JavaType::Reference(_) => Kind::Reference,
            _ => Kind::Int,
        }
    }

    /// The type of its cells in memory.
    pub fn cell_type(&self) -> Type {
        match self {
            JavaType::Boolean | JavaType::Byte => Type::machine(8, true),
            JavaType::Char => Type::machine(16, false),
            JavaType::Short => Type::machine(16, true),
            other => other.kind().program_type(),
        }
    }

    /// How many bytes a cell has.
    pub fn bytes(&self) -> i64 {
        match self {
            JavaType::Boolean | JavaType::Byte => 1,
            JavaType::Char | JavaType::Short => 2,
            JavaType::Int | JavaType::Float => 4,
            JavaType::Long | JavaType::Double | JavaType::Reference(_) => 8,
        }
    }

    /// The name of the class, where it is a reference.
    pub fn class_name(&self) -> Option<&Rc<str>> {
        match self {
            JavaType::Reference(name) => Some(name),
            _ => None,
        }
    }

    /// The descriptor in class files.
    pub fn descriptor(&self) -> String {
        match self {
            JavaType::Boolean => "Z".to_owned(),
            JavaType::Byte => "B".to_owned(),
            JavaType::Char => "C".to_owned(),
            JavaType::Short => "S".to_owned(),
            JavaType::Int => "I".to_owned(),
            JavaType::Long => "J".to_owned(),
            JavaType::Float => "F".to_owned(),
            JavaType::Double => "D".to_owned(),
            JavaType::Reference(name) if name.starts_with('[') => name.to_string(),
            JavaType::Reference(name) => format!("L{name};"),
        }
    }

    /// The name of the class of arrays of it.
    pub fn array_of(&self) -> Rc<str> {
        format!("[{}", self.descriptor()).into()
    }
}

impl fmt::Display for JavaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            JavaType::Boolean => "boolean",
            JavaType::Byte => "byte",
            JavaType::Char => "char",
            JavaType::Short => "short",
            JavaType::Int => "int",
            JavaType::Long => "long",
            JavaType::Float => "float",
            JavaType::Double => "double",
            JavaType::Reference(name) => return f.write_str(&source_name(name)),
        })
    }
}

/// A class name as the source has it: `java.lang.String`, `int[]`.
pub fn source_name(name: &str) -> String {
    match name.strip_prefix('[') {
        Some(element) => match parse_type(element) {
            Some(element) => format!("{element}[]"),
            None => name.to_owned(),
        },
        None => name.replace('/', "."),
    }
}

/// The element type of an array class.
pub fn element_type(name: &str) -> Option<JavaType> {
    parse_type(name.strip_prefix('[')?)
}

/// The type that a descriptor writes.
pub fn parse_type(descriptor: &str) -> Option<JavaType> {
    let (ty, rest) = take_type(descriptor)?;
    rest.is_empty().then_some(ty)
}

/// Parameter types and the result type; `None` for void.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The parameters, without the receiver.
    pub parameters: Vec<JavaType>,
    /// The result.
    pub result: Option<JavaType>,
}

impl Signature {
    /// Reads a method descriptor such as `(I[J)V`.
    pub fn parse(descriptor: &str) -> Option<Signature> {
        let mut rest = descriptor.strip_prefix('(')?;
        let mut parameters = Vec::new();
        while !rest.starts_with(')') {
            let (ty, tail) = take_type(rest)?;
            parameters.push(ty);
            rest = tail;
        }
        let result = match &rest[1..] {
            "V" => None,
            other => Some(parse_type(other)?),
        };
        Some(Signature { parameters, result })
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters: Vec<String> = self.parameters.iter().map(JavaType::to_string).collect();
        write!(f, "({})", parameters.join(", "))
    }
}

fn take_type(text: &str) -> Option<(JavaType, &str)> {
    let plain = |ty| Some((ty, &text[1..]));
    match text.as_bytes().first()? {
        b'Z' => plain(JavaType::Boolean),
        b'B' => plain(JavaType::Byte),
        b'C' => plain(JavaType::Char),
        b'S' => plain(JavaType::Short),
        b'I' => plain(JavaType::Int),
        b'J' => plain(JavaType::Long),
        b'F' => plain(JavaType::Float),
        b'D' => plain(JavaType::Double),
        b'L' => {
            let end = text.find(';')?;
            (end > 1).then(|| (JavaType::Reference(text[1..end].into()), &text[end + 1..]))
        }
        b'[' => {
            let dimensions = text.bytes().take_while(|b| *b == b'[').count();
            let (_, rest) = take_type(&text[dimensions..]).filter(|_| dimensions <= 255)?;
            Some((JavaType::Reference(text[..text.len() - rest.len()].into()), rest))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_read() {
        let signature = Signature::parse("(I[[JLjava/lang/String;)[D").expect("a descriptor");
        assert_eq!(signature.to_string(), "(int, long[][], java.lang.String)");
        assert_eq!(signature.result.map(|ty| ty.to_string()), Some("double[]".to_owned()));
        assert_eq!(Signature::parse("()V").map(|s| s.parameters.len()), Some(0));
        for wrong in ["", "(", "(I", "(I)", "(I)X", "(L;)V", "(LA)V", "I", "([)V"] {
            assert_eq!(Signature::parse(wrong), None, "{wrong}");
        }
        assert_eq!(element_type("[[I").map(|ty| ty.descriptor()), Some("[I".to_owned()));
    }
}

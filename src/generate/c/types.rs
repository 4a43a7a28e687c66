//! The types of a random program: scalars, enumerations, arrays, structures, unions, bit-fields, pointers.

use super::Generator;
use super::scalar::{Range, Scalar, width_range};
use super::value::{Expression, Level};

/// The type of an object.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Type {
    /// An integer.
    Scalar(Scalar),
    /// An enumeration, by number.
    Enumeration(usize),
    /// `float`
    Float,
    /// `double`
    Double,
    /// So many of a type.
    Array(Box<Type>, usize),
    /// A structure or union, by number.
    Record(usize),
    /// A pointer to a live object.
    Pointer(Box<Type>),
    /// A pointer into an array, with so many elements before and after the one it points to.
    Cursor(Box<Type>, usize, usize),
}

/// A structure or union.
#[derive(Debug, Clone)]
pub(super) struct Record {
    /// How the type is written.
    pub(super) name: String,
    /// What it is made of.
    pub(super) form: Form,
    /// Its members, those of anonymous members among them.
    pub(super) fields: Vec<Field>,
    /// Whether some members are in anonymous ones, so that an initialiser must name them.
    pub(super) anonymous: bool,
}

/// What a record is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// One member after the other.
    Structure,
    /// Integers that share all their bytes: each may be read whichever was written.
    Overlay,
    /// Members of several sizes: only the one written last may be read.
    Choice,
}

/// A member.
#[derive(Debug, Clone)]
pub(super) struct Field {
    /// Its name.
    pub(super) name: String,
    /// Its type.
    pub(super) ty: Type,
    /// Its width, if it is a bit-field.
    pub(super) bits: Option<u32>,
}

/// An enumeration.
#[derive(Debug, Clone)]
pub(super) struct Enumeration {
    /// How the type is written.
    pub(super) name: String,
    /// Its constants, with their values.
    pub(super) constants: Vec<(String, i32)>,
}

impl Enumeration {
    /// The integer type behind it: gcc takes the unsigned one where no constant is negative.
    pub(super) fn scalar(&self) -> Scalar {
        if self.constants.iter().any(|(_, value)| *value < 0) { Scalar::Int } else { Scalar::Unsigned }
    }
}

impl Type {
    /// An array of the type.
    pub(super) fn array(element: Type, length: usize) -> Type {
        Type::Array(Box::new(element), length)
    }

    /// A pointer to the type.
    pub(super) fn pointer(target: Type) -> Type {
        Type::Pointer(Box::new(target))
    }
}

/// The value read from a bit-field, which is written so. One wider than `int` is converted to its declared type, as
/// compilers differ in the type it has by itself.
pub(super) fn read_bits(text: String, level: Level, scalar: Scalar, bits: u32) -> Expression {
    let range = if scalar == Scalar::Bool { Range::new(0, 1) } else { width_range(scalar.is_signed(), bits) };
    if is_wide(scalar, bits) {
        return Expression::ranged(text, level, scalar, range).cast(scalar);
    }
    let promoted = if bits < 32 || scalar.is_signed() { Scalar::Int } else { Scalar::Unsigned };
    Expression::ranged(text, level, promoted, range)
}

/// Whether compilers differ in the type of such a bit-field.
pub(super) fn is_wide(scalar: Scalar, bits: u32) -> bool {
    bits >= 32 && !matches!(scalar, Scalar::Int | Scalar::Unsigned)
}

impl Generator<'_> {
    /// A declaration of something of the type, where `declarator` is the name and what is around it.
    pub(super) fn declaration(&mut self, ty: &Type, declarator: &str) -> String {
        match ty {
            Type::Scalar(scalar) => format!("{} {declarator}", self.random.choose(scalar.spellings())),
            Type::Enumeration(index) => format!("{} {declarator}", self.enumerations[*index].name),
            Type::Float => format!("float {declarator}"),
            Type::Double => format!("double {declarator}"),
            Type::Record(index) => format!("{} {declarator}", self.records[*index].name),
            Type::Array(element, length) => self.declaration(element, &format!("{declarator}[{length}]")),
            Type::Pointer(target) | Type::Cursor(target, ..) if matches!(**target, Type::Array(..)) => {
                self.declaration(target, &format!("(*{declarator})"))
            }
            Type::Pointer(target) | Type::Cursor(target, ..) => self.declaration(target, &format!("*{declarator}")),
        }
    }

    /// The name of the type, as in a cast.
    pub(super) fn type_name(&mut self, ty: &Type) -> String {
        self.declaration(ty, "").trim_end().to_owned()
    }

    /// A random integer type.
    pub(super) fn scalar(&mut self) -> Scalar {
        *self.random.choose(&Scalar::ALL)
    }

    /// A random type of a variable or member, at most so deep; no pointer.
    pub(super) fn object_type(&mut self, depth: usize) -> Type {
        let choice = self.random.below(if depth == 0 { 50 } else { 100 });
        match choice {
            0..3 if !self.enumerations.is_empty() => Type::Enumeration(self.random.below(self.enumerations.len())),
            3..8 if self.config.floats => self.floating_type(),
            50..75 if self.config.arrays => {
                let length = self.random.between(1, 6);
                Type::array(self.object_type(depth - 1), length)
            }
            75..100 if !self.records.is_empty() => Type::Record(self.random.below(self.records.len())),
            _ => Type::Scalar(self.scalar()),
        }
    }

    /// Makes the enumerations and records of the program and writes them.
    pub(super) fn write_types(&mut self) {
        for _ in 0..self.random.below(3) {
            self.write_enumeration();
        }
        for _ in 0..self.config.records {
            match self.random.below(10) {
                0..3 if self.config.unions => self.write_overlay(),
                3 if self.config.unions => self.write_choice(),
                _ => self.write_structure(),
            }
        }
    }

    fn write_enumeration(&mut self) {
        let name = self.fresh("enum e");
        let mut constants: Vec<(String, i32)> = Vec::new();
        let mut items = Vec::new();
        for _ in 0..self.random.between(1, 5) {
            let constant = self.fresh("K");
            let value = match constants.last() {
                Some((_, last)) if self.random.percent(60) => {
                    items.push(constant.clone());
                    last + 1
                }
                last if last.is_some() && self.random.percent(30) => {
                    let (before, value) = self.random.choose(&constants).clone();
                    items.push(format!("{constant} = {before} * 2 + 1"));
                    value * 2 + 1
                }
                _ => {
                    let value = self.random.below(300) as i32 - if self.random.percent(30) { 150 } else { 0 };
                    items.push(format!("{constant} = {value}"));
                    value
                }
            };
            constants.push((constant, value));
        }
        let comma = if self.random.percent(20) { "," } else { "" };
        self.line(&format!("{name} {{ {}{comma} }};", items.join(", ")));
        self.enumerations.push(Enumeration { name, constants });
    }

    fn write_structure(&mut self) {
        let mut fields = Vec::new();
        let mut body = Vec::new();
        let mut anonymous = false;
        for _ in 0..self.random.between(1, 6) {
            match self.random.below(10) {
                0..4 if self.config.bit_fields => self.bit_field(&mut fields, &mut body),
                4 if self.config.unions => {
                    anonymous = true;
                    self.anonymous_member(&mut fields, &mut body);
                }
                _ => {
                    let (name, ty) = (self.fresh("m"), self.object_type(2));
                    body.push(format!("{};", self.declaration(&ty, &name)));
                    fields.push(Field { name, ty, bits: None });
                }
            }
        }
        if fields.is_empty() {
            let name = self.fresh("m");
            body.push(format!("int {name};"));
            fields.push(Field { name, ty: Type::Scalar(Scalar::Int), bits: None });
        }
        let name = self.write_record("struct", &body);
        self.records.push(Record { name, form: Form::Structure, fields, anonymous });
    }

    /// Writes the type, as a tag or as a typedef, and gives how it is called from then on.
    fn write_record(&mut self, keyword: &str, body: &[String]) -> String {
        let body = body.join(" ");
        if self.random.percent(30) {
            let name = self.fresh("T");
            self.line(&format!("typedef {keyword} {{ {body} }} {name};"));
            return name;
        }
        let name = self.fresh(&format!("{keyword} s"));
        self.line(&format!("{name} {{ {body} }};"));
        name
    }

    fn bit_field(&mut self, fields: &mut Vec<Field>, body: &mut Vec<String>) {
        let scalar = self.scalar();
        let spelling = *self.random.choose(scalar.spellings());
        if self.random.percent(15) {
            let width = if self.random.percent(50) || scalar == Scalar::Bool { 0 } else { self.bit_width(scalar) };
            body.push(format!("{spelling} : {width};"));
            return;
        }
        let (name, width) = (self.fresh("b"), self.bit_width(scalar));
        body.push(format!("{spelling} {name} : {width};"));
        fields.push(Field { name, ty: Type::Scalar(scalar), bits: Some(width) });
    }

    /// A width that the type has in both models.
    fn bit_width(&mut self, scalar: Scalar) -> u32 {
        let most = scalar.bits(super::scalar::Model::Ilp32) as usize;
        (if self.random.percent(15) { most } else { self.random.between(1, most) }) as u32
    }

    fn anonymous_member(&mut self, fields: &mut Vec<Field>, body: &mut Vec<String>) {
        let mut members = Vec::new();
        let union = self.random.percent(60);
        for _ in 0..2 {
            let name = self.fresh("m");
            let ty = if union {
                Type::Scalar(*self.random.choose(&[Scalar::Int, Scalar::Unsigned]))
            } else {
                self.object_type(0)
            };
            members.push(format!("{};", self.declaration(&ty, &name)));
            fields.push(Field { name, ty, bits: None });
        }
        body.push(format!("{} {{ {} }};", if union { "union" } else { "struct" }, members.join(" ")));
    }

    fn write_overlay(&mut self) {
        let bytes = *self.random.choose(&[2, 4, 8]);
        let mut fields = Vec::new();
        let mut body = Vec::new();
        for _ in 0..self.random.between(2, 4) {
            let ty = self.overlay_member(bytes);
            let name = self.fresh("m");
            body.push(format!("{};", self.declaration(&ty, &name)));
            fields.push(Field { name, ty, bits: None });
        }
        let name = self.write_record("union", &body);
        self.records.push(Record { name, form: Form::Overlay, fields, anonymous: false });
    }

    /// A type of that many bytes, all of which hold values, in both models.
    fn overlay_member(&mut self, bytes: usize) -> Type {
        if self.config.bit_fields && self.random.percent(20) {
            return self.packed_bits(bytes);
        }
        let sized = [
            (Scalar::UnsignedChar, 1),
            (Scalar::SignedChar, 1),
            (Scalar::Short, 2),
            (Scalar::UnsignedShort, 2),
            (Scalar::Int, 4),
            (Scalar::Unsigned, 4),
            (Scalar::LongLong, 8),
            (Scalar::UnsignedLongLong, 8),
        ];
        let fitting: Vec<(Scalar, usize)> = sized.into_iter().filter(|(_, size)| *size <= bytes).collect();
        let (scalar, size) = *self.random.choose(&fitting);
        if size == bytes { Type::Scalar(scalar) } else { Type::array(Type::Scalar(scalar), bytes / size) }
    }

    /// A structure of bit-fields without padding.
    fn packed_bits(&mut self, bytes: usize) -> Type {
        let (scalar, unit) = match bytes {
            2 => (Scalar::UnsignedShort, 16),
            _ => (Scalar::Unsigned, 32),
        };
        let mut fields = Vec::new();
        let mut body = Vec::new();
        for _ in 0..bytes * 8 / unit {
            let mut left = unit;
            while left > 0 {
                let width = self.random.between(1, left);
                let signed = self.random.percent(40) && unit == 32;
                let scalar = if signed { Scalar::Int } else { scalar };
                let name = self.fresh("b");
                body.push(format!("{} {name} : {width};", scalar.name()));
                fields.push(Field { name, ty: Type::Scalar(scalar), bits: Some(width as u32) });
                left -= width;
            }
        }
        let name = self.write_record("struct", &body);
        self.records.push(Record { name, form: Form::Structure, fields, anonymous: false });
        Type::Record(self.records.len() - 1)
    }

    fn write_choice(&mut self) {
        let mut fields = Vec::new();
        let mut body = Vec::new();
        for _ in 0..self.random.between(2, 4) {
            let (name, ty) = (self.fresh("m"), self.object_type(0));
            body.push(format!("{};", self.declaration(&ty, &name)));
            fields.push(Field { name, ty, bits: None });
        }
        let name = self.write_record("union", &body);
        self.records.push(Record { name, form: Form::Choice, fields, anonymous: false });
    }
}

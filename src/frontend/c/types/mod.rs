//! C types, interned: equal types have equal handles, and a handle carries the qualifiers.

use super::ast::Qualifiers;
use super::layout;
use super::names::{Symbol, ids};
use crate::program::{IdVec, Span};
use rustc_hash::FxHashMap;

mod basic;
mod relation;

pub use basic::{DataModel, FloatKind, IntKind};

ids! {
    /// A structure or union type.
    RecordId, "r";
    /// An enumeration type.
    EnumId, "n";
    /// The length of a variable-length array, computed where its declaration is reached.
    VlaId, "w";
}

/// A type with qualifiers: a handle into [`Types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ty(u32);

impl Ty {
    /// `void`
    pub const VOID: Ty = Ty::at(0);
    /// `_Bool`
    pub const BOOL: Ty = Ty::at(1);
    /// `float`
    pub const FLOAT: Ty = Ty::at(2);
    /// `double`
    pub const DOUBLE: Ty = Ty::at(3);
    /// `long double`
    pub const LONG_DOUBLE: Ty = Ty::at(4);
    /// `__float128`
    pub const FLOAT128: Ty = Ty::at(5);
    /// `__builtin_va_list`
    pub const VA_LIST: Ty = Ty::at(6);
    /// `char`
    pub const CHAR: Ty = Ty::int(IntKind::Char);
    /// `int`
    pub const INT: Ty = Ty::int(IntKind::Int);
    /// `unsigned int`
    pub const UINT: Ty = Ty::int(IntKind::UInt);

    const fn at(index: u32) -> Ty {
        Ty(index << 4)
    }

    /// The integer type of that kind.
    pub const fn int(kind: IntKind) -> Ty {
        Ty::at(7 + kind as u32)
    }

    /// The floating type of that kind.
    pub const fn float(kind: FloatKind) -> Ty {
        Ty::at(2 + kind as u32)
    }

    /// Its qualifiers. Those of an array are those of its elements.
    pub fn qualifiers(self) -> Qualifiers {
        Qualifiers((self.0 & 15) as u8)
    }

    /// The same without its own qualifiers.
    pub fn unqualified(self) -> Ty {
        Ty(self.0 & !15)
    }

    /// The same with these qualifiers too; use [`Types::qualified`] for arrays.
    fn with(self, qualifiers: Qualifiers) -> Ty {
        Ty(self.0 | u32::from(qualifiers.0 & 15))
    }

    /// Whether it is `volatile`.
    pub fn is_volatile(self) -> bool {
        self.qualifiers().has(Qualifiers::VOLATILE)
    }

    /// Whether every access to an object of the type is atomic.
    pub fn is_atomic(self) -> bool {
        self.qualifiers().has(Qualifiers::ATOMIC)
    }

    /// Whether it is `const`.
    pub fn is_const(self) -> bool {
        self.qualifiers().has(Qualifiers::CONST)
    }
}

/// What a type is, apart from its qualifiers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// An integer type.
    Int(IntKind),
    /// A floating type.
    Float(FloatKind),
    /// `__builtin_va_list`, of which nothing but its size is known.
    VaList,
    /// An enumeration.
    Enum(EnumId),
    /// A pointer to that type.
    Pointer(Ty),
    /// An array of that type.
    Array(Ty, Length),
    /// A function.
    Function(Box<FunctionType>),
    /// A structure or union.
    Record(RecordId),
}

/// The length of an array type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Length {
    /// So many elements.
    Fixed(u64),
    /// Not given: an incomplete type, or a flexible member.
    Unknown,
    /// Computed where the declaration is reached.
    Variable(VlaId),
}

/// The type of a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FunctionType {
    /// The type of what it returns.
    pub result: Ty,
    /// The types of its parameters; empty without a prototype.
    pub parameters: Box<[Ty]>,
    /// Whether more arguments may follow.
    pub is_variadic: bool,
    /// Whether the parameters are known.
    pub is_prototype: bool,
}

/// A structure or union type.
#[derive(Debug, Clone)]
pub struct Record {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// Whether it is a union.
    pub is_union: bool,
    /// What it contains, once it is complete.
    pub body: Option<RecordBody>,
    /// Where it is defined, or first named.
    pub span: Span,
}

/// What a complete structure or union contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordBody {
    /// The members in order, unnamed bit-fields left out.
    pub fields: Vec<Field>,
    /// Its size in bytes, padding at the end included.
    pub size: u64,
    /// Its alignment in bytes.
    pub align: u64,
    /// Whether an `aligned` attribute had a part in the alignment.
    pub is_user_aligned: bool,
    /// Whether an argument for it may have the type of any member.
    pub is_transparent: bool,
}

/// A member of a structure or union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name; anonymous structures and unions have none.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: Ty,
    /// Where it starts, in bytes.
    pub offset: u64,
    /// Which bits it has, where it is a bit-field.
    pub bits: Option<BitField>,
    /// Where it is declared.
    pub span: Span,
}

/// The bits of a bit-field, from the byte at its offset on, the lowest bit of the first byte first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitField {
    /// How many bits to leave out.
    pub shift: u8,
    /// How many bits to take.
    pub width: u8,
}

/// An enumeration type.
#[derive(Debug, Clone)]
pub struct Enumeration {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// The integer type that represents it, once it is complete.
    pub underlying: Option<IntKind>,
    /// The enumerators with their values.
    pub enumerators: Vec<(Symbol, i128)>,
}

/// Every type of a file.
#[derive(Debug, Clone)]
pub struct Types {
    /// The sizes of the basic types.
    pub model: DataModel,
    kinds: Vec<TypeKind>,
    /// How many levels of pointers, arrays and functions each kind has.
    depths: Vec<u32>,
    handles: FxHashMap<TypeKind, Ty>,
    /// The structures and unions.
    pub records: IdVec<RecordId, Record>,
    /// The enumerations.
    pub enums: IdVec<EnumId, Enumeration>,
}

impl Types {
    /// The basic types.
    pub fn new(model: DataModel) -> Types {
        let (kinds, depths, handles) = (Vec::new(), Vec::new(), FxHashMap::default());
        let mut types = Types { model, kinds, depths, handles, records: IdVec::new(), enums: IdVec::new() };
        use FloatKind::*;
        types.intern(TypeKind::Void);
        types.intern(TypeKind::Bool);
        for kind in [Float, Double, LongDouble, Float128] {
            types.intern(TypeKind::Float(kind));
        }
        types.intern(TypeKind::VaList);
        for kind in IntKind::ALL {
            types.intern(TypeKind::Int(kind));
        }
        types
    }

    /// The handle of a type.
    pub fn intern(&mut self, kind: TypeKind) -> Ty {
        if let Some(ty) = self.handles.get(&kind) {
            return *ty;
        }
        let index = u32::try_from(self.kinds.len()).ok().filter(|i| *i < 1 << 28);
        let ty = Ty::at(index.expect("fewer than 2^28 types, as each takes bytes of a file below 4 GiB"));
        let inner = match &kind {
            TypeKind::Pointer(inner) | TypeKind::Array(inner, _) => self.depth(*inner) + 1,
            TypeKind::Function(function) => {
                let parts = function.parameters.iter().chain([&function.result]);
                parts.map(|part| self.depth(*part)).max().unwrap_or(0) + 1
            }
            _ => 0,
        };
        self.depths.push(inner);
        self.kinds.push(kind.clone());
        self.handles.insert(kind, ty);
        ty
    }

    /// What a type is.
    #[inline]
    pub fn kind(&self, ty: Ty) -> &TypeKind {
        &self.kinds[(ty.0 >> 4) as usize]
    }

    /// How many levels of pointers, arrays and functions it has; recursion over a type is bounded by it.
    pub fn depth(&self, ty: Ty) -> u32 {
        self.depths[(ty.0 >> 4) as usize]
    }

    /// A pointer to the type.
    pub fn pointer_to(&mut self, ty: Ty) -> Ty {
        self.intern(TypeKind::Pointer(ty))
    }

    /// An array of the type.
    pub fn array_of(&mut self, ty: Ty, length: Length) -> Ty {
        self.intern(TypeKind::Array(ty, length))
    }

    /// The type with more qualifiers, which go to the elements of an array.
    pub fn qualified(&mut self, ty: Ty, qualifiers: Qualifiers) -> Ty {
        match *self.kind(ty) {
            _ if qualifiers == Qualifiers::NONE => ty,
            TypeKind::Array(element, length) => {
                let element = self.qualified(element, qualifiers);
                self.array_of(element, length)
            }
            TypeKind::Function(_) => ty,
            _ => ty.with(qualifiers),
        }
    }

    /// The type without qualifiers, those of the elements of an array included.
    pub fn unqualified(&mut self, ty: Ty) -> Ty {
        match *self.kind(ty) {
            TypeKind::Array(element, length) => {
                let element = self.unqualified(element);
                self.array_of(element, length)
            }
            _ => ty.unqualified(),
        }
    }

    /// The qualifiers of the type, or of the innermost elements of an array.
    pub fn qualifiers(&self, ty: Ty) -> Qualifiers {
        match *self.kind(ty) {
            TypeKind::Array(element, _) => self.qualifiers(element),
            _ => ty.qualifiers(),
        }
    }

    /// The type that `size_t` is.
    pub fn size_type(&self) -> Ty {
        Ty::int(if self.model == DataModel::Ilp32 { IntKind::UInt } else { IntKind::ULong })
    }

    /// The type of the difference of two pointers.
    pub fn difference_type(&self) -> Ty {
        Ty::int(if self.model == DataModel::Ilp32 { IntKind::Int } else { IntKind::Long })
    }

    /// The type of wide characters.
    pub fn wide_char(&self) -> Ty {
        Ty::int(if self.model == DataModel::Ilp32 { IntKind::Long } else { IntKind::Int })
    }

    /// The integer type that represents values of this type: itself, that of an enumeration, or that of `_Bool`.
    pub fn as_int(&self, ty: Ty) -> Option<IntKind> {
        match *self.kind(ty) {
            TypeKind::Int(kind) => Some(kind),
            TypeKind::Enum(id) => Some(self.enums[id].underlying.unwrap_or(IntKind::UInt)),
            TypeKind::Bool => Some(IntKind::UChar),
            _ => None,
        }
    }

    /// Width in bits and signedness of an integer type; `_Bool` has one bit.
    pub fn int_format(&self, ty: Ty) -> Option<(u32, bool)> {
        if let TypeKind::Bool = self.kind(ty) {
            return Some((1, false));
        }
        self.as_int(ty).map(|kind| (8 * kind.bytes(self.model) as u32, kind.is_signed()))
    }

    /// Whether it is an integer type, enumerations and `_Bool` included.
    pub fn is_integer(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Int(_) | TypeKind::Bool | TypeKind::Enum(_))
    }

    /// The floating type it is.
    pub fn as_float(&self, ty: Ty) -> Option<FloatKind> {
        match *self.kind(ty) {
            TypeKind::Float(kind) => Some(kind),
            _ => None,
        }
    }

    /// Whether it is an integer or floating type.
    pub fn is_arithmetic(&self, ty: Ty) -> bool {
        self.is_integer(ty) || self.as_float(ty).is_some()
    }

    /// What a pointer type points to.
    pub fn pointee(&self, ty: Ty) -> Option<Ty> {
        match *self.kind(ty) {
            TypeKind::Pointer(target) => Some(target),
            _ => None,
        }
    }

    /// Whether it can be a truth value.
    pub fn is_scalar(&self, ty: Ty) -> bool {
        self.is_arithmetic(ty) || self.pointee(ty).is_some()
    }

    /// Whether it is `void`.
    pub fn is_void(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Void)
    }

    /// The elements and length of an array type.
    pub fn as_array(&self, ty: Ty) -> Option<(Ty, Length)> {
        match *self.kind(ty) {
            TypeKind::Array(element, length) => Some((element, length)),
            _ => None,
        }
    }

    /// The function type it is.
    pub fn as_function(&self, ty: Ty) -> Option<&FunctionType> {
        match self.kind(ty) {
            TypeKind::Function(function) => Some(function),
            _ => None,
        }
    }

    /// The structure or union it is.
    pub fn as_record(&self, ty: Ty) -> Option<RecordId> {
        match *self.kind(ty) {
            TypeKind::Record(id) => Some(id),
            _ => None,
        }
    }

    /// What the structure or union contains, where it is complete.
    pub fn record_body(&self, ty: Ty) -> Option<&RecordBody> {
        self.records[self.as_record(ty)?].body.as_ref()
    }

    /// Lets arguments for a union have the type of any member, as `transparent_union` behind a typedef asks; it says nothing
    /// about other types.
    pub fn make_transparent(&mut self, ty: Ty) {
        let Some(record) = self.as_record(ty).filter(|record| self.records[*record].is_union) else { return };
        if let Some(body) = &mut self.records[record].body {
            body.is_transparent = true;
        }
    }

    /// Whether an array somewhere in the type has a length that is computed.
    pub fn is_variably_modified(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TypeKind::Array(_, Length::Variable(_)) => true,
            TypeKind::Array(inner, _) | TypeKind::Pointer(inner) => self.is_variably_modified(*inner),
            TypeKind::Function(function) => self.is_variably_modified(function.result),
            _ => false,
        }
    }

    /// Whether its size is computed: an array of computed length, or of such arrays.
    pub fn is_variable_length(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TypeKind::Array(_, Length::Variable(_)) => true,
            TypeKind::Array(inner, _) => self.is_variable_length(*inner),
            _ => false,
        }
    }

    /// Its size in bytes, where the type is complete and the size constant; `void` and functions count one byte, as
    /// in GNU C.
    pub fn size_of(&self, ty: Ty) -> Option<u64> {
        Some(match self.kind(ty) {
            TypeKind::Void | TypeKind::Bool | TypeKind::Function(_) => 1,
            TypeKind::Int(kind) => kind.bytes(self.model),
            TypeKind::Float(kind) => kind.bytes(self.model),
            TypeKind::VaList => {
                if self.model == DataModel::Ilp32 {
                    4
                } else {
                    24
                }
            }
            TypeKind::Enum(id) => self.enums[*id].underlying?.bytes(self.model),
            TypeKind::Pointer(_) => self.model.pointer_bytes(),
            TypeKind::Array(element, Length::Fixed(n)) => self.size_of(*element)?.checked_mul(*n)?,
            TypeKind::Array(..) => return None,
            TypeKind::Record(id) => self.records[*id].body.as_ref()?.size,
        })
    }

    /// Its alignment in bytes, as `__alignof__` tells it.
    pub fn align_of(&self, ty: Ty) -> Option<u64> {
        Some(match self.kind(ty) {
            TypeKind::Float(FloatKind::LongDouble) if self.model == DataModel::Ilp32 => 4,
            TypeKind::VaList => self.model.pointer_bytes(),
            TypeKind::Array(element, _) => self.align_of(*element)?,
            TypeKind::Record(id) => self.records[*id].body.as_ref()?.align,
            _ => self.size_of(ty)?,
        })
    }

    /// Its least alignment as a member, as `_Alignof` tells it: 4 at most for 8-byte integers and `double` in ILP32.
    pub fn field_align_of(&self, ty: Ty) -> Option<u64> {
        Some(layout::field_align(self, ty, self.align_of(ty)?))
    }

    /// Whether objects of the type can be made: neither incomplete nor a function.
    pub fn is_complete_object(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) | TypeKind::Array(_, Length::Unknown) => false,
            TypeKind::Array(element, _) => self.is_complete_object(*element),
            TypeKind::Enum(id) => self.enums[*id].underlying.is_some(),
            TypeKind::Record(id) => self.records[*id].body.is_some(),
            _ => true,
        }
    }

    /// The path to a member of that name, through anonymous members: their indices, from the outside in.
    pub fn find_field(&self, record: RecordId, name: Symbol) -> Option<Vec<usize>> {
        let body = self.records[record].body.as_ref()?;
        if let Some(index) = body.fields.iter().position(|field| field.name == Some(name)) {
            return Some(vec![index]);
        }
        body.fields.iter().enumerate().filter(|(_, field)| field.name.is_none()).find_map(|(index, field)| {
            let mut path = self.find_field(self.as_record(field.ty)?, name)?;
            path.insert(0, index);
            Some(path)
        })
    }
}

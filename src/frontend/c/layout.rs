//! How gcc lays out structures and unions on x86.
//!
//! This follows `place_field`, `place_union_field`, `update_alignment_for_field` and `layout_decl` of gcc's
//! stor-layout.c with `PCC_BITFIELD_TYPE_MATTERS`, and `x86_field_alignment`. All positions are in bits.

use super::ast::Qualifiers;
use super::types::{BitField, DataModel, FloatKind, Ty, TypeKind, Types};

/// A member to be placed.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    /// Its type.
    pub ty: Ty,
    /// The alignment that a `typedef` with an attribute gives its type, in bytes.
    pub type_align: Option<u64>,
    /// The alignment that an attribute on the member asks for, in bytes.
    pub align: Option<u64>,
    /// Whether it has the attribute `packed` itself.
    pub is_packed: bool,
    /// Its width, where it is a bit-field.
    pub width: Option<u32>,
    /// Whether it has a name.
    pub is_named: bool,
}

/// What is asked of the whole structure or union.
#[derive(Debug, Clone, Copy, Default)]
pub struct Request {
    /// Whether it is a union.
    pub is_union: bool,
    /// Whether it has the attribute `packed`.
    pub is_packed: bool,
    /// The alignment that an attribute asks for, in bytes.
    pub align: Option<u64>,
    /// The `#pragma pack` that holds, in bytes; 0 for none.
    pub pack: u64,
}

/// Where everything is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// For each member its offset in bytes, and its bits.
    pub places: Vec<(u64, Option<BitField>)>,
    /// The size in bytes.
    pub size: u64,
    /// The alignment in bytes.
    pub align: u64,
    /// Whether an attribute had a part in the alignment.
    pub is_user_aligned: bool,
}

/// The alignment, in bytes, of a member of that type whose type has the given one: ILP32 holds back at 4 bytes for
/// integers, pointers and `double`.
pub fn field_align(types: &Types, ty: Ty, align: u64) -> u64 {
    let mut element = ty;
    while let TypeKind::Array(inner, _) = types.kind(element) {
        element = *inner;
    }
    let limited = match types.kind(element) {
        TypeKind::Float(kind) => *kind == FloatKind::Double,
        TypeKind::Record(_) | TypeKind::Function(_) | TypeKind::Void => false,
        _ => true,
    };
    let is_atomic = element.qualifiers().has(Qualifiers::ATOMIC);
    if types.model == DataModel::Ilp32 && limited && !is_atomic { align.min(4) } else { align }
}

/// Lays out complete members; `None` when a member is incomplete or the whole too large.
pub fn layout(types: &Types, request: Request, members: &[Member]) -> Option<Layout> {
    let start = Layouter {
        types,
        request,
        record_align: 8 * request.align.unwrap_or(1).max(1),
        is_user_aligned: request.align.is_some(),
        position: 0,
    };
    start.run(members)
}

struct Layouter<'a> {
    types: &'a Types,
    request: Request,
    record_align: u64,
    is_user_aligned: bool,
    /// In a structure, where the next member may start; in a union, the size so far.
    position: u64,
}

/// What `layout_decl` finds out about a member.
struct Decl {
    align: u64,
    is_user_aligned: bool,
    /// Whether it is treated as a bit-field: one that fills an aligned machine integer is not.
    is_bit_field: bool,
    is_packed: bool,
    size: u64,
    type_align: u64,
    type_size: u64,
}

const MAX_BITS: u64 = 1 << 62;

impl Layouter<'_> {
    fn run(mut self, members: &[Member]) -> Option<Layout> {
        let mut places = Vec::with_capacity(members.len());
        for member in members {
            let start = if self.request.is_union { self.place_in_union(member)? } else { self.place(member)? };
            places.push(match member.width {
                Some(width) => {
                    let (shift, width) = ((start % 8) as u8, u8::try_from(width).ok()?);
                    (start / 8, Some(BitField { shift, width }))
                }
                None => (start / 8, None),
            });
            if self.position > MAX_BITS {
                return None;
            }
        }
        let size = self.position.next_multiple_of(8).next_multiple_of(self.record_align) / 8;
        Some(Layout { places, size, align: self.record_align / 8, is_user_aligned: self.is_user_aligned })
    }

    fn place_in_union(&mut self, member: &Member) -> Option<u64> {
        let decl = self.layout_decl(member, 0)?;
        self.update_alignment(member, &decl);
        self.position = self.position.max(decl.size.next_multiple_of(8));
        Some(0)
    }

    fn place(&mut self, member: &Member) -> Option<u64> {
        let known = self.position & self.position.wrapping_neg();
        let decl = self.layout_decl(member, known)?;
        self.update_alignment(member, &decl);
        if known != 0 && known < decl.align {
            self.position = self.position.next_multiple_of(decl.align);
        }
        if decl.is_bit_field && !decl.is_packed && self.request.pack == 0 && decl.size != 0 {
            let align = self.bit_field_align(member, &decl);
            // A bit-field may not span more units of alignment of its type than its type itself.
            let units = (self.position % align + decl.size).div_ceil(align);
            if units > decl.type_size / align {
                self.position = self.position.next_multiple_of(align);
            }
        }
        let start = self.position;
        self.position = self.position.checked_add(decl.size)?;
        Some(start)
    }

    /// The alignment of the type of a bit-field.
    fn bit_field_align(&self, member: &Member, decl: &Decl) -> u64 {
        if self.has_user_aligned_type(member) {
            return decl.type_align;
        }
        8 * field_align(self.types, member.ty, decl.type_align / 8)
    }

    fn has_user_aligned_type(&self, member: &Member) -> bool {
        let mut element = member.ty;
        while let TypeKind::Array(inner, _) = self.types.kind(element) {
            element = *inner;
        }
        member.type_align.is_some() || self.types.record_body(element).is_some_and(|body| body.is_user_aligned)
    }

    fn layout_decl(&self, member: &Member, known: u64) -> Option<Decl> {
        let type_align = 8 * member.type_align.or_else(|| self.types.align_of(member.ty))?;
        let type_size = match self.types.kind(member.ty) {
            // A flexible member takes no room.
            TypeKind::Array(_, super::types::Length::Unknown) => 0,
            _ => self.types.size_of(member.ty)?.checked_mul(8).filter(|bits| *bits < MAX_BITS)?,
        };
        let has_type_align = type_align > 8 || member.width.is_some();
        let mut packed = (self.request.is_packed || member.is_packed) && has_type_align;
        let is_packed = packed;
        let mut align = 8 * member.align.unwrap_or(0);
        let was_user_aligned = member.align.is_some();
        let mut is_user_aligned = was_user_aligned;
        let mut is_bit_field = false;
        let mut take_type_align = true;
        let mut is_zero_width = false;
        match member.width {
            Some(width) => {
                is_bit_field = true;
                is_zero_width = width == 0;
                if is_zero_width {
                    packed = false;
                } else {
                    take_type_align = false;
                    let width = u64::from(width);
                    let largest = if self.types.model == DataModel::Ilp32 { 64 } else { 128 };
                    let fills_machine_integer = width.is_power_of_two() && (8..=largest).contains(&width);
                    let may = !(width > 8 && packed) && (known == 0 || known >= width);
                    if fills_machine_integer && may && !matches!(self.types.kind(member.ty), TypeKind::Float(_)) {
                        align = align.max(width);
                        is_bit_field = false;
                    }
                }
            }
            None => take_type_align = !(packed && was_user_aligned),
        }
        if take_type_align && type_align > align {
            align = type_align;
            is_user_aligned = self.has_user_aligned_type(member);
        }
        if packed && !was_user_aligned {
            align = align.min(8);
        }
        if !packed && !is_user_aligned {
            align = align.min(8 * field_align(self.types, member.ty, align.max(8) / 8));
        }
        if self.request.pack != 0 && !is_zero_width {
            align = align.min(8 * self.request.pack);
        }
        let size = member.width.map_or(type_size, u64::from);
        Some(Decl { align, is_user_aligned, is_bit_field, is_packed, size, type_align, type_size })
    }

    fn update_alignment(&mut self, member: &Member, decl: &Decl) {
        if member.width.is_some() {
            // Only those with a name align the whole by their type.
            if !member.is_named {
                return;
            }
            let mut type_align = self.bit_field_align(member, decl);
            if decl.size != 0 && self.request.pack != 0 {
                type_align = type_align.min(8 * self.request.pack);
            } else if decl.size != 0 && decl.is_packed {
                type_align = type_align.min(8);
            }
            self.record_align = self.record_align.max(type_align);
        }
        self.record_align = self.record_align.max(decl.align);
        self.is_user_aligned |= decl.is_user_aligned;
    }
}

//! What attributes ask for.

use super::{Checked, Sema};
use crate::frontend::c::ast::Attribute;
use crate::frontend::c::types::{IntKind, Ty, TypeKind};
use crate::program::{Diagnostic, Span};

/// The attributes of a declaration or type that matter, read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Attributes {
    pub(super) align: Option<u64>,
    pub(super) is_packed: bool,
    pub(super) is_noreturn: bool,
    pub(super) is_weak: bool,
    pub(super) is_transparent: bool,
    pub(super) alias: Option<(crate::frontend::c::names::Symbol, Span)>,
    /// Where it says that the function runs before `main`, and its priority.
    pub(super) constructor: Option<(u64, Span)>,
    mode: Option<(crate::frontend::c::names::Symbol, Span)>,
}

/// What `constructor` without a number means.
const LAST_PRIORITY: u64 = 65535;

/// What `aligned` without a number means on x86.
const LARGEST_ALIGNMENT: u64 = 16;

impl Sema<'_> {
    pub(super) fn attributes<'b>(&mut self, list: impl IntoIterator<Item = &'b Attribute>) -> Checked<Attributes> {
        let mut out = Attributes::default();
        for attribute in list {
            match attribute {
                Attribute::Packed => out.is_packed = true,
                Attribute::Noreturn => out.is_noreturn = true,
                Attribute::Weak => out.is_weak = true,
                Attribute::TransparentUnion => out.is_transparent = true,
                Attribute::Mode(name, span) => out.mode = Some((*name, *span)),
                Attribute::Aligned(value, span) => {
                    let align = match value {
                        Some(expr) => self.constant_size(*expr, "an alignment", 1 << 28)?,
                        None => LARGEST_ALIGNMENT,
                    };
                    if align == 0 {
                        continue;
                    }
                    if !align.is_power_of_two() {
                        let message = format!("an alignment has to be a power of two, not {align}");
                        return self.error(Diagnostic::at(*span, message, "no power of two"));
                    }
                    out.align = Some(out.align.map_or(align, |old| old.max(align)));
                }
                Attribute::Alias(name, span) => out.alias = Some((*name, *span)),
                Attribute::Constructor(priority, span) => {
                    let priority = match priority {
                        Some(expr) => self.constant_size(*expr, "a priority", LAST_PRIORITY)?,
                        None => LAST_PRIORITY,
                    };
                    out.constructor = Some((priority, *span));
                }
                Attribute::Unsupported(name, span) => {
                    let what = format!("the attribute `{}` is", self.text(*name));
                    return self.refuse(*span, &what);
                }
            }
        }
        Ok(out)
    }

    /// The type that the attribute `mode` makes of a type.
    pub(super) fn moded(&mut self, ty: Ty, attributes: &Attributes) -> Checked<Ty> {
        let Some((mode, span)) = attributes.mode else { return Ok(ty) };
        let text = self.names().shared(mode);
        let name = text.strip_prefix("__").and_then(|t| t.strip_suffix("__")).unwrap_or(&text);
        let is_unsigned = self.types().int_format(ty).is_some_and(|(_, signed)| !signed);
        let pointer = if self.types().model.pointer_bytes() == 4 { IntKind::Int } else { IntKind::Long };
        let kind = match name {
            "QI" | "byte" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" if self.types().model.pointer_bytes() == 8 => IntKind::Long,
            "DI" => IntKind::LongLong,
            "TI" => IntKind::Int128,
            "word" | "pointer" | "unwind_word" => pointer,
            "SF" if self.types().as_float(ty).is_some() => return Ok(Ty::FLOAT),
            "DF" if self.types().as_float(ty).is_some() => return Ok(Ty::DOUBLE),
            "XF" if self.types().as_float(ty).is_some() => return Ok(Ty::LONG_DOUBLE),
            "TF" if self.types().as_float(ty).is_some() => return Ok(Ty::FLOAT128),
            _ => return self.refuse(span, &format!("the machine mode `{text}` is")),
        };
        if !matches!(self.types().kind(ty), TypeKind::Int(_)) {
            return self.refuse(span, "a machine mode on a type that is no integer is");
        }
        let made = Ty::int(if is_unsigned { kind.to_unsigned() } else { kind });
        Ok(self.unit.types.qualified(made, ty.qualifiers()))
    }
}

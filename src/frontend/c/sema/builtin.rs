//! Calls of what the compiler provides: `__builtin_…`, `__sync_…`, `__atomic_…`.

use super::convert::Purpose;
use super::{Checked, Sema};
use crate::frontend::c::ast;
use crate::frontend::c::names::Symbol;
use crate::frontend::c::tree::{BinaryOp, Builtin, ExprId, ExprKind, FloatComparison};
use crate::frontend::c::types::{IntKind, Ty, TypeKind};
use crate::program::{Diagnostic, Span};

/// A builtin without variants: its meaning, its result, and its arguments, in the letters of [`signature`].
const PLAIN: [(&str, Builtin, &str); 24] = [
    ("unreachable", Builtin::Unreachable, "v"),
    ("trap", Builtin::Trap, "v"),
    ("alloca", Builtin::Alloca, "pz"),
    ("bswap16", Builtin::ByteSwap, "hh"),
    ("bswap32", Builtin::ByteSwap, "uu"),
    ("bswap64", Builtin::ByteSwap, "QQ"),
    ("inf", Builtin::Infinity, "d"),
    ("inff", Builtin::Infinity, "f"),
    ("infl", Builtin::Infinity, "e"),
    ("huge_val", Builtin::Infinity, "d"),
    ("huge_valf", Builtin::Infinity, "f"),
    ("huge_vall", Builtin::Infinity, "e"),
    ("nan", Builtin::Nan, "d*"),
    ("nanf", Builtin::Nan, "f*"),
    ("nanl", Builtin::Nan, "e*"),
    ("fabs", Builtin::FloatAbs, "dd"),
    ("fabsf", Builtin::FloatAbs, "ff"),
    ("fabsl", Builtin::FloatAbs, "ee"),
    ("copysign", Builtin::CopySign, "ddd"),
    ("copysignf", Builtin::CopySign, "fff"),
    ("copysignl", Builtin::CopySign, "eee"),
    ("frame_address", Builtin::FrameAddress, "pu"),
    ("return_address", Builtin::FrameAddress, "pu"),
    ("fpclassify", Builtin::Classify, "iiiiiiF"),
];

/// How `__ATOMIC_SEQ_CST` is written.
const SEQUENTIALLY_CONSISTENT: i128 = 5;

/// Builtins that take a floating value of any type.
const FLOATING: [(&str, Builtin); 7] = [
    ("isnan", Builtin::IsNan),
    ("isinf", Builtin::IsInf { sign: false }),
    ("isinf_sign", Builtin::IsInf { sign: true }),
    ("isfinite", Builtin::IsFinite),
    ("finite", Builtin::IsFinite),
    ("isnormal", Builtin::IsNormal),
    ("signbit", Builtin::SignBit),
];

const COMPARISONS: [(&str, FloatComparison); 6] = [
    ("isgreater", FloatComparison::Greater),
    ("isgreaterequal", FloatComparison::GreaterEqual),
    ("isless", FloatComparison::Less),
    ("islessequal", FloatComparison::LessEqual),
    ("islessgreater", FloatComparison::LessGreater),
    ("isunordered", FloatComparison::Unordered),
];

/// Builtins on unsigned integers, with variants `l` and `ll`.
const BITS: [(&str, Builtin); 5] = [
    ("clz", Builtin::CountLeadingZeros),
    ("ctz", Builtin::CountTrailingZeros),
    ("ffs", Builtin::FindFirstSet),
    ("popcount", Builtin::PopCount),
    ("parity", Builtin::Parity),
];

const ATOMIC: [(&str, BinaryOp); 5] = [
    ("add", BinaryOp::Add),
    ("sub", BinaryOp::Sub),
    ("or", BinaryOp::Or),
    ("and", BinaryOp::And),
    ("xor", BinaryOp::Xor),
];

impl Sema<'_> {
    /// The call of a builtin; `None` where the name is none.
    pub(super) fn builtin_call(
        &mut self,
        name: Symbol,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> Option<Checked<ExprId>> {
        let text = self.names().shared(name);
        if let Some(rest) = text.strip_prefix("__sync_").or_else(|| text.strip_prefix("__atomic_")) {
            return Some(self.atomic(&text, rest, arguments, span));
        }
        let short = text.strip_prefix("__builtin_")?;
        if let Some(result) = self.special(short, arguments, span) {
            return Some(result);
        }
        if let Some((_, builtin, signature)) = PLAIN.iter().find(|(known, ..)| *known == short) {
            return Some(self.plain_builtin(*builtin, signature, arguments, span));
        }
        if let Some(found) = self.numeric(short, arguments, span) {
            return Some(found);
        }
        if self.library_function(&text, span).is_some() {
            return None;
        }
        Some(self.refuse(span, &format!("`{text}` is")))
    }

    fn arity<T: Copy, const N: usize>(&mut self, arguments: &[T], span: Span) -> Checked<[T; N]> {
        match arguments.try_into() {
            Ok(arguments) => Ok(arguments),
            Err(_) => {
                let message = format!("this takes {N} arguments, but {} are given", arguments.len());
                self.error(Diagnostic::at(span, message, "a wrong number of arguments"))
            }
        }
    }

    fn special(&mut self, short: &str, arguments: &[ast::ExprId], span: Span) -> Option<Checked<ExprId>> {
        Some(match short {
            "expect" | "expect_with_probability" => self.expect(arguments, span),
            "assume_aligned" => self.first_of(arguments, span),
            "constant_p" => self.constant_p(arguments, span),
            "object_size" | "dynamic_object_size" => self.object_size(arguments, span),
            "prefetch" => self.evaluated(arguments, span),
            "va_start" | "stdarg_start" | "va_end" | "va_copy" => self.va(short, arguments, span),
            "add_overflow" => self.overflow(BinaryOp::Add, arguments, span),
            "sub_overflow" => self.overflow(BinaryOp::Sub, arguments, span),
            "mul_overflow" => self.overflow(BinaryOp::Mul, arguments, span),
            "add_overflow_p" => self.overflow_test(BinaryOp::Add, arguments, span),
            "sub_overflow_p" => self.overflow_test(BinaryOp::Sub, arguments, span),
            "mul_overflow_p" => self.overflow_test(BinaryOp::Mul, arguments, span),
            _ => return self.typed_overflow(short, arguments, span),
        })
    }

    /// The first argument, converted to `long`, whatever is expected of it.
    fn expect(&mut self, arguments: &[ast::ExprId], span: Span) -> Checked<ExprId> {
        let (first, rest) = match arguments {
            [first, rest @ ..] if !rest.is_empty() => (*first, rest),
            _ => return self.arity::<_, 2>(arguments, span).and(Err(super::Reported)),
        };
        let value = self.value(first)?;
        let long = Ty::int(IntKind::Long);
        let value = self.convert_assigned(value, long, Purpose::Argument(1))?;
        let mut result = value;
        for other in rest {
            let other = self.value(*other)?;
            if self.has_effects(other) {
                result = self.node(ExprKind::Comma(other, result), long, span);
            }
        }
        Ok(result)
    }

    fn first_of(&mut self, arguments: &[ast::ExprId], span: Span) -> Checked<ExprId> {
        let Some(first) = arguments.first() else {
            return self.arity::<_, 2>(arguments, span).and(Err(super::Reported));
        };
        let value = self.value(*first)?;
        let pointer = self.unit.types.pointer_to(Ty::VOID);
        self.convert_assigned(value, pointer, Purpose::Argument(1))
    }

    fn constant_p(&mut self, arguments: &[ast::ExprId], span: Span) -> Checked<ExprId> {
        let [argument] = self.arity(arguments, span)?;
        let value = self.unevaluated(|sema| sema.value(argument))?;
        let is_constant = match *self.kind(value) {
            ExprKind::Int(_) | ExprKind::Float(..) => true,
            ExprKind::Decay(place) => matches!(self.kind(place), ExprKind::Str(_)),
            _ => false,
        };
        Ok(self.int(i128::from(is_constant), Ty::INT, span))
    }

    /// Nothing is known about sizes here: the largest or the smallest, as the second argument asks.
    fn object_size(&mut self, arguments: &[ast::ExprId], span: Span) -> Checked<ExprId> {
        let [_, kind] = self.arity(arguments, span)?;
        let (kind, _) = self.constant(kind, "the kind of `__builtin_object_size`")?;
        let size = self.types().size_type();
        let value = if kind & 2 == 0 { self.wrap(-1, size).unwrap_or(0) } else { 0 };
        Ok(self.int(value, size, span))
    }

    /// All arguments for their effects.
    fn evaluated(&mut self, arguments: &[ast::ExprId], span: Span) -> Checked<ExprId> {
        let zero = self.int(0, Ty::INT, span);
        let mut result = self.node(ExprKind::Convert(crate::frontend::c::tree::Conversion::Void, zero), Ty::VOID, span);
        for argument in arguments {
            let value = self.value(*argument)?;
            result = self.node(ExprKind::Comma(value, result), Ty::VOID, span);
        }
        Ok(result)
    }

    fn va(&mut self, short: &str, arguments: &[ast::ExprId], span: Span) -> Checked<ExprId> {
        let (builtin, arguments): (_, Box<[ExprId]>) = match short {
            "va_copy" => {
                let [target, source] = self.arity(arguments, span)?;
                (Builtin::VaCopy, [self.va_list(target)?, self.va_list(source)?].into())
            }
            "va_end" => {
                let [list] = self.arity(arguments, span)?;
                (Builtin::VaEnd, [self.va_list(list)?].into())
            }
            _ => {
                let [list, _] = self.arity(arguments, span)?;
                let context = self.function.as_ref().map(|f| self.unit.functions[f.id].ty);
                if !context.and_then(|ty| self.types().as_function(ty)).is_some_and(|f| f.is_variadic) {
                    let message = "`va_start` in a function without variable arguments";
                    return self.error(Diagnostic::at(span, message, "there are none"));
                }
                (Builtin::VaStart, [self.va_list(list)?].into())
            }
        };
        Ok(self.node(ExprKind::Builtin(builtin, arguments), Ty::VOID, span))
    }

    fn plain_builtin(
        &mut self,
        builtin: Builtin,
        signature: &str,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> Checked<ExprId> {
        let letters: Vec<char> = signature.chars().collect();
        if letters.len() != arguments.len() + 1 {
            let message = format!("this takes {} arguments, but {} are given", letters.len() - 1, arguments.len());
            return self.error(Diagnostic::at(span, message, "a wrong number of arguments"));
        }
        let result = self.signature_type(letters[0]);
        let mut values = Vec::new();
        for (i, (argument, letter)) in arguments.iter().zip(&letters[1..]).enumerate() {
            let value = self.value(*argument)?;
            match letter {
                '*' => {}
                'F' => values.push(self.floating_argument(value)?),
                letter => {
                    let ty = self.signature_type(*letter);
                    values.push(self.convert_assigned(value, ty, Purpose::Argument(i + 1))?);
                }
            }
        }
        Ok(self.node(ExprKind::Builtin(builtin, values.into()), result, span))
    }

    fn signature_type(&mut self, letter: char) -> Ty {
        match letter {
            'v' => Ty::VOID,
            'i' => Ty::INT,
            'h' => Ty::int(IntKind::UShort),
            'u' => Ty::UINT,
            'Q' => Ty::int(IntKind::ULongLong),
            'z' => self.types().size_type(),
            'f' => Ty::FLOAT,
            'e' => Ty::LONG_DOUBLE,
            'p' => self.unit.types.pointer_to(Ty::VOID),
            _ => Ty::DOUBLE,
        }
    }

    fn floating_argument(&mut self, value: ExprId) -> Checked<ExprId> {
        if self.types().as_float(self.ty(value)).is_some() {
            return Ok(value);
        }
        self.convert_assigned(value, Ty::DOUBLE, Purpose::Argument(1))
    }

    /// Builtins on any floating type, and those on the bits of integers.
    fn numeric(&mut self, short: &str, arguments: &[ast::ExprId], span: Span) -> Option<Checked<ExprId>> {
        let float = short.strip_suffix('f').or_else(|| short.strip_suffix('l')).unwrap_or(short);
        let builtin = FLOATING.iter().find(|(known, _)| *known == short || *known == float);
        if let Some((_, builtin)) = builtin {
            return Some(self.arity(arguments, span).and_then(|[argument]| {
                let value = self.value(argument)?;
                let value = self.floating_argument(value)?;
                Ok(self.node(ExprKind::Builtin(*builtin, [value].into()), Ty::INT, span))
            }));
        }
        if let Some((_, comparison)) = COMPARISONS.iter().find(|(known, _)| *known == short) {
            return Some(self.arity(arguments, span).and_then(|[left, right]| {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let (left, right) = (self.floating_argument(left)?, self.floating_argument(right)?);
                let (left, right, _) = self.usual(left, right)?;
                let builtin = Builtin::Compare(*comparison);
                Ok(self.node(ExprKind::Builtin(builtin, [left, right].into()), Ty::INT, span))
            }));
        }
        let stem = short.trim_end_matches('l');
        let (_, builtin) = BITS.iter().find(|(known, _)| *known == stem)?;
        let kind = match short.len() - stem.len() {
            0 => IntKind::UInt,
            1 => IntKind::ULong,
            2 => IntKind::ULongLong,
            _ => return None,
        };
        Some(self.arity(arguments, span).and_then(|[argument]| {
            let value = self.value(argument)?;
            let value = self.convert_assigned(value, Ty::int(kind), Purpose::Argument(1))?;
            Ok(self.node(ExprKind::Builtin(*builtin, [value].into()), Ty::INT, span))
        }))
    }

    fn overflow(&mut self, op: BinaryOp, arguments: &[ast::ExprId], span: Span) -> Checked<ExprId> {
        let [left, right, result] = self.arity(arguments, span)?;
        let (left, right) = (self.value(left)?, self.value(right)?);
        let result = self.value(result)?;
        let target = self.types().pointee(self.ty(result)).filter(|ty| self.types().is_integer(*ty));
        let (left, right) = (self.promote_exact(left)?, self.promote_exact(right)?);
        if target.is_none() {
            return self.error(Diagnostic::at(span, "the result has to be a pointer to an integer", "here"));
        }
        let kind = ExprKind::Builtin(Builtin::Overflow(op), [left, right, result].into());
        Ok(self.node(kind, Ty::BOOL, span))
    }

    /// An operand that is computed with as an integer of unbounded size, so it keeps its type.
    fn promote_exact(&mut self, value: ExprId) -> Checked<ExprId> {
        if self.types().is_integer(self.ty(value)) {
            return Ok(value);
        }
        self.error(Diagnostic::at(self.span(value), "an integer is needed here", "no integer"))
    }

    fn overflow_test(&mut self, op: BinaryOp, arguments: &[ast::ExprId], span: Span) -> Checked<ExprId> {
        let [left, right, example] = self.arity(arguments, span)?;
        let (left, right, example) = (self.value(left)?, self.value(right)?, self.value(example)?);
        let operands = [self.promote_exact(left)?, self.promote_exact(right)?, self.promote_exact(example)?];
        Ok(self.node(ExprKind::Builtin(Builtin::OverflowTest(op), operands.into()), Ty::BOOL, span))
    }

    /// `__builtin_saddll_overflow` and its like.
    fn typed_overflow(&mut self, short: &str, arguments: &[ast::ExprId], span: Span) -> Option<Checked<ExprId>> {
        let middle = short.strip_suffix("_overflow")?;
        let (is_unsigned, rest) = match middle.split_at_checked(1)? {
            ("s", rest) => (false, rest),
            ("u", rest) => (true, rest),
            _ => return None,
        };
        let (op, longs) = match rest.split_at_checked(3)? {
            ("add", longs) => (BinaryOp::Add, longs),
            ("sub", longs) => (BinaryOp::Sub, longs),
            ("mul", longs) => (BinaryOp::Mul, longs),
            _ => return None,
        };
        let kind = match longs {
            "" => IntKind::Int,
            "l" => IntKind::Long,
            "ll" => IntKind::LongLong,
            _ => return None,
        };
        let ty = Ty::int(if is_unsigned { kind.to_unsigned() } else { kind });
        Some(self.arity(arguments, span).and_then(|[left, right, result]| {
            let (left, right, result) = (self.value(left)?, self.value(right)?, self.value(result)?);
            let left = self.convert_assigned(left, ty, Purpose::Argument(1))?;
            let right = self.convert_assigned(right, ty, Purpose::Argument(2))?;
            let pointer = self.unit.types.pointer_to(ty);
            let result = self.convert_assigned(result, pointer, Purpose::Argument(3))?;
            let kind = ExprKind::Builtin(Builtin::Overflow(op), [left, right, result].into());
            Ok(self.node(kind, Ty::BOOL, span))
        }))
    }

    /// Operations on memory that are atomic; orders are taken for the strongest, and others are noted.
    fn atomic(&mut self, name: &str, rest: &str, arguments: &[ast::ExprId], span: Span) -> Checked<ExprId> {
        let is_sync = name.starts_with("__sync_");
        let mut arguments = arguments.to_vec();
        if !is_sync {
            let orders = if rest.starts_with("compare_exchange") { 2 } else { 1 };
            for _ in 0..orders.min(arguments.len()) {
                let order = arguments.pop().expect("as many as there are");
                let (order, _) = self.constant(order, "the order of memory accesses")?;
                if order != SEQUENTIALLY_CONSISTENT {
                    self.unit.weak_order.get_or_insert(span);
                }
            }
        }
        if !is_sync && let Some(made) = self.atomic_by_pointer(rest, &arguments, span)? {
            return Ok(made);
        }
        let fetch = ATOMIC.iter().find_map(|(word, op)| match rest {
            _ if rest.strip_prefix("fetch_and_") == Some(*word) => Some(Builtin::FetchAnd(*op)),
            _ if rest.strip_prefix("fetch_") == Some(*word) => Some(Builtin::FetchAnd(*op)),
            _ if rest.strip_suffix("_and_fetch") == Some(*word) => Some(Builtin::AndFetch(*op)),
            _ if rest.strip_suffix("_fetch") == Some(*word) => Some(Builtin::AndFetch(*op)),
            _ => None,
        });
        let builtin = match rest {
            _ if fetch.is_some() => fetch.expect("just checked"),
            "synchronize" | "thread_fence" | "signal_fence" => Builtin::Barrier,
            "bool_compare_and_swap" => Builtin::CompareAndSwapBool,
            "val_compare_and_swap" => Builtin::CompareAndSwap,
            "lock_test_and_set" | "exchange_n" | "store_n" => Builtin::Exchange,
            "lock_release" => Builtin::Release,
            "load_n" => Builtin::AtomicLoad,
            _ => return self.refuse(span, &format!("`{name}` is")),
        };
        if builtin == Builtin::Barrier {
            return Ok(self.node(ExprKind::Builtin(builtin, Box::default()), Ty::VOID, span));
        }
        self.atomic_access(builtin, rest, &arguments, span)
    }

    fn atomic_access(
        &mut self,
        builtin: Builtin,
        rest: &str,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> Checked<ExprId> {
        let count = match builtin {
            Builtin::CompareAndSwap | Builtin::CompareAndSwapBool => 3,
            Builtin::Release | Builtin::AtomicLoad => 1,
            _ => 2,
        };
        if arguments.len() < count {
            return self.arity::<_, 2>(&arguments[..0], span).and(Err(super::Reported));
        }
        let pointer = self.value(arguments[0])?;
        let target = self.types().pointee(self.ty(pointer)).map(Ty::unqualified);
        let Some(ty) = target.filter(|ty| self.types().is_scalar(*ty)) else {
            return self.error(Diagnostic::at(span, "a pointer to a number or pointer is needed", "no such pointer"));
        };
        let is_pointer = matches!(self.types().kind(ty), TypeKind::Pointer(_));
        if is_pointer && matches!(builtin, Builtin::FetchAnd(_) | Builtin::AndFetch(_)) {
            return self.refuse(span, "atomic arithmetic on pointers is");
        }
        let mut operands = vec![pointer];
        for (i, argument) in arguments[1..count].iter().enumerate() {
            let value = self.value(*argument)?;
            operands.push(self.convert_assigned(value, ty, Purpose::Argument(i + 2))?);
        }
        let result = match builtin {
            Builtin::CompareAndSwapBool => Ty::BOOL,
            Builtin::Release => Ty::VOID,
            _ => ty,
        };
        let node = self.node(ExprKind::Builtin(builtin, operands.into()), result, span);
        Ok(if rest == "store_n" { self.convert(node, Ty::VOID) } else { node })
    }
}

//! Code attributes and constants in the form of [`crate::frontend::java::code`].

use super::ClassError;
use crate::frontend::java::code::{
    Code, Condition, Constant, ElementKind, Handler, Instruction, InvokeKind, LocalName, Member, Operator, StackOp,
    Unordered,
};
use crate::frontend::java::types::{JavaType, Kind, parse_type};
use cafebabe::attributes::{AttributeData, CodeData};
use cafebabe::bytecode::{Opcode, PrimitiveArrayType};
use cafebabe::constant_pool::{LiteralConstant, Loadable, MemberRef, ObjectArrayType};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The constant of a literal.
pub(super) fn literal(value: &LiteralConstant<'_>) -> Result<Constant, ClassError> {
    Ok(match value {
        LiteralConstant::Integer(n) => Constant::Int(*n),
        LiteralConstant::Long(n) => Constant::Long(*n),
        LiteralConstant::Float(x) => Constant::Float(x.to_bits()),
        LiteralConstant::Double(x) => Constant::Double(x.to_bits()),
        LiteralConstant::String(text) => Constant::String(text.encode_utf16().collect()),
        LiteralConstant::StringBytes(bytes) => Constant::String(modified_utf8(bytes)?),
    })
}

/// The UTF-16 units of a string in the form that class files have, where zero takes two bytes and surrogates stand
/// alone.
pub(super) fn modified_utf8(bytes: &[u8]) -> Result<Rc<[u16]>, ClassError> {
    let wrong = || ClassError::new("a string constant is not in modified UTF-8");
    let mut units = Vec::new();
    let mut rest = bytes;
    let low = |byte: u8| if byte & 0xc0 == 0x80 { Ok(u16::from(byte & 0x3f)) } else { Err(wrong()) };
    loop {
        let (unit, length) = match rest {
            [] => return Ok(units.into()),
            [a, ..] if (1..0x80).contains(a) => (u16::from(*a), 1),
            [a, b, ..] if a & 0xe0 == 0xc0 => (u16::from(a & 0x1f) << 6 | low(*b)?, 2),
            [a, b, c, ..] if a & 0xf0 == 0xe0 => (u16::from(a & 0x0f) << 12 | low(*b)? << 6 | low(*c)?, 3),
            _ => return Err(wrong()),
        };
        units.push(unit);
        rest = &rest[length..];
    }
}

/// The code of a method.
pub(super) fn code(data: &CodeData<'_>) -> Result<Code, ClassError> {
    let opcodes = &data.bytecode.as_ref().ok_or_else(|| ClassError::new("it has no instructions"))?.opcodes;
    let indices: FxHashMap<usize, usize> = opcodes.iter().enumerate().map(|(i, (pc, _))| (*pc, i)).collect();
    let place = |pc: usize| {
        indices.get(&pc).copied().ok_or_else(|| ClassError::new(format!("no instruction starts at byte {pc}")))
    };
    let mut instructions = Vec::with_capacity(opcodes.len());
    for (pc, opcode) in opcodes {
        let target = |offset: i32| {
            let target = i64::try_from(*pc).unwrap_or(i64::MAX) + i64::from(offset);
            place(usize::try_from(target).unwrap_or(usize::MAX))
        };
        instructions.push(instruction(opcode, &target)?);
    }
    let last = instructions.last().ok_or_else(|| ClassError::new("it has no instructions"))?;
    if !matches!(
        last,
        Instruction::Goto(_)
            | Instruction::Return(_)
            | Instruction::Throw
            | Instruction::Switch { .. }
            | Instruction::Unsupported(_)
    ) {
        return Err(ClassError::new("control runs off the end of its code"));
    }
    let end = |pc: usize| if pc == data.code.len() { Ok(opcodes.len()) } else { place(pc) };
    let mut handlers = Vec::new();
    for entry in &data.exception_table {
        handlers.push(Handler {
            start: place(entry.start_pc.into())?,
            end: end(entry.end_pc.into())?,
            target: place(entry.handler_pc.into())?,
            class: entry.catch_type.as_ref().map(|name| name.as_ref().into()),
        });
    }
    let mut code = Code { max_locals: data.max_locals, instructions, lines: Vec::new(), handlers, names: Vec::new() };
    code.lines = lines(data, opcodes.iter().map(|(pc, _)| *pc));
    let places: Vec<usize> = opcodes.iter().map(|(pc, _)| *pc).collect();
    code.names = names(data, &places);
    Ok(code)
}

fn lines(data: &CodeData<'_>, places: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut table: Vec<(usize, u32)> = Vec::new();
    for attribute in &data.attributes {
        if let AttributeData::LineNumberTable(entries) = &attribute.data {
            table.extend(entries.iter().map(|entry| (usize::from(entry.start_pc), u32::from(entry.line_number))));
        }
    }
    table.sort_by_key(|(pc, _)| *pc);
    let line = |pc: usize| match table.partition_point(|(start, _)| *start <= pc) {
        0 => 0,
        n => table[n - 1].1,
    };
    places.map(line).collect()
}

fn names(data: &CodeData<'_>, places: &[usize]) -> Vec<LocalName> {
    let mut names = Vec::new();
    for attribute in &data.attributes {
        if let AttributeData::LocalVariableTable(entries) = &attribute.data {
            for entry in entries {
                if let Some(ty) = parse_type(&entry.descriptor.to_string()) {
                    let (start, length) = (usize::from(entry.start_pc), usize::from(entry.length));
                    names.push(LocalName {
                        slot: entry.index,
                        kind: ty.kind(),
                        name: entry.name.as_ref().into(),
                        start: places.partition_point(|pc| *pc < start),
                        end: places.partition_point(|pc| *pc < start + length),
                    });
                }
            }
        }
    }
    names
}

fn member(reference: &MemberRef<'_>) -> Member {
    Member {
        class: reference.class_name.as_ref().into(),
        name: reference.name_and_type.name.as_ref().into(),
        descriptor: reference.name_and_type.descriptor.as_ref().into(),
    }
}

fn class_name(ty: &ObjectArrayType<'_>) -> Rc<str> {
    match ty {
        ObjectArrayType::ArrayType(descriptor) => descriptor.to_string().into(),
        ObjectArrayType::BinaryName(name) => name.as_ref().into(),
    }
}

fn loadable(value: &Loadable<'_>) -> Result<Instruction, ClassError> {
    Ok(match value {
        Loadable::LiteralConstant(value) => Instruction::Constant(literal(value)?),
        Loadable::ClassInfo(name) => Instruction::Constant(Constant::Class(name.as_ref().into())),
        Loadable::MethodHandle(_) => Instruction::Unsupported("a method handle as a constant"),
        Loadable::MethodType(_) => Instruction::Unsupported("a method type as a constant"),
        Loadable::Dynamic(_) => Instruction::Unsupported("a dynamic constant"),
    })
}

fn primitive(ty: &PrimitiveArrayType) -> JavaType {
    match ty {
        PrimitiveArrayType::Boolean => JavaType::Boolean,
        PrimitiveArrayType::Char => JavaType::Char,
        PrimitiveArrayType::Float => JavaType::Float,
        PrimitiveArrayType::Double => JavaType::Double,
        PrimitiveArrayType::Byte => JavaType::Byte,
        PrimitiveArrayType::Short => JavaType::Short,
        PrimitiveArrayType::Int => JavaType::Int,
        PrimitiveArrayType::Long => JavaType::Long,
    }
}

/// An instruction. Those that move data and those that compute are told apart first; what none of them is, is reserved.
fn instruction(
    opcode: &Opcode<'_>,
    target: &dyn Fn(i32) -> Result<usize, ClassError>,
) -> Result<Instruction, ClassError> {
    use Instruction as I;
    use Kind::{Double, Float, Int, Long, Reference};
    use Opcode as O;
    if let Some(simple) = constant(opcode).or_else(|| access(opcode)).or_else(|| computation(opcode)) {
        return Ok(simple);
    }
    Ok(match opcode {
        O::Ldc(value) | O::LdcW(value) | O::Ldc2W(value) => loadable(value)?,
        O::Ifeq(to) => I::If(Condition::Equal, target(*to)?),
        O::Ifne(to) => I::If(Condition::NotEqual, target(*to)?),
        O::Iflt(to) => I::If(Condition::Less, target(*to)?),
        O::Ifge(to) => I::If(Condition::AtLeast, target(*to)?),
        O::Ifgt(to) => I::If(Condition::Greater, target(*to)?),
        O::Ifle(to) => I::If(Condition::AtMost, target(*to)?),
        O::IfIcmpeq(to) => I::IfInts(Condition::Equal, target(*to)?),
        O::IfIcmpne(to) => I::IfInts(Condition::NotEqual, target(*to)?),
        O::IfIcmplt(to) => I::IfInts(Condition::Less, target(*to)?),
        O::IfIcmpge(to) => I::IfInts(Condition::AtLeast, target(*to)?),
        O::IfIcmpgt(to) => I::IfInts(Condition::Greater, target(*to)?),
        O::IfIcmple(to) => I::IfInts(Condition::AtMost, target(*to)?),
        O::IfAcmpeq(to) => I::IfReferences(Condition::Equal, target(*to)?),
        O::IfAcmpne(to) => I::IfReferences(Condition::NotEqual, target(*to)?),
        O::Ifnull(to) => I::IfNull(Condition::Equal, target(*to)?),
        O::Ifnonnull(to) => I::IfNull(Condition::NotEqual, target(*to)?),
        O::Goto(to) => I::Goto(target(*to)?),
        O::Jsr(_) => I::Unsupported("the instruction jsr"),
        O::Ret(_) => I::Unsupported("the instruction ret"),
        O::Tableswitch(table) => {
            let values = (table.low..=table.high).zip(&table.jumps);
            let cases = values.map(|(value, to)| Ok((value, target(*to)?))).collect::<Result<_, ClassError>>()?;
            I::Switch { default: target(table.default)?, cases }
        }
        O::Lookupswitch(table) => {
            let cases = table.match_offsets.iter().map(|(value, to)| Ok((*value, target(*to)?)));
            I::Switch { default: target(table.default)?, cases: cases.collect::<Result<_, ClassError>>()? }
        }
        O::Ireturn => I::Return(Some(Int)),
        O::Lreturn => I::Return(Some(Long)),
        O::Freturn => I::Return(Some(Float)),
        O::Dreturn => I::Return(Some(Double)),
        O::Areturn => I::Return(Some(Reference)),
        O::Return => I::Return(None),
        O::Getstatic(reference) => I::GetStatic(member(reference)),
        O::Putstatic(reference) => I::PutStatic(member(reference)),
        O::Getfield(reference) => I::GetField(member(reference)),
        O::Putfield(reference) => I::PutField(member(reference)),
        O::Invokevirtual(reference) => I::Invoke(InvokeKind::Virtual, member(reference)),
        O::Invokespecial(reference) => I::Invoke(InvokeKind::Special, member(reference)),
        O::Invokestatic(reference) => I::Invoke(InvokeKind::Static, member(reference)),
        O::Invokeinterface(reference, _) => I::Invoke(InvokeKind::Interface, member(reference)),
        O::Invokedynamic(dynamic) => I::InvokeDynamic(
            usize::from(dynamic.attr_index),
            dynamic.name_and_type.name.as_ref().into(),
            dynamic.name_and_type.descriptor.as_ref().into(),
        ),
        O::New(name) => I::New(name.as_ref().into()),
        O::Newarray(ty) => I::NewArray(primitive(ty)),
        O::Anewarray(ty) => I::NewArray(JavaType::Reference(class_name(ty))),
        O::Multianewarray(ty, dimensions) => I::MultiNewArray(class_name(ty), *dimensions),
        O::Athrow => I::Throw,
        O::Checkcast(ty) => I::CheckCast(class_name(ty)),
        O::Instanceof(ty) => I::InstanceOf(class_name(ty)),
        O::Monitorenter => I::MonitorEnter,
        O::Monitorexit => I::MonitorExit,
        _ => I::Unsupported("a reserved instruction"),
    })
}

/// An instruction that pushes a constant of its own, and the one that does nothing.
fn constant(opcode: &Opcode<'_>) -> Option<Instruction> {
    use Instruction as I;
    use Opcode as O;
    let int = |n: i32| I::Constant(Constant::Int(n));
    let float = |x: f32| I::Constant(Constant::Float(x.to_bits()));
    let double = |x: f64| I::Constant(Constant::Double(x.to_bits()));
    Some(match opcode {
        O::Nop => I::Nop,
        O::AconstNull => I::Constant(Constant::Null),
        O::IconstM1 => int(-1),
        O::Iconst0 => int(0),
        O::Iconst1 => int(1),
        O::Iconst2 => int(2),
        O::Iconst3 => int(3),
        O::Iconst4 => int(4),
        O::Iconst5 => int(5),
        O::Lconst0 => I::Constant(Constant::Long(0)),
        O::Lconst1 => I::Constant(Constant::Long(1)),
        O::Fconst0 => float(0.0),
        O::Fconst1 => float(1.0),
        O::Fconst2 => float(2.0),
        O::Dconst0 => double(0.0),
        O::Dconst1 => double(1.0),
        O::Bipush(n) => int(i32::from(*n)),
        O::Sipush(n) => int(i32::from(*n)),
        _ => return None,
    })
}

/// An instruction that reads or writes a local variable or an element, or rearranges the stack.
fn access(opcode: &Opcode<'_>) -> Option<Instruction> {
    use Instruction as I;
    use Kind::{Double, Float, Int, Long, Reference};
    use Opcode as O;
    Some(match opcode {
        O::Iload(slot) => I::Load(Int, *slot),
        O::Lload(slot) => I::Load(Long, *slot),
        O::Fload(slot) => I::Load(Float, *slot),
        O::Dload(slot) => I::Load(Double, *slot),
        O::Aload(slot) => I::Load(Reference, *slot),
        O::Istore(slot) => I::Store(Int, *slot),
        O::Lstore(slot) => I::Store(Long, *slot),
        O::Fstore(slot) => I::Store(Float, *slot),
        O::Dstore(slot) => I::Store(Double, *slot),
        O::Astore(slot) => I::Store(Reference, *slot),
        O::Iinc(slot, by) => I::Increment(*slot, i32::from(*by)),
        O::Iaload => I::ArrayLoad(ElementKind::Int),
        O::Laload => I::ArrayLoad(ElementKind::Long),
        O::Faload => I::ArrayLoad(ElementKind::Float),
        O::Daload => I::ArrayLoad(ElementKind::Double),
        O::Aaload => I::ArrayLoad(ElementKind::Reference),
        O::Baload => I::ArrayLoad(ElementKind::Byte),
        O::Caload => I::ArrayLoad(ElementKind::Char),
        O::Saload => I::ArrayLoad(ElementKind::Short),
        O::Iastore => I::ArrayStore(ElementKind::Int),
        O::Lastore => I::ArrayStore(ElementKind::Long),
        O::Fastore => I::ArrayStore(ElementKind::Float),
        O::Dastore => I::ArrayStore(ElementKind::Double),
        O::Aastore => I::ArrayStore(ElementKind::Reference),
        O::Bastore => I::ArrayStore(ElementKind::Byte),
        O::Castore => I::ArrayStore(ElementKind::Char),
        O::Sastore => I::ArrayStore(ElementKind::Short),
        O::Arraylength => I::ArrayLength,
        O::Pop => I::Stack(StackOp::Pop),
        O::Pop2 => I::Stack(StackOp::Pop2),
        O::Dup => I::Stack(StackOp::Dup),
        O::DupX1 => I::Stack(StackOp::DupX1),
        O::DupX2 => I::Stack(StackOp::DupX2),
        O::Dup2 => I::Stack(StackOp::Dup2),
        O::Dup2X1 => I::Stack(StackOp::Dup2X1),
        O::Dup2X2 => I::Stack(StackOp::Dup2X2),
        O::Swap => I::Stack(StackOp::Swap),
        _ => return None,
    })
}

/// An instruction that computes a number from numbers.
fn computation(opcode: &Opcode<'_>) -> Option<Instruction> {
    use Instruction as I;
    use Kind::{Double, Float, Int, Long};
    use Opcode as O;
    use Operator::*;
    let binary = |operator, kind| I::Binary(operator, kind);
    Some(match opcode {
        O::Iadd => binary(Add, Int),
        O::Ladd => binary(Add, Long),
        O::Fadd => binary(Add, Float),
        O::Dadd => binary(Add, Double),
        O::Isub => binary(Sub, Int),
        O::Lsub => binary(Sub, Long),
        O::Fsub => binary(Sub, Float),
        O::Dsub => binary(Sub, Double),
        O::Imul => binary(Mul, Int),
        O::Lmul => binary(Mul, Long),
        O::Fmul => binary(Mul, Float),
        O::Dmul => binary(Mul, Double),
        O::Idiv => binary(Div, Int),
        O::Ldiv => binary(Div, Long),
        O::Fdiv => binary(Div, Float),
        O::Ddiv => binary(Div, Double),
        O::Irem => binary(Rem, Int),
        O::Lrem => binary(Rem, Long),
        O::Frem => binary(Rem, Float),
        O::Drem => binary(Rem, Double),
        O::Iand => binary(And, Int),
        O::Land => binary(And, Long),
        O::Ior => binary(Or, Int),
        O::Lor => binary(Or, Long),
        O::Ixor => binary(Xor, Int),
        O::Lxor => binary(Xor, Long),
        O::Ishl => binary(ShiftLeft, Int),
        O::Lshl => binary(ShiftLeft, Long),
        O::Ishr => binary(ShiftRight, Int),
        O::Lshr => binary(ShiftRight, Long),
        O::Iushr => binary(UnsignedShiftRight, Int),
        O::Lushr => binary(UnsignedShiftRight, Long),
        O::Ineg => I::Negate(Int),
        O::Lneg => I::Negate(Long),
        O::Fneg => I::Negate(Float),
        O::Dneg => I::Negate(Double),
        O::I2l => I::Convert(Int, Long),
        O::I2f => I::Convert(Int, Float),
        O::I2d => I::Convert(Int, Double),
        O::L2i => I::Convert(Long, Int),
        O::L2f => I::Convert(Long, Float),
        O::L2d => I::Convert(Long, Double),
        O::F2i => I::Convert(Float, Int),
        O::F2l => I::Convert(Float, Long),
        O::F2d => I::Convert(Float, Double),
        O::D2i => I::Convert(Double, Int),
        O::D2l => I::Convert(Double, Long),
        O::D2f => I::Convert(Double, Float),
        O::I2b => I::Narrow(JavaType::Byte),
        O::I2c => I::Narrow(JavaType::Char),
        O::I2s => I::Narrow(JavaType::Short),
        O::Lcmp => I::Compare(Long, Unordered::Never),
        O::Fcmpl => I::Compare(Float, Unordered::Less),
        O::Fcmpg => I::Compare(Float, Unordered::Greater),
        O::Dcmpl => I::Compare(Double, Unordered::Less),
        O::Dcmpg => I::Compare(Double, Unordered::Greater),
        _ => return None,
    })
}

//! What the virtual machine says of a null reference: what cannot be done, and where the reference comes from.
//!
//! It follows the operand stack of the method up to the instruction, each operand being the instruction that made it, and
//! then tells the expression from there, as far as five steps lead.

use super::code::{Code, Constant, ElementKind, Instruction, Member, StackOp};
use super::types::{JavaType, Kind, Signature};

/// A method, as far as messages tell of it.
pub struct Told<'a> {
    /// Its code.
    pub code: &'a Code,
    /// Its parameters.
    pub signature: &'a Signature,
    /// Whether it has no receiver.
    pub is_static: bool,
    /// Whether its class file tells the names of its local variables.
    pub has_names: bool,
}

/// How many steps an expression is told with.
const MAX_STEPS: u32 = 5;

/// The message of the exception that the instruction at the index throws for a null reference; none where it has none.
pub fn message(told: &Told<'_>, index: usize) -> Option<String> {
    let instruction = told.code.instructions.get(index)?;
    let (action, depth) = action(instruction)?;
    let stacks = stacks(told.code, index);
    let mut cause = String::new();
    let teller = Teller { told, stacks: &stacks };
    let is_told = teller.source(index, depth).is_some_and(|source| {
        let is_call = matches!(told.code.instructions[source], Instruction::Invoke(..));
        cause.push_str(if is_call { " because the return value of \"" } else { " because \"" });
        teller.tell(source, MAX_STEPS, &mut cause)
    });
    Some(if is_told { format!("{action}{cause}\" is null") } else { action })
}

/// For each place of the operand stack before an instruction, the instruction that made what is there, if it is one.
pub fn makers(code: &Code, index: usize) -> Vec<Option<usize>> {
    stacks(code, index).into_iter().nth(index).flatten().unwrap_or_default().operands
}

/// What cannot be done with null, and how far below the top of the stack the reference is.
fn action(instruction: &Instruction) -> Option<(String, usize)> {
    use Instruction as I;
    Some(match instruction {
        I::ArrayLoad(kind) => (format!("Cannot load from {} array", elements(*kind)), 1),
        I::ArrayStore(kind) => {
            let wide = matches!(kind, ElementKind::Long | ElementKind::Double);
            (format!("Cannot store to {} array", elements(*kind)), if wide { 3 } else { 2 })
        }
        I::ArrayLength => ("Cannot read the array length".to_owned(), 0),
        I::Throw => ("Cannot throw exception".to_owned(), 0),
        I::MonitorEnter => ("Cannot enter synchronized block".to_owned(), 0),
        I::MonitorExit => ("Cannot exit synchronized block".to_owned(), 0),
        I::GetField(member) => (format!("Cannot read field \"{}\"", member.name), 0),
        I::PutField(member) => (format!("Cannot assign field \"{}\"", member.name), slots(&member.descriptor)),
        I::Invoke(_, member) => {
            let signature = Signature::parse(&member.descriptor)?;
            let depth = signature.parameters.iter().map(|ty| width(ty.kind())).sum();
            (format!("Cannot invoke \"{}\"", method_name(member)?), depth)
        }
        _ => return None,
    })
}

fn elements(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Byte => "byte/boolean",
        ElementKind::Char => "char",
        ElementKind::Short => "short",
        ElementKind::Int => "int",
        ElementKind::Long => "long",
        ElementKind::Float => "float",
        ElementKind::Double => "double",
        ElementKind::Reference => "object",
    }
}

fn width(kind: Kind) -> usize {
    if kind.is_wide() { 2 } else { 1 }
}

/// How many places a value of the type takes.
fn slots(descriptor: &str) -> usize {
    if matches!(descriptor, "J" | "D") { 2 } else { 1 }
}

/// A class as messages name it.
fn class_name(name: &str) -> String {
    match name {
        "java/lang/Object" => "Object".to_owned(),
        "java/lang/String" => "String".to_owned(),
        other => other.replace('/', "."),
    }
}

fn method_name(member: &Member) -> Option<String> {
    let signature = Signature::parse(&member.descriptor)?;
    // The virtual machine shortens whatever starts with these two names.
    let parameter = |ty: &JavaType| {
        let name = ty.to_string();
        let is_known = ["java.lang.Object", "java.lang.String"].iter().any(|known| name.starts_with(known));
        if is_known { name["java.lang.".len()..].to_owned() } else { name }
    };
    let parameters: Vec<String> = signature.parameters.iter().map(parameter).collect();
    Some(format!("{}.{}({})", class_name(&member.class), member.name, parameters.join(", ")))
}

/// The operands before an instruction, each as the instruction that made it, and the locals that were written.
#[derive(Debug, Clone, Default)]
struct Stack {
    operands: Vec<Option<usize>>,
    written: u64,
}

impl Stack {
    fn pop(&mut self, count: usize) {
        let length = self.operands.len();
        self.operands.truncate(length.saturating_sub(count));
    }

    fn push(&mut self, index: usize, count: usize) {
        self.operands.extend(std::iter::repeat_n(Some(index), count));
    }

    fn write(&mut self, slot: u16, count: usize) {
        for slot in usize::from(slot)..usize::from(slot) + count {
            if slot < 64 {
                self.written |= 1 << slot;
            }
        }
    }

    fn was_written(&self, slot: u16) -> bool {
        slot >= 64 || self.written & 1 << slot != 0
    }

    /// What is known where two ways meet.
    fn merge(&mut self, other: &Stack) {
        for (mine, theirs) in self.operands.iter_mut().zip(&other.operands) {
            if mine != theirs {
                *mine = None;
            }
        }
        self.written |= other.written;
    }
}

/// The stacks before all instructions that come to one, in the order of the code; later ones only as far as they are
/// needed for that.
fn stacks(code: &Code, wanted: usize) -> Vec<Option<Stack>> {
    let mut stacks: Vec<Option<Stack>> = vec![None; code.instructions.len()];
    if let Some(first) = stacks.first_mut() {
        *first = Some(Stack::default());
    }
    for handler in &code.handlers {
        stacks[handler.target] = Some(Stack { operands: vec![Some(handler.target)], written: 0 });
    }
    loop {
        let mut has_grown = false;
        for (index, instruction) in code.instructions.iter().enumerate() {
            if index == wanted && index > 0 && stacks[index].is_some() {
                return stacks;
            }
            let Some(mut stack) = stacks[index].clone() else { continue };
            step(&mut stack, instruction, index);
            for next in instruction.successors(index) {
                let Some(known) = stacks.get_mut(next) else { continue };
                match known {
                    Some(known) => stack.merge(known),
                    None => has_grown = true,
                }
                *known = Some(stack.clone());
            }
        }
        if !has_grown {
            return stacks;
        }
    }
}

/// Does to a stack what an instruction does.
fn step(stack: &mut Stack, instruction: &Instruction, index: usize) {
    use Instruction as I;
    let (popped, pushed) = match instruction {
        I::Nop | I::Goto(_) | I::Return(_) | I::Unsupported(_) | I::CheckCast(_) => (0, 0),
        I::Increment(slot, _) => {
            stack.write(*slot, 1);
            (0, 0)
        }
        I::Constant(Constant::Long(_) | Constant::Double(_)) => (0, 2),
        I::Constant(_) | I::New(_) => (0, 1),
        I::Load(kind, _) => (0, width(*kind)),
        I::Store(kind, slot) => {
            stack.write(*slot, width(*kind));
            (width(*kind), 0)
        }
        I::ArrayLoad(kind) => (2, width(kind.java_type().kind())),
        I::ArrayStore(kind) => (2 + width(kind.java_type().kind()), 0),
        I::ArrayLength | I::NewArray(_) | I::InstanceOf(_) => (1, 1),
        I::Stack(op) => return move_operands(stack, *op),
        I::Binary(operator, kind) => {
            use super::code::Operator::{ShiftLeft, ShiftRight, UnsignedShiftRight};
            let is_shift = matches!(operator, ShiftLeft | ShiftRight | UnsignedShiftRight);
            (width(*kind) + if is_shift { 1 } else { width(*kind) }, width(*kind))
        }
        I::Negate(kind) => (width(*kind), width(*kind)),
        I::Convert(from, to) => (width(*from), width(*to)),
        I::Narrow(_) => (1, 1),
        I::Compare(kind, _) => (2 * width(*kind), 1),
        I::If(..) | I::IfNull(..) | I::Switch { .. } | I::Throw | I::MonitorEnter | I::MonitorExit => (1, 0),
        I::IfInts(..) | I::IfReferences(..) => (2, 0),
        I::GetStatic(member) => (0, slots(&member.descriptor)),
        I::PutStatic(member) => (slots(&member.descriptor), 0),
        I::GetField(member) => (1, slots(&member.descriptor)),
        I::PutField(member) => (1 + slots(&member.descriptor), 0),
        I::Invoke(kind, member) => called(&member.descriptor, *kind != super::code::InvokeKind::Static),
        I::InvokeDynamic(_, _, descriptor) => called(descriptor, false),
        I::MultiNewArray(_, dimensions) => (usize::from(*dimensions), 1),
    };
    stack.pop(popped);
    stack.push(index, pushed);
}

/// How many places a call takes from the stack and puts there.
fn called(descriptor: &str, has_receiver: bool) -> (usize, usize) {
    let Some(signature) = Signature::parse(descriptor) else { return (0, 0) };
    let parameters: usize = signature.parameters.iter().map(|ty| width(ty.kind())).sum();
    (parameters + usize::from(has_receiver), signature.result.map_or(0, |ty| width(ty.kind())))
}

/// What the instructions do that move operands, in places.
fn move_operands(stack: &mut Stack, op: StackOp) {
    let (copied, below) = match op {
        StackOp::Pop => return stack.pop(1),
        StackOp::Pop2 => return stack.pop(2),
        StackOp::Swap => {
            if let [.., a, b] = stack.operands.as_mut_slice() {
                std::mem::swap(a, b);
            }
            return;
        }
        StackOp::Dup => (1, 0),
        StackOp::DupX1 => (1, 1),
        StackOp::DupX2 => (1, 2),
        StackOp::Dup2 => (2, 0),
        StackOp::Dup2X1 => (2, 1),
        StackOp::Dup2X2 => (2, 2),
    };
    let length = stack.operands.len();
    if let Some(at) = length.checked_sub(copied + below) {
        let copies = stack.operands[length - copied..].to_vec();
        stack.operands.splice(at..at, copies);
    }
}

struct Teller<'a> {
    told: &'a Told<'a>,
    stacks: &'a [Option<Stack>],
}

impl Teller<'_> {
    /// The instruction that made the operand so far below the top before another one.
    fn source(&self, index: usize, depth: usize) -> Option<usize> {
        let operands = &self.stacks.get(index)?.as_ref()?.operands;
        let at = operands.len().checked_sub(depth + 1)?;
        operands[at]
    }

    /// Tells the expression whose value an operand has; tells whether it can.
    fn tell_operand(&self, index: usize, depth: usize, steps: u32, text: &mut String) -> bool {
        steps > 0 && self.source(index, depth).is_some_and(|source| self.tell(source, steps, text))
    }

    fn tell(&self, source: usize, steps: u32, text: &mut String) -> bool {
        use Instruction as I;
        match &self.told.code.instructions[source] {
            I::Constant(Constant::Null) => text.push_str("null"),
            I::Constant(Constant::Int(n)) if i16::try_from(*n).is_ok() => text.push_str(&n.to_string()),
            I::Load(Kind::Int | Kind::Reference, slot) => text.push_str(&self.local(source, *slot)),
            I::GetStatic(member) => text.push_str(&format!("{}.{}", class_name(&member.class), member.name)),
            I::GetField(member) => {
                if self.tell_operand(source, 0, steps - 1, text) {
                    text.push('.');
                }
                text.push_str(&member.name);
            }
            I::Invoke(_, member) => match method_name(member) {
                Some(name) => text.push_str(&name),
                None => return false,
            },
            I::ArrayLoad(ElementKind::Int | ElementKind::Reference) => {
                if !self.tell_operand(source, 1, steps - 1, text) {
                    text.push_str("<array>");
                }
                text.push('[');
                if !self.tell_operand(source, 0, steps, text) {
                    text.push_str("...");
                }
                text.push(']');
            }
            _ => return false,
        }
        true
    }

    /// What a local variable is called.
    fn local(&self, index: usize, slot: u16) -> String {
        let names = self.told.code.names.iter().filter(|_| self.told.has_names);
        let mut fitting = names.filter(|name| name.slot == slot && name.start <= index && index < name.end);
        if let Some(known) = fitting.next() {
            return known.name.to_string();
        }
        let is_parameter = self.stacks[index].as_ref().is_some_and(|stack| !stack.was_written(slot));
        if !self.told.is_static && slot == 0 && is_parameter {
            return "this".to_owned();
        }
        let mut next = usize::from(!self.told.is_static);
        for (number, ty) in self.told.signature.parameters.iter().enumerate() {
            let size = width(ty.kind());
            if (next..next + size).contains(&usize::from(slot)) && is_parameter {
                return format!("<parameter{}>", number + 1);
            }
            next += size;
        }
        format!("<local{slot}>")
    }
}

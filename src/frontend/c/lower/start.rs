//! What `main` is given: the number of the arguments, the arguments, the environment.
//!
//! There is at least one argument, as Linux has it, and a null pointer behind the last one. Where `argv` is read at
//! constant places alone, arguments behind the last of these matter to nobody; otherwise there are few, which is an
//! assumption. What an argument holds is not written here: memory that nobody wrote has any content. Where of an argument
//! nothing matters but the number that it starts with (`atoi(argv[1])`), that number is an input, and the text has any
//! length.

use super::arithmetic::cast;
use super::call::Target;
use super::{Lower, Lowered, Storage};
use crate::frontend::c::tree::{BinaryOp as Op, Conversion, Definition, ExprId, ExprKind, ObjectId, UnaryOp, Unit};
use crate::program::{BinaryOp, Expr, Id, OFFSET, Region, Statement, Type, VarId};
use crate::term::Integer;
use std::collections::{BTreeMap, BTreeSet};

/// How many arguments there are at most where any of them may be asked for, the name of the program among them.
const MAX_ARGUMENTS: usize = 3;
/// Arguments at constant places are told apart up to this one.
const MAX_CONSTANT: usize = 8;
/// How many entries the environment has at most.
const MAX_ENVIRONMENT: usize = 1;
/// How many characters an argument has at most.
const MAX_LENGTH: u64 = 15;

/// How an array of strings that `main` is given is used.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Use {
    /// How many of its entries are read, where the places are constants.
    constant: Option<usize>,
    /// Whether the characters of an entry are read.
    reads_text: bool,
    /// The entries of which nothing matters but the number that they start with.
    numbers: BTreeSet<usize>,
    /// Whether the first entry may be something else than the string that it was.
    changes_first: bool,
}

/// What is done with an entry of such an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    /// It is compared with null or with other pointers, or printed where it is known to be a string.
    Passed,
    /// It is an argument of a function that takes the decimal number at its start.
    Number,
    /// Anything else.
    Read,
}

/// Entries that are only taken as numbers: each number is an input, as there is a text for every one.
#[derive(Debug, Default)]
pub(super) struct NumbersGiven {
    array: Option<ObjectId>,
    numbers: BTreeMap<usize, VarId>,
    /// Whether the name of the program is never written to.
    keeps_name: bool,
}

impl Lower<'_> {
    /// Gives a parameter of `main` a first value: `argc` any number from 1 on, an array none that can be read.
    pub(super) fn main_parameter(&mut self, index: usize, parameter: VarId) {
        let ty = self.program.variables[parameter].ty;
        let first = match ty {
            Type::Pointer => {
                let size = Expr::Int(Integer::ZERO, OFFSET);
                vec![Statement::Allocate { target: parameter, size, region: Region::Stack, zeroed: false }]
            }
            _ => {
                let mut statements = vec![Statement::Havoc { target: parameter, span: self.body.span }];
                if index == 0 && ty.is_integer() {
                    let one = Expr::Int(Integer::ONE, ty);
                    statements.push(Statement::Assume(Expr::binary(BinaryOp::Ge, Expr::Var(parameter), one)));
                }
                statements
            }
        };
        self.body.entry_block.splice(0..0, first);
    }

    /// Makes the arguments and the environment where the program looks at them.
    pub(super) fn main_strings(&mut self, definition: &Definition, parameters: &[VarId]) -> Lowered<()> {
        let strings = |this: &Self, index: usize| {
            let (object, parameter) = (*definition.parameters.get(index)?, *parameters.get(index)?);
            let is_array = this.program.variables[parameter].ty == Type::Pointer;
            let used = this.use_of(object).filter(|_| is_array)?;
            Some((object, parameter, used))
        };
        let count = parameters.first().copied().filter(|count| self.program.variables[*count].ty.is_integer());
        if let (Some(count), Some((object, array, used))) = (count, strings(self, 1)) {
            self.make_arguments(count, array, &used);
            self.set_parameter(object, array);
            self.take_numbers(object, &used);
        }
        if let Some((object, array, used)) = strings(self, 2) {
            let int = Type::machine(32, true);
            let count = self.local("entries", int, None);
            self.emit_input(count, self.body.span);
            let at_least = Expr::binary(BinaryOp::Ge, Expr::Var(count), Expr::Int(Integer::ZERO, int));
            self.emit(Statement::Assume(at_least));
            self.assume_few(count, MAX_ENVIRONMENT);
            self.assume(format!("the environment has at most {MAX_ENVIRONMENT} entry"));
            self.assume_short(&used, "entry of the environment");
            self.make_strings(count, array, 0..=MAX_ENVIRONMENT, false);
            self.set_parameter(object, array);
        }
        Ok(())
    }

    fn make_arguments(&mut self, count: VarId, array: VarId, used: &Use) {
        let (most, are_more) = match used.constant {
            Some(most) => (most, true),
            None => {
                self.assume_few(count, MAX_ARGUMENTS);
                self.assume(format!("the program is started with at most {} arguments", MAX_ARGUMENTS - 1));
                (MAX_ARGUMENTS, false)
            }
        };
        self.assume_short(used, "argument of the program");
        self.make_strings(count, array, 1..=most, are_more);
    }

    fn assume_few(&mut self, count: VarId, most: usize) {
        let ty = self.program.variables[count].ty;
        let most = Expr::Int(Integer::from(most as i64), ty);
        self.emit(Statement::Assume(Expr::binary(BinaryOp::Le, Expr::Var(count), most)));
    }

    fn assume_short(&mut self, used: &Use, what: &str) {
        if used.reads_text {
            self.assume(format!("no {what} has more than {MAX_LENGTH} characters"));
            if self.checks().memory {
                self.assume(format!("nothing behind the end of an {what} is read"));
            }
        }
    }

    /// An array for each of the numbers of strings; for more than these, the first ones.
    fn make_strings(&mut self, count: VarId, array: VarId, numbers: std::ops::RangeInclusive<usize>, are_more: bool) {
        let most = *numbers.end();
        let strings: Vec<VarId> = (0..most + usize::from(are_more)).map(|_| self.make_string()).collect();
        let end = self.location();
        let ty = self.program.variables[count].ty;
        for number in numbers {
            let (this, others) = (self.location(), self.location());
            let is_this = Expr::binary(BinaryOp::Eq, Expr::Var(count), Expr::Int(Integer::from(number as i64), ty));
            self.branch(is_this, this, others);
            self.start_at(this);
            let entries = strings[..number].iter().map(|string| Expr::Var(*string)).chain([Expr::Null]).collect();
            self.make_array(array, entries);
            self.go_to(end);
            self.start_at(others);
        }
        if are_more {
            self.make_array(array, strings.into_iter().map(Expr::Var).collect());
            self.go_to(end);
        } else {
            self.stop();
        }
        self.start_at(end);
    }

    fn make_array(&mut self, array: VarId, entries: Vec<Expr>) {
        let bytes = u64::from(self.program.pointer_bytes);
        let size = Expr::Int(Integer::from((entries.len() as u64 * bytes) as i64), OFFSET);
        self.emit(Statement::Allocate { target: array, size, region: Region::Stack, zeroed: false });
        for (index, value) in entries.into_iter().enumerate() {
            let address = self.offset_by(Expr::Var(array), index as u64 * bytes);
            self.emit(Statement::Store { address, value });
        }
    }

    /// A string of any content.
    fn make_string(&mut self) -> VarId {
        let string = self.local("&argument", Type::Pointer, None);
        let size = Expr::Int(Integer::from((MAX_LENGTH + 1) as i64), OFFSET);
        self.emit(Statement::Allocate { target: string, size, region: Region::Stack, zeroed: false });
        let address = self.offset_by(Expr::Var(string), MAX_LENGTH);
        let value = Expr::Int(Integer::ZERO, Type::machine(8, true));
        self.emit(Statement::Store { address, value });
        string
    }

    /// A parameter that is an object in memory was stored before it was made.
    fn set_parameter(&mut self, object: ObjectId, parameter: VarId) {
        if let Some(Storage::Memory(pointer)) = self.body.locals.get(&object).copied() {
            self.emit(Statement::Store { address: Expr::Var(pointer), value: Expr::Var(parameter) });
        }
    }

    /// Makes an input of every number that an argument is taken as.
    fn take_numbers(&mut self, array: ObjectId, used: &Use) {
        let mut numbers = BTreeMap::new();
        for &entry in &used.numbers {
            let long = Type::machine(8 * self.program.pointer_bytes, true);
            let number = self.local(&format!("number in argument {entry}"), long, None);
            self.emit_input(number, self.body.span);
            numbers.insert(entry, number);
        }
        self.body.numbers_given = NumbersGiven { array: Some(array), numbers, keeps_name: !used.changes_first };
    }

    /// The result of a function that takes the number at the start of an argument of the program, where nothing else of that
    /// argument matters; tells whether this is such a call. What does not fit the type is the nearest number that does,
    /// but `atoi` takes what it gets to be an `int`, as the GNU library's does.
    pub(super) fn number_of_argument(&mut self, name: &str, arguments: &[ExprId], target: &Target) -> Lowered<bool> {
        let Some(text) = self.number_taken(name, arguments) else { return Ok(false) };
        let given = &self.body.numbers_given;
        let number = entry_of(self.unit, text)
            .filter(|(object, _)| Some(*object) == given.array)
            .and_then(|(_, entry)| given.numbers.get(&entry).copied());
        let Some(number) = number else { return Ok(false) };
        let pointer = self.value(text)?;
        self.check_access(pointer, Expr::Int(Integer::ONE, OFFSET))?;
        let bits = match name {
            "atoi" => 32,
            "atoll" => 64,
            _ => 8 * self.program.pointer_bytes,
        };
        let result = cast(Type::machine(bits, true), Expr::Var(number));
        self.give(target, result)?;
        Ok(true)
    }

    /// Whether the expression is the first of the program's arguments, which is always there, and nobody writes to it.
    pub(super) fn is_name_of_program(&self, text: ExprId) -> bool {
        let given = &self.body.numbers_given;
        let is_first = |(object, entry)| entry == 0 && Some(object) == given.array;
        given.keeps_name && entry_of(self.unit, text).is_some_and(is_first)
    }

    /// How an array of strings is used; none where it is not.
    fn use_of(&self, array: ObjectId) -> Option<Use> {
        let unit = self.unit;
        let mut parents: Vec<Vec<ExprId>> = vec![Vec::new(); unit.exprs.len()];
        for (id, expr) in unit.exprs.enumerate() {
            expr.kind.for_each_child(|child| parents[child.index()].push(id));
        }
        let parents = |expr: ExprId| &parents[expr.index()][..];
        let mentions =
            unit.exprs.enumerate().filter(|(_, expr)| matches!(expr.kind, ExprKind::Object(o) if o == array));
        let mentions: Vec<ExprId> = mentions.map(|(id, _)| id).collect();
        if mentions.is_empty() {
            return None;
        }
        let mut entries = BTreeMap::new();
        for mention in mentions {
            let Some((place, entry)) = place_read(unit, mention, &parents) else {
                return Some(Use { constant: None, reads_text: true, numbers: BTreeSet::new(), changes_first: true });
            };
            let uses = parents(entry).iter().map(|parent| self.use_by(entry, *parent, place, &parents));
            let strongest = uses.fold(if parents(entry).is_empty() { Entry::Read } else { Entry::Passed }, Entry::with);
            let known = entries.entry(place).or_insert(strongest);
            *known = known.with(strongest);
        }
        let numbers = entries.iter().filter(|(_, entry)| **entry == Entry::Number).map(|(place, _)| *place);
        Some(Use {
            constant: entries.keys().next_back().map(|place| place + 1),
            reads_text: entries.values().any(|entry| *entry == Entry::Read),
            numbers: numbers.collect(),
            changes_first: entries.get(&0) == Some(&Entry::Read),
        })
    }

    /// What an expression that an entry is part of does with it.
    fn use_by<'p>(
        &self,
        entry: ExprId,
        parent: ExprId,
        place: usize,
        parents: &impl Fn(ExprId) -> &'p [ExprId],
    ) -> Entry {
        match &self.unit.exprs[parent].kind {
            ExprKind::Convert(Conversion::Truth, _)
            | ExprKind::Unary(UnaryOp::Not, _)
            | ExprKind::Binary(Op::Eq | Op::Ne, ..) => Entry::Passed,
            ExprKind::Convert(Conversion::Pointer, _) => {
                let uses = parents(parent).iter().map(|above| self.use_by(parent, *above, place, parents));
                uses.fold(if parents(parent).is_empty() { Entry::Read } else { Entry::Passed }, Entry::with)
            }
            ExprKind::Call { callee, arguments } => {
                let Some(function) = self.unit.direct_callee(*callee) else { return Entry::Read };
                let name = &*self.unit.functions[function].name;
                if self.defined.get(name).is_some_and(|(number, _)| *number < self.user_units) {
                    return Entry::Read;
                }
                let format = match name {
                    "printf" => Some(0),
                    "fprintf" => Some(1),
                    _ => None,
                };
                let is_printed = format.is_some_and(|format| {
                    place == 0
                        && !arguments[..=format.min(arguments.len() - 1)].contains(&entry)
                        && self.literal(arguments[format]).is_some_and(|format| !format.contains(&b'*'))
                });
                match self.number_taken(name, arguments) {
                    Some(text) if text == entry => Entry::Number,
                    _ if is_printed => Entry::Passed,
                    _ => Entry::Read,
                }
            }
            _ => Entry::Read,
        }
    }

    /// The text whose decimal number a call takes, if it is such a call. It may set `errno`, so there must be nobody who reads
    /// that.
    fn number_taken(&self, name: &str, arguments: &[ExprId]) -> Option<ExprId> {
        let unit = self.unit;
        let text = match (name, arguments) {
            ("atoi" | "atol", [text]) => *text,
            ("atoll", [text]) if self.program.pointer_bytes == 8 => *text,
            ("strtol", [text, end, base]) if is_null(unit, *end) && unit.constant(*base) == Some(10) => *text,
            _ => return None,
        };
        let reads_errno = unit.functions.iter().any(|function| &*function.name == "__errno_location");
        (!reads_errno).then_some(text)
    }
}

impl Entry {
    /// What is done where both are.
    fn with(self, other: Entry) -> Entry {
        match (self, other) {
            (Entry::Read, _) | (_, Entry::Read) => Entry::Read,
            (Entry::Number, _) | (_, Entry::Number) => Entry::Number,
            _ => Entry::Passed,
        }
    }
}

fn is_null(unit: &Unit, expr: ExprId) -> bool {
    match unit.exprs[expr].kind {
        ExprKind::Convert(Conversion::Null, _) => true,
        ExprKind::Convert(Conversion::Pointer, inner) => is_null(unit, inner),
        _ => false,
    }
}

/// The array, and the constant place in it, of which an expression is the entry.
fn entry_of(unit: &Unit, text: ExprId) -> Option<(ObjectId, usize)> {
    let kind = |expr: ExprId| &unit.exprs[expr].kind;
    match *kind(text) {
        ExprKind::Convert(Conversion::Pointer, inner) => entry_of(unit, inner),
        ExprKind::Load(place) => {
            let ExprKind::Deref(pointer) = *kind(place) else { return None };
            let (array, index) = match *kind(pointer) {
                ExprKind::PointerAdd { pointer, index, is_subtraction: false, .. } => {
                    (pointer, usize::try_from(unit.constant(index)?).ok()?)
                }
                _ => (pointer, 0),
            };
            match *kind(array) {
                ExprKind::Load(object) => match *kind(object) {
                    ExprKind::Object(object) => Some((object, index)),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}

/// The constant place at which a mention of the array reads an entry, and the entry as it is read.
fn place_read<'p>(unit: &Unit, mention: ExprId, parents: &impl Fn(ExprId) -> &'p [ExprId]) -> Option<(usize, ExprId)> {
    let [load] = *parents(mention) else { return None };
    let [above] = *parents(load) else { return None };
    if !matches!(unit.exprs[load].kind, ExprKind::Load(_)) {
        return None;
    }
    let (place, deref) = match unit.exprs[above].kind {
        ExprKind::Deref(_) => (0, above),
        ExprKind::PointerAdd { pointer, index, is_subtraction: false, .. } if pointer == load => {
            let [deref] = *parents(above) else { return None };
            match unit.constant(index).and_then(|index| usize::try_from(index).ok()) {
                Some(index) if index < MAX_CONSTANT => (index, deref),
                _ => return None,
            }
        }
        _ => return None,
    };
    let [entry] = *parents(deref) else { return None };
    let is_read =
        matches!(unit.exprs[deref].kind, ExprKind::Deref(_)) && matches!(unit.exprs[entry].kind, ExprKind::Load(_));
    is_read.then_some((place, entry))
}

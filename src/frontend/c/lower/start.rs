//! What `main` is given: the number of the arguments, the arguments, the environment.
//!
//! There is at least one argument, as Linux has it, and a null pointer behind the last one. Where `argv` is read at
//! constant places alone, arguments behind the last of these matter to nobody; otherwise there are few, which is an
//! assumption. What an argument holds is not written here: memory that nobody wrote has any content.

use super::{Lower, Lowered, Storage};
use crate::frontend::c::tree::{BinaryOp as Op, Conversion, Definition, ExprId, ExprKind, ObjectId, UnaryOp, Unit};
use crate::program::{BinaryOp, Expr, Id, OFFSET, Region, Statement, Type, VarId};
use crate::term::Integer;

/// How many arguments there are at most where any of them may be asked for, the name of the program among them.
const MAX_ARGUMENTS: usize = 3;
/// Arguments at constant places are told apart up to this one.
const MAX_CONSTANT: usize = 8;
/// How many entries the environment has at most.
const MAX_ENVIRONMENT: usize = 1;
/// How many characters an argument has at most.
const MAX_LENGTH: u64 = 15;

/// How an array of strings that `main` is given is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Use {
    /// How many of its entries are read, where the places are constants.
    constant: Option<usize>,
    /// Whether more is done with an entry than to compare it with others or with null.
    reads_text: bool,
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
            let used = use_of(this.unit, object).filter(|_| is_array)?;
            Some((object, parameter, used))
        };
        let count = parameters.first().copied().filter(|count| self.program.variables[*count].ty.is_integer());
        if let (Some(count), Some((object, array, used))) = (count, strings(self, 1)) {
            self.make_arguments(count, array, used);
            self.set_parameter(object, array);
        }
        if let Some((object, array, used)) = strings(self, 2) {
            let int = Type::machine(32, true);
            let count = self.local("entries", int, None);
            self.emit_input(count, self.body.span);
            let at_least = Expr::binary(BinaryOp::Ge, Expr::Var(count), Expr::Int(Integer::ZERO, int));
            self.emit(Statement::Assume(at_least));
            self.assume_few(count, MAX_ENVIRONMENT);
            self.assume(format!("the environment has at most {MAX_ENVIRONMENT} entry"));
            self.assume_short(used, "entry of the environment");
            self.make_strings(count, array, 0..=MAX_ENVIRONMENT, false);
            self.set_parameter(object, array);
        }
        Ok(())
    }

    fn make_arguments(&mut self, count: VarId, array: VarId, used: Use) {
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

    fn assume_short(&mut self, used: Use, what: &str) {
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
}

/// How an array of strings is used; none where it is not.
fn use_of(unit: &Unit, array: ObjectId) -> Option<Use> {
    let mut parents: Vec<Vec<ExprId>> = vec![Vec::new(); unit.exprs.len()];
    for (id, expr) in unit.exprs.enumerate() {
        expr.kind.for_each_child(|child| parents[child.index()].push(id));
    }
    let parents = |expr: ExprId| &parents[expr.index()][..];
    let uses = unit.exprs.enumerate().filter(|(_, expr)| matches!(expr.kind, ExprKind::Object(o) if o == array));
    let mut all: Option<Use> = None;
    for (id, _) in uses {
        let one = use_at(unit, id, &parents);
        all = Some(match all {
            None => one,
            Some(all) => Use {
                constant: all.constant.zip(one.constant).map(|(a, b)| a.max(b)),
                reads_text: all.reads_text || one.reads_text,
            },
        });
    }
    all
}

/// How one mention of the array uses it.
fn use_at<'p>(unit: &Unit, mention: ExprId, parents: &impl Fn(ExprId) -> &'p [ExprId]) -> Use {
    let any = Use { constant: None, reads_text: true };
    let [load] = *parents(mention) else { return any };
    let [above] = *parents(load) else { return any };
    if !matches!(unit.exprs[load].kind, ExprKind::Load(_)) {
        return any;
    }
    let (place, deref) = match unit.exprs[above].kind {
        ExprKind::Deref(_) => (0, above),
        ExprKind::PointerAdd { pointer, index, is_subtraction: false, .. } if pointer == load => {
            let [deref] = *parents(above) else { return any };
            match unit.constant(index).and_then(|index| usize::try_from(index).ok()) {
                Some(index) if index < MAX_CONSTANT => (index, deref),
                _ => return any,
            }
        }
        _ => return any,
    };
    let [entry] = *parents(deref) else { return any };
    let is_read =
        matches!(unit.exprs[deref].kind, ExprKind::Deref(_)) && matches!(unit.exprs[entry].kind, ExprKind::Load(_));
    if !is_read {
        return any;
    }
    let is_test = |parent: &ExprId| {
        matches!(
            unit.exprs[*parent].kind,
            ExprKind::Convert(Conversion::Truth, _)
                | ExprKind::Unary(UnaryOp::Not, _)
                | ExprKind::Binary(Op::Eq | Op::Ne, ..)
        )
    };
    let reads_text = parents(entry).is_empty() || !parents(entry).iter().all(is_test);
    Use { constant: Some(place + 1), reads_text }
}

//! The predicates of the abstraction as a file that can be read again.

use super::Cegar;
use crate::formula::Formulas;
use crate::program::predicates::{
    Comparison, Context, Operator, Path, Predicate, PredicateFile, Section, Value, Written,
};
use crate::program::{FileId, Id, ObjectClass, ProcId, Program, Scope, Span, Type, VarId};
use crate::term::{Integer, Op, Symbol, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// In how many states paths to objects are looked for.
const MAX_STATES: usize = 500;

/// How many steps a path has at most.
const MAX_STEPS: usize = 4;

/// A path to an object, and the procedure that has the variable at its start, unless that is a global.
type PathTo = (Path, Option<ProcId>);

/// What is known of objects by their numbers.
#[derive(Default)]
struct Objects<'p> {
    paths: FxHashMap<i64, PathTo>,
    classes: FxHashMap<i64, &'p ObjectClass>,
}

impl<'p> Cegar<'p> {
    /// Keeps the predicates as text, if that was asked for: those that the user gave, and those that were found.
    pub(in crate::engine) fn note_predicates(&mut self) {
        if !self.space.config.reports_predicates {
            return;
        }
        let mut sections: BTreeMap<Option<ProcId>, Vec<Predicate>> = BTreeMap::new();
        let mut left_out = 0;
        let objects = self.paths_to_objects();
        let writer = Writer { formulas: &self.space.formulas, program: self.space.program(), objects };
        for term in self.space.precision.all_predicates() {
            let mut owners = Vec::new();
            match writer.predicate(term, &mut owners) {
                Some(predicate) if owners.iter().all(|owner| *owner == owners[0]) => {
                    sections.entry(owners.first().copied()).or_default().push(predicate);
                }
                _ => left_out += 1,
            }
        }
        let program = self.space.program();
        let nowhere = Span::new(FileId::new(0), 0, 0);
        let found = sections.into_iter().map(|(owner, predicates)| Section {
            context: owner.map_or(Context::Static, |owner| {
                let name = &program.procedures[owner].name;
                Context::Method(name.split('(').next().unwrap_or(name).to_owned())
            }),
            span: nowhere,
            predicates: predicates.into_iter().map(|predicate| Written { predicate, span: nowhere }).collect(),
        });
        let given = self.space.config.predicates.iter().flat_map(|file| file.sections.iter().cloned());
        let file = PredicateFile { sections: given.chain(found).collect() };
        self.found_predicates = file.to_string();
        if left_out > 0 {
            self.found_predicates.push_str(&format!("// {left_out} more cannot be written in this syntax\n"));
        }
    }

    /// Paths by which objects are reached from variables, in the states that were explored.
    fn paths_to_objects(&self) -> Objects<'p> {
        let mut found = Objects::default();
        for node in self.search.arg.nodes().take(MAX_STATES) {
            let state = &self.search.arg.state(node).state;
            self.add_variables(&state.values, &mut found);
            for _ in 0..MAX_STEPS {
                self.add_parts(&state.values, &mut found);
            }
        }
        found
    }

    /// Adds the objects that variables are to, and the classes that objects are of.
    fn add_variables(&self, values: &[(Symbol, TermId)], found: &mut Objects<'p>) {
        let Formulas { terms, blocks } = &self.space.formulas;
        let program = self.space.program();
        for (symbol, value) in values {
            let number = machine_number(terms.op(*value), true).and_then(|number| number.to_i64());
            let variable = blocks.encoder().variable(*symbol).filter(|_| blocks.encoder().is_object(*symbol));
            if let (Some(variable), Some(object)) = (variable, number.filter(|object| *object > 0))
                && let Some(path) = path_of_variable(program, variable)
            {
                found.paths.entry(object).or_insert(path);
            }
            if let (Some((object, 0)), Some(number)) = (blocks.memory().place_of_cell(terms, *symbol), number)
                && let Some(class) = program.classes.iter().find(|class| i64::from(class.number) == number)
            {
                found.classes.insert(object, class);
            }
        }
    }

    /// Adds the objects that fields and elements of known ones are to.
    fn add_parts(&self, values: &[(Symbol, TermId)], found: &mut Objects<'p>) {
        let Formulas { terms, blocks } = &self.space.formulas;
        for (symbol, value) in values.iter().filter(|(symbol, _)| blocks.memory().is_number(*symbol)) {
            let object = machine_number(terms.op(*value), true).and_then(|number| number.to_i64());
            let Some(object) = object.filter(|object| *object > 0 && !found.paths.contains_key(object)) else {
                continue;
            };
            let Some((owner, offset)) = blocks.memory().place_of_cell(terms, *symbol) else { continue };
            let (Some(class), Some((path, procedure))) = (found.classes.get(&owner), found.paths.get(&owner).cloned())
            else {
                continue;
            };
            if let Some(path) = part_of(self.space.program(), class, path, offset) {
                found.paths.insert(object, (path, procedure));
            }
        }
    }
}

/// The path of a variable that has a name in the source; where it is an object, of that.
fn path_of_variable(program: &Program, variable: VarId) -> Option<PathTo> {
    let data = &program.variables[variable];
    let owner = match data.scope {
        Scope::Global => None,
        Scope::Local(procedure) => Some(procedure),
    };
    let name = data.name.strip_prefix('&').unwrap_or(&data.name);
    let result = owner.and_then(|owner| program.procedures[owner].result);
    if result == Some(variable) {
        return Some((Path::Result, owner));
    }
    let first = name.split('/').next().unwrap_or(name);
    let path = match (owner, first.rsplit_once('.')) {
        (None, Some((class, field))) if program.checks_accesses() => Path::Static(class.to_owned(), field.to_owned()),
        _ => Path::Variable(first.to_owned()),
    };
    let is_plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "_$.".contains(c));
    is_plain(first).then_some((path, owner))
}

/// The field or element at an offset of an object of a class.
fn part_of(program: &Program, class: &ObjectClass, path: Path, offset: i64) -> Option<Path> {
    if let Some(field) = class.fields.iter().find(|field| i64::from(field.offset) == offset) {
        return Some(Path::Field(Box::new(path), field.name.clone()));
    }
    let (start, ty) = class.elements?;
    let bytes = match ty {
        Type::Machine(machine) => i64::from(machine.bytes()),
        Type::Pointer => i64::from(program.pointer_bytes),
        _ => return None,
    };
    let behind = offset - i64::from(start);
    let index = Value::Number(Integer::from(behind / bytes));
    (behind >= 0 && behind % bytes == 0).then(|| Path::Element(Box::new(path), Box::new(index)))
}

/// The number that an operator is.
fn machine_number(op: &Op, signed: bool) -> Option<Integer> {
    match op {
        Op::Int(number) => Some(number.clone()),
        Op::BitVec(bits, width) if signed => Some(bits.wrap_signed(*width)),
        Op::BitVec(bits, _) => Some(bits.clone()),
        _ => None,
    }
}

/// What writes terms as predicates.
struct Writer<'a, 'p> {
    formulas: &'a Formulas<'p>,
    program: &'p Program,
    objects: Objects<'p>,
}

impl Writer<'_, '_> {
    /// A predicate, and the procedures whose variables it is over; `None` if it cannot be written.
    fn predicate(&self, term: TermId, owners: &mut Vec<ProcId>) -> Option<Predicate> {
        let terms = &self.formulas.terms;
        let args = terms.args(term);
        let (comparison, signed) = match terms.op(term) {
            Op::Not => return Some(Predicate::Not(Box::new(self.predicate(args[0], owners)?))),
            Op::Eq => (Comparison::Eq, self.is_signed(term)?),
            Op::Le => (Comparison::Le, true),
            Op::Lt => (Comparison::Lt, true),
            Op::BvSle => (Comparison::Le, true),
            Op::BvSlt => (Comparison::Lt, true),
            Op::BvUle => (Comparison::Le, false),
            Op::BvUlt => (Comparison::Lt, false),
            _ => return None,
        };
        let is_of_bits = matches!(terms.op(term), Op::BvSle | Op::BvSlt | Op::BvUle | Op::BvUlt);
        if is_of_bits && self.is_signed(term)? != signed {
            return None;
        }
        if let Some(predicate) = self.reference(args, owners) {
            return Some(predicate);
        }
        let (left, right) = (self.value(args[0], signed, owners)?, self.value(args[1], signed, owners)?);
        Some(Predicate::Compare(comparison, left, right))
    }

    /// Whether the numbers in a term are signed; `None` where they are mixed, or not all numbers.
    fn is_signed(&self, term: TermId) -> Option<bool> {
        let mut signs = self.formulas.terms.symbols_of([term]).into_iter().map(|symbol| self.sign(symbol));
        let first = signs.next()??;
        signs.all(|sign| sign == Some(first)).then_some(first)
    }

    fn sign(&self, symbol: Symbol) -> Option<bool> {
        let blocks = &self.formulas.blocks;
        if blocks.is_always_known(symbol) {
            return Some(true);
        }
        match blocks.encoder().variable(symbol).map(|variable| self.program.variables[variable].ty) {
            Some(Type::Machine(machine)) => Some(machine.signed),
            Some(Type::Int) => Some(true),
            Some(_) => None,
            None => match blocks.memory().type_of(symbol)? {
                Type::Machine(machine) => Some(machine.signed),
                _ => None,
            },
        }
    }

    /// A reference compared with an object.
    fn reference(&self, args: &[TermId], owners: &mut Vec<ProcId>) -> Option<Predicate> {
        let terms = &self.formulas.terms;
        let is_object =
            |term: &TermId| terms.as_symbol(*term).is_some_and(|symbol| self.formulas.blocks.is_always_known(symbol));
        let [a, b] = args else { return None };
        let (reference, other) = if is_object(a) { (*a, *b) } else { (*b, *a) };
        if !is_object(&reference) {
            return None;
        }
        let left = Value::At(self.path(terms.as_symbol(reference)?, owners)?);
        let right = match terms.op(other) {
            Op::Int(number) if number.is_zero() => Value::Null,
            Op::Int(number) => Value::At(self.take(self.objects.paths.get(&number.to_i64()?)?, owners)),
            _ => Value::At(self.path(terms.as_symbol(other)?, owners)?),
        };
        Some(Predicate::Compare(Comparison::Eq, left, right))
    }

    fn take(&self, (path, owner): &PathTo, owners: &mut Vec<ProcId>) -> Path {
        owners.extend(*owner);
        path.clone()
    }

    /// The path of a variable or a cell.
    fn path(&self, symbol: Symbol, owners: &mut Vec<ProcId>) -> Option<Path> {
        let Formulas { terms, blocks } = self.formulas;
        if let Some(variable) = blocks.encoder().variable(symbol) {
            return Some(self.take(&path_of_variable(self.program, variable)?, owners));
        }
        let (object, offset) = blocks.memory().place_of_cell(terms, symbol)?;
        let owner = self.objects.paths.get(&object)?;
        if !self.program.checks_accesses() {
            return self.part_of_record(owner, offset, symbol, owners);
        }
        let class = self.objects.classes.get(&object)?;
        part_of(self.program, class, self.take(owner, owners), offset)
    }

    /// A part of an object of C that a variable names.
    fn part_of_record(
        &self,
        (path, owner): &PathTo,
        offset: i64,
        symbol: Symbol,
        owners: &mut Vec<ProcId>,
    ) -> Option<Path> {
        let Path::Variable(name) = path else { return None };
        let shape = self.program.shapes.of_variable(*owner, &format!("&{name}"))?;
        let bytes = match self.formulas.blocks.memory().type_of(symbol)? {
            Type::Machine(machine) => u64::from(machine.bytes()),
            _ => return None,
        };
        let (part, _) = self.program.shapes.part(shape, u64::try_from(offset).ok()?, bytes)?;
        owners.extend(*owner);
        Some(Path::Variable(format!("{name}{part}")))
    }

    fn value(&self, term: TermId, signed: bool, owners: &mut Vec<ProcId>) -> Option<Value> {
        let terms = &self.formulas.terms;
        if let Some(number) = machine_number(terms.op(term), signed) {
            return Some(Value::Number(number));
        }
        let operator = match terms.op(term) {
            Op::Var(symbol) => return Some(Value::At(self.path(*symbol, owners)?)),
            Op::Neg | Op::BvNeg => {
                let inner = self.value(terms.args(term)[0], signed, owners)?;
                let zero = Box::new(Value::Number(Integer::ZERO));
                return Some(Value::Binary(Operator::Sub, zero, Box::new(inner)));
            }
            Op::Add | Op::BvAdd => Operator::Add,
            Op::BvSub => Operator::Sub,
            Op::Mul | Op::BvMul => Operator::Mul,
            _ => return None,
        };
        let mut parts = Vec::new();
        for arg in terms.args(term) {
            parts.push(self.value(*arg, signed, owners)?);
        }
        parts.into_iter().reduce(|a, b| Value::Binary(operator, Box::new(a), Box::new(b)))
    }
}

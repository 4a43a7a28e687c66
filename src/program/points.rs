//! Which objects pointers lead to, and at which offsets: a flow-insensitive analysis of pointer variables, and of what
//! objects hold, by the sites where these are made. Values of a local variable that never meet are told apart (`webs.rs`).

use super::webs::{self, StatementAt};
use super::{BinaryOp, EdgeId, Expr, ProcId, Program, Statement, Type, VarId};
use crate::term::Offsets;
use rustc_hash::FxHashMap;

/// Where objects are made; none is where the size is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// The edge; none for `init`.
    pub edge: Option<(ProcId, EdgeId)>,
    /// Which statement of its block.
    pub statement: usize,
}

/// A set of sites, by their numbers.
pub type Sites = u64;

/// How many sites a program has at most to be looked at.
const MAX_SITES: usize = 64;

/// What a pointer can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The objects.
    pub sites: Sites,
    /// Where in them.
    pub offsets: Offsets,
}

const NOWHERE: Target = Target { sites: 0, offsets: Offsets { rest: 0, step: 0 } };
const ANY: Target = Target { sites: Sites::MAX, offsets: Offsets::ANYWHERE };

impl Target {
    fn join(self, other: Target) -> Target {
        match (self.sites, other.sites) {
            (0, _) => other,
            (_, 0) => self,
            _ => Target { sites: self.sites | other.sites, offsets: self.offsets.join(other.offsets) },
        }
    }
}

/// How many places of the objects of a site are told apart.
const MAX_PLACES: usize = 32;

/// What pointer variables can be.
#[derive(Debug, Clone)]
pub struct Points {
    /// Where objects are made; a set of sites has the numbers of these.
    pub sites: Vec<Site>,
    variables: FxHashMap<VarId, Target>,
    /// The names that variables have where statements read them, where these are others.
    names: FxHashMap<(StatementAt, VarId), VarId>,
    /// What pointers in the objects of each site can be.
    held: Vec<Vec<(Offsets, Target)>>,
    /// What pointers anywhere in memory can be.
    anywhere: Target,
}

impl Points {
    /// `None` where there are too many sites.
    pub fn of(program: &Program) -> Option<Points> {
        let mut sites = Vec::new();
        each_statement(program, |edge, statement, what| {
            if let Statement::Allocate { size, .. } = what
                && !matches!(size, Expr::Int(bytes, _) if bytes.is_negative())
            {
                sites.push(Site { edge, statement });
            }
        });
        if sites.len() > MAX_SITES {
            return None;
        }
        let held = vec![Vec::new(); sites.len()];
        let (variables, names) = (FxHashMap::default(), FxHashMap::default());
        let mut points = Points { sites, variables, names, held, anywhere: NOWHERE };
        let split = webs::split(program);
        let mut changed = true;
        while changed {
            changed = false;
            each_statement(&split, |edge, statement, what| changed |= points.take(&split, edge, statement, what));
        }
        points.join_names(program, &split);
        Some(points)
    }

    /// Takes the names of the split program for those of the program; a variable can be what any of its names can be.
    fn join_names(&mut self, program: &Program, split: &Program) {
        let mut pairs = Vec::new();
        each_statement(program, |edge, number, statement| {
            let Some((procedure, edge)) = edge else { return };
            let renamed = &split.procedures[procedure].edges[edge].block[number];
            let at = (procedure, edge, number);
            pairs.extend(variables_read(statement).zip(variables_read(renamed)).map(|pair| (Some(at), pair)));
            pairs.extend(statement.targets().into_iter().zip(renamed.targets()).map(|pair| (None, pair)));
        });
        for (at, (variable, name)) in pairs.into_iter().filter(|(_, (variable, name))| variable != name) {
            if let Some(at) = at {
                self.names.insert((at, variable), name);
            }
            let target = self.variables.get(&name).copied().unwrap_or(NOWHERE);
            self.add(variable, target);
        }
    }

    /// The set of one site.
    pub fn set_of(&self, edge: Option<(ProcId, EdgeId)>, statement: usize) -> Sites {
        let number = self.sites.iter().position(|site| *site == Site { edge, statement });
        number.map_or(0, |number| 1 << number)
    }

    /// The objects to which pointers are made numbers, or read as such.
    pub fn exposed(&self) -> Sites {
        self.anywhere.sites
    }

    /// What an expression, a pointer, can be.
    pub fn target(&self, program: &Program, expr: &Expr) -> Target {
        self.target_at(program, None, expr)
    }

    /// What an expression, a pointer, can be where a statement reads it.
    pub fn target_at(&self, program: &Program, at: Option<StatementAt>, expr: &Expr) -> Target {
        let target = |expr| self.target_at(program, at, expr);
        match expr {
            Expr::Null | Expr::Function(_) => NOWHERE,
            Expr::Var(variable) => {
                let name = at.and_then(|at| self.names.get(&(at, *variable))).unwrap_or(variable);
                self.variables.get(name).copied().unwrap_or(NOWHERE)
            }
            Expr::Binary(BinaryOp::PointerAdd, pointer, bytes) => {
                let Target { sites, offsets } = target(pointer);
                Target { sites, offsets: offsets.plus(multiple(program, bytes)) }
            }
            Expr::Ite(_, then, otherwise) => target(then).join(target(otherwise)),
            Expr::Cast(Type::Pointer, inner) if inner.type_in(program) == Type::Pointer => target(inner),
            Expr::Load(_, address) => self.held_at(target(address), program.pointer_bytes, program.pointer_bytes),
            _ => ANY,
        }
    }

    /// What pointers that share a byte with a value of a width, somewhere, can be.
    fn held_at(&self, at: Target, width: u32, pointer_bytes: u32) -> Target {
        let places = self.held.iter().enumerate().filter(|(site, _)| at.sites & (1 << site) != 0);
        let (width, bytes) = (i64::from(width), i64::from(pointer_bytes));
        let met = places.flat_map(|(_, places)| places).filter(|(of, _)| !of.is_apart(bytes, at.offsets, width));
        met.fold(self.anywhere, |all, (_, target)| all.join(*target))
    }

    /// Notes that pointers are held somewhere; whether that is new.
    fn hold(&mut self, at: Target, what: Target) -> bool {
        let mut changed = false;
        for (_, places) in self.held.iter_mut().enumerate().filter(|(site, _)| at.sites & (1 << site) != 0) {
            if places.len() >= MAX_PLACES && !places.iter().any(|(of, _)| *of == at.offsets) {
                let all = places.drain(..).fold(NOWHERE, |all, (_, target)| all.join(target));
                places.push((Offsets::ANYWHERE, all));
            }
            let is_one = places.len() == 1 && places[0].0 == Offsets::ANYWHERE;
            match places.iter_mut().find(|(of, _)| *of == at.offsets || is_one) {
                Some((_, known)) => {
                    let after = known.join(what);
                    changed |= std::mem::replace(known, after) != after;
                }
                None => {
                    places.push((at.offsets, what));
                    changed = true;
                }
            }
        }
        changed
    }

    /// What is made a number of.
    fn exposed_by(&self, program: &Program, expr: &Expr) -> Target {
        let inside = expr.operands().into_iter().fold(NOWHERE, |all, e| all.join(self.exposed_by(program, e)));
        match expr {
            Expr::Cast(Type::Machine(_), pointer) if pointer.type_in(program) == Type::Pointer => {
                inside.join(self.target(program, pointer))
            }
            _ => inside,
        }
    }

    /// What bytes are read of, which can be put together elsewhere.
    fn read_as_bytes(&self, program: &Program, expr: &Expr) -> Target {
        let inside = expr.operands().into_iter().fold(NOWHERE, |all, e| all.join(self.read_as_bytes(program, e)));
        match expr {
            Expr::Load(Type::Machine(machine), address) => {
                let at = self.target(program, address);
                inside.join(self.held_at(at, machine.bytes(), program.pointer_bytes))
            }
            _ => inside,
        }
    }

    /// Takes in what a statement does; whether that is new.
    fn take(
        &mut self,
        program: &Program,
        edge: Option<(ProcId, EdgeId)>,
        number: usize,
        statement: &Statement,
    ) -> bool {
        let is_pointer = |variable: VarId| program.variables[variable].ty == Type::Pointer;
        let exposed = statement.expressions().into_iter().fold(NOWHERE, |all, e| all.join(self.exposed_by(program, e)));
        if exposed.sites & !self.anywhere.sites != 0 {
            // An address as a number can come back as a pointer through memory.
            self.anywhere = self.anywhere.join(Target { offsets: Offsets::ANYWHERE, ..exposed });
            return true;
        }
        // Where accesses are checked, so are types.
        if !program.checks_accesses() {
            let all = statement
                .expressions()
                .into_iter()
                .fold(self.anywhere, |all, e| all.join(self.read_as_bytes(program, e)));
            if std::mem::replace(&mut self.anywhere, all) != all {
                return true;
            }
        }
        match statement {
            Statement::Allocate { target, .. } => {
                let made = Target { sites: self.set_of(edge, number), offsets: Offsets::at(0) };
                self.add(*target, made)
            }
            Statement::Assign(pairs) => {
                let pointers = pairs.iter().filter(|(target, _)| is_pointer(*target));
                let targets: Vec<(VarId, Target)> = pointers.map(|(to, e)| (*to, self.target(program, e))).collect();
                targets.into_iter().fold(false, |changed, (to, target)| self.add(to, target) | changed)
            }
            Statement::Havoc { target, .. } if is_pointer(*target) => self.add(*target, ANY),
            Statement::Call { target, callee, arguments } => {
                let procedure = &program.procedures[*callee];
                let mut changed = false;
                for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
                    if is_pointer(*parameter) {
                        let passed = self.target(program, argument);
                        changed |= self.add(*parameter, passed);
                    }
                }
                if let (Some(target), Some(result)) = (target, procedure.result)
                    && is_pointer(*target)
                {
                    let given = self.target(program, &Expr::Var(result));
                    changed |= self.add(*target, given);
                }
                changed
            }
            Statement::Spawn { callee, arguments, .. } => {
                let pairs = program.procedures[*callee].parameters.iter().zip(arguments);
                let passed: Vec<(VarId, Target)> =
                    pairs.filter(|(to, _)| is_pointer(**to)).map(|(to, e)| (*to, self.target(program, e))).collect();
                passed.into_iter().fold(false, |changed, (to, target)| self.add(to, target) | changed)
            }
            Statement::Store { address, value } if value.type_in(program) == Type::Pointer => {
                let (at, what) = (self.target(program, address), self.target(program, value));
                what.sites != 0 && self.hold(at, what)
            }
            Statement::Copy { target, source, .. } => {
                let (to, from) = (self.target(program, target), self.target(program, source));
                let what = self.held_at(Target { offsets: Offsets::ANYWHERE, ..from }, 1, program.pointer_bytes);
                what.sites != 0 && self.hold(Target { offsets: Offsets::ANYWHERE, ..to }, what)
            }
            _ => false,
        }
    }

    fn add(&mut self, variable: VarId, target: Target) -> bool {
        let before = self.variables.get(&variable).copied().unwrap_or(NOWHERE);
        let after = before.join(target);
        self.variables.insert(variable, after);
        before != after
    }
}

/// Calls the function on every statement, with its edge and number.
pub fn each_statement(program: &Program, mut visit: impl FnMut(Option<(ProcId, EdgeId)>, usize, &Statement)) {
    for (number, statement) in program.init.iter().enumerate() {
        visit(None, number, statement);
    }
    for (id, procedure) in program.procedures.enumerate() {
        for (edge, data) in procedure.edges.enumerate() {
            for (number, statement) in data.block.iter().enumerate() {
                visit(Some((id, edge)), number, statement);
            }
        }
    }
}

/// The variables that a statement reads, as often as it does.
fn variables_read(statement: &Statement) -> impl Iterator<Item = VarId> + use<> {
    let mut read = Vec::new();
    for expression in statement.expressions() {
        expression.for_each_var(&mut |variable| read.push(variable));
    }
    read.into_iter()
}

/// What is known of a number of bytes.
fn multiple(program: &Program, expr: &Expr) -> Offsets {
    // Wrapping keeps multiples of powers of two only.
    let wrapped = |of: Offsets| match (of.step, bound(program, expr) < 1 << 62) {
        (0, _) | (_, true) => of,
        (step, false) => Offsets::of(of.rest, 1 << step.trailing_zeros().min(8)),
    };
    match expr {
        Expr::Int(value, _) => value.to_i64().map_or(Offsets::ANYWHERE, Offsets::at),
        Expr::Binary(BinaryOp::Add, a, b) => wrapped(multiple(program, a).plus(multiple(program, b))),
        Expr::Binary(BinaryOp::Mul, a, b) => {
            let (a, b) = (multiple(program, a), multiple(program, b));
            let by = |of: Offsets, factor: i64| {
                Some(Offsets::of(of.rest.checked_mul(factor)?, of.step.checked_mul(factor)?.abs()))
            };
            let product = match (a.step, b.step) {
                (_, 0) => by(a, b.rest),
                (0, _) => by(b, a.rest),
                _ => None,
            };
            wrapped(product.unwrap_or(Offsets::ANYWHERE))
        }
        Expr::Cast(Type::Machine(to), inner) => match inner.type_in(program) {
            Type::Machine(from) if to.width > from.width && (to.signed || !from.signed) => multiple(program, inner),
            Type::Machine(_) => {
                let of = multiple(program, inner);
                Offsets::of(of.rest, if of.step == 0 { 256 } else { 1 << of.step.trailing_zeros().min(8) })
            }
            _ => Offsets::ANYWHERE,
        },
        _ => Offsets::ANYWHERE,
    }
}

/// How large an `i64` is at most, without its sign, if nothing wraps on the way.
fn bound(program: &Program, expr: &Expr) -> u128 {
    const MOST: u128 = 1 << 64;
    match expr {
        Expr::Int(value, _) => value.to_i64().map_or(MOST, |value| u128::from(value.unsigned_abs())),
        Expr::Binary(BinaryOp::Add, a, b) => (bound(program, a) + bound(program, b)).min(MOST),
        Expr::Binary(BinaryOp::Mul, a, b) => (bound(program, a) * bound(program, b).min(MOST - 1)).min(MOST),
        Expr::Cast(_, inner) => match inner.type_in(program) {
            Type::Machine(from) if from.width <= 32 => 1 << from.width,
            _ => MOST,
        },
        _ => MOST,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::FileId;
    use crate::program::Id;
    use crate::program::text::parse;

    /// What a variable can be, in a program with one block.
    fn sites_of(header: &str, block: &str, variable: &str) -> Sites {
        let text = format!(
            "pointer_bytes 8 {header} global p: ptr global q: ptr global r: ptr global s: ptr global n: i64 init {{ n := 0i64; }}
             procedure main() {{ location a entry location z exit edge a -> z {{ {block} }} }}"
        );
        let program = parse(&text, FileId::new(0)).expect("it is a program");
        let points = Points::of(&program).expect("there are few sites");
        let id = program.globals().find(|id| program.variables[*id].name == variable).expect("it is declared");
        points.target(&program, &Expr::Var(id)).sites
    }

    const OBJECTS: &str = "p := allocate(heap, 32i64, zeroed); q := allocate(heap, 8i64, zeroed); \
                           r := allocate(heap, 8i64, zeroed);";

    #[test]
    fn objects_hold_what_is_stored_at_the_place() {
        let stores = format!("{OBJECTS} [pointer_add(p, 8i64)] := q; [pointer_add(p, 16i64)] := r;");
        assert_eq!(sites_of("", &format!("{stores} s := ptr[pointer_add(p, 8i64)];"), "s"), 0b010);
        assert_eq!(sites_of("", &format!("{stores} s := ptr[pointer_add(p, 16i64)];"), "s"), 0b100);
        assert_eq!(sites_of("", &format!("{stores} s := ptr[pointer_add(p, n * 8i64)];"), "s"), 0b110);
    }

    #[test]
    fn copies_and_bytes_take_pointers_along() {
        let copied = format!("{OBJECTS} [p] := q; copy r, p, 8i64; s := ptr[r];");
        assert_eq!(sites_of("", &copied, "s"), 0b010);
        let as_number = format!("{OBJECTS} [p] := q; [r] := i64[p]; s := ptr[r];");
        assert_eq!(sites_of("", &as_number, "s"), 0b010);
        assert_eq!(sites_of("header_bytes 8", &as_number, "s"), 0, "where types are checked, no bytes are pointers");
    }

    #[test]
    fn values_that_never_meet_are_told_apart_where_they_are_read() {
        let text = "pointer_bytes 8 global n: ptr
             procedure main() { local slot: ptr local other: ptr location a entry location z exit
             edge a -> z { slot := allocate(heap, 8i64, zeroed); other := slot; slot := allocate(heap, 16i64, zeroed);
                           other := slot; } }";
        let program = parse(text, FileId::new(0)).expect("it is a program");
        let points = Points::of(&program).expect("there are few sites");
        let slot = program.variables.ids().find(|id| program.variables[*id].name == "slot").expect("it is declared");
        let at = |statement| Some((program.main, EdgeId::new(0), statement));
        let sites = |at| points.target_at(&program, at, &Expr::Var(slot)).sites;
        assert_eq!([sites(at(1)), sites(at(3)), sites(None)], [0b01, 0b10, 0b11]);
    }

    #[test]
    fn a_negative_size_makes_no_object() {
        assert_eq!(sites_of("", "p := allocate(heap, -1i64); p := allocate(heap, 8i64);", "p"), 0b1);
    }
}

//! Which objects a pointer may be into, found once for a whole program: by inclusion, whatever the order of statements.
//!
//! An object is the statement that makes it. Numbers that are made of pointers count as pointers, so that casts lose
//! nothing.

use crate::program::{BinaryOp, Expr, Id, Piece, Program, Statement, VarId};
use rustc_hash::FxHashMap;

/// A set of objects, by their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Objects(Vec<u64>);

impl Objects {
    /// Adds one object; whether it is new.
    pub(crate) fn insert(&mut self, object: usize) -> bool {
        let (word, bit) = (object / 64, 1 << (object % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let before = self.0[word];
        self.0[word] |= bit;
        before != self.0[word]
    }

    /// Adds all of another set; whether any is new.
    pub(crate) fn extend(&mut self, other: &Objects) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut grows = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            grows |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        grows
    }

    /// Takes one object out.
    pub(crate) fn remove(&mut self, object: usize) {
        if let Some(word) = self.0.get_mut(object / 64) {
            *word &= !(1 << (object % 64));
        }
    }

    /// Leaves only what is in another set.
    pub(crate) fn retain(&mut self, other: &Objects) {
        self.0.truncate(other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= theirs);
    }

    /// Whether an object is in the set.
    pub(crate) fn contains(&self, object: usize) -> bool {
        self.0.get(object / 64).is_some_and(|word| word >> (object % 64) & 1 == 1)
    }

    /// Whether an object is in both.
    pub(crate) fn meets(&self, other: &Objects) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// The objects, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |(word, bits): (usize, &u64)| {
            let bits = *bits;
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| 64 * word + bit)
        };
        self.0.iter().enumerate().flat_map(bits)
    }
}

impl FromIterator<usize> for Objects {
    fn from_iter<I: IntoIterator<Item = usize>>(objects: I) -> Objects {
        let mut set = Objects::default();
        for object in objects {
            set.insert(object);
        }
        set
    }
}

/// What variables and objects may point to.
#[derive(Debug)]
pub(super) struct Points<'p> {
    program: &'p Program,
    of_variables: FxHashMap<VarId, Objects>,
    /// What the bytes of each object may point to. Behind the objects are the globals, which are objects of a kind.
    contents: Vec<Objects>,
    /// The same for single offsets, where pointers are to the starts of objects.
    fields: FxHashMap<(usize, u32), Objects>,
    /// What was stored at offsets that are not known.
    anywhere: Vec<Objects>,
    objects: usize,
}

impl<'p> Points<'p> {
    pub(super) fn of(program: &'p Program) -> Points<'p> {
        let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        let statements: Vec<&Statement> = program.init.iter().chain(edges.flat_map(|edge| edge.block.iter())).collect();
        let is_made = |statement: &&&Statement| matches!(statement, Statement::Allocate { .. });
        let objects = statements.iter().filter(is_made).count();
        let (contents, anywhere) = (vec![Objects::default(); objects], vec![Objects::default(); objects]);
        let (of_variables, fields) = (FxHashMap::default(), FxHashMap::default());
        let mut points = Points { program, of_variables, contents, fields, anywhere, objects };
        while points.round(&statements) {}
        points
    }

    /// What more than one thread can get at: the globals, what they and the arguments of threads point to, and what is
    /// found from there.
    pub(super) fn shared(&self) -> Objects {
        let mut shared = Objects::default();
        let edges = self.program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        for statement in edges.flat_map(|edge| edge.block.iter()) {
            if let Statement::Spawn { arguments, .. } = statement {
                for argument in arguments {
                    shared.extend(&self.targets(argument));
                }
            }
        }
        for variable in self.program.globals() {
            shared.extend(&self.targets(&Expr::Var(variable)));
        }
        loop {
            let mut grows = false;
            for object in shared.clone().iter() {
                grows |= shared.extend(&self.contents[object]);
            }
            if !grows {
                break;
            }
        }
        for variable in self.program.globals() {
            shared.insert(self.variable(variable));
        }
        shared
    }

    /// What the bytes of an object may point to.
    pub(super) fn contents(&self, object: usize) -> &Objects {
        &self.contents[object]
    }

    /// The number under which a variable counts as an object.
    pub(super) fn variable(&self, variable: VarId) -> usize {
        self.objects + variable.index()
    }

    /// Whether anything was added.
    fn round(&mut self, statements: &[&Statement]) -> bool {
        use Statement::*;
        let (mut grows, mut made) = (false, 0);
        for statement in statements {
            match statement {
                Allocate { target, .. } => {
                    grows |= self.of_variables.entry(*target).or_default().insert(made);
                    made += 1;
                }
                Assign(pairs) => {
                    for (target, value) in pairs {
                        grows |= self.flows(*target, value);
                    }
                }
                Call { target, callee, arguments } => {
                    grows |= self.passes(*callee, arguments);
                    let result = self.program.procedures[*callee].result;
                    if let (Some(target), Some(result)) = (target, result) {
                        grows |= self.flows(*target, &Expr::Var(result));
                    }
                }
                Spawn { callee, arguments, .. } => grows |= self.passes(*callee, arguments),
                Store { address, value } => grows |= self.holds(address, self.offset(address), &self.targets(value)),
                Copy { target, source, .. } => grows |= self.holds(target, None, &self.loaded(source, None)),
                _ => {}
            }
        }
        grows
    }

    fn passes(&mut self, callee: crate::program::ProcId, arguments: &[Expr]) -> bool {
        let parameters = &self.program.procedures[callee].parameters;
        let mut grows = false;
        for (parameter, argument) in parameters.iter().zip(arguments) {
            grows |= self.flows(*parameter, argument);
        }
        grows
    }

    fn flows(&mut self, target: VarId, value: &Expr) -> bool {
        let value = self.targets(value);
        self.of_variables.entry(target).or_default().extend(&value)
    }

    /// What is stored at an address; whether it is new.
    fn holds(&mut self, address: &Expr, offset: Option<u32>, value: &Objects) -> bool {
        let mut grows = false;
        if value.iter().next().is_none() {
            return grows;
        }
        for object in self.targets(address).iter() {
            grows |= self.contents[object].extend(value);
            grows |= match offset {
                Some(offset) => self.fields.entry((object, offset)).or_default().extend(value),
                None => self.anywhere[object].extend(value),
            };
        }
        grows
    }

    /// What is at the objects that an address may be in, or at an offset of them.
    fn loaded(&self, address: &Expr, offset: Option<u32>) -> Objects {
        let mut found = Objects::default();
        for object in self.targets(address).iter() {
            match offset {
                Some(offset) => {
                    found.extend(&self.anywhere[object]);
                    self.fields.get(&(object, offset)).map(|field| found.extend(field));
                }
                None => {
                    found.extend(&self.contents[object]);
                }
            }
        }
        found
    }

    /// The offset of an address in its object, where pointers are to the starts of objects and it is told. There, what is
    /// written at one offset is not read at another that shares bytes with it.
    fn offset(&self, address: &Expr) -> Option<u32> {
        if !self.program.checks_accesses() {
            return None;
        }
        match address {
            Expr::Var(_) => Some(0),
            Expr::Binary(BinaryOp::PointerAdd, base, offset) if matches!(**base, Expr::Var(_)) => match &**offset {
                Expr::Int(offset, _) => offset.to_u32(),
                _ => None,
            },
            _ => None,
        }
    }

    /// The objects that a value may point to.
    pub(super) fn targets(&self, value: &Expr) -> Objects {
        match value {
            Expr::Var(variable) => self.of_variables.get(variable).cloned().unwrap_or_default(),
            Expr::Load(_, address) => self.loaded(address, self.offset(address)),
            other => {
                let mut found = Objects::default();
                for operand in other.operands() {
                    found.extend(&self.targets(operand));
                }
                found
            }
        }
    }

    /// The objects and globals that a statement reads, and those that it writes.
    pub(super) fn accesses(&self, statement: &Statement) -> (Objects, Objects) {
        use Statement::*;
        let (mut reads, mut writes) = (Objects::default(), Objects::default());
        for expr in statement.expressions() {
            self.reads(expr, &mut reads);
        }
        for target in statement.targets() {
            writes.insert(self.variable(target));
        }
        match statement {
            Store { address, .. } | Fill { target: address, .. } | Write { target: address, .. } | Free(address) => {
                writes.extend(&self.targets(address));
            }
            Copy { target, source, .. } => {
                writes.extend(&self.targets(target));
                reads.extend(&self.targets(source));
            }
            Output(pieces) => {
                for piece in pieces.iter().filter(|piece| piece.reads_memory()) {
                    if let Piece::Value { expr, .. } = piece {
                        reads.extend(&self.targets(expr));
                    }
                }
            }
            _ => {}
        }
        (reads, writes)
    }

    fn reads(&self, expr: &Expr, found: &mut Objects) {
        match expr {
            Expr::Var(variable) => {
                found.insert(self.variable(*variable));
            }
            Expr::Load(_, address) => {
                found.extend(&self.targets(address));
            }
            _ => {}
        }
        for operand in expr.operands() {
            self.reads(operand, found);
        }
    }
}

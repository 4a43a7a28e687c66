//! Arrays as a few tracked cells.
//!
//! Of every array one or two cells are tracked, at offsets that are chosen once, before the program starts: a write
//! there changes the tracked value, a read there gives it, and a read anywhere else gives any value. What is proved of
//! the result, whatever the offsets, is proved of every element. Accesses stay, so that those that are invalid still
//! are; only what they read is not used.
//!
//! Claim: where the result has no execution that fails, the program has none.
//! - Every execution of the program is one of the result, whatever offsets are chosen: a read elsewhere may give the
//!   value that it gives in the program. So a failure stays one, but where it is discarded ([`discard`]).
//! - A failure is discarded where one of the reads that its condition was made of, the last of each, was not at a
//!   tracked cell. These reads are at most as many for each site as cells are tracked. An execution of the program that
//!   fails there is one of the result, and is not discarded, where the offsets and objects of these reads were chosen.
//!
//! An execution of the result that fails need not be one of the program.

mod counter;
mod discard;
mod draft;
mod hoist;
mod inline;
mod loops;
mod objects;
mod ordered;
mod prepare;
mod reread;
mod rewrite;
mod shrink;
mod straighten;
mod totals;
mod unroll;

use crate::program::points::{Points, Sites, each_statement};
use crate::program::{
    BinaryOp, Edge, EdgeId, Expr, MachineInt, OFFSET, ProcId, Program, Property, Region, Role, Scope, Statement, Type,
    UnaryOp, VarId, Variable,
};
use crate::term::{Integer, Offsets};
use discard::{Counted, Plan};
pub use objects::track_objects;
use rewrite::{Rewriter, width_of};

/// The type of indices of cells: no object has 2^47 bytes, as many as can be addressed, and sums of products with the
/// sizes of elements do not wrap.
const INDEX: Type = Type::Machine(MachineInt { width: 48, signed: true });

/// How many cells of an array are tracked at most.
const MAX_CELLS: usize = 2;

/// A cell that is tracked: of the objects of a site, at an offset, of a type.
struct Cell {
    /// The site.
    site: usize,
    ty: Type,
    /// Where it is read in the program.
    read: Vec<Offsets>,
    /// Whether the site makes one object only.
    is_single: bool,
    /// The variable for the object.
    object: VarId,
    /// Where it can be.
    places: Offsets,
    /// The variable that says which of these it is.
    index: VarId,
    /// That for the value.
    value: VarId,
}

/// Whether the property is one of those that tracked cells are for: that conditions hold.
pub fn tells_of_every_element(property: &Property) -> bool {
    matches!(property, Property::Assert | Property::UnreachCall(_))
}

/// The program with cells in place of the contents of its arrays, for a property; `None` where that changes nothing, or
/// cannot be done.
pub fn track_cells(program: &Program, property: &Property) -> Option<Program> {
    if program.starts_threads() {
        return None;
    }
    match program.checks_accesses() {
        true => track(&prepare::prepare(program, property)),
        false => track(program),
    }
}

fn track(program: &Program) -> Option<Program> {
    if indexed(program, &Points::of(program)?) == 0 {
        return None;
    }
    let mut program = unroll::unroll_inner_loops(&inline::inline_small(program));
    straighten::straighten(&mut program);
    reread::read_once(&mut program);
    let program = &program;
    let points = Points::of(program)?;
    let selected = select(program, &points);
    if selected == 0 {
        return None;
    }
    let plan = Plan::of(program, &points, selected, Counted::Elements);
    let (mut result, mut prologue) = (program.clone(), Vec::new());
    let cells = make_cells(program, &points, selected, &plan, (&mut result, &mut prologue));
    let loops = loops::loops(program, &points, selected, &cells, &plan);
    let totals = totals::totals(program, &points, &loops, (&mut result, &mut prologue));
    Some(Rewriter::new((program, &points), selected, cells, plan, totals, (result, prologue)).run(&loops))
}

/// The sites of arrays of which nothing is read but single elements, by loads that are of such arrays alone.
fn select(program: &Program, points: &Points) -> Sites {
    let mut selected = indexed(program, points);
    each_statement(program, |edge, number, statement| match statement {
        Statement::Allocate { region, .. } if region.is_constant() || *region == Region::Literal => {
            selected &= !points.set_of(edge, number);
        }
        Statement::Copy { source, .. } => selected &= !points.target(program, source).sites,
        Statement::Output(pieces) if pieces.iter().any(|piece| piece.reads_memory()) => selected = 0,
        _ => {}
    });
    loop {
        let before = selected;
        each_load(program, |_, ty, address| {
            let sites = points.target(program, address).sites;
            let is_scalar = matches!(ty, Type::Machine(_) | Type::Bool | Type::Float(_));
            if sites & selected != 0 && !is_header(program, address) && (sites & !selected != 0 || !is_scalar) {
                selected &= !sites;
            }
        });
        if selected == before {
            return selected;
        }
    }
}

/// The sites of objects that are read at an index, and of those that one statement writes to at an index, as to these.
fn indexed(program: &Program, points: &Points) -> Sites {
    let at_index = |address: &Expr| {
        let target = points.target(program, address);
        if target.offsets.step != 0 && target.sites.count_ones() <= 8 { target.sites } else { 0 }
    };
    let mut found = 0;
    each_load(program, |_, _, address| found |= at_index(address));
    loop {
        let before = found;
        each_statement(program, |_, _, statement| {
            if let Statement::Store { address, .. } = statement
                && at_index(address) & found != 0
            {
                found |= at_index(address);
            }
        });
        if found == before {
            return found;
        }
    }
}

/// Whether an address is in the header of an object, which is not part of an array. References are to the start.
fn is_header(program: &Program, address: &Expr) -> bool {
    let header = Integer::from(program.header_bytes);
    match address {
        _ if program.header_bytes == 0 => false,
        Expr::Binary(BinaryOp::PointerAdd, base, bytes) => {
            matches!(&**bytes, Expr::Int(value, _) if *value < header) && !matches!(**base, Expr::Binary(..))
        }
        Expr::Binary(..) => false,
        _ => true,
    }
}

/// Calls the function on every load, with its edge.
fn each_load(program: &Program, mut visit: impl FnMut(Option<(ProcId, EdgeId)>, Type, &Expr)) {
    fn inside(expr: &Expr, visit: &mut dyn FnMut(Type, &Expr)) {
        if let Expr::Load(ty, address) = expr {
            visit(*ty, address);
        }
        expr.operands().into_iter().for_each(|operand| inside(operand, visit));
    }
    each_statement(program, |edge, _, statement| {
        for expr in statement.expressions() {
            inside(expr, &mut |ty, address| visit(edge, ty, address));
        }
    });
}

/// The variables of the cells of selected sites, one set for each type that is read there.
fn make_cells(
    program: &Program,
    points: &Points,
    selected: Sites,
    plan: &Plan,
    (result, prologue): (&mut Program, &mut Vec<Statement>),
) -> Vec<Cell> {
    let mut read: Vec<(usize, Type, Vec<Offsets>)> = Vec::new();
    each_load(program, |_, ty, address| {
        let target = points.target(program, address);
        if is_header(program, address) {
            return;
        }
        for site in sites_of(target.sites & selected) {
            match read.iter_mut().find(|(of, known, _)| *of == site && is_alike(*known, ty)) {
                Some((.., offsets)) if offsets.contains(&target.offsets) => {}
                Some((.., offsets)) => offsets.push(target.offsets),
                None => read.push((site, ty, vec![target.offsets])),
            }
        }
    });
    let places_of = |read: &[Offsets]| read.iter().copied().reduce(Offsets::join).expect("it is read somewhere");
    // One index serves all cells only where each can be exactly where a condition reads: else it counts something else.
    let counts_elements = |(site, _, read): &(usize, Type, Vec<Offsets>)| {
        let mut counted = plan.counted.iter().filter(|(of, offsets)| of == site && read.contains(offsets));
        counted.all(|(_, offsets)| *offsets == places_of(read))
    };
    let is_shared = plan.is_shared && plan.most <= 1 && read.iter().all(counts_elements);
    let mut cells = Vec::new();
    for (site, ty, read) in read {
        let is_single = is_single(program, points, site);
        let places = places_of(&read);
        let object = add_global(result, prologue, &format!("cell!{site}!object"), Type::Pointer);
        for number in 0..plan.most.clamp(1, MAX_CELLS) {
            let name = format!("cell!{site}!{number}!{ty}");
            let of_index = if is_shared { "cell!index".to_owned() } else { format!("{name}!index") };
            let is_new = !result.variables.iter().any(|variable| variable.name == of_index);
            let index = add_global(result, prologue, &of_index, INDEX);
            prologue.extend(is_new.then_some(Statement::Havoc { target: index, span: None }));
            let value = add_global(result, prologue, &format!("{name}!value"), ty);
            cells.push(Cell { site, ty, read: read.clone(), is_single, object, places, index, value });
        }
    }
    cells
}

/// Whether a site makes at most one object: it is in `init`, or where every execution comes at most once.
fn is_single(program: &Program, points: &Points, site: usize) -> bool {
    points.sites[site].edge.is_none_or(|(procedure, edge)| is_taken_once(program, procedure, edge, 0))
}

/// How many calls are followed to see that what they lead to is executed once.
const MAX_CALLS: u32 = 16;

/// Whether an execution takes an edge at most once: it is not in a loop, and in a procedure that is called at most once.
fn is_taken_once(program: &Program, id: ProcId, edge: EdgeId, depth: u32) -> bool {
    let procedure = &program.procedures[id];
    // No way leads from behind the edge to before it.
    let data = &procedure.edges[edge];
    if procedure.reached_from([data.target]).contains(&data.source) || depth > MAX_CALLS {
        return false;
    }
    let mut calls = program.procedures.enumerate().flat_map(|(caller, other)| {
        let calls = |edge: &Edge| edge.call().is_some_and(|(_, callee, _)| callee == id);
        other.edges.enumerate().filter(move |(_, edge)| calls(edge)).map(move |(edge, _)| (caller, edge))
    });
    match (calls.next(), calls.next()) {
        (None, _) => true,
        (Some((caller, call)), None) => id != program.main && is_taken_once(program, caller, call, depth + 1),
        _ => false,
    }
}

fn sites_of(sites: Sites) -> impl Iterator<Item = usize> {
    (0..64).filter(move |site| sites & (1 << site) != 0)
}

/// Whether values of the types are the same bits, as machine integers.
fn is_alike(a: Type, b: Type) -> bool {
    match (a, b) {
        (Type::Machine(a), Type::Machine(b)) => a.width == b.width,
        _ => a == b,
    }
}

fn zero(ty: Type) -> Expr {
    match ty {
        Type::Bool => Expr::Bool(false),
        Type::Pointer => Expr::Null,
        Type::Float(kind) => Expr::Float(0, kind),
        ty => Expr::Int(Integer::ZERO, ty),
    }
}

/// A global of that name, which is zero at first.
fn add_global(program: &mut Program, prologue: &mut Vec<Statement>, name: &str, ty: Type) -> VarId {
    if let Some(known) = program.globals().find(|id| program.variables[*id].name == name) {
        return known;
    }
    prologue.push(Statement::Assign(vec![(program.variables.next_id(), zero(ty))]));
    add_variable(program, name, ty, Scope::Global)
}

/// A variable of that name, or of one like it where that is taken.
fn add_variable(program: &mut Program, name: &str, ty: Type, scope: Scope) -> VarId {
    let is_taken = |name: &str| program.variables.iter().any(|other| other.scope == scope && other.name == name);
    let mut own = name.to_owned();
    let mut number = 1;
    while is_taken(&own) {
        number += 1;
        own = format!("{name}!{number}");
    }
    program.variables.push(Variable { name: own, ty, scope, role: Role::Data, span: None })
}

/// The offset of a cell.
fn offset_of(cell: &Cell) -> Expr {
    let number = |value: i64| Expr::Int(Integer::from(value), OFFSET);
    let Offsets { rest, step } = cell.places;
    if step == 0 {
        return number(rest);
    }
    let index = Expr::Cast(OFFSET, Box::new(Expr::Var(cell.index)));
    let multiple = if step == 1 { index } else { Expr::binary(BinaryOp::Mul, index, number(step)) };
    if rest == 0 { multiple } else { Expr::binary(BinaryOp::Add, multiple, number(rest)) }
}

/// When an access of a pointer is at a cell.
fn is_at(cell: &Cell, pointer: &Expr, sites: Sites) -> Expr {
    let at = Expr::binary(BinaryOp::Eq, Expr::unary(UnaryOp::Offset, pointer.clone()), offset_of(cell));
    match in_object(cell, pointer, sites) {
        Some(same) => Expr::And(vec![same, at]),
        None => at,
    }
}

/// When a pointer is into the object of a cell, unless it always is.
fn in_object(cell: &Cell, pointer: &Expr, sites: Sites) -> Option<Expr> {
    let is_sure = cell.is_single && sites == 1 << cell.site;
    (!is_sure).then(|| Expr::binary(BinaryOp::SameObject, pointer.clone(), Expr::Var(cell.object)))
}

//! The abstract reachability graph, to look at.

use super::control::{Control, Kind, Label};
use super::limits::MAX_SHOWN_FACTS;
use super::{Cegar, CegarConfig, RunEnd};
use crate::engine::search::NodeId;
use crate::engine::view::{Arrow, ArrowStyle, Diagram, DiagramBox, Look};
use crate::engine::{Budget, Stop, Task};
use crate::formula::encode::{SourceNotation, integer_encoding};
use crate::program::control::Frame;
use rustc_hash::FxHashMap;

/// Runs the engine and draws the graph that it has in the end, whatever made it stop.
///
/// Nodes that others cover are grey, with a dashed arrow to the one that covers them. A call that is popped leads to such
/// a node, whose dotted arrow is to the entry that covers it; what comes after the call has a dotted arrow from the exit
/// that it takes over. Errors are red.
///
/// # Errors
/// Where the engine cannot begin.
pub fn graph(task: &Task, config: &CegarConfig, budget: &Budget) -> Result<Diagram, Stop> {
    // Half of the time is for the drawing, which is as large as the graph.
    let budget = &budget.remaining().map_or_else(|| budget.clone(), |left| budget.at_most(left / 2));
    let mut cegar = Cegar::new(task, config, budget, super::strategy::arithmetics(integer_encoding(&task.program)).0)?;
    let ended = match cegar.run() {
        Ok(RunEnd::Safe) => "no error can be reached".to_owned(),
        Ok(RunEnd::Proved(proof)) => {
            cegar.space.formulas.terms = proof.terms;
            "invariants of the whole program exclude every error".to_owned()
        }
        Ok(RunEnd::Unsafe(_)) => "an error is reached".to_owned(),
        Err(stop) => stop.to_string(),
    };
    Ok(cegar.diagram(&ended))
}

impl Cegar<'_> {
    fn diagram(&mut self, ended: &str) -> Diagram {
        let program = self.space.program();
        let mut notation =
            SourceNotation::new(program, self.space.formulas.blocks.encoder(), &self.space.formulas.terms);
        let mut diagram = Diagram::default();
        let nodes: Vec<NodeId> = self.search.arg.nodes().collect();
        let numbers: FxHashMap<NodeId, usize> = nodes.iter().enumerate().map(|(number, id)| (*id, number)).collect();
        for id in nodes {
            let stack = self.space.frames(&self.search.arg, id);
            notation.inside(stack.last().expect("a location stack has a top").procedure);
            diagram.boxes.push(self.node_box(id, &notation));
            diagram.arrows.extend(self.arrows_of(id, &numbers));
        }
        let count = diagram.boxes.len();
        let refined = self.refinements;
        let name = Some(&program.name).filter(|name| !name.is_empty());
        diagram.title = vec![
            format!("abstract reachability graph{}", name.map_or(String::new(), |name| format!(" of {name}"))),
            format!("{count} nodes after {refined} refinement{}; {ended}", if refined == 1 { "" } else { "s" }),
        ];
        diagram
    }

    fn node_box(&mut self, id: NodeId, notation: &SourceNotation<'_>) -> DiagramBox {
        let arg = &self.search.arg;
        let Control { activation, kind, .. } = arg.control(id);
        let (stack, state) = (self.space.frames(arg, id), &arg.state(id).state);
        let is_covered = arg.covered_by(id).is_some();
        let literals = self.space.formulas.terms.strongest_bounds(state.literals.clone());
        let (top, below) = stack.split_last().expect("a location stack has a top");
        let mut title = self.place(*top);
        if self.space.formulas.blocks.cuts().has_recursion() {
            title = format!("{title}  (activation {})", activation.0);
        }
        let mut lines: Vec<String> =
            below.iter().rev().map(|frame| format!("called from {}", self.place(*frame))).collect();
        let is_entry = arg.label(id).is_entry();
        match kind {
            Kind::Error => lines.extend(self.failure(*top)),
            Kind::Exit => lines.push("exit".to_owned()),
            Kind::Entry(_) | Kind::Cut if is_entry => lines.push("entry".to_owned()),
            Kind::Entry(_) | Kind::Cut => {}
        }
        let name = |symbol| crate::term::infix::Notation::name(notation, &self.space.formulas.terms, symbol);
        // The numbers of objects and of shapes of memory mean nothing to a reader.
        let values = state.values.iter().filter(|(symbol, _)| notation.variable(*symbol).is_some());
        let values = values.map(|&(symbol, value)| {
            format!("{} == {}", name(symbol), notation.write(&self.space.formulas.terms, value))
        });
        let predicates = literals.iter().map(|&literal| notation.write(&self.space.formulas.terms, literal));
        let facts: Vec<String> = values.chain(predicates).collect();
        lines.extend(facts.iter().take(MAX_SHOWN_FACTS).cloned());
        if facts.len() > MAX_SHOWN_FACTS {
            lines.push(format!("… {} more", facts.len() - MAX_SHOWN_FACTS));
        }
        if !arg.is_expanded(id) && !is_covered && kind != Kind::Error {
            lines.push("not explored".to_owned());
        }
        let look = match kind {
            Kind::Error => Look::Error,
            _ if is_covered => Look::Faint,
            Kind::Exit => Look::End,
            Kind::Entry(_) | Kind::Cut if is_entry => Look::End,
            Kind::Entry(_) | Kind::Cut => Look::Plain,
        };
        DiagramBox { title, lines, look }
    }

    fn failure(&self, frame: Frame) -> Option<String> {
        let location = &self.space.program().procedures[frame.procedure].locations[frame.location];
        location.error.as_ref().map(|failure| failure.message.clone())
    }

    /// `main, line 12`.
    fn place(&self, frame: Frame) -> String {
        let program = self.space.program();
        let procedure = &program.procedures[frame.procedure];
        let location = &procedure.locations[frame.location];
        let line = location.span.and_then(|span| {
            let file = program.sources.get(span.file)?;
            Some(file.line_and_column(span.start).0)
        });
        match (&location.name, line) {
            (Some(name), _) if !name.is_empty() => format!("{}, {name}", procedure.name),
            (_, Some(line)) => format!("{}, line {line}", procedure.name),
            (_, None) => format!("{}, {:?}", procedure.name, frame.location),
        }
    }

    /// The arrows to a node, and from it to the one that covers it.
    fn arrows_of(&self, id: NodeId, numbers: &FxHashMap<NodeId, usize>) -> Vec<Arrow> {
        let arg = &self.search.arg;
        let arrow = |from: Option<NodeId>, to: NodeId, label: &str, style| {
            let from = *numbers.get(&from?)?;
            Some(Arrow { from, to: *numbers.get(&to)?, label: label.to_owned(), style })
        };
        let before = arg.parent(id);
        let mut arrows: Vec<Arrow> = match arg.label(id) {
            Label::Start => Vec::new(),
            Label::Block { .. } => arrow(before, id, "", ArrowStyle::Solid).into_iter().collect(),
            Label::Call { .. } => arrow(before, id, "call", ArrowStyle::Solid).into_iter().collect(),
            Label::Return { .. } => {
                let back = arrow(before, id, "return", ArrowStyle::Solid);
                let taken_over = arrow(arg.second_parent(id), id, "exit taken over", ArrowStyle::Dotted);
                back.into_iter().chain(taken_over).collect()
            }
        };
        if let Some(by) = arg.covered_by(id) {
            let (label, style) = match arg.control(id).kind {
                Kind::Entry(_) => ("popped", ArrowStyle::Dotted),
                _ => ("covered by", ArrowStyle::Dashed),
            };
            arrows.extend(arrow(Some(id), by, label, style));
        }
        arrows
    }
}

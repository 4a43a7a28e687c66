//! The abstract reachability graph, to look at.

use super::graph::{From, Kind, Node, NodeId};
use super::{Cegar, CegarConfig, Verdict};
use crate::engine::view::{Arrow, ArrowStyle, Diagram, DiagramBox, Look};
use crate::engine::{Budget, Stop, Task};
use crate::formula::encode::{SourceNotation, suits_integers};
use crate::program::control::Frame;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many facts of a node are shown.
const MOST_FACTS: usize = 24;

/// Runs the engine and draws the graph that it has in the end, whatever made it stop.
///
/// Nodes that others cover are grey, with a dashed arrow to the one that covers them. A call that takes over the exits
/// of an earlier one, instead of being explored, has a dotted arrow to the entry of that one; so has, the other way
/// round, what comes after a call from the exit that it takes over. Errors are red.
///
/// # Errors
/// Where the engine cannot begin.
pub fn graph(task: &Task, config: &CegarConfig, budget: &Budget) -> Result<Diagram, Stop> {
    let mut cegar = Cegar::new(task, config, budget, super::arithmetics(suits_integers(&task.program))[0])?;
    let ended = match cegar.run() {
        Ok(Verdict::Safe) => "no error can be reached".to_owned(),
        Ok(Verdict::Proved(proof)) => {
            cegar.terms = proof.terms;
            "invariants of the whole program exclude every error".to_owned()
        }
        Ok(Verdict::Unsafe(_)) => "an error is reached".to_owned(),
        Err(stop) => stop.to_string(),
    };
    Ok(cegar.diagram(&ended))
}

impl Cegar<'_> {
    fn diagram(&mut self, ended: &str) -> Diagram {
        let mut notation = SourceNotation::new(self.program(), self.blocks.encoder(), &self.terms);
        let waiting: FxHashSet<NodeId> = self.waitlist.iter().copied().collect();
        let mut diagram = Diagram::default();
        let numbers: FxHashMap<NodeId, usize> =
            self.graph.nodes().enumerate().map(|(number, id)| (id, number)).collect();
        let nodes: Vec<NodeId> = self.graph.nodes().collect();
        for id in nodes {
            notation.inside(self.graph.node(id).stack.last().expect("a location stack has a top").procedure);
            diagram.boxes.push(self.node_box(id, &notation, waiting.contains(&id)));
            diagram.arrows.extend(self.arrows_of(id, &numbers));
        }
        diagram.arrows.extend(self.take_overs(&numbers));
        let count = diagram.boxes.len();
        let refined = self.statistics.refinements;
        let name = Some(&self.program().name).filter(|name| !name.is_empty());
        diagram.title = vec![
            format!("abstract reachability graph{}", name.map_or(String::new(), |name| format!(" of {name}"))),
            format!("{count} nodes after {refined} refinement{}; {ended}", if refined == 1 { "" } else { "s" }),
        ];
        diagram
    }

    fn node_box(&mut self, id: NodeId, notation: &SourceNotation<'_>, waits: bool) -> DiagramBox {
        let Node { activation, stack, kind, state, covered_by, .. } = self.graph.node(id);
        let literals = self.terms.strongest_bounds(state.literals.clone());
        let (top, below) = stack.split_last().expect("a location stack has a top");
        let mut title = self.place(*top);
        if self.blocks.cuts().has_recursion() {
            title = format!("{title}  (activation {})", activation.number());
        }
        let mut lines: Vec<String> =
            below.iter().rev().map(|frame| format!("called from {}", self.place(*frame))).collect();
        let is_entry = self.graph.activation(*activation).entry == id;
        match kind {
            Kind::Error => lines.extend(self.failure(*top)),
            Kind::Exit => lines.push("exit".to_owned()),
            Kind::Cut if is_entry => lines.push("entry".to_owned()),
            Kind::Cut => {}
        }
        let name = |symbol| crate::term::infix::Notation::name(notation, &self.terms, symbol);
        // The numbers of objects and of shapes of memory mean nothing to a reader.
        let values = state.values.iter().filter(|(symbol, _)| notation.variable(*symbol).is_some());
        let values =
            values.map(|&(symbol, value)| format!("{} == {}", name(symbol), notation.write(&self.terms, value)));
        let predicates = literals.iter().map(|&literal| notation.write(&self.terms, literal));
        let facts: Vec<String> = values.chain(predicates).collect();
        lines.extend(facts.iter().take(MOST_FACTS).cloned());
        if facts.len() > MOST_FACTS {
            lines.push(format!("… {} more", facts.len() - MOST_FACTS));
        }
        if waits && covered_by.is_none() && *kind != Kind::Error {
            lines.push("not explored".to_owned());
        }
        let look = match kind {
            Kind::Error => Look::Error,
            _ if covered_by.is_some() => Look::Faint,
            Kind::Exit => Look::End,
            Kind::Cut if is_entry => Look::End,
            Kind::Cut => Look::Plain,
        };
        DiagramBox { title, lines, look }
    }

    fn failure(&self, frame: Frame) -> Option<String> {
        let location = &self.program().procedures[frame.procedure].locations[frame.location];
        location.error.as_ref().map(|failure| failure.message.clone())
    }

    /// `main, line 12`.
    fn place(&self, frame: Frame) -> String {
        let program = self.program();
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
        let node = self.graph.node(id);
        let arrow = |from: NodeId, to: NodeId, label: &str, style| Arrow {
            from: numbers[&from],
            to: numbers[&to],
            label: label.to_owned(),
            style,
        };
        let mut arrows = match &node.from {
            From::Start => Vec::new(),
            From::Block { node: before, .. } => vec![arrow(*before, id, "", ArrowStyle::Solid)],
            From::Call { node: before, .. } => vec![arrow(*before, id, "call", ArrowStyle::Solid)],
            From::Return { call, exit, .. } => vec![
                arrow(*call, id, "return", ArrowStyle::Solid),
                arrow(*exit, id, "exit taken over", ArrowStyle::Dotted),
            ],
        };
        arrows.extend(node.covered_by.map(|by| arrow(id, by, "covered by", ArrowStyle::Dashed)));
        arrows
    }

    /// The arrows from calls that were popped to the activations that stand for them.
    fn take_overs(&self, numbers: &FxHashMap<NodeId, usize>) -> Vec<Arrow> {
        let mut arrows = Vec::new();
        for activation in self.graph.activations().map(|id| self.graph.activation(id)) {
            for (caller, _) in &activation.callers {
                let made_it =
                    matches!(&self.graph.node(activation.entry).from, From::Call { node, .. } if node == caller);
                if !made_it && let (Some(&from), Some(&to)) = (numbers.get(caller), numbers.get(&activation.entry)) {
                    arrows.push(Arrow { from, to, label: "popped".to_owned(), style: ArrowStyle::Dotted });
                }
            }
        }
        arrows
    }
}

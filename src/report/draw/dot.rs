//! DOT, the language of graphviz.

use super::{block_lines, edge_lines, location_lines, wrap};
use crate::program::text::Printer;
use crate::program::{Id, Location, ProcId, Program};
use std::fmt::Write as _;

/// How many lines `init` may take before it is cut.
const INIT_LINES: usize = 40;

/// The program in DOT: a cluster for each procedure, error locations red.
pub fn dot(program: &Program) -> String {
    let printer = Printer::new(program);
    let mut out = String::new();
    let mut line = |text: String| writeln!(out, "{text}").expect("writing to a string does not fail");
    line("digraph program {".to_owned());
    line("  graph [fontname=\"monospace\", labeljust=l];".to_owned());
    line(
        "  node [fontname=\"monospace\", fontsize=10, shape=box, style=\"rounded,filled\", fillcolor=white];"
            .to_owned(),
    );
    line("  edge [fontname=\"monospace\", fontsize=9];".to_owned());
    if !program.init.is_empty() {
        let lines = block_lines(&printer, None, &program.init, INIT_LINES);
        line(format!("  init [shape=note, style=filled, fillcolor=\"#f4f4f0\", label={}];", label("init", &lines)));
        line(format!(
            "  init -> {} [style=dotted];",
            node(program.main, program.procedures[program.main].entry.index())
        ));
    }
    for (id, procedure) in program.procedures.enumerate() {
        line(format!("  subgraph cluster_{} {{", id.index()));
        line(format!("    label={};", label(&procedure.name, &[])));
        line("    style=rounded; color=\"#b0b0b0\";".to_owned());
        for (location_id, location) in procedure.locations.enumerate() {
            let lines = location_lines(location_id, location);
            let style = style(location, location_id == procedure.entry, location_id == procedure.exit);
            line(format!("    {} [label={}{style}];", node(id, location_id.index()), centred(&lines)));
        }
        for edge in &procedure.edges {
            let name = edge.label.as_deref().unwrap_or("");
            let text = label(name, &edge_lines(&printer, id, edge));
            let (source, target) = (node(id, edge.source.index()), node(id, edge.target.index()));
            line(format!("    {source} -> {target} [label={text}];"));
        }
        line("  }".to_owned());
    }
    line("}".to_owned());
    out
}

fn node(procedure: ProcId, location: usize) -> String {
    format!("p{}_{location}", procedure.index())
}

fn style(location: &Location, entry: bool, exit: bool) -> String {
    let mut style = String::new();
    if location.error.is_some() {
        style.push_str(", fillcolor=\"#f8d0d0\", color=\"#c02020\", fontcolor=\"#901010\"");
    }
    if entry {
        style.push_str(", penwidth=2");
    }
    if exit {
        style.push_str(", peripheries=2");
    }
    style
}

/// A title and lines, to the left.
pub(super) fn label(title: &str, lines: &[String]) -> String {
    let title = if title.is_empty() { Vec::new() } else { wrap(title) };
    let text: String = title.iter().chain(lines).map(|line| format!("{}\\l", escape(line))).collect();
    format!("\"{text}\"")
}

fn centred(lines: &[String]) -> String {
    format!("\"{}\"", lines.iter().map(|line| escape(line)).collect::<Vec<_>>().join("\\n"))
}

pub(super) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

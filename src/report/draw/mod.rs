//! Drawing programs: as DOT for graphviz, and as an SVG picture without it.
//!
//! The same program gives the same drawing, byte by byte.

mod diagram;
mod dot;
mod layout;
mod panel;
mod svg;

pub use diagram::DiagramTooLarge;
pub use dot::dot;
pub use svg::{TooLarge, svg};

use crate::program::text::Printer;
use crate::program::{Edge, LocId, Location, ProcId, Statement};

/// How long a line of a label may be.
const WIDTH: usize = 64;

/// How many lines one statement may take before it is cut.
const LINES: usize = 4;

/// How many lines the label of one edge may have before it is cut.
const EDGE_LINES: usize = 16;

/// What a location is called, and what goes wrong there.
fn location_lines(id: LocId, location: &Location) -> Vec<String> {
    let mut lines = wrap(location.name.as_deref().filter(|name| !name.is_empty()).unwrap_or(&format!("{id:?}")));
    if let Some(failure) = &location.error {
        lines.extend(wrap(&failure.kind.to_string()));
        if !failure.message.is_empty() {
            lines.extend(wrap(&failure.message));
        }
    }
    lines
}

/// What an edge does, without its label.
fn edge_lines(printer: &Printer, scope: ProcId, edge: &Edge) -> Vec<String> {
    block_lines(printer, Some(scope), &edge.block, EDGE_LINES)
}

fn block_lines(printer: &Printer, scope: Option<ProcId>, block: &[Statement], most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, statement) in block.iter().enumerate() {
        let without_span = match statement {
            Statement::Havoc { target, .. } => Statement::Havoc { target: *target, span: None },
            other => other.clone(),
        };
        let more = wrap(&printer.statement(scope, &without_span));
        if lines.len() + more.len() > most {
            lines.push(format!("… {} more statements", block.len() - index));
            return lines;
        }
        lines.extend(more);
    }
    lines
}

/// Cuts a text into lines that are not too long, at blanks where it can; a text of too many lines is cut off.
fn wrap(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut length = 0;
    for word in text.split(' ') {
        for piece in pieces(word) {
            let needed = piece.chars().count() + usize::from(length > 0);
            if length > 0 && length + needed > WIDTH {
                lines.push(std::mem::replace(&mut line, "    ".to_owned()));
                length = 4;
                line.push_str(&piece);
                length += piece.chars().count();
                continue;
            }
            if length > 0 {
                line.push(' ');
            }
            line.push_str(&piece);
            length += needed;
        }
        if lines.len() >= LINES {
            lines.truncate(LINES);
            lines.push("    …".to_owned());
            return lines;
        }
    }
    lines.push(line);
    lines
}

/// A word in pieces that fit a line, and without characters that cannot be drawn.
fn pieces(word: &str) -> Vec<String> {
    let drawn: Vec<char> = word.chars().map(|c| if c.is_control() { '·' } else { c }).collect();
    if drawn.is_empty() {
        return vec![String::new()];
    }
    drawn.chunks(WIDTH - 4).map(|piece| piece.iter().collect()).collect()
}

#[cfg(test)]
mod tests;

//! An SVG picture of a program: a panel for each procedure, its locations as boxes, and between them, on the arrows,
//! cards that list what the edges do. All edges from one location to another share an arrow and a card.

use super::panel::{Card, MARGIN, Panel, Sketch, SketchBox, line, picture};
use super::{block_lines, edge_lines, location_lines, wrap};
use crate::program::text::Printer;
use crate::program::{EdgeId, Id, LocId, ProcId, Procedure, Program, VarId};
use std::collections::BTreeMap;

/// The program is too large to draw.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("procedure `{procedure}`, with {locations} locations, is too large to draw; its DOT form can be had still")]
pub struct TooLarge {
    /// Which procedure.
    pub procedure: String,
    /// How many locations it has.
    pub locations: usize,
}

/// How many locations of one procedure are drawn.
const MAX_LOCATIONS: usize = 5_000;

/// How many lines a card may have before it is cut.
const CARD_LINES: usize = 160;

/// How many lines the cards beside a location have before there is another one.
const LOOP_LINES: usize = 40;

/// The program as an SVG picture.
pub fn svg(program: &Program) -> Result<String, TooLarge> {
    let printer = Printer::new(program);
    let mut body = String::new();
    let mut y = MARGIN;
    let mut width: f64 = 200.0;
    if !program.name.is_empty() {
        for text in wrap(&program.name) {
            line(&mut body, "t", MARGIN, y + 14.0, &text);
            width = width.max(2.0 * MARGIN + 10.0 * text.chars().count() as f64);
            y += 20.0;
        }
        y += 8.0;
    }
    if !program.init.is_empty() {
        let rows = [vec![("b", "init".to_owned())], plain(block_lines(&printer, None, &program.init, CARD_LINES))];
        let card = Card::of(rows.concat());
        card.draw(&mut body, "c", MARGIN, y);
        y += card.height() + MARGIN;
        width = width.max(card.width() + 2.0 * MARGIN);
    }
    for (id, procedure) in program.procedures.enumerate() {
        let too_large = || TooLarge { procedure: procedure.name.clone(), locations: procedure.locations.len() };
        if procedure.locations.len() > MAX_LOCATIONS {
            return Err(too_large());
        }
        let panel = Panel::new(sketch(&printer, program, id)).ok_or_else(too_large)?;
        panel.draw(&mut body, MARGIN, y);
        y += panel.height() + MARGIN;
        width = width.max(panel.width() + 2.0 * MARGIN);
    }
    Ok(picture(width, y, &body))
}

/// A card for each location, then one for each arrow that has something to say.
fn sketch(printer: &Printer, program: &Program, id: ProcId) -> Sketch {
    let procedure = &program.procedures[id];
    let variables = |list: &[VarId]| {
        let typed = |&v: &VarId| format!("{}: {}", printer.variable(Some(id), v), program.variables[v].ty);
        list.iter().map(typed).collect::<Vec<_>>().join(", ")
    };
    let result = procedure.result.map_or(String::new(), |r| format!(" -> {}", variables(&[r])));
    let mut sketch = Sketch {
        title: wrap(&format!("{}({}){result}", procedure.name, variables(&procedure.parameters))),
        first: procedure.entry.index(),
        ..Sketch::default()
    };
    let mut bundles: BTreeMap<(LocId, LocId), Vec<usize>> = BTreeMap::new();
    for (edge_id, edge) in procedure.edges.enumerate() {
        bundles.entry((edge.source, edge.target)).or_default().push(edge_id.index());
    }
    for (location_id, location) in procedure.locations.enumerate() {
        let lines = location_lines(location_id, location).into_iter().enumerate();
        let card = Card::of(lines.map(|(index, text)| (if index == 0 { "b" } else { "er" }, text)).collect());
        let kind = if location.error.is_some() { "e" } else { "l" };
        let end = if location_id == procedure.entry || location_id == procedure.exit { " in" } else { "" };
        sketch.boxes.push(SketchBox { card, class: format!("{kind}{end}"), pointed: true });
    }
    for ((source, target), edges) in bundles {
        let (source, target) = (source.index(), target.index());
        if source == target {
            sketch.loops.insert(source, loop_cards(printer, id, procedure, &edges));
            continue;
        }
        let card = bundle_card(printer, id, procedure, &edges);
        if card.rows.is_empty() {
            sketch.arcs.push((source, target, ""));
        } else {
            let middle = sketch.boxes.len();
            sketch.arcs.extend([(source, middle, ""), (middle, target, "")]);
            sketch.boxes.push(SketchBox { card, class: "c".to_owned(), pointed: false });
        }
    }
    sketch
}

fn bundle_card(printer: &Printer, id: ProcId, procedure: &Procedure, edges: &[usize]) -> Card {
    let mut card = Card::of(Vec::new());
    for (index, &edge) in edges.iter().enumerate() {
        let edge = &procedure.edges[EdgeId::new(edge)];
        let label = edge.label.as_deref().filter(|label| !label.is_empty());
        let mut rows: Vec<(&'static str, String)> =
            label.map_or(Vec::new(), |label| wrap(label).into_iter().map(|text| ("b", text)).collect());
        rows.extend(plain(edge_lines(printer, id, edge)));
        if rows.is_empty() && (edges.len() > 1 || edge.source == edge.target) {
            rows.push(("", "(nothing)".to_owned()));
        }
        if card.rows.len() + rows.len() > CARD_LINES {
            card.separators.push(card.rows.len());
            card.rows.push(("b", format!("… {} more edges", edges.len() - index)));
            break;
        }
        if index > 0 {
            card.separators.push(card.rows.len());
        }
        card.rows.extend(rows);
    }
    card
}

fn plain(lines: Vec<String>) -> Vec<(&'static str, String)> {
    lines.into_iter().map(|text| ("", text)).collect()
}

/// The cards of the edges from a location to itself: as many as make none of them too long.
fn loop_cards(printer: &Printer, id: ProcId, procedure: &Procedure, edges: &[usize]) -> Vec<Card> {
    let whole = bundle_card(printer, id, procedure, edges);
    let columns = whole.rows.len().div_ceil(LOOP_LINES).clamp(1, edges.len());
    let cards = edges.chunks(edges.len().div_ceil(columns));
    let cards: Vec<Card> = cards.map(|edges| bundle_card(printer, id, procedure, edges)).collect();
    // Cards side by side are equally tall.
    let least = cards.iter().map(Card::height).fold(0.0, f64::max);
    cards.into_iter().map(|card| Card { least, ..card }).collect()
}

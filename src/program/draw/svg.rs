//! An SVG picture of a program: a panel for each procedure, its locations as boxes, and between them, on the arrows,
//! cards that list what the edges do. All edges from one location to another share an arrow and a card.

use super::layout::{Bend, Extent, Layout, layout};
use super::{block_lines, edge_lines, location_lines, wrap};
use crate::program::text::Printer;
use crate::program::{Id, LocId, ProcId, Procedure, Program};
use std::collections::BTreeMap;
use std::fmt::Write as _;

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

const FONT: f64 = 12.0;
const LETTER: f64 = 7.3;
const LINE: f64 = 16.0;
const PADDING: f64 = 8.0;
const MARGIN: f64 = 24.0;
const LOOP_GAP: f64 = 40.0;
const SEPARATOR: f64 = 7.0;

/// How many lines the cards beside a location have before there is another one.
const LOOP_LINES: usize = 40;

const STYLE: &str = "text{font:12px 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre;fill:#1c2430}\
    .b{font-weight:bold}.t{font:bold 15px 'DejaVu Sans',Helvetica,Arial,sans-serif}\
    .l{fill:#e8f0fb;stroke:#3c6ca8}.e{fill:#fbe3e3;stroke:#c02020;stroke-width:1.6}\
    .in{stroke-width:2.6}.c{fill:#fbfbf6;stroke:#c9c7b8}.p{fill:#fff;stroke:#cfd4da}\
    .a{fill:none;stroke:#5a6675;stroke-width:1.3}.u{stroke:#2f7d4f}.s{stroke:#e6e4d8}\
    .er{fill:#901010}";

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
        let card = Card { rows: rows.concat(), separators: Vec::new(), least: 0.0 };
        card.draw(&mut body, "c", MARGIN, y);
        y += card.height() + MARGIN;
        width = width.max(card.width() + 2.0 * MARGIN);
    }
    for (id, procedure) in program.procedures.enumerate() {
        let too_large = || TooLarge { procedure: procedure.name.clone(), locations: procedure.locations.len() };
        if procedure.locations.len() > MAX_LOCATIONS {
            return Err(too_large());
        }
        let panel = Panel::new(&printer, program, id).ok_or_else(too_large)?;
        panel.draw(&mut body, MARGIN, y);
        y += panel.height() + MARGIN;
        width = width.max(panel.width() + 2.0 * MARGIN);
    }
    let head = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{y:.0}\" \
         viewBox=\"0 0 {width:.0} {y:.0}\" font-size=\"{FONT}\">\n<style>{STYLE}</style>\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto-start-reverse\"><path d=\"M0 1L10 5L0 9z\" fill=\"#5a6675\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#f3f5f7\"/>\n"
    );
    Ok(format!("{head}{body}</svg>\n"))
}

/// A box with lines of text, each with its style.
#[derive(Clone)]
struct Card {
    rows: Vec<(&'static str, String)>,
    /// Before which rows a line is drawn.
    separators: Vec<usize>,
    /// How tall it is at least.
    least: f64,
}

impl Card {
    fn width(&self) -> f64 {
        let longest = self.rows.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
        longest as f64 * LETTER + 2.0 * PADDING
    }

    fn height(&self) -> f64 {
        let rows = self.rows.len() as f64 * LINE + self.separators.len() as f64 * SEPARATOR;
        (rows + 2.0 * PADDING - 4.0).max(self.least)
    }

    fn draw(&self, out: &mut String, class: &str, x: f64, y: f64) {
        rectangle(out, class, x, y, self.width(), self.height(), 6.0);
        let mut top = y + PADDING - 2.0;
        for (index, (style, text)) in self.rows.iter().enumerate() {
            if self.separators.contains(&index) {
                let (right, middle) = (x + self.width(), top + SEPARATOR / 2.0);
                write(out, format_args!("<path class=\"a s\" d=\"M{x:.1} {middle:.1}H{right:.1}\"/>\n"));
                top += SEPARATOR;
            }
            line(out, style, x + PADDING, top + 12.0, text);
            top += LINE;
        }
    }
}

/// A procedure laid out.
struct Panel<'p> {
    procedure: &'p Procedure,
    title: Vec<String>,
    /// A card for each location, then one for each arrow that has something to say.
    cards: Vec<Card>,
    /// The cards of the edges from a location to itself, side by side.
    loops: BTreeMap<usize, Vec<Card>>,
    arcs: Vec<(usize, usize)>,
    layout: Layout,
}

impl<'p> Panel<'p> {
    fn new(printer: &Printer, program: &'p Program, id: ProcId) -> Option<Panel<'p>> {
        let procedure = &program.procedures[id];
        let variables = |list: &[crate::program::VarId]| {
            let typed =
                |&v: &crate::program::VarId| format!("{}: {}", printer.variable(Some(id), v), program.variables[v].ty);
            list.iter().map(typed).collect::<Vec<_>>().join(", ")
        };
        let result = procedure.result.map_or(String::new(), |r| format!(" -> {}", variables(&[r])));
        let title = wrap(&format!("{}({}){result}", procedure.name, variables(&procedure.parameters)));
        let mut bundles: BTreeMap<(LocId, LocId), Vec<usize>> = BTreeMap::new();
        for (edge_id, edge) in procedure.edges.enumerate() {
            bundles.entry((edge.source, edge.target)).or_default().push(edge_id.index());
        }
        let location_card = |(location_id, location)| Card {
            rows: location_lines(location_id, location)
                .into_iter()
                .enumerate()
                .map(|(index, text)| (if index == 0 { "b" } else { "er" }, text))
                .collect(),
            separators: Vec::new(),
            least: 0.0,
        };
        let mut cards: Vec<Card> = procedure.locations.enumerate().map(location_card).collect();
        let mut loops = BTreeMap::new();
        let mut arcs = Vec::new();
        for ((source, target), edges) in bundles {
            let (source, target) = (source.index(), target.index());
            if source == target {
                loops.insert(source, loop_cards(printer, id, procedure, &edges));
                continue;
            }
            let card = bundle_card(printer, id, procedure, &edges);
            if card.rows.is_empty() {
                arcs.push((source, target));
            } else {
                arcs.extend([(source, cards.len()), (cards.len(), target)]);
                cards.push(card);
            }
        }
        let (order, place) = entry_first(procedure.entry.index(), cards.len());
        let extents: Vec<Extent> =
            order.iter().map(|&n| extent(&cards[n], loops.get(&n).map_or(&[], Vec::as_slice))).collect();
        let placed: Vec<(usize, usize)> = arcs.iter().map(|&(a, b)| (place[a], place[b])).collect();
        let mut layout = layout(&extents, &placed)?;
        layout.boxes = place.iter().map(|&n| layout.boxes[n]).collect();
        layout.rows = place.iter().map(|&n| layout.rows[n]).collect();
        Some(Panel { procedure, title, cards, loops, arcs, layout })
    }

    fn width(&self) -> f64 {
        let title = self.title.iter().map(|t| t.chars().count()).max().unwrap_or(0) as f64 * 10.0;
        self.layout.width.max(title) + 2.0 * MARGIN
    }

    fn head(&self) -> f64 {
        self.title.len() as f64 * 20.0 + 2.0 * MARGIN
    }

    fn height(&self) -> f64 {
        self.head() + self.layout.height + MARGIN
    }

    fn draw(&self, out: &mut String, x: f64, y: f64) {
        rectangle(out, "p", x, y, self.width(), self.height(), 10.0);
        for (index, text) in self.title.iter().enumerate() {
            line(out, "t", x + MARGIN, y + MARGIN + 8.0 + 20.0 * index as f64, text);
        }
        let (x, y) = (x + MARGIN, y + self.head());
        write(out, format_args!("<g transform=\"translate({x:.1} {y:.1})\">\n"));
        let ports = self.ports();
        for (number, &(source, target)) in self.arcs.iter().enumerate() {
            self.draw_arc(out, number, (source, ports[number].0), (target, ports[number].1));
        }
        for (number, card) in self.cards.iter().enumerate() {
            let (centre, top) = self.layout.boxes[number];
            let own_height = card.height();
            let top = top + (self.height_of(number) - own_height) / 2.0;
            let left = centre - card.width() / 2.0;
            card.draw(out, &self.class(number), left, top);
            if let Some(own) = self.loops.get(&number) {
                let (right, middle) = (left + card.width(), top + own_height / 2.0);
                draw_loop(out, own, right, middle);
            }
        }
        out.push_str("</g>\n");
    }

    fn height_of(&self, number: usize) -> f64 {
        extent(&self.cards[number], self.loops.get(&number).map_or(&[], Vec::as_slice)).height
    }

    fn class(&self, number: usize) -> String {
        let id = LocId::new(number);
        let Some(location) = self.procedure.locations.get(id) else { return "c".to_owned() };
        let kind = if location.error.is_some() { "e" } else { "l" };
        let entry = if id == self.procedure.entry || id == self.procedure.exit { " in" } else { "" };
        format!("{kind}{entry}")
    }

    /// Where across each arc leaves its source and reaches its target: side by side, in the order of where they go.
    fn ports(&self) -> Vec<(f64, f64)> {
        let mut ends: BTreeMap<(usize, bool), Vec<End>> = BTreeMap::new();
        for (number, &(source, target)) in self.arcs.iter().enumerate() {
            let (bends, up) = (&self.layout.bends[number], self.layout.upward[number]);
            let towards_target = bends.first().map_or(self.layout.boxes[target].0, |b| b.x);
            let towards_source = bends.last().map_or(self.layout.boxes[source].0, |b| b.x);
            ends.entry((source, !up)).or_default().push((towards_target, number, true));
            ends.entry((target, up)).or_default().push((towards_source, number, false));
        }
        let mut ports = vec![(0.0, 0.0); self.arcs.len()];
        for ((node, _), mut list) in ends {
            list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let count = list.len() as f64;
            let step = ((self.cards[node].width() - 16.0) / count).min(22.0);
            for (index, (_, number, leaves)) in list.into_iter().enumerate() {
                let x = self.layout.boxes[node].0 + step * (index as f64 - (count - 1.0) / 2.0);
                if leaves { ports[number].0 = x } else { ports[number].1 = x }
            }
        }
        ports
    }

    fn draw_arc(&self, out: &mut String, number: usize, source: (usize, f64), target: (usize, f64)) {
        let up = self.layout.upward[number];
        let edge_of = |node: usize, bottom: bool| {
            let (height, own) = (self.height_of(node), self.cards[node].height());
            let top = self.layout.boxes[node].1 + (height - own) / 2.0;
            if bottom { top + own } else { top }
        };
        let (from_y, to_y) = (edge_of(source.0, !up), edge_of(target.0, up));
        let side = |row: (f64, f64), bottom: bool| if bottom { row.1 } else { row.0 };
        let leave_y = side(self.layout.rows[source.0], !up);
        let enter_y = side(self.layout.rows[target.0], up);
        let mut path = format!("M{:.1} {from_y:.1}V{leave_y:.1}", source.1);
        let mut last = (source.1, leave_y);
        for bend in &self.layout.bends[number] {
            let Bend { x, top, bottom } = *bend;
            let (enter, leave) = if up { (bottom, top) } else { (top, bottom) };
            path.push_str(&curve(last, (x, enter)));
            path.push_str(&format!("V{leave:.1}"));
            last = (x, leave);
        }
        path.push_str(&curve(last, (target.1, enter_y)));
        path.push_str(&format!("V{to_y:.1}"));
        // An arrow points at locations only: the one that enters a card goes on below it.
        let head = if target.0 < self.procedure.locations.len() { " marker-end=\"url(#arrow)\"" } else { "" };
        let class = if up { "a u" } else { "a" };
        write(out, format_args!("<path class=\"{class}\" d=\"{path}\"{head}/>\n"));
    }
}

/// One end of an arc: where across the arc goes from there, its number, and whether it leaves here.
type End = (f64, usize, bool);

/// All cards, with the entry's at the front, and where each is in that order.
fn entry_first(entry: usize, count: usize) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> = (0..count).collect();
    if entry < count {
        order.remove(entry);
        order.insert(0, entry);
    }
    let mut place = vec![0; count];
    order.iter().enumerate().for_each(|(index, &n)| place[n] = index);
    (order, place)
}

fn bundle_card(printer: &Printer, id: ProcId, procedure: &Procedure, edges: &[usize]) -> Card {
    let mut card = Card { rows: Vec::new(), separators: Vec::new(), least: 0.0 };
    for (index, &edge) in edges.iter().enumerate() {
        let edge = &procedure.edges[crate::program::EdgeId::new(edge)];
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

fn extent(card: &Card, loops: &[Card]) -> Extent {
    let half = card.width() / 2.0;
    let gap = if loops.is_empty() { 0.0 } else { LOOP_GAP };
    let right = half + gap + loops.iter().map(Card::width).sum::<f64>();
    Extent { left: half, right, height: loops.iter().map(Card::height).fold(card.height(), f64::max) }
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

/// The cards of loops to the right of their location, with lines out and back.
fn draw_loop(out: &mut String, cards: &[Card], right: f64, middle: f64) {
    let left = right + LOOP_GAP;
    let height = cards.first().map_or(0.0, Card::height);
    let (above, below) = (middle - 6.0, middle + 6.0);
    let reach = (height / 2.0 - 6.0).min(14.0);
    let (card_above, card_below) = (middle - reach, middle + reach);
    let bend = |a: f64, x: f64, b: f64| {
        format!("C{:.1} {a:.1} {:.1} {b:.1} {x:.1} {b:.1}", (right + left) / 2.0, (right + left) / 2.0)
    };
    write(out, format_args!("<path class=\"a\" d=\"M{right:.1} {above:.1}{}\"/>\n", bend(above, left, card_above)));
    let back = bend(card_below, right, below);
    write(out, format_args!("<path class=\"a\" d=\"M{left:.1} {card_below:.1}{back}\" marker-end=\"url(#arrow)\"/>\n"));
    let mut x = left;
    for card in cards {
        card.draw(out, "c", x, middle - card.height() / 2.0);
        x += card.width();
    }
}

fn curve(from: (f64, f64), to: (f64, f64)) -> String {
    let middle = (from.1 + to.1) / 2.0;
    format!("C{:.1} {middle:.1} {:.1} {middle:.1} {:.1} {:.1}", from.0, to.0, to.0, to.1)
}

fn rectangle(out: &mut String, class: &str, x: f64, y: f64, width: f64, height: f64, round: f64) {
    write(
        out,
        format_args!(
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{round}\"/>\n"
        ),
    );
}

fn line(out: &mut String, class: &str, x: f64, y: f64, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    // Two characters of Unicode are not allowed in XML at all.
    let text = text.replace(['\u{fffe}', '\u{ffff}'], "·");
    write(
        out,
        format_args!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" xml:space=\"preserve\">{text}</text>\n"),
    );
}

fn write(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string does not fail");
}

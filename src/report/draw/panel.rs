//! A graph of boxes with text in them, as a piece of an SVG picture.

use super::layout::{Bend, Extent, Layout, layout};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const FONT: f64 = 12.0;
const LETTER: f64 = 7.3;
const LINE: f64 = 16.0;
const PADDING: f64 = 8.0;
pub(super) const MARGIN: f64 = 24.0;
const LOOP_GAP: f64 = 40.0;
const SEPARATOR: f64 = 7.0;

const STYLE: &str = "text{font:12px 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre;fill:#1c2430}\
    .b{font-weight:bold}.t{font:bold 15px 'DejaVu Sans',Helvetica,Arial,sans-serif}\
    .l{fill:#e8f0fb;stroke:#3c6ca8}.e{fill:#fbe3e3;stroke:#c02020;stroke-width:1.6}\
    .in{stroke-width:2.6}.c{fill:#fbfbf6;stroke:#c9c7b8}.p{fill:#fff;stroke:#cfd4da}\
    .a{fill:none;stroke:#5a6675;stroke-width:1.3}.u{stroke:#2f7d4f}.s{stroke:#e6e4d8}\
    .er{fill:#901010}.v{stroke-dasharray:5 4}.k{stroke:#9a6b00;stroke-dasharray:2 3}\
    .x{fill:#eef7ee;stroke:#2f7d4f}.d{fill:#f1f1f1;stroke:#a8a8a8}";

/// The picture with this in it.
pub(super) fn picture(width: f64, height: f64, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-size=\"{FONT}\">\n<style>{STYLE}</style>\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto-start-reverse\"><path d=\"M0 1L10 5L0 9z\" fill=\"#5a6675\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#f3f5f7\"/>\n{body}</svg>\n"
    )
}

/// A box with lines of text, each with its style.
#[derive(Clone)]
pub(super) struct Card {
    pub rows: Vec<(&'static str, String)>,
    /// Before which rows a line is drawn.
    pub separators: Vec<usize>,
    /// How tall it is at least.
    pub least: f64,
}

impl Card {
    /// A card of lines.
    pub(super) fn of(rows: Vec<(&'static str, String)>) -> Card {
        Card { rows, separators: Vec::new(), least: 0.0 }
    }

    pub(super) fn width(&self) -> f64 {
        let longest = self.rows.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
        longest as f64 * LETTER + 2.0 * PADDING
    }

    pub(super) fn height(&self) -> f64 {
        let rows = self.rows.len() as f64 * LINE + self.separators.len() as f64 * SEPARATOR;
        (rows + 2.0 * PADDING - 4.0).max(self.least)
    }

    pub(super) fn draw(&self, out: &mut String, class: &str, x: f64, y: f64) {
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

/// A graph to lay out: boxes with arcs between them.
#[derive(Default)]
pub(super) struct Sketch {
    pub title: Vec<String>,
    /// Each box: its text, its style, and whether arrows point at it.
    pub boxes: Vec<SketchBox>,
    /// The cards of the arcs from a box to itself, side by side.
    pub loops: BTreeMap<usize, Vec<Card>>,
    /// From one box to another, with a style.
    pub arcs: Vec<(usize, usize, &'static str)>,
    /// The box on top.
    pub first: usize,
}

/// A box of a graph.
pub(super) struct SketchBox {
    pub card: Card,
    pub class: String,
    pub pointed: bool,
}

/// A graph laid out.
pub(super) struct Panel {
    sketch: Sketch,
    layout: Layout,
}

impl Panel {
    /// Lays a graph out; `None` if it is too large.
    pub(super) fn new(sketch: Sketch) -> Option<Panel> {
        let Sketch { boxes, loops, arcs, first, .. } = &sketch;
        let (order, place) = first_on_top(*first, boxes.len());
        let extents: Vec<Extent> =
            order.iter().map(|&n| extent(&boxes[n].card, loops.get(&n).map_or(&[], Vec::as_slice))).collect();
        let placed: Vec<(usize, usize)> = arcs.iter().map(|&(a, b, _)| (place[a], place[b])).collect();
        let mut layout = layout(&extents, &placed)?;
        layout.boxes = place.iter().map(|&n| layout.boxes[n]).collect();
        layout.rows = place.iter().map(|&n| layout.rows[n]).collect();
        Some(Panel { sketch, layout })
    }

    pub(super) fn width(&self) -> f64 {
        let title = self.sketch.title.iter().map(|t| t.chars().count()).max().unwrap_or(0) as f64 * 10.0;
        self.layout.width.max(title) + 2.0 * MARGIN
    }

    fn head(&self) -> f64 {
        self.sketch.title.len() as f64 * 20.0 + 2.0 * MARGIN
    }

    pub(super) fn height(&self) -> f64 {
        self.head() + self.layout.height + MARGIN
    }

    pub(super) fn draw(&self, out: &mut String, x: f64, y: f64) {
        rectangle(out, "p", x, y, self.width(), self.height(), 10.0);
        for (index, text) in self.sketch.title.iter().enumerate() {
            line(out, "t", x + MARGIN, y + MARGIN + 8.0 + 20.0 * index as f64, text);
        }
        let (x, y) = (x + MARGIN, y + self.head());
        write(out, format_args!("<g transform=\"translate({x:.1} {y:.1})\">\n"));
        let ports = self.ports();
        for (number, &(source, target, _)) in self.sketch.arcs.iter().enumerate() {
            self.draw_arc(out, number, (source, ports[number].0), (target, ports[number].1));
        }
        for (number, SketchBox { card, class, .. }) in self.sketch.boxes.iter().enumerate() {
            let (centre, top) = self.layout.boxes[number];
            let own_height = card.height();
            let top = top + (self.height_of(number) - own_height) / 2.0;
            let left = centre - card.width() / 2.0;
            card.draw(out, class, left, top);
            if let Some(own) = self.sketch.loops.get(&number) {
                let (right, middle) = (left + card.width(), top + own_height / 2.0);
                draw_loop(out, own, right, middle);
            }
        }
        out.push_str("</g>\n");
    }

    fn height_of(&self, number: usize) -> f64 {
        extent(&self.sketch.boxes[number].card, self.sketch.loops.get(&number).map_or(&[], Vec::as_slice)).height
    }

    /// Where across each arc leaves its source and reaches its target: side by side, in the order of where they go.
    fn ports(&self) -> Vec<(f64, f64)> {
        let mut ends: BTreeMap<(usize, bool), Vec<End>> = BTreeMap::new();
        for (number, &(source, target, _)) in self.sketch.arcs.iter().enumerate() {
            let (bends, up) = (&self.layout.bends[number], self.layout.upward[number]);
            let towards_target = bends.first().map_or(self.layout.boxes[target].0, |b| b.x);
            let towards_source = bends.last().map_or(self.layout.boxes[source].0, |b| b.x);
            ends.entry((source, !up)).or_default().push((towards_target, number, true));
            ends.entry((target, up)).or_default().push((towards_source, number, false));
        }
        let mut ports = vec![(0.0, 0.0); self.sketch.arcs.len()];
        for ((node, _), mut list) in ends {
            list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let count = list.len() as f64;
            let step = ((self.sketch.boxes[node].card.width() - 16.0) / count).min(22.0);
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
            let (height, own) = (self.height_of(node), self.sketch.boxes[node].card.height());
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
        // The arrow that enters what belongs to an arc goes on below it.
        let head = if self.sketch.boxes[target.0].pointed { " marker-end=\"url(#arrow)\"" } else { "" };
        let class = format!("a{}{}", if up { " u" } else { "" }, self.sketch.arcs[number].2);
        write(out, format_args!("<path class=\"{class}\" d=\"{path}\"{head}/>\n"));
    }
}

/// One end of an arc: where across the arc goes from there, its number, and whether it leaves here.
type End = (f64, usize, bool);

/// All boxes, with one at the front, and where each is in that order.
fn first_on_top(first: usize, count: usize) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> = (0..count).collect();
    if first < count {
        order.remove(first);
        order.insert(0, first);
    }
    let mut place = vec![0; count];
    order.iter().enumerate().for_each(|(index, &n)| place[n] = index);
    (order, place)
}

fn extent(card: &Card, loops: &[Card]) -> Extent {
    let half = card.width() / 2.0;
    let gap = if loops.is_empty() { 0.0 } else { LOOP_GAP };
    let right = half + gap + loops.iter().map(Card::width).sum::<f64>();
    Extent { left: half, right, height: loops.iter().map(Card::height).fold(card.height(), f64::max) }
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

pub(super) fn line(out: &mut String, class: &str, x: f64, y: f64, text: &str) {
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

//! Graphs that are no programs: boxes with lines of text, and arrows between them, as DOT and as SVG.

use super::dot::{escape, label};
use super::panel::{Card, MARGIN, Panel, Sketch, SketchBox, line, picture};
use super::wrap;
use crate::engine::view::{Arrow, ArrowStyle, Diagram, DiagramBox, Look};
use std::fmt::Write as _;

/// The graph is too large for a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a graph of {boxes} nodes is too large for a picture; its DOT form can be had still")]
pub struct DiagramTooLarge {
    /// How many boxes it has.
    pub boxes: usize,
}

/// How many boxes are drawn at most.
const MAX_BOXES: usize = 5_000;

impl Diagram {
    /// The graph in DOT, the language of graphviz.
    pub fn dot(&self) -> String {
        let mut out = String::new();
        let mut line = |text: String| writeln!(out, "{text}").expect("writing to a string does not fail");
        line("digraph graph_of_states {".to_owned());
        line(format!("  graph [fontname=\"monospace\", labeljust=l, labelloc=t, label={}];", label("", &self.title)));
        line(
            "  node [fontname=\"monospace\", fontsize=10, shape=box, style=\"rounded,filled\", fillcolor=white];"
                .to_owned(),
        );
        line("  edge [fontname=\"monospace\", fontsize=9];".to_owned());
        for (number, DiagramBox { title, lines, look }) in self.boxes.iter().enumerate() {
            let style = match look {
                Look::Plain => "",
                Look::End => ", penwidth=2",
                Look::Error => ", fillcolor=\"#f8d0d0\", color=\"#c02020\", fontcolor=\"#901010\"",
                Look::Faint => ", color=\"#909090\", fontcolor=\"#606060\", fillcolor=\"#f4f4f4\"",
            };
            let lines: Vec<String> = lines.iter().flat_map(|line| wrap(line)).collect();
            line(format!("  n{number} [label={}{style}];", label(title, &lines)));
        }
        for Arrow { from, to, label, style } in &self.arrows {
            let style = match style {
                ArrowStyle::Solid => "",
                ArrowStyle::Dashed => ", style=dashed, constraint=false",
                ArrowStyle::Dotted => ", style=dotted, color=\"#9a6b00\", constraint=false",
            };
            line(format!("  n{from} -> n{to} [label=\"{}\"{style}];", escape(label)));
        }
        line("}".to_owned());
        out
    }

    /// The graph as an SVG picture.
    ///
    /// # Errors
    /// Where it is too large.
    pub fn svg(&self) -> Result<String, DiagramTooLarge> {
        let too_large = DiagramTooLarge { boxes: self.boxes.len() };
        if self.boxes.len() > MAX_BOXES {
            return Err(too_large);
        }
        let panel = Panel::new(self.sketch()).ok_or(too_large)?;
        let mut body = String::new();
        let mut y = MARGIN;
        for text in self.title.iter().flat_map(|text| wrap(text)) {
            line(&mut body, "t", MARGIN, y + 14.0, &text);
            y += 20.0;
        }
        panel.draw(&mut body, MARGIN, y);
        let title = self.title.iter().map(|text| text.chars().count().min(super::WIDTH)).max().unwrap_or(0);
        let width = panel.width().max(10.0 * title as f64) + 2.0 * MARGIN;
        Ok(picture(width, y + panel.height() + MARGIN, &body))
    }

    fn sketch(&self) -> Sketch {
        let mut sketch = Sketch::default();
        for DiagramBox { title, lines, look } in &self.boxes {
            let titles = wrap(title).into_iter().map(|text| ("b", text));
            let lines = lines.iter().flat_map(|line| wrap(line)).map(|text| ("", text));
            let class = match look {
                Look::Plain => "l",
                Look::End => "x in",
                Look::Error => "e",
                Look::Faint => "d",
            };
            let card = Card::of(titles.chain(lines).collect());
            sketch.boxes.push(SketchBox { card, class: class.to_owned(), pointed: true });
        }
        for Arrow { from, to, label, style } in &self.arrows {
            let class = match style {
                ArrowStyle::Solid => "",
                ArrowStyle::Dashed => " v",
                ArrowStyle::Dotted => " k",
            };
            let card = || Card::of(wrap(label).into_iter().map(|text| ("", text)).collect());
            if from == to {
                sketch.loops.entry(*from).or_default().push(card());
            } else if label.is_empty() {
                sketch.arcs.push((*from, *to, class));
            } else {
                let middle = sketch.boxes.len();
                sketch.arcs.extend([(*from, middle, class), (middle, *to, class)]);
                sketch.boxes.push(SketchBox { card: card(), class: "c".to_owned(), pointed: false });
            }
        }
        sketch
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn small() -> Diagram {
        let one = |title: &str, lines: &[&str], look| DiagramBox {
            title: title.to_owned(),
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
            look,
        };
        let arrow = |from, to, label: &str, style| Arrow { from, to, label: label.to_owned(), style };
        Diagram {
            title: vec!["two \"loops\"".to_owned()],
            boxes: vec![
                one("main:3", &["x == 0"], Look::End),
                one("main:4", &["x < 1", "y"], Look::Faint),
                one("main:9", &[], Look::Error),
            ],
            arrows: vec![
                arrow(0, 1, "", ArrowStyle::Solid),
                arrow(0, 2, "call f", ArrowStyle::Solid),
                arrow(1, 0, "covered by", ArrowStyle::Dashed),
                arrow(2, 2, "again", ArrowStyle::Dotted),
            ],
        }
    }

    #[test]
    fn dot_of_a_small_graph() {
        expect![[r##"
            digraph graph_of_states {
              graph [fontname="monospace", labeljust=l, labelloc=t, label="two \"loops\"\l"];
              node [fontname="monospace", fontsize=10, shape=box, style="rounded,filled", fillcolor=white];
              edge [fontname="monospace", fontsize=9];
              n0 [label="main:3\lx == 0\l", penwidth=2];
              n1 [label="main:4\lx < 1\ly\l", color="#909090", fontcolor="#606060", fillcolor="#f4f4f4"];
              n2 [label="main:9\l", fillcolor="#f8d0d0", color="#c02020", fontcolor="#901010"];
              n0 -> n1 [label=""];
              n0 -> n2 [label="call f"];
              n1 -> n0 [label="covered by", style=dashed, constraint=false];
              n2 -> n2 [label="again", style=dotted, color="#9a6b00", constraint=false];
            }
        "##]]
        .assert_eq(&small().dot());
    }

    #[test]
    fn the_picture_has_everything_in_it() {
        let picture = small().svg().unwrap();
        for text in
            [">main:3<", ">x == 0<", ">x &lt; 1<", ">call f<", ">covered by<", ">again<", "class=\"e\"", "a u v"]
        {
            assert!(picture.contains(text), "{text} is missing from {picture}");
        }
        assert!(!picture.contains("NaN"));
    }

    #[test]
    fn a_very_large_graph_is_refused_as_a_picture_only() {
        let one = DiagramBox { title: String::new(), lines: Vec::new(), look: Look::Plain };
        let large = Diagram { boxes: vec![one; MAX_BOXES + 1], ..Diagram::default() };
        assert_eq!(large.svg(), Err(DiagramTooLarge { boxes: MAX_BOXES + 1 }));
        assert!(large.dot().contains("n5000 "));
    }
}

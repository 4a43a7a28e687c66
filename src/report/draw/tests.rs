//! Drawings: what they hold, and that any program can be drawn.

use super::*;
use crate::generate::program::{ExecutableConfig, GenerateConfig, generate, generate_executable};
use crate::program::text::parse;
use crate::program::{FileId, Id};
use expect_test::expect;

const SMALL: &str = r#"
global x: int
init { x := 0; }
procedure main() {
  location loop entry
  location done exit
  location L2 error "assertion" "x is \"small\""
  edge loop -> loop "up" { assume x < 10; x := x + 1; }
  edge loop -> done
  edge loop -> L2 { assume x > 10; }
}
"#;

#[test]
fn dot_of_a_small_program() {
    expect![[r##"
        digraph program {
          graph [fontname="monospace", labeljust=l];
          node [fontname="monospace", fontsize=10, shape=box, style="rounded,filled", fillcolor=white];
          edge [fontname="monospace", fontsize=9];
          init [shape=note, style=filled, fillcolor="#f4f4f0", label="init\lx := 0\l"];
          init -> p0_0 [style=dotted];
          subgraph cluster_0 {
            label="main\l";
            style=rounded; color="#b0b0b0";
            p0_0 [label="loop", penwidth=2];
            p0_1 [label="done", peripheries=2];
            p0_2 [label="L2\nassertion\nx is \"small\"", fillcolor="#f8d0d0", color="#c02020", fontcolor="#901010"];
            p0_0 -> p0_0 [label="up\lassume x < 10\lx := x + 1\l"];
            p0_0 -> p0_1 [label=""];
            p0_0 -> p0_2 [label="assume x > 10\l"];
          }
        }
    "##]]
    .assert_eq(&dot(&parse(SMALL, FileId::new(0)).unwrap()));
}

#[test]
fn svg_shows_every_edge() {
    let picture = svg(&parse(SMALL, FileId::new(0)).unwrap()).unwrap();
    for text in [">loop<", ">done<", ">L2<", ">assume x &lt; 10<", ">up<", ">assume x &gt; 10<", ">x := 0<"] {
        assert!(picture.contains(text), "{text} is missing from {picture}");
    }
}

#[test]
fn any_program_can_be_drawn() {
    // Floating-point numbers would bring the words for broken coordinates with them.
    let config = GenerateConfig { floats: false, ..GenerateConfig::default() };
    for seed in 0..300 {
        for program in [generate(seed, &config), generate_executable(seed, &ExecutableConfig::default())] {
            let picture = svg(&program).unwrap();
            assert_eq!(picture, svg(&program).unwrap());
            assert!(!picture.contains("NaN") && !picture.contains("inf"), "seed {seed}");
            let is_fine = |c: char| !c.is_control() || c == '\n';
            assert!(picture.chars().all(is_fine) && dot(&program).chars().all(is_fine), "seed {seed}");
        }
    }
}

#[test]
fn long_texts_are_wrapped_and_cut() {
    assert_eq!(wrap("a b"), ["a b"]);
    let long = wrap(&"word ".repeat(1_000));
    assert_eq!(long.len(), LINES + 1);
    assert!(long.iter().all(|line| line.chars().count() <= WIDTH), "{long:?}");
    assert!(wrap(&"x".repeat(10_000)).iter().all(|line| line.chars().count() <= WIDTH));
    assert_eq!(wrap("tab\tnul\0"), ["tab·nul·"]);
}

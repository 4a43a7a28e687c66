//! `tandem show --graph`, as it is used.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use expect_test::{Expect, expect};
use support::{Ran, finish, root, tandem};

fn show(arguments: &[&str]) -> Ran {
    let mut command = tandem();
    command.current_dir(root()).arg("show").args(arguments);
    finish(command.output().unwrap())
}

fn check(arguments: &[&str], expected: Expect) {
    let ran = show(arguments);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    expected.assert_eq(&ran.stdout);
}

/// The case study of the paper: the second call of `rec` is popped, as the first one covers it.
#[test]
fn the_graph_shows_where_a_call_is_popped() {
    check(
        &["--graph", "tests/corpus/tandem/case_study.tandem", "--domain", "predicates"],
        expect![[r##"
        digraph graph_of_states {
          graph [fontname="monospace", labeljust=l, labelloc=t, label="abstract reachability graph\l4 nodes after 1 refinement; no error can be reached\l"];
          node [fontname="monospace", fontsize=10, shape=box, style="rounded,filled", fillcolor=white];
          edge [fontname="monospace", fontsize=9];
          n0 [label="main, line 6  (activation 0)\lentry\l", penwidth=2];
          n1 [label="rec, line 12  (activation 1)\lentry\lk >= 1\lk == old(k)\lold(k) >= 1\l", penwidth=2];
          n2 [label="rec, line 15  (activation 1)\lk >= 1\lk == old(k)\lold(k) >= 1\l"];
          n3 [label="rec, line 12  (activation 2)\lentry\lk >= 1\lk == old(k)\lold(k) >= 1\l", color="#909090", fontcolor="#606060", fillcolor="#f4f4f4"];
          n0 -> n1 [label="call"];
          n1 -> n2 [label=""];
          n2 -> n3 [label="call"];
          n3 -> n1 [label="popped", style=dotted, color="#9a6b00", constraint=false];
        }
    "##]],
    );
}

#[test]
fn errors_are_red() {
    let ran = show(&["--graph", "tests/corpus/c/loops/midpoint.c"]);
    assert!(ran.stdout.contains("__VERIFIER_error is called") && ran.stdout.contains("an error is reached"));
    assert!(ran.stdout.contains("fontcolor=\"#901010\""), "{}", ran.stdout);
}

#[test]
fn the_name_of_the_output_says_that_it_is_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.svg");
    let ran = show(&["--graph", "tests/corpus/c/loops/loop.c", "-o", path.to_str().unwrap()]);
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""));
    let picture = std::fs::read_to_string(&path).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("main, line 10") && picture.contains("covered by"));
    let program = folder.path().join("program.dot");
    show(&["models/gcl/elev4.gcl", "-o", program.to_str().unwrap()]);
    assert!(std::fs::read_to_string(&program).unwrap().starts_with("digraph"));
}

#[test]
fn a_limit_ends_the_exploration_but_not_the_drawing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("endless.tandem");
    std::fs::write(&path, ENDLESS).unwrap();
    let ran = show(&["--graph", path.to_str().unwrap(), "--stack", "exact", "--time-limit", "1s"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("the time limit was reached") && ran.stdout.contains("not explored"), "{}", ran.stdout);
}

/// Without popping there is no end to this.
const ENDLESS: &str = r#"
procedure main() {
  location first entry
  location last exit
  edge first -> last { call rec(1); }
}
procedure rec(k) {
  local k: int
  location a entry
  location b
  location wrong error "assertion" "k is not positive"
  location last exit
  edge a -> wrong { assume k <= 0; }
  edge a -> b { assume k > 0; }
  edge b -> last { call rec(k + 1); }
}
"#;

#[test]
fn there_is_no_text_form_of_the_graph() {
    let ran = show(&["--graph", "tests/corpus/c/loops/loop.c", "--format", "text"]);
    assert_eq!(ran.status, Some(3));
    assert!(ran.stderr.contains("--format dot or svg"), "{}", ran.stderr);
    let ran = show(&["tests/corpus/c/loops/loop.c", "--search", "dfs"]);
    assert_eq!(ran.status, Some(3));
    assert!(ran.stderr.contains("--graph"), "{}", ran.stderr);
}

#[test]
fn the_graph_is_of_the_class_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["A", "B"] {
        let text = format!("class {name} {{ public static void main(String[] a) {{ assert a != null; }} }}");
        std::fs::write(folder.path().join(format!("{name}.java")), text).unwrap();
    }
    let path = folder.path().to_str().unwrap();
    for name in ["A", "B"] {
        let ran = show(&["--graph", path, "--main", name]);
        assert!(ran.stdout.contains(&format!("abstract reachability graph of {name}")), "{ran:?}");
    }
    assert_eq!(show(&["--graph", path]).status, Some(3));
}

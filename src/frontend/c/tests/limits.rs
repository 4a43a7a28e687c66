//! Deep, long and broken texts end with a tree or a message.

use super::super::{DataModel, MAX_NESTING};
use super::{read_text, render_as};
use proptest::prelude::*;

/// Runs with the stack of the main thread.
fn with_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(16 << 20).spawn(run).unwrap().join().unwrap()
}

fn reads(text: String) -> Result<(), String> {
    with_stack(move || read_text(&text, DataModel::Lp64).map(|_| ()).map_err(|errors| errors.to_string()))
}

#[test]
fn deep_nesting_is_refused_with_a_message() {
    let deep = |open: &str, middle: &str, close: &str, n: usize| {
        format!("int x; void f(void) {{ {}{middle}{} }}", open.repeat(n), close.repeat(n))
    };
    let (under, over) = (MAX_NESTING / 2, 100 * MAX_NESTING);
    for (open, middle, close) in [
        ("(", "x", ")"),
        ("{", ";", "}"),
        ("- ", "x;", ""),
        ("x ? 1 : ", "x;", ""),
        ("x = ", "x;", ""),
        ("if (x) ", ";", ""),
    ] {
        let end = if middle == "x" { ";" } else { "" };
        let text = |n| deep(open, middle, close, n).replace(" }", &format!("{end} }}"));
        assert_eq!(reads(text(under)), Ok(()), "{open}");
        let refused = reads(text(over)).unwrap_err();
        assert!(refused.starts_with("this nests more than"), "{open}: {refused}");
    }
    let pointers = format!("int {}p;", "*".repeat(over));
    assert!(reads(pointers).unwrap_err().contains("levels"));
    let levels: String = (1..over).map(|i| format!("typedef T{} *T{i};\n", i - 1)).collect();
    assert!(reads(format!("typedef int T0;\n{levels}")).unwrap_err().contains("levels"));
    assert!(reads(" ".repeat(50 << 20)).unwrap_err().contains("at most 32 are read"));
    assert!(reads(format!("int x = {}1{};", "{".repeat(over), "}".repeat(over))).is_err());
    assert!(reads(format!("struct s {{ {} int x; {} a;", "struct {".repeat(over), "} y;".repeat(over))).is_err());
}

#[test]
fn long_chains_are_fine() {
    let n = 100_000;
    let sum = format!("int x; int f(void) {{ return x{}; }}", " + x".repeat(n));
    assert_eq!(reads(sum), Ok(()));
    let commas = format!("int x; void f(void) {{ x{}; }}", ", x".repeat(n));
    assert_eq!(reads(commas), Ok(()));
    let and = format!("int x; int f(void) {{ return x{}; }}", " && x == 1".repeat(n));
    assert_eq!(reads(and), Ok(()));
    let arms = format!("int x; void f(void) {{ if (x) ;{} }}", " else if (x == 1) ;".repeat(n));
    assert_eq!(reads(arms), Ok(()));
    let cases: String = (0..n).map(|i| format!("case {i}: ")).collect();
    assert_eq!(reads(format!("int x; void f(void) {{ switch (x) {{ {cases} ; }} }}")), Ok(()));
    let items = format!("int a[] = {{ 1{} }};", ", 2".repeat(n));
    assert_eq!(reads(items), Ok(()));
    let backwards: String = (0..n).rev().map(|i| format!("[{i}] = {i}, ")).collect();
    assert_eq!(reads(format!("int a[] = {{ {backwards} }};")), Ok(()));
    let fold = format!("enum {{ A = 1{} }};", " + 1".repeat(n));
    assert_eq!(reads(fold), Ok(()));
}

const SEED: &str = "typedef struct n { struct n *next; int v : 3; union { char c[4]; float f; }; } n;\n\
    enum e { A, B = 3 }; static int g[3] = {1, [2] = 4}; extern int h(int, ...);\n\
    int f(int x, n *p) { int a[x]; switch (x) { case 1 ... 3: x <<= 2; break; default: goto l; }\n\
    for (int i = 0; i < 10 && p->next; i++) a[i] = p->v ? sizeof a : (char)x; l: do { x--; } while (x);\n\
    p->c[1] += 'a'; return ({ int y = h(A, \"s\\n\", 1.5f); y ?: *g; }) + (int){3} - __builtin_offsetof(n, f); }\n\
    #pragma pack(1)\nk(a, b) char b; { return a , b; } _Static_assert(sizeof(int) == 4, \"\");\n";

#[test]
fn the_seed_is_read() {
    assert_eq!(reads(SEED.to_owned()), Ok(()));
}

#[test]
fn every_prefix_ends_with_a_tree_or_a_message() {
    with_stack(|| {
        for end in (0..SEED.len()).filter(|end| SEED.is_char_boundary(*end)) {
            render_as(&SEED[..end], DataModel::Ilp32);
        }
    });
}

/// The words that mutations put in.
const WORDS: [&str; 40] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ".",
    "...",
    "->",
    "*",
    "&",
    "&&",
    "=",
    "?",
    ":",
    "int",
    "struct",
    "typedef",
    "union n",
    "enum e",
    "sizeof",
    "0",
    "1u",
    "-1",
    "x",
    "a",
    "p",
    "n",
    "return",
    "case",
    "default:",
    "if",
    "else",
    "for",
    "while",
    "__attribute__((packed))",
    "\"",
    "static",
];

fn mutated(edits: &[(usize, usize, usize)]) -> String {
    let mut tokens: Vec<&str> = SEED.split_inclusive([' ', ';', '(', ')', '{', '}', ',']).collect();
    for (kind, at, word) in edits {
        let (at, other) = (at % tokens.len(), word % tokens.len());
        match kind % 4 {
            0 => tokens[at] = WORDS[word % WORDS.len()],
            1 => tokens.insert(at, WORDS[word % WORDS.len()]),
            2 => drop(tokens.remove(at)),
            _ => tokens.swap(at, other),
        }
        if tokens.is_empty() {
            tokens.push(" ");
        }
    }
    tokens.join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn mutations_never_panic(edits in proptest::collection::vec((0usize..4, 0usize..1000, 0usize..1000), 1..6)) {
        render_as(&mutated(&edits), DataModel::Ilp32);
    }

    #[test]
    fn any_text_ends_with_a_message(text in "[ -~\\n\u{e9}]{0,60}") {
        // A line that starts with `#` would run the preprocessor.
        render_as(&text.replace('#', "+"), DataModel::Lp64);
    }
}

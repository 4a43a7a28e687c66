//! C programs of several files: what is included, what is defined, and what of it the user is told.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use std::fs;
use std::path::Path;
use support::{Ran, finish, tandem};

/// A folder with files, by name and text.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Runs the program in the folder.
fn run_in(folder: &Path, arguments: &[&str]) -> Ran {
    finish(tandem().current_dir(folder).args(arguments).output().unwrap())
}

#[track_caller]
fn gives(folder: &Path, verdict: &str, arguments: &[&str]) -> Ran {
    let mut all = vec!["verify", "--engine", "explicit"];
    all.extend(arguments);
    let ran = run_in(folder, &all);
    assert_eq!(ran.last_line(), format!("verdict: {verdict}"), "{ran:?}");
    ran
}

#[track_caller]
fn refuses(folder: &Path, arguments: &[&str], parts: &[&str]) {
    let ran = run_in(folder, arguments);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(3), ""), "{ran:?}");
    let message = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in {}", ran.stderr);
    }
}

#[test]
fn files_are_included_from_where_the_including_file_is() {
    let folder = folder(&[
        ("v.h", "#define V 2\n"),
        ("d/v.h", "#define V 1\n"),
        ("d/sub/u.h", "#include \"w.h\"\n"),
        ("d/sub/w.h", "#define W 7\n"),
        ("d/w.h", "#define W 8\n"),
        ("more/e.h", "#define E 5\n"),
        ("more/v.h", "#define V 3\n"),
        (
            "d/a.c",
            "#include <assert.h>\n#include \"v.h\"\n#include \"sub/u.h\"\n#include \"e.h\"\nint f(void);\n\
                   int main(void) {\n  assert(V == 1 && W == 7 && E == 5 && f() == 2);\n  assert(__FILE__[0] == 'd');\n\
                   \n  return 0; }\n",
        ),
        ("b.c", "#include \"v.h\"\nint f(void) { return V; }\n"),
        ("bad.c", "#include <assert.h>\n#include \"v.h\"\nint main(void) {\n  assert(V == 1);\n}\n"),
    ]);
    let at = folder.path();
    gives(at, "safe", &["d/a.c", "b.c", "-I", "more"]);
    gives(at, "safe", &["b.c", "d/a.c", "-Imore"]);
    let ran = gives(at, "unsafe", &["bad.c", "-I", "d"]);
    assert!(ran.stdout.contains("bad.c:4"), "{ran:?}");
    refuses(at, &["verify", "d/a.c"], &["e.h: No such file", "d/a.c:4"]);
}

#[test]
fn macros_of_the_command_line_count_in_their_order() {
    let plain = "int main(void) { return N; }\n";
    let folder = folder(&[
        ("n.c", plain),
        ("n.gcl", "program p\nvar x\ninit x = 0\nt: x < 3 -> x := x + 1\nsafe x < 4\n"),
        ("m.c", "#include <assert.h>\nint main(void) {\n#ifdef X\n  assert(X == 1);\n#endif\n  return 0; }\n"),
    ]);
    let at = folder.path();
    let ran = run_in(at, &["run", "n.c", "-D", "N=4"]);
    assert!(ran.stdout.contains("status 4"), "{ran:?}");
    let ran = run_in(at, &["show", "n.c", "-DN=3+4"]);
    assert!(ran.stdout.contains("result := 7i32"), "{ran:?}");
    gives(at, "safe", &["m.c", "-DX"]);
    gives(at, "unsafe", &["m.c", "-DX=2"]);
    gives(at, "safe", &["m.c", "-DX=2", "-UX"]);
    gives(at, "unsafe", &["m.c", "-UX", "-DX=2"]);
    let ran = run_in(at, &["verify", "m.c", "-D", "X=2", "--time-limit", "20s"]);
    assert_eq!(ran.last_line(), "verdict: unsafe", "{ran:?}");
    refuses(
        at,
        &["verify", "n.gcl", "-DX"],
        &["-I, -D, -U, --include, --std, --compile-commands, --function and --strict are for C programs"],
    );
}

#[test]
fn what_is_defined_twice_is_refused() {
    let folder = folder(&[
        (
            "main.c",
            "int f(void);\nint shared;\nstatic int own = 1;\nint main(void) { return f() + shared + own - 2; }\n",
        ),
        ("other.c", "\nint main(void) { return 1; }\n"),
        ("f.c", "extern int shared;\nstatic int own = 2;\nint f(void) { return shared + own; }\n"),
        ("f2.c", "int f(void) { return 3; }\n"),
        ("weak.c", "__attribute__((weak)) int f(void) { return 9; }\nint g(void) { return f(); }\n"),
        ("inline.c", "inline int f(void) { return 2; }\n"),
        ("value.c", "int shared = 0;\n"),
        ("value2.c", "int shared = 0;\n"),
        ("declares.c", "long g(int);\nint main(void) { return g(1); }\n"),
        ("defines.c", "int g(void) { return 0; }\n"),
        ("type.c", "extern double shared;\ndouble h(void) { return shared; }\n"),
    ]);
    let at = folder.path();
    gives(at, "safe", &["main.c", "f.c"]);
    gives(at, "safe", &["main.c", "f.c", "value.c"]);
    gives(at, "safe", &["main.c", "f.c", "weak.c", "inline.c"]);
    gives(at, "safe", &["weak.c", "main.c"]);
    refuses(at, &["verify", "main.c", "other.c"], &["`main` is defined twice, at main.c:4 and at other.c:2"]);
    refuses(at, &["verify", "main.c", "f.c", "f2.c"], &["`f` is defined twice, at f.c:3 and at f2.c:1"]);
    refuses(at, &["show", "main.c", "f.c", "value.c", "value2.c"], &["variable `shared` is defined twice"]);
    refuses(at, &["run", "main.c", "f.c", "type.c"], &["two types, `int` at main.c:2 and `double` at type.c:1"]);
    refuses(at, &["run", "declares.c", "defines.c"], &["the function `g` has two types, `int (void)` at defines.c:1"]);
}

#[test]
fn a_property_of_another_language_is_refused() {
    let folder = folder(&[
        ("a.c", "int main(void) { return 0; }\n"),
        ("a.gcl", "program p\nvar x\ninit x = 0\nt: x < 3 -> x := x + 1\nsafe x < 4\n"),
    ]);
    let at = folder.path();
    let hint = "valid-memsafety";
    refuses(
        at,
        &["verify", "a.c", "--property", "no-exception"],
        &["no-exception says nothing about a C program", hint],
    );
    refuses(at, &["verify", "a.gcl", "--property", "no-overflow"], &["says nothing about a guarded-command program"]);
}

#[test]
fn property_files_get_remarks() {
    let folder = folder(&[
        ("call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
        ("none.c", "int main(void) { return 0; }\n"),
        (
            "ends.c",
            "void reach_error(void) {}\nextern unsigned char __VERIFIER_nondet_uchar(void);\nint main(void) {\n  \
                    int n = __VERIFIER_nondet_uchar();\n  if (n < 0 || n > 3) return 0;\n  int y = 6 / n;\n  \
                    if (1 << (n + 30) == 7 || y == 7) reach_error();\n  return 0; }\n",
        ),
    ]);
    let at = folder.path();
    let ran = gives(at, "safe", &["none.c", "--property", "call.prp"]);
    assert!(ran.stdout.contains("the program has no function `reach_error`"), "{ran:?}");
    let ran = gives(at, "safe", &["ends.c", "--property", "call.prp"]);
    for part in ["division by zero: an execution ends there", "ends.c:6", "a shift by", "ends.c:7"] {
        assert!(ran.stdout.contains(part), "{part:?} is not in {ran:?}");
    }
    assert!(!ran.stdout.contains("no function"), "{ran:?}");
    let ran = gives(at, "unknown", &["ends.c", "--property", "unreach-call"]);
    assert!(ran.stdout.contains("is undefined: division by zero") && ran.stdout.contains("ends.c:6"), "{ran:?}");
}

#[test]
fn a_compilation_database_says_how_each_file_is_read() {
    let folder = folder(&[
        (
            "src/a.c",
            "#include <assert.h>\n#include \"n.h\"\n#include <s.h>\nint f(void);\nint main(void) {\n  assert(N + S + f() == T[0]); }\n",
        ),
        ("src/b.c", "#include <n.h>\nint f(void) { return N; }\n"),
        ("src/c.c", "int main(void) { return 0; }\n"),
        ("one/n.h", "#define N 1\n"),
        ("two/n.h", "#define N 2\n"),
        ("sys/s.h", "#define S 4\n"),
        ("first.h", "static const char T[] = TEXT;\n"),
        (
            "build/cc.json",
            r#"[
          { "directory": ".", "file": "../src/a.c",
            "command": "cc -O2 -iquote ../one -isystem../sys '-DTEXT=\"\\7 x\"' -include ../first.h -std=c99 -o a.o -c ../src/a.c" },
          { "directory": "..", "file": "src/b.c", "arguments": ["cc", "-I", "one", "-Itwo", "-UX", "src/b.c", "-Ione"] },
          { "directory": "..", "file": "src/c.c", "arguments": ["cc", "-m32", "src/c.c"] }, 
          { "directory": "..", "file": "src/d.c" }, { "directory": "..", "file": "src/d.c" } ]"#,
        ),
        ("build/bad.json", "[ { \"directory\": 3 } ]\n"),
        (
            "build/two.json",
            r#"[ { "directory": "..", "file": "src/c.c", "command": "cc -DX" },
                               { "directory": "..", "file": "src/c.c", "command": "cc -DY" } ]"#,
        ),
    ]);
    let at = folder.path();
    let with = |file: &'static str| ["--compile-commands", file];
    let ran = gives(at, "unsafe", &[&["src/a.c", "src/b.c"][..], &with("build/cc.json")[..]].concat());
    assert!(ran.stdout.contains("assertion is false"), "1 + 4 + 1 is not 7: {ran:?}");
    let two = at.join("one/n.h");
    fs::write(&two, "#ifdef __STRICT_ANSI__\n#define N 1\n#else\n#define N 2\n#endif\n").unwrap();
    gives(at, "safe", &[&["src/a.c", "src/b.c"][..], &with("build/cc.json")[..]].concat());
    gives(at, "safe", &[&["src/c.c", "--data-model", "ILP32"][..], &with("build/cc.json")[..]].concat());
    let refused = |file: &'static str, database: &'static str, parts: &[&str]| {
        refuses(at, &["verify", file, "--compile-commands", database], parts);
    };
    refused("src/c.c", "build/cc.json", &["build/cc.json compiles src/c.c with -m32", "--data-model ILP32"]);
    refused("src/c.c", "build/two.json", &["compiles src/c.c in 2 ways"]);
    refused("src/c.c", "build/bad.json", &["build/bad.json is no compilation database", "line 1"]);
    refused("src/c.c", "build/none.json", &["build/none.json: there is no such file"]);
    fs::write(at.join("src/e.c"), "int main(void) { return 0; }\n").unwrap();
    refused("src/e.c", "build/cc.json", &["does not say how src/e.c is compiled", "src/b.c"]);
    fs::write(at.join("src/d.c"), "int main(void) { return 0; }\n").unwrap();
    refused("src/d.c", "build/cc.json", &["neither `arguments` nor `command`"]);
}

#[test]
fn what_is_lost_at_the_end_is_no_leak() {
    let program = "#include <stdlib.h>\nint main(void) { int *p = malloc(4); *p = 1; return *p - 1; }\n";
    let folder = folder(&[("a.c", program)]);
    gives(folder.path(), "safe", &["a.c", "--property", "no-leak"]);
    let ran = gives(folder.path(), "unsafe", &["a.c", "--property", "no-leak,valid-memtrack"]);
    for part in ["no-leak         unknown, as another one was violated first", "valid-memtrack  unsafe"] {
        assert!(ran.stdout.contains(part), "{part:?} is not in {ran:?}");
    }
}

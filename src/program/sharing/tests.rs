//! Which copies other threads can look into. A copy that is wrongly found to be private makes a wrong `safe`, so most of
//! these programs try to hide another thread.

use super::*;
use crate::program::text::parse;
use crate::program::validate;
use crate::program::{FileId, Id};

const GLOBALS: &str = "global s: ptr global n: ptr global c: ptr global m: ptr global k: ptr global x: u64
    init { s := allocate(static, 8i64, zeroed); n := allocate(static, 8i64, zeroed); c := allocate(static, 8i64, zeroed);
           m := allocate(static, 1i64, zeroed); k := allocate(static, 1i64, zeroed); x := 0u64; }";

/// A procedure whose edges go from one location to the next.
fn line(head: &str, locals: &str, blocks: &[&str]) -> String {
    let mut text = format!("procedure {head} {{ {locals} location L0 entry");
    for index in 1..blocks.len() {
        text += &format!(" location L{index}");
    }
    text += &format!(" location L{} exit", blocks.len());
    for (index, block) in blocks.iter().enumerate() {
        text += &format!(" edge L{index} -> L{} {{ {block} }}", index + 1);
    }
    text + " }\n"
}

/// The copies of the procedure called `main` or, if it has none, of all: whether what each reads and writes is watched.
fn watched(procedures: &[String]) -> Vec<(bool, bool)> {
    let text = format!("{GLOBALS}\n{}", procedures.concat());
    let program = parse(&text, FileId::new(0)).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    assert_eq!(validate(&program), Ok(()), "{text}");
    let sharing = Sharing::of(&program);
    let mut found = Vec::new();
    for (procedure, node) in program.procedures.enumerate() {
        for (edge, step) in node.edges.enumerate() {
            for (index, _) in step.block.iter().enumerate().filter(|(_, it)| matches!(it, Statement::Copy { .. })) {
                let Watched { reads, writes } = sharing.watched((procedure, edge, index));
                found.push((reads, writes));
            }
        }
    }
    found
}

const MAIN: &str = "main()";
const NUMBERS: &str = "local t: u64 local u: u64 local p: ptr local q: ptr";
const PRIVATE: (bool, bool) = (false, false);

fn writer() -> String {
    line("writer()", "", &["[s] := 1u32;"])
}

#[test]
fn without_threads_nothing_is_watched() {
    assert_eq!(watched(&[line(MAIN, NUMBERS, &["copy c, s, 8i64;", "[s] := 1u32;"])]), [PRIVATE]);
}

#[test]
fn what_another_thread_writes_is_watched() {
    let main = line(MAIN, NUMBERS, &["t := spawn writer();", "copy c, s, 8i64;"]);
    assert_eq!(watched(&[writer(), main]), [(true, false)]);
    let main = line(MAIN, NUMBERS, &["t := spawn writer();", "copy s, c, 8i64;"]);
    assert_eq!(watched(&[writer(), main]), [(false, true)]);
}

#[test]
fn what_another_thread_reads_is_watched_where_it_is_written() {
    let reader = line("reader()", "local v: u32", &["v := u32[s];"]);
    let main = line(MAIN, NUMBERS, &["t := spawn reader();", "copy s, c, 8i64;", "copy c, s, 8i64;"]);
    assert_eq!(watched(&[reader, main]), [(false, true), PRIVATE]);
}

#[test]
fn a_copy_behind_the_start_of_a_thread_on_the_same_edge_is_watched() {
    let main = line(MAIN, NUMBERS, &["copy c, s, 8i64; t := spawn writer(); copy c, s, 8i64;"]);
    assert_eq!(watched(&[writer(), main]), [PRIVATE, (true, false)]);
}

#[test]
fn before_the_first_thread_nothing_is_watched() {
    let main = line(MAIN, NUMBERS, &["copy c, s, 8i64;", "t := spawn writer();"]);
    assert_eq!(watched(&[writer(), main]), [PRIVATE]);
}

#[test]
fn a_thread_that_is_started_by_a_call_counts() {
    let starter = line("starter()", "local t: u64", &["t := spawn writer();"]);
    let main = line(MAIN, NUMBERS, &["call starter();", "copy c, s, 8i64;"]);
    assert_eq!(watched(&[writer(), starter, main]), [(true, false)]);
}

#[test]
fn a_thread_that_another_thread_starts_outlives_the_join() {
    let starter = line("starter()", "local t: u64", &["t := spawn writer();"]);
    let main = line(MAIN, NUMBERS, &["t := spawn starter();", "join t;", "copy c, s, 8i64;"]);
    assert_eq!(watched(&[writer(), starter, main]), [(true, false)]);
}

#[test]
fn two_threads_of_one_statement_watch_each_other() {
    let copier = line("copier()", "", &["copy c, s, 8i64;"]);
    let twice = "procedure main() { local t: u64 location L0 entry location L1 exit
        edge L0 -> L0 { t := spawn copier(); } edge L0 -> L1 { } }"
        .to_owned();
    assert_eq!(watched(&[copier.clone(), twice]), [(false, true)]);
    assert_eq!(watched(&[copier, line(MAIN, NUMBERS, &["t := spawn copier();"])]), [PRIVATE]);
}

#[test]
fn a_main_procedure_that_calls_itself_starts_several_threads() {
    let copier = line("copier()", "", &["copy c, s, 8i64;"]);
    let main = "procedure main() { local t: u64 location L0 entry location L1 location L2 exit
        edge L0 -> L1 { t := spawn copier(); } edge L1 -> L2 { call main(); } edge L0 -> L2 { } }"
        .to_owned();
    assert_eq!(watched(&[copier, main]), [(false, true)]);
}

#[test]
fn a_common_lock_hides_and_another_one_does_not() {
    let writer =
        |lock: &str| line("writer()", "", &[&format!("lock {lock};"), "[s] := 1u32;", &format!("unlock {lock};")]);
    let main = line(MAIN, NUMBERS, &["t := spawn writer();", "lock m;", "copy c, s, 8i64;", "unlock m;"]);
    assert_eq!(watched(&[writer("m"), main.clone()]), [PRIVATE]);
    assert_eq!(watched(&[writer("k"), main.clone()]), [(true, false)]);
    let unlocks = line("writer()", "", &["lock m;", "unlock m;", "[s] := 1u32;"]);
    assert_eq!(watched(&[unlocks, main]), [(true, false)]);
}

#[test]
fn a_lock_that_is_held_on_one_way_only_hides_nothing() {
    let writer = line("writer()", "", &["lock m;", "[s] := 1u32;", "unlock m;"]);
    let main = "procedure main() { local t: u64 location L0 entry location L1 location L2 location L3 exit
        edge L0 -> L1 { t := spawn writer(); } edge L1 -> L2 { lock m; } edge L1 -> L2 { }
        edge L2 -> L3 { copy c, s, 8i64; } }"
        .to_owned();
    assert_eq!(watched(&[writer, main]), [(true, false)]);
}

#[test]
fn a_lock_that_a_call_releases_hides_nothing() {
    let writer = line("writer()", "", &["lock m;", "[s] := 1u32;", "unlock m;"]);
    let release = line("release()", "", &["unlock m;"]);
    let main = line(MAIN, NUMBERS, &["t := spawn writer();", "lock m;", "call release();", "copy c, s, 8i64;"]);
    assert_eq!(watched(&[writer, release, main]), [(true, false)]);
}

#[test]
fn a_lock_whose_variable_changes_hides_nothing() {
    let writer = line("writer()", "", &["lock m;", "[s] := 1u32;", "unlock m;"]);
    let main = line(MAIN, NUMBERS, &["t := spawn writer();", "m := k;", "lock m;", "copy c, s, 8i64;"]);
    assert_eq!(watched(&[writer, main]), [(true, false)]);
}

#[test]
fn an_atomic_section_is_not_looked_into() {
    let main = line(MAIN, NUMBERS, &["t := spawn writer();", "atomic begin;", "copy c, s, 8i64;", "atomic end;"]);
    assert_eq!(watched(&[writer(), main]), [PRIVATE]);
    let main = line(MAIN, NUMBERS, &["t := spawn writer();", "atomic begin;", "atomic end;", "copy c, s, 8i64;"]);
    assert_eq!(watched(&[writer(), main]), [(true, false)]);
}

#[test]
fn an_object_that_a_pointer_leads_to_is_shared() {
    let writer = line("writer(p)", "local p: ptr", &["[p] := 1u32;"]);
    let main = line(MAIN, NUMBERS, &["p := allocate(heap, 8i64);", "t := spawn writer(p);", "copy c, p, 8i64;"]);
    assert_eq!(watched(&[writer.clone(), main]), [(true, false)]);
    let main = line(
        MAIN,
        NUMBERS,
        &["p := allocate(heap, 8i64); q := allocate(heap, 8i64);", "t := spawn writer(q);", "copy c, p, 8i64;"],
    );
    assert_eq!(watched(&[writer, main]), [PRIVATE]);
}

#[test]
fn a_pointer_through_memory_through_a_number_and_through_a_copy_is_found() {
    let through_memory = line("writer()", "local p: ptr", &["p := ptr[n];", "[p] := 1u32;"]);
    let main =
        line(MAIN, NUMBERS, &["p := allocate(heap, 8i64);", "[n] := p;", "t := spawn writer();", "copy c, p, 8i64;"]);
    assert_eq!(watched(&[through_memory.clone(), main]), [(true, false)]);
    let main =
        line(MAIN, NUMBERS, &["p := allocate(heap, 8i64); x := u64(p);", "t := spawn writer();", "copy c, p, 8i64;"]);
    let through_number = line("writer()", "local p: ptr", &["p := ptr(::x);", "[p] := 1u32;"]);
    assert_eq!(watched(&[through_number, main]), [(true, false)]);
    let main = line(
        MAIN,
        NUMBERS,
        &[
            "p := allocate(heap, 8i64); q := allocate(heap, 8i64); [q] := p;",
            "copy n, q, 8i64;",
            "t := spawn writer();",
            "copy c, p, 8i64;",
        ],
    );
    assert_eq!(watched(&[through_memory, main]), [PRIVATE, (true, false)]);
}

#[test]
fn a_string_that_is_printed_is_read() {
    let printer = line("printer()", "", &["output s: \"%s\";"]);
    let main = line(MAIN, NUMBERS, &["t := spawn printer();", "copy s, c, 8i64;"]);
    assert_eq!(watched(&[printer, main]), [(false, true)]);
}

#[test]
fn after_a_join_nothing_is_watched() {
    let main = line(MAIN, NUMBERS, &["t := spawn writer();", "join t;", "copy c, s, 8i64;"]);
    assert_eq!(watched(&[writer(), main]), [PRIVATE]);
    let blocks = [
        "p := allocate(stack, 16i64);",
        "t := spawn writer();",
        "[p] := t;",
        "t := spawn writer();",
        "[pointer_add(p, 8i64)] := t;",
        "t := u64[p];",
        "join t;",
        "copy c, s, 8i64;",
        "t := u64[pointer_add(p, 8i64)];",
        "join t;",
        "copy c, s, 8i64;",
    ];
    assert_eq!(watched(&[writer(), line(MAIN, NUMBERS, &blocks)]), [(true, false), PRIVATE]);
}

#[test]
fn a_procedure_that_is_called_after_the_join_is_alone() {
    let copier = line("copier()", "", &["copy c, s, 8i64;"]);
    let main = line(MAIN, NUMBERS, &["t := spawn writer();", "join t;", "call copier();"]);
    assert_eq!(watched(&[copier.clone(), writer(), main]), [PRIVATE]);
    let main = line(MAIN, NUMBERS, &["t := spawn writer();", "call copier();", "join t;", "call copier();"]);
    assert_eq!(watched(&[copier, writer(), main]), [(true, false)]);
}

#[test]
fn a_join_of_another_thread_does_not_count() {
    let idle = line("idle()", "", &[""]);
    for middle in
        ["u := spawn idle(); t := u;", "havoc t;", "t := t + 1u64;", "u := spawn writer();", "t := spawn idle();"]
    {
        let main = line(MAIN, NUMBERS, &["t := spawn writer();", middle, "join t;", "copy c, s, 8i64;"]);
        assert_eq!(watched(&[idle.clone(), writer(), main]), [(true, false)], "{middle}");
    }
}

#[test]
fn a_number_that_is_overwritten_in_memory_does_not_count() {
    let idle = line("idle()", "", &[""]);
    let changes = line("changes(p)", "local p: ptr", &["[p] := 7u64;"]);
    let middles = [
        "q := p; [q] := u;",
        "[pointer_add(p, 4i64)] := u;",
        "fill p, 0u8, 8i64;",
        "copy p, n, 8i64;",
        "call changes(p);",
        "p := allocate(stack, 16i64); [p] := u;",
    ];
    for middle in middles {
        let middle_writes = middle.contains("copy");
        let main = line(
            MAIN,
            NUMBERS,
            &[
                "p := allocate(stack, 16i64); u := 0u64;",
                "t := spawn writer();",
                "[p] := t;",
                middle,
                "t := u64[p];",
                "join t;",
                "copy c, s, 8i64;",
            ],
        );
        let found = watched(&[idle.clone(), changes.clone(), writer(), main]);
        assert_eq!(found.last(), Some(&(true, false)), "{middle}");
        assert_eq!(found.len(), 1 + usize::from(middle_writes));
    }
}

#[test]
fn a_number_that_others_can_change_does_not_count() {
    let changes = line("writer(p)", "local p: ptr", &["[p] := 7u64;", "[s] := 1u32;"]);
    let main = line(
        MAIN,
        NUMBERS,
        &[
            "p := allocate(stack, 8i64);",
            "t := spawn writer(p);",
            "[p] := t;",
            "t := u64[p];",
            "join t;",
            "copy c, s, 8i64;",
        ],
    );
    assert_eq!(watched(&[changes, main]), [(true, false)]);
    let changes = line("writer()", "", &["x := 7u64;", "[s] := 1u32;"]);
    let main = line(MAIN, NUMBERS, &["x := spawn writer();", "join x;", "copy c, s, 8i64;"]);
    assert_eq!(watched(&[changes, main]), [(true, false)]);
}

#[test]
fn a_join_on_one_way_only_does_not_count() {
    let main = "procedure main() { local t: u64 location L0 entry location L1 location L2 location L3 exit
        edge L0 -> L1 { t := spawn writer(); } edge L1 -> L2 { join t; } edge L1 -> L2 { }
        edge L2 -> L3 { copy c, s, 8i64; } }"
        .to_owned();
    assert_eq!(watched(&[writer(), main]), [(true, false)]);
}

#[test]
fn the_join_of_one_of_several_threads_does_not_count() {
    let main = "procedure main() { local t: u64 location L0 entry location L1 location L2 location L3 exit
        edge L0 -> L0 { t := spawn writer(); } edge L0 -> L1 { t := spawn writer(); } edge L1 -> L2 { join t; }
        edge L2 -> L3 { copy c, s, 8i64; } }"
        .to_owned();
    assert_eq!(watched(&[writer(), main]), [(true, false)]);
    let main = "procedure main() { local t: u64 location L0 entry location L1 location L2 exit
        edge L0 -> L1 { t := spawn writer(); } edge L1 -> L0 { } edge L1 -> L2 { join t; copy c, s, 8i64; } }"
        .to_owned();
    assert_eq!(watched(&[writer(), main]), [(true, false)]);
}

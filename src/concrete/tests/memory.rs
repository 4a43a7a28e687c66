//! Copies, addresses and pointers to procedures in the interpreter.

use super::{Given, program, run, straight};
use crate::concrete::{Fault, Machine, Pointer};
use crate::program::{Id, ThreadId, Type};

/// What `r` is at the end, and whether an address was seen. `p` has eight bytes, `q` sixteen zeros.
fn outcome(header: &str, block: &str) -> Result<(String, bool), Fault> {
    let globals = format!("{header}\nglobal p: ptr\nglobal q: ptr\nglobal w: ptr\nglobal r: i64");
    let block = format!("p := allocate(heap, 8i64); q := allocate(stack, 16i64, zeroed); {block}");
    let source = format!("{}\nprocedure f() {{ location a entry exit }}", straight(&globals, &block));
    let program = program(&source);
    let mut machine = Machine::new(&program);
    run(&mut machine, &mut Given(vec![]))?;
    let (id, _) = program.variables.enumerate().find(|(_, v)| v.name == "r").expect("r is declared");
    let value = machine.value(ThreadId::new(0), id).expect("a global has a value").to_string();
    Ok((value, machine.addresses_seen()))
}

#[track_caller]
fn gives(block: &str, expected: &str) {
    assert_eq!(outcome("", block), Ok((expected.to_owned(), false)), "{block}");
}

#[track_caller]
fn sees(block: &str, expected: &str) {
    assert_eq!(outcome("", block), Ok((expected.to_owned(), true)), "{block}");
}

#[track_caller]
fn faults(block: &str, fault: Fault) {
    assert_eq!(outcome("", block), Err(fault), "{block}");
}

#[test]
fn copies_take_everything_along() {
    gives("[p] := 258i64; copy q, p, 8i64; r := i64[q];", "258");
    gives("[p] := p; copy pointer_add(q, 3i64), p, 8i64; w := ptr[pointer_add(q, 3i64)]; r := i64(w == p);", "1");
    gives(
        "[q] := 1i32; [pointer_add(q, 4i64)] := 2i32; copy pointer_add(q, 4i64), q, 8i64; r := i64[q];",
        "4294967297",
    );
    gives("[q] := 1i32; [pointer_add(q, 4i64)] := 2i32; copy q, pointer_add(q, 4i64), 8i64; r := i64[q];", "2");
    sees("[q] := q; copy pointer_add(q, 1i64), q, 8i64; w := ptr[pointer_add(q, 1i64)]; r := i64(w == q);", "1");
    gives("copy null, pointer_add(null, 7i64), 0i64; fill null, 1u8, 0i64; r := 5i64;", "5");
    faults(
        "copy q, p, 8i64; r := i64[q];",
        Fault::Unwritten(Pointer { object: 2, offset: 0 }, Type::machine(64, true)),
    );
    faults("copy p, q, 9i64;", Fault::OutOfBounds);
    faults("copy q, p, -1i64;", Fault::OutOfBounds);
    faults("copy q, null, 1i64;", Fault::Null);
    faults("free p; copy q, p, 1i64;", Fault::Dead);
    gives("write p, \"\\u{ff}\\u{1}\\u{0}a\"; r := i64(i32[p]);", "1627390463");
    gives("write null, \"\"; r := 5i64;", "5");
    gives("[q] := q; write q, \"\\u{0}\\u{0}\\u{0}\\u{0}\\u{0}\\u{0}\\u{0}\\u{0}\"; r := i64(ptr[q] == null);", "1");
    faults("write p, \"123456789\";", Fault::OutOfBounds);
    gives("fill p, 255u8, 4i64; r := i64(i32[p]);", "-1");
    gives("[q] := q; fill q, 0u8, 8i64; r := i64(ptr[q] == null);", "1");
    faults("fill p, 0u8, 9i64;", Fault::OutOfBounds);
    faults("fill p, 0u8, -9i64;", Fault::OutOfBounds);
}

#[test]
fn bytes_of_pointers_are_those_of_addresses() {
    sees("[q] := p; r := i64(u64[q] == u64(p));", "1");
    sees("[q] := u64(p); r := i64(ptr[q] == p);", "1");
    sees(
        "[q] := p; [pointer_add(q, 8i64)] := u8[q]; copy pointer_add(q, 9i64), pointer_add(q, 1i64), 7i64;
          r := i64(ptr[pointer_add(q, 8i64)] == p);",
        "1",
    );
    sees("[q] := p; [q] := 1u8; r := i64(u64[q] == u64(p));", "0");
    gives("[q] := 0i64; r := i64(ptr[q] == null);", "1");
    gives("[q] := pointer_add(null, 5i64); r := i64[q];", "5");
}

#[test]
fn addresses_go_there_and_back() {
    sees("r := i64(ptr(u64(pointer_add(p, 8i64))) == pointer_add(p, 8i64));", "1");
    sees("r := i64(u64(p) % 16u64) + i64(u64(q) % 16u64);", "0");
    sees("r := i64(u64(p) + 8u64 < u64(q));", "1");
    sees("w := p; free p; r := i64(ptr(u64(w)) == w);", "1");
    sees("r := i64(u8(u64(p)) == u8(p));", "1");
    gives("r := i64(u64(null)) + i64(u64(pointer_add(null, 3i64)));", "3");
    gives("w := ptr(-1i32); r := i64(w == p) + i64(w != null) * 2i64 + i64(i32(w)) * 10i64;", "-8");
    gives("r := offset(pointer_add(null, 12i64)) - offset(null) + i64(same_object(ptr(8u64), null));", "13");
    gives("r := i64(is_live(ptr(8u64))) + object_size(ptr(8u64));", "0");
    faults("r := i64[ptr(8u64)];", Fault::Wild);
    faults("[ptr(77777777u64)] := 1u8;", Fault::Wild);
    faults("free ptr(8u64);", Fault::InvalidFree);
    faults("r := i64[ptr(u64(p) + 9u64)];", Fault::Wild);
}

#[test]
fn small_pointers_wrap() {
    let with = |block| outcome("pointer_bytes 4", block).map(|(value, _)| value);
    assert_eq!(with("r := i64(u64(ptr(-1i64)));"), Ok("4294967295".into()));
    assert_eq!(with("r := i64(pointer_add(ptr(-1i32), 1i64) == null);"), Ok("1".into()));
    assert_eq!(with("w := allocate(heap, 4294967296i64);"), Err(Fault::OutOfMemory));
    assert_eq!(with("[p] := p; r := i64(ptr[p] == p) + i64(u32[p] == u32(p));"), Ok("2".into()));
}

#[test]
fn pointers_have_an_order() {
    gives("r := i64(p < pointer_add(p, 1i64)) + i64(pointer_add(p, -1i64) >= p);", "1");
    sees("r := i64(p < q) + i64(q <= p);", "1");
    gives("r := i64(null < ptr(5u64)) + i64(ptr(5u64) > ptr(-5i64));", "1");
    sees("r := i64(null < p);", "1");
}

#[test]
fn procedures_can_be_pointed_to() {
    gives("w := function(f); r := i64(w == function(f)) + i64(w == function(main)) + i64(is_live(w));", "2");
    gives("[q] := function(f); r := i64(ptr[q] == function(f)) + object_size(function(f)) + i64(null == ptr[q]);", "1");
    sees("r := i64(ptr(u64(function(f))) == function(f)) + i64(u64(function(f)) != u64(function(main)));", "2");
    faults("r := i64(u8[function(f)]);", Fault::OutOfBounds);
    faults("[function(f)] := 1u8;", Fault::OutOfBounds);
    faults("free function(f);", Fault::InvalidFree);
}

#[test]
fn an_address_that_may_be_used_again_is_seen() {
    gives("r := i64(p == q);", "0");
    gives("r := i64(pointer_add(q, 16i64) == pointer_add(q, 16i64));", "1");
    sees("r := i64(pointer_add(q, 16i64) == p);", "0");
    sees("r := i64(pointer_add(q, -1i64) == p);", "0");
    // They were there at the same time.
    gives("free p; r := i64(p == q);", "0");
    gives("free p; r := i64(p == null);", "0");
    sees("free p; w := allocate(heap, 8i64); r := i64(p == w);", "0");
    gives("w := allocate(heap, 8i64); free p; r := i64(p == w);", "0");
    gives("w := allocate(heap, 0i64); r := i64(p == w);", "0");
    sees("w := allocate(static, 0i64); r := i64(p == w);", "0");
    gives("w := allocate(literal, 1i64); r := i64(p == w);", "0");
    sees("w := allocate(literal, 1i64); p := allocate(literal, 2i64); r := i64(p == w);", "0");
}

//! gcc as the oracle: layout, types of expressions and values of constants. Without a gcc, these tests check nothing.

use super::super::DataModel;
use super::super::tree::{ExprKind, StmtKind, Unit};
use super::super::types::{BitField, RecordId, TypeKind};
use super::read_text;
use crate::program::Diagnostic;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A small generator of numbers, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }
}

/// What gcc says to a text; `None` without a gcc.
fn gcc(text: &str, model: DataModel, mode: &str) -> Option<Result<String, String>> {
    let size = if model == DataModel::Ilp32 { "-m32" } else { "-m64" };
    let mut command = Command::new("gcc");
    command.args([size, mode, "-w", "-std=gnu11", "-x", "c", "-o", "-", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().ok()?;
    let mut input = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let utf8 = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Some(if output.status.success() { Ok(utf8(output.stdout)) } else { Err(utf8(output.stderr)) })
}

fn must_read(text: &str, model: DataModel) -> Unit {
    read_text(text, model).unwrap_or_else(|errors| panic!("{:?}\n{text}", errors.0.first().map(about)))
}

fn about(error: &Diagnostic) -> String {
    format!("{} at {:?}", error.message, error.span)
}

const PLAIN: [&str; 17] = [
    "char",
    "signed char",
    "short",
    "unsigned",
    "int",
    "long",
    "long long",
    "double",
    "float",
    "long double",
    "_Bool",
    "int *",
    "enum small",
    "wide",
    "narrow",
    "__float128",
    "enum tiny",
];
const BASES: [&str; 9] =
    ["int", "unsigned", "char", "short", "long", "unsigned long long", "_Bool", "enum small", "unsigned char"];
const PRELUDE: &str = "enum small { SMALL }; typedef int wide __attribute__((aligned(8)));\n\
    typedef long long narrow __attribute__((aligned(2)));\nenum __attribute__((packed)) tiny { TINY };\n";

fn bits_of(base: &str, model: DataModel) -> usize {
    match base {
        "char" | "unsigned char" => 8,
        "short" => 16,
        "long" if model == DataModel::Lp64 => 64,
        "unsigned long long" => 64,
        "_Bool" => 1,
        _ => 32,
    }
}

/// The members of a random structure; those with names are called `m0`, `m1`….
fn members(random: &mut Random, number: usize, prefix: &str, model: DataModel) -> String {
    let mut out = String::new();
    for i in 0..1 + random.below(7) {
        let name = format!("{prefix}{i}");
        let attribute = match random.below(30) {
            0 => " __attribute__((packed))",
            1 => " __attribute__((aligned(4)))",
            2 => " __attribute__((aligned))",
            3 => " __attribute__((aligned(2)))",
            _ => "",
        };
        if random.percent(45) {
            let base = random.pick(&BASES);
            let width = random.below(bits_of(base, model) + 1);
            let name = if width == 0 || random.percent(15) { "" } else { &name };
            writeln!(out, "  {base} {name} : {width}{attribute};").unwrap();
        } else if random.percent(10) && number > 0 {
            writeln!(out, "  struct s{} {name}{attribute};", random.below(number)).unwrap();
        } else if random.percent(6) && prefix == "m" {
            let word = random.pick(&["struct", "union"]);
            let inner = members(random, number, &format!("n{i}_"), model);
            writeln!(out, "  {word} {{\n{inner}  }};").unwrap();
        } else {
            let ty = random.pick(&PLAIN);
            // gcc takes no array of elements that are aligned to more than their size.
            let array = if ty == "wide" { "" } else { random.pick(&["", "", "", "[3]", "[0]"]) };
            writeln!(out, "  {ty} {name}{array}{attribute};").unwrap();
        }
    }
    out
}

fn structures(random: &mut Random, count: usize, model: DataModel) -> String {
    let mut text = PRELUDE.to_owned();
    for number in 0..count {
        let word = if random.percent(20) { "union" } else { "struct" };
        let pack = if random.percent(15) { random.pick(&["1", "2", "4", "8"]) } else { "" };
        let attribute = match random.below(12) {
            0 | 1 => " __attribute__((packed))",
            2 => " __attribute__((aligned(16)))",
            3 => " __attribute__((packed, aligned(4)))",
            _ => "",
        };
        let body = members(random, number, "m", model);
        // A union has a tag of the same form, behind a structure.
        let (open, close) = if word == "union" { ("union {\n", "} u;\n") } else { ("", "") };
        writeln!(text, "#pragma pack({pack})\nstruct s{number} {{\n{open}{body}{close}}}{attribute};").unwrap();
    }
    text + "#pragma pack()\n"
}

/// The named members of a record with their full paths, offsets and bits.
fn named_members(unit: &Unit, id: RecordId, path: &str, start: u64, out: &mut Vec<(String, u64, Option<BitField>)>) {
    for field in &unit.types.records[id].body.as_ref().unwrap().fields {
        let inner = match field.name {
            Some(name) => format!("{path}.{}", unit.names.text(name)),
            None => path.to_owned(),
        };
        match unit.types.kind(field.ty) {
            TypeKind::Record(record) => named_members(unit, *record, &inner, start + field.offset, out),
            _ => out.push((inner, start + field.offset, field.bits)),
        }
    }
}

fn check_layout(model: DataModel) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let text = structures(&mut random, 300, model);
    let unit = must_read(&text, model);
    let mut asserts = text.clone();
    let mut probes = Vec::new();
    for (id, record) in unit.types.records.enumerate() {
        let Some(tag) = record.tag.map(|tag| unit.names.text(tag)) else { continue };
        let body = record.body.as_ref().unwrap();
        let (size, align) = (body.size, body.align);
        writeln!(asserts, "_Static_assert(sizeof(struct {tag}) == {size}, \"{tag}\");").unwrap();
        writeln!(asserts, "_Static_assert(__alignof__(struct {tag}) == {align}, \"{tag}\");").unwrap();
        let mut members = Vec::new();
        named_members(&unit, id, "", 0, &mut members);
        for (path, offset, bits) in members {
            let path = &path[1..];
            match bits {
                None => {
                    writeln!(asserts, "_Static_assert(__builtin_offsetof(struct {tag}, {path}) == {offset}, \"\");")
                        .unwrap();
                }
                Some(bits) => {
                    let label = format!("probe{}", probes.len());
                    writeln!(asserts, "struct {tag} {label} = {{.{path} = -1}};").unwrap();
                    probes.push((label, format!("{tag}.{path}"), size, offset, bits));
                }
            }
        }
    }
    let Some(result) = gcc(&asserts, model, "-S") else { return };
    let assembly = result.unwrap_or_else(|e| panic!("{}", e.lines().take(20).collect::<Vec<_>>().join("\n")));
    assert!(probes.len() > 300);
    for (label, path, size, offset, bits) in probes {
        let mut expected = vec![0u8; size as usize];
        for bit in 0..u64::from(bits.width) {
            let at = offset * 8 + u64::from(bits.shift) + bit;
            expected[(at / 8) as usize] |= 1 << (at % 8);
        }
        assert_eq!(data_of(&assembly, &label), expected, "{path}");
    }
}

/// The bytes that assembly puts behind a label.
fn data_of(assembly: &str, label: &str) -> Vec<u8> {
    let start = assembly.find(&format!("\n{label}:\n")).unwrap_or_else(|| panic!("{label} is not in the assembly"));
    let mut bytes = Vec::new();
    for line in assembly[start..].lines().skip(2) {
        let mut words = line.split_whitespace();
        let (Some(directive), Some(value)) = (words.next(), words.next()) else { break };
        let width = match directive {
            ".byte" => 1,
            ".value" => 2,
            ".long" => 4,
            ".quad" => 8,
            ".zero" => {
                bytes.resize(bytes.len() + value.parse::<usize>().unwrap(), 0);
                continue;
            }
            _ => break,
        };
        let value: i128 = value.parse().unwrap();
        bytes.extend(&value.to_le_bytes()[..width]);
    }
    bytes
}

#[test]
fn structures_are_laid_out_as_by_gcc() {
    check_layout(DataModel::Ilp32);
    check_layout(DataModel::Lp64);
}

const VARIABLES: &str = "char vc; signed char vsc; unsigned char vuc; short vs; unsigned short vus; int vi; unsigned vu;\n\
    long vl; unsigned long vul; long long vll; unsigned long long vull; _Bool vb; float vf; double vd; long double vld;\n\
    enum e { E0, E1 = 7 } ve; enum n { N0 = -1 } vn; struct b { int i : 3; unsigned u : 3; unsigned w : 32; _Bool b : 1; } vt;\n\
    int *vp; const char *vcp; void *vv; int va[3]; long vm[2][3];\n";
const NUMBERS: [&str; 25] = [
    "vc", "vsc", "vuc", "vs", "vus", "vi", "vu", "vl", "vul", "vll", "vull", "vb", "vf", "vd", "vld", "ve", "vn",
    "vt.i", "vt.u", "vt.w", "vt.b", "*vp", "va[1]", "vm[1][2]", "E1",
];
const CONSTANTS: [&str; 22] = [
    "0",
    "1",
    "2u",
    "3l",
    "5ul",
    "7ll",
    "11ull",
    "'a'",
    "E1",
    "N0",
    "(char)200",
    "(short)-3",
    "(_Bool)2",
    "0x7fffffff",
    "0xffffffff",
    "4294967296",
    "2147483647",
    "(unsigned char)255",
    "sizeof(int)",
    "-1",
    "(signed char)-128",
    "0xffffffffffffffff",
];
const INTEGER_OPERATORS: [&str; 18] =
    ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||"];
const CASTS: [&str; 9] =
    ["char", "unsigned short", "int", "unsigned", "long", "unsigned long", "long long", "unsigned long long", "_Bool"];

fn expression(random: &mut Random, depth: usize, leaves: &[&str], floats: bool) -> String {
    if depth == 0 || random.percent(15) {
        return random.pick(leaves).to_owned();
    }
    let mut inner = || expression(random, depth - 1, leaves, floats);
    let (a, b, c) = (inner(), inner(), inner());
    match random.below(8) {
        0 => format!("({}({a}))", random.pick(&["-", "~", "!", "+"])),
        1 => format!("(({})({a}))", random.pick(&CASTS)),
        2 => format!("(({a}) ? ({b}) : ({c}))"),
        _ => {
            let operators = if floats { &INTEGER_OPERATORS[10..] } else { &INTEGER_OPERATORS[..] };
            format!("({a} {} {b})", random.pick(operators))
        }
    }
}

/// For each expression, its type as gcc can read it and its value where it is constant.
fn types_and_values(expressions: &[String], model: DataModel) -> Vec<(String, Option<i128>)> {
    let body: String = expressions.iter().map(|e| format!("  {e};\n")).collect();
    let unit = must_read(&format!("{VARIABLES}void f(void) {{\n{body}}}"), model);
    let definition = unit.functions.iter().find_map(|f| f.definition.as_ref()).unwrap();
    let StmtKind::Block { stmts, .. } = &unit.stmts[definition.body].kind else { panic!("no block") };
    let found = stmts.iter().map(|stmt| {
        let StmtKind::Expr(expr) = unit.stmts[*stmt].kind else { panic!("no expression") };
        let expr = &unit.exprs[expr];
        let value = match expr.kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        };
        (unit.types.display(expr.ty, &unit.names), value)
    });
    found.collect()
}

fn check_expressions(model: DataModel) {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut expressions = Vec::new();
    for i in 0..1_500 {
        let depth = 1 + i % 3;
        expressions.push(match i % 3 {
            0 => expression(&mut random, depth, &CONSTANTS, false),
            1 => expression(&mut random, depth, &NUMBERS[15..], false),
            _ => {
                let integers: Vec<&str> =
                    NUMBERS.iter().copied().filter(|n| !["vf", "vd", "vld"].contains(n)).collect();
                expression(&mut random, depth, &integers, false)
            }
        });
    }
    // A bit-field alone has a type of just its bits for gcc.
    expressions.iter_mut().filter(|e| e.starts_with("vt.")).for_each(|e| *e = format!("(+{e})"));
    for a in NUMBERS {
        for op in ["+", "*", "<"] {
            expressions.push(format!("({a} {op} {})", random.pick(&["vf", "vd", "vld", "vull"])));
        }
    }
    for text in [
        "vp + 1",
        "vp - vp",
        "vi ? vp : 0",
        "vi ? vp : vv",
        "vi ? vcp : (void *)0",
        "&va",
        "&vm[1]",
        "*vm",
        "va + 1",
        "vi ? va : vp",
        "(vi, va)",
        "vi ? vcp : \"x\"",
        "&*vcp",
        "vp == 0",
        "!vp",
        "vi ?: vl",
        "vp ?: vv",
        "sizeof vm",
        "va - vp",
        "&vt",
        "\"abc\" + 1",
        "1.0f + 1",
        "1 ? 1.0f : 2.0L",
    ] {
        expressions.push(format!("({text})"));
    }
    let mut asserts = VARIABLES.to_owned();
    let mut constants = 0;
    for (expression, (ty, value)) in expressions.iter().zip(types_and_values(&expressions, model)) {
        // A comma keeps gcc from telling apart what it would refuse as a constant, and makes a value of a place.
        let shown = format!("__builtin_types_compatible_p(__typeof__((0, {expression})), {ty})");
        writeln!(asserts, "_Static_assert({shown}, \"{}\");", expression.replace('"', "'")).unwrap();
        if let Some(value) = value {
            constants += 1;
            let text = if value < 0 { format!("(-{}ll - 1)", -(value + 1)) } else { format!("{value}ull") };
            writeln!(asserts, "_Static_assert({expression} == ({ty}){text}, \"{value}\");").unwrap();
        }
    }
    assert!(constants > 250, "only {constants} constants");
    if let Some(Err(errors)) = gcc(&asserts, model, "-fsyntax-only") {
        panic!("{}", errors.lines().take(40).collect::<Vec<_>>().join("\n"));
    }
}

#[test]
fn expressions_have_the_types_and_values_gcc_gives_them() {
    check_expressions(DataModel::Ilp32);
    check_expressions(DataModel::Lp64);
}

//! Small C programs with inputs in tiny ranges. What they may do wrong is what properties ask for: a false assertion, an
//! overflow, an invalid access or free. Nothing else in them is undefined.

use std::fmt::Write;

/// A program and the ranges of its inputs, in the order in which they are read.
pub struct Generated {
    pub source: String,
    pub ranges: Vec<(i32, i32)>,
}

/// Random numbers from a seed (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

struct Generator {
    random: Random,
    /// The scalars that can be read here, and those that can be written.
    read: Vec<String>,
    written: Vec<String>,
    /// Whether the locals of `main` are in scope.
    in_main: bool,
    has_heap: bool,
    /// How many loops, labels there are already.
    names: u32,
}

const PRELUDE: &str = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n\
extern int __VERIFIER_nondet_int(void);\n\
struct S { int a; signed char b; int c; };\n\
int g0, g1 = 1; int ga[3] = {1, 2, 3}; struct S gs = {1, 2, 3}, gt[2]; int depth;\n";

/// The program of a seed.
pub fn program(seed: u64) -> Generated {
    let globals: Vec<String> = ["g0", "g1", "ga[1]", "gs.a", "gs.b"].iter().map(|&name| name.to_owned()).collect();
    let mut generator = Generator {
        random: Random(seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(7)),
        read: globals.clone(),
        written: globals,
        in_main: false,
        has_heap: false,
        names: 0,
    };
    let mut source = PRELUDE.to_owned();
    generator.functions(&mut source);
    let ranges = generator.main(&mut source);
    Generated { source, ranges }
}

impl Generator {
    /// Two plain functions, one that calls itself, and two that call each other.
    fn functions(&mut self, out: &mut String) {
        let (read, written) = (self.read.clone(), self.written.clone());
        for name in ["f", "h"] {
            self.read.push("n".to_owned());
            let body = self.block(2, 1);
            let result = self.expr(2);
            let _ = writeln!(out, "int {name}(int n) {{\n{body}  return {result};\n}}");
            self.read.clone_from(&read);
        }
        self.read.push("n".to_owned());
        let (first, body) = (self.expr(1), self.block(1, 1));
        let (op, last) = (self.random.of(&["+", "-", "*", "+ n -"]), self.expr(1));
        let twice = if self.random.chance(30) { "\n  if (n > 1) x = x + r(n - 2);" } else { "" };
        let (before, after) = if self.random.chance(50) { (body, String::new()) } else { (String::new(), body) };
        let _ = writeln!(
            out,
            "int r(int n) {{\n  if (n <= 0) return {first};\n{before}  int x = r(n - 1);{twice}\n{after}  return x {op} ({last});\n}}"
        );
        let (one, other) = (self.block(1, 1), self.block(1, 1));
        let back = self.random.of(&["depth--;", "depth--;", ""]);
        let check = self.random.of(&["assert(depth <= 5);", "assert(depth != 3);", "", ""]);
        let _ = writeln!(
            out,
            "void o(int n);\nvoid e(int n) {{ depth++; {check}\n{one}  if (n > 0) o(n - 1);\n  {back} }}\n\
             void o(int n) {{ depth++;\n{other}  if (n > 0) e(n - 1);\n  {back} }}"
        );
        self.read = read;
        self.written = written;
    }

    fn main(&mut self, out: &mut String) -> Vec<(i32, i32)> {
        let inputs = 1 + self.random.below(3);
        let mut ranges = Vec::new();
        out.push_str("int main(void) {\n");
        for number in 0..inputs {
            let low = self.random.below(3) as i32 - 1;
            let high = low + 1 + self.random.below(3) as i32;
            let _ = writeln!(
                out,
                "  int i{number} = __VERIFIER_nondet_int(); if (i{number} < {low} || i{number} > {high}) return 0;"
            );
            self.read.push(format!("i{number}"));
            ranges.push((low, high));
        }
        out.push_str(
            "  int x0 = i0, x1 = 2, x2 = 0, la[3] = {0, 1, 2}; struct S s = {3, 2, 1}, t[2] = {{1, 1, 1}, {2, 2, 2}};\n  \
             char m[4] = {1, 2, 3, 4}, k[8] = {0}; int *p = &x1; int (*fp)(int) = f;\n",
        );
        self.has_heap = self.random.chance(40);
        if self.has_heap {
            out.push_str("  int freed = 0, *q = malloc(2 * sizeof *q); q[0] = 5; q[1] = i0;\n");
        }
        for name in ["x0", "x1", "x2", "la[0]", "s.a", "s.b", "t[1].c"] {
            self.read.push(name.to_owned());
            self.written.push(name.to_owned());
        }
        self.read.extend(["m[1]", "k[2]"].map(str::to_owned));
        self.in_main = true;
        let count = 3 + self.random.below(5) as u32;
        let body = self.block(count, 3);
        out.push_str(&body);
        let (a, b) = (self.expr(2), self.expr(1));
        let _ = match self.random.below(4) {
            0 => writeln!(out, "  assert({a} != {b});"),
            1 => writeln!(out, "  assert({a} <= {});", self.random.below(12)),
            2 => writeln!(out, "  if ({a} == {}) assert({b} != {});", self.random.below(5), self.random.below(4)),
            _ => writeln!(out, "  assert({a} != {});", self.random.below(9) as i32 - 2),
        };
        if self.has_heap {
            out.push_str("  if (!freed) free(q);\n");
        }
        out.push_str("  return 0;\n}\n");
        ranges
    }

    /// Some statements, each on lines of its own.
    fn block(&mut self, most: u32, nested: u32) -> String {
        let mut out = String::new();
        for _ in 0..1 + self.random.below(u64::from(most)) {
            let statement = self.statement(nested);
            let _ = writeln!(out, "  {statement}");
        }
        out
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn target(&mut self) -> String {
        let index = self.random.below(self.written.len() as u64) as usize;
        self.written[index].clone()
    }

    fn statement(&mut self, nested: u32) -> String {
        if nested > 0 && self.random.chance(40) {
            return self.compound(nested - 1);
        }
        if self.in_main && self.random.chance(45) {
            return self.on_memory();
        }
        let (target, value) = (self.target(), self.expr(2));
        match self.random.below(5) {
            0 => format!("{target} += {value};"),
            1 => format!("ga[{}] = {value};", self.index(3)),
            _ => format!("{target} = {value};"),
        }
    }

    fn compound(&mut self, nested: u32) -> String {
        let condition = self.condition();
        let body = self.block(2, nested);
        match self.random.below(7) {
            0 | 1 => {
                let other = self.block(2, nested);
                format!("if ({condition}) {{\n{body}  }} else {{\n{other}  }}")
            }
            2 => {
                let (j, bound) = (self.name("j"), self.expr(0));
                format!("for (int {j} = 0; {j} < 4 && {j} < {bound}; {j}++) {{\n{body}  }}")
            }
            3 => {
                let (j, count) = (self.name("j"), 1 + self.random.below(3));
                let exit = self.condition();
                format!("for (int {j} = 0; {j} < {count}; {j}++) {{\n{body}  if ({exit}) break;\n  }}")
            }
            4 => {
                let (j, skip) = (self.name("j"), self.condition());
                format!("{{ int {j} = 3; while ({j}-- > 0) {{\n  if ({skip}) continue;\n{body}  }} }}")
            }
            5 => {
                let (value, other) = (self.expr(1), self.block(1, nested));
                let end = self.random.of(&["break;", ""]);
                format!(
                    "switch ({value}) {{\n  case 0:\n{body}  {end}\n  case 2:\n{other}  break;\n  default: g1 = 1;\n  }}"
                )
            }
            _ => {
                let label = self.name("L");
                format!("if ({condition}) goto {label};\n{body}  {label}:;")
            }
        }
    }

    fn on_memory(&mut self) -> String {
        let value = self.expr(1);
        let target = self.target();
        let small = self.index(4);
        match self.random.below(if self.has_heap { 20 } else { 16 }) {
            0 => format!("t[{}] = s;", self.index(2)),
            1 => format!("s = t[{}];", self.index(2)),
            2 => format!("gt[{}] = gs;", self.index(2)),
            3 => format!("memset(m, {}, {small});", self.random.below(2)),
            4 => format!("memcpy(m, k + {}, {small});", self.index(4)),
            5 => format!("memmove(k + {}, k, {small});", self.index(5)),
            6 => {
                let place = self.random.of(&["&x0", "&g0", "&la[1]", "ga", "&s.a", "&t[1].a", "0"]);
                format!("if ({}) p = {place};", self.condition())
            }
            7 if self.random.chance(70) => format!("if (p) *p = {value};"),
            7 => format!("*p = {value};"),
            8 => format!("if (p) {target} = *p;"),
            9 => format!("la[{}] = {value};", self.index(3)),
            10 => format!("fp = {} ? f : h; {target} = fp({value});", self.condition()),
            11 => format!("{target} = f({value});"),
            12 | 13 => format!("{target} = r({});", self.argument()),
            14 => format!("e({});", self.argument()),
            15 => format!("{target} = h({value});"),
            16 => format!("if ({}) {{ free(q); freed = 1; }}", self.condition()),
            17 => format!("if (!freed && {}) {{ free(q); freed = 1; }}", self.condition()),
            18 => format!("q[{}] = {value};", self.index(2)),
            _ => format!("if (!freed) {target} = q[{}];", self.index(2)),
        }
    }

    /// A number from 0 on below the bound, or, rarely, one that may be anywhere near.
    fn index(&mut self, bound: u32) -> String {
        match self.random.below(12) {
            0..=5 => format!("{}", self.random.below(u64::from(bound))),
            6..=10 => format!("(unsigned)({}) % {bound}", self.expr(1)),
            // Inputs are from -1 to 4.
            _ if self.in_main => "i0".to_owned(),
            _ => format!("(unsigned)n % {}", bound + 1),
        }
    }

    fn argument(&mut self) -> String {
        if self.random.chance(50) { "i0".to_owned() } else { format!("(unsigned)({}) % 5", self.expr(1)) }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.expr(1), self.expr(0));
        let op = self.random.of(&["<", "<=", "==", "!=", ">"]);
        match self.random.below(5) {
            0 => format!("({a} {op} {b} && {})", self.expr(0)),
            1 => format!("({a} {op} {b} || {})", self.expr(0)),
            _ => format!("{a} {op} {b}"),
        }
    }

    fn scalar(&mut self) -> String {
        let index = self.random.below(self.read.len() as u64) as usize;
        self.read[index].clone()
    }

    fn expr(&mut self, size: u32) -> String {
        if size == 0 || self.random.chance(25) {
            if self.random.chance(30) {
                return format!("{}", self.random.below(6) as i32 - 1);
            }
            return self.scalar();
        }
        let (a, b) = (self.expr(size - 1), self.expr(size - 1));
        match self.random.below(13) {
            0..=2 => format!("({a} + {b})"),
            3 | 4 => format!("({a} - {b})"),
            5 => format!("({a} * {b})"),
            // Of constants alone, gcc computes the product when it compiles, and no sanitizer sees it.
            6 => format!("({} * {})", self.scalar(), 100_000 * (1 + self.random.below(9))),
            7 => format!("({a} % 3)"),
            8 => format!("({a} & 3)"),
            9 => format!("({a} == {b} ? {a} : {})", self.expr(0)),
            10 => format!("ga[(unsigned)({a}) % 3]"),
            11 => format!("({a} < {b})"),
            _ => format!("({a} / 2)"),
        }
    }
}

//! Random C programs about memory, with inputs in tiny ranges, the same for the same seed.
//!
//! [`program`] mixes widths, objects and ways to reach them: bytes of an `int`, unions, buffers of bytes, structures in
//! arrays, arrays of a size that is read, lists that loops build, pointers into one of several objects, copies and fills of
//! a length that is read. [`loops`] has loops over arrays with assertions about their elements, [`objects`] has objects that
//! loops make, and pointers between them, [`calls`] procedures that change objects behind references. A program reads its
//! inputs first; that of [`program`] leaves what it saw in the globals [`OBSERVED`]. Rarely, an access is out of bounds, or
//! to what was freed; nothing else is undefined.

mod calls;
mod loops;
mod objects;
mod statement;

pub use calls::calls;
pub use loops::loops;
pub use objects::objects;

use std::fmt::Write;
use tandem::term::Random;

/// The globals that hold what a program saw, where it comes to its end.
pub const OBSERVED: [&str; 4] = ["o0", "o1", "o2", "o3"];

/// What the inputs are below, each.
pub const INPUTS_BELOW: usize = 4;

const PRELUDE: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);
extern void *memcpy(void *, const void *, unsigned long);
extern void *memmove(void *, const void *, unsigned long);
extern void *memset(void *, int, unsigned long);
unsigned o0, o1, o2, o3;
";

const OBJECTS: &str = "\
struct S { int f; short g; signed char h; unsigned char k; };
struct B { unsigned low : 3, middle : 7; int high : 6; unsigned char tail; };
struct P { int *at; int v; };
struct N { int v; struct N *next; };
union U { unsigned w; unsigned short h[2]; unsigned char b[4]; struct S s; };
int a[6] = {5, 4, 3, 2, 1, 0};
struct S s[4];
union U un[2];
unsigned char buf[12];
struct B bits[2];
long long wide[3];
int grid[3][2];
static const unsigned char table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static void swap(int *one, int *other) { int kept = *one; *one = *other; *other = kept; }
static int sum(struct S *of, int n) { int all = 0; for (int k = 0; k < n; k++) all += of[k].g + of[k].k; return all; }
";

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(11));
    let inputs = random.between(1, 2);
    let uses = Uses {
        structs: random.percent(50),
        unions: random.percent(40),
        bytes: random.percent(40),
        heap: random.percent(50),
        list: random.percent(25),
        pointer: random.percent(45),
        lengths: random.percent(40),
        many: random.percent(30),
        other: random.percent(35),
    };
    let mut generator = Generator { random, inputs, uses, names: 0 };
    let mut source =
        format!("{PRELUDE}{OBJECTS}int main(void) {{\n  int x = 0, y = 1, z = 2, i; struct S t = {{1, 2, 3, 4}};\n");
    generator.inputs(&mut source);
    generator.start(&mut source);
    let body = generator.body();
    source.push_str(&body);
    generator.observe(&mut source);
    source.push_str("  return 0;\n}\n");
    source
}

/// A program of a seed, of some kind.
pub fn any(seed: u64) -> String {
    match seed % 4 {
        3 => loops(seed),
        1 => objects(seed),
        _ => program(seed),
    }
}

/// Reads the inputs, each into a variable `u0`, `u1`…
fn read_inputs(out: &mut String, count: usize) {
    for number in 0..count {
        let _ = writeln!(
            out,
            "  unsigned u{number} = __VERIFIER_nondet_uint(); __VERIFIER_assume(u{number} < {INPUTS_BELOW});"
        );
    }
}

/// What a program has to do with.
struct Uses {
    /// Structures in an array.
    structs: bool,
    /// Unions.
    unions: bool,
    /// A buffer of bytes, and the bytes of other objects.
    bytes: bool,
    /// An array on the heap, of a size that may be read.
    heap: bool,
    /// A list.
    list: bool,
    /// A pointer into one of several arrays.
    pointer: bool,
    /// Copies and fills of a length that is read.
    lengths: bool,
    /// Several objects behind an array of pointers.
    many: bool,
    /// Bit-fields, arrays of arrays, wide elements, constants, and functions that take pointers.
    other: bool,
}

struct Generator {
    random: Random,
    inputs: usize,
    uses: Uses,
    /// How many names are taken.
    names: usize,
}

impl Generator {
    fn inputs(&mut self, out: &mut String) {
        read_inputs(out, self.inputs);
    }

    /// Makes the objects that are not globals.
    fn start(&mut self, out: &mut String) {
        if self.uses.heap {
            let size = self.random.between(3, 6);
            let size = if self.random.percent(60) { format!("u0 + {size}") } else { size.to_string() };
            let (made, zeroed) = match self.random.below(4) {
                0 => ("calloc(n, sizeof(int))", true),
                _ => ("malloc(n * sizeof(int))", false),
            };
            let _ = writeln!(out, "  unsigned n = {size}; int *p = {made};");
            let value = self.pick(&["i", "7", "x", "(int)u0", "2 * i + 1"]);
            // What is not written has any value.
            if !zeroed && self.random.percent(95) || zeroed && self.random.percent(30) {
                let _ = writeln!(out, "  for (i = 0; i < (int)n; i++) p[i] = {value};");
            }
        }
        if self.uses.structs {
            // The rest of it is not written.
            out.push_str("  struct S r; r.f = 9; r.h = (signed char)u0;\n");
        }
        if self.uses.bytes {
            out.push_str("  char *c = (char *)a;\n");
        }
        if self.uses.pointer {
            out.push_str("  int w = 3, *q = a;\n");
        }
        if self.uses.many {
            let (count, size) = (self.pick(&["3", "3", "3", "u0"]), self.pick(&["4", "8", "4 + 4 * (u0 & 1)"]));
            let _ = writeln!(
                out,
                "  int *m[3] = {{a, a + 2, 0}}; struct P pairs[2] = {{{{a, 1}}, {{a + 3, 2}}}};\n  \
                 for (i = 0; i < (int)({count}); i++) {{ m[i] = malloc({size}); *m[i] = i + 2; }}"
            );
        }
        if self.uses.other && self.random.percent(50) {
            let size = self.pick(&["4", "u0 + 1", "3"]);
            let _ = writeln!(out, "  short v[{size}]; v[0] = 6;");
            out.push_str("  for (i = 0; i < (int)(sizeof v / sizeof v[0]); i++) v[i] = i;\n");
        } else if self.uses.other {
            out.push_str("  short v[4]; v[1] = 5; v[0] = (short)u0;\n");
        }
        if self.uses.other {
            let shift = self.random.between(1, 2);
            let _ = writeln!(out, "  char *bytes = calloc(3, 8); if (u0 < 2) bytes += {shift}; int *g = (int *)bytes;");
        }
        if self.uses.list {
            let count = self.pick(&["3", "u0", "u0 + 1", "2"]);
            let value = self.pick(&["i", "(int)u0", "x + i", "4"]);
            let _ = writeln!(
                out,
                "  struct N *head = 0, *it;\n  for (i = 0; i < (int)({count}); i++) {{ it = malloc(sizeof *it); it->v = {value}; \
                 it->next = head; head = it; }}"
            );
        }
    }

    fn body(&mut self) -> String {
        let mut out = String::new();
        let count = self.random.between(3, 9);
        for number in 0..count {
            let statement = self.statement(2);
            let _ = writeln!(out, "  {statement}");
            if number >= count / 2 && self.random.percent(20) {
                let condition = self.condition();
                let _ = writeln!(out, "  {}", assertion(&condition));
            }
        }
        out
    }

    /// Keeps what is in some places, and asserts something of it.
    fn observe(&mut self, out: &mut String) {
        for global in OBSERVED {
            let value = match self.random.below(5) {
                0 => "x + 3 * y".to_owned(),
                1 => "z".to_owned(),
                2 if self.uses.bytes => "*(unsigned short *)((char *)a + 2 * (u0 & 1) + 1)".to_owned(),
                _ => self.element(),
            };
            let _ = writeln!(out, "  {global} = {value};");
        }
        if self.random.percent(70) {
            let observed = self.random.choose(&OBSERVED);
            let value = self.random.below(8);
            let _ = writeln!(out, "  {}", assertion(&format!("{observed} != {value}")));
        }
        if self.random.percent(40) {
            let condition = self.condition();
            let _ = writeln!(out, "  {}", assertion(&condition));
        }
    }

    /// One of the texts.
    fn pick(&mut self, texts: &[&str]) -> String {
        (*self.random.choose(texts)).to_owned()
    }
}

/// A check that the condition holds.
fn assertion(condition: &str) -> String {
    format!("if (!({condition})) __assert_fail(\"c\", \"f\", 1, \"m\");")
}

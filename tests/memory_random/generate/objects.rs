//! Objects that loops, functions and branches make, and what is done through pointers to them: what regions must not get
//! wrong.

use super::{PRELUDE, assertion, read_inputs};
use std::fmt::Write;
use tandem::term::Random;

const OBJECTS: &str = "\
struct N { int v; short h; signed char k; struct N *next; int *data; };
struct N *kept[3]; int total;
static struct N *make(int v) { struct N *made = malloc(sizeof *made); made->v = v; made->h = 2; made->next = 0; made->data = 0; return made; }
static struct N *clear(void) { return calloc(1, sizeof(struct N)); }
static void drop(struct N *it) { if (it && it->data) free(it->data); free(it); }
";

/// A random program of objects on the heap: made in loops, in functions and in branches, of sizes that are read, linked,
/// kept in an array, freed once, or rarely twice, and compared. The inputs are in tiny ranges.
pub fn objects(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(41));
    let inputs = random.between(1, 2);
    let wild = random.percent(15);
    let bytes = random.percent(30);
    let arrays = random.percent(40);
    let mut writer = Objects { random, inputs, wild, bytes, arrays, loops: 0 };
    let mut source = format!(
        "{PRELUDE}{OBJECTS}int main(void) {{\n  int x = 0, y = 1, i; struct N *p = 0, *q = 0, *head = 0, *it; int *d = &total;\n"
    );
    read_inputs(&mut source, inputs);
    for _ in 0..writer.random.between(1, 2) {
        let part = writer.build();
        let _ = writeln!(source, "  {part}");
    }
    for _ in 0..writer.random.between(2, 7) {
        let part = writer.statement(2);
        let _ = writeln!(source, "  {part}");
    }
    for name in super::OBSERVED {
        let value = writer.value();
        let _ = writeln!(source, "  {name} = (unsigned)({value});");
    }
    if writer.random.percent(50) {
        let (name, value) = (*writer.random.choose(&super::OBSERVED), writer.random.below(8));
        let _ = writeln!(source, "  {}", assertion(&format!("{name} != {value}")));
    }
    if writer.random.percent(40) {
        let condition = writer.condition();
        let _ = writeln!(source, "  {}", assertion(&condition));
    }
    source.push_str("  return 0;\n}\n");
    source
}

struct Objects {
    random: Random,
    inputs: usize,
    /// Whether pointers may be null or dangling where they are used.
    wild: bool,
    /// Whether objects are accessed at other widths.
    bytes: bool,
    /// Whether objects hold arrays of a size that is read.
    arrays: bool,
    loops: usize,
}

impl Objects {
    fn pick(&mut self, texts: &[&str]) -> String {
        (*self.random.choose(texts)).to_owned()
    }

    /// A loop that makes objects.
    fn build(&mut self) -> String {
        let count = self.pick(&["3", "2", "u0", "u0 + 1", "4"]);
        let made = self.made();
        let mut body = vec![format!("it = {made};")];
        body.push(format!("it->v = {};", self.random.choose(&["i", "(int)u0", "x", "7", "i * 2"])));
        match self.random.below(4) {
            0 => body.push("it->next = q; q = it; it->data = 0;".to_owned()),
            1 => body.push("kept[i % 3] = it; it->next = 0; it->data = 0;".to_owned()),
            _ => body.push("it->next = head; it->data = 0; head = it;".to_owned()),
        }
        if self.arrays {
            let size = self.pick(&["4 * (i + 1)", "8", "4 * (u0 + 1)", "12"]);
            body.push(format!("it->data = malloc({size}); it->data[0] = i + 1;"));
        }
        if self.random.percent(30) {
            body.push("if (i == 1) p = it;".to_owned());
        }
        format!("for (i = 0; i < (int)({count}); i++) {{ {} }}", body.join(" "))
    }

    /// An object that is new.
    fn made(&mut self) -> String {
        let value = self.random.below(9);
        match self.random.below(5) {
            0 => "malloc(sizeof(struct N))".to_owned(),
            1 => "calloc(1, sizeof(struct N))".to_owned(),
            2 => "clear()".to_owned(),
            3 => format!("({} ? make({value}) : clear())", self.simple()),
            _ => format!("make({value})"),
        }
    }

    /// A condition without pointers.
    fn simple(&mut self) -> String {
        format!("u{} < {}", self.random.below(self.inputs), self.random.between(1, 3))
    }

    fn node(&mut self) -> String {
        match self.random.below(8) {
            0..=2 => "p".to_owned(),
            3 | 4 => "q".to_owned(),
            5 | 6 => "head".to_owned(),
            _ => format!("kept[{}]", self.random.choose(&["0", "1", "u0 % 3", "(u0 + 1) % 3"])),
        }
    }

    fn node_variable(&mut self) -> String {
        self.pick(&["p", "q", "head", "kept[u0 % 3]", "kept[1]", "p"])
    }

    fn field(&mut self) -> String {
        self.pick(&["v", "v", "v", "h", "k"])
    }

    /// What is in a field of an object, if there is the object.
    fn element(&mut self) -> String {
        let (node, field) = (self.node(), self.field());
        let place = match self.random.below(9) {
            0 => return format!("({node} && {node}->next ? {node}->next->{field} : 3)"),
            1 if self.arrays => {
                let index = self.pick(&["0", "u0 & 1", "1"]);
                return format!("({node} && {node}->data ? {node}->data[{index}] : 4)");
            }
            2 if self.bytes => format!("((unsigned char *){node})[{}]", self.random.choose(&["0", "1", "u0", "5"])),
            3 if self.bytes => format!("*(short *)((char *){node} + {})", self.random.choose(&["0", "2", "2 * u0"])),
            4 => return "*d".to_owned(),
            _ => format!("{node}->{field}"),
        };
        if self.wild && self.random.percent(40) { place } else { format!("({node} ? {place} : 5)") }
    }

    fn value(&mut self) -> String {
        match self.random.below(9) {
            0 => self.random.below(300).to_string(),
            1 => format!("(int)u{}", self.random.below(self.inputs)),
            2 => self.pick(&["x", "y", "x + y", "x + 1"]),
            3 => self.pick(&["(p == q)", "(p == head)", "(q == kept[0])", "(p == 0)", "(d == &total)"]),
            4 if self.random.percent(50) => "(head == kept[u0 % 3])".to_owned(),
            _ => self.element(),
        }
    }

    fn condition(&mut self) -> String {
        let node = self.node();
        match self.random.below(8) {
            0 => self.simple(),
            1 => format!("{} != {}", self.element(), self.random.below(6)),
            2 => format!("{} <= {}", self.element(), self.element()),
            3 => format!("{node} == {}", self.node()),
            4 => format!("{node} != 0"),
            5 => format!("x < {}", self.random.between(1, 9)),
            6 => format!("{node} == 0 || &{node}->h - &{node}->h == 0"),
            _ => format!("{node} == 0 || &{node}->v < (int *)({node} + 1)"),
        }
    }

    fn block(&mut self, nested: usize) -> String {
        let count = self.random.between(1, 2);
        (0..count).map(|_| self.statement(nested)).collect::<Vec<_>>().join(" ")
    }

    fn statement(&mut self, nested: usize) -> String {
        let node = self.node();
        let guard = if self.wild && self.random.percent(40) { String::new() } else { format!("if ({node}) ") };
        match self.random.below(20) {
            0 | 1 => format!("{} = {};", self.node_variable(), self.made()),
            2 => format!("{} = {};", self.node_variable(), self.node()),
            3 => format!("{guard}{} = {node}->next;", self.node_variable()),
            4 => format!("{guard}{node}->next = {};", self.node()),
            5 | 6 => format!("{guard}{node}->{} = {};", self.field(), self.value()),
            7 => format!("{} = {};", self.random.choose(&["x", "y"]), self.value()),
            8 => self.free(),
            9 if nested > 0 => {
                let (condition, body) = (self.condition(), self.block(nested - 1));
                let other = if self.random.percent(40) {
                    format!(" else {{ {} }}", self.block(nested - 1))
                } else {
                    String::new()
                };
                format!("if ({condition}) {{ {body} }}{other}")
            }
            10 if nested > 0 => {
                self.loops += 1;
                let j = format!("j{}", self.loops);
                let count = self.pick(&["2", "3", "(int)u0"]);
                format!("for (int {j} = 0; {j} < {count}; {j}++) {{ {} }}", self.block(nested - 1))
            }
            11 | 12 => {
                let work = self.pick(&["x += it->v", "it->v = y", "y = it->v", "it->v++", "it->h = (short)it->v"]);
                let steps = self.pick(&["5", "6"]);
                format!("for (it = head, i = 0; it && i < {steps}; it = it->next, i++) {work};")
            }
            13 => format!("{guard}d = &{node}->v;"),
            14 => format!("*d = {};", self.value()),
            15 if self.bytes => format!(
                "{guard}((unsigned char *){node})[{}] = {};",
                self.random.choose(&["0", "1", "u0", "4"]),
                self.random.below(9)
            ),
            15 | 16 => {
                let other = self.node();
                match self.random.below(3) {
                    0 => format!("if ({node} && {other}) *{node} = *{other};"),
                    1 => format!(
                        "if ({node} && {other}) memmove({node}, {other}, {});",
                        self.random.choose(&["4", "6", "8"])
                    ),
                    _ => format!(
                        "if ({node}) memset({node}, {}, {});",
                        self.random.below(2),
                        self.random.choose(&["4", "8"])
                    ),
                }
            }
            17 if self.arrays => {
                let index = self.pick(&["0", "u0 & 1", "1"]);
                format!("if ({node} && {node}->data) {node}->data[{index}] = {};", self.value())
            }
            18 => self.build(),
            _ => format!("if (!{node}) {} = {};", self.node_variable(), self.made()),
        }
    }

    /// Something is freed. What still points to it is used after that only in wild programs.
    fn free(&mut self) -> String {
        let node = self.pick(&["p", "q", "head"]);
        match self.random.below(5) {
            0 if self.wild => format!("free({node});"),
            1 if self.wild => format!("if ({}) drop({node});", self.condition()),
            2 => "if (head && head != p && head != q) { it = head->next; free(head); head = it; d = &total; \
                  kept[0] = kept[1] = kept[2] = 0; }"
                .to_owned(),
            _ => format!(
                "if ({}) {{ free({node}); p = q = head = kept[0] = kept[1] = kept[2] = 0; d = &total; }}",
                self.simple()
            ),
        }
    }
}

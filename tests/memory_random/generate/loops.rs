//! Loops over arrays, and assertions about every element: what tracked cells must not get wrong.

use super::{PRELUDE, assertion, read_inputs};
use std::fmt::Write;
use tandem::term::Random;

/// Every index of a program is below this, so that most accesses are valid.
const SIZE: usize = 24;

/// A random program of loops over arrays: sums, aliases, early exits, repeated writes, conditions on elements, two
/// counters, structures in arrays, loops down and by steps. The inputs are in tiny ranges.
pub fn loops(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(29));
    let rounds = random.between(3, 6);
    let inputs = random.between(1, 2);
    let mut arrays = vec!["a", "b"];
    arrays.extend(random.percent(40).then_some("c"));
    let others = random.percent(30);
    let structs = random.percent(30);
    let second = random.percent(30);
    let mut writer = Loops { random, rounds, inputs, arrays, structs, others, second };
    let mut source = format!(
        "{PRELUDE}struct S {{ int f; short g; int h; }};\nint a[{SIZE}], b[{SIZE}], c[{SIZE}]; struct S s[{SIZE}]; short d[{SIZE}]; long long e[{SIZE}];\n\
         static void check(int holds) {{ {} }}\n\
         static void fill(int *to, int n, int v) {{ for (int j = 0; j < n; j++) to[j] = v; }}\n\
         static void copy(int *to, int *from, int n) {{ for (int j = 0; j < n; j++) to[j] = from[j]; }}\n\
         int main(void) {{\n  int x = 0, y = 0, flag = 1, k = 0; int *p = a;\n",
        assertion("holds")
    );
    read_inputs(&mut source, inputs);
    for _ in 0..writer.random.between(2, 5) {
        let part = writer.part();
        let _ = writeln!(source, "  {part}");
    }
    let (header, last) = (writer.header(), writer.condition("i"));
    let when = *writer.random.choose(&["", "", "if (flag) ", "if (!flag) "]);
    let _ = writeln!(source, "  {when}for ({header}) check({last});\n  return 0;\n}}");
    source
}

struct Loops {
    random: Random,
    /// About how many rounds loops have.
    rounds: usize,
    inputs: usize,
    arrays: Vec<&'static str>,
    structs: bool,
    /// Whether there are arrays of narrower and wider elements.
    others: bool,
    /// Whether loops have a second counter.
    second: bool,
}

impl Loops {
    fn part(&mut self) -> String {
        match self.random.below(10) {
            0..=6 => {
                let header = self.header();
                let count = self.random.between(1, 3);
                let mut body: Vec<String> = (0..count).map(|_| self.statement("i")).collect();
                if self.second && self.random.percent(60) {
                    let step = *self.random.choose(&["k++;", "k += 2;", "k--;", "if (flag) k++;"]);
                    body.push(step.to_owned());
                }
                let start = if self.second { *self.random.choose(&["k = 0; ", "k = 5; ", ""]) } else { "" };
                format!("{start}for ({header}) {{ {} }}", body.join(" "))
            }
            7 => format!("fill({}, {}, {});", self.array(), self.random.between(2, self.rounds), self.value("0")),
            8 => format!("copy({}, {}, {});", self.array(), self.array(), self.random.between(2, self.rounds)),
            _ => {
                let index =
                    if self.random.percent(50) { "u0".to_owned() } else { self.random.below(self.rounds).to_string() };
                format!("{}[{index}] = {};", self.array(), self.value("0"))
            }
        }
    }

    /// The three parts of a loop that counts.
    fn header(&mut self) -> String {
        let ty = *self.random.choose(&["int", "int", "int", "unsigned", "short", "unsigned char", "signed char"]);
        let (first, rounds) = (self.random.below(2), self.rounds);
        let rest = match self.random.below(8) {
            0..=2 => format!("{first}; i < {rounds}; i++"),
            3 => format!("{first}; i <= {}; i++", rounds - 1),
            4 => format!("{first}; i < {rounds}; i += {}", self.random.between(2, 3)),
            5 => format!("{}; i > {first}; i--", rounds - 1),
            6 => format!("{first}; i <= {}; i = i + 2", self.random.between(1, rounds)),
            _ if self.random.percent(50) => format!("{first}; i < u0; i++"),
            _ => format!("{}; i >= 1; i--", rounds - 1),
        };
        format!("{ty} i = {rest}")
    }

    /// Where an array is accessed.
    fn index(&mut self, i: &str) -> String {
        match self.random.below(10) {
            0..=4 => i.to_owned(),
            5 => format!("2 * {i}"),
            6 => format!("2 * {i} + {}", self.random.between(1, 3)),
            7 => format!("{i} + {}", self.random.between(1, 3)),
            8 => format!("{} - {i}", self.random.between(6, 9)),
            _ if self.second => "(k & 7)".to_owned(),
            _ => "u0".to_owned(),
        }
    }

    fn array(&mut self) -> &'static str {
        self.random.choose::<&str>(&self.arrays)
    }

    /// An element of some array.
    fn element(&mut self, i: &str) -> String {
        let index = self.index(i);
        match self.random.below(8) {
            0 | 1 if self.structs => format!("s[{index}].{}", self.random.choose(&["f", "g", "h"])),
            2 => format!("p[{index}]"),
            3 | 4 if self.others => format!("{}[{index}]", self.random.choose(&["d", "e"])),
            5 if self.others => format!("((int *)e)[{index}]"),
            _ => format!("{}[{index}]", self.array()),
        }
    }

    fn value(&mut self, i: &str) -> String {
        match self.random.below(10) {
            0..=2 => self.random.below(5).to_string(),
            3 => format!("(int)u{}", self.random.below(self.inputs)),
            4 => format!("({i})"),
            5 => format!("({i} == {})", self.random.choose(&["u0", "1", "2"])),
            6 => self.element(i),
            7 => format!("({} + {})", self.element(i), self.random.below(2)),
            8 => (*self.random.choose(&["x", "y", "k"])).to_owned(),
            _ => self.random.below(3).to_string(),
        }
    }

    fn condition(&mut self, i: &str) -> String {
        let element = self.element(i);
        match self.random.below(9) {
            0 => format!("{element} == {}", self.value(i)),
            1 => format!("{element} <= {}", self.element(i)),
            2 => format!("{element} == {}", self.element(i)),
            3 => format!("{element} < {}", self.random.between(1, 6)),
            4 => format!("{i} < {} || {element} != {}", self.random.between(1, self.rounds), self.value(i)),
            5 => format!("{i} != {} && {element} < {}", self.random.below(self.rounds), self.random.between(2, 9)),
            6 => format!("{element} != {}", self.random.between(2, 6)),
            7 => format!("x < {}", self.random.between(2, 40)),
            _ => format!("flag == {} || {element} != {}", self.random.below(2), self.element(i)),
        }
    }

    fn statement(&mut self, i: &str) -> String {
        match self.random.below(15) {
            0..=3 => format!("{} = {};", self.element(i), self.value(i)),
            4 => format!("if ({}) {} = {};", self.condition(i), self.element(i), self.value(i)),
            5 => format!("check({});", self.condition(i)),
            6 => assertion(&self.condition(i)),
            7 => format!("if ({}) flag = {};", self.condition(i), self.random.below(3)),
            8 => format!("x = {};", self.value(i)),
            9 => format!("x += {};", self.element(i)),
            10 => format!("if ({}) {}", self.condition(i), self.random.choose(&["break;", "continue;", "return 0;"])),
            11 => format!("y = {}; {} = y + {};", self.element(i), self.element(i), self.random.below(2)),
            12 => format!("p = {}; p[{}] = {};", self.array(), self.random.below(self.rounds), self.value(i)),
            13 => format!("{}[{}] = {};", self.array(), self.random.below(self.rounds), self.value(i)),
            _ if self.structs => format!("s[{}] = s[{}];", self.index(i), self.index(i)),
            _ => format!("check({} {} {});", self.element(i), self.random.choose(&["==", "<=", "!="]), self.element(i)),
        }
    }
}

//! Calls that change objects behind references: what a step of combined states must not get wrong.

use super::{PRELUDE, assertion, read_inputs};
use std::fmt::Write;
use tandem::term::Random;

/// How many objects there are, and how many places in the table of them.
const OBJECTS: usize = 3;

/// A random program of a few linked objects and a table of them, which procedures change, recursive ones too: aliases,
/// elements at indices that are read, loops that an input bounds, results of calls. The inputs are in tiny ranges.
pub fn calls(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x9e6c_63d0_876a_46b1).wrapping_add(7));
    let inputs = random.between(1, 2);
    let mut writer = Calls { random, inputs, in_main: false };
    let mut source = format!(
        "{PRELUDE}struct N {{ int v; struct N *next; }};\n\
         struct N pool[{OBJECTS}]; struct N *table[{OBJECTS}] = {{ &pool[0], &pool[1], &pool[2] }}; int a[4]; int g;\n"
    );
    let body = writer.statements(2);
    let _ = writeln!(source, "static void put(struct N *n, struct N *m, int k) {{ {body} }}");
    let (body, value) = (writer.statements(1), writer.value());
    let _ = writeln!(source, "static int get(struct N *n, struct N *m, int k) {{ {body} return {value}; }}");
    let (before, after) = (writer.statements(1), writer.statements(1));
    let (first, second, value) = (writer.reference(), writer.reference(), writer.value());
    let _ = writeln!(
        source,
        "static int down(struct N *n, struct N *m, int k) {{ if (k <= 0 || !n) return {value}; {before} \
         int r = down({first}, {second}, k - 1); {after} return r + {}; }}",
        writer.random.below(2)
    );
    source.push_str("int main(void) {\n  struct N *n = &pool[0], *m = &pool[1]; int k = 1, r = 0;\n");
    read_inputs(&mut source, inputs);
    writer.in_main = true;
    for _ in 0..writer.random.between(2, 5) {
        let part = writer.part();
        let _ = writeln!(source, "  {part}");
    }
    let condition = writer.condition();
    let _ = writeln!(source, "  {}\n  return 0;\n}}", assertion(&condition));
    source
}

struct Calls {
    random: Random,
    inputs: usize,
    /// Whether what is written is in the main procedure, which has the inputs.
    in_main: bool,
}

impl Calls {
    /// A statement of the main procedure.
    fn part(&mut self) -> String {
        let (first, second, number) = (self.reference(), self.reference(), self.number());
        match self.random.below(12) {
            0 | 1 => format!("put({first}, {second}, {number});"),
            2 | 3 => format!("r = get({first}, {second}, {number});"),
            4 => format!("r = down({first}, {second}, {number});"),
            5 => format!("for (unsigned i = 0; i < {}; i++) {{ {} }}", self.bound(), self.statements(1)),
            6 => format!("for (unsigned i = 0; i < {}; i++) r = get(table[i], {second}, r);", self.bound()),
            7 => format!("while (n && k > 0) {{ n = n->next; k--; {} }}", self.statements(1)),
            8 => format!("if ({}) {{ {} }} else {{ {} }}", self.condition(), self.statements(1), self.statements(1)),
            9 => assertion(&self.condition()),
            10 => format!("k = {number};"),
            _ => self.statement(),
        }
    }

    fn statements(&mut self, most: usize) -> String {
        let count = self.random.between(1, most);
        let statements: Vec<String> = (0..count).map(|_| self.statement()).collect();
        statements.join(" ")
    }

    fn statement(&mut self) -> String {
        let (index, value) = (self.index(), self.value());
        match self.random.below(12) {
            0 | 1 => format!("if (n) n->v = {value};"),
            2 => format!("if (m) m->v = {value};"),
            3 => format!("if (n) n->next = {};", self.reference()),
            4 => format!("table[{index}] = {};", self.reference()),
            5 => format!("a[{index}] = {value};"),
            6 => format!("g = {value};"),
            7 => format!("if ({}) {} = {};", self.condition(), self.random.choose(&["n", "m"]), self.reference()),
            8 => format!("if (table[{index}]) table[{index}]->v = {value};"),
            9 => format!("if (n && n->next) n->next->v = {value};"),
            10 => format!("if ({}) g = {value};", self.condition()),
            _ => format!("m = {};", self.reference()),
        }
    }

    /// A pointer to an object, or a null pointer.
    fn reference(&mut self) -> String {
        match self.random.below(9) {
            0 | 1 => "n".to_owned(),
            2 => "m".to_owned(),
            3 => format!("&pool[{}]", self.random.below(OBJECTS)),
            4 | 5 => format!("table[{}]", self.index()),
            6 => "(n ? n->next : m)".to_owned(),
            7 => "0".to_owned(),
            _ => format!("({} ? n : m)", self.condition()),
        }
    }

    /// An index of the table, and of the array.
    fn index(&mut self) -> String {
        match self.random.below(5) {
            0 | 1 => self.random.below(OBJECTS).to_string(),
            2 if self.in_main => format!("(u{} % {OBJECTS})", self.random.below(self.inputs)),
            3 => "((unsigned)k % 3)".to_owned(),
            _ => format!("((unsigned)g % {OBJECTS})"),
        }
    }

    /// How often a loop goes round.
    fn bound(&mut self) -> String {
        match self.random.below(2) {
            0 => OBJECTS.to_string(),
            _ => format!("u{} % {OBJECTS}", self.random.below(self.inputs)),
        }
    }

    /// A small number.
    fn number(&mut self) -> String {
        match self.random.below(4) {
            0 => self.random.below(3).to_string(),
            1 => "k".to_owned(),
            _ => format!("(int)u{}", self.random.below(self.inputs)),
        }
    }

    fn value(&mut self) -> String {
        match self.random.below(9) {
            0 | 1 => self.random.below(4).to_string(),
            2 => "k".to_owned(),
            3 => "(n ? n->v : 1)".to_owned(),
            4 => "(m ? m->v & 7 : 2)".to_owned(),
            5 => format!("a[{}]", self.index()),
            6 if self.in_main => format!("(int)u{}", self.random.below(self.inputs)),
            7 => "((g + 1) & 7)".to_owned(),
            _ => "g".to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        match self.random.below(9) {
            0 => "n == m".to_owned(),
            1 => format!("g != {}", self.random.below(4)),
            2 => format!("a[{}] <= {}", self.index(), self.random.below(4)),
            3 => "n && n->next == m".to_owned(),
            4 => format!("table[{}] != n", self.index()),
            5 => format!("(n ? n->v : 0) != {}", self.random.between(1, 5)),
            6 => format!("k < {}", self.random.between(1, 4)),
            7 if self.in_main => format!("r != {}", self.random.between(1, 5)),
            8 if self.in_main => format!("u{} < {}", self.random.below(self.inputs), self.random.between(1, 3)),
            _ => format!("pool[{}].v <= {}", self.random.below(OBJECTS), self.random.below(4)),
        }
    }
}

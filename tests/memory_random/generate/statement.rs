//! Statements about memory, their places and values.

use super::{Generator, assertion};

impl Generator {
    pub(super) fn statement(&mut self, nested: usize) -> String {
        match self.random.below(15) {
            0..=2 => format!("{} = {};", self.place(), self.value()),
            3..=5 => format!("{} = {};", self.scalar(), self.element()),
            6 | 7 => self.on_objects(),
            8 | 14 => self.copy(),
            9 if nested > 0 => {
                let (condition, body) = (self.condition(), self.block(nested - 1));
                let other = if self.random.percent(50) {
                    format!(" else {{ {} }}", self.block(nested - 1))
                } else {
                    String::new()
                };
                format!("if ({condition}) {{ {body} }}{other}")
            }
            10 if nested > 0 => self.repeat(nested - 1),
            11 => format!("if ({}) return 0;", self.condition()),
            _ => format!("{} = {};", self.scalar(), self.value()),
        }
    }

    fn block(&mut self, nested: usize) -> String {
        let count = self.random.between(1, 2);
        (0..count).map(|_| self.statement(nested)).collect::<Vec<_>>().join(" ")
    }

    /// A loop over an array, or one that does something a few times.
    fn repeat(&mut self, nested: usize) -> String {
        self.names += 1;
        let (j, most) = (format!("j{}", self.names), self.random.between(2, 4));
        let array = self.array();
        let bound = if self.random.percent(30) { "(int)u0".to_owned() } else { most.to_string() };
        let body = match self.random.below(6) {
            5 => self.own_objects(),
            0 => format!("{array}[{j}] = {};", self.value()),
            1 => format!("{} += {array}[{j}];", self.scalar()),
            2 => format!("if ({array}[{j}] == {}) break;", self.random.below(5)),
            3 => assertion(&format!("{array}[{j}] != {}", self.random.between(40, 300))),
            _ => self.block(nested),
        };
        format!("for (int {j} = 0; {j} < {bound}; {j}++) {{ {body} }}")
    }

    /// What a round of a loop does with objects of its own, which hold any values again in each.
    fn own_objects(&mut self) -> String {
        let (one, other, scalar) = (self.index(), self.index(), self.scalar());
        let value = self.value();
        match self.random.below(3) {
            0 => format!("unsigned char own[6]; own[({one}) % 6] = {value}; {scalar} += own[({other}) % 6];"),
            1 => format!(
                "struct S own; own.g = {value}; {scalar} = own.{}; s[{one}] = own;",
                self.pick(&["g", "h", "f"])
            ),
            _ => format!("struct S own[2]; own[({one}) & 1].f = {value}; {scalar} = own[({other}) & 1].f;"),
        }
    }

    /// An `int` array.
    fn array(&mut self) -> &'static str {
        let mut known = vec!["a"];
        known.extend(self.uses.heap.then_some("p"));
        known.extend(self.uses.pointer.then_some("q"));
        self.random.choose::<&str>(&known)
    }

    /// An index, mostly below 4.
    fn index(&mut self) -> String {
        let input = self.random.below(self.inputs);
        match self.random.below(12) {
            0..=3 => self.random.below(4).to_string(),
            4..=8 => format!("u{input}"),
            9 => format!("(u{input} + {}) % 4", self.random.between(1, 3)),
            10 => "((unsigned)x % 3)".to_owned(),
            _ => format!("(u{input} + {})", self.random.between(1, 4)),
        }
    }

    fn scalar(&mut self) -> &'static str {
        self.random.choose::<&str>(&["x", "y", "z"])
    }

    pub(super) fn value(&mut self) -> String {
        match self.random.below(8) {
            0 | 1 => self.random.below(300).to_string(),
            2 => format!("(int)u{}", self.random.below(self.inputs)),
            3 => self.scalar().to_owned(),
            4 => format!("({} + {})", self.scalar(), self.random.between(1, 3)),
            5 => format!("(int)(({} * {}u) & 0xffff)", self.scalar(), self.random.between(2, 70)),
            _ => self.element(),
        }
    }

    /// A place that can be written.
    fn place(&mut self) -> String {
        let index = self.index();
        let small = format!("(({index}) & 1)");
        match self.random.below(10) {
            0 | 1 if self.uses.structs => format!("s[{index}].{}", self.random.choose(&["f", "g", "h", "k"])),
            2 if self.uses.structs => format!("t.{}", self.random.choose(&["f", "g", "h"])),
            3 | 4 if self.uses.unions => {
                let part = *self.random.choose(&["w", "h[1]", "b[2]", "s.g", "s.f", "s.k"]);
                format!("un[{small}].{part}")
            }
            5 if self.uses.unions => format!("un[0].b[{index}]"),
            6 if self.uses.bytes => format!("buf[{index} + {}]", self.random.below(8)),
            7 if self.uses.bytes => match self.random.below(5) {
                0 => format!("((short *)a)[2 * ({index}) + 1]"),
                1 => format!("((unsigned char *)a)[4 * ({index}) + {}]", self.random.below(4)),
                2 => format!("*(short *)(c + 2 * ({index}))"),
                3 => format!("c[4 * ({index})]"),
                _ => format!("((unsigned char *)a)[{index} + {}]", self.random.below(20)),
            },
            8 if self.uses.many => match self.random.below(4) {
                0 => format!("*pairs[{small}].at"),
                1 => format!("pairs[{small}].v"),
                _ => format!("*m[(unsigned)({index}) % 3]"),
            },
            9 if self.uses.other => match self.random.below(9) {
                0 => format!("bits[{small}].{}", self.random.choose(&["low", "middle", "high", "tail"])),
                1 => format!("grid[(unsigned)({index}) % 3][{small}]"),
                2 => format!("((int *)grid)[{index}]"),
                3 => format!("wide[(unsigned)({index}) % 3]"),
                4 if self.random.percent(30) => format!("((short *)wide)[{index}]"),
                4 => format!("((short *)wide)[4 * ((unsigned)({index}) % 3) + 1]"),
                5 => format!("v[{index}]"),
                6 => format!("g[(unsigned)({index}) % 3]"),
                _ => format!("v[{small}]"),
            },
            8 if self.uses.list => "(head ? head : (head = calloc(1, sizeof *head)))->v".to_owned(),
            _ => format!("{}[{index}]", self.array()),
        }
    }

    /// What is in a place.
    pub(super) fn element(&mut self) -> String {
        match self.random.below(10) {
            0 if self.uses.bytes => format!("*(short *)(buf + 2 * ({}))", self.index()),
            1 if self.uses.bytes => format!("*(int *)(buf + {})", self.random.below(8)),
            2 if self.uses.list => "(head ? head->v : 5)".to_owned(),
            3 if self.uses.list => "(head && head->next ? head->next->v : 6)".to_owned(),
            4 if self.uses.pointer => "(w + *q)".to_owned(),
            5 if self.uses.other => match self.random.below(4) {
                0 => format!("table[{} + {}]", self.index(), self.random.below(4)),
                1 => format!("sum(s, {})", self.random.choose(&["2", "4", "u0"])),
                2 => "(int)sizeof v".to_owned(),
                _ => format!("\"tandem\"[{}]", self.index()),
            },
            _ => self.place(),
        }
    }

    pub(super) fn condition(&mut self) -> String {
        match self.random.below(7) {
            0 => format!("{} == {}", self.scalar(), self.random.below(6)),
            1 => format!("{} < {}", self.scalar(), self.random.below(300)),
            2 => format!("{} != {}", self.element(), self.random.below(6)),
            3 => format!("{} <= {}", self.element(), self.element()),
            4 => format!("u{} < {}", self.random.below(self.inputs), self.random.between(1, 3)),
            5 if self.uses.pointer => self.pick(&["q == a", "q != &w", "q == a + 1", "q - q == 0", "q + 1 > q"]),
            _ => format!("{} != {}", self.scalar(), self.element()),
        }
    }

    /// Something that is done to whole objects, or to pointers.
    fn on_objects(&mut self) -> String {
        let (one, other) = (self.index(), self.index());
        match self.random.below(16) {
            9 | 10 if self.uses.many => match self.random.below(6) {
                0 => format!("pairs[{one} & 1] = pairs[{other} & 1];"),
                1 => format!("pairs[{one} & 1].at = &a[{other}];"),
                2 => format!("m[(unsigned)({one}) % 3] = {};", self.random.choose(&["a + 1", "&x", "m[0]"])),
                3 => format!("{} = *m[{other} & 1];", self.scalar()),
                4 => format!("if ({} && m[{one} & 1] != a) free(m[{one} & 1]);", self.condition()),
                _ => format!("pairs[{one} & 1].at = m[(unsigned)({other}) % 3];"),
            },
            11 if self.uses.heap && self.random.percent(30) => format!("if ({}) free(p);", self.condition()),
            12 if self.uses.other => format!("swap(&a[{one}], &{}[{other}]);", self.array()),
            13 if self.uses.other => format!("swap(&x, &a[{one}]);"),
            13 if self.uses.bytes => {
                let place = *self.random.choose(&["(char *)a + 1", "c + 2", "(char *)buf", "(char *)s + 1"]);
                format!("if ({}) c = {place};", self.condition())
            }
            14 => format!(
                "for (int *r = a; r < a + {}; r++) {};",
                self.random.between(2, 6),
                self.random.choose(&["x += *r", "*r = y", "if (*r == 3) break", "*r += 1",])
            ),
            15 if self.uses.other => format!("bits[{one} & 1] = bits[{other} & 1];"),
            0 if self.uses.structs => format!("t = s[{one}];"),
            1 if self.uses.structs => format!("s[{one}] = t;"),
            2 if self.uses.structs => format!("s[{one}] = s[{other}];"),
            3 if self.uses.unions => format!("un[{one} & 1] = un[{other} & 1];"),
            4 if self.uses.unions && self.uses.structs => format!("un[{one} & 1].s = s[{other}];"),
            5 | 6 if self.uses.pointer => {
                let heap = if self.uses.heap { "p" } else { "&w" };
                let place = *self.random.choose(&["a", "a + 1", heap, heap, "&s[1].f", "&w"]);
                format!("if ({}) q = {place};", self.condition())
            }
            7 if self.uses.list => format!(
                "for (it = head; it; it = it->next) {};",
                self.random.choose(&["x += it->v", "it->v = y", "y = it->v", "it->v++",])
            ),
            8 if self.uses.list => "if (head) { it = head->next; free(head); head = it; }".to_owned(),
            _ => format!("{}[{one}] = {}[{other}];", self.array(), self.array()),
        }
    }

    /// A copy or a fill.
    fn copy(&mut self) -> String {
        let (one, other) = (self.index(), self.index());
        let small = self.random.below(3);
        let length = match self.uses.lengths {
            true => self.pick(&["u0", "4 * u0", "u0 + 1", "8 - u0"]),
            false => self.pick(&["4", "8", "3", "12"]),
        };
        match self.random.below(14) {
            10 if self.uses.structs => format!("memset((char *)&t + {}, {small}, 3);", small + 1),
            11 if self.uses.structs => {
                format!("memcpy((char *)&t + {small}, &s[{one}], {});", self.random.choose(&["2", "4", "6"]))
            }
            12 if self.uses.structs => self.pick(&["t = r;", "s[u0] = r;", "s[1] = r;"]),
            13 if self.uses.bytes => {
                format!("memset((char *)&a[{one}] + {}, {small}, {});", small + 1, self.random.choose(&["4", "2"]))
            }
            9 if self.uses.other && self.random.percent(50) => {
                format!("memset((char *)&wide[(unsigned)({one}) % 3] + 4, {small}, 4);")
            }
            8 if self.uses.other => format!("memcpy(wide, a + {small}, {length});"),
            9 if self.uses.other => format!("memcpy(v, v + 1, {});", self.random.choose(&["2", "4", "u0"])),
            0 => format!("memset(a, {}, {length});", self.random.below(3)),
            1 if self.uses.bytes => format!("memcpy(buf + {small}, a, {length});"),
            2 if self.uses.bytes => format!("memcpy((char *)a + {small}, buf, {length});"),
            3 if self.uses.bytes => format!("memmove(buf + {small}, buf, {length});"),
            4 if self.uses.heap => format!("memcpy(a, p, {length});"),
            5 if self.uses.heap => format!("memcpy(&p[{one}], &a[{other}], 4);"),
            6 if self.uses.unions => {
                format!("memcpy(&un[{one} & 1], a + 1, {});", self.random.choose(&["4", "8", "2", "u0"]))
            }
            7 if self.uses.structs => format!("memset(&s[{one}], {small}, sizeof s[0]);"),
            _ => format!("memset(&a[{one}], {small}, 4);"),
        }
    }
}

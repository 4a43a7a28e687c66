//! Random expressions and statements of the language's other features: lambdas, records, enums, late initialisation,
//! pattern matching, resources, boxes, and methods of the library that have corners.

use super::{Generator, Ty, Variable};

/// How many classes are initialised when they are first used.
pub(super) const LATE: usize = 3;

/// What the features need in every program.
pub(super) const DECLARATIONS: &str = "\
    interface Fun { int at(int a, int b); default int twice(int a) { return at(a, a) + 1; } }
    enum Hue {
        RED { int mix(int n) { return n ^ 5; } }, GREEN, BLUE;
        int mix(int n) { return n + ordinal(); }
    }
    record Pair(int left, String right) {}
    static class Guard implements AutoCloseable {
        final int code;
        Guard(int code) { this.code = code; note(code); if (code % 7 == 6) throw new Own(code, \"open\"); }
        public void close() { note(code + 1); if (code % 5 == 4) throw new Own(code, \"close\"); }
    }
    static int vary(int... all) { int s = all.length; for (int one : all) s = s * 7 + one; return s; }
    static <T extends Comparable<T>> T larger(T a, T b) { return a.compareTo(b) >= 0 ? a : b; }
    static int gather(int a, int b, String s) {
        java.util.Map<String, Integer> m = new java.util.HashMap<>();
        m.put(s, a);
        m.put(\"k\", b);
        m.merge(\"k\", a, Integer::sum);
        int t = 0;
        for (java.util.Map.Entry<String, Integer> e : m.entrySet()) t = t * 31 + e.getKey().hashCode() + e.getValue();
        return t;
    }
    static int order(int a, int b, int c) {
        java.util.List<Integer> l = new java.util.ArrayList<>(java.util.List.of(a, b, c));
        l.sort(java.util.Comparator.reverseOrder());
        l.remove(Integer.valueOf(b));
        java.util.Deque<Integer> d = new java.util.ArrayDeque<>(l);
        d.push(c);
        int[] all = {a, b, c, 5};
        java.util.Arrays.sort(all);
        return d.pollLast() * 31 + d.peek() * 7 + l.size() + java.util.Arrays.hashCode(all);
    }
";

/// Parts of the library that make programs large; most programs do without most of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Expressions,
    Decimals,
    Formats,
    Collections,
}

impl Generator {
    fn has(&self, part: Part) -> bool {
        let every = match part {
            Part::Expressions => 7,
            Part::Decimals => 3,
            Part::Formats => 11,
            Part::Collections => 5,
        };
        self.seed.is_multiple_of(every)
    }

    /// Classes whose initialisation has effects.
    pub(super) fn late_classes(&mut self) {
        for number in 0..LATE {
            let parent = if number > 0 && self.random.percent(40) {
                format!(" extends Late{}", number - 1)
            } else {
                String::new()
            };
            self.open(&format!("static class Late{number}{parent}"));
            let other = if number > 0 { format!(" + Late{}.value", self.random.below(number)) } else { String::new() };
            let value = self.expression(Ty::Int, 2);
            self.line(&format!("static final int CONSTANT = {number};"));
            self.line(&format!("static int value = {value}{other};"));
            self.line(&format!("int field = value + {number};"));
            self.open("static");
            self.line(&format!("note({number});"));
            if self.random.percent(50) {
                self.block(2, 1);
            }
            self.close();
            self.line("{ note(field); field++; }");
            self.line("static int get() { return value++; }");
            self.close();
        }
    }

    /// Something that only sees what never changes its place: the statics, and the given variables.
    fn inside<T>(&mut self, names: &[(&str, Ty)], make: impl FnOnce(&mut Self) -> T) -> T {
        let statics = self.scope.iter().filter(|variable| variable.name.starts_with('g')).cloned().collect();
        let outer = std::mem::replace(&mut self.scope, statics);
        let (loops, result) = (std::mem::take(&mut self.loops), self.result.take());
        self.scope.extend(names.iter().map(|(name, ty)| Variable { name: (*name).into(), ty: *ty, is_final: true }));
        let made = make(self);
        self.scope = outer;
        self.loops = loops;
        self.result = result;
        made
    }

    fn some<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        self.random.choose::<&str>(texts)
    }

    /// A number.
    pub(super) fn int_feature(&mut self, depth: usize) -> String {
        match self.random.below(16) {
            0 | 1 => {
                let (p, q) = (self.fresh(Ty::Int), self.fresh(Ty::Int));
                let body = self.inside(&[(&p, Ty::Int), (&q, Ty::Int)], |this| this.expression(Ty::Int, depth));
                let (a, b) = (self.expression(Ty::Int, depth), self.expression(Ty::Int, depth));
                format!("((Fun) ({p}, {q}) -> {body}).at({a}, {b})")
            }
            2 => {
                let method = self.some(&["Integer::max", "Integer::sum", "Integer::compare", "Math::floorMod"]);
                format!("((Fun) {method}).twice({})", self.expression(Ty::Int, depth))
            }
            3 => {
                let what = self.some(&["value", "get()", "CONSTANT"]);
                format!("Late{}.{what}", self.random.below(LATE))
            }
            4 => format!("new Late{}().field", self.random.below(LATE)),
            5 => format!("Hue.values()[{} & 1].mix({})", self.index(depth), self.expression(Ty::Int, depth)),
            6 => {
                let (a, s) = (self.expression(Ty::Int, depth), self.expression(Ty::Text, depth));
                let what = self.some(&["hashCode()", "left()", "toString().length()"]);
                format!("new Pair({a}, {s}).{what}")
            }
            7 => {
                let all: Vec<String> = (0..self.random.below(4)).map(|_| self.expression(Ty::Int, depth)).collect();
                format!("vary({})", all.join(", "))
            }
            8 => {
                format!("larger((int) {}, (int) {})", self.expression(Ty::Int, depth), self.expression(Ty::Int, depth))
            }
            9 => {
                let text = self.expression(Ty::Text, depth);
                let number = self.expression(Ty::Int, depth);
                match self.random.below(4) {
                    0 => format!("Integer.parseInt({text})"),
                    1 => format!("Integer.parseInt(Integer.toString({number}, 7), 7)"),
                    2 => format!("Integer.decode(\"0x\" + Integer.toHexString({number} >>> 1))"),
                    _ => format!("Integer.parseInt(String.valueOf({number}))"),
                }
            }
            10 => {
                let (a, b, c) =
                    (self.expression(Ty::Int, depth), self.expression(Ty::Int, depth), self.expression(Ty::Int, depth));
                let value = self.expression(Ty::Int, depth);
                format!("(switch ({value} & 3) {{ case 0 -> {a}; case 1, 3 -> {{ yield (({b})); }} default -> {c}; }})")
            }
            11 => {
                let name = self.fresh(Ty::Shape);
                let class = self.some(&["Round", "Flat", "Odd"]);
                let (object, other) = (self.expression(Ty::Shape, depth), self.expression(Ty::Int, depth));
                format!("((Shape) {object} instanceof {class} {name} ? {name}.size : {other})")
            }
            12 => {
                let (f, d, l) = (
                    self.expression(Ty::Float, depth),
                    self.expression(Ty::Double, depth),
                    self.expression(Ty::Long, depth),
                );
                match self.random.below(8) {
                    0 => format!("(int) Math.round({d})"),
                    1 => format!("Math.round({f})"),
                    2 => format!("Double.compare({d}, {f})"),
                    3 => format!("Float.floatToIntBits({f})"),
                    4 => format!("Math.addExact({}, 1)", self.expression(Ty::Int, depth)),
                    5 => format!("Math.toIntExact({l})"),
                    6 => format!("Double.valueOf({d}).hashCode()"),
                    _ => format!("Long.compareUnsigned({l}, 17L)"),
                }
            }
            13 if self.has(Part::Collections) => {
                let (a, b, s) = (
                    self.expression(Ty::Int, depth),
                    self.expression(Ty::Int, depth),
                    self.expression(Ty::Text, depth),
                );
                if self.random.percent(50) { format!("gather({a}, {b}, {s})") } else { format!("order({a}, {b}, 3)") }
            }
            14 => {
                let a = self.expression(Ty::Int, depth);
                match self.random.below(3) {
                    0 => format!("new int[][] {{{{1, 2}}, {{{a}}}}}[{} & 1][0]", self.index(depth)),
                    1 => "new int[2][3][1].length".to_owned(),
                    _ => format!("new long[2][{} & 3].length", self.index(depth)),
                }
            }
            _ => {
                let c = self.expression(Ty::Char, depth);
                let what = self.some(&["getNumericValue", "toUpperCase", "toLowerCase", "getType"]);
                format!("(int) Character.{what}({c})")
            }
        }
    }

    /// A number of 64 bits.
    pub(super) fn long_feature(&mut self, depth: usize) -> String {
        let (l, d) = (self.expression(Ty::Long, depth), self.expression(Ty::Double, depth));
        match self.random.below(10) {
            0 => format!("Double.doubleToLongBits({d})"),
            1 => format!("Math.round({d})"),
            2 => format!("Long.parseLong(String.valueOf({l}))"),
            3 => format!("Long.divideUnsigned({l}, 13L)"),
            4 => format!("Long.remainderUnsigned({l}, 10L)"),
            5 => format!("Long.rotateLeft({l}, 13)"),
            6 => format!("Math.multiplyExact({l}, 3L)"),
            7 => format!("Math.floorMod({l}, 7)"),
            8 => format!("Math.multiplyHigh({l}, {l})"),
            _ => format!("larger((long) {l}, 4L)"),
        }
    }

    /// A number that may not be whole.
    pub(super) fn float_feature(&mut self, ty: Ty, depth: usize) -> String {
        let d = self.expression(Ty::Double, depth);
        let e = self.expression(Ty::Double, depth);
        let value = match self.random.below(10) {
            0 => format!("Math.sqrt({d})"),
            1 => format!("Math.floor({d})"),
            2 => format!("Math.ceil({d})"),
            3 => format!("Math.rint({d})"),
            4 => format!("Math.max({d}, {e})"),
            5 => format!("Math.min({d}, {e})"),
            6 if self.has(Part::Decimals) => format!("Double.parseDouble(String.valueOf({d}))"),
            // The sign of NaN is up to the virtual machine.
            7 => format!("StrictMath.copySign({d}, {e})"),
            8 => format!("Math.signum({d})"),
            _ => format!("Double.longBitsToDouble({})", self.expression(Ty::Long, depth)),
        };
        if ty == Ty::Float { format!("(float) {value}") } else { value }
    }

    /// A truth value.
    pub(super) fn boolean_feature(&mut self, depth: usize) -> String {
        let s = self.expression(Ty::Text, depth);
        match self.random.below(9) {
            0 if self.has(Part::Expressions) => format!("{s}.matches(\"[a-z]*\\\\d?\")"),
            1 => format!("java.util.Objects.equals({s}, {})", self.expression(Ty::Text, depth)),
            2 => format!("{s}.isBlank()"),
            3 => format!("{s}.equalsIgnoreCase(\"HELLO\")"),
            4 => format!("Double.isNaN({})", self.expression(Ty::Double, depth)),
            5 => format!("Character.isLetterOrDigit({})", self.expression(Ty::Char, depth)),
            6 => format!("new Pair(1, {s}).equals(new Pair({}, \"a\"))", self.expression(Ty::Int, depth)),
            7 => format!("{s}.contains(\"l\")"),
            _ => format!("Character.isWhitespace({})", self.expression(Ty::Char, depth)),
        }
    }

    /// A string.
    pub(super) fn text_feature(&mut self, depth: usize) -> String {
        let s = self.expression(Ty::Text, depth);
        match self.random.below(16) {
            0 if self.has(Part::Decimals) => format!("String.valueOf({})", self.expression(Ty::Double, depth)),
            1 if self.has(Part::Decimals) => format!("String.valueOf({})", self.expression(Ty::Float, depth)),
            2 => format!("{s}.toUpperCase()"),
            3 if self.has(Part::Formats) => {
                format!("String.format(\"%d-%s-%c\", {}, {s}, 'c')", self.expression(Ty::Int, depth))
            }
            4 if self.has(Part::Expressions) => format!("{s}.replaceAll(\"[a-l]+\", \"<$0>\")"),
            5 => format!("String.join(\"-\", {s}, {})", self.expression(Ty::Text, depth)),
            6 => format!("cut({s}.repeat({} & 3))", self.index(depth)),
            7 => format!("cut(new Pair({}, {s}).toString())", self.expression(Ty::Int, depth)),
            8 => "Hue.BLUE.name()".to_owned(),
            9 if self.has(Part::Expressions) => format!("{s}.split(\",\")[0]"),
            10 => format!("Long.toString({}, 36)", self.expression(Ty::Long, depth)),
            11 => {
                let body = self.inside(&[], |this| this.expression(Ty::Text, depth));
                format!("((java.util.function.Supplier<String>) () -> {body}).get()")
            }
            12 => {
                let (a, b) = (self.expression(Ty::Text, depth), self.expression(Ty::Text, depth));
                format!("(switch ({s}) {{ case \"a\", \"b\" -> {a}; case \"hello\" -> \"h\"; default -> {b}; }})")
            }
            13 => format!("{s}.strip()"),
            14 => format!("new String({s}.toCharArray())"),
            _ => format!("cut(java.util.Arrays.toString({}))", self.expression(Ty::Ints, depth)),
        }
    }

    /// A statement.
    pub(super) fn feature(&mut self, nesting: usize) {
        match self.random.below(7) {
            0 => {
                let condition = self.expression(Ty::Boolean, 2);
                self.open("do");
                self.loops += 1;
                self.block(3, nesting - 1);
                self.loops -= 1;
                self.close();
                self.line(&format!("while (burn() && {condition});"));
            }
            1 => {
                let (a, b) = (self.expression(Ty::Int, 2), self.expression(Ty::Int, 2));
                let (first, second) = (self.fresh(Ty::Shape), self.fresh(Ty::Shape));
                self.open(&format!("try (Guard {first} = new Guard({a} % 10); Guard {second} = new Guard({b} % 9))"));
                self.block(2, nesting - 1);
                self.close();
                if self.random.percent(50) {
                    let name = self.fresh(Ty::Text);
                    self.open(&format!("catch (Own {name})"));
                    self.line(&format!("note({name}.code); note({name}.getSuppressed().length);"));
                    self.close();
                }
            }
            2 => self.nested_finally(nesting),
            3 => {
                let value = self.expression(Ty::Int, 2);
                self.open(&format!("switch (Hue.values()[{value} & 1])"));
                for case in ["RED", "GREEN"] {
                    self.line(&format!("case {case} ->"));
                    self.open("");
                    self.block(2, nesting - 1);
                    self.close();
                }
                self.line("default -> note(3);");
                self.close();
            }
            4 => {
                let name = self.fresh(Ty::Shape);
                self.open(&format!("Runnable {name} = () ->"));
                self.inside(&[], |this| this.block(2, nesting - 1));
                self.indent -= 1;
                self.line("};");
                self.line(&format!("if (burn()) {name}.run();"));
            }
            5 => {
                self.open("synchronized (Hue.class)");
                self.block(2, nesting - 1);
                self.close();
            }
            _ => {
                let name = self.fresh(Ty::Int);
                let (a, b) = (self.expression(Ty::Boolean, 2), self.expression(Ty::Boolean, 2));
                self.open(&format!("out{name}: for (int {name} = 0; {name} < 3 && burn(); {name}++)"));
                self.open("while (burn())");
                self.block(2, nesting - 1);
                self.line(&format!("if ({a}) continue out{name};"));
                self.line(&format!("if ({b}) break out{name};"));
                self.close();
                self.close();
            }
        }
    }

    /// Finally in finally, which may leave in its own way.
    fn nested_finally(&mut self, nesting: usize) {
        self.open("try");
        self.open("try");
        self.block(2, nesting - 1);
        self.close();
        self.open("finally");
        self.line("note(8);");
        self.block(2, nesting - 1);
        self.close();
        self.close();
        self.open("finally");
        self.line("note(9);");
        self.block(1, nesting - 1);
        self.close();
    }
}

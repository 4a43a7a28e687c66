//! Random Java programs, the same for the same seed, that print what they compute.
//!
//! Java defines what every operation does, so that nothing has to be avoided but running for ever: loops count, and
//! calls take fuel. Exceptions are welcome; what no handler catches ends the program.

mod expression;
mod feature;
mod statement;

use crate::term::Random;
use std::fmt::Write;

/// The types that values have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Ty {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Text,
    Ints,
    Longs,
    Texts,
    Shape,
}

const NUMBERS: [Ty; 7] = [Ty::Byte, Ty::Char, Ty::Short, Ty::Int, Ty::Long, Ty::Float, Ty::Double];
const ALL: [Ty; 13] = [
    Ty::Boolean,
    Ty::Byte,
    Ty::Char,
    Ty::Short,
    Ty::Int,
    Ty::Long,
    Ty::Float,
    Ty::Double,
    Ty::Text,
    Ty::Ints,
    Ty::Longs,
    Ty::Texts,
    Ty::Shape,
];

impl Ty {
    fn name(self) -> &'static str {
        match self {
            Ty::Boolean => "boolean",
            Ty::Byte => "byte",
            Ty::Char => "char",
            Ty::Short => "short",
            Ty::Int => "int",
            Ty::Long => "long",
            Ty::Float => "float",
            Ty::Double => "double",
            Ty::Text => "String",
            Ty::Ints => "int[]",
            Ty::Longs => "long[]",
            Ty::Texts => "String[]",
            Ty::Shape => "Shape",
        }
    }

    fn letter(self) -> &'static str {
        match self {
            Ty::Boolean => "b",
            Ty::Byte => "y",
            Ty::Char => "c",
            Ty::Short => "h",
            Ty::Int => "i",
            Ty::Long => "l",
            Ty::Float => "f",
            Ty::Double => "d",
            Ty::Text => "s",
            Ty::Ints => "ai",
            Ty::Longs => "al",
            Ty::Texts => "as",
            Ty::Shape => "o",
        }
    }
}

/// A variable that can be named here.
#[derive(Debug, Clone)]
struct Variable {
    name: String,
    ty: Ty,
    is_final: bool,
}

/// A method that can be called.
#[derive(Debug, Clone)]
struct Method {
    name: String,
    parameters: Vec<Ty>,
    result: Ty,
}

/// The classes of objects: each extends the one before it, or the first.
const CLASSES: [&str; 4] = ["Shape", "Round", "Flat", "Odd"];

struct Generator {
    seed: u64,
    random: Random,
    out: String,
    indent: usize,
    scope: Vec<Variable>,
    methods: Vec<Method>,
    fresh: usize,
    /// How many loops are around.
    loops: usize,
    /// What `return` gives here.
    result: Option<Ty>,
}

/// A program with one outer class of the given name.
pub fn program(name: &str, seed: u64) -> String {
    let mut generator = Generator {
        seed,
        random: Random::new(seed),
        out: String::new(),
        indent: 0,
        scope: Vec::new(),
        methods: Vec::new(),
        fresh: 0,
        loops: 0,
        result: None,
    };
    generator.program(name);
    generator.out
}

const PRELUDE: &str = "\
    static int fuel = 400;
    static long sum;
    static class Own extends RuntimeException {
        final int code;
        Own(int code, String text) { super(text); this.code = code; }
    }
    static void note(boolean value) { sum = sum * 31 + (value ? 1 : 2); }
    static void note(long value) { sum = sum * 31 + value; }
    static void note(double value) { sum = sum * 31 + Double.doubleToLongBits(value); }
    static void note(String value) { sum = sum * 31 + (value == null ? 7 : value.hashCode()); }
    static void note(Shape value) { sum = sum * 31 + (value == null ? 3 : value.size + value.weight(2)); }
    static void note(int[] value) { if (value == null) note(5); else for (int one : value) note(one); }
    static void note(long[] value) { if (value == null) note(5); else for (long one : value) note(one); }
    static void note(String[] value) { if (value == null) note(5); else for (String one : value) note(one); }
    static boolean burn() { return fuel-- > 0; }
    static String cut(String text) { return text.length() > 40 ? text.substring(0, 40) : text; }
";

impl Generator {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:width$}{text}", "", width = 4 * self.indent);
    }

    fn open(&mut self, text: &str) {
        self.line(&format!("{text} {{"));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    fn fresh(&mut self, ty: Ty) -> String {
        self.fresh += 1;
        format!("{}{}", ty.letter(), self.fresh)
    }

    fn program(&mut self, name: &str) {
        self.open(&format!("class {name}"));
        self.out.push_str(PRELUDE);
        self.out.push_str(feature::DECLARATIONS);
        let mut statics = Vec::new();
        for ty in ALL {
            let name = format!("g{}", ty.letter());
            let value = self.constant(ty);
            self.line(&format!("static {} {name} = {value};", ty.name()));
            statics.push(Variable { name, ty, is_final: false });
        }
        self.scope = statics;
        for number in 0..self.random.between(2, 4) {
            let parameters = (0..self.random.between(0, 3)).map(|_| *self.random.choose(&ALL)).collect();
            let result = *self.random.choose(&ALL);
            self.methods.push(Method { name: format!("call{number}"), parameters, result });
        }
        self.classes();
        self.late_classes();
        for method in self.methods.clone() {
            self.method(&method);
        }
        self.open("public static void main(String[] args)");
        // What is thrown ends a part, not the program; of the last part it may.
        for _ in 0..4 {
            self.open("try");
            self.block(5, 3);
            self.close();
            self.open("catch (RuntimeException | LinkageError e)");
            self.line("System.out.println(e.getClass().getName());");
            self.close();
        }
        self.block(4, 3);
        self.line("System.out.println(sum);");
        for ty in [Ty::Boolean, Ty::Char, Ty::Int, Ty::Long, Ty::Text] {
            self.line(&format!("System.out.println(g{});", ty.letter()));
        }
        self.close();
        self.close();
    }

    fn classes(&mut self) {
        for (number, class) in CLASSES.iter().enumerate() {
            let parent = match number {
                0 => String::new(),
                1 => " extends Shape".to_owned(),
                n => format!(" extends {}", CLASSES[self.random.below(n)]),
            };
            self.open(&format!("static class {class}{parent}"));
            if number == 0 {
                self.line("int size; long load; Shape next; String name = \"shape\";");
                self.line("Shape(int size) { this.size = size; this.load = size * 3L; }");
            } else {
                self.line(&format!("int own{number} = {number};"));
                self.line(&format!("{class}(int size) {{ super(size + own()); own{number} += size; }}"));
                let value = self.random.below(5);
                self.line(&format!("static int own() {{ return {value}; }}"));
            }
            if number == 0 || self.random.percent(60) {
                let count = self.scope.len();
                self.scope.push(Variable { name: "by".into(), ty: Ty::Int, is_final: false });
                self.scope.push(Variable { name: "size".into(), ty: Ty::Int, is_final: false });
                let value = self.expression(Ty::Int, 2);
                let more = if number > 0 && self.random.percent(40) { " + super.weight(by)" } else { "" };
                self.line(&format!("int weight(int by) {{ return burn() ? {value}{more} : by; }}"));
                self.scope.truncate(count);
            }
            if number == 0 || self.random.percent(50) {
                self.line(&format!("public String toString() {{ return \"{class}\" + size; }}"));
            }
            self.close();
        }
    }

    fn method(&mut self, method: &Method) {
        let count = self.scope.len();
        let mut parameters = Vec::new();
        for ty in &method.parameters {
            let name = self.fresh(*ty);
            parameters.push(format!("{} {name}", ty.name()));
            self.scope.push(Variable { name, ty: *ty, is_final: false });
        }
        self.open(&format!("static {} {}({})", method.result.name(), method.name, parameters.join(", ")));
        let constant = self.constant(method.result);
        self.line(&format!("if (!burn()) return {constant};"));
        self.result = Some(method.result);
        self.block(5, 2);
        self.result = None;
        let value = self.expression(method.result, 2);
        self.line(&format!("return {value};"));
        self.close();
        self.scope.truncate(count);
    }
}

#[cfg(test)]
mod tests {
    use super::program;

    #[test]
    fn the_same_seed_gives_the_same_program() {
        assert_eq!(program("P", 5), program("P", 5));
        assert_ne!(program("P", 5), program("P", 6));
    }
}

//! Random expressions of each type.

use super::{ALL, CLASSES, Generator, NUMBERS, Ty};

impl Generator {
    /// A constant of the type.
    pub(super) fn constant(&mut self, ty: Ty) -> String {
        let random = &mut self.random;
        match ty {
            Ty::Boolean => random.percent(50).to_string(),
            Ty::Byte => format!("(byte) {}", random.next_u64() as i8),
            Ty::Char => format!("(char) {}", *random.choose(&[0, 48, 65, 97, 122, 233, 8364, 65535])),
            Ty::Short => format!("(short) {}", random.next_u64() as i16),
            Ty::Int => match random.below(4) {
                0 => (random.next_u64() as i32).to_string(),
                1 => (*random.choose(&["Integer.MAX_VALUE", "Integer.MIN_VALUE", "-1"])).to_owned(),
                _ => random.between(0, 20).to_string(),
            },
            Ty::Long => match random.below(4) {
                0 => format!("{}L", random.next_u64() as i64),
                1 => (*random.choose(&["Long.MAX_VALUE", "Long.MIN_VALUE", "-1L"])).to_owned(),
                _ => format!("{}L", random.between(0, 20)),
            },
            Ty::Float => {
                (*random.choose(&["0f", "-0f", "1.5f", "1e30f", "-3.25f", "0f / 0f", "1e-40f", "16777217f"])).to_owned()
            }
            Ty::Double => (*random
                .choose(&["0.0", "-0.0", "0.1", "1e300", "-7.5", "0.0 / 0", "1 / 0.0", "4e-320", "9e15"]))
            .to_owned(),
            Ty::Text => {
                (*random.choose(&["\"\"", "\"a\"", "\"hello\"", "\"Zebra 7\"", "\"\\u00e9t\\u00e9\"", "\"a,b,c\""]))
                    .to_owned()
            }
            Ty::Ints => (*random.choose(&["new int[3]", "new int[] {4, -5, 6, 7}", "new int[1]"])).to_owned(),
            Ty::Longs => (*random.choose(&["new long[2]", "new long[] {1L, -2L, 3L}"])).to_owned(),
            Ty::Texts => (*random.choose(&["new String[2]", "new String[] {\"x\", \"yy\", null}"])).to_owned(),
            Ty::Shape => {
                let class = *random.choose(&CLASSES);
                format!("new {class}({})", random.between(0, 9))
            }
        }
    }

    fn variable(&mut self, ty: Ty) -> Option<String> {
        let fitting: Vec<String> = self.scope.iter().filter(|v| v.ty == ty).map(|v| v.name.clone()).collect();
        (!fitting.is_empty()).then(|| self.random.choose(&fitting).clone())
    }

    /// Any expression of the type.
    pub(super) fn expression(&mut self, ty: Ty, depth: usize) -> String {
        if depth == 0 || self.random.percent(15) {
            return match self.variable(ty).filter(|_| self.random.below(4) > 0) {
                Some(name) => name,
                None => format!("({})", self.constant(ty)),
            };
        }
        if self.random.percent(6)
            && let Some(call) = self.call(ty, depth)
        {
            return call;
        }
        if self.random.percent(6) {
            let (a, b) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
            let condition = self.expression(Ty::Boolean, depth - 1);
            // The two may be of different classes, or a number and a constant that would fit a smaller type.
            let cast = if ty == Ty::Boolean { String::new() } else { format!("({}) ", ty.name()) };
            return format!("({cast}({condition} ? {a} : {b}))");
        }
        if self.random.percent(18) {
            match ty {
                Ty::Boolean => return self.boolean_feature(depth - 1),
                Ty::Int => return format!("(int) {}", self.int_feature(depth - 1)),
                Ty::Long => return format!("(long) {}", self.long_feature(depth - 1)),
                Ty::Float | Ty::Double => return self.float_feature(ty, depth - 1),
                Ty::Text => return self.text_feature(depth - 1),
                _ => {}
            }
        }
        match ty {
            Ty::Boolean => self.condition(depth - 1),
            Ty::Int | Ty::Long => self.integer(ty, depth - 1),
            Ty::Float | Ty::Double => self.floating(ty, depth - 1),
            Ty::Byte | Ty::Char | Ty::Short => {
                let from = *self.random.choose(&NUMBERS);
                format!("({}) {}", ty.name(), self.expression(from, depth - 1))
            }
            Ty::Text => self.text(depth - 1),
            Ty::Ints | Ty::Longs | Ty::Texts => self.array(ty, depth - 1),
            Ty::Shape => self.object(depth - 1),
        }
    }

    fn call(&mut self, ty: Ty, depth: usize) -> Option<String> {
        let fitting: Vec<_> = self.methods.iter().filter(|method| method.result == ty).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let method = self.random.choose(&fitting).clone();
        let arguments: Vec<String> = method.parameters.iter().map(|ty| self.expression(*ty, depth / 2)).collect();
        Some(format!("{}({})", method.name, arguments.join(", ")))
    }

    fn condition(&mut self, depth: usize) -> String {
        match self.random.below(9) {
            0 => format!("!{}", self.expression(Ty::Boolean, depth)),
            1 | 2 => {
                let op = *self.random.choose(&["&&", "||", "^", "&", "|", "==", "!="]);
                format!("({} {op} {})", self.expression(Ty::Boolean, depth), self.expression(Ty::Boolean, depth))
            }
            3 => {
                let class = *self.random.choose(&CLASSES);
                format!("((Shape) {} instanceof {class})", self.expression(Ty::Shape, depth))
            }
            4 => format!("{}.equals({})", self.expression(Ty::Text, depth), self.expression(Ty::Text, depth)),
            5 => format!(
                "((Shape) {} == (Shape) {})",
                self.expression(Ty::Shape, depth),
                self.expression(Ty::Shape, depth)
            ),
            6 => {
                let method = *self.random.choose(&["startsWith", "endsWith", "contains", "equalsIgnoreCase"]);
                format!("{}.{method}({})", self.expression(Ty::Text, depth), self.expression(Ty::Text, depth))
            }
            _ => {
                let (a, b) = (*self.random.choose(&NUMBERS), *self.random.choose(&NUMBERS));
                let op = *self.random.choose(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({} {op} {})", self.expression(a, depth), self.expression(b, depth))
            }
        }
    }

    fn integer(&mut self, ty: Ty, depth: usize) -> String {
        let cast = format!("({})", ty.name());
        match self.random.below(13) {
            0 => {
                let op = *self.random.choose(&["<<", ">>", ">>>"]);
                let amount = *self.random.choose(&[Ty::Int, Ty::Long, Ty::Byte]);
                format!("({} {op} {})", self.expression(ty, depth), self.expression(amount, depth))
            }
            1 => {
                let op = *self.random.choose(&["/", "%"]);
                let divisor = self.expression(ty, depth);
                let divisor = if self.random.percent(85) { format!("({divisor} | 1)") } else { divisor };
                format!("({} {op} {divisor})", self.expression(ty, depth))
            }
            2 => format!("({} {})", *self.random.choose(&["-", "~"]), self.expression(ty, depth)),
            3 => {
                let from = *self.random.choose(&NUMBERS);
                format!("{cast} {}", self.expression(from, depth))
            }
            4 => {
                let array = if ty == Ty::Int { Ty::Ints } else { Ty::Longs };
                let (array, index) = (self.expression(array, depth), self.index(depth));
                format!("{array}[{index}]")
            }
            5 => {
                let what = *self.random.choose(&["length()", "hashCode()", "indexOf('e')", "compareTo(\"b\")"]);
                format!("{cast} {}.{what}", self.expression(Ty::Text, depth))
            }
            6 => format!("{cast} {}.charAt({})", self.expression(Ty::Text, depth), self.index(depth)),
            7 => {
                let what = *self.random.choose(&["size", "load", "weight(3)", "next.size", "hashed()"]);
                let what = if what == "hashed()" { "name.length()" } else { what };
                format!("{cast} {}.{what}", self.expression(Ty::Shape, depth))
            }
            8 => {
                let (class, method) = *self.random.choose(&[
                    ("Math", "max"),
                    ("Math", "min"),
                    ("Math", "floorMod"),
                    ("Integer", "compare"),
                    ("Math", "floorDiv"),
                ]);
                let (a, b) = (self.expression(Ty::Int, depth), self.expression(Ty::Int, depth));
                format!("{cast} {class}.{method}({a}, {b})")
            }
            9 => {
                let method = *self.random.choose(&["bitCount", "reverse", "highestOneBit", "numberOfLeadingZeros"]);
                format!("{cast} Integer.{method}({})", self.expression(Ty::Int, depth))
            }
            _ => {
                let op = *self.random.choose(&["+", "-", "*", "&", "|", "^"]);
                let other =
                    if self.random.percent(70) { ty } else { *self.random.choose(&[Ty::Byte, Ty::Char, Ty::Short]) };
                format!("({} {op} {})", self.expression(ty, depth), self.expression(other, depth))
            }
        }
    }

    fn floating(&mut self, ty: Ty, depth: usize) -> String {
        match self.random.below(6) {
            0 => {
                let from = *self.random.choose(&NUMBERS);
                format!("({}) {}", ty.name(), self.expression(from, depth))
            }
            1 => format!("(- {})", self.expression(ty, depth)),
            2 if ty == Ty::Double => format!("Math.abs({})", self.expression(ty, depth)),
            _ => {
                let op = *self.random.choose(&["+", "-", "*", "/", "%"]);
                format!("({} {op} {})", self.expression(ty, depth), self.expression(ty, depth))
            }
        }
    }

    fn text(&mut self, depth: usize) -> String {
        match self.random.below(8) {
            0 => {
                let ty =
                    *self.random.choose(&[Ty::Boolean, Ty::Char, Ty::Int, Ty::Long, Ty::Text, Ty::Shape, Ty::Byte]);
                format!("String.valueOf({})", self.expression(ty, depth))
            }
            1 => format!("{}.substring({})", self.expression(Ty::Text, depth), self.index(depth)),
            2 => {
                let what = *self.random.choose(&[
                    "trim()",
                    "concat(\"!\")",
                    "replace('a', 'o')",
                    "substring(1, 2)",
                    "replace(\"l\", \"LL\")",
                    "toString()",
                ]);
                format!("{}.{what}", self.expression(Ty::Text, depth))
            }
            3 => format!("{}[{}]", self.expression(Ty::Texts, depth), self.index(depth)),
            4 => {
                let (a, b) = (self.expression(Ty::Text, depth), self.expression(Ty::Int, depth));
                format!("new StringBuilder({a}).append({b}).reverse().insert(0, 'x').toString()")
            }
            _ => {
                let ty = *self.random.choose(&[Ty::Boolean, Ty::Char, Ty::Int, Ty::Long, Ty::Text, Ty::Short]);
                let (a, b) = (self.expression(Ty::Text, depth), self.expression(ty, depth));
                format!("cut({a} + {b})")
            }
        }
    }

    /// A number that is often an index of something short.
    pub(super) fn index(&mut self, depth: usize) -> String {
        let value = self.expression(Ty::Int, depth);
        match self.random.below(6) {
            0 => value,
            1 => format!("({value} & 3)"),
            2 => format!("({value} & 1)"),
            _ => "0".to_owned(),
        }
    }

    fn array(&mut self, ty: Ty, depth: usize) -> String {
        let (element, name) = match ty {
            Ty::Ints => (Ty::Int, "int"),
            Ty::Longs => (Ty::Long, "long"),
            _ => (Ty::Text, "String"),
        };
        match self.random.below(4) {
            // Negative now and then, but never so long that memory could run out.
            0 => format!("(new {name}[{} % 9])", self.index(depth)),
            1 => format!("{}.clone()", self.expression(ty, depth)),
            _ => {
                let count = self.random.between(1, 3);
                let items: Vec<String> = (0..count).map(|_| self.expression(element, depth)).collect();
                format!("(new {name}[] {{{}}})", items.join(", "))
            }
        }
    }

    fn object(&mut self, depth: usize) -> String {
        match self.random.below(5) {
            0 => format!("{}.next", self.expression(Ty::Shape, depth)),
            1 => {
                let class = *self.random.choose(&CLASSES);
                format!("(({class}) (Shape) {})", self.expression(Ty::Shape, depth))
            }
            2 => "((Shape) null)".to_owned(),
            _ => {
                let class = *self.random.choose(&CLASSES);
                format!("new {class}({})", self.expression(Ty::Int, depth))
            }
        }
    }

    /// A type at random.
    pub(super) fn any_type(&mut self) -> Ty {
        *self.random.choose(&ALL)
    }
}

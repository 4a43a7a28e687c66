//! Random statements.

use super::{Generator, NUMBERS, Ty, Variable};

impl Generator {
    /// Some statements.
    pub(super) fn block(&mut self, most: usize, nesting: usize) {
        let count = self.scope.len();
        for _ in 0..self.random.between(1, most) {
            self.statement(nesting);
        }
        self.scope.truncate(count);
    }

    fn nested(&mut self, head: &str, nesting: usize) {
        self.open(head);
        self.block(3, nesting - 1);
        self.close();
    }

    fn statement(&mut self, nesting: usize) {
        match self.random.below(if nesting > 0 { 19 } else { 8 }) {
            0 | 1 => self.declaration(),
            2 | 3 => self.assignment(),
            4 => self.compound(),
            5 => self.store(),
            6 | 7 => {
                let ty = self.any_type();
                let value = self.expression(ty, 3);
                match ty {
                    Ty::Int | Ty::Long | Ty::Text | Ty::Boolean | Ty::Char if self.random.percent(40) => {
                        self.line(&format!("System.out.println({value});"));
                    }
                    _ => self.line(&format!("note({value});")),
                }
            }
            8 | 9 => {
                let condition = self.expression(Ty::Boolean, 3);
                self.nested(&format!("if ({condition})"), nesting);
                if self.random.percent(40) {
                    self.nested("else", nesting);
                }
            }
            10 | 11 => self.repetition(nesting),
            12 => self.switch(nesting),
            13 | 14 => self.attempt(nesting),
            15..=17 => self.feature(nesting),
            _ => self.leave(),
        }
    }

    fn declaration(&mut self) {
        let ty = self.any_type();
        let value = self.expression(ty, 3);
        let name = self.fresh(ty);
        self.line(&format!("{} {name} = {value};", ty.name()));
        self.scope.push(Variable { name, ty, is_final: false });
    }

    fn target(&mut self, fits: impl Fn(Ty) -> bool) -> Option<Variable> {
        let fitting: Vec<Variable> = self.scope.iter().filter(|v| !v.is_final && fits(v.ty)).cloned().collect();
        (!fitting.is_empty()).then(|| self.random.choose(&fitting).clone())
    }

    fn assignment(&mut self) {
        if let Some(variable) = self.target(|_| true) {
            let value = self.expression(variable.ty, 3);
            self.line(&format!("{} = {value};", variable.name));
        }
    }

    fn compound(&mut self) {
        let Some(variable) = self.target(|ty| NUMBERS.contains(&ty)) else { return };
        let name = variable.name;
        if self.random.percent(30) {
            let text = *self.random.choose(&["++", "--"]);
            self.line(&format!("{name}{text};"));
            return;
        }
        let is_float = matches!(variable.ty, Ty::Float | Ty::Double);
        let (op, ty) = match self.random.below(3) {
            0 if !is_float => (*self.random.choose(&["<<=", ">>=", ">>>=", "&=", "|=", "^="]), Ty::Int),
            _ => (*self.random.choose(&["+=", "-=", "*="]), *self.random.choose(&NUMBERS)),
        };
        let value = self.expression(ty, 2);
        self.line(&format!("{name} {op} {value};"));
    }

    fn store(&mut self) {
        let Some(variable) = self.target(|ty| matches!(ty, Ty::Ints | Ty::Longs | Ty::Texts | Ty::Shape)) else {
            return;
        };
        let name = variable.name;
        match variable.ty {
            Ty::Shape => {
                let (field, ty) = *self.random.choose(&[("size", Ty::Int), ("load", Ty::Long), ("next", Ty::Shape)]);
                let value = self.expression(ty, 2);
                self.line(&format!("{name}.{field} = {value};"));
            }
            array => {
                let element = match array {
                    Ty::Ints => Ty::Int,
                    Ty::Longs => Ty::Long,
                    _ => Ty::Text,
                };
                let value = self.expression(element, 2);
                let index = if self.random.percent(80) { "0" } else { "2" };
                let op = if element != Ty::Text && self.random.percent(30) { "+=" } else { "=" };
                self.line(&format!("{name}[{index}] {op} {value};"));
            }
        }
    }

    fn repetition(&mut self, nesting: usize) {
        let name = self.fresh(Ty::Int);
        let most = self.random.between(1, 5);
        self.open(&format!("for (int {name} = 0; {name} < {most} && burn(); {name}++)"));
        self.loops += 1;
        self.scope.push(Variable { name, ty: Ty::Int, is_final: true });
        self.block(3, nesting - 1);
        self.scope.pop();
        self.loops -= 1;
        self.close();
    }

    fn switch(&mut self, nesting: usize) {
        let is_text = self.random.percent(30);
        let value = self.expression(if is_text { Ty::Text } else { Ty::Int }, 2);
        self.open(&format!("switch ({value})"));
        let cases = if is_text { ["\"a\"", "\"hello\"", "\"\""] } else { ["0", "7", "1000000"] };
        for case in cases {
            self.line(&format!("case {case}:"));
            self.indent += 1;
            self.open("");
            self.block(2, nesting - 1);
            self.close();
            if self.random.percent(60) {
                self.line("break;");
            }
            self.indent -= 1;
        }
        self.line("default:");
        self.nested("", nesting);
        self.close();
    }

    fn attempt(&mut self, nesting: usize) {
        self.nested("try", nesting);
        let classes = [
            "ArithmeticException",
            "NullPointerException",
            "IndexOutOfBoundsException",
            "ClassCastException",
            "Own",
            "RuntimeException",
            "NegativeArraySizeException",
        ];
        let class = *self.random.choose(&classes);
        let name = self.fresh(Ty::Text);
        let has_finally = self.random.percent(40);
        if !has_finally || self.random.percent(70) {
            self.open(&format!("catch ({class} {name})"));
            self.line(&format!("note({name}.getClass().getName());"));
            if class == "Own" {
                self.line(&format!("note({name}.code);"));
            }
            self.block(2, nesting - 1);
            self.close();
        }
        if has_finally {
            self.nested("finally", nesting);
        }
    }

    fn leave(&mut self) {
        match self.random.below(4) {
            0 if self.loops > 0 => {
                let condition = self.expression(Ty::Boolean, 2);
                let word = *self.random.choose(&["break", "continue"]);
                self.line(&format!("if ({condition}) {word};"));
            }
            1 => {
                let (condition, code) = (self.expression(Ty::Boolean, 2), self.expression(Ty::Int, 1));
                let text = self.expression(Ty::Text, 1);
                self.line(&format!("if ({condition}) throw new Own({code}, {text});"));
            }
            2 if self.result.is_some() => {
                let condition = self.expression(Ty::Boolean, 2);
                let value = self.result.map(|ty| self.expression(ty, 2)).unwrap_or_default();
                self.line(&format!("if ({condition}) return {value};"));
            }
            _ => {
                let condition = self.expression(Ty::Boolean, 3);
                self.line(&format!("assert {condition} || sum != 12345 : sum;"));
            }
        }
    }
}

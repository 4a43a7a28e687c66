//! Random control flow: branches, loops that end, switches and jumps.

use super::Generator;
use super::place::{Reads, Variable};
use super::scalar::{Range, Scalar};
use super::types::Type;
use super::value::{Expression, Level};

impl Generator<'_> {
    /// A statement that holds others, which may nest so deep.
    pub(super) fn control(&mut self, nesting: usize) -> bool {
        match self.random.below(20) {
            0..7 => self.branch(nesting),
            7..13 => return self.loop_statement(nesting),
            13..16 => self.switch(nesting),
            16..18 if self.config.gotos => self.forward_goto(nesting),
            18 if self.config.gotos => return self.backward_goto(nesting),
            _ => self.block(nesting),
        }
        true
    }

    /// `break`, `continue`, a forward `goto` or a `return`, under a condition.
    pub(super) fn jump(&mut self) -> bool {
        let condition = self.condition(1, Reads::Any);
        let jump = match self.random.below(10) {
            0..3 if self.loops > 0 => "break;".to_owned(),
            3..6 if self.loops > 0 => "continue;".to_owned(),
            6..9 if !self.labels.is_empty() => format!("goto {};", self.random.choose(&self.labels)),
            9 => match self.return_statement() {
                Some(text) => text,
                None => return false,
            },
            _ => return false,
        };
        self.line(&format!("if ({}) {jump}", condition.text));
        true
    }

    fn any_condition(&mut self) -> Expression {
        if self.random.percent(20) { self.effect(2) } else { self.condition(self.config.depth, Reads::Any) }
    }

    fn branch(&mut self, nesting: usize) {
        let condition = self.any_condition();
        if self.random.percent(25) {
            self.line(&format!("if ({})", condition.text));
            self.single();
            if self.random.percent(50) {
                self.line("else");
                self.single();
            }
            return;
        }
        self.open(&format!("if ({}) {{", condition.text));
        self.statements(nesting);
        self.close("}");
        if self.random.percent(30) {
            let condition = self.any_condition();
            self.open(&format!("else if ({}) {{", condition.text));
            self.statements(nesting);
            self.close("}");
        }
        if self.random.percent(50) {
            self.line("else");
            self.block(nesting);
        }
    }

    /// One statement without braces.
    fn single(&mut self) {
        self.indent += 1;
        // A declaration is no statement, so there must be something to assign to.
        if self.scalar_place(super::place::Wanted::write(Reads::Any)).is_some() {
            self.assignment();
        } else {
            self.line(";");
        }
        self.indent -= 1;
    }

    fn loop_statement(&mut self, nesting: usize) -> bool {
        let count = self.random.between(1, 6);
        if !self.can_afford(count as u64) {
            return false;
        }
        let scalar = *self.random.choose(&Scalar::ALL[1..]);
        let name = self.fresh("i");
        let counter = format!("{} {name}", self.random.choose(scalar.spellings()));
        let extra = if self.random.percent(15) {
            format!(" && {}", self.condition(1, Reads::Any).at(Level::Or))
        } else {
            String::new()
        };
        let last = count as i128 - 1;
        self.enter();
        let shape = self.random.below(7);
        let (head, first, last, tail) = match shape {
            0 | 1 => (format!("for ({counter} = 0; {name} < {count}{extra}; {name}++) {{"), 0, last, "}".to_owned()),
            2 => (format!("for ({counter} = {count}; {name} > 0{extra}; --{name}) {{"), 1, last + 1, "}".to_owned()),
            3 => (format!("{{ {counter} = {count}; while ({name}-- > 0{extra}) {{"), 0, last, "} }".to_owned()),
            4 => (format!("{{ {counter} = 0; while ({name}++ < {count}{extra}) {{"), 1, last + 1, "} }".to_owned()),
            5 => (format!("{{ {counter} = 0; do {{"), 0, last, format!("}} while (++{name} < {count}{extra}); }}")),
            _ => (
                format!("{{ {counter} = 0; for (;;) {{ if ({name}++ >= {count}) break;"),
                1,
                last + 1,
                "} }".to_owned(),
            ),
        };
        self.open(&head);
        self.variables.push(Variable {
            name,
            ty: Type::Scalar(scalar),
            writable: false,
            private: true,
            range: Some(Range::new(first, last)),
            depth: self.depth,
            lifetime: self.depth,
            ready: true,
        });
        let outside = self.multiplier;
        self.multiplier *= count as u64;
        self.loops += 1;
        self.statements(nesting);
        self.loops -= 1;
        self.multiplier = outside;
        self.close(&tail);
        self.leave();
        true
    }

    fn switch(&mut self, nesting: usize) {
        let value = self.expression(2, Reads::Any);
        let value = match self.random.below(3) {
            0 => format!("{} & 7", value.at(Level::Equality)),
            1 => format!("{} % 5", value.at(Level::Product)),
            _ => value.text,
        };
        self.open(&format!("switch ({value}) {{"));
        let mut label = self.random.below(3) as i32 - 4;
        let cases = self.random.between(1, 6);
        let default = self.random.below(2 * cases);
        for case in 0..cases {
            if case == default {
                self.line("default:");
            }
            label += self.random.between(1, 3) as i32;
            let text = self.case_label(&mut label);
            self.line(&format!("case {text}:"));
            if self.random.percent(80) {
                self.case_body(nesting);
            }
        }
        // A label stands before a statement, also the last one.
        self.line(";");
        self.close("}");
    }

    fn case_body(&mut self, nesting: usize) {
        self.block(nesting.saturating_sub(1));
        if self.random.percent(65) {
            self.line("break;");
        }
    }

    /// A constant for `case`, written in some way; a range raises the label to its end.
    fn case_label(&mut self, label: &mut i32) -> String {
        let value = *label;
        match self.random.below(6) {
            0 if self.config.gnu && value >= 0 => {
                *label += self.random.between(1, 3) as i32;
                format!("{value} ... {label}")
            }
            1 => format!("{} + {}", value - 3, 3),
            2 => format!("(signed char){value}"),
            3 if value >= 0 => format!("'\\{value:o}'"),
            _ => value.to_string(),
        }
    }

    fn forward_goto(&mut self, nesting: usize) {
        let label = self.fresh("out");
        self.labels.push(label.clone());
        self.open("{");
        self.statements(nesting);
        let condition = self.condition(1, Reads::Any);
        self.line(&format!("if ({}) goto {label};", condition.text));
        self.statements(nesting);
        self.close("}");
        self.labels.pop();
        self.line(&format!("{label}: ;"));
    }

    fn backward_goto(&mut self, nesting: usize) -> bool {
        let count = self.random.between(1, 4);
        if !self.can_afford(count as u64 + 1) {
            return false;
        }
        let (label, counter) = (self.fresh("again"), self.fresh("k"));
        self.open(&format!("{{ int {counter} = 0;"));
        self.line(&format!("{label}:"));
        let outside = self.multiplier;
        self.multiplier *= count as u64 + 1;
        self.block(nesting);
        self.multiplier = outside;
        self.line(&format!("if ({counter}++ < {count}) goto {label};"));
        self.close("}");
        true
    }
}

//! Random statements: assignments, effects within expressions, output; and small pieces of program for what needs
//! several statements to be defined.

use super::Generator;
use super::initialiser::Storage;
use super::place::{Place, Reads, Wanted};
use super::scalar::Scalar;
use super::types::{Form, Record, Type};
use super::value::{Binary, Expression, Level};

impl Generator<'_> {
    /// A block in braces, whose statements may nest so deep.
    pub(super) fn block(&mut self, nesting: usize) {
        self.open("{");
        self.statements(nesting);
        self.close("}");
    }

    /// Some statements.
    pub(super) fn statements(&mut self, nesting: usize) {
        for _ in 0..self.random.between(1, self.config.statements) {
            self.statement(nesting);
        }
    }

    /// A statement or declaration.
    pub(super) fn statement(&mut self, nesting: usize) {
        self.cost += self.multiplier;
        let done = match self.random.below(100) {
            0..10 => {
                let storage = if self.random.percent(15) { Storage::Static } else { Storage::Block };
                self.declare(storage);
                true
            }
            10..14 => self.config.pointers && self.declare_pointer(Storage::Block),
            14..17 => self.config.pointers && self.redirect(),
            17..20 => self.record_assignment(),
            20..25 => self.call_statement(),
            25..29 => self.effect_statement(),
            29..33 => self.config.floats && self.floating_assignment(),
            33..39 => self.print(),
            39..45 => self.piece(),
            45..50 => self.jump(),
            50..75 if nesting > 0 => self.control(nesting - 1),
            _ => false,
        };
        if !done {
            self.assignment();
        }
    }

    /// An assignment to an integer.
    pub(super) fn assignment(&mut self) {
        let Some(place) = self.scalar_place(Wanted::write(Reads::Any)) else {
            return self.declare_as(Storage::Block, Type::Scalar(Scalar::Int));
        };
        let text = match self.random.below(10) {
            0..5 => self.plain_assignment(&place),
            5..8 => self.compound_assignment(&place).unwrap_or_else(|| self.plain_assignment(&place)),
            _ => self.step(&place).map_or_else(|| self.plain_assignment(&place), |step| step.text),
        };
        self.line(&format!("{text};"));
    }

    fn plain_assignment(&mut self, place: &Place) -> String {
        let value = self.expression(self.config.depth, Reads::Any);
        format!("{} = {}", place.text, value.at(Level::Assignment))
    }

    fn compound_assignment(&mut self, place: &Place) -> Option<String> {
        if self.is_wide(place) {
            return None;
        }
        let operator = *self.random.choose(&Binary::ALL);
        let left = self.read(place);
        let right = self.expression(self.config.depth.min(2), Reads::Any);
        let right = self.right_operand(operator, &left, right);
        let right = if Expression::binary(operator, &left, &right).is_some() {
            right
        } else {
            let right = self.bounded(right);
            self.right_operand(operator, &left, right)
        };
        Expression::binary(operator, &left, &right)?;
        Some(format!("{} {}= {}", place.text, operator.symbol(), right.at(Level::Assignment)))
    }

    /// `x++` and the like; none where that can overflow.
    fn step(&mut self, place: &Place) -> Option<Expression> {
        let value = self.read(place);
        let up = self.random.percent(50);
        Expression::binary(if up { Binary::Add } else { Binary::Sub }, &value, &Expression::int(1))?;
        if self.is_wide(place) {
            return None;
        }
        let symbol = if up { "++" } else { "--" };
        if self.random.percent(50) {
            return Some(Expression { text: format!("{symbol}{}", place.text), level: Level::Unary, ..value });
        }
        let operand = if place.level >= Level::Postfix { place.text.clone() } else { format!("({})", place.text) };
        Some(Expression { text: format!("{operand}{symbol}"), level: Level::Postfix, ..value })
    }

    /// An expression with side effects, all of them in sequence.
    pub(super) fn effect(&mut self, depth: usize) -> Expression {
        let choice = if depth == 0 { self.random.below(40) } else { self.random.below(100) };
        match choice {
            0..15 => self.assigned_value(),
            15..25 => {
                let place = self.scalar_place(Wanted::write(Reads::Any));
                place.and_then(|place| self.step(&place)).unwrap_or_else(|| self.assigned_value())
            }
            25..40 => self.call_value().unwrap_or_else(|| self.assigned_value()),
            40..55 => {
                let (left, right) = (self.effect(depth - 1), self.effect(depth - 1));
                let and = self.random.percent(50);
                let level = if and { Level::LogicalAnd } else { Level::LogicalOr };
                let symbol = if and { "&&" } else { "||" };
                let text = format!("{} {symbol} {}", left.at(level), right.at(super::value::above(level)));
                Expression::truth(text, level)
            }
            55..70 => {
                let condition = self.condition(1, Reads::Any);
                let (yes, no) = (self.effect(depth - 1), self.effect(depth - 1));
                Expression::conditional(&condition, &yes, &no)
            }
            70..85 => {
                let first = self.effect(depth - 1);
                Expression::after(&first.at(Level::Assignment), &self.effect(depth - 1))
            }
            _ => {
                let operator = *self.random.choose(&Binary::ALL);
                let (left, right) = (self.expression(1, Reads::Nothing), self.effect(depth - 1));
                self.joined(operator, left, right)
            }
        }
    }

    /// `x = e` as an expression; its value is that of `x` after the assignment.
    fn assigned_value(&mut self) -> Expression {
        let place = self.scalar_place(Wanted::write(Reads::Any)).filter(|place| !self.is_wide(place));
        let Some(place) = place else {
            return Expression::any("sum".to_owned(), Level::Primary, Scalar::UnsignedLongLong);
        };
        let compound = if self.random.percent(35) { self.compound_assignment(&place) } else { None };
        let text = compound.unwrap_or_else(|| {
            let value = self.expression(2, Reads::Any);
            format!("{} = {}", place.text, value.at(Level::Assignment))
        });
        Expression { text, level: Level::Assignment, ..self.read(&place) }
    }

    fn effect_statement(&mut self) -> bool {
        let effect = self.effect(2);
        match self.random.below(4) {
            0 => self.line(&format!("mix({});", effect.at(Level::Assignment))),
            1 => {
                let (name, scalar) = (self.fresh("r"), self.scalar());
                self.line(&format!("{} {name} = {}; mix({name});", scalar.name(), effect.at(Level::Assignment)));
            }
            _ => self.line(&format!("{};", effect.text)),
        }
        true
    }

    fn record_assignment(&mut self) -> bool {
        let accept = |ty: &Type| matches!(ty, Type::Record(_));
        let Some(place) = self.place(Wanted::write(Reads::Any), &accept) else { return false };
        let value = self.record_call(&place.ty).filter(|_| place.whole);
        let value = value.unwrap_or_else(|| self.record_value(&place.ty, Reads::Any));
        self.line(&format!("{} = {value};", place.text));
        true
    }

    /// Prints or mixes in a value.
    pub(super) fn print(&mut self) -> bool {
        let value = match self.scalar_place(Wanted::read(Reads::Any)) {
            Some(place) if self.random.percent(60) => self.read(&place),
            _ => self.expression(self.config.depth, Reads::Any),
        };
        if self.multiplier > 6 || self.random.percent(50) {
            self.line(&format!("mix({});", value.at(Level::Assignment)));
            return true;
        }
        let scalar = value.view[super::scalar::Model::Lp64].scalar;
        let agreed = value.view.all(|view| view.scalar == scalar);
        let value = if agreed { value } else { value.cast(Scalar::LongLong) };
        let scalar = if agreed { scalar } else { Scalar::LongLong };
        self.line(&format!("printf(\"{}\\n\", {});", scalar.format(), value.at(Level::Assignment)));
        true
    }

    /// A small piece of program.
    fn piece(&mut self) -> bool {
        match self.random.below(24) {
            20 => self.config.library && self.string_piece(),
            21 => self.config.library && self.builtin_piece(),
            22 => self.config.library && self.mathematics_piece(),
            23 => self.config.library && self.variadic_piece(),
            11 | 12 => self.memory_piece(),
            13 => self.config.pointers && self.heap_piece(),
            14 | 15 => self.config.pointers && self.two_pointers_piece(),
            16 => self.format_piece(),
            17 => self.conversion_piece(),
            18 => self.packed_piece(),
            19 => self.config.arrays && self.variable_rows_piece(),
            0 => self.config.unions && self.choice_piece(),
            1 => self.config.arrays && self.config.pointers && self.list_piece(),
            2 => self.config.arrays && self.variable_length_piece(),
            3 => self.layout_piece(),
            4 => self.duff_piece(),
            5 => self.config.arrays && self.bytes_piece(),
            6 => self.text_piece(),
            7 => self.config.pointers && self.function_pointer_piece(),
            _ => self.config.arrays && self.config.pointers && self.walk_array(),
        }
    }

    /// A union of members of several sizes: what was written is read back.
    fn choice_piece(&mut self) -> bool {
        let unions: Vec<usize> = (0..self.records.len()).filter(|it| self.records[*it].form == Form::Choice).collect();
        if unions.is_empty() {
            return false;
        }
        let record = *self.random.choose(&unions);
        let fields = self.records[record].fields.clone();
        let name = self.fresh("u");
        let declaration = self.declaration(&Type::Record(record), &name);
        let mut text = format!("{{ {declaration};");
        for _ in 0..self.random.between(1, 3) {
            let field = self.random.choose(&fields).clone();
            let value = self.initialiser(&field.ty, Reads::Any);
            let through = if self.config.pointers && self.random.percent(30) {
                format!("(&{name})->")
            } else {
                format!("{name}.")
            };
            let read = match field.ty {
                Type::Float | Type::Double => format!("bits_of({name}.{})", field.name),
                _ => format!("{name}.{}", field.name),
            };
            text.push_str(&format!(" {through}{} = {value}; mix({read});", field.name));
        }
        self.line(&format!("{text} }}"));
        true
    }

    /// A linked list in an array of nodes.
    fn list_piece(&mut self) -> bool {
        let length = self.random.between(2, 5);
        if !self.can_afford(2 * length as u64) {
            return false;
        }
        let (tag, nodes, head, at) = (self.fresh("node"), self.fresh("n"), self.fresh("h"), self.fresh("q"));
        let scalar = self.scalar();
        self.open(&format!("{{ struct {tag} {{ {} value; struct {tag} *next; }};", scalar.name()));
        self.line(&format!("struct {tag} {nodes}[{length}], *{head} = 0, *{at};"));
        for node in 0..length {
            let value = self.expression(2, Reads::Any);
            self.line(&format!("{nodes}[{node}].value = {};", value.at(Level::Assignment)));
            if self.random.percent(60) {
                self.line(&format!("{nodes}[{node}].next = {head}, {head} = &{nodes}[{node}];"));
            } else {
                self.line(&format!("{nodes}[{node}].next = {head} ? {head}->next : {head};"));
                self.line(&format!("if ({head}) {head}->next = {nodes} + {node}; else {head} = {nodes} + {node};"));
            }
        }
        self.line(&format!("for ({at} = {head}; {at}; {at} = {at}->next) mix({at}->value);"));
        self.line(&format!("if ({head} != 0 && {head}->next) mix({head}->next->value), mix({head}->next - {nodes});"));
        self.close("}");
        self.cost += 2 * length as u64 * self.multiplier;
        true
    }

    /// An array whose length is computed.
    fn variable_length_piece(&mut self) -> bool {
        if !self.config.variable_length || !self.can_afford(16) {
            return false;
        }
        let (length, array, counter) = (self.fresh("len"), self.fresh("vla"), self.fresh("i"));
        let size = self.expression(2, Reads::Any);
        let scalar = self.scalar();
        let value = self.expression(1, Reads::Any);
        self.open(&format!(
            "{{ int {length} = ({} & 7) + 1; {} {array}[{length}];",
            size.at(Level::Equality),
            scalar.name()
        ));
        self.line(&format!(
            "for (int {counter} = 0; {counter} < {length}; {counter}++) {array}[{counter}] = {} ^ {counter};",
            value.at(Level::And)
        ));
        self.line(&format!("mix({array}[{length} - 1]); mix({array}[{length} / 2]); mix(sizeof {array});"));
        self.close("}");
        self.cost += 8 * self.multiplier;
        true
    }

    /// Sizes and offsets of a record.
    fn layout_piece(&mut self) -> bool {
        if self.records.is_empty() {
            return false;
        }
        let record = self.random.below(self.records.len());
        let Record { name, fields, .. } = self.records[record].clone();
        let field = self.random.choose(&fields).clone();
        let object = self.fresh("o");
        let mut text = format!("{{ {name} {object}; mix(sizeof {object}); mix(sizeof({name}));");
        if field.bits.is_none() {
            let member = format!("{object}.{}", field.name);
            text.push_str(&format!(" mix((char *)&{member} - (char *)&{object}); mix(sizeof({member}));"));
        }
        if self.multiplier == 1 {
            text.push_str(&format!(" printf(\"%lu\\n\", (unsigned long)sizeof {object});"));
        }
        self.line(&format!("{text} }}"));
        true
    }

    /// A switch into the middle of a loop.
    fn duff_piece(&mut self) -> bool {
        if !self.can_afford(12) {
            return false;
        }
        let rounds = self.fresh("k");
        let start = self.expression(2, Reads::Any);
        let count = self.random.between(1, 3);
        self.line(&format!("{{ int {rounds} = {count};"));
        self.open(&format!("switch ({} & 3) {{", start.at(Level::Equality)));
        for case in 0..4 {
            let open = if case == 0 { " do {" } else { "" };
            let value = self.expression(1, Reads::Any);
            self.line(&format!("case {case}:{open} mix({});", value.at(Level::Assignment)));
        }
        self.line(&format!("}} while (--{rounds} > 0);"));
        self.close("} }");
        self.cost += 12 * self.multiplier;
        true
    }

    /// The bytes of an integer, through a pointer to them.
    fn bytes_piece(&mut self) -> bool {
        if !self.config.bytes {
            return false;
        }
        let accept = |ty: &Type| matches!(ty, Type::Scalar(scalar) if *scalar != Scalar::Bool);
        let wanted = Wanted { writable: false, ..Wanted::target(self.depth) };
        let Some(place) = self.place(wanted, &accept) else { return false };
        let (pointer, counter) = (self.fresh("y"), self.fresh("i"));
        let object = place.text;
        self.line(&format!(
            "{{ const unsigned char *{pointer} = (const unsigned char *)&{object}; \
             for (unsigned {counter} = 0; {counter} < sizeof({object}); {counter}++) mix({pointer}[{counter}]); }}"
        ));
        self.cost += 8 * self.multiplier;
        true
    }

    /// A walk over a string literal.
    fn text_piece(&mut self) -> bool {
        if !self.can_afford(8) {
            return false;
        }
        let (text, _) = self.string(8);
        let name = self.fresh("c");
        self.line(&format!("{{ const char *{name} = {text}; while (*{name}) mix(*{name}++); mix(sizeof {text}); }}"));
        self.cost += 8 * self.multiplier;
        true
    }
}

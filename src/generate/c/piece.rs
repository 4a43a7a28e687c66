//! More small pieces of program, each defined by what is around it in the piece: library functions on memory, the heap,
//! pointers into one array, formats of `printf`, conversions of floating values, packed structures.

use super::Generator;
use super::place::{Reads, Wanted};
use super::scalar::{Model, Scalar};
use super::types::Type;
use super::value::Level;

impl Generator<'_> {
    /// Objects copied and filled byte by byte.
    pub(super) fn memory_piece(&mut self) -> bool {
        let accept = |ty: &Type| matches!(ty, Type::Record(_) | Type::Array(..) | Type::Scalar(_));
        let Some(place) = self.place(Wanted::target(self.depth), &accept) else { return false };
        let object = if place.level >= Level::Postfix { place.text } else { format!("({})", place.text) };
        match (&place.ty, self.random.below(3)) {
            (Type::Array(element, _), 0) if is_number(element) => {
                let byte = self.expression(1, Reads::Any);
                let byte = byte.at(Level::Assignment);
                self.line(&format!("__builtin_memset({object}, {byte}, sizeof {object});"));
            }
            (Type::Array(element, length), 1) if is_number(element) && *length > 1 => {
                // The parts overlap, unless one element is moved.
                let count = self.random.between(1, length - 1);
                let (to, from) = (self.random.below(length - count + 1), self.random.below(length - count + 1));
                self.line(&format!(
                    "__builtin_memmove({object} + {to}, &{object}[{from}], {count} * sizeof {object}[0]);"
                ));
            }
            (_, 2) if matches!(place.ty, Type::Record(_) | Type::Scalar(_)) => {
                self.line(&format!("__builtin_memset(&{object}, 0, sizeof {object});"));
            }
            _ => {
                let name = self.fresh("t");
                let ty = place.ty.clone();
                let declaration = self.declaration(&ty, &name);
                let other = self.place(Wanted::target(self.depth), &|other| *other == ty);
                let other = other.map_or(object.clone(), |other| other.text);
                self.line(&format!(
                    "{{ {declaration}; __builtin_memcpy(&{name}, &{object}, sizeof {name}); \
                     __builtin_memcpy(&({other}), &{name}, sizeof({other})); }}"
                ));
            }
        }
        true
    }

    /// An array on the heap, that grows.
    pub(super) fn heap_piece(&mut self) -> bool {
        if !self.can_afford(16) {
            return false;
        }
        let (array, counter) = (self.fresh("h"), self.fresh("i"));
        let ty = self.scalar().name();
        let (length, more) = (self.random.between(1, 6), self.random.between(1, 6));
        let value = self.expression(1, Reads::Any);
        let value = value.at(Level::And);
        let made = match self.random.below(3) {
            0 => format!("__builtin_calloc({length}, sizeof *{array})"),
            1 => format!("__builtin_realloc((void *)0, {length} * sizeof({ty}))"),
            _ => format!("__builtin_malloc(sizeof({ty}) * {length})"),
        };
        self.open(&format!("{{ {ty} *{array} = {made};"));
        if made.contains("calloc") {
            self.line(&format!("mix({array}[{}]);", length - 1));
        }
        self.line(&format!(
            "for (unsigned {counter} = 0; {counter} < {length}; {counter}++) {array}[{counter}] = {value} + {counter};"
        ));
        self.line(&format!("{array} = __builtin_realloc({array}, {} * sizeof *{array});", length + more));
        self.line(&format!("{array}[{}] = {array}[0]; mix({array}[{}]);", length + more - 1, length - 1));
        self.line(&format!("mix({array}[{}]); __builtin_free({array});", length + more - 1));
        self.close("}");
        self.cost += 10 * self.multiplier;
        true
    }

    /// Two pointers into one array: compared, subtracted, moved.
    pub(super) fn two_pointers_piece(&mut self) -> bool {
        let (array, p, q) = (self.fresh("n"), self.fresh("q"), self.fresh("q"));
        let ty = self.scalar().name();
        let length = self.random.between(2, 6);
        let values: Vec<String> = (0..length).map(|_| self.expression(1, Reads::Any).at(Level::Assignment)).collect();
        let (mut left, right) = (self.random.below(length), self.random.below(length));
        self.open(&format!("{{ {ty} {array}[{length}] = {{ {} }};", values.join(", ")));
        self.line(&format!("{ty} *{p} = {array} + {left}, *{q} = &{array}[{right}];"));
        for _ in 0..self.random.between(1, 5) {
            let text = match self.random.below(10) {
                0 => format!("mix({p} < {q}); mix({p} >= {q});"),
                1 => format!("mix({p} == {q}); mix({q} != {p}); mix({p} <= {q});"),
                2 => format!("mix({p} - {q}); mix({q} - {array}); mix(({p} - {array}) * 3);"),
                3 => format!("mix(*({p} > {q} ? {p} : {q}));"),
                4 => format!("mix(!{p}); mix({p} && {q}); mix({p} ? 3 : 4); {{ _Bool b = {q}; mix(b); }}"),
                5 => format!("mix((char *){p} - (char *){array}); mix((char *){p} < (char *){q});"),
                6 => format!("{{ void *v = {p}; {ty} *const w = v; mix(*w); mix(v == {p}); mix(w == {q}); }}"),
                7 if left + 1 < length => {
                    left += 1;
                    let step = self.random.choose(&["(*++P)", "(P += 1)[0]", "((void)P++, *P)", "*(P = P + 1)"]);
                    format!("mix({});", step.replace('P', &p))
                }
                8 if left > 0 => {
                    left -= 1;
                    let step = self.random.choose(&["*P--", "(P -= 1, P[0])", "*(P = &P[-1])", "--P - ARRAY"]);
                    format!("mix({});", step.replace("ARRAY", &array).replace('P', &p))
                }
                _ => {
                    let target = self.random.below(length);
                    let offset = target as i64 - left as i64;
                    left = target;
                    let value = self.expression(1, Reads::Any);
                    format!("{p} += {offset}; *{p} = {}; mix({p}[0]);", value.at(Level::Assignment))
                }
            };
            self.line(&text);
        }
        self.line(&format!("mix({p} - {array}); mix(*{q});"));
        self.close("}");
        true
    }

    /// One line by several formats.
    pub(super) fn format_piece(&mut self) -> bool {
        if self.multiplier > 1 {
            return false;
        }
        let mut format = Vec::new();
        let mut values = Vec::new();
        for _ in 0..self.random.between(1, 4) {
            let value = self.expression(1, Reads::Any);
            let (flags, scalar) = (self.flags(), *self.random.choose(&Scalar::ALL[1..]));
            let (length, letters) = match scalar {
                Scalar::Char | Scalar::SignedChar => ("hh", "d"),
                Scalar::UnsignedChar => ("hh", "uxXo"),
                Scalar::Short => ("h", "d"),
                Scalar::UnsignedShort => ("h", "uxXo"),
                Scalar::Unsigned => ("", "uxXo"),
                Scalar::Long => ("l", "d"),
                Scalar::UnsignedLong => ("l", "uxXo"),
                Scalar::LongLong => ("ll", "d"),
                Scalar::UnsignedLongLong => ("ll", "uxXo"),
                _ => ("", "di"),
            };
            let letters: Vec<char> = letters.chars().collect();
            let letter = *self.random.choose(&letters);
            // The value may have more bits than the format prints of it, where it is promoted.
            let passed = scalar.promoted();
            format.push(format!("%{flags}{length}{letter}"));
            values.push(value.cast(passed).text);
        }
        if self.random.percent(40) {
            let (text, _) = self.string(6);
            let least = self.random.below(8);
            format.push(self.random.choose(&["%s".to_owned(), format!("%{least}s"), "%.2s".to_owned()]).clone());
            values.push(text);
        }
        if self.config.floats && self.random.percent(50) {
            let letter = self.random.choose(&["f", ".3f", "e", "g", ".0f", "12.2e", "+G", "08.1f", "#.0f"]);
            format.push(format!("%{letter}"));
            values.push(self.floating_literal());
        }
        self.line(&format!("printf(\"{}\\n\", {});", format.join("|"), values.join(", ")));
        true
    }

    fn flags(&mut self) -> String {
        let flag = *self.random.choose(&["", "", "-", "0", "#", ""]);
        let width = if self.random.percent(40) { self.random.between(1, 14).to_string() } else { String::new() };
        let precision = if self.random.percent(20) { format!(".{}", self.random.below(9)) } else { String::new() };
        // `#` means nothing to decimal numbers, and gcc takes the `0` of `%-05d` for what it is.
        format!("{}{width}{precision}", if flag == "#" { "" } else { flag })
    }

    /// A floating value as other types, and as a truth value.
    pub(super) fn conversion_piece(&mut self) -> bool {
        if !self.config.floats {
            return false;
        }
        let name = self.fresh("d");
        let ty = *self.random.choose(&["double", "float"]);
        let value = self.floating(2, Reads::Any);
        // Between 0 and 200, so that every type but a signed character holds it.
        self.open(&format!("{{ {ty} {name} = {value}; if (!({name} > 0.25 && {name} < 100.)) {name} = 42.75;"));
        for _ in 0..self.random.between(1, 4) {
            let scalar = *self.random.choose(&Scalar::ALL);
            let integer = self.expression(1, Reads::Any).cast(scalar);
            let text = match self.random.below(7) {
                0 => format!("mix(({}){name});", scalar.name()),
                1 => format!("{{ {} k = {name}; k += 0.5; mix(k); }}", scalar.name()),
                2 => format!("mix(!{name}); mix({name} && 1); mix({name} == 42.75); mix({name} != {name} + 1);"),
                3 => format!("mix(bits_of({name}++)); mix(bits_of(--{name})); {name} += 1; {name} -= 1;"),
                4 => format!("mix(bits_of((double){})); mix(bits_of((float){}));", integer.text, integer.text),
                5 => format!("mix(bits_of({name} ? {name} : {})); mix({} < {name});", integer.text, integer.text),
                _ => {
                    format!("mix((int)({name} * 1000)); mix((unsigned long long)({name} * 1e15)); mix((long)-{name});")
                }
            };
            self.line(&text);
        }
        self.close("}");
        true
    }

    /// A packed structure, whose members are read and written by name.
    pub(super) fn packed_piece(&mut self) -> bool {
        let (tag, object) = (self.fresh("pack"), self.fresh("o"));
        let mut members = Vec::new();
        let mut uses = Vec::new();
        for number in 0..self.random.between(2, 5) {
            let scalar = self.scalar();
            let most = scalar.bits(Model::Ilp32) as usize;
            let width = if self.config.bit_fields && self.random.percent(40) {
                format!(" : {}", self.random.between(1, most.min(31)))
            } else {
                String::new()
            };
            members.push(format!("{} m{number}{width};", scalar.name()));
            let value = self.expression(1, Reads::Any);
            uses.push(format!("{object}.m{number} = {}; mix({object}.m{number});", value.at(Level::Assignment)));
            if width.is_empty() {
                uses.push(format!("mix((char *)&{object}.m{number} - (char *)&{object});"));
            }
        }
        self.open(&format!("{{ struct __attribute__((packed)) {tag} {{ {} }} {object} = {{ 0 }};", members.join(" ")));
        for text in uses {
            self.line(&text);
        }
        for number in 0..members.len() {
            self.line(&format!("mix({object}.m{number});"));
        }
        self.line(&format!("mix(sizeof {object}); mix(_Alignof(struct {tag}));"));
        self.close("}");
        true
    }

    /// An array of rows whose number and length are computed.
    pub(super) fn variable_rows_piece(&mut self) -> bool {
        if !self.config.variable_length || !self.can_afford(16) {
            return false;
        }
        let (rows, columns, array) = (self.fresh("len"), self.fresh("len"), self.fresh("vla"));
        let (i, j, row) = (self.fresh("i"), self.fresh("i"), self.fresh("q"));
        let ty = self.scalar().name();
        let sizes =
            [self.expression(1, Reads::Any), self.expression(1, Reads::Any)].map(|size| size.at(Level::Equality));
        let value = self.expression(1, Reads::Any);
        self.open(&format!("{{ int {rows} = ({} & 3) + 1, {columns} = ({} & 3) + 1;", sizes[0], sizes[1]));
        self.line(&format!("{ty} {array}[{rows}][{columns}], (*{row})[{columns}] = {array};"));
        self.line(&format!("for (int {i} = 0; {i} < {rows}; {i}++) for (int {j} = 0; {j} < {columns}; ++{j})"));
        self.line(&format!("  {array}[{i}][{j}] = {} ^ {i} * {columns} + {j};", value.at(Level::And)));
        self.line(&format!("mix(sizeof {array}); mix(sizeof {array}[0]); mix(sizeof(*{row}) / sizeof(**{row}));"));
        self.line(&format!("{row} += {rows} - 1; mix((*{row})[{columns} - 1]); mix({row} - {array});"));
        self.line(&format!("mix({array}[{rows} / 2][{columns} / 2]); mix(*{array}[0]);"));
        self.close("}");
        self.cost += 16 * self.multiplier;
        true
    }
}

/// Whether every byte makes a value of the type.
fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Scalar(scalar) if *scalar != Scalar::Bool)
}

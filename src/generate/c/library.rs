//! Pieces of program that call the library and the compiler's own functions, and functions of variable arguments.

use super::Generator;
use super::place::Reads;
use super::scalar::Scalar;
use super::value::Level;

/// How long the arrays are that strings are built in.
const ROOM: usize = 40;

impl Generator<'_> {
    /// Strings that are built, compared and searched.
    pub(super) fn string_piece(&mut self) -> bool {
        if !self.can_afford(40) {
            return false;
        }
        let (buffer, other) = (self.fresh("text"), self.fresh("text"));
        let texts: Vec<String> = (0..4).map(|_| self.string(8).0).collect();
        self.open(&format!("{{ char {buffer}[{ROOM}], {other}[{ROOM}] = {};", texts[0]));
        self.line(&format!("__builtin_strcpy({buffer}, {});", texts[1]));
        for _ in 0..self.random.between(1, 4) {
            let count = self.random.below(7);
            let byte = self.expression(1, Reads::Any);
            let byte = byte.at(Level::Assignment);
            let found = self.fresh("c");
            let text = match self.random.below(11) {
                // What is appended has at most eight bytes, four times.
                0 => format!("if (__builtin_strlen({buffer}) < {ROOM} - 9) __builtin_strcat({buffer}, {});", texts[2]),
                1 => format!("__builtin_strncpy({other}, {}, {ROOM}); mix({other}[{count}]);", texts[3]),
                2 => format!(
                    "if (__builtin_strlen({buffer}) < {ROOM} - 9) __builtin_strncat({buffer}, {}, {count});",
                    texts[2]
                ),
                3 => format!(
                    "mix(__builtin_strcmp({buffer}, {other}) < 0); mix(!__builtin_strcmp({other}, {}));",
                    texts[0]
                ),
                4 => format!("mix(__builtin_strncmp({other}, {buffer}, {count}) > 0);"),
                5 => format!(
                    "{{ char *{found} = __builtin_strchr({buffer}, {byte}); mix({found} ? {found} - {buffer} : 99); }}"
                ),
                6 => format!(
                    "{{ char *{found} = __builtin_strrchr({other}, 'a'); mix({found} ? {found} - {other} : 99); }}"
                ),
                7 => format!(
                    "mix(__builtin_memcmp({buffer}, {other}, 1) > 0); mix(__builtin_strspn({buffer}, \"ab7\"));"
                ),
                8 => format!("{{ char *{found} = __builtin_strstr({buffer}, \"a\"); mix(!{found}); }}"),
                9 => format!(
                    "{{ char *{found} = __builtin_memchr({other}, {byte}, {count}); mix({found} ? {found} - {other} : 99); }}"
                ),
                _ => format!("mix(__builtin_strcspn({other}, {}));", texts[3]),
            };
            self.line(&text);
        }
        self.line(&format!("mix(__builtin_strlen({buffer})); mix(__builtin_strlen({other}));"));
        if self.multiplier == 1 {
            self.line(&format!("printf(\"%s %s\\n\", {buffer}, {other});"));
        }
        self.close("}");
        self.cost += 40 * self.multiplier;
        true
    }

    /// Functions of the compiler on integers.
    pub(super) fn builtin_piece(&mut self) -> bool {
        let value = self.expression(2, Reads::Any);
        let small = self.expression(1, Reads::Any);
        let (value, small) = (value.at(Level::Assignment), small.at(Level::Unary));
        let (result, scalar) = (self.fresh("r"), self.scalar());
        let scalar = if scalar == Scalar::Bool { Scalar::Int } else { scalar };
        let ty = scalar.name();
        let suffix = *self.random.choose(&["", "l", "ll"]);
        let other = self.expression(1, Reads::Any).at(Level::Assignment);
        let operation = *self.random.choose(&["add", "sub", "mul"]);
        let text = match self.random.below(9) {
            0 => format!("mix(__builtin_popcount{suffix}({value}));"),
            1 => format!("mix(__builtin_parity{suffix}({value})); mix(__builtin_ffs{suffix}({value}));"),
            2 => format!(
                "mix(__builtin_clz((unsigned){small} | 1)); mix(__builtin_ctzll((unsigned long long){small} | 64));"
            ),
            3 => format!(
                "mix(__builtin_bswap16({value})); mix(__builtin_bswap32({value})); mix(__builtin_bswap64({value}));"
            ),
            4 => format!("mix(__builtin_abs((short){small})); mix(__builtin_labs((short){small}));"),
            5 => format!(
                "{{ {ty} {result}; mix(__builtin_{operation}_overflow({value}, {other}, &{result})); mix({result}); }}"
            ),
            6 => format!("mix(__builtin_expect(!!({value}), 1)); mix(__builtin_constant_p(1 + 2));"),
            7 => format!(
                "mix(!__builtin_isalpha((unsigned char){small})); mix(!__builtin_isspace((unsigned char){small}));"
            ),
            _ => format!(
                "mix(__builtin_toupper((unsigned char){small} & 127)); mix(!__builtin_isxdigit((unsigned char){small}));"
            ),
        };
        self.line(&text);
        true
    }

    /// Functions of the library on floating values whose results are exact.
    pub(super) fn mathematics_piece(&mut self) -> bool {
        if !self.config.floats {
            return false;
        }
        let value = self.floating(2, Reads::Any);
        let other = self.floating(1, Reads::Any);
        let suffix = *self.random.choose(&["", "f"]);
        let function = *self.random.choose(&["floor", "ceil", "trunc", "round", "rint", "fabs"]);
        let text = match self.random.below(4) {
            0 => format!("mix(bits_of(__builtin_{function}{suffix}({value})));"),
            1 => format!("mix(bits_of(__builtin_sqrt{suffix}(__builtin_fabs({value}))));"),
            2 => format!("mix(bits_of(__builtin_fmod{suffix}({value}, __builtin_fabs{suffix}({other}) + 0.5f)));"),
            _ => format!(
                "mix(bits_of(__builtin_fmin{suffix}({value}, {other}))); mix(bits_of(__builtin_copysign({value}, {other})));"
            ),
        };
        self.line(&text);
        true
    }

    /// A function of variable arguments, and a call of it.
    pub(super) fn variadic_piece(&mut self) -> bool {
        let (name, list, again) = (self.fresh("f"), self.fresh("ap"), self.fresh("ap"));
        let mut takes = Vec::new();
        let mut values = Vec::new();
        for _ in 0..self.random.between(1, 5) {
            match self.random.below(8) {
                0 if self.config.floats => {
                    takes.push(("mix(bits_of(VALUE));", "double"));
                    values.push(self.floating_literal());
                }
                1 => {
                    takes.push(("mix(*VALUE);", "const char *"));
                    values.push(self.string(4).0);
                }
                _ => {
                    let scalar = self.scalar();
                    // What is passed is promoted, and taken as what it then is.
                    takes.push(("mix(VALUE);", scalar.promoted().name()));
                    values.push(self.expression(1, Reads::Any).cast(scalar).text);
                }
            }
        }
        let take =
            |(text, ty): &(&str, &str), list: &str| text.replace("VALUE", &format!("__builtin_va_arg({list}, {ty})"));
        let all: String = takes.iter().map(|taken| format!("  {}\n", take(taken, &list))).collect();
        let first = take(&takes[0], &again);
        let count = takes.len();
        self.prototypes.push_str(&format!(
            "static int {name}(int count, ...) {{\n  __builtin_va_list {list}, {again};\n  __builtin_va_start({list}, count);\n  \
             __builtin_va_copy({again}, {list});\n{all}  {first}\n  __builtin_va_end({list});\n  __builtin_va_end({again});\n  \
             return count + 1;\n}}\n"
        ));
        self.line(&format!("mix({name}({count}, {}));", values.join(", ")));
        self.cost += 8 * self.multiplier;
        true
    }
}

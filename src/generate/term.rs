//! Random terms and assignments for tests, the same for the same seed.

use crate::term::{ArrayValue, Assignment, FloatKind, FloatOp, Integer, Op, Random, Sort, TermId, Terms, Value};

/// What random terms are made of.
#[derive(Debug, Clone)]
pub struct Shape {
    /// How deep they are at most.
    pub depth: u32,
    /// The widths of their bit-vectors.
    pub widths: Vec<u32>,
    /// Whether integers occur.
    pub integers: bool,
    /// Whether arrays occur.
    pub arrays: bool,
    /// Whether bit-vectors of 32 and 64 bits are also floating-point numbers.
    pub floats: bool,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape { depth: 3, widths: vec![1, 2, 8, 33], integers: true, arrays: true, floats: false }
    }
}

/// Makes random terms of a shape.
#[derive(Debug, Clone)]
pub struct Generator {
    /// Where chance comes from.
    pub random: Random,
    /// What the terms are like.
    pub shape: Shape,
}

impl Generator {
    /// A generator of terms of that shape.
    pub fn new(seed: u64, shape: Shape) -> Generator {
        Generator { random: Random::new(seed), shape }
    }

    /// A sort that the shape allows.
    pub fn sort(&mut self) -> Sort {
        match self.random.below(8) {
            0 | 1 => Sort::Bool,
            2 | 3 if self.shape.integers => Sort::Int,
            4 if self.shape.arrays => {
                let (index, element) = (self.scalar_sort(), self.scalar_sort());
                Sort::array(index, element)
            }
            _ => self.vector_sort(),
        }
    }

    fn scalar_sort(&mut self) -> Sort {
        match self.random.below(4) {
            0 => Sort::Bool,
            1 | 2 if self.shape.integers => Sort::Int,
            _ => self.vector_sort(),
        }
    }

    fn vector_sort(&mut self) -> Sort {
        Sort::BitVec(*self.random.choose(&self.shape.widths))
    }

    /// A term of the sort, not simplified.
    pub fn term(&mut self, terms: &mut Terms, sort: Sort) -> TermId {
        self.nested(terms, sort, self.shape.depth)
    }

    /// A constant of the sort, near a bound more often than not.
    pub fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.random.once_in(2)),
            Sort::Int => {
                let small = Integer::from(self.random.below(9) as i64 - 4);
                let big = Integer::power_of_two(self.random.below(70) as u32);
                Value::Int(match self.random.below(8) {
                    0 => small + big,
                    1 => small - big,
                    _ => small,
                })
            }
            Sort::BitVec(width @ (32 | 64)) if self.shape.floats && self.random.once_in(2) => {
                self.float_value(FloatKind::of_width(width).expect("the width is that of a format"))
            }
            Sort::BitVec(width) => {
                let small = Integer::from(self.random.below(7) as i64 - 3);
                let value = match self.random.below(4) {
                    0 => small + Integer::power_of_two(self.random.below(width as usize) as u32),
                    1 => small + Integer::power_of_two(width - 1),
                    2 => Integer::from(self.random.next_u64()),
                    _ => small,
                };
                Value::BitVec(value.wrap_unsigned(width), width)
            }
            Sort::Array(parts) => {
                let mut array = ArrayValue::constant(sort, self.value(parts.element()));
                for _ in 0..self.random.below(4) {
                    let (index, element) = (self.value(parts.index()), self.value(parts.element()));
                    array = array.store(index, element);
                }
                array.into()
            }
        }
    }

    /// Values for all symbols of the store.
    pub fn assignment(&mut self, terms: &Terms, term: TermId) -> Assignment {
        let symbols = terms.symbols_of([term]);
        symbols.into_iter().map(|symbol| (symbol, self.value(terms.symbol_sort(symbol)))).collect()
    }

    /// One of three symbols of the sort, or a constant.
    pub fn leaf(&mut self, terms: &mut Terms, sort: Sort) -> TermId {
        if self.random.once_in(3) {
            let value = self.value(sort);
            return terms.of_value(&value);
        }
        let letter = ["x", "y", "z"][self.random.below(3)];
        let sort_name = match sort {
            Sort::Bool => "bool".to_owned(),
            Sort::Int => "int".to_owned(),
            Sort::BitVec(width) => width.to_string(),
            Sort::Array(_) => sort.to_string(),
        };
        terms.var(&format!("{letter} {sort_name}"), sort)
    }

    fn nested(&mut self, terms: &mut Terms, sort: Sort, depth: u32) -> TermId {
        if depth == 0 || self.random.once_in(6) {
            return self.leaf(terms, sort);
        }
        let (op, sorts) = self.operator(sort);
        let mut args: Vec<TermId> = Vec::with_capacity(sorts.len());
        for sort in sorts {
            // Equal arguments are what many rules wait for.
            let same = args.iter().copied().find(|a| terms.sort(*a) == sort);
            let arg = match same {
                Some(same) if self.random.once_in(8) => same,
                _ => self.nested(terms, sort, depth - 1),
            };
            args.push(arg);
        }
        terms.raw(op, &args)
    }

    /// An operator with a result of the sort, and the sorts of its arguments.
    pub fn operator(&mut self, sort: Sort) -> (Op, Vec<Sort>) {
        let choice = self.random.below(12);
        if choice == 0 {
            return (Op::Ite, vec![Sort::Bool, sort, sort]);
        }
        if choice == 1 && self.shape.arrays {
            let index = self.scalar_sort();
            return (Op::Select, vec![Sort::array(index, sort), index]);
        }
        match sort {
            Sort::Bool => self.predicate(),
            Sort::Int => self.integer_operator(),
            Sort::BitVec(width) => self.vector_operator(width),
            Sort::Array(parts) if self.random.once_in(4) => (Op::ConstArray(sort), vec![parts.element()]),
            Sort::Array(parts) => (Op::Store, vec![sort, parts.index(), parts.element()]),
        }
    }

    fn predicate(&mut self) -> (Op, Vec<Sort>) {
        use Op::*;
        if self.shape.floats && self.random.once_in(2) {
            let op = *self.random.choose(&[FloatOp::Lt, FloatOp::Le, FloatOp::Eq]);
            return (Float(op), vec![Sort::BitVec(*self.random.choose(&[32, 64])); 2]);
        }
        match self.random.below(9) {
            0 => (Not, vec![Sort::Bool]),
            1 | 2 => {
                let op = self.random.choose(&[And, Or]).clone();
                (op, vec![Sort::Bool; 2 + self.random.below(2)])
            }
            3 => (Implies, vec![Sort::Bool; 2]),
            4 => {
                let sort = self.sort();
                (Eq, vec![sort; 2])
            }
            5 | 6 if self.shape.integers => (self.random.choose(&[Le, Lt]).clone(), vec![Sort::Int; 2]),
            _ => {
                let sort = self.vector_sort();
                (self.random.choose(&[BvUlt, BvUle, BvSlt, BvSle]).clone(), vec![sort; 2])
            }
        }
    }

    fn integer_operator(&mut self) -> (Op, Vec<Sort>) {
        use Op::*;
        match self.random.below(8) {
            0 => (BvToNat, vec![self.vector_sort()]),
            1 => (Neg, vec![Sort::Int]),
            2 => (Mul, vec![Sort::Int; 2 + self.random.below(2)]),
            3 => (Div, vec![Sort::Int; 2]),
            4 => (Mod, vec![Sort::Int; 2]),
            _ => (Add, vec![Sort::Int; 2 + self.random.below(2)]),
        }
    }

    /// An operator on floating-point numbers with a result of that width.
    fn float_operator(&mut self, width: u32) -> (Op, Vec<Sort>) {
        let (float, from) = (FloatKind::of_width(width), *self.random.choose(&[32, 64]));
        let (op, arguments) = match (float, self.random.below(6)) {
            (Some(kind), 0) => (FloatOp::OfSigned(kind), vec![self.vector_sort()]),
            (Some(kind), 1) => (FloatOp::OfUnsigned(kind), vec![self.vector_sort()]),
            (Some(kind), 2) => (FloatOp::Convert(kind), vec![Sort::BitVec(96 - width)]),
            (Some(_), _) => {
                let op = *self.random.choose(&[FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div]);
                (op, vec![Sort::BitVec(width); 2])
            }
            (None, 0..3) => (FloatOp::ToSigned(width), vec![Sort::BitVec(from)]),
            (None, _) => (FloatOp::ToUnsigned(width), vec![Sort::BitVec(from)]),
        };
        (Op::Float(op), arguments)
    }

    /// The bits of a floating-point number that is special, or near to one.
    fn float_value(&mut self, kind: FloatKind) -> Value {
        let number = *self.random.choose(&["0.0", "-0.0", "1.0", "-1.5", "0.1", "3e9", "inf", "-inf"]);
        let bits = kind.parse(number).expect("each is a number");
        let near = Integer::from(bits) + Integer::from(self.random.below(3) as i64 - 1);
        Value::BitVec(near.wrap_unsigned(kind.width()), kind.width())
    }

    fn vector_operator(&mut self, width: u32) -> (Op, Vec<Sort>) {
        use Op::*;
        let sort = Sort::BitVec(width);
        if self.shape.floats && self.random.once_in(2) {
            return self.float_operator(width);
        }
        match self.random.below(20) {
            0 => (BvNeg, vec![sort]),
            1 => (BvNot, vec![sort]),
            2 if self.shape.integers => (IntToBv(width), vec![Sort::Int]),
            3 | 4 if width > 1 => {
                let low = 1 + self.random.below(width as usize - 1) as u32;
                (Concat, vec![Sort::BitVec(width - low), Sort::BitVec(low)])
            }
            5 => {
                let (above, below) = (self.random.below(4) as u32, self.random.below(4) as u32);
                (Extract(below + width - 1, below), vec![Sort::BitVec(above + width + below)])
            }
            6 | 7 => {
                let more = self.random.below(width as usize) as u32;
                let op = if self.random.once_in(2) { ZeroExtend(more) } else { SignExtend(more) };
                (op, vec![Sort::BitVec(width - more)])
            }
            _ => {
                let op = self.random.choose(&[
                    BvAdd, BvAdd, BvSub, BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvShl, BvLshr, BvAshr, BvAnd,
                    BvOr, BvXor,
                ]);
                (op.clone(), vec![sort; 2])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_terms() {
        let print_one = |seed: u64| {
            let mut terms = Terms::new();
            let mut generator = Generator::new(seed, Shape::default());
            let term = generator.term(&mut terms, Sort::Bool);
            crate::term::smtlib::print(&terms, term)
        };
        assert_eq!(print_one(7), print_one(7));
        let different: std::collections::BTreeSet<String> = (0..50).map(print_one).collect();
        assert!(different.len() > 25);
    }
}

//! The named constructors of terms. Each goes through [`Terms::make`], and so simplifies.

use super::{Integer, Op, Sort, TermId, Terms};

macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident => $op:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(&mut self, a: TermId) -> TermId { self.make($op, &[a]) }
    )*};
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident => $op:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(&mut self, a: TermId, b: TermId) -> TermId { self.make($op, &[a, b]) }
    )*};
}

impl Terms {
    /// A truth value.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.raw(Op::Bool(value), &[])
    }

    /// An integer.
    pub fn int(&mut self, value: impl Into<Integer>) -> TermId {
        self.raw(Op::Int(value.into()), &[])
    }

    /// A bit-vector: the value modulo 2^width.
    pub fn bit_vec(&mut self, value: impl Into<Integer>, width: u32) -> TermId {
        self.raw(Op::BitVec(value.into().wrap_unsigned(width), width), &[])
    }

    /// The conjunction of any number of terms.
    pub fn and(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        self.of_any_number(Op::And, true, terms)
    }

    /// The disjunction of any number of terms.
    pub fn or(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        self.of_any_number(Op::Or, false, terms)
    }

    fn of_any_number(&mut self, op: Op, empty: bool, terms: impl IntoIterator<Item = TermId>) -> TermId {
        let terms: Vec<TermId> = terms.into_iter().collect();
        match terms[..] {
            [] => self.bool(empty),
            [one] => one,
            _ => self.make(op, &terms),
        }
    }

    /// The sum of any number of integers.
    pub fn sum(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        let terms: Vec<TermId> = terms.into_iter().collect();
        match terms[..] {
            [] => self.int(0),
            [one] => one,
            _ => self.make(Op::Add, &terms),
        }
    }

    /// If, then, else.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        self.make(Op::Ite, &[condition, then, otherwise])
    }

    /// The two terms differ.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Difference of integers.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let minus_b = self.neg(b);
        self.add(a, minus_b)
    }

    /// Greater, on integers.
    pub fn gt(&mut self, a: TermId, b: TermId) -> TermId {
        self.lt(b, a)
    }

    /// At least, on integers.
    pub fn ge(&mut self, a: TermId, b: TermId) -> TermId {
        self.le(b, a)
    }

    /// A bit-vector as an integer in two's complement.
    pub fn bv_to_int(&mut self, a: TermId) -> TermId {
        let width = self.sort(a).width().expect("bv_to_int takes a bit-vector");
        let natural = self.bv_to_nat(a);
        let zero = self.bit_vec(0, width);
        let negative = self.bv_slt(a, zero);
        let modulus = self.int(Integer::power_of_two(width));
        let wrapped = self.sub(natural, modulus);
        self.ite(negative, wrapped, natural)
    }

    /// An array with one element replaced.
    pub fn store(&mut self, array: TermId, index: TermId, element: TermId) -> TermId {
        self.make(Op::Store, &[array, index, element])
    }

    unary! {
        /// Not.
        not => Op::Not;
        /// Minus an integer.
        neg => Op::Neg;
        /// Two's complement negation.
        bv_neg => Op::BvNeg;
        /// Bitwise not.
        bv_not => Op::BvNot;
        /// A bit-vector as a natural number.
        bv_to_nat => Op::BvToNat;
    }

    binary! {
        /// The first implies the second.
        implies => Op::Implies;
        /// Equal; on Bool, if and only if.
        eq => Op::Eq;
        /// Sum of two integers.
        add => Op::Add;
        /// Product of two integers.
        mul => Op::Mul;
        /// Quotient of integers as SMT-LIB has it.
        div => Op::Div;
        /// Remainder of integers as SMT-LIB has it.
        modulo => Op::Mod;
        /// At most, on integers.
        le => Op::Le;
        /// Less, on integers.
        lt => Op::Lt;
        /// Sum, wrapping.
        bv_add => Op::BvAdd;
        /// Difference, wrapping.
        bv_sub => Op::BvSub;
        /// Product, wrapping.
        bv_mul => Op::BvMul;
        /// Unsigned quotient.
        bv_udiv => Op::BvUdiv;
        /// Unsigned remainder.
        bv_urem => Op::BvUrem;
        /// Signed quotient.
        bv_sdiv => Op::BvSdiv;
        /// Signed remainder.
        bv_srem => Op::BvSrem;
        /// Shift left.
        bv_shl => Op::BvShl;
        /// Shift right, zeros in.
        bv_lshr => Op::BvLshr;
        /// Shift right, sign in.
        bv_ashr => Op::BvAshr;
        /// Bitwise and.
        bv_and => Op::BvAnd;
        /// Bitwise or.
        bv_or => Op::BvOr;
        /// Bitwise exclusive or.
        bv_xor => Op::BvXor;
        /// Unsigned less.
        bv_ult => Op::BvUlt;
        /// Unsigned at most.
        bv_ule => Op::BvUle;
        /// Signed less.
        bv_slt => Op::BvSlt;
        /// Signed at most.
        bv_sle => Op::BvSle;
        /// The first argument's bits above the second's.
        concat => Op::Concat;
        /// The element of an array at an index.
        select => Op::Select;
    }

    /// Bits `high` down to `low`, both included.
    pub fn extract(&mut self, high: u32, low: u32, a: TermId) -> TermId {
        self.make(Op::Extract(high, low), &[a])
    }

    /// `more` zeros added above.
    pub fn zero_extend(&mut self, more: u32, a: TermId) -> TermId {
        self.make(Op::ZeroExtend(more), &[a])
    }

    /// `more` copies of the sign added above.
    pub fn sign_extend(&mut self, more: u32, a: TermId) -> TermId {
        self.make(Op::SignExtend(more), &[a])
    }

    /// An integer modulo 2^width, as a bit-vector.
    pub fn int_to_bv(&mut self, width: u32, a: TermId) -> TermId {
        self.make(Op::IntToBv(width), &[a])
    }

    /// The array of that sort that holds one value everywhere.
    pub fn const_array(&mut self, sort: Sort, element: TermId) -> TermId {
        self.make(Op::ConstArray(sort), &[element])
    }
}

//! Floating-point numbers: what the operators of programs do with them, by the one meaning that terms have too.

use super::{BinaryOp, MachineInt};
pub use crate::term::FloatKind;
use crate::term::{FloatOp, Integer};

impl FloatKind {
    /// Sum, difference, product or quotient.
    pub fn arithmetic(self, op: BinaryOp, a: u64, b: u64) -> u64 {
        let op = match op {
            BinaryOp::Add => FloatOp::Add,
            BinaryOp::Sub => FloatOp::Sub,
            BinaryOp::Mul => FloatOp::Mul,
            BinaryOp::Div => FloatOp::Div,
            _ => unreachable!("{op:?} is no arithmetic of floating-point numbers"),
        };
        self.operate(op, a, b)
    }

    /// A comparison: NaN is different from everything, and neither less nor greater than anything.
    pub fn compare(self, op: BinaryOp, a: u64, b: u64) -> bool {
        match op {
            BinaryOp::Eq => self.relate(FloatOp::Eq, a, b),
            BinaryOp::Ne => !self.relate(FloatOp::Eq, a, b),
            BinaryOp::Lt => self.relate(FloatOp::Lt, a, b),
            BinaryOp::Le => self.relate(FloatOp::Le, a, b),
            BinaryOp::Gt => self.relate(FloatOp::Lt, b, a),
            BinaryOp::Ge => self.relate(FloatOp::Le, b, a),
            _ => unreachable!("{op:?} compares no floating-point numbers"),
        }
    }

    /// The number towards zero from this one; the nearest end of the type for one outside it, 0 for NaN.
    pub fn to_integer(self, bits: u64, ty: MachineInt) -> Integer {
        self.to_whole(bits, ty.width, ty.signed)
    }
}

#[cfg(test)]
mod tests {
    use super::FloatKind::{F32, F64};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_do_as_the_machine_does(a in any::<f64>(), b in any::<f64>()) {
            let result = |op| f64::from_bits(F64.arithmetic(op, a.to_bits(), b.to_bits()));
            for (result, expected) in [(result(BinaryOp::Add), a + b), (result(BinaryOp::Div), a / b)] {
                prop_assert!(result == expected || (result.is_nan() && expected.is_nan()));
            }
            prop_assert_eq!(F64.compare(BinaryOp::Le, a.to_bits(), b.to_bits()), a <= b);
            prop_assert_eq!(F32.of_f64(a), u64::from((a as f32).to_bits()));
        }
    }

    #[test]
    fn corner_cases() {
        let nan = F64.parse("nan(0x7ff0000000000001)").expect("a signalling one");
        let quiet = F64.arithmetic(BinaryOp::Add, 1f64.to_bits(), nan);
        assert_eq!(quiet, 0x7ff8_0000_0000_0001);
        assert_eq!(F64.arithmetic(BinaryOp::Div, 0, 0), 0xfff8_0000_0000_0000);
        assert_eq!(F32.arithmetic(BinaryOp::Sub, F32.of_f64(f64::INFINITY), F32.of_f64(f64::INFINITY)), 0xffc0_0000);
        assert_eq!(F32.convert(quiet, F64), 0x7fc0_0000);
        assert_eq!(F64.convert(0xff80_0001, F32), 0xfff8_0000_2000_0000);
        for op in [BinaryOp::Eq, BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge] {
            assert!(!F64.compare(op, nan, nan));
        }
        assert!(F64.compare(BinaryOp::Ne, nan, nan) && F64.is_nonzero(nan));
        assert!(F64.compare(BinaryOp::Eq, 0, F64.sign()) && !F64.is_nonzero(F64.sign()));
        let whole = |x: f64, width, signed| F64.to_integer(x.to_bits(), MachineInt { width, signed });
        assert_eq!(whole(-1.9, 8, true), Integer::from(-1));
        assert_eq!(whole(-1.9, 8, false), Integer::ZERO);
        assert_eq!(whole(1e9, 8, true), Integer::from(127));
        assert_eq!(whole(f64::NAN, 8, true), Integer::ZERO);
        assert_eq!(whole(f64::INFINITY, 128, false), MachineInt { width: 128, signed: false }.max());
        assert_eq!(whole(-1e300, 128, true), MachineInt { width: 128, signed: true }.min());
    }
}

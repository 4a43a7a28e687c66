package tandem;

/** Boxes and the text of numbers, in place of methods that rely on how the JDK stores strings. */
public final class Numbers {
    private static final Integer[] INTEGERS = new Integer[256];
    private static final Long[] LONGS = new Long[256];
    private static final Short[] SHORTS = new Short[256];
    private static final Byte[] BYTES = new Byte[256];
    private static final Character[] CHARACTERS = new Character[128];

    @SuppressWarnings("removal")
    public static Integer box(int value) {
        if (value < -128 || value > 127) {
            return new Integer(value);
        }
        Integer known = INTEGERS[value + 128];
        if (known == null) {
            known = new Integer(value);
            INTEGERS[value + 128] = known;
        }
        return known;
    }

    @SuppressWarnings("removal")
    public static Long box(long value) {
        if (value < -128 || value > 127) {
            return new Long(value);
        }
        Long known = LONGS[(int) value + 128];
        if (known == null) {
            known = new Long(value);
            LONGS[(int) value + 128] = known;
        }
        return known;
    }

    @SuppressWarnings("removal")
    public static Short box(short value) {
        if (value < -128 || value > 127) {
            return new Short(value);
        }
        Short known = SHORTS[value + 128];
        if (known == null) {
            known = new Short(value);
            SHORTS[value + 128] = known;
        }
        return known;
    }

    @SuppressWarnings("removal")
    public static Byte box(byte value) {
        Byte known = BYTES[value + 128];
        if (known == null) {
            known = new Byte(value);
            BYTES[value + 128] = known;
        }
        return known;
    }

    @SuppressWarnings("removal")
    public static Character box(char value) {
        if (value > 127) {
            return new Character(value);
        }
        Character known = CHARACTERS[value];
        if (known == null) {
            known = new Character(value);
            CHARACTERS[value] = known;
        }
        return known;
    }

    public static String text(int value) {
        return text((long) value);
    }

    public static String text(long value) {
        char[] digits = new char[20];
        int start = 20;
        long rest = value < 0 ? value : -value;
        do {
            start--;
            digits[start] = (char) ('0' - rest % 10);
            rest /= 10;
        } while (rest != 0);
        if (value < 0) {
            start--;
            digits[start] = '-';
        }
        return new String(digits, start, 20 - start);
    }

    public static String text(int value, int radix) {
        return text((long) value, radix);
    }

    public static String text(long value, int radix) {
        if (radix < Character.MIN_RADIX || radix > Character.MAX_RADIX) {
            radix = 10;
        }
        char[] digits = new char[65];
        int start = 65;
        long rest = value < 0 ? value : -value;
        do {
            start--;
            digits[start] = digit((int) -(rest % radix));
            rest /= radix;
        } while (rest != 0);
        if (value < 0) {
            start--;
            digits[start] = '-';
        }
        return new String(digits, start, 65 - start);
    }

    private static char digit(int value) {
        return (char) (value < 10 ? '0' + value : 'a' + value - 10);
    }

    private static String bits(long value, int width) {
        char[] digits = new char[64];
        int start = 64;
        int mask = (1 << width) - 1;
        do {
            start--;
            digits[start] = digit((int) value & mask);
            value >>>= width;
        } while (value != 0);
        return new String(digits, start, 64 - start);
    }

    public static String hex(int value) {
        return bits(value & 0xffffffffL, 4);
    }

    public static String octal(int value) {
        return bits(value & 0xffffffffL, 3);
    }

    public static String binary(int value) {
        return bits(value & 0xffffffffL, 1);
    }

    public static String hex(long value) {
        return bits(value, 4);
    }

    public static String octal(long value) {
        return bits(value, 3);
    }

    public static String binary(long value) {
        return bits(value, 1);
    }

    /** The remainder of a division towards zero, exactly, as the instruction `drem` has it. */
    public static double remainder(double a, double b) {
        if (a != a || b != b || b == 0 || a == Double.POSITIVE_INFINITY || a == Double.NEGATIVE_INFINITY) {
            return Double.NaN;
        }
        double divisor = b < 0 ? -b : b;
        double rest = a < 0 ? -a : a;
        if (divisor == Double.POSITIVE_INFINITY || rest < divisor || a == 0) {
            return a;
        }
        // Multiples of the divisor by powers of two are exact, and so are the differences.
        double step = divisor;
        while (step <= rest * 0.5) {
            step += step;
        }
        while (true) {
            if (step <= rest) {
                rest -= step;
            }
            if (step == divisor) {
                break;
            }
            step *= 0.5;
        }
        if (rest == 0) {
            return a < 0 ? -0.0 : 0.0;
        }
        return a < 0 ? -rest : rest;
    }

    public static float remainder(float a, float b) {
        // Both are exact as doubles, and the remainder is one of the numbers with the divisor's last place.
        return (float) remainder((double) a, (double) b);
    }

    /** The square root, bit by bit, rounded to the nearest number. */
    public static double squareRoot(double x) {
        if (x == 0 || x != x || x == Double.POSITIVE_INFINITY) {
            return x;
        }
        if (x < 0) {
            return Double.NaN;
        }
        long rest = Double.doubleToRawLongBits(x);
        int exponent = (int) (rest >> 52);
        if (exponent == 0) {
            // A number near zero, without the leading bit of others.
            while ((rest & 1L << 52) == 0) {
                rest <<= 1;
                exponent--;
            }
            exponent++;
        }
        exponent -= 1023;
        rest = rest & (1L << 52) - 1 | 1L << 52;
        if ((exponent & 1) != 0) {
            rest <<= 1;
        }
        exponent >>= 1;
        rest <<= 1;
        long root = 0;
        long twice = 0;
        for (long bit = 1L << 53; bit != 0; bit >>= 1) {
            long tried = twice + bit;
            if (tried <= rest) {
                twice = tried + bit;
                rest -= tried;
                root += bit;
            }
            rest <<= 1;
        }
        if (rest != 0) {
            root += root & 1;
        }
        return Double.longBitsToDouble((root >> 1) + ((long) (exponent - 1 + 1023) << 52));
    }

    /** A number with the sign of another, where the language says which that is: not of NaN. */
    public static double copySign(double magnitude, double sign) {
        if (sign != sign) {
            Native.unmodelled();
        }
        return StrictMath.copySign(magnitude, sign);
    }

    public static float copySign(float magnitude, float sign) {
        if (sign != sign) {
            Native.unmodelled();
        }
        return StrictMath.copySign(magnitude, sign);
    }

    /** A power, where the language says exactly which number it is. */
    public static double power(double base, double exponent) {
        double result = StrictMath.pow(base, exponent);
        if (!isKnownPower(base, exponent, result)) {
            Native.unmodelled();
        }
        return result;
    }

    /** Whether no virtual machine can have another result: elsewhere the last digit is its own. */
    private static boolean isKnownPower(double base, double exponent, double result) {
        if (exponent == 0 || exponent == 1 || exponent == 2 || base == 0 || base == 1
                || isSpecial(base) || isSpecial(exponent) || result != result) {
            return true;
        }
        if (!isWhole(base) || !isWhole(exponent)) {
            return false;
        }
        // Of whole numbers the result is exact, if it is a number.
        double size = base < 0 ? -base : base;
        boolean isPowerOfTwo = (Double.doubleToRawLongBits(size) & (1L << 52) - 1) == 0;
        if (isPowerOfTwo) {
            return result != 0 || exponent < -1100;
        }
        double largest = 9007199254740992.0;
        if (exponent < 0 || size > largest) {
            return false;
        }
        double product = 1;
        for (double i = 0; i < exponent; i++) {
            if (product > largest / size) {
                return false;
            }
            product *= size;
        }
        return product <= largest;
    }

    private static boolean isSpecial(double value) {
        return value != value || value == Double.POSITIVE_INFINITY || value == Double.NEGATIVE_INFINITY;
    }

    private static boolean isWhole(double value) {
        return Math.rint(value) == value;
    }

    /** The power of e, where the language says exactly which number it is. */
    public static double exponential(double exponent) {
        if (exponent == 0) {
            return 1;
        }
        if (exponent != exponent || exponent == Double.POSITIVE_INFINITY) {
            return exponent;
        }
        if (exponent != Double.NEGATIVE_INFINITY) {
            Native.unmodelled();
        }
        return 0;
    }

    /** The logarithm, where the language says exactly which number it is. */
    public static double exactLogarithm(double x) {
        double result = logarithm(x);
        if (x != 1 && result == result && !isSpecial(result)) {
            Native.unmodelled();
        }
        return result;
    }

    /** The logarithm as the library `fdlibm` has it, which `StrictMath` stands for. */
    public static double logarithm(double x) {
        double number = x;
        int high = (int) (Double.doubleToRawLongBits(number) >> 32);
        int exponent = 0;
        if (high < 0x00100000) {
            if (number == 0) {
                return Double.NEGATIVE_INFINITY;
            }
            if (high < 0) {
                return Double.NaN;
            }
            // A number near zero, without the leading bit of others.
            exponent = -54;
            number *= 0x1p54;
            high = (int) (Double.doubleToRawLongBits(number) >> 32);
        }
        if (high >= 0x7ff00000) {
            return number + number;
        }
        exponent += (high >> 20) - 1023;
        high &= 0x000fffff;
        int half = high + 0x95f64 & 0x100000;
        exponent += half >> 20;
        long bits = Double.doubleToRawLongBits(number) & 0xffffffffL;
        double f = Double.longBitsToDouble((long) (high | half ^ 0x3ff00000) << 32 | bits) - 1.0;
        double upper = exponent * 6.93147180369123816490e-01;
        double lower = exponent * 1.90821492927058770002e-10;
        if ((0x000fffff & 2 + high) < 3) {
            if (f == 0) {
                return exponent == 0 ? 0 : upper + lower;
            }
            double rest = f * f * (0.5 - 0.33333333333333333 * f);
            return exponent == 0 ? f - rest : upper - (rest - lower - f);
        }
        double s = f / (2.0 + f);
        double z = s * s;
        double w = z * z;
        double odd = z * (6.666666666666735130e-01
                + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
        double even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
        double rest = odd + even;
        if ((high - 0x6147a | 0x6b851 - high) > 0) {
            double square = 0.5 * f * f;
            return exponent == 0
                    ? f - (square - s * (square + rest))
                    : upper - (square - (s * (square + rest) + lower) - f);
        }
        return exponent == 0 ? f - s * (f - rest) : upper - (s * (f - rest) - lower - f);
    }

    private Numbers() {
    }
}

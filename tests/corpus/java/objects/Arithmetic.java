// expect: safe
// unknown: symbolic
// Integers wrap, shifts take their amount modulo the width, conversions cut off or saturate.
class Arithmetic {
    static int max = Integer.MAX_VALUE;
    static long most = Long.MAX_VALUE;

    public static void main(String[] args) {
        assert max + 1 == Integer.MIN_VALUE;
        assert most + 1 == Long.MIN_VALUE;
        assert Integer.MIN_VALUE / -max == 1;
        int minusOne = -1;
        assert Integer.MIN_VALUE / minusOne == Integer.MIN_VALUE;
        assert Integer.MIN_VALUE % minusOne == 0;
        assert -7 / (max - max + 2) == -3 && -7 % (max - max + 2) == -1;
        int one = max - max + 1;
        assert one << 33 == 2 && one << -1 == Integer.MIN_VALUE;
        assert minusOne >>> 28 == 15 && minusOne >> 28 == -1;
        long wide = one;
        assert wide << 65 == 2 && (wide << 63) >>> 63 == 1 && -wide >>> 60 == 15;
        assert (byte) 200 == -56 && (char) -1 == 65535 && (short) 40000 == -25536;
        assert (int) most == -1 && (int) (wide << 32) == 0;
        double big = 1e300;
        assert (int) big == Integer.MAX_VALUE && (long) -big == Long.MIN_VALUE;
        double nan = big - big;
        nan = nan / nan;
        assert (int) nan == 0 && nan != nan && !(nan < 1) && !(nan >= 1);
        assert (float) 0.1 != 0.1 && 0.1f + 0.2f == 0.3f + 0.00000001f;
        assert 10.5 % 3 == 1.5 && -10.5 % 3 == -1.5 && 5f % 3f == 2f;
        double tiny = one * Double.MIN_VALUE;
        assert big % 3e-300 == 9.626317689605992E-301 && Double.MAX_VALUE % (7 * tiny) == 2.5E-323;
        assert 1 / (one * 0.0) == Double.POSITIVE_INFINITY && 1 / (one * -0.0) == Double.NEGATIVE_INFINITY;
        assert (max ^ 5) == 0x7ffffffa && (~max & max | 3) == 3;
        char letter = 'a';
        letter += 1;
        letter++;
        assert letter == 'c';
        byte small = 127;
        small++;
        assert small == -128;
        assert Long.compare(most, wide) > 0 && Math.abs(-5) == 5 && Math.max(2L, 3L) == 3;
        assert Integer.bitCount(255) == 8 && Long.numberOfTrailingZeros(8) == 3;
        assert Double.doubleToLongBits(1.0) == 0x3ff0000000000000L && Float.intBitsToFloat(0x40490fdb) > 3.14f;
    }
}

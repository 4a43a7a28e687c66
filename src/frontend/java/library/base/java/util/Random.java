package java.util;

import tandem.Native;

/** Random numbers: any where there is no seed, else those that Java says. */
public class Random implements java.io.Serializable {
    private long seed;
    private boolean isSeeded;
    private double nextGaussian;
    private boolean hasNextGaussian;

    public Random() {
    }

    public Random(long seed) {
        setSeed(seed);
    }

    public void setSeed(long seed) {
        this.seed = (seed ^ 0x5DEECE66DL) & ((1L << 48) - 1);
        isSeeded = true;
        hasNextGaussian = false;
    }

    protected int next(int bits) {
        if (!isSeeded) {
            int any = Native.anyInt();
            return bits == 32 ? any : any >>> (32 - bits);
        }
        seed = (seed * 0x5DEECE66DL + 0xBL) & ((1L << 48) - 1);
        return (int) (seed >>> (48 - bits));
    }

    public int nextInt() {
        return next(32);
    }

    public int nextInt(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound must be positive");
        }
        if (!isSeeded) {
            int any = Native.anyInt();
            Native.assume(any >= 0 && any < bound);
            return any;
        }
        int r = next(31);
        int m = bound - 1;
        if ((bound & m) == 0) {
            return (int) ((bound * (long) r) >> 31);
        }
        for (int u = r; u - (r = u % bound) + m < 0; u = next(31)) {
        }
        return r;
    }

    public void nextBytes(byte[] bytes) {
        for (int i = 0, length = bytes.length; i < length;) {
            for (int random = nextInt(), n = length - i < 4 ? length - i : 4; n-- > 0; random >>= 8) {
                bytes[i++] = (byte) random;
            }
        }
    }

    public long nextLong() {
        if (!isSeeded) {
            return Native.anyLong();
        }
        return ((long) next(32) << 32) + next(32);
    }

    public boolean nextBoolean() {
        if (!isSeeded) {
            return Native.anyBoolean();
        }
        return next(1) != 0;
    }

    public float nextFloat() {
        return next(24) / (float) (1 << 24);
    }

    public double nextDouble() {
        return (((long) next(26) << 27) + next(27)) * 0x1.0p-53;
    }

    public double nextGaussian() {
        if (hasNextGaussian) {
            hasNextGaussian = false;
            return nextGaussian;
        }
        double first;
        double second;
        double sum;
        do {
            first = 2 * nextDouble() - 1;
            second = 2 * nextDouble() - 1;
            sum = first * first + second * second;
        } while (sum >= 1 || sum == 0);
        double factor = StrictMath.sqrt(-2 * StrictMath.log(sum) / sum);
        nextGaussian = second * factor;
        hasNextGaussian = true;
        return first * factor;
    }
}

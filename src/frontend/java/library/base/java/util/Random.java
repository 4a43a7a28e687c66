package java.util;

import tandem.Native;

/** Random numbers: any where there is no seed, else those that Java says. */
public class Random implements java.io.Serializable {
    private long seed;
    private boolean isSeeded;
    private double nextGaussian;
    private boolean hasNextGaussian;

    public Random() {
        if (Native.overridesSetSeed(this)) {
            setSeed(Native.anyLong());
        }
    }

    public Random(long seed) {
        if (Native.overridesSetSeed(this)) {
            setSeed(seed);
        } else {
            this.seed = (seed ^ 0x5DEECE66DL) & ((1L << 48) - 1);
            isSeeded = true;
        }
    }

    public synchronized void setSeed(long seed) {
        Native.atomicBegin();
        this.seed = (seed ^ 0x5DEECE66DL) & ((1L << 48) - 1);
        isSeeded = true;
        Native.atomicEnd();
        hasNextGaussian = false;
    }

    /** The seed changes in one step, whoever else asks. */
    protected int next(int bits) {
        Native.atomicBegin();
        boolean isSeeded = this.isSeeded;
        long next = (seed * 0x5DEECE66DL + 0xBL) & ((1L << 48) - 1);
        if (isSeeded) {
            seed = next;
        }
        Native.atomicEnd();
        if (!isSeeded) {
            int any = Native.anyInt();
            return bits == 32 ? any : any >>> (32 - bits);
        }
        return (int) (next >>> (48 - bits));
    }

    /** Whether what comes next is any number: there is no seed, and no other way to make one. */
    private boolean isOpen() {
        Native.atomicBegin();
        boolean result = !isSeeded;
        Native.atomicEnd();
        return result && !Native.overridesNext(this);
    }

    public int nextInt() {
        return next(32);
    }

    public int nextInt(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound must be positive");
        }
        if (isOpen()) {
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
        if (isOpen()) {
            return Native.anyLong();
        }
        return ((long) next(32) << 32) + next(32);
    }

    public boolean nextBoolean() {
        if (isOpen()) {
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

    public synchronized double nextGaussian() {
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

package java.util.concurrent.atomic;

import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import tandem.Native;

/** A number that is changed in one step. */
public class AtomicInteger extends Number implements java.io.Serializable {
    private volatile int value;

    public AtomicInteger() {
    }

    public AtomicInteger(int value) {
        this.value = value;
    }

    public final int get() {
        return value;
    }

    public final void set(int value) {
        this.value = value;
    }

    public final void lazySet(int value) {
        this.value = value;
    }

    public final int getAndSet(int next) {
        Native.atomicBegin();
        int before = value;
        value = next;
        Native.atomicEnd();
        return before;
    }

    public final boolean compareAndSet(int expected, int next) {
        Native.atomicBegin();
        boolean fits = value == expected;
        if (fits) {
            value = next;
        }
        Native.atomicEnd();
        return fits;
    }

    public final int getAndAdd(int by) {
        Native.atomicBegin();
        int before = value;
        value = before + by;
        Native.atomicEnd();
        return before;
    }

    public final int getAndIncrement() {
        return getAndAdd(1);
    }

    public final int getAndDecrement() {
        return getAndAdd(-1);
    }

    public final int addAndGet(int by) {
        return getAndAdd(by) + by;
    }

    public final int incrementAndGet() {
        return getAndAdd(1) + 1;
    }

    public final int decrementAndGet() {
        return getAndAdd(-1) - 1;
    }

    public final int getAndUpdate(IntUnaryOperator update) {
        while (true) {
            int before = value;
            if (compareAndSet(before, update.applyAsInt(before))) {
                return before;
            }
        }
    }

    public final int updateAndGet(IntUnaryOperator update) {
        while (true) {
            int before = value;
            int next = update.applyAsInt(before);
            if (compareAndSet(before, next)) {
                return next;
            }
        }
    }

    public final int getAndAccumulate(int other, IntBinaryOperator join) {
        while (true) {
            int before = value;
            if (compareAndSet(before, join.applyAsInt(before, other))) {
                return before;
            }
        }
    }

    public final int accumulateAndGet(int other, IntBinaryOperator join) {
        while (true) {
            int before = value;
            int next = join.applyAsInt(before, other);
            if (compareAndSet(before, next)) {
                return next;
            }
        }
    }

    public String toString() {
        return Integer.toString(value);
    }

    public int intValue() {
        return value;
    }

    public long longValue() {
        return value;
    }

    public float floatValue() {
        return value;
    }

    public double doubleValue() {
        return value;
    }
}

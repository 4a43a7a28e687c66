package java.util.concurrent.atomic;

import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import tandem.Native;

/** A number that is changed in one step. */
public class AtomicLong extends Number implements java.io.Serializable {
    private volatile long value;

    public AtomicLong() {
    }

    public AtomicLong(long value) {
        this.value = value;
    }

    public final long get() {
        return value;
    }

    public final void set(long value) {
        this.value = value;
    }

    public final void lazySet(long value) {
        this.value = value;
    }

    public final long getAndSet(long next) {
        Native.atomicBegin();
        long before = value;
        value = next;
        Native.atomicEnd();
        return before;
    }

    public final boolean compareAndSet(long expected, long next) {
        Native.atomicBegin();
        boolean fits = value == expected;
        if (fits) {
            value = next;
        }
        Native.atomicEnd();
        return fits;
    }

    public final long getAndAdd(long by) {
        Native.atomicBegin();
        long before = value;
        value = before + by;
        Native.atomicEnd();
        return before;
    }

    public final long getAndIncrement() {
        return getAndAdd(1);
    }

    public final long getAndDecrement() {
        return getAndAdd(-1);
    }

    public final long addAndGet(long by) {
        return getAndAdd(by) + by;
    }

    public final long incrementAndGet() {
        return getAndAdd(1) + 1;
    }

    public final long decrementAndGet() {
        return getAndAdd(-1) - 1;
    }

    public final long getAndUpdate(LongUnaryOperator update) {
        while (true) {
            long before = value;
            if (compareAndSet(before, update.applyAsLong(before))) {
                return before;
            }
        }
    }

    public final long updateAndGet(LongUnaryOperator update) {
        while (true) {
            long before = value;
            long next = update.applyAsLong(before);
            if (compareAndSet(before, next)) {
                return next;
            }
        }
    }

    public final long getAndAccumulate(long other, LongBinaryOperator join) {
        while (true) {
            long before = value;
            if (compareAndSet(before, join.applyAsLong(before, other))) {
                return before;
            }
        }
    }

    public final long accumulateAndGet(long other, LongBinaryOperator join) {
        while (true) {
            long before = value;
            long next = join.applyAsLong(before, other);
            if (compareAndSet(before, next)) {
                return next;
            }
        }
    }

    public String toString() {
        return Long.toString(value);
    }

    public int intValue() {
        return (int) value;
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

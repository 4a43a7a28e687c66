package java.util.concurrent.atomic;

import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import tandem.Native;

/** A reference that is changed in one step. */
public class AtomicReference<V> implements java.io.Serializable {
    private volatile V value;

    public AtomicReference() {
    }

    public AtomicReference(V value) {
        this.value = value;
    }

    public final V get() {
        return value;
    }

    public final void set(V value) {
        this.value = value;
    }

    public final void lazySet(V value) {
        this.value = value;
    }

    public final V getAndSet(V next) {
        Native.atomicBegin();
        V before = value;
        value = next;
        Native.atomicEnd();
        return before;
    }

    public final boolean compareAndSet(V expected, V next) {
        Native.atomicBegin();
        boolean fits = value == expected;
        if (fits) {
            value = next;
        }
        Native.atomicEnd();
        return fits;
    }

    public final V getAndUpdate(UnaryOperator<V> update) {
        while (true) {
            V before = value;
            if (compareAndSet(before, update.apply(before))) {
                return before;
            }
        }
    }

    public final V updateAndGet(UnaryOperator<V> update) {
        while (true) {
            V before = value;
            V next = update.apply(before);
            if (compareAndSet(before, next)) {
                return next;
            }
        }
    }

    public final V getAndAccumulate(V other, BinaryOperator<V> join) {
        while (true) {
            V before = value;
            if (compareAndSet(before, join.apply(before, other))) {
                return before;
            }
        }
    }

    public final V accumulateAndGet(V other, BinaryOperator<V> join) {
        while (true) {
            V before = value;
            V next = join.apply(before, other);
            if (compareAndSet(before, next)) {
                return next;
            }
        }
    }

    public String toString() {
        return String.valueOf(value);
    }
}

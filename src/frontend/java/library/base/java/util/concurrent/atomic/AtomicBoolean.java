package java.util.concurrent.atomic;

import tandem.Native;

/** A truth value that is changed in one step. */
public class AtomicBoolean implements java.io.Serializable {
    private volatile boolean value;

    public AtomicBoolean() {
    }

    public AtomicBoolean(boolean value) {
        this.value = value;
    }

    public final boolean get() {
        return value;
    }

    public final void set(boolean value) {
        this.value = value;
    }

    public final void lazySet(boolean value) {
        this.value = value;
    }

    public final boolean getAndSet(boolean next) {
        Native.atomicBegin();
        boolean before = value;
        value = next;
        Native.atomicEnd();
        return before;
    }

    public final boolean compareAndSet(boolean expected, boolean next) {
        Native.atomicBegin();
        boolean fits = value == expected;
        if (fits) {
            value = next;
        }
        Native.atomicEnd();
        return fits;
    }

    public String toString() {
        return String.valueOf(value);
    }
}

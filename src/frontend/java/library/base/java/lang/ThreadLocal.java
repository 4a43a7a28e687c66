package java.lang;

import java.util.function.Supplier;
import tandem.Native;

/** A variable of which each thread has its own. */
public class ThreadLocal<T> {
    /** The value in a thread, and the thread's other variables. */
    static final class Entry {
        final ThreadLocal<?> variable;
        final Entry next;
        Object value;
        boolean isSet;

        Entry(ThreadLocal<?> variable, Entry next) {
            this.variable = variable;
            this.next = next;
        }
    }

    /** The value in the only thread, where there is no other. */
    private Entry only;
    private Supplier<? extends T> supplier;

    public static <S> ThreadLocal<S> withInitial(Supplier<? extends S> supplier) {
        ThreadLocal<S> made = new ThreadLocal<>();
        made.supplier = supplier;
        return made;
    }

    protected T initialValue() {
        return supplier == null ? null : supplier.get();
    }

    private Entry entry() {
        if (!Native.hasThreads()) {
            if (only == null) {
                only = new Entry(this, null);
            }
            return only;
        }
        Thread me = Thread.currentThread();
        Entry entry = me.locals;
        while (entry != null && entry.variable != this) {
            entry = entry.next;
        }
        if (entry == null) {
            entry = new Entry(this, me.locals);
            me.locals = entry;
        }
        return entry;
    }

    @SuppressWarnings("unchecked")
    public T get() {
        Entry entry = entry();
        if (!entry.isSet) {
            T value = initialValue();
            entry.value = value;
            entry.isSet = true;
        }
        return (T) entry.value;
    }

    public void set(T value) {
        Entry entry = entry();
        entry.value = value;
        entry.isSet = true;
    }

    public void remove() {
        Entry entry = entry();
        entry.isSet = false;
        entry.value = null;
    }
}

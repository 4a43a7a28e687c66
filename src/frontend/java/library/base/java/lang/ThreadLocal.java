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
        /** Whether a new thread has yet to take it over. */
        boolean isWaiting;

        Entry(ThreadLocal<?> variable, Entry next) {
            this.variable = variable;
            this.next = next;
        }

        /** The entry of a thread that takes this one over. */
        @SuppressWarnings("unchecked")
        Entry inherited(Entry next) {
            Entry made = new Entry(variable, next);
            made.value = ((ThreadLocal<Object>) variable).childValue(value);
            made.isSet = true;
            return made;
        }
    }

    /** The value in the only thread, where there is no other. */
    private Entry only;
    private Supplier<? extends T> supplier;

    public static <S> ThreadLocal<S> withInitial(Supplier<? extends S> supplier) {
        ThreadLocal<S> made = new ThreadLocal<>();
        if (supplier == null) {
            throw new NullPointerException();
        }
        made.supplier = supplier;
        return made;
    }

    protected T initialValue() {
        return supplier == null ? null : supplier.get();
    }

    /** The value that a new thread starts with, where it takes over its maker's. */
    T childValue(T parentValue) {
        throw new UnsupportedOperationException();
    }

    /** Whether new threads start with their makers' values. */
    boolean isInherited() {
        return false;
    }

    /** Gives a new thread the values that it takes over. */
    static void inherit(Entry values, Thread made) {
        int waiting = 0;
        for (Entry entry = values; entry != null; entry = entry.next) {
            entry.isWaiting = entry.isSet && entry.variable.isInherited();
            waiting += entry.isWaiting ? 1 : 0;
        }
        // They are asked in the order of a hash table, which is not known.
        for (; waiting > 0; waiting--) {
            int chosen = waiting < 2 ? 0 : Native.choose(waiting);
            Entry entry = values;
            while (!entry.isWaiting || chosen-- > 0) {
                entry = entry.next;
            }
            entry.isWaiting = false;
            made.locals = entry.inherited(made.locals);
        }
    }

    private Entry entry() {
        if (!Native.hasThreads() && !isInherited()) {
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

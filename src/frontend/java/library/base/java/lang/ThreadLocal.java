package java.lang;

import java.util.function.Supplier;

/** A variable of the only thread. */
public class ThreadLocal<T> {
    private T value;
    private boolean isSet;
    private Supplier<? extends T> supplier;

    public static <S> ThreadLocal<S> withInitial(Supplier<? extends S> supplier) {
        ThreadLocal<S> made = new ThreadLocal<>();
        made.supplier = supplier;
        return made;
    }

    protected T initialValue() {
        return supplier == null ? null : supplier.get();
    }

    public T get() {
        if (!isSet) {
            value = initialValue();
            isSet = true;
        }
        return value;
    }

    public void set(T value) {
        this.value = value;
        isSet = true;
    }

    public void remove() {
        isSet = false;
        value = null;
    }
}

package java.lang;

/** A variable of which each thread has its own, and of which a new thread takes over what its maker has. */
public class InheritableThreadLocal<T> extends ThreadLocal<T> {
    public InheritableThreadLocal() {
    }

    protected T childValue(T parentValue) {
        return parentValue;
    }

    boolean isInherited() {
        return true;
    }
}

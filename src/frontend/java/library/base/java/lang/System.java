package java.lang;

import java.io.InputStream;
import java.io.PrintStream;
import tandem.Native;
import tandem.StandardInput;

/** The parts of the system that programs use. */
public final class System {
    public static final InputStream in = new StandardInput();
    public static final PrintStream out = new PrintStream(true);
    public static final PrintStream err = new PrintStream(false);

    private System() {
    }

    public static long currentTimeMillis() {
        return Native.anyLong();
    }

    public static long nanoTime() {
        return Native.anyLong();
    }

    public static void exit(int status) {
        Native.halt(status);
    }

    public static void gc() {
    }

    public static String lineSeparator() {
        return "\n";
    }

    public static native int identityHashCode(Object object);

    public static void arraycopy(Object from, int start, Object to, int position, int length) {
        if (from == null || to == null) {
            throw new NullPointerException();
        }
        if (!Native.isArray(from) || !Native.isArray(to)) {
            throw new ArrayStoreException();
        }
        boolean references = Native.isReferenceArray(from);
        if (references != Native.isReferenceArray(to) || !references && !Native.sameClass(from, to)) {
            throw new ArrayStoreException();
        }
        int available = Native.length(from);
        int room = Native.length(to);
        if (start < 0 || position < 0 || length < 0 || start > available - length || position > room - length) {
            throw new ArrayIndexOutOfBoundsException();
        }
        if (!references || Native.sameClass(from, to)) {
            Native.copy(from, start, to, position, length);
            return;
        }
        // Arrays of different classes are not the same array, and each element is checked on its way.
        Object[] source = (Object[]) from;
        Object[] target = (Object[]) to;
        for (int i = 0; i < length; i++) {
            target[position + i] = source[start + i];
        }
    }
}

package java.lang;

import java.io.InputStream;
import java.io.PrintStream;
import tandem.Native;
import tandem.StandardInput;
import tandem.Throw;

/** The parts of the system that programs use. */
public final class System {
    public static final InputStream in = new StandardInput();
    public static final PrintStream out = new PrintStream(true);
    public static final PrintStream err = new PrintStream(false);

    /** The times that were told first and last, if any was. */
    private static long origin;
    private static long clock;
    private static boolean hasClock;

    private System() {
    }

    public static long currentTimeMillis() {
        return Native.anyLong();
    }

    /** Any time from the one on that was told last: the clock never goes back, and does not run for 292 years. */
    public static long nanoTime() {
        Native.atomicBegin();
        long now = Native.anyLong();
        if (hasClock) {
            Native.assume(now >= clock && now - origin >= 0);
        } else {
            origin = now;
            hasClock = true;
        }
        clock = now;
        Native.atomicEnd();
        return now;
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
        boolean areArrays = Native.isArray(from) && Native.isArray(to);
        boolean references = areArrays && Native.isReferenceArray(from);
        if (!areArrays
                || references != Native.isReferenceArray(to)
                || !references && !Native.sameClass(from, to)) {
            throw Throw.copyMismatch(from, to);
        }
        int available = Native.length(from);
        int room = Native.length(to);
        if (start < 0 || position < 0 || length < 0 || start > available - length || position > room - length) {
            throw Throw.copyOutside(from, start, to, position, length);
        }
        if (!references || Native.sameClass(from, to)) {
            Native.copy(from, start, to, position, length);
            return;
        }
        // Arrays of different classes are not the same array, and each element is checked on its way.
        Object[] source = (Object[]) from;
        Object[] target = (Object[]) to;
        for (int i = 0; i < length; i++) {
            Object element = source[start + i];
            if (!Native.fits(target, element)) {
                throw Throw.copyElement(from, to);
            }
            target[position + i] = element;
        }
    }
}

package tandem;

/** What Java cannot say: each method is known to the lowering by its name. */
public final class Native {
    /** Whether the program is executed for a user, who sees what it prints. */
    public static native boolean executes();

    /** Prints one byte. */
    public static native void print(int value);

    /** Prints a number in decimal. */
    public static native void printNumber(long value);

    public static native boolean anyBoolean();

    public static native byte anyByte();

    public static native char anyChar();

    public static native short anyShort();

    public static native int anyInt();

    public static native long anyLong();

    public static native float anyFloat();

    public static native double anyDouble();

    /** Only executions in which the condition holds are looked at. */
    public static native void assume(boolean condition);

    /** Ends the program. */
    public static native void halt(int status);

    /** What the calling method does from here on is not modelled. */
    public static native void unmodelled();

    /** Copies elements between arrays of one element size, as if all were read first. */
    public static native void copy(Object from, int start, Object to, int position, int length);

    /** Whether the two arrays hold elements of one type. */
    public static native boolean sameClass(Object a, Object b);

    /** Whether the array's elements are references. */
    public static native boolean isReferenceArray(Object array);

    /** Whether the object is an array. */
    public static native boolean isArray(Object array);

    /** The length of any array. */
    public static native int length(Object array);

    /** A copy of an object, all fields as they are. */
    public static native Object clone(Object original);

    private Native() {
    }
}

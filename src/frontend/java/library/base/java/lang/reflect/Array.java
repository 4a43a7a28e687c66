package java.lang.reflect;

import tandem.Native;

/** Arrays of which the class is known when the program runs. */
public final class Array {
    private Array() {
    }

    public static Object newInstance(Class<?> component, int length) {
        int number = Native.arrayNumber(component);
        if (number == 0) {
            Native.unmodelled();
        }
        return Native.arrayOf(number, length);
    }

    public static int getLength(Object array) {
        if (!Native.isArray(array)) {
            throw new IllegalArgumentException("Argument is not an array");
        }
        return Native.length(array);
    }
}

package tandem;

import java.io.Serializable;
import java.util.Comparator;

/** Texts that are made or kept in ways which the JDK leaves to the virtual machine, or to hash codes. */
public final class Texts {
    public static final Comparator<String> CASE_INSENSITIVE_ORDER = new WithoutCase();

    private static class WithoutCase implements Comparator<String>, Serializable {
        public int compare(String a, String b) {
            return a.compareToIgnoreCase(b);
        }
    }

    /** The text of an array with those of the arrays in it; one that is inside itself is shown as such. */
    public static String deepToString(Object[] array) {
        if (array == null) {
            return "null";
        }
        StringBuilder text = new StringBuilder();
        append(text, array, null);
        return text.toString();
    }

    /** The arrays that are being shown, from the innermost out. */
    private static class Outer {
        final Object[] array;
        final Outer next;

        Outer(Object[] array, Outer next) {
            this.array = array;
            this.next = next;
        }
    }

    private static void append(StringBuilder text, Object array, Outer outer) {
        Outer here = array instanceof Object[] ? new Outer((Object[]) array, outer) : outer;
        int length = Native.length(array);
        text.append('[');
        for (int i = 0; i < length; i++) {
            if (i > 0) {
                text.append(", ");
            }
            if (!(array instanceof Object[])) {
                text.append(number(array, i));
                continue;
            }
            Object element = ((Object[]) array)[i];
            if (element == null || !Native.isArray(element)) {
                text.append(String.valueOf(element));
            } else if (isInside(element, here)) {
                text.append("[...]");
            } else {
                append(text, element, here);
            }
        }
        text.append(']');
    }

    private static boolean isInside(Object array, Outer outer) {
        Outer known = outer;
        while (known != null && known.array != array) {
            known = known.next;
        }
        return known != null;
    }

    /** The text of an element that is no reference. */
    private static String number(Object array, int i) {
        if (array instanceof byte[]) {
            return String.valueOf(((byte[]) array)[i]);
        }
        if (array instanceof short[]) {
            return String.valueOf(((short[]) array)[i]);
        }
        if (array instanceof int[]) {
            return String.valueOf(((int[]) array)[i]);
        }
        if (array instanceof long[]) {
            return String.valueOf(((long[]) array)[i]);
        }
        if (array instanceof char[]) {
            return String.valueOf(((char[]) array)[i]);
        }
        if (array instanceof float[]) {
            return String.valueOf(((float[]) array)[i]);
        }
        if (array instanceof double[]) {
            return String.valueOf(((double[]) array)[i]);
        }
        return String.valueOf(((boolean[]) array)[i]);
    }

    private Texts() {
    }
}

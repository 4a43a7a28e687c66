package tandem;

/** What is said of elements that cannot be copied. */
final class CopyMessage extends Message {
    private final Object from;
    private final int start;
    private final Object to;
    private final int position;
    private final int length;
    /** Whether one of the elements cannot be in the other array. */
    private final boolean isElement;

    CopyMessage(Object from, int start, Object to, int position, int length, boolean isElement) {
        this.from = from;
        this.start = start;
        this.to = to;
        this.position = position;
        this.length = length;
        this.isElement = isElement;
    }

    public String text() {
        return "arraycopy: " + what();
    }

    private String what() {
        if (!Native.isArray(from)) {
            return "source type " + name(from) + " is not an array";
        }
        if (!Native.isArray(to)) {
            return "destination type " + name(to) + " is not an array";
        }
        boolean references = Native.isReferenceArray(from);
        if (references != Native.isReferenceArray(to) || !references && !Native.sameClass(from, to)) {
            return "type mismatch: can not copy " + elements(from) + "[] into " + elements(to) + "[]";
        }
        if (isElement) {
            return element();
        }
        int available = Native.length(from);
        int room = Native.length(to);
        if (start < 0) {
            return "source index " + start + " out of bounds for " + elements(from) + "[" + available + "]";
        }
        if (position < 0) {
            return "destination index " + position + " out of bounds for " + elements(to) + "[" + room + "]";
        }
        if (length < 0) {
            return "length " + length + " is negative";
        }
        long end = (long) start + length;
        if (end > available) {
            return "last source index " + end + " out of bounds for " + elements(from) + "[" + available + "]";
        }
        end = (long) position + length;
        return "last destination index " + end + " out of bounds for " + elements(to) + "[" + room + "]";
    }

    private String element() {
        String source = from.getClass().getComponentType().getName();
        String target = to.getClass().getComponentType().getName();
        if (!Native.isBelow(to, from)) {
            return "type mismatch: can not copy " + source + "[] into " + target + "[]";
        }
        return "element type mismatch: can not cast one of the elements of " + source
                + "[] to the type of the destination array, " + target;
    }

    private static String name(Object object) {
        return object.getClass().getName();
    }

    private static String elements(Object array) {
        if (array instanceof byte[]) {
            return "byte";
        }
        if (array instanceof short[]) {
            return "short";
        }
        if (array instanceof int[]) {
            return "int";
        }
        if (array instanceof long[]) {
            return "long";
        }
        if (array instanceof char[]) {
            return "char";
        }
        if (array instanceof float[]) {
            return "float";
        }
        if (array instanceof double[]) {
            return "double";
        }
        return array instanceof boolean[] ? "boolean" : "object array";
    }
}

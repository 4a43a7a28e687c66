// expect: safe
// unknown: cegar, symbolic, bounded
/** What is said of elements that cannot be copied. */
public class CopyMessages {
    static String message(Object from, int start, Object to, int position, int length) {
        try {
            System.arraycopy(from, start, to, position, length);
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
        return "none";
    }

    static void check(String said, String expected) {
        assert said.equals(expected) : said;
    }

    public static void main(String[] args) {
        int[] numbers = {1, 2, 3};
        String[] texts = {"a", "b"};
        Object[] mixed = {"x", 1, null};
        String bounds = "ArrayIndexOutOfBoundsException: arraycopy: ";
        String store = "ArrayStoreException: arraycopy: ";
        check(message(null, 0, numbers, 0, 1), "NullPointerException: null");
        check(message(numbers, 0, null, 0, 1), "NullPointerException: null");
        check(message("text", 0, numbers, 0, 1), store + "source type java.lang.String is not an array");
        check(message(numbers, -1, "text", 0, 1), store + "destination type java.lang.String is not an array");
        check(message(texts, 0, new CopyMessages(), 0, 1), store + "destination type CopyMessages is not an array");
        check(message(numbers, 0, new long[1], 0, 1), store + "type mismatch: can not copy int[] into long[]");
        check(message(new boolean[1], 0, new byte[1], 0, 1), store + "type mismatch: can not copy boolean[] into byte[]");
        check(message(numbers, 0, texts, 0, 1), store + "type mismatch: can not copy int[] into object array[]");
        check(message(texts, 0, new char[1], 0, 1), store + "type mismatch: can not copy object array[] into char[]");
        check(message(numbers, -1, numbers, 0, 1), bounds + "source index -1 out of bounds for int[3]");
        check(message(numbers, 0, numbers, -2, 1), bounds + "destination index -2 out of bounds for int[3]");
        check(message(numbers, 0, numbers, 0, -3), bounds + "length -3 is negative");
        check(message(numbers, 2, numbers, 0, 2), bounds + "last source index 4 out of bounds for int[3]");
        check(message(numbers, 0, new int[1], 0, 2), bounds + "last destination index 2 out of bounds for int[1]");
        check(message(texts, 3, mixed, 0, 0), bounds + "last source index 3 out of bounds for object array[2]");
        check(message(numbers, 1, numbers, 0, Integer.MAX_VALUE),
                bounds + "last source index 2147483648 out of bounds for int[3]");
        check(message(texts, -1, mixed, 0, 1), bounds + "source index -1 out of bounds for object array[2]");
        String[] target = {"p", "q", "r"};
        check(message(mixed, 0, target, 0, 3), store + "element type mismatch: can not cast one of the elements of "
                + "java.lang.Object[] to the type of the destination array, java.lang.String");
        assert target[0].equals("x") && target[1].equals("q");
        check(message(texts, 0, new Integer[2], 0, 1),
                store + "type mismatch: can not copy java.lang.String[] into java.lang.Integer[]");
        check(message(new String[1], 0, new Integer[2], 0, 1), "none");
        check(message(new Object[] {numbers}, 0, new String[1], 0, 1), store + "element type mismatch: can not cast one "
                + "of the elements of java.lang.Object[] to the type of the destination array, java.lang.String");
        check(message(new Comparable[] {1}, 0, new CharSequence[1], 0, 1),
                store + "type mismatch: can not copy java.lang.Comparable[] into java.lang.CharSequence[]");
        check(message(numbers, 0, numbers, 1, 2), "none");
        assert numbers[0] == 1 && numbers[1] == 1 && numbers[2] == 2;
        try {
            Object[] objects = texts;
            objects[0] = 1;
            assert false;
        } catch (ArrayStoreException e) {
            assert e.getMessage().equals("java.lang.Integer");
        }
    }
}

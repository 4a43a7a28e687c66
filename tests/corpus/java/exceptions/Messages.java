// expect: safe
// unknown: symbolic
// The messages of exceptions that strings and builders throw, and exceptions that suppress none.
import java.util.InputMismatchException;
import java.util.Scanner;

class Messages {
    interface Action {
        Object run();
    }

    static String message(Action action) {
        try {
            action.run();
            return "none";
        } catch (RuntimeException e) {
            return e.getMessage();
        }
    }

    static class Quiet extends RuntimeException {
        Quiet() {
            super("quiet", null, false, false);
        }
    }

    public static void main(String[] args) {
        assert message(() -> "abc".charAt(3)).equals("String index out of range: 3");
        assert message(() -> "日本".charAt(3)).equals("index 3, length 2");
        assert message(() -> "abc".codePointAt(-1)).equals("index -1, length 3");
        assert message(() -> new StringBuilder("abc").charAt(3)).equals("index 3, length 3");
        assert message(() -> new StringBuilder("abc").deleteCharAt(4)).equals("index 4, length 3");
        assert message(() -> new StringBuilder("abc").insert(0, new char[2], 1, 2)).equals("start 1, end 3, length 2");
        assert message(() -> new StringBuilder("abc").insert(0, "xyz", 2, 1)).equals("start 2, end 1, length 3");
        assert new StringBuilder("ad").insert(1, "abcd", 1, 3).toString().equals("abcd");
        try {
            new Scanner("x").nextInt();
            assert false;
        } catch (InputMismatchException e) {
            assert e.getMessage() == null;
        }
        Quiet quiet = new Quiet();
        quiet.addSuppressed(new RuntimeException());
        assert quiet.getSuppressed().length == 0;
    }
}

// expect: safe
// unknown: cegar, symbolic, bounded
/** The message of a false assertion is asked for its text first, which may throw something else. */
public class AssertionMessage {
    static int asked;

    static class Throwing {
        public String toString() {
            asked++;
            throw new IllegalStateException("no text");
        }
    }

    static class Cause extends Exception {
        public String toString() {
            asked++;
            return "the cause";
        }
    }

    static void check(Object message) {
        assert asked == 7 : message;
    }

    public static void main(String[] args) {
        try {
            throw new RuntimeException(new Cause());
        } catch (RuntimeException e) {
            assert asked == 1 && e.getMessage().equals("the cause") : "once";
        }
        check(new Throwing());
    }
}

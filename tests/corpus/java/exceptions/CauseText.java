// expect: unsafe
// unknown: symbolic
// options: --property no-exception
/** A cause is asked for its text where an exception is made of it, also if that is never caught. */
public class CauseText {
    static int asked;

    static class Cause extends Exception {
        public String toString() {
            asked++;
            return null;
        }
    }

    static void raise() {
        throw new IllegalStateException(new Cause());
    }

    public static void main(String[] args) {
        try {
            raise();
        } catch (IllegalStateException e) {
            if (asked != 1 || e.getMessage() != null) {
                return;
            }
        }
        raise();
    }
}

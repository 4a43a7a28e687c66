// expect: unsafe
// unknown: symbolic
/** What is to be done finally is done after endless recursion too. */
public class OverflowFinally {
    static void call() {
        call();
    }

    public static void main(String[] args) {
        try {
            call();
        } finally {
            assert args.length == 1;
        }
    }
}

// expect: unsafe
// unknown: symbolic
// options: --property no-exception
/** Endless recursion ends with an error that nothing catches; a lock that is given back on the way catches nothing. */
public class OverflowUncaught {
    static synchronized int next(int n) {
        return other(n) + 1;
    }

    static int other(int n) {
        return next(n + 1) + 1;
    }

    public static void main(String[] args) {
        next(0);
    }
}

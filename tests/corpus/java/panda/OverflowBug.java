// expect: unsafe
// unknown: explicit, symbolic
// Only an addition that wraps violates it, deep in recursion that adds one by one.
import gov.nasa.jpf.abstraction.Verifier;

public class OverflowBug {
    static int plus(int m, int n) {
        if (n == 0) return m;
        return plus(m + 1, n - 1);
    }

    public static void main(String[] args) {
        int m = Verifier.unknownInt();
        int n = Verifier.unknownNonNegativeInt();
        if (n > 3 || m < 0) return;
        assert plus(m, n) >= 0;
    }
}

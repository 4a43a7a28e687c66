// expect: safe
// unknown: explicit, symbolic, bounded
// A recursive method counts an input without a bound down to zero.
import gov.nasa.jpf.abstraction.Verifier;

public class Countdown {
    static int down(int n) {
        if (n <= 0) return n;
        return down(n - 1);
    }

    public static void main(String[] args) {
        int n = Verifier.unknownNonNegativeInt();
        assert down(n) == 0;
    }
}

// expect: safe
// unknown: explicit, symbolic, bounded
import org.sosy_lab.sv_benchmarks.Verifier;

/** A recursive method, whose result is known by a relation to its argument. */
class Depth {
    static int calls;

    static int count(int n) {
        calls++;
        return n <= 0 ? 0 : count(n - 1) + 2;
    }

    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 0 || n > 1000) {
            return;
        }
        assert count(n) == 2 * n;
    }
}

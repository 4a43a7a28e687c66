// expect: unsafe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** The same, but one argument is special. */
class DepthBug {
    static int count(int n) {
        return n <= 0 ? 0 : count(n - 1) + (n == 6 ? 3 : 2);
    }

    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 0 || n > 1000) {
            return;
        }
        assert count(n) == 2 * n;
    }
}

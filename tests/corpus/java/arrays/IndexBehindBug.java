// expect: unsafe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** A loop goes one step too far. */
class IndexBehindBug {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 1 || n > 100) return;
        int[] x = new int[n];
        int done = 0;
        try { for (int i = 0; i <= n; i++) x[i] = 7; done = 1; } catch (ArrayIndexOutOfBoundsException e) { done = 2; }
        assert done == 1;
    }
}

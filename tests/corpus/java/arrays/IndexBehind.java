// expect: safe
// unknown: bounded, explicit, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** A loop goes one step too far, and ends the program. */
class IndexBehind {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 1 || n > 1000) return;
        int[] x = new int[n];
        for (int i = 0; i <= n; i++) x[i] = 7;
        assert false;
    }
}

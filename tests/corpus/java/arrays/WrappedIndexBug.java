// expect: unsafe
import org.sosy_lab.sv_benchmarks.Verifier;

/** An index wraps on its way. */
class WrappedIndexBug {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 1 || n > 100) return;
        int[] x = new int[n];
        int k = Verifier.nondetInt();
        int j = k * 2;
        if (j >= 0 && j < n) { x[j] = 1; assert k >= 0; }
    }
}

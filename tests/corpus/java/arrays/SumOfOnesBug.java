// expect: unsafe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** A sum of elements, all of which are one. */
class SumOfOnesBug {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 1 || n > 10) return;
        int[] x = new int[n];
        int s = 0;
        for (int i = 0; i < n; i++) x[i] = 1;
        for (int i = 0; i < n; i++) s += x[i];
        assert s < 10;
    }
}

// expect: unsafe
import org.sosy_lab.sv_benchmarks.Verifier;

/** The first element keeps its first value. */
class FirstElementBug {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 1 || n > 20) return;
        int[] x = new int[n];
        for (int i = 1; i < n; i++) x[i] = 1;
        int k = Verifier.nondetInt();
        if (k < 0 || k >= n) return;
        assert x[k] == 1;
    }
}

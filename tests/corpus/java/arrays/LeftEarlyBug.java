// expect: unsafe
import org.sosy_lab.sv_benchmarks.Verifier;

/** A loop may end before all elements are written. */
class LeftEarlyBug {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 1 || n > 20) return;
        int[] x = new int[n];
        for (int i = 0; i < n; i++) { if (Verifier.nondetBoolean()) break; x[i] = 1; } for (int i = 0; i < n; i++) assert x[i] == 1;
    }
}

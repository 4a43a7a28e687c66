// expect: unsafe
import org.sosy_lab.sv_benchmarks.Verifier;

/** Two variables may be one array. */
class AliasedArraysBug {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 1 || n > 100) return;
        int[] x = new int[n];
        int[] y = Verifier.nondetBoolean() ? x : new int[n];
        for (int i = 0; i < n; i++) x[i] = 1;
        for (int i = 0; i < n; i++) y[i] = 2;
        int k = Verifier.nondetInt();
        if (k >= 0 && k < n) assert x[k] == 1;
    }
}

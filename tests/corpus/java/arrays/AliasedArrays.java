// expect: safe
// unknown: bounded, explicit, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** Two variables may be one array. */
class AliasedArrays {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 1 || n > 100) return;
        int[] x = new int[n];
        boolean same = Verifier.nondetBoolean();
        int[] y = same ? x : new int[n];
        for (int i = 0; i < n; i++) x[i] = 1;
        for (int i = 0; i < n; i++) y[i] = 2;
        int k = Verifier.nondetInt();
        if (k >= 0 && k < n) assert x[k] == (same ? 2 : 1);
    }
}

// expect: safe
// unknown: bounded, explicit, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** An array is filled from its end. */
class DownwardFill {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 1 || n > 2000) return;
        int[] x = new int[n];
        for (int i = n - 1; i >= 0; i--) x[i] = i;
        for (int i = 0; i < n; i++) assert x[i] == i;
    }
}

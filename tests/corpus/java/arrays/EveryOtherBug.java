// expect: unsafe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** Every other element is left out. */
class EveryOtherBug {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 1 || n > 20) return;
        int[] x = new int[n];
        for (int i = 0; i < n; i += 2) x[i] = 1;
        for (int i = 0; i < n; i++) assert x[i] == 1;
    }
}

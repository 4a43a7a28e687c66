// expect: safe
// unknown: explicit, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** An array of any length, none included. */
class AnyLength {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 0) return;
        int[] x = new int[n];
        int c = 0;
        for (int i = 0; i < x.length; i++) { c = 1; break; } assert (c == 0) == (n == 0);
    }
}

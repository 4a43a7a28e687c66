// expect: unsafe
// unknown: cegar, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** What looks like the greatest element falls where an element is 7. */
class GreatestBug {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n <= 0 || n > 100) return;
        int[] a = new int[n];
        for (int i = 0; i < n; i++) a[i] = Verifier.nondetInt();
        int max = a[0];
        for (int i = 0; i < a.length; i++) {
            if (a[i] == 7) max = -5;
            if (a[i] > max) max = a[i];
        }
        for (int i = 0; i < n; i++) assert a[i] <= max;
    }
}

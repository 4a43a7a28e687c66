// expect: safe
// unknown: bounded, explicit, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** The greatest and the least element of an array of up to 10,000. */
class Greatest {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n <= 0 || n > 10000) return;
        int[] a = new int[n];
        for (int i = 0; i < n; i++) a[i] = Verifier.nondetInt();
        int max = a[0], min = a[0];
        for (int i = 1; i < a.length; i++) {
            if (a[i] > max) max = a[i];
            if (a[i] < min) min = a[i];
        }
        for (int i = 0; i < n; i++) assert a[i] <= max && a[i] >= min;
    }
}

// expect: unsafe
import org.sosy_lab.sv_benchmarks.Verifier;

/** Elements are written from both ends. */
class WrittenTwiceBug {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 1 || n > 20) return;
        int[] x = new int[n];
        for (int i = 0; i < n; i++) { x[i] = 1; x[n - 1 - i] = 2; } for (int i = 0; i < n; i++) assert x[i] == 1 || i < n / 2;
    }
}

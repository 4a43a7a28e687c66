// expect: unsafe
import org.sosy_lab.sv_benchmarks.Verifier;

/** A clone does not see later writes. */
class ClonedBeforeBug {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 1 || n > 20) return;
        int[] x = new int[n];
        int[] y = x.clone();
        for (int i = 0; i < n; i++) x[i] = 1;
        for (int i = 0; i < n; i++) assert y[i] == 1;
    }
}

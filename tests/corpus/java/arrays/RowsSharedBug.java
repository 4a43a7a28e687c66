// expect: unsafe
import org.sosy_lab.sv_benchmarks.Verifier;

/** Two rows are one array. */
class RowsSharedBug {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 2 || n > 50) return;
        int[][] all = new int[n][];
        for (int i = 0; i < n; i++) { all[i] = new int[2]; all[i][1] = i; }
        all[1] = all[0];
        assert all[1][1] == 1;
    }
}

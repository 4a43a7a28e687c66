// expect: unsafe
import org.sosy_lab.sv_benchmarks.Verifier;

/** Binary search in an array of any length. */
class BinarySearchBug {
    static int find(int[] a, int x) {
        int low = 0, high = a.length;
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (a[middle] < x) low = middle + 1; else high = middle;
        }
        return low;
    }
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n < 0 || n > 1000) return;
        int[] a = new int[n];
        for (int i = 0; i < n; i++) a[i] = Verifier.nondetInt();
        int x = Verifier.nondetInt();
        int r = find(a, x);
        assert r >= 0 && r < n;
    }
}

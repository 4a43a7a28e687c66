// expect: unsafe
// unknown: cegar, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** The first element that is greater than a number. */
class FindGreaterBug {
    static int[] loadUnknownArray() {
        int n = 100;
        int[] a = new int[n];
        for (int i = 0; i < a.length; i++) a[i] = Verifier.nondetInt();
        return a;
    }
    static int findGreater(int[] a, int t) {
        for (int j = 0; j < a.length; j++) {
            if (a[j] > t) return j;
        }
        return a.length;
    }
    public static void main(String[] args) {
        int[] a = loadUnknownArray();
        int i = findGreater(a, 10);
        assert i == a.length || a[i] > 11;
    }
}

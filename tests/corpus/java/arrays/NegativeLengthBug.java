// expect: unsafe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** No array has a negative length. */
class NegativeLengthBug {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        if (n > 5) return;
        int[] x;
        try { x = new int[n]; } catch (NegativeArraySizeException e) { x = new int[1]; }
        assert x.length == n;
    }
}

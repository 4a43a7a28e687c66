// expect: safe
// unknown: explicit, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** No array has a negative length. */
class NegativeLength {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        int[] x = null;
        try { x = new int[n]; assert n >= 0; } catch (NegativeArraySizeException e) { assert n < 0; x = new int[1]; }
        assert x.length == n || x.length == 1 && n < 0;
    }
}

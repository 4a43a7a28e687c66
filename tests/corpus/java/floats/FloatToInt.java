// expect: safe
// unknown: explicit, symbolic, bounded
import org.sosy_lab.sv_benchmarks.Verifier;

class FloatToInt {
    public static void main(String[] args) {
        float x = Verifier.nondetFloat();
        int n = (int) x;
        if (x != x) {
            assert n == 0;
        } else if (x > 3e9f) {
            assert n == Integer.MAX_VALUE;
        } else if (x >= 0 && x < 1) {
            assert n == 0;
        }
    }
}

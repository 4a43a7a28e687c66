// expect: unsafe
// unknown: explicit, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

class FloatSquare {
    public static void main(String[] args) {
        float x = Verifier.nondetFloat();
        assert x * x != 2.25f;
    }
}

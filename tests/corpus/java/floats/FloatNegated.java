// expect: safe
// unknown: explicit
import org.sosy_lab.sv_benchmarks.Verifier;

class FloatNegated {
    public static void main(String[] args) {
        float x = Verifier.nondetFloat();
        if (x >= 0) {
            float y = -x;
            assert !(y > 0);
        }
    }
}

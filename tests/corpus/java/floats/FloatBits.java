// expect: unsafe
// unknown: explicit, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

class FloatBits {
    public static void main(String[] args) {
        float x = Verifier.nondetFloat();
        int bits = Float.floatToRawIntBits(x);
        assert bits != 0x40490fdb;
    }
}

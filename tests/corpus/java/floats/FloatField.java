// expect: safe
// unknown: explicit, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

class FloatField {
    private float least;
    private float greatest;

    void include(float x) {
        if (x < least) {
            least = x;
        }
        if (x > greatest) {
            greatest = x;
        }
    }

    public static void main(String[] args) {
        FloatField range = new FloatField();
        range.include(Verifier.nondetFloat());
        range.include(Verifier.nondetFloat());
        assert range.least <= range.greatest;
    }
}

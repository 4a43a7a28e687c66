// expect: unsafe
import org.sosy_lab.sv_benchmarks.Verifier;

/** The message of an assertion is made where it fails. */
class Said {
    public static void main(String[] args) {
        int x = Verifier.nondetInt();
        assert x != 77 : "x";
    }
}

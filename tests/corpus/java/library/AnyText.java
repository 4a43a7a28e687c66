// expect: unsafe
// unknown: cegar, symbolic, bounded
import org.sosy_lab.sv_benchmarks.Verifier;

/** A string may be anything. */
public class AnyText {
    public static void main(String[] args) {
        String first = Verifier.nondetString();
        String second = Verifier.nondetString();
        assert first.equals(first) && first.length() >= 0;
        assert second.length() < 2 || second.charAt(1) != 1;
    }
}

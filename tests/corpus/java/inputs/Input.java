// expect: unsafe
// One of the inputs is wrong.
import org.sosy_lab.sv_benchmarks.Verifier;

class Input {
    public static void main(String[] args) {
        boolean first = Verifier.nondetBoolean();
        byte second = Verifier.nondetByte();
        Verifier.assume(second > 100);
        assert first || second != 113;
    }
}

// expect: unsafe
// options: --property no-exception
import org.sosy_lab.sv_benchmarks.Verifier;

/** One input leads to an exception that nothing catches. */
class UncaughtOfInput {
    int size = 3;

    static UncaughtOfInput find(int key) {
        return key == 123456 ? null : new UncaughtOfInput();
    }

    public static void main(String[] args) {
        UncaughtOfInput found = find(Verifier.nondetInt());
        assert found.size == 3;
    }
}

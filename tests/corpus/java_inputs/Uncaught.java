// expect: unsafe
// options: --property no-exception
import org.sosy_lab.sv_benchmarks.Verifier;

/** One input leads to an exception that nothing catches. */
class Uncaught {
    int size = 3;

    static Uncaught find(int key) {
        return key == 123456 ? null : new Uncaught();
    }

    public static void main(String[] args) {
        Uncaught found = find(Verifier.nondetInt());
        assert found.size == 3;
    }
}

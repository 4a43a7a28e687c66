// expect: unsafe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** The handler is for another exception than the one that some inputs lead to. */
class CaughtBug {
    static int share(int[] parts, int whole) {
        try {
            return whole / parts[whole & 3];
        } catch (ArrayIndexOutOfBoundsException outside) {
            return 0;
        }
    }

    public static void main(String[] args) {
        int[] parts = {1, 2, 3};
        int whole = Verifier.nondetInt();
        if (whole < 1000) {
            return;
        }
        int share = share(parts, whole);
        assert share > 0;
    }
}

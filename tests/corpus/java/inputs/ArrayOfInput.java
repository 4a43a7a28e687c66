// expect: safe
// unknown: explicit, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** An object is put where an input says. */
class ArrayOfInput {
    public static void main(String[] args) {
        int i = Verifier.nondetInt();
        if (i < 0 || i > 1) return;
        ArrayOfInput[] a = new ArrayOfInput[2];
        a[i] = new ArrayOfInput();
        assert a[1] == null || i == 1;
        assert a[i] != null;
    }
}

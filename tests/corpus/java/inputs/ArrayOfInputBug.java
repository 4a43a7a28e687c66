// expect: unsafe
import org.sosy_lab.sv_benchmarks.Verifier;

/** An object is put where an input says. */
class ArrayOfInputBug {
    public static void main(String[] args) {
        int i = Verifier.nondetInt();
        if (i < 0 || i > 1) return;
        ArrayOfInputBug[] a = new ArrayOfInputBug[2];
        a[i] = new ArrayOfInputBug();
        assert a[0] == null;
    }
}

// expect: safe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** An array of numbers takes no text. */
class StoredClass {
    public static void main(String[] args) {
        Object[] o = Verifier.nondetBoolean() ? new Integer[2] : new Object[2];
        boolean thrown = false;
        try { o[0] = "x"; } catch (ArrayStoreException e) { thrown = true; }
        assert thrown == (o instanceof Integer[]);
        assert thrown == (o[0] == null);
    }
}

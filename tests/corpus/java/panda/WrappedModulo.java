// expect: safe
// unknown: explicit, symbolic, bounded
// An inner loop takes an input without a bound into the range of an array.
import gov.nasa.jpf.abstraction.Verifier;

public class WrappedModulo {
    public static void main(String[] args) {
        boolean[] used = new boolean[3];
        while (Verifier.unknownBool()) {
            int i = Verifier.unknownNonNegativeInt();
            while (i >= used.length) i = i - used.length;
            assert i >= 0;
            used[i] = true;
        }
    }
}

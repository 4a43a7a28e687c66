// expect: safe
// unknown: explicit, symbolic, bounded
// An input tells which of two objects a reference is to; the other keeps its value.
import gov.nasa.jpf.abstraction.Verifier;

public class OneOfTwoClocks {
    static class Meter { int value; }

    public static void main(String[] args) {
        Meter first = new Meter();
        Meter second = new Meter();
        Meter used = Verifier.unknownBool() ? first : second;
        int n = Verifier.unknownNonNegativeInt();
        while (used.value < n) used.value = used.value + 1;
        assert first.value == 0 || second.value == 0;
        assert used.value == n;
    }
}

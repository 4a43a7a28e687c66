// expect: safe
// unknown: explicit, symbolic, bounded
// Figure 1 of PANDA with an array of any length: states must be matched.
import gov.nasa.jpf.abstraction.Verifier;

public class FindFirstAboveAny {
    static int findGreater(int[] a, int t) {
        for (int j = 0; j < a.length; j++) {
            if (a[j] > t) return j;
        }
        return a.length;
    }

    public static void main(String[] args) {
        int[] a = new int[Verifier.unknownNonNegativeInt()];
        for (int i = 0; i < a.length; i++) a[i] = Verifier.unknownInt();
        int i = findGreater(a, 10);
        assert i == a.length || a[i] > 10;
    }
}

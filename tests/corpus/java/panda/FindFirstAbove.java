// expect: safe
// unknown: explicit, symbolic
// Figure 1 of PANDA: the first element above a limit is found, or none.
import gov.nasa.jpf.abstraction.Verifier;

public class FindFirstAbove {
    static int findGreater(int[] a, int t) {
        for (int j = 0; j < a.length; j++) {
            if (a[j] > t) return j;
        }
        return a.length;
    }

    public static void main(String[] args) {
        int[] a = new int[10];
        for (int i = 0; i < a.length; i++) a[i] = Verifier.unknownInt();
        int i = findGreater(a, 10);
        assert i == a.length || a[i] > 10;
    }
}

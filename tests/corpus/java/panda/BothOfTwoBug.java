// expect: unsafe
// unknown: explicit, symbolic
// Two inputs must have values other than the first ones tried, and the index must be within the array.
import gov.nasa.jpf.abstraction.Verifier;

public class BothOfTwoBug {
    public static void main(String[] args) {
        int[] a = new int[4];
        int i = Verifier.unknownInt();
        int j = Verifier.unknownInt();
        if (i < 0 || i >= 4 || j < 0 || j >= 4) return;
        a[i] = 7;
        a[j] = a[j] + 5;
        assert a[2] != 12;
    }
}

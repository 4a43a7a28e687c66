// expect: unsafe
// unknown: explicit, symbolic
// The lowest number of an array and one more may be one of the array.
import gov.nasa.jpf.abstraction.Verifier;

public class LowestElementBug {
    public static void main(String[] args) {
        int[] numbers = new int[2];
        int lowest = Verifier.unknownInt();
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Verifier.unknownInt();
            if (numbers[i] <= lowest) lowest = numbers[i];
        }
        assert numbers[1] > lowest;
    }
}

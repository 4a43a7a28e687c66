// expect: safe
// unknown: explicit, symbolic, bounded
// A loop without end makes objects and drops them: what nothing leads to is forgotten.
import gov.nasa.jpf.abstraction.Verifier;

public class ReplacedBox {
    static class Box {
        final int value;

        Box(int value) {
            this.value = value;
        }
    }

    public static void main(String[] args) {
        Box now = new Box(0);
        while (true) {
            Box before = now;
            int step = Verifier.unknownInt();
            now = new Box(step >= 0 && step < 3 && before.value < 100 ? before.value + step : before.value);
            assert now.value >= before.value && now.value <= 102;
        }
    }
}

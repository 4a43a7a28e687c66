// expect: safe
// unknown: explicit, symbolic, bounded
// A field is counted down from an input without a bound: only refinement tells that it stays above zero.
import gov.nasa.jpf.abstraction.Verifier;

public class CountedField {
    static class Clock {
        int left;
        Clock(int left) { this.left = left; }
        void tick() { left = left - 1; }
    }

    public static void main(String[] args) {
        Clock clock = new Clock(Verifier.unknownNonNegativeInt());
        while (clock.left > 0) clock.tick();
        assert clock.left == 0;
    }
}

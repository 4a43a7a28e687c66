// expect: safe
// unknown: explicit, symbolic
/** The clock never goes back. */
public class ClockForward {
    public static void main(String[] args) {
        long first = System.nanoTime();
        long second = System.nanoTime();
        assert second >= first && second - first >= 0;
        long third = System.nanoTime();
        assert third - first >= second - first;
    }
}

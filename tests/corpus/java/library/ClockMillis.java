// expect: unsafe
/** The time of day may be set back. */
public class ClockMillis {
    public static void main(String[] args) {
        long first = System.currentTimeMillis();
        long second = System.currentTimeMillis();
        assert second >= first;
    }
}

// expect: unknown
// options: --property no-exception
/** So many calls may be too many, or not. */
public class OverflowPerhaps {
    static int sum(int n) {
        return n == 0 ? 0 : n + sum(n - 1);
    }

    public static void main(String[] args) {
        assert sum(2000) == 2001000;
        sum(20000);
    }
}

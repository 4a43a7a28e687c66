// expect: unsafe
// unknown: cegar, symbolic
// An assertion that is false deep inside, with finally blocks on the way out.
class Failing {
    static int count;

    static void check(int depth) {
        try {
            if (depth == 0) {
                assert count == 3 : "count is " + count;
            } else {
                count++;
                check(depth - 1);
            }
        } finally {
            count--;
        }
    }

    public static void main(String[] args) {
        check(3);
        check(2);
    }
}

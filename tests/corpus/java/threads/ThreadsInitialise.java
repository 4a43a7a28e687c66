// expect: safe
// unknown: cegar, symbolic, bounded
/** A class is initialised once; other threads wait until it is. */
class ThreadsInitialise {
    static int runs;

    static class Late {
        static int value = make();

        static int make() {
            runs++;
            Thread.yield();
            return 7;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(() -> {
            assert Late.value == 7;
        });
        other.start();
        assert Late.value == 7;
        other.join();
        assert runs == 1;
    }
}

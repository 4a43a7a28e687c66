// expect: unsafe
// unknown: symbolic
// options: --property no-exception
/** An exception that nothing catches counts in every thread. */
class ThreadsUncaughtCounts {
    static int done;

    static synchronized void fail() {
        done++;
        throw new IllegalStateException();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(ThreadsUncaughtCounts::fail);
        other.start();
        other.join();
        synchronized (ThreadsUncaughtCounts.class) {
            assert done == 1;
        }
        Thread last = new Thread(() -> {
            int[] none = null;
            done = none[0];
        });
        last.start();
        last.join();
        assert done == 1;
    }
}

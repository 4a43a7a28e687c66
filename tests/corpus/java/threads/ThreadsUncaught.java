// expect: safe
// unknown: symbolic, bounded
/** An exception ends its thread, gives back its locks, and nothing else. */
class ThreadsUncaught {
    static int done;

    static synchronized void fail() {
        done++;
        throw new IllegalStateException();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(ThreadsUncaught::fail);
        other.start();
        other.join();
        synchronized (ThreadsUncaught.class) {
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

// expect: unsafe
// options: --property no-deadlock
/** Who waits for the end of a thread takes its lock, which another may keep. */
class JoinNeedsLock {
    static volatile boolean hasJoined;

    public static void main(String[] arguments) throws InterruptedException {
        Thread worker = new Thread(() -> {});
        Object gate = new Object();
        Thread keeper = new Thread(() -> {
            synchronized (worker) {
                synchronized (gate) {
                    Thread.yield();
                }
            }
        });
        worker.start();
        keeper.start();
        enter(gate, worker);
    }

    /** Waits with a lock that the keeper wants. */
    static void enter(Object gate, Thread worker) throws InterruptedException {
        synchronized (gate) {
            end(worker);
        }
    }

    static void end(Thread worker) throws InterruptedException {
        worker.join();
        hasJoined = true;
    }
}

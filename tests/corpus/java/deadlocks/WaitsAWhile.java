// expect: unsafe
// options: --property no-deadlock
/** One waits for a while only, which is no deadlock; the other is told before it waits, and not again. */
class WaitsAWhile {
    static boolean isReady;

    public static void main(String[] arguments) throws InterruptedException {
        Object monitor = new Object();
        Thread told = new Thread(() -> {
            synchronized (monitor) {
                try {
                    monitor.wait();
                } catch (InterruptedException exception) {
                    throw new IllegalStateException(exception);
                }
            }
        });
        told.start();
        synchronized (monitor) {
            monitor.wait(10);
            isReady = true;
            monitor.notify();
        }
        told.join();
    }
}

// expect: safe
// options: --property no-deadlock
/** One waits for a while only, which is no deadlock; the other looks whether it was told before it waits. */
class WaitsAWhileAgain {
    static boolean isReady;

    public static void main(String[] arguments) throws InterruptedException {
        Object monitor = new Object();
        Thread told = new Thread(() -> {
            synchronized (monitor) {
                try {
                    while (!isReady) {
                        monitor.wait();
                    }
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

// expect: safe
// unknown: cegar, symbolic, bounded
/** Interruption of threads that sleep, wait, join, and run. */
class ThreadsInterrupt {
    static boolean wasBroken;

    public static void main(String[] arguments) throws InterruptedException {
        Object lock = new Object();
        Thread waiter = new Thread(() -> {
            synchronized (lock) {
                try {
                    while (true) {
                        lock.wait();
                    }
                } catch (InterruptedException e) {
                    wasBroken = true;
                    assert !Thread.currentThread().isInterrupted();
                }
            }
        });
        waiter.start();
        waiter.interrupt();
        waiter.join();
        assert wasBroken;
        Thread.currentThread().interrupt();
        assert Thread.currentThread().isInterrupted();
        try {
            Thread.sleep(10);
            assert false;
        } catch (InterruptedException e) {
            assert !Thread.interrupted();
        }
        try {
            lock.notify();
            assert false;
        } catch (IllegalMonitorStateException e) {
            assert e.getMessage().equals("current thread is not owner");
        }
        try {
            waiter.start();
            assert false;
        } catch (IllegalThreadStateException e) {
            assert !waiter.isAlive();
        }
    }
}

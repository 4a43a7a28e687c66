// expect: safe
// options: --property no-deadlock
/** Who waits for the end of a thread with its lock gives that back, and has it again at the end. */
class JoinWithLock {
    public static void main(String[] arguments) throws InterruptedException {
        Thread worker = new Thread() {
            @Override
            public void run() {
                synchronized (this) {
                    Thread.yield();
                }
            }
        };
        synchronized (worker) {
            worker.start();
            worker.join();
            assert Thread.holdsLock(worker);
        }
    }
}

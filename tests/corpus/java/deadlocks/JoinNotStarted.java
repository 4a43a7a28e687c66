// expect: safe
// options: --property no-deadlock
/** Nobody waits for a thread that was not started, nor for the first one that has ended. */
class JoinNotStarted {
    public static void main(String[] arguments) throws InterruptedException {
        Thread first = Thread.currentThread();
        new Thread().join();
        Thread second = new Thread(() -> {
            try {
                first.join();
            } catch (InterruptedException exception) {
                throw new IllegalStateException(exception);
            }
            assert !first.isAlive();
        });
        second.start();
    }
}

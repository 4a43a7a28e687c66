// expect: unsafe
// options: --property no-deadlock
/** A thread that waits for its own end. */
class JoinItself {
    public static void main(String[] arguments) throws InterruptedException {
        Thread.currentThread().join();
    }
}

// expect: safe
// options: --property no-deadlock
import java.util.concurrent.Semaphore;

/** Each in the line gets its turn as soon as there is enough for it. */
public class ThreadsSemaphoreTurns {
    static final Semaphore permits = new Semaphore(0, true);

    public static void main(String[] args) throws InterruptedException {
        Thread two = new Thread(() -> permits.acquireUninterruptibly(2));
        Thread one = new Thread(() -> permits.acquireUninterruptibly(1));
        two.start();
        one.start();
        permits.release(1);
        permits.release(2);
        two.join();
        one.join();
        assert !permits.tryAcquire();
    }
}

// expect: unsafe
// options: --property no-deadlock
import java.util.concurrent.Semaphore;

/** Who wants two permits and is first in line keeps the one who wants one waiting. */
public class ThreadsSemaphoreLine {
    static final Semaphore permits = new Semaphore(0);

    static void take(int count) {
        permits.acquireUninterruptibly(count);
        permits.release(2);
    }

    public static void main(String[] args) {
        new Thread(() -> take(2)).start();
        new Thread(() -> take(1)).start();
        permits.release(1);
    }
}

// expect: unsafe
// options: --property no-deadlock
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Nobody signals the condition. */
class ThreadsLocksDeadlock {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static boolean isReady;
    static int data;

    public static void main(String[] arguments) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            lock.lock();
            try {
                isReady = true;
            } finally {
                lock.unlock();
            }
            data = 1;
            latch.countDown();
        });
        other.start();
        lock.lock();
        try {
            while (!isReady) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
        latch.await();
        assert data == 1;
    }
}

// expect: safe
// options: --property no-deadlock
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The thread that has waited longest for a condition is signalled first. */
public class ThreadsConditionOrder {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static int waiting;

    static void await(int before) {
        lock.lock();
        try {
            if (waiting == before) {
                waiting++;
                changed.await();
            }
        } catch (InterruptedException impossible) {
            System.exit(1);
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(() -> await(0));
        Thread second = new Thread(() -> await(1));
        first.start();
        second.start();
        lock.lock();
        if (waiting == 2) {
            changed.signal();
            lock.unlock();
            // Nobody signals the second one before.
            first.join();
        } else {
            lock.unlock();
            System.exit(0);
        }
        lock.lock();
        changed.signal();
        lock.unlock();
        second.join();
    }
}

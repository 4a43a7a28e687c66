package java.util.concurrent.locks;

import java.util.Date;
import java.util.concurrent.TimeUnit;
import tandem.Native;

/** A lock like a monitor. */
public class ReentrantLock implements Lock, java.io.Serializable {
    /** Its monitor is the lock. */
    private final Object mutex = new Object();
    private final boolean isFair;
    /** How often the owner has taken it. */
    private int count;

    public ReentrantLock() {
        this(false);
    }

    public ReentrantLock(boolean isFair) {
        this.isFair = isFair;
    }

    public void lock() {
        Native.lock(mutex);
        count++;
    }

    public void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (Native.hasInterrupts()) {
            Native.unmodelled();
        }
        lock();
    }

    public boolean tryLock() {
        Native.atomicBegin();
        boolean isFree = Native.holds(mutex) || !Native.isLocked(mutex);
        if (isFree) {
            Native.lock(mutex);
        }
        Native.atomicEnd();
        if (isFree) {
            count++;
        }
        return isFree;
    }

    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        if (unit == null) {
            throw new NullPointerException();
        }
        while (true) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (tryLock()) {
                return true;
            }
            if (Native.choose(2) == 0) {
                return false;
            }
        }
    }

    public void unlock() {
        check();
        count--;
        Native.unlock(mutex);
    }

    private void check() {
        if (!Native.holds(mutex)) {
            throw new IllegalMonitorStateException();
        }
    }

    public Condition newCondition() {
        return new Waiting(this);
    }

    public int getHoldCount() {
        return Native.holds(mutex) ? count : 0;
    }

    public boolean isHeldByCurrentThread() {
        return Native.holds(mutex);
    }

    public boolean isLocked() {
        return Native.isLocked(mutex);
    }

    public final boolean isFair() {
        return isFair;
    }

    /** Threads that wait with the lock. The one that has waited longest is signalled first. */
    private static final class Waiting implements Condition {
        private final ReentrantLock lock;
        /** Those who wait, where they wait to be signalled. */
        private Place first;

        Waiting(ReentrantLock lock) {
            this.lock = lock;
        }

        private void await(boolean isForEver) throws InterruptedException {
            if (Native.hasInterrupts() && Thread.interrupted()) {
                throw new InterruptedException();
            }
            lock.check();
            int count = lock.count;
            lock.count = 0;
            Place mine = Native.wakesAlone() ? null : queue();
            try {
                Thread.await(this, lock.mutex, isForEver);
            } finally {
                lock.count = count;
                if (mine != null) {
                    leave(mine);
                }
            }
        }

        private Place queue() {
            Place place = new Place(Thread.currentThread());
            if (first == null) {
                first = place;
            } else {
                Place last = first;
                while (last.next != null) {
                    last = last.next;
                }
                last.next = place;
            }
            return place;
        }

        private void leave(Place place) {
            if (first == place) {
                first = place.next;
                return;
            }
            Place before = first;
            while (before.next != place) {
                before = before.next;
            }
            before.next = place.next;
        }

        public void await() throws InterruptedException {
            await(true);
        }

        public boolean await(long time, TimeUnit unit) throws InterruptedException {
            if (unit == null) {
                throw new NullPointerException();
            }
            await(false);
            return Native.choose(2) == 0;
        }

        public void awaitUninterruptibly() {
            Native.unmodelled();
        }

        public long awaitNanos(long nanos) throws InterruptedException {
            Native.unmodelled();
            return 0;
        }

        public boolean awaitUntil(Date deadline) throws InterruptedException {
            Native.unmodelled();
            return false;
        }

        public void signal() {
            lock.check();
            Place place = first;
            while (place != null && !Thread.signal(place.thread, this)) {
                place = place.next;
            }
        }

        public void signalAll() {
            lock.check();
            Thread.signal(this, true);
        }
    }

    private static final class Place {
        final Thread thread;
        Place next;

        Place(Thread thread) {
            this.thread = thread;
        }
    }
}

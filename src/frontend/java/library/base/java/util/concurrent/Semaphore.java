package java.util.concurrent;

import tandem.Native;

/** Permits that threads take and give back. Who has to wait stands in line, and only the first takes permits. */
public class Semaphore implements java.io.Serializable {
    private final Object mutex = new Object();
    private final boolean isFair;
    private int permits;
    /** The line, where anybody takes several permits: nobody can tell the order of those who want the same. */
    private Place first;
    private Place last;

    public Semaphore(int permits) {
        this(permits, false);
    }

    public Semaphore(int permits, boolean isFair) {
        this.permits = permits;
        this.isFair = isFair;
    }

    public void acquire() throws InterruptedException {
        take(1);
    }

    public void acquire(int count) throws InterruptedException {
        take(checked(count));
    }

    public void acquireUninterruptibly() {
        takeUninterruptibly(1);
    }

    public void acquireUninterruptibly(int count) {
        takeUninterruptibly(checked(count));
    }

    private void takeUninterruptibly(int count) {
        if (Native.hasInterrupts()) {
            Native.unmodelled();
        }
        try {
            take(count);
        } catch (InterruptedException impossible) {
            Native.unmodelled();
        }
    }

    private void take(int count) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        synchronized (mutex) {
            if (!isFree(count)) {
                Place mine = queue();
                try {
                    while (!isNext(mine, count)) {
                        mutex.wait();
                    }
                } catch (InterruptedException exception) {
                    leave(mine);
                    throw exception;
                }
                leave(mine);
            }
            permits -= count;
        }
    }

    public boolean tryAcquire() {
        return tryTake(1);
    }

    public boolean tryAcquire(int count) {
        return tryTake(checked(count));
    }

    private boolean tryTake(int count) {
        synchronized (mutex) {
            if (permits < count) {
                return false;
            }
            permits -= count;
            return true;
        }
    }

    public boolean tryAcquire(long time, TimeUnit unit) throws InterruptedException {
        return tryTake(1, time, unit);
    }

    public boolean tryAcquire(int count, long time, TimeUnit unit) throws InterruptedException {
        return tryTake(checked(count), time, unit);
    }

    private boolean tryTake(int count, long time, TimeUnit unit) throws InterruptedException {
        if (unit == null) {
            throw new NullPointerException();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        synchronized (mutex) {
            if (!isFree(count)) {
                if (time <= 0) {
                    return false;
                }
                Place mine = queue();
                try {
                    while (!isNext(mine, count)) {
                        if (Native.choose(2) == 0) {
                            leave(mine);
                            return false;
                        }
                        mutex.wait(1);
                    }
                } catch (InterruptedException exception) {
                    leave(mine);
                    throw exception;
                }
                leave(mine);
            }
            permits -= count;
            return true;
        }
    }

    /** Whether one who has just come gets so many. Others may be in line, unless the semaphore is fair. */
    private boolean isFree(int count) {
        return permits >= count && (!isFair || first == null);
    }

    /** Whether one who waits gets so many. */
    private boolean isNext(Place place, int count) {
        return permits >= count && first == place;
    }

    private Place queue() {
        if (!Native.takesSeveral()) {
            return null;
        }
        Place place = new Place();
        if (first == null) {
            first = place;
        } else {
            last.next = place;
        }
        last = place;
        return place;
    }

    /** Leaves the line; the next one looks whether it is its turn. */
    private void leave(Place place) {
        if (place == null) {
            return;
        }
        if (first == place) {
            first = place.next;
        } else {
            Place before = first;
            while (before.next != place) {
                before = before.next;
            }
            before.next = place.next;
            if (last == place) {
                last = before;
            }
        }
        if (first == null) {
            last = null;
        }
        mutex.notifyAll();
    }

    public void release() {
        give(1);
    }

    public void release(int count) {
        give(checked(count));
    }

    private void give(int count) {
        synchronized (mutex) {
            if (permits + count < permits) {
                throw new Error("Maximum permit count exceeded");
            }
            permits += count;
            mutex.notifyAll();
        }
    }

    private static int checked(int count) {
        if (count < 0) {
            throw new IllegalArgumentException();
        }
        return count;
    }

    public int availablePermits() {
        synchronized (mutex) {
            return permits;
        }
    }

    public int drainPermits() {
        synchronized (mutex) {
            int all = permits;
            permits = 0;
            return all;
        }
    }

    public boolean isFair() {
        return isFair;
    }

    private static final class Place {
        Place next;
    }
}

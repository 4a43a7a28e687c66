package java.util.concurrent;

import tandem.Native;

/** Permits that threads take and give back. */
public class Semaphore implements java.io.Serializable {
    private final Object mutex = new Object();
    private int permits;

    public Semaphore(int permits) {
        this.permits = permits;
    }

    public Semaphore(int permits, boolean isFair) {
        this.permits = permits;
    }

    public void acquire() throws InterruptedException {
        acquire(1);
    }

    public void acquire(int count) throws InterruptedException {
        if (count < 0) {
            throw new IllegalArgumentException();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        synchronized (mutex) {
            while (permits < count) {
                mutex.wait();
            }
            permits -= count;
        }
    }

    public void acquireUninterruptibly() {
        if (Native.hasInterrupts()) {
            Native.unmodelled();
        }
        try {
            acquire(1);
        } catch (InterruptedException impossible) {
            Native.unmodelled();
        }
    }

    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    public boolean tryAcquire(int count) {
        if (count < 0) {
            throw new IllegalArgumentException();
        }
        synchronized (mutex) {
            if (permits < count) {
                return false;
            }
            permits -= count;
            return true;
        }
    }

    public void release() {
        release(1);
    }

    public void release(int count) {
        if (count < 0) {
            throw new IllegalArgumentException();
        }
        synchronized (mutex) {
            if (permits + count < permits) {
                throw new Error("Maximum permit count exceeded");
            }
            permits += count;
            mutex.notifyAll();
        }
    }

    public int availablePermits() {
        synchronized (mutex) {
            return permits;
        }
    }
}

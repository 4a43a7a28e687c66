package java.util.concurrent;

import tandem.Native;

/** Opens when it was counted down to zero. */
public class CountDownLatch {
    private final Object mutex = new Object();
    private int count;

    public CountDownLatch(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("count < 0");
        }
        this.count = count;
    }

    public void await() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        synchronized (mutex) {
            while (count > 0) {
                mutex.wait();
            }
        }
    }

    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        if (unit == null) {
            throw new NullPointerException();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        synchronized (mutex) {
            while (count > 0) {
                if (Native.choose(2) == 0) {
                    return false;
                }
                mutex.wait(1);
            }
            return true;
        }
    }

    public void countDown() {
        synchronized (mutex) {
            if (count > 0) {
                count--;
                if (count == 0) {
                    mutex.notifyAll();
                }
            }
        }
    }

    public long getCount() {
        synchronized (mutex) {
            return count;
        }
    }
}

package java.util.concurrent.locks;

import java.util.concurrent.TimeUnit;
import tandem.Native;

/** A lock that many can have to read, or one to write. */
public class ReentrantReadWriteLock implements ReadWriteLock, java.io.Serializable {
    private final ReadLock readLock = new ReadLock(this);
    private final WriteLock writeLock = new WriteLock(this);
    private final boolean isFair;
    private Thread writer;
    private int writes;
    /** Those who read, each with how often. */
    private Hold holds;
    /** How many wait to write. */
    private int waiting;

    public ReentrantReadWriteLock() {
        this(false);
    }

    public ReentrantReadWriteLock(boolean isFair) {
        this.isFair = isFair;
    }

    public ReadLock readLock() {
        return readLock;
    }

    public WriteLock writeLock() {
        return writeLock;
    }

    public final boolean isFair() {
        return isFair;
    }

    public boolean isWriteLockedByCurrentThread() {
        return writer == Thread.currentThread();
    }

    private Hold hold(Thread thread) {
        Hold hold = holds;
        while (hold != null && hold.thread != thread) {
            hold = hold.next;
        }
        return hold;
    }

    private void sleep() {
        if (Native.hasInterrupts()) {
            Native.unmodelled();
        }
        try {
            wait();
        } catch (InterruptedException impossible) {
            Native.unmodelled();
        }
    }

    private synchronized boolean read(boolean waits) {
        Thread me = Thread.currentThread();
        Hold mine = hold(me);
        // Somebody new may have to let those go first who wait to write.
        boolean goesBehind = waits && mine == null && writer != me && waiting > 0 && (isFair || Native.choose(2) == 0);
        while (writer != null && writer != me || goesBehind && waiting > 0) {
            if (!waits) {
                return false;
            }
            sleep();
        }
        if (mine == null) {
            mine = new Hold(me, holds);
            holds = mine;
        }
        mine.count++;
        return true;
    }

    private synchronized void endRead() {
        Hold mine = hold(Thread.currentThread());
        if (mine == null) {
            throw new IllegalMonitorStateException("attempt to unlock read lock, not locked by current thread");
        }
        if (--mine.count == 0) {
            if (holds == mine) {
                holds = mine.next;
            } else {
                Hold before = holds;
                while (before.next != mine) {
                    before = before.next;
                }
                before.next = mine.next;
            }
            notifyAll();
        }
    }

    private synchronized boolean write(boolean waits) {
        Thread me = Thread.currentThread();
        if (writer != me) {
            waiting++;
            while (writer != null || holds != null) {
                if (!waits) {
                    waiting--;
                    return false;
                }
                sleep();
            }
            waiting--;
            notifyAll();
        }
        writer = me;
        writes++;
        return true;
    }

    private synchronized void endWrite() {
        if (writer != Thread.currentThread()) {
            throw new IllegalMonitorStateException();
        }
        if (--writes == 0) {
            writer = null;
            notifyAll();
        }
    }

    private static final class Hold {
        final Thread thread;
        Hold next;
        int count;

        Hold(Thread thread, Hold next) {
            this.thread = thread;
            this.next = next;
        }
    }

    /** To read. */
    public static class ReadLock implements Lock, java.io.Serializable {
        private final ReentrantReadWriteLock all;

        protected ReadLock(ReentrantReadWriteLock all) {
            this.all = all;
        }

        public void lock() {
            all.read(true);
        }

        public void lockInterruptibly() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            lock();
        }

        public boolean tryLock() {
            return all.read(false);
        }

        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (tryLock()) {
                return true;
            }
            if (Native.choose(2) == 0) {
                return false;
            }
            lock();
            return true;
        }

        public void unlock() {
            all.endRead();
        }

        public Condition newCondition() {
            throw new UnsupportedOperationException();
        }
    }

    /** To write. */
    public static class WriteLock implements Lock, java.io.Serializable {
        private final ReentrantReadWriteLock all;

        protected WriteLock(ReentrantReadWriteLock all) {
            this.all = all;
        }

        public void lock() {
            all.write(true);
        }

        public void lockInterruptibly() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            lock();
        }

        public boolean tryLock() {
            return all.write(false);
        }

        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (tryLock()) {
                return true;
            }
            if (Native.choose(2) == 0) {
                return false;
            }
            lock();
            return true;
        }

        public void unlock() {
            all.endWrite();
        }

        public Condition newCondition() {
            Native.unmodelled();
            return null;
        }

        public boolean isHeldByCurrentThread() {
            return all.isWriteLockedByCurrentThread();
        }
    }
}

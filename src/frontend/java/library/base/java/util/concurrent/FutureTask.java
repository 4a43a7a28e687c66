package java.util.concurrent;

import tandem.Native;

/** What a task gives, once it was executed. */
public class FutureTask<V> implements RunnableFuture<V> {
    private static final int OPEN = 0;
    private static final int DONE = 1;
    private static final int FAILED = 2;
    private static final int CANCELLED = 3;

    private final Object mutex = new Object();
    private Callable<V> callable;
    private int state;
    private Thread runner;
    private V value;
    private Throwable cause;

    public FutureTask(Callable<V> callable) {
        if (callable == null) {
            throw new NullPointerException();
        }
        this.callable = callable;
    }

    public FutureTask(Runnable runnable, V result) {
        this(Executors.callable(runnable, result));
    }

    public void run() {
        synchronized (mutex) {
            if (state != OPEN || runner != null) {
                return;
            }
            runner = Thread.currentThread();
        }
        V result;
        try {
            result = callable.call();
        } catch (Throwable failure) {
            setException(failure);
            return;
        }
        set(result);
    }

    protected void set(V result) {
        end(DONE, result, null);
    }

    protected void setException(Throwable failure) {
        end(FAILED, null, failure);
    }

    private boolean end(int how, V result, Throwable failure) {
        synchronized (mutex) {
            if (state != OPEN) {
                return false;
            }
            value = result;
            cause = failure;
            state = how;
            callable = null;
            mutex.notifyAll();
        }
        done();
        return true;
    }

    protected void done() {
    }

    public boolean cancel(boolean mayInterrupt) {
        Thread interrupted;
        synchronized (mutex) {
            if (state != OPEN) {
                return false;
            }
            interrupted = mayInterrupt ? runner : null;
        }
        if (interrupted != null) {
            interrupted.interrupt();
        }
        return end(CANCELLED, null, null);
    }

    public boolean isCancelled() {
        synchronized (mutex) {
            return state == CANCELLED;
        }
    }

    public boolean isDone() {
        synchronized (mutex) {
            return state != OPEN;
        }
    }

    public V get() throws InterruptedException, ExecutionException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        synchronized (mutex) {
            while (state == OPEN) {
                mutex.wait();
            }
        }
        return result();
    }

    public V get(long time, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (unit == null) {
            throw new NullPointerException();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        synchronized (mutex) {
            while (state == OPEN) {
                if (Native.choose(2) == 0) {
                    throw new TimeoutException();
                }
                mutex.wait(1);
            }
        }
        return result();
    }

    private V result() throws ExecutionException {
        switch (state) {
            case DONE:
                return value;
            case CANCELLED:
                throw new CancellationException();
            default:
                throw new ExecutionException(cause);
        }
    }
}

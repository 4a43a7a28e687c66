package java.util.concurrent;

import java.util.ArrayList;
import java.util.List;
import tandem.Native;

/** Threads that execute tasks, without those that do so at some time. */
public class Executors {
    private Executors() {
    }

    public static ExecutorService newFixedThreadPool(int threads) {
        return new Pool(threads, false, null);
    }

    public static ExecutorService newFixedThreadPool(int threads, ThreadFactory factory) {
        return new Pool(threads, false, checked(factory));
    }

    public static ExecutorService newSingleThreadExecutor() {
        return new Pool(1, false, null);
    }

    public static ExecutorService newSingleThreadExecutor(ThreadFactory factory) {
        return new Pool(1, false, checked(factory));
    }

    public static ExecutorService newCachedThreadPool() {
        return new Pool(Integer.MAX_VALUE, true, null);
    }

    public static ExecutorService newCachedThreadPool(ThreadFactory factory) {
        return new Pool(Integer.MAX_VALUE, true, checked(factory));
    }

    private static ThreadFactory checked(ThreadFactory factory) {
        if (factory == null) {
            throw new NullPointerException();
        }
        return factory;
    }

    public static <T> Callable<T> callable(Runnable task, T result) {
        if (task == null) {
            throw new NullPointerException();
        }
        return new Adapter<T>(task, result);
    }

    public static Callable<Object> callable(Runnable task) {
        return callable(task, null);
    }

    private static final class Adapter<T> implements Callable<T> {
        private final Runnable task;
        private final T result;

        Adapter(Runnable task, T result) {
            this.task = task;
            this.result = result;
        }

        public T call() {
            task.run();
            return result;
        }
    }

    /** A task that waits for a thread. */
    private static final class Queued {
        final Runnable task;
        Queued next;

        Queued(Runnable task) {
            this.task = task;
        }
    }

    /** Threads, up to a number, and tasks that wait for them. */
    private static final class Pool extends AbstractExecutorService {
        private final Object mutex = new Object();
        private final int most;
        /** Whether a thread that is idle is asked before another is started, and ends after a time. */
        private final boolean isCached;
        private final ThreadFactory factory;
        private final ArrayList<Thread> threads = new ArrayList<>();
        private Queued first;
        private Queued last;
        private int waiting;
        private int workers;
        private int idle;
        private boolean isShut;

        Pool(int most, boolean isCached, ThreadFactory factory) {
            if (most <= 0) {
                throw new IllegalArgumentException();
            }
            this.most = most;
            this.isCached = isCached;
            this.factory = factory;
        }

        public void execute(Runnable task) {
            if (task == null) {
                throw new NullPointerException();
            }
            synchronized (mutex) {
                if (isShut) {
                    throw new RejectedExecutionException();
                }
                if (workers < most && !(isCached && idle > waiting)) {
                    start(task);
                } else {
                    Queued queued = new Queued(task);
                    if (first == null) {
                        first = queued;
                    } else {
                        last.next = queued;
                    }
                    last = queued;
                    waiting++;
                    mutex.notifyAll();
                }
            }
        }

        private void start(Runnable task) {
            workers++;
            Worker worker = new Worker(this, task);
            Thread thread = factory == null ? new Thread(worker) : factory.newThread(worker);
            if (thread == null) {
                Native.unmodelled();
            }
            threads.add(thread);
            thread.start();
        }

        /** The next task; none where the thread is to end. */
        private Runnable next() {
            synchronized (mutex) {
                while (first == null) {
                    if (isShut) {
                        end();
                        return null;
                    }
                    idle++;
                    boolean isOver = false;
                    try {
                        if (isCached) {
                            isOver = Native.choose(2) == 0;
                            if (!isOver) {
                                mutex.wait(1);
                            }
                        } else {
                            mutex.wait();
                        }
                    } catch (InterruptedException ignored) {
                        // It looks again.
                    }
                    idle--;
                    if (isOver && first == null) {
                        end();
                        return null;
                    }
                }
                Runnable task = first.task;
                first = first.next;
                waiting--;
                return task;
            }
        }

        private void end() {
            workers--;
            threads.remove(Thread.currentThread());
            mutex.notifyAll();
        }

        /** A task has thrown an exception: its thread ends, and another takes its place. */
        private void replace() {
            synchronized (mutex) {
                end();
                if (!isShut || first != null) {
                    start(null);
                }
            }
        }

        public void shutdown() {
            synchronized (mutex) {
                isShut = true;
                mutex.notifyAll();
            }
        }

        public List<Runnable> shutdownNow() {
            ArrayList<Runnable> rest = new ArrayList<>();
            synchronized (mutex) {
                isShut = true;
                for (Queued queued = first; queued != null; queued = queued.next) {
                    rest.add(queued.task);
                }
                first = null;
                waiting = 0;
                for (int i = 0; i < threads.size(); i++) {
                    threads.get(i).interrupt();
                }
                mutex.notifyAll();
            }
            return rest;
        }

        public boolean isShutdown() {
            synchronized (mutex) {
                return isShut;
            }
        }

        public boolean isTerminated() {
            synchronized (mutex) {
                return isShut && workers == 0;
            }
        }

        public boolean awaitTermination(long time, TimeUnit unit) throws InterruptedException {
            if (unit == null) {
                throw new NullPointerException();
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            synchronized (mutex) {
                while (!isShut || workers > 0) {
                    if (Native.choose(2) == 0) {
                        return false;
                    }
                    mutex.wait(1);
                }
                return true;
            }
        }
    }

    private static final class Worker implements Runnable {
        private final Pool pool;
        private Runnable task;

        Worker(Pool pool, Runnable task) {
            this.pool = pool;
            this.task = task;
        }

        public void run() {
            Runnable next = task == null ? pool.next() : task;
            task = null;
            while (next != null) {
                boolean isDone = false;
                try {
                    next.run();
                    isDone = true;
                } finally {
                    if (!isDone) {
                        pool.replace();
                    }
                }
                next = pool.next();
            }
        }
    }
}

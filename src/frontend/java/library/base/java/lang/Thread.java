package java.lang;

import tandem.Native;

/** A thread. What others can see of it changes in atomic sections. */
public class Thread implements Runnable {
    public static final int MIN_PRIORITY = 1;
    public static final int NORM_PRIORITY = 5;
    public static final int MAX_PRIORITY = 10;

    /** The thread that was started last, where some are woken; each knows the one before it. */
    private static Thread last;
    /** How many threads got a number for a name. */
    private static int numbered;
    /** How many threads have started and not ended that are no daemons. */
    private static int users;
    private static boolean hasDaemons;

    private Thread previous;
    private Runnable target;
    private String name;
    private int number;
    private int priority = NORM_PRIORITY;
    private boolean isDaemon;
    /** Whether it was started, and whether it has ended: 1 or 0, apart, as who starts threads does not ask which have ended. */
    private int started;
    private int ended;
    /** Its number, once it was started; the first has none but 0. */
    private int handle;
    private boolean isInterrupted;
    /** The object that it waits for, until it wakes. */
    private Object waitingFor;
    private boolean isNotified;
    /** The values of variables of its own. */
    ThreadLocal.Entry locals;

    public Thread() {
        this(null, null, number());
    }

    public Thread(Runnable target) {
        this(target, null, number());
    }

    public Thread(String name) {
        this(null, checked(name), -1);
    }

    public Thread(Runnable target, String name) {
        this(target, checked(name), -1);
    }

    public Thread(ThreadGroup group, Runnable target) {
        this(target, null, number());
        checkGroup(group);
    }

    public Thread(ThreadGroup group, String name) {
        this(null, checked(name), -1);
        checkGroup(group);
    }

    public Thread(ThreadGroup group, Runnable target, String name) {
        this(target, checked(name), -1);
        checkGroup(group);
    }

    public Thread(ThreadGroup group, Runnable target, String name, long stackSize) {
        this(target, checked(name), -1);
        checkGroup(group);
    }

    private Thread(Runnable target, String name, int number) {
        this.target = target;
        this.name = name;
        this.number = number;
        Thread maker = currentThread();
        if (maker != null) {
            isDaemon = maker.isDaemon;
            priority = maker.getPriority();
            if (maker.locals != null) {
                ThreadLocal.inherit(maker.locals, this);
            }
        }
    }

    /** There are no groups but the one in which the program starts. */
    private static void checkGroup(ThreadGroup group) {
        if (group != null) {
            Native.unmodelled();
        }
    }

    /** The number that the name of a thread has which is not given one. */
    private static int number() {
        Native.atomicBegin();
        int result = numbered++;
        Native.atomicEnd();
        return result;
    }

    private static String checked(String name) {
        if (name == null) {
            throw new NullPointerException("name cannot be null");
        }
        return name;
    }

    /** The thread in which the program starts. */
    static Thread first() {
        Thread made = new Thread(null, "main", -1);
        made.started = 1;
        if (Native.hasWaiting()) {
            last = made;
        }
        users = 1;
        return made;
    }

    /** What a new thread does. */
    static void enter(Thread thread) {
        try {
            thread.run();
        } catch (Throwable exception) {
            Native.uncaught(exception);
        }
        end(thread);
    }

    /** The end of a thread. Those who wait for it are told; the last one that is no daemon ends the program. */
    static void end(Thread thread) {
        if (Native.joinsByEnd()) {
            // Nobody waits to be told.
            Native.atomicBegin();
        } else {
            Native.lockAtomic(thread);
        }
        if (Native.asksForEnds()) {
            thread.ended = 1;
        }
        if (!Native.joinsByEnd()) {
            thread.target = null;
            if (Native.waitsForEver()) {
                Native.notifyAll(thread);
            } else if (Native.hasWaiting()) {
                signal(thread, true);
            }
            Native.unlock(thread);
        }
        boolean isLast = Native.hasDaemons() && !thread.isDaemon && --users == 0 && hasDaemons;
        Native.atomicEnd();
        if (isLast) {
            Native.halt(0);
        }
    }

    protected Object clone() throws CloneNotSupportedException {
        throw new CloneNotSupportedException();
    }

    public static Thread currentThread() {
        return Native.currentThread();
    }

    public void run() {
        if (target != null) {
            if (Native.joinsByEnd() && currentThread() != this && started != 0) {
                // A thread that has ended has no target any more.
                Native.unmodelled();
            }
            target.run();
        }
    }

    /** As if it were synchronized. */
    public void start() {
        Native.lockAtomic(this);
        boolean isNew = started == 0;
        if (isNew) {
            started = 1;
            if (Native.hasWaiting()) {
                previous = last;
                last = this;
            }
            if (isDaemon) {
                hasDaemons = true;
            } else if (Native.hasDaemons()) {
                users++;
            }
            handle = Native.start(this);
        }
        Native.unlock(this);
        Native.atomicEnd();
        if (!isNew) {
            throw new IllegalThreadStateException();
        }
    }

    private boolean hasEnded() {
        Native.atomicBegin();
        boolean result = ended != 0;
        Native.atomicEnd();
        return result;
    }

    public final boolean isAlive() {
        return isRunning();
    }

    private boolean isRunning() {
        Native.atomicBegin();
        boolean result = started != 0 && ended == 0;
        Native.atomicEnd();
        return result;
    }

    public final void join() throws InterruptedException {
        if (Native.joinsByEnd()) {
            join(this);
            return;
        }
        if (Native.wakesAlone() && !Native.holds(this)) {
            // The thread would wait, and look again whenever it wakes.
            Thread me = currentThread();
            Native.awaitEnd(this, me);
            boolean isBroken = started != 0 && ended == 0;
            if (isBroken) {
                me.isInterrupted = false;
            }
            Native.unlock(this);
            Native.atomicEnd();
            if (isBroken) {
                throw new InterruptedException();
            }
            return;
        }
        synchronized (this) {
            while (isRunning()) {
                if (Native.waitsForEver()) {
                    Native.await(this);
                } else {
                    sleep(this, this, true);
                }
            }
        }
    }

    public final void join(long millis) throws InterruptedException {
        if (millis < 0) {
            throw new IllegalArgumentException("timeout value is negative");
        }
        if (millis == 0) {
            join();
            return;
        }
        synchronized (this) {
            if (isRunning()) {
                sleep(this, this, false);
            }
        }
    }

    /**
     * Waits for the end of a thread that was started, where nothing else can end that. It would hold the lock of the thread
     * before and after it waits; nothing depends on the first.
     */
    private static void join(Thread thread) {
        if (Native.holds(thread)) {
            // Whether it is given back depends on whether the thread has ended.
            Native.unmodelled();
        }
        Native.atomicBegin();
        boolean isNew = thread.started == 0;
        int number = thread.handle;
        Native.atomicEnd();
        if (!isNew) {
            Native.join(number);
        }
        Native.lock(thread);
        Native.unlock(thread);
    }

    public final void join(long millis, int nanos) throws InterruptedException {
        if (millis < 0) {
            throw new IllegalArgumentException("timeout value is negative");
        }
        if (nanos < 0 || nanos > 999999) {
            throw new IllegalArgumentException("nanosecond timeout value out of range");
        }
        join(nanos > 0 && millis < Long.MAX_VALUE ? millis + 1 : millis);
    }

    public void interrupt() {
        Native.atomicBegin();
        isInterrupted = true;
        if (waitingFor != null) {
            Native.wake(this);
        }
        Native.atomicEnd();
    }

    public boolean isInterrupted() {
        Native.atomicBegin();
        boolean result = isInterrupted;
        Native.atomicEnd();
        return result;
    }

    public static boolean interrupted() {
        Thread me = currentThread();
        Native.atomicBegin();
        boolean result = me.isInterrupted;
        me.isInterrupted = false;
        Native.atomicEnd();
        return result;
    }

    /** All orders of threads are looked at anyway. */
    public static void sleep(long millis) throws InterruptedException {
        if (millis < 0) {
            throw new IllegalArgumentException("timeout value is negative");
        }
        if (interrupted()) {
            throw new InterruptedException("sleep interrupted");
        }
    }

    public static void sleep(long millis, int nanos) throws InterruptedException {
        if (millis < 0) {
            throw new IllegalArgumentException("timeout value is negative");
        }
        if (nanos < 0 || nanos > 999999) {
            throw new IllegalArgumentException("nanosecond timeout value out of range");
        }
        sleep(millis);
    }

    public static void yield() {
    }

    public static void onSpinWait() {
    }

    public static boolean holdsLock(Object object) {
        if (object == null) {
            throw new NullPointerException();
        }
        return Native.holds(object);
    }

    public final String getName() {
        Native.atomicBegin();
        String text = name;
        Native.atomicEnd();
        return text != null ? text : "Thread-" + number;
    }

    public final void setName(String name) {
        checked(name);
        Native.atomicBegin();
        this.name = name;
        Native.atomicEnd();
    }

    public final int getPriority() {
        Native.atomicBegin();
        int result = priority;
        Native.atomicEnd();
        return result;
    }

    public final void setPriority(int priority) {
        if (priority > MAX_PRIORITY || priority < MIN_PRIORITY) {
            throw new IllegalArgumentException();
        }
        Native.atomicBegin();
        if (ended == 0) {
            this.priority = priority;
        }
        Native.atomicEnd();
    }

    public final boolean isDaemon() {
        return isDaemon;
    }

    public final void setDaemon(boolean isDaemon) {
        if (isRunning()) {
            throw new IllegalThreadStateException();
        }
        this.isDaemon = isDaemon;
    }

    public String toString() {
        String group = hasEnded() ? "" : "main";
        return "Thread[" + getName() + "," + getPriority() + "," + group + "]";
    }

    /** What {@code Object.wait} does. */
    static void await(Object monitor) throws InterruptedException {
        checkMonitor(monitor);
        if (Native.waitsForEver()) {
            awaitNotified(monitor);
        } else {
            sleep(monitor, monitor, true);
        }
    }

    /** The same with a limit. Negative times are errors, zero is for ever. */
    static void await(Object monitor, long millis) throws InterruptedException {
        if (millis < 0) {
            throw new IllegalArgumentException("timeout value is negative");
        }
        checkMonitor(monitor);
        sleep(monitor, monitor, millis == 0);
    }

    private static void awaitNotified(Object monitor) {
        if (!Native.holds(monitor)) {
            throw new IllegalMonitorStateException("current thread is not owner");
        }
        Native.await(monitor);
    }

    /** Who waits at a thread, or is woken there, meets those who wait for its end. */
    private static void checkMonitor(Object monitor) {
        if (Native.joinsByEnd() && !Native.wakesAlone() && monitor instanceof Thread) {
            Native.unmodelled();
        }
    }

    /** Waits for a condition, without a lock that is taken again then. */
    public static void await(Object condition, Object lock, boolean isForEver) throws InterruptedException {
        sleep(condition, lock, isForEver);
    }

    private static void sleep(Object condition, Object lock, boolean isForEver) throws InterruptedException {
        if (!Native.holds(lock)) {
            throw new IllegalMonitorStateException("current thread is not owner");
        }
        if (Native.wakesAlone() && !Native.hasInterrupts()) {
            passLock(lock);
            return;
        }
        Thread me = currentThread();
        Native.atomicBegin();
        boolean isBroken = me.isInterrupted;
        if (isBroken) {
            me.isInterrupted = false;
            Native.atomicEnd();
            throw new InterruptedException();
        }
        int depth = 0;
        while (Native.holds(lock)) {
            Native.unlock(lock);
            depth++;
        }
        me.waitingFor = condition;
        me.isNotified = false;
        if (isForEver && !Native.wakesAlone()) {
            Native.sleep(me);
        } else {
            Native.atomicEnd();
        }
        if (Native.hasInterrupts() || !Native.wakesAlone()) {
            // From here on it is not among those who wait.
            Native.atomicBegin();
            isBroken = !me.isNotified && me.isInterrupted;
            if (isBroken) {
                me.isInterrupted = false;
            }
            me.waitingFor = null;
            me.isNotified = false;
            Native.atomicEnd();
        }
        for (; depth > 0; depth--) {
            Native.lock(lock);
        }
        if (isBroken) {
            throw new InterruptedException();
        }
    }

    /** Gives a lock back and takes it again, as who wakes on its own. */
    private static void passLock(Object lock) {
        int depth = 0;
        while (Native.holds(lock)) {
            Native.unlock(lock);
            depth++;
        }
        for (; depth > 0; depth--) {
            Native.lock(lock);
        }
    }

    /** What {@code Object.notify} and {@code notifyAll} do. */
    static void wake(Object monitor, boolean all) {
        if (!Native.holds(monitor)) {
            throw new IllegalMonitorStateException("current thread is not owner");
        }
        if (!Native.waitsForEver()) {
            signal(monitor, all);
        } else if (all) {
            Native.notifyAll(monitor);
        } else {
            Native.notify(monitor);
        }
    }

    static void wakeOne(Object monitor) {
        wake(monitor, false);
    }

    static void wakeAll(Object monitor) {
        wake(monitor, true);
    }

    /** Wakes a thread if it waits for the condition and was not woken before; tells whether it was. */
    public static boolean signal(Thread thread, Object condition) {
        Native.atomicBegin();
        boolean isWaiting = thread.waitingFor == condition && !thread.isNotified;
        if (isWaiting) {
            thread.isNotified = true;
            Native.wake(thread);
        }
        Native.atomicEnd();
        return isWaiting;
    }

    /** Wakes one of those who wait for a condition, or all. */
    public static void signal(Object condition, boolean all) {
        if (Native.wakesAlone()) {
            // Whoever waits may go on anyway.
            return;
        }
        Native.atomicBegin();
        int waiting = 0;
        for (Thread thread = last; thread != null; thread = thread.previous) {
            if (thread.waitingFor == condition && !thread.isNotified) {
                waiting++;
            }
        }
        int chosen = all || waiting < 2 ? 0 : Native.choose(waiting);
        for (Thread thread = last; thread != null; thread = thread.previous) {
            if (thread.waitingFor == condition && !thread.isNotified) {
                if (all || chosen == 0) {
                    thread.isNotified = true;
                    Native.wake(thread);
                }
                chosen--;
            }
        }
        Native.atomicEnd();
    }
}

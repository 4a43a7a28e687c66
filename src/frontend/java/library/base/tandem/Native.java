package tandem;

/** What Java cannot say: each method is known to the lowering by its name. */
public final class Native {
    /** Whether the program is executed for a user, who sees what it prints. */
    public static native boolean executes();

    /** Prints one byte. */
    public static native void print(int value);

    /** Prints a number in decimal. */
    public static native void printNumber(long value);

    public static native boolean anyBoolean();

    public static native byte anyByte();

    public static native char anyChar();

    public static native short anyShort();

    public static native int anyInt();

    public static native long anyLong();

    public static native float anyFloat();

    public static native double anyDouble();

    /** Only executions in which the condition holds are looked at. */
    public static native void assume(boolean condition);

    /** Calls the exception's own `fillInStackTrace`, if the program has one for it. */
    public static native void fill(Throwable exception);

    /** Whether anybody takes several permits of a semaphore at once. */
    public static native boolean takesSeveral();

    /** Ends the program. */
    public static native void halt(int status);

    /** What the calling method does from here on is not modelled. */
    public static native void unmodelled();

    /** Copies elements between arrays of one element size, as if all were read first. */
    public static native void copy(Object from, int start, Object to, int position, int length);

    /** Whether the two arrays hold elements of one type. */
    public static native boolean sameClass(Object a, Object b);

    /** Whether the array's elements are references. */
    public static native boolean isReferenceArray(Object array);

    /** Whether the object is an array. */
    public static native boolean isArray(Object array);

    /** The length of any array. */
    public static native int length(Object array);

    /** Whether the reference can be an element of the array. */
    public static native boolean fits(Object[] array, Object value);

    /** Whether the class of an array is the other one's, or one below it. */
    public static native boolean isBelow(Object array, Object other);

    /** Whether the class of the object, or that of the elements of an array, is one of the user's. */
    public static native boolean isUsers(Object object);

    /** The texts of messages that are known before the program starts, by number. */
    public static native String[] told();

    /** A copy of an object, all fields as they are. */
    public static native Object clone(Object original);

    /** Whether the object has the identity hash code, and equals itself alone. */
    public static native boolean isIdentity(Object object);

    /** Whether anybody can tell that the object is asked for its text, which is then printed. */
    public static native boolean isTold(Object object);

    /** The identity hash code; zero if there is none yet, negative if only hash tables know it. */
    public static native int hashCell(Object object);

    public static native void setHashCell(Object object, int code);

    /** The order in which somebody goes through a hash table may be this one, or another one that is not known. */
    public static native void openOrder();

    /** The constants of an enum, as its method `values` gives them; null if the class is none. */
    public static native Object[] enumConstants(Class<?> type);

    /** The number of the class of arrays of such objects; 0 where none is made, and where they are no objects. */
    public static native int arrayNumber(Class<?> component);

    /** An array of the class of that number, whose elements are references. */
    public static native Object[] arrayOf(int number, int length);

    /** Whether the class of the object has a method of its own for the next random bits. */
    public static native boolean overridesNext(java.util.Random random);

    /** Whether the class of the object has a method of its own for a new seed. */
    public static native boolean overridesSetSeed(java.util.Random random);

    /** All literals of the program. */
    public static native String[] literals();

    /** Whether the program starts threads, or uses monitors in ways that can be seen without. */
    public static native boolean hasThreads();

    /** Whether a thread that waits may wake on its own. */
    public static native boolean wakesAlone();

    /** The object of this thread; null before there is one. */
    public static native Thread currentThread();

    /** Starts a thread that enters the object. Tells its number. */
    public static native int start(Thread thread);

    /** Goes on when the thread of a number has ended. */
    public static native void join(int number);

    /** Takes the lock of an object, as often as it likes. */
    public static native void lock(Object object);

    /** Releases the lock of an object once; it must be this thread's. */
    public static native void unlock(Object object);

    /** Whether this thread has the lock of the object. */
    public static native boolean holds(Object object);

    /** Whether any thread has. */
    public static native boolean isLocked(Object object);

    /** From here on no other thread runs. */
    public static native void atomicBegin();

    public static native void atomicEnd();

    /** Ends the atomic section and sleeps, in one step, until this thread is woken. */
    public static native void sleep(Thread me);

    /** Wakes a thread, if it sleeps. */
    public static native void wake(Thread thread);

    /** Takes the lock of an object and starts an atomic section, in one step. */
    public static native void lockAtomic(Object object);

    /** Whether any thread is ever interrupted. */
    public static native boolean hasInterrupts();

    /** Whether any thread is ever a daemon. */
    public static native boolean hasDaemons();

    /** Whether to wait for a thread is to wait for its end: nothing else can wake who does. */
    public static native boolean joinsByEnd();

    /** Whether anybody may ask whether a thread has ended, and not only wait for that. */
    public static native boolean asksForEnds();

    /** Whether who waits at an object does so until it is notified, which {@code await} and {@code notify} do. */
    public static native boolean waitsForEver();

    /** Gives back the lock of an object, sleeps until this thread is notified there, and takes the lock again. */
    public static native void await(Object monitor);

    /** Wakes one of those who await, if there is any. */
    public static native void notify(Object monitor);

    /** Wakes all of those who await. */
    public static native void notifyAll(Object monitor);

    /** Whether any thread ever waits to be woken. */
    public static native boolean hasWaiting();

    /** When the thread is not running, or this one is interrupted, takes its lock and starts an atomic section. */
    public static native void awaitEnd(Thread thread, Thread me);

    /** Any number from 0 on below the given one. */
    public static native int choose(int below);

    /** What an exception means that nothing in a thread has caught. */
    public static native void uncaught(Throwable exception);

    private Native() {
    }
}

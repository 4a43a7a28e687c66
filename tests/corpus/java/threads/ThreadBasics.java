// expect: safe
// unknown: cegar, symbolic, bounded
/** What a new thread takes over from the one that makes it, names, and what is said of wrong arguments. */
public class ThreadBasics {
    static final InheritableThreadLocal<Integer> INHERITED = new InheritableThreadLocal<>();
    static final InheritableThreadLocal<String> DERIVED = new InheritableThreadLocal<>() {
        @Override
        protected String initialValue() {
            return "first";
        }

        @Override
        protected String childValue(String value) {
            return value + "+";
        }
    };
    static final ThreadLocal<Integer> PLAIN = ThreadLocal.withInitial(() -> 7);
    static int seen;
    static String text;
    static int unset;

    static String message(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            return e.getClass().getName() + ": " + e.getMessage();
        }
        return "none";
    }

    public static void main(String[] args) throws InterruptedException {
        Thread main = Thread.currentThread();
        assert main.getName().equals("main") && main.getPriority() == 5 && !main.isDaemon();
        Thread first = new Thread();
        Thread named = new Thread("named");
        Thread second = new Thread(() -> { });
        assert first.getName().equals("Thread-0") && named.getName().equals("named");
        assert second.getName().equals("Thread-1");
        String none = "java.lang.NullPointerException: name cannot be null";
        assert message(() -> new Thread((String) null)).equals(none);
        assert message(() -> new Thread(() -> { }, null)).equals(none);
        assert message(() -> new Thread(null, () -> { }, null)).equals(none);
        assert message(() -> first.setName(null)).equals(none);
        assert new Thread().getName().equals("Thread-2");
        assert new Thread(null, () -> { }, "grouped").getName().equals("grouped");
        assert first.toString().equals("Thread[Thread-0,5,main]");
        String priority = "java.lang.IllegalArgumentException: null";
        assert message(() -> first.setPriority(0)).equals(priority);
        assert message(() -> first.setPriority(11)).equals(priority);
        assert message(() -> first.setPriority(10)).equals("none") && first.getPriority() == 10;
        first.setDaemon(true);
        assert first.isDaemon();

        main.setPriority(8);
        INHERITED.set(42);
        DERIVED.get();
        PLAIN.set(8);
        Thread child = new Thread(() -> {
            seen = INHERITED.get();
            text = DERIVED.get();
            unset = PLAIN.get();
            Thread grandchild = new Thread();
            assert grandchild.getPriority() == 3 && !grandchild.isDaemon();
            INHERITED.set(1);
        });
        INHERITED.set(43);
        assert child.getPriority() == 8 && !child.isDaemon();
        child.setPriority(3);
        child.start();
        child.join();
        assert seen == 42 && unset == 7 && text.equals("first+");
        assert INHERITED.get() == 43 && DERIVED.get().equals("first") && PLAIN.get() == 8;
        assert message(child::start).equals("java.lang.IllegalThreadStateException: null");
        child.setPriority(9);
        assert child.getPriority() == 3;
        assert child.toString().equals("Thread[Thread-3,3,]");
        child.setDaemon(true);
        assert child.isDaemon() && !child.isAlive();
        INHERITED.remove();
        assert INHERITED.get() == null;
        try {
            child.join(-1);
            assert false;
        } catch (IllegalArgumentException e) {
            assert e.getMessage().equals("timeout value is negative");
        }
        try {
            Thread.sleep(0, 1000000);
            assert false;
        } catch (IllegalArgumentException e) {
            assert e.getMessage().equals("nanosecond timeout value out of range");
        }
    }
}

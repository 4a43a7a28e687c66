// expect: safe
// unknown: cegar, symbolic, bounded
/** With a lock, blocks and methods, static and not, no update is lost. */
class ThreadsSynchronized {
    int count;
    static int total;

    synchronized void add() {
        count++;
        addTotal();
    }

    static synchronized void addTotal() {
        total++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        ThreadsSynchronized shared = new ThreadsSynchronized();
        Runnable work = () -> {
            shared.add();
            synchronized (shared) {
                synchronized (shared) {
                    shared.count++;
                }
            }
        };
        Thread a = new Thread(work);
        Thread b = new Thread(work, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert shared.count == 4;
        synchronized (ThreadsSynchronized.class) {
            assert total == 2;
        }
        assert !a.isAlive();
        assert a.getName().equals("Thread-0") && b.getName().equals("b");
    }
}

// expect: safe
// unknown: cegar, symbolic, bounded
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Numbers and references that are changed in one step. */
class ThreadsAtomic {
    public static void main(String[] arguments) throws InterruptedException {
        AtomicInteger count = new AtomicInteger();
        AtomicReference<String> last = new AtomicReference<>("none");
        Runnable work = () -> {
            count.incrementAndGet();
            count.updateAndGet(n -> n + 10);
            last.compareAndSet("none", "first");
        };
        Thread other = new Thread(work);
        other.start();
        work.run();
        other.join();
        assert count.get() == 22;
        assert last.get().equals("first");
    }
}

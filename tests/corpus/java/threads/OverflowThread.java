// expect: unsafe
// unknown: cegar, symbolic, bounded
/** Endless recursion ends its own thread alone. */
public class OverflowThread {
    static void call() {
        call();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> call());
        other.start();
        other.join();
        assert other.isAlive();
    }
}

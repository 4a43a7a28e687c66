// expect: safe
// unknown: symbolic
/** Two threads count under the lock of an object. */
public class CountLocked {
    static int count = 0;
    static final Object lock = new Object();

    static class Worker extends Thread {
        public void run() {
            synchronized (lock) {
                count++;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Worker a = new Worker();
        Worker b = new Worker();
        a.start();
        b.start();
        a.join();
        b.join();
        assert count == 2;
    }
}

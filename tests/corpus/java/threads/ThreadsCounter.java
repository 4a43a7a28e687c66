// expect: unsafe
// unknown: symbolic
/** Two threads count without a lock: an update may be lost. */
class ThreadsCounter {
    static int count;

    static class Worker extends Thread {
        public void run() {
            count++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Worker a = new Worker();
        Worker b = new Worker();
        a.start();
        b.start();
        a.join();
        b.join();
        assert count == 2;
    }
}

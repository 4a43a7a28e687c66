// expect: unsafe
// options: --property no-data-race
/** One lock, but a method without it. */
class RaceInsideOneLock {
    static class Lock {
        int count;

        void add(int n) {
            count += n;
        }

        synchronized void addTwice(int n) {
            add(n);
            add(n);
            count++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Lock lock = new Lock();
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            int n = i;
            threads[i] = new Thread(n == 2 ? () -> lock.add(n) : () -> lock.addTwice(n));
            threads[i].start();
        }
        synchronized (lock) {
            lock.count += 10;
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assert lock.count == 19;
    }
}

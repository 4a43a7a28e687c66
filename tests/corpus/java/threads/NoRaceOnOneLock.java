// expect: safe
// options: --property no-data-race
/** One lock that several threads take, some of them twice. */
class NoRaceOnOneLock {
    static class Lock {
        int count;

        synchronized void add(int n) {
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
            threads[i] = new Thread(() -> lock.addTwice(n));
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

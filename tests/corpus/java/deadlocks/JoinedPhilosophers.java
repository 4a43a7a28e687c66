// expect: safe
// options: --property no-deadlock
/** Dining philosophers of whom one takes the right fork first, and somebody who waits until all have eaten. */
class JoinedPhilosophers {
    static class Philosopher extends Thread {
        final Object first;
        final Object second;

        Philosopher(Object first, Object second) {
            this.first = first;
            this.second = second;
        }

        @Override
        public void run() {
            synchronized (first) {
                synchronized (second) {
                    Thread.yield();
                }
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Object[] forks = {new Object(), new Object(), new Object()};
        Thread[] all = new Thread[forks.length];
        for (int i = 0; i < all.length; i++) {
            int next = (i + 1) % all.length;
            all[i] = new Philosopher(forks[Math.min(i, next)], forks[Math.max(i, next)]);
            all[i].start();
        }
        for (Thread thread : all) {
            thread.join();
        }
    }
}

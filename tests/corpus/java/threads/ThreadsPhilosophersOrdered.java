// expect: safe
// options: --property no-deadlock
/** Dining philosophers of whom one takes the right fork first. */
class ThreadsPhilosophersOrdered {
    static class Philosopher extends Thread {
        final Object left;
        final Object right;

        Philosopher(Object left, Object right) {
            this.left = left;
            this.right = right;
        }

        @Override
        public void run() {
            synchronized (left) {
                synchronized (right) {
                    Thread.yield();
                }
            }
        }
    }

    public static void main(String[] arguments) {
        Object[] forks = new Object[3];
        for (int i = 0; i < forks.length; i++) {
            forks[i] = new Object();
        }
        for (int i = 0; i < forks.length; i++) {
            new Philosopher(forks[Math.min(i, (i + 1) % 3)], forks[Math.max(i, (i + 1) % 3)]).start();
        }
    }
}

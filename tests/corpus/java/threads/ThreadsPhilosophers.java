// expect: unsafe
// options: --property no-deadlock
/** Dining philosophers who all take the left fork first. */
class ThreadsPhilosophers {
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
            new Philosopher(forks[i], forks[(i + 1) % forks.length]).start();
        }
    }
}

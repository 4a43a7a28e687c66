// expect: safe
// options: --property no-deadlock
// Dining philosophers: each takes the fork at the left, then the one at the right; the last one the other way round.
class Philosophers {
    static class Fork { }

    static class Philosopher extends Thread {
        final Fork left;
        final Fork right;

        Philosopher(Fork left, Fork right) {
            this.left = left;
            this.right = right;
        }

        public void run() {
            synchronized (left) {
                synchronized (right) {
                }
            }
        }
    }

    public static void main(String[] args) {
        int n = 4;
        Fork[] forks = new Fork[n];
        for (int i = 0; i < n; i++) {
            forks[i] = new Fork();
        }
        for (int i = 0; i < n; i++) {
            if (i < n - 1) new Philosopher(forks[i], forks[i + 1]).start(); else new Philosopher(forks[0], forks[i]).start();
        }
    }
}

// expect: unsafe
// options: --property no-deadlock
// Only one that asks whether another thread has ended takes the locks the other way round.
class AsksWhoEnded extends Thread {
    static final Object FIRST = new Object();
    static final Object SECOND = new Object();
    AsksWhoEnded before;

    public void run() {
        if (before != null && !before.isAlive()) {
            synchronized (FIRST) {
                synchronized (SECOND) {
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        AsksWhoEnded one = new AsksWhoEnded();
        AsksWhoEnded other = new AsksWhoEnded();
        other.before = one;
        one.start();
        other.start();
        synchronized (SECOND) {
            synchronized (FIRST) {
            }
        }
        one.join();
        other.join();
    }
}

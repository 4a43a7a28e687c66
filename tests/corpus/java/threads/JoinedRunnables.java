// expect: safe
// unknown: cegar, symbolic, panda
// Who waits for the ends of both threads sees what both have done.
class JoinedRunnables implements Runnable {
    static int count;

    public void run() {
        synchronized (JoinedRunnables.class) {
            count++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(new JoinedRunnables());
        Thread other = new Thread(new JoinedRunnables());
        one.start();
        other.start();
        one.join();
        other.join();
        assert count == 2;
    }
}

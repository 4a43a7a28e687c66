// expect: unsafe
// unknown: symbolic
// Who waits for the end of one thread does not wait for the other.
class JoinedOne extends Thread {
    static int count;

    static synchronized void add() {
        count++;
    }

    public void run() {
        add();
    }

    public static void main(String[] args) throws InterruptedException {
        JoinedOne one = new JoinedOne();
        JoinedOne other = new JoinedOne();
        one.start();
        other.start();
        one.join();
        assert count == 2;
    }
}

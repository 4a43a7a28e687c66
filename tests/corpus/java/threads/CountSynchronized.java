// expect: safe
// unknown: symbolic
/** Two threads run one target, whose method is synchronized. */
public class CountSynchronized {
    static int count = 0;

    static synchronized void add() {
        count = count + 1;
    }

    public static void main(String[] args) throws InterruptedException {
        Runnable target = () -> add();
        Thread a = new Thread(target);
        Thread b = new Thread(target);
        a.start();
        b.start();
        a.join();
        b.join();
        assert count == 2;
    }
}

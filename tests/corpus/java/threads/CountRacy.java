// expect: unsafe
// unknown: symbolic
/** Two threads count without a lock: an update may be lost. */
public class CountRacy {
    static int count = 0;

    static class Adder extends Thread {
        public void run() {
            count++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Adder a = new Adder();
        Adder b = new Adder();
        a.start();
        b.start();
        a.join();
        b.join();
        assert count == 2;
    }
}

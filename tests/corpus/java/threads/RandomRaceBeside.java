// expect: unsafe
// options: --property no-data-race
import java.util.Random;

/** What threads do with the numbers of a generator that they share can still race. */
public class RandomRaceBeside {
    static final Random RANDOM = new Random(1);
    static int last;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> last = RANDOM.nextInt());
        other.start();
        last = RANDOM.nextInt();
        other.join();
    }
}

// expect: safe
// options: --property no-data-race
import java.util.Random;

/** A seeded generator that threads share, and texts whose hash codes they ask for, are no data races. */
public class RandomShared {
    static final Random RANDOM = new Random(42);
    static final String KEY = new String("key");

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            RANDOM.nextInt();
            KEY.hashCode();
        });
        other.start();
        RANDOM.nextInt();
        KEY.hashCode();
        other.join();
        // Two numbers were taken, whoever was first.
        assert RANDOM.nextInt() == third();
    }

    static int third() {
        Random random = new Random(42);
        random.nextInt();
        random.nextInt();
        return random.nextInt();
    }
}

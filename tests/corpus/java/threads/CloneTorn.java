// expect: unsafe
// unknown: symbolic
/** A clone is made field by field, and another thread can write between. */
public class CloneTorn implements Cloneable {
    int a;
    int b;

    public static void main(String[] args) throws Exception {
        CloneTorn shared = new CloneTorn();
        Thread writer = new Thread(() -> {
            shared.a = 1;
            shared.b = 1;
        });
        writer.start();
        CloneTorn copy = (CloneTorn) shared.clone();
        // The first was read before it was written, and the second after it.
        assert copy.a >= copy.b;
        writer.join();
    }
}

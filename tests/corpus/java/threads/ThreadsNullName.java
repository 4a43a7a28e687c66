// expect: unsafe
// options: --property no-exception
/** A thread without a name cannot be made. */
public class ThreadsNullName {
    public static void main(String[] args) {
        new Thread(() -> { }, null).start();
    }
}

// expect: unsafe
// options: --property no-data-race
/** What is written with a lock is read without, once a flag was seen that is set inside the lock. */
class RaceBehindFlag {
    static volatile boolean isReady;
    int value;

    public static void main(String[] arguments) {
        RaceBehindFlag shared = new RaceBehindFlag();
        new Thread(() -> {
            synchronized (shared) {
                isReady = true;
                shared.value = 1;
            }
        }).start();
        if (isReady) {
            shared.value = 2;
        }
    }
}

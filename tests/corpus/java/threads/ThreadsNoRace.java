// expect: safe
// options: --property no-data-race
/** A volatile flag publishes a field; start and join do too. */
class ThreadsNoRace {
    static volatile boolean isReady;
    static int value;
    int[] own = new int[2];

    public static void main(String[] arguments) throws InterruptedException {
        value = 1;
        ThreadsNoRace shared = new ThreadsNoRace();
        Thread other = new Thread(() -> {
            value = 2;
            shared.own[1] = 5;
            isReady = true;
        });
        other.start();
        shared.own[0] = 4;
        if (isReady) {
            value = 3;
        }
        other.join();
        value += shared.own[1];
    }
}

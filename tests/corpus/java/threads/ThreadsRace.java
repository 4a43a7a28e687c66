// expect: unsafe
// options: --property no-data-race
/** A flag that is not volatile. */
class ThreadsRace {
    static boolean isReady;

    public static void main(String[] arguments) {
        new Thread(() -> isReady = true).start();
        if (isReady) {
            System.out.println("ready");
        }
    }
}

// expect: unsafe
// options: --property no-data-race
/** Two locks that one statement makes protect nothing from each other. */
class RaceOnTwoLocks {
    static class Lock {
    }

    static int count;

    static Lock make() {
        return new Lock();
    }

    static Thread counting(Lock lock) {
        return new Thread(() -> {
            synchronized (lock) {
                count++;
            }
        });
    }

    public static void main(String[] arguments) {
        Lock one = make();
        Lock other = make();
        counting(one).start();
        counting(other).start();
    }
}

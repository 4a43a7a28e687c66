// expect: safe
// options: --property no-deadlock
/** Daemons do not keep a program from ending; a thread that joins itself would. */
class ThreadsDaemon {
    public static void main(String[] arguments) {
        Object lock = new Object();
        Thread daemon = new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    assert false;
                }
            }
        });
        daemon.setDaemon(true);
        daemon.start();
        assert daemon.isDaemon();
    }
}

// expect: unsafe
// options: --property no-deadlock
/** Who waits for the end of a thread waits at its object: a notification there may go to the wrong one. */
class JoinTakesNotification {
    static class Worker extends Thread {
        boolean mayGo;

        @Override
        public synchronized void run() {
            try {
                while (!mayGo) {
                    wait();
                }
            } catch (InterruptedException exception) {
                throw new IllegalStateException(exception);
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Worker worker = new Worker();
        worker.start();
        new Thread(() -> {
            synchronized (worker) {
                worker.mayGo = true;
                worker.notify();
            }
        }).start();
        worker.join();
    }
}

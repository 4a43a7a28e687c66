// expect: safe
// options: --property no-deadlock
/** Nobody waits for ever. */
class ThreadsBufferEnds {
    private int value;
    private boolean isFull;

    synchronized void put(int value) throws InterruptedException {
        while (isFull) {
            wait();
        }
        this.value = value;
        isFull = true;
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        while (!isFull) {
            wait();
        }
        isFull = false;
        notifyAll();
        return value;
    }

    public static void main(String[] arguments) throws InterruptedException {
        ThreadsBufferEnds buffer = new ThreadsBufferEnds();
        Thread producer = new Thread(() -> {
            try {
                for (int i = 1; i <= 2; i++) {
                    buffer.put(i);
                }
            } catch (InterruptedException e) {
                assert false;
            }
        });
        producer.start();
        assert buffer.take() == 1;
        assert buffer.take() == 2;
        producer.join();
        assert !buffer.isFull;
    }
}

// expect: unsafe
// unknown: symbolic
/** A thread that waits may wake on its own: it has to look again. */
class ThreadsBufferIf {
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
        if (!isFull) {
            wait();
        }
        isFull = false;
        notifyAll();
        return value;
    }

    public static void main(String[] arguments) throws InterruptedException {
        ThreadsBufferIf buffer = new ThreadsBufferIf();
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

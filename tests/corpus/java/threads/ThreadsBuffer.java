// expect: safe
// unknown: cegar, symbolic
/** A producer and a consumer with a buffer of one place. */
class ThreadsBuffer {
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
        ThreadsBuffer buffer = new ThreadsBuffer();
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

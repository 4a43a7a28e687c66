// A producer and a consumer with room for one number between them.
// Wrong: whoever wakes up does not look again whether there is a number.
public class ProducerConsumerBug {
    private int number;
    private boolean full;

    synchronized void put(int next) throws InterruptedException {
        while (full) {
            wait();
        }
        number = next;
        full = true;
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        if (!full) {
            wait();
        }
        full = false;
        notifyAll();
        return number;
    }

    public static void main(String[] args) throws InterruptedException {
        ProducerConsumerBug box = new ProducerConsumerBug();
        Thread producer = new Thread(() -> {
            try {
                for (int i = 1; i <= 3; i++) {
                    box.put(i);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        producer.start();
        for (int i = 1; i <= 3; i++) {
            int taken = box.take();
            assert taken == i;
        }
        producer.join();
    }
}

// expect: safe
// unknown: cegar, symbolic, bounded
// Queues that block, and lists that are copied when they change, are the JDK's own.
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

class BlockingQueues {
    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
        queue.put(1);
        assert queue.offer(2) && !queue.offer(3) && queue.remainingCapacity() == 0;
        assert queue.take() == 1 && queue.poll() == 2 && queue.poll() == null;
        CopyOnWriteArrayList<Integer> list = new CopyOnWriteArrayList<>();
        list.add(1);
        for (int element : list) {
            list.add(element + 1);
        }
        assert list.size() == 2 && list.get(1) == 2;
        assert TimeUnit.SECONDS.toMillis(2) == 2000;
    }
}

// expect: safe
// unknown: bounded, explicit, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** A queue in a ring of cells. */
class RingBuffer {
    private final int[] cells;
    private int head, tail, count;
    RingBuffer(int capacity) { cells = new int[capacity]; }
    boolean push(int value) {
        if (count == cells.length) return false;
        cells[tail] = value;
        tail = (tail + 1) % cells.length;
        count++;
        return true;
    }
    int pop() {
        int value = cells[head];
        head = (head + 1) % cells.length;
        count--;
        return value;
    }
    public static void main(String[] args) {
        RingBuffer buffer = new RingBuffer(16);
        while (Verifier.nondetBoolean()) {
            if (Verifier.nondetBoolean()) {
                boolean done = buffer.push(Verifier.nondetInt());
                assert done || buffer.count == 16;
            } else if (buffer.count > 0) {
                buffer.pop();
                assert buffer.count < 16;
            }
            assert buffer.count >= 0 && buffer.count <= 16;
            assert buffer.head >= 0 && buffer.head < 16 && buffer.tail >= 0 && buffer.tail < 16;
        }
    }
}

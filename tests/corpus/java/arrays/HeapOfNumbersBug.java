// expect: unsafe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** A binary heap of at most seven numbers. */
class HeapOfNumbersBug {
    private final int[] heap = new int[8];
    private int size;
    void push(int v) {
        int i = ++size;
        while (i > 1 && heap[i / 2] < v) { heap[i] = heap[i / 2]; i /= 2; }
        heap[i] = v;
    }
    int least() { return heap[1]; }
    public static void main(String[] args) {
        HeapOfNumbersBug q = new HeapOfNumbersBug();
        int a = Verifier.nondetInt(), b = Verifier.nondetInt(), c = Verifier.nondetInt(), d = Verifier.nondetInt();
        q.push(a); q.push(b); q.push(c); q.push(d);
        int least = q.least();
        assert least <= a && least <= b && least <= c && least <= d;
    }
}

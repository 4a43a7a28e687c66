// expect: unsafe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** A stack that grows. */
class GrowingStackBug {
    private int[] data = new int[2];
    private int top;
    void push(int v) {
        if (top == data.length) {
            int[] more = new int[2 * data.length];
            for (int i = 0; i < top - 1; i++) more[i] = data[i];
            data = more;
        }
        data[top++] = v;
    }
    int pop() { return data[--top]; }
    public static void main(String[] args) {
        GrowingStackBug s = new GrowingStackBug();
        int a = Verifier.nondetInt(), b = Verifier.nondetInt(), c = Verifier.nondetInt();
        s.push(a); s.push(b); s.push(c);
        assert s.pop() == c;
        assert s.pop() == b;
        assert s.pop() == a;
        assert s.top == 0;
    }
}

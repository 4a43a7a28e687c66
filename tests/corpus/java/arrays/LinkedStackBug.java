// expect: unsafe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** A stack as a linked list of any length, with its size. */
class LinkedStackBug {
    static class Node { int value; Node next; Node(int v, Node n) { value = v; next = n; } }
    Node top;
    int size;
    void push(int v) { top = new Node(v, top); size++; }
    int pop() { int v = top.value; top = top.next; size--; return v; }
    public static void main(String[] args) {
        LinkedStackBug s = new LinkedStackBug();
        int n = Verifier.nondetInt();
        if (n < 0 || n > 1000) return;
        for (int i = 0; i < n; i++) { int v = Verifier.nondetInt(); s.push(v >= 0 ? v : 1); }
        while (s.top != null) { int v = s.pop(); assert v > 0; }
    }
}

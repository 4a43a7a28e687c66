// expect: unsafe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** A linked list that is kept in order. */
class SortedListBug {
    static class Node { int value; Node next; }
    Node first;
    void insert(int value) {
        Node made = new Node();
        made.value = value;
        if (first == null || first.value >= value) { made.next = first; first = made; return; }
        Node at = first;
        while (at.next != null && at.next.value > value) at = at.next;
        made.next = at.next;
        at.next = made;
    }
    public static void main(String[] args) {
        SortedListBug list = new SortedListBug();
        for (int i = 0; i < 3; i++) list.insert(Verifier.nondetInt());
        for (Node n = list.first; n.next != null; n = n.next) assert n.value <= n.next.value;
    }
}

// expect: unsafe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** A hash table with chains. */
class ChainedTableBug {
    static class Node {
        final int key; int value; Node next;
        Node(int key, int value, Node next) { this.key = key; this.value = value; this.next = next; }
    }
    private final Node[] table = new Node[8];
    void put(int key, int value) {
        int h = key & 7;
        for (Node n = table[h]; n != null; n = n.next)
            if (n.key == key) { n.value = value; return; }
        table[h] = new Node(key, value, table[h]);
    }
    int get(int key, int otherwise) {
        for (Node n = table[key & 7]; n != null; n = n.next)
            if (n.key == key) return n.value;
        return otherwise;
    }
    public static void main(String[] args) {
        int k = Verifier.nondetInt(), l = Verifier.nondetInt();
        ChainedTableBug t = new ChainedTableBug();
        t.put(k, 1);
        t.put(l, 2);
        assert t.get(k, 0) == 1;
        assert t.get(l, 0) == 2;
    }
}

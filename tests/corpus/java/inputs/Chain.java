// expect: safe
// unknown: explicit, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** A list that is linked by fields, of any values. */
class Chain {
    static class Node {
        final int value;
        final Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    public static void main(String[] args) {
        Node head = null;
        for (int i = 0; i < 3; i++) {
            head = new Node(Verifier.nondetInt(), head);
        }
        int greatest = Integer.MIN_VALUE;
        for (Node node = head; node != null; node = node.next) {
            if (node.value > greatest) {
                greatest = node.value;
            }
        }
        assert greatest >= head.value && greatest >= head.next.value && greatest >= head.next.next.value;
    }
}

// expect: safe
// unknown: explicit, symbolic, bounded
// A list of any length, and what each of its nodes holds from the start.
import gov.nasa.jpf.abstraction.Verifier;

public class NodesInLoop {
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
        while (Verifier.unknownBool()) {
            int value = Verifier.unknownInt();
            if (value < 0 || value > 10) value = 5;
            head = new Node(value, head);
        }
        for (Node node = head; node != null; node = node.next) {
            assert node.value >= 0 && node.value <= 10;
        }
    }
}

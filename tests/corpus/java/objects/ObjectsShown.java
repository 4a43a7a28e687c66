// expect: unsafe
/** What a counterexample shows of objects. */
class ObjectsShown {
    static class Node {
        Node next;
        int value;

        Node(int value) {
            this.value = value;
        }
    }

    static int size;
    Node head;
    String name;
    int[] cells = new int[3];

    void add(int value) {
        Node node = new Node(value);
        node.next = head;
        head = node;
        size++;
        cells[size] = value;
    }

    public static void main(String[] arguments) {
        ObjectsShown list = new ObjectsShown();
        list.name = "a list";
        list.add(5);
        list.add(7);
        assert list.head.next.value == 7;
    }
}

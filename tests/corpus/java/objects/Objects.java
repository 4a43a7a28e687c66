// expect: safe
// unknown: symbolic, bounded
// Fields, constructors, virtual and interface calls, default methods, statics, arrays, casts.
class Objects {
    interface Shape {
        int area();

        default int twice() {
            return 2 * area();
        }
    }

    static abstract class Named implements Shape {
        static int made;
        final String name;

        Named(String name) {
            this.name = name;
            made++;
        }

        public String toString() {
            return name + ":" + area();
        }
    }

    static class Square extends Named {
        int side;

        Square(int side) {
            super("square");
            this.side = side;
        }

        public int area() {
            return side * side;
        }
    }

    static class Cube extends Square {
        Cube(int side) {
            super(side);
        }

        public int area() {
            return 6 * super.area();
        }

        public int twice() {
            return -1;
        }
    }

    static class Node {
        int value;
        Node next;
    }

    public static void main(String[] args) {
        Shape[] shapes = {new Square(3), new Cube(2), () -> 7};
        int sum = 0;
        for (Shape shape : shapes) {
            sum = sum * 100 + shape.area() + shape.twice();
        }
        assert sum == 272321 : sum;
        assert Named.made == 2;
        assert shapes[1] instanceof Square && !(shapes[0] instanceof Cube) && !(null instanceof Object);
        assert shapes[0].toString().equals("square:9");
        Node first = null;
        for (int i = 0; i < 5; i++) {
            Node node = new Node();
            node.value = i;
            node.next = first;
            first = node;
        }
        int seen = 0;
        for (Node node = first; node != null; node = node.next) {
            seen = seen * 10 + node.value;
        }
        assert seen == 43210;
        int[][] table = new int[3][4];
        table[2][3] = 5;
        assert table.length == 3 && table[0].length == 4 && table[2][3] + table[0][0] == 5;
        long[][][] open = new long[2][2][];
        assert open[1][1] == null && open[0].length == 2;
        int[] copy = table[2].clone();
        copy[3]++;
        assert table[2][3] == 5 && copy[3] == 6;
        Object array = copy;
        assert array instanceof int[] && ((int[]) array).length == 4;
        assert args.length == 0;
    }
}

// expect: safe
// unknown: cegar, symbolic, bounded
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** What the virtual machine says of null references and of casts. */
public class NullMessages {
    static class Node {
        int value;
        long wide;
        Node next;
        int[] numbers;
        Node[][] all;

        Node next() {
            return next;
        }

        Node find(int depth, String name, Object[] more) {
            return null;
        }

        String own() {
            return message(() -> next.next.toString());
        }
    }

    static class Wrong extends Node implements Cloneable {
    }

    static Node root;
    static int[] none;
    static boolean yes = true;

    static String message(Supplier<Object> action) {
        try {
            action.get();
        } catch (NullPointerException | ClassCastException | ArrayStoreException e) {
            return e.getMessage();
        }
        return "none";
    }

    static String of(Node node, int i) {
        try {
            return "" + node.all[i][2].next.value;
        } catch (NullPointerException e) {
            return e.getMessage();
        }
    }

    static String late(String text) {
        try {
            text = text.trim();
            text = null;
            return text.trim();
        } catch (NullPointerException e) {
            return e.getMessage();
        }
    }

    static void check(String said, String expected) {
        assert said.equals(expected) : said;
    }

    static int args(int value) {
        return value;
    }

    static void references() {
        Node node = new Node();
        node.all = new Node[2][];
        String text = null;
        try {
            text.length();
        } catch (NullPointerException e) {
            check(e.getMessage(), "Cannot invoke \"String.length()\" because \"<local1>\" is null");
            check(e.toString(), "java.lang.NullPointerException: " + e.getMessage());
            assert e.getMessage() == e.getMessage();
        }
        check(of(null, 1), "Cannot read field \"all\" because \"<parameter1>\" is null");
        check(of(node, 1), "Cannot load from object array because \"<parameter1>.all[<parameter2>]\" is null");
        node.all[1] = new Node[3];
        check(of(node, 1), "Cannot read field \"next\" because \"<parameter1>.all[<parameter2>][2]\" is null");
        node.all[1][2] = new Node();
        check(of(node, 1), "Cannot read field \"value\" because \"<parameter1>.all[<parameter2>][2].next\" is null");
        check(late(null), "Cannot invoke \"String.trim()\" because \"<parameter1>\" is null");
        check(late(""), "Cannot invoke \"String.trim()\" because \"<local0>\" is null");
        check(message(() -> root.value), "Cannot read field \"value\" because \"NullMessages.root\" is null");
        check(message(() -> root.value = 1), "Cannot assign field \"value\" because \"NullMessages.root\" is null");
        check(message(() -> root.wide = 1), "Cannot assign field \"wide\" because \"NullMessages.root\" is null");
        check(message(() -> none[0]), "Cannot load from int array because \"NullMessages.none\" is null");
        check(message(() -> none[0] = 2), "Cannot store to int array because \"NullMessages.none\" is null");
        check(message(() -> none.length), "Cannot read the array length because \"NullMessages.none\" is null");
        check(message(() -> new Node().next().value),
                "Cannot read field \"value\" because the return value of \"NullMessages$Node.next()\" is null");
        check(message(() -> new Node().find(1, "", null).next.value),
                "Cannot read field \"next\" because the return value of "
                        + "\"NullMessages$Node.find(int, String, Object[])\" is null");
        check(node.own(), "Cannot read field \"next\" because \"this.next\" is null");
        check(message(() -> (int) (Integer) null), "Cannot invoke \"java.lang.Integer.intValue()\" because \"null\" is null");
        check(message(() -> ((String) (Object) root).length()),
                "Cannot invoke \"String.length()\" because \"NullMessages.root\" is null");
        check(message(() -> (yes ? root : node).value), "Cannot read field \"value\"");
        check(message(() -> {
            throw null;
        }), "Cannot throw exception because \"null\" is null");
        check(message(() -> {
            synchronized (root) {
                return 1;
            }
        }), "Cannot enter synchronized block because \"NullMessages.root\" is null");
        check(message(() -> {
            double sum = 0;
            for (double d : (double[]) null) {
                sum += d;
            }
            return sum;
        }), "Cannot read the array length because \"<local2>\" is null");
        check(message(() -> {
            switch ((String) null) {
                case "a":
                    return 1;
                default:
                    return 2;
            }
        }), "Cannot invoke \"String.hashCode()\" because \"<local0>\" is null");
        int[][][][][][][] deep = new int[1][1][1][1][1][1][];
        check(message(() -> deep[0][0][0][0][0][0][0]),
                "Cannot load from int array because \"<array>[0][0][0][0][0]\" is null");
        check(message(() -> new Node[2][yes ? 1 : 0][40000 - 40000 + args(0)][none.length]),
                "Cannot read the array length because \"NullMessages.none\" is null");
        check(message(() -> node.all[args(0)].length),
                "Cannot read the array length because \"<parameter1>.all[NullMessages.args(int)]\" is null");
        check(message(() -> node.all[args(0) * 1].length),
                "Cannot read the array length because \"<parameter1>.all[...]\" is null");
        StringBuilder builder = new StringBuilder("b");
        Function<StringBuilder, StringBuilder> appends = b -> b.append("x", 0, 1);
        assert message(() -> appends.apply(builder)).equals("none");
        check(message(() -> appends.apply(null)), "Cannot invoke "
                + "\"java.lang.StringBuilder.append(java.lang.CharSequence, int, int)\" because \"<parameter1>\" is null");
        List<Integer> list = null;
        check(message(() -> list.get(0)), "Cannot invoke \"java.util.List.get(int)\" because \"<parameter1>\" is null");
    }

    static void casts() {
        Object text = "text";
        Object node = new Node();
        Object numbers = new int[1];
        check(message(() -> (Integer) text), "class java.lang.String cannot be cast to class java.lang.Integer "
                + "(java.lang.String and java.lang.Integer are in module java.base of loader 'bootstrap')");
        check(message(() -> (Wrong) node), "class NullMessages$Node cannot be cast to class NullMessages$Wrong "
                + "(NullMessages$Node and NullMessages$Wrong are in unnamed module of loader 'app')");
        check(message(() -> (Node) text), "class java.lang.String cannot be cast to class NullMessages$Node "
                + "(java.lang.String is in module java.base of loader 'bootstrap'; "
                + "NullMessages$Node is in unnamed module of loader 'app')");
        check(message(() -> (Runnable) node), "class NullMessages$Node cannot be cast to class java.lang.Runnable "
                + "(NullMessages$Node is in unnamed module of loader 'app'; "
                + "java.lang.Runnable is in module java.base of loader 'bootstrap')");
        check(message(() -> (long[]) numbers), "class [I cannot be cast to class [J "
                + "([I and [J are in module java.base of loader 'bootstrap')");
        check(message(() -> (Node[]) numbers), "class [I cannot be cast to class [LNullMessages$Node; "
                + "([I is in module java.base of loader 'bootstrap'; "
                + "[LNullMessages$Node; is in unnamed module of loader 'app')");
        Object[] nodes = new Wrong[1];
        check(message(() -> nodes[0] = node), "NullMessages$Node");
        assert new NullPointerException().getMessage() == null;
    }

    public static void main(String[] args) {
        references();
        casts();
    }
}

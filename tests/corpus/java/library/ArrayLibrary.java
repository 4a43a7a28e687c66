// expect: safe
// unknown: cegar, symbolic, bounded
// Arrays that grow, are compared, copied to another class, and shown; lists that give arrays.
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;

class ArrayLibrary {
    public static void main(String[] args) {
        List<Integer> grown = new ArrayList<>();
        PriorityQueue<Integer> queue = new PriorityQueue<>();
        for (int i = 0; i < 40; i++) {
            grown.add(i);
            queue.add(-i);
        }
        assert grown.get(39) == 39 && queue.poll() == -39;
        assert Arrays.equals(new int[] {1, 2}, new int[] {1, 2}) && !Arrays.equals(new long[] {1}, new long[] {2});
        assert !Arrays.equals(new double[] {0.0}, new double[] {-0.0});
        assert Arrays.equals(new float[] {Float.NaN}, new float[] {Float.NaN});
        assert Arrays.mismatch(new char[] {'a', 'b'}, new char[] {'a', 'c'}) == 1;
        Integer[] numbers = grown.toArray(new Integer[0]);
        assert numbers.length == 40 && numbers[3] == 3;
        Object[] plain = numbers;
        try {
            plain[0] = "text";
            assert false;
        } catch (ArrayStoreException e) {
            assert numbers[0] == 0;
        }
        String[] words = new TreeSet<>(List.of("b", "a")).toArray(new String[0]);
        assert words.length == 2 && words[0].equals("a");
        assert Arrays.copyOf(words, 3)[2] == null && Arrays.copyOfRange(words, 1, 2)[0].equals("b");
        int[][] jagged = {{1}, {}, null, {2, 3}};
        assert Arrays.deepToString(jagged).equals("[[1], [], null, [2, 3]]");
        Object[] inside = {1, null};
        inside[1] = inside;
        assert Arrays.deepToString(inside).equals("[1, [...]]");
        ArrayDeque<Integer> deque = new ArrayDeque<>(List.of(1, 2, 3));
        assert deque.toArray(new Integer[3])[2] == 3;
    }
}

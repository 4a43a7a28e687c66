// expect: safe
// unknown: cegar, symbolic, bounded
// Lambdas, method references, records, generics, collections of the JDK.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

class Lambdas {
    record Point(int x, long y, String name) {
        Point {
            assert x >= 0;
        }

        int sum() {
            return x + (int) y;
        }
    }

    static int apply(IntBinaryOperator operator, int a, int b) {
        return operator.applyAsInt(a, b);
    }

    static <T extends Comparable<T>> T largest(List<T> list) {
        T best = list.get(0);
        for (T item : list) {
            if (item.compareTo(best) > 0) {
                best = item;
            }
        }
        return best;
    }

    public static void main(String[] args) {
        int captured = 10;
        assert apply((a, b) -> a * b + captured, 3, 4) == 22;
        assert apply(Math::max, 3, 4) == 4;
        Function<Integer, Integer> increment = x -> x + 1;
        BiFunction<Integer, Integer, Integer> add = Integer::sum;
        assert increment.andThen(increment).apply(1) == 3 && add.apply(2, 3) == 5;
        Supplier<List<String>> maker = ArrayList::new;
        List<String> words = maker.get();
        words.add("pear");
        words.add("apple");
        words.add("fig");
        assert words.size() == 3 && words.contains("fig") && largest(words).equals("pear");
        words.remove("apple");
        assert words.toString().equals("[pear, fig]") : words.toString();
        Function<String, Integer> length = String::length;
        assert length.apply("four") == 4;
        Map<String, Integer> counts = new HashMap<>();
        for (String word : new String[] {"a", "b", "a"}) {
            counts.put(word, counts.getOrDefault(word, 0) + 1);
        }
        assert counts.get("a") == 2 && counts.get("c") == null && counts.size() == 2;
        int[] numbers = {5, 3, 9, 1};
        Arrays.sort(numbers);
        assert numbers[0] == 1 && numbers[3] == 9 && Arrays.toString(numbers).equals("[1, 3, 5, 9]");
        List<Integer> list = new ArrayList<>(Arrays.asList(3, 1, 2));
        Collections.sort(list);
        assert list.get(0) == 1 && list.get(2) == 3;
        Point point = new Point(1, 2, "p");
        assert point.equals(new Point(1, 2, "p")) && !point.equals(new Point(1, 3, "p")) && point.sum() == 3;
        assert point.toString().equals("Point[x=1, y=2, name=p]") && point.hashCode() == new Point(1, 2, "p").hashCode();
    }
}

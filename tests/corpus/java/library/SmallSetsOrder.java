// expect: safe
// unknown: cegar, symbolic, bounded
// Nothing that does not depend on the order of two elements does.
import java.util.HashMap;
import java.util.Set;
import java.util.TreeSet;

class SmallSetsOrder {
    public static void main(String[] args) {
        Set<Integer> pair = Set.of(3, 2);
        int sum = 0;
        for (int element : pair) {
            sum += element;
        }
        assert sum == 5 && new TreeSet<>(pair).first() == 2 && pair.toArray(new Integer[0]).length == 2;
        try {
            pair.add(1);
            assert false;
        } catch (UnsupportedOperationException e) {
            sum = 0;
        }
        try {
            Set.of("x", "x");
            assert false;
        } catch (IllegalArgumentException e) {
            assert e.getMessage().equals("duplicate element: x");
        }
    }
}

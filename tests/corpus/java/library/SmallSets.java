// expect: unsafe
// unknown: cegar, symbolic, bounded
// Sets and maps of one element are what they are; the order of two elements is another in every run.
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

class SmallSets {
    public static void main(String[] args) {
        Map<String, Integer> copied = new HashMap<>(Map.of("a", 1));
        if (!Set.of(5).toString().equals("[5]") || copied.get("a") != 1) {
            return;
        }
        Set<Integer> pair = Set.of(1, 2);
        if (pair.size() != 2 || !pair.contains(2) || pair.hashCode() != 3 || !pair.equals(Set.of(2, 1))) {
            return;
        }
        String first = pair.toString();
        if (!first.equals(pair.toString())) {
            return;
        }
        assert first.equals("[1, 2]");
    }
}

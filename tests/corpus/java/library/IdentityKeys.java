// expect: safe
// unknown: cegar, symbolic, bounded
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Identity hash codes that only choose a place in a table, or are printed. */
public class IdentityKeys {
    enum Colour { RED, GREEN, BLUE }

    static class Key {
        final int number;

        Key(int number) {
            this.number = number;
        }
    }

    public static void main(String[] args) {
        Key a = new Key(1);
        Key b = new Key(1);
        Map<Key, Integer> map = new HashMap<>();
        assert map.put(a, 10) == null && map.put(b, 20) == null && map.put(a, 30) == 10;
        assert map.get(a) == 30 && map.get(b) == 20 && map.get(new Key(1)) == null && map.size() == 2;
        assert map.containsKey(b) && map.remove(b) == 20 && !map.containsKey(b) && map.size() == 1;
        map.merge(a, 1, Integer::sum);
        assert map.getOrDefault(a, 0) == 31 && map.computeIfAbsent(b, key -> key.number) == 1;
        Map<Colour, Integer> counts = new HashMap<>();
        for (Colour colour : Colour.values()) {
            counts.put(colour, colour.ordinal());
        }
        assert counts.size() == 3 && counts.get(Colour.BLUE) == 2;
        Set<Object> set = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            set.add(new Object());
        }
        assert set.size() == 20 && !set.contains(a) && set.add(a) && !set.add(a) && set.remove(a);
        set.add("text");
        set.add(5);
        assert set.contains("te" + new String("xt")) && set.contains(5) && !set.contains(6);
        // One key leaves no order open, and tables that remember theirs do not either.
        Map<Key, String> one = new HashMap<>();
        one.put(a, "a");
        for (Key key : one.keySet()) {
            assert key == a;
        }
        Map<Key, Integer> linked = new LinkedHashMap<>();
        linked.put(b, 1);
        linked.put(a, 2);
        int sum = 0;
        for (int value : linked.values()) {
            sum = 10 * sum + value;
        }
        assert sum == 12;
        Map<String, Integer> texts = new HashMap<>();
        texts.put("x", 1);
        texts.put("y", 2);
        for (int value : texts.values()) {
            sum += value;
        }
        assert sum == 15;
        System.out.println(new Object());
        System.out.println("a key: " + a + ", " + b.number);
        System.out.print(b);
        map.clear();
        assert map.isEmpty();
    }
}

// expect: unsafe
// unknown: cegar, symbolic, bounded
import java.util.HashMap;
import java.util.Map;

/** An error behind a table whose order is open is found all the same. */
public class IdentityOrderBug {
    enum Colour { RED, GREEN }

    public static void main(String[] args) {
        Map<Colour, Integer> map = new HashMap<>();
        map.put(Colour.RED, 1);
        map.put(Colour.GREEN, 2);
        int sum = 0;
        for (int value : map.values()) {
            sum += value;
        }
        assert sum == 4;
    }
}

// expect: unknown
// unknown: cegar, bounded
import java.util.HashSet;
import java.util.Set;

/** The order of a table whose keys have identity hash codes is open. */
public class IdentityOrder {
    public static void main(String[] args) {
        Set<Object> set = new HashSet<>();
        Object a = new Object();
        set.add(a);
        set.add(new Object());
        boolean isFirst = set.iterator().next() == a;
        assert isFirst || !isFirst;
    }
}

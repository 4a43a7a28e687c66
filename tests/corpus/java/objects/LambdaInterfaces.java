// expect: safe
// unknown: cegar, symbolic, bounded
// A lambda has the interfaces that its cast names; the library's comparators are such lambdas.
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

class LambdaInterfaces {
    interface Marked {}

    interface Named {
        default String name() {
            return "named";
        }
    }

    public static void main(String[] args) {
        int[] runs = {0};
        Object kept = (Runnable & Serializable) () -> runs[0]++;
        assert kept instanceof Serializable && !(kept instanceof Marked);
        ((Runnable) kept).run();
        Object marked = (Runnable & Marked & Named) () -> runs[0] += 10;
        assert marked instanceof Marked && !(marked instanceof Serializable);
        assert ((Named) marked).name().equals("named");
        ((Runnable) marked).run();
        assert runs[0] == 11;
        List<String> words = new ArrayList<>(List.of("ccc", "bb", "a", "dd"));
        words.sort(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
        assert words.equals(List.of("a", "dd", "bb", "ccc"));
    }
}

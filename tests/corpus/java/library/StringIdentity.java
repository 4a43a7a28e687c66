// expect: safe
// unknown: cegar, symbolic, bounded
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Which methods of texts give the literal without characters, which give the text itself, and which make another. */
public class StringIdentity {
    static void none(String... all) {
        for (int i = 0; i < all.length; i++) {
            assert all[i] == "" : i;
        }
    }

    static void same(String text, String... all) {
        for (int i = 0; i < all.length; i++) {
            assert all[i] == text : i;
        }
    }

    static void fresh(String text, String... all) {
        for (int i = 0; i < all.length; i++) {
            assert all[i] != text && all[i] != "" && all[i].equals(text) : i;
        }
    }

    public static void main(String[] args) {
        String text = new String("abc");
        String empty = new String("");
        String blank = new String("  ");
        none(text.substring(0, 0), text.substring(3), text.substring(1, 1), (String) text.subSequence(2, 2));
        none(blank.trim(), blank.strip(), empty.strip(), blank.stripLeading(), blank.stripTrailing());
        none(text.repeat(0), empty.repeat(0), empty.repeat(5), text.replace("abc", ""), empty.replace("", ""));
        none(new StringBuilder().toString(), new StringBuffer().toString(), new StringBuilder("abc").substring(3));
        none(new StringBuffer("abc").substring(1, 1), new StringBuilder("a").deleteCharAt(0).toString());
        none(",a".split(",")[0], String.format(""), String.format("%s", ""), "\n".lines().toList().get(0));
        none(text.replaceAll(".", ""), text.replaceFirst("abc", ""), empty.intern());
        same(text, text.substring(0), text.substring(0, 3), text.trim(), text.strip(), text.repeat(1));
        same(text, text.concat(empty), text.replace('z', 'y'), text.replace('a', 'a'), text.replace("z", "yy"));
        same(text, text.replace("a", "a"), text.replace("abcd", ""), text.toLowerCase(), text.toString());
        same(text, String.valueOf((Object) text), text.split(",")[0], text.replaceAll("z", "y"));
        same(empty, empty.substring(0), empty.substring(0, 0), empty.trim(), empty.stripLeading());
        same(empty, empty.stripTrailing(), empty.repeat(1), empty.concat(empty), empty.concat(""), empty.split(",")[0]);
        same(empty, empty.toLowerCase(), empty.toUpperCase(), empty.replace('a', 'b'));
        fresh(text, empty.concat(text), text + empty, empty + text, text + "", text.replace("", ""), "ab" + text.charAt(2));
        fresh(text, text.lines().toList().get(0), String.join(",", text), new StringJoiner(",").add(text).toString());
        fresh(text, String.format("%s", text), String.valueOf(new char[] {'a', 'b', 'c'}), text.replace("ab", "ab"));
        fresh(empty, empty + "", empty + empty, new String(), new String(new char[0]), String.valueOf(new char[0]));
        fresh(empty, String.join(","), String.join(",", new ArrayList<String>()), new StringJoiner("").toString());
        fresh(empty, String.join("", "", ""), String.join("", List.of("", "")), new String(new StringBuilder()));
    }
}

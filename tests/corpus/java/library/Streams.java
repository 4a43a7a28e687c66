// expect: safe
// unknown: cegar, symbolic, bounded
// Streams are the JDK's own.
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class Streams {
    public static void main(String[] args) {
        assert IntStream.rangeClosed(1, 4).map(n -> n * n).sum() == 30;
        List<String> words = Arrays.asList("pear", "fig", "apple", "fig");
        assert words.stream().distinct().sorted().collect(Collectors.joining(",", "<", ">")).equals("<apple,fig,pear>");
        Map<Integer, Long> lengths = words.stream().collect(Collectors.groupingBy(String::length, Collectors.counting()));
        assert lengths.get(3) == 2 && lengths.size() == 3;
        assert Stream.iterate(1, n -> n * 2).limit(5).reduce(0, Integer::sum) == 31;
        assert words.stream().map(String::length).toList().equals(List.of(4, 3, 5, 3));
        assert words.stream().anyMatch(word -> word.startsWith("a")) && words.stream().mapToInt(String::length).max().getAsInt() == 5;
        assert "abc".chars().filter(c -> c > 'a').count() == 2;
        StringJoiner joiner = new StringJoiner("-", "[", "]");
        assert joiner.toString().equals("[]") && joiner.setEmptyValue("none").length() == 4;
        assert joiner.add("a").add(null).toString().equals("[a-null]");
    }
}

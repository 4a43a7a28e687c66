// expect: safe
// unknown: cegar, symbolic, bounded
import java.util.InputMismatchException;
import java.util.NoSuchElementException;
import java.util.Scanner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Regular expressions, scanners, formatted text. */
public class Library {
    static void expressions() {
        assert "2026-11-16".matches("\\d{4}-\\d\\d-\\d\\d");
        assert !"2026-11-1".matches("\\d{4}-\\d\\d-\\d\\d");
        assert "Jane".matches("[A-Z][a-zA-Z]*") && !"jane".matches("[A-Z][a-zA-Z]*");
        assert "a1b22c".replaceAll("[0-9]+", "<$0>").equals("a<1>b<22>c");
        assert "one two".replaceFirst("\\w+", "1").equals("1 two");
        String[] parts = "a, b;c".split("[,;]\\s*");
        assert parts.length == 3 && parts[1].equals("b") && parts[2].equals("c");
        Matcher matcher = Pattern.compile("(\\w)(\\d)").matcher("x1 y2 zz");
        int found = 0;
        while (matcher.find()) {
            found = found * 100 + matcher.start() * 10 + Integer.parseInt(matcher.group(2));
        }
        assert found == 132;
        assert Pattern.compile("abc", Pattern.CASE_INSENSITIVE).matcher("xABCx").find();
    }

    static void scanners() {
        Scanner scanner = new Scanner("12 -7 word 3.5\nthe rest\n");
        assert scanner.nextInt() == 12;
        assert scanner.hasNextInt() && scanner.nextInt() == -7;
        boolean isRefused = false;
        try {
            scanner.nextInt();
        } catch (InputMismatchException e) {
            isRefused = true;
        }
        assert isRefused && scanner.next().equals("word") && scanner.nextDouble() == 3.5;
        assert scanner.nextLine().isEmpty() && scanner.nextLine().equals("the rest") && !scanner.hasNextLine();
        boolean isEmpty = false;
        try {
            scanner.next();
        } catch (NoSuchElementException e) {
            isEmpty = true;
        }
        assert isEmpty;
    }

    static void formats() {
        assert String.format("%d %s %c %b %x%%", 42, "text", 'c', true, 255).equals("42 text c true ff%");
        assert String.format("[%5d|%-5d|%05d|%,d|%+d]", 42, 42, -42, 1234567, 8).equals("[   42|42   |-0042|1,234,567|+8]");
        assert String.format("%2$s %1$s %.2s %S", "one", "two").equals("two one on TWO");
        assert String.format("%.2f %8.3f %f", 2.345, -1.5, 1e6).equals("2.35   -1.500 1000000.000000");
        assert String.format("%X %08x %o", 48879, 48879, 8).equals("BEEF 0000beef 10");
    }

    static void letters() {
        assert "\u00c9T\u00c9".toLowerCase().equals("\u00e9t\u00e9") && "\u00e9t\u00e9".toUpperCase().equals("\u00c9T\u00c9");
        assert "\u0101\u0451\u00ff\u0131\u017f\u2170\u1e9e".toUpperCase().equals("\u0100\u0401\u0178IS\u2160\u1e9e");
        String half = (char) 0xd83d + "x" + (char) 0xdc00;
        assert half.toUpperCase().equals((char) 0xd83d + "X" + (char) 0xdc00) && half.toLowerCase().equals(half) && half.toLowerCase() != half;
        assert "\u00c9t\u00e9".equalsIgnoreCase("\u00e9T\u00c9") && "\u00e9".compareToIgnoreCase("\u00c9") == 0;
        assert new String("abc".getBytes()).equals("abc");
        assert String.join("-", java.util.List.of("a", "b")).equals("a-b");
    }

    public static void main(String[] args) {
        expressions();
        scanners();
        formats();
        letters();
    }
}

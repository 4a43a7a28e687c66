// expect: safe
// unknown: cegar, symbolic, bounded
// Strings, builders, concatenation, boxes, switches over strings.
class Strings {
    static int pick(String word) {
        switch (word) {
            case "one":
                return 1;
            case "Aa":
                return 2;
            case "BB":
                return 3;
            default:
                return 0;
        }
    }

    public static void main(String[] args) {
        String hello = "Hello";
        String world = hello + ", " + "World" + '!' + 1 + 2L + true + null + 'c' + (Object) null;
        assert world.equals("Hello, World!12truenullcnull") : world;
        assert hello == "Hel" + "lo" && world.substring(0, 5) != hello && world.substring(0, 5).equals(hello);
        assert world.indexOf("World") == 7 && world.lastIndexOf('l') == 27 && world.charAt(4) == 'o';
        assert world.contains("12t") && world.startsWith("Hello") && world.endsWith("null") && !world.isEmpty();
        assert "banana".replace('a', 'o').equals("bonono") && "banana".replace("an", "").equals("ba");
        assert " x ".trim().equals("x") && "AbC".toLowerCase().equals("abc") && "abc".compareTo("abd") == -1;
        assert "a,b,,c,,".split(",").length == 4 && String.join("-", "a", "b").equals("a-b");
        assert "hello".hashCode() == 99162322 && pick("one") == 1 && pick("Aa") == 2 && pick("BB") == 3 && pick("C") == 0;
        StringBuilder builder = new StringBuilder("abc");
        builder.append(1).append('x').append(2.5).append(true).insert(0, "<").reverse();
        assert builder.toString().equals("eurt5.2x1cba<") : builder.toString();
        builder.setLength(4);
        builder.deleteCharAt(0).setCharAt(0, 'U');
        assert builder.toString().equals("Urt") && builder.length() == 3;
        assert Integer.parseInt("-123") == -123 && Integer.toHexString(-1).equals("ffffffff");
        assert String.valueOf(Long.MIN_VALUE).equals("-9223372036854775808") && ("" + 1.0f + 1e10).equals("1.01.0E10");
        Integer small = 127, same = 127, large = 128, other = 128;
        assert small == same && large != other && large.equals(other) && large + 1 == 129;
        assert Character.isDigit('7') && Character.toUpperCase('q') == 'Q' && Character.isLetter('z');
        try {
            hello.charAt(9);
            assert false;
        } catch (StringIndexOutOfBoundsException e) {
            assert hello.length() == 5;
        }
        try {
            Integer.parseInt("12x");
            assert false;
        } catch (NumberFormatException e) {
            assert e.getMessage().equals("For input string: \"12x\"");
        }
    }
}

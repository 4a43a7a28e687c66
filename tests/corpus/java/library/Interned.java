// expect: safe
// unknown: symbolic
// A text is interned once, and literals are.
class Interned {
    static String part = "in";

    public static void main(String[] args) {
        String made = part + "terned";
        assert made != "interned" && made.intern() == "interned";
        String other = new String("x" + part);
        assert other.intern() == new String("xin").intern();
        assert "in" + "terned" == "interned";
        assert String.CASE_INSENSITIVE_ORDER.compare("A", "b") < 0;
    }
}

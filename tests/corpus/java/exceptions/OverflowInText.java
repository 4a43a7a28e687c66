// expect: safe
// unknown: symbolic, bounded
/** The text of a message asks itself for ever: the assertion never fails, and the program ends otherwise. */
public class OverflowInText {
    public String toString() {
        return "the text " + this;
    }

    public static void main(String[] args) {
        assert args.length == 1 : new OverflowInText();
    }
}

// expect: unsafe
// unknown: symbolic
/** An assertion whose message gives its text is false, after the text was asked for. */
public class AssertionMessageText {
    static class Text {
        public String toString() {
            return "text";
        }
    }

    public static void main(String[] args) {
        assert args.length == 1 : new Text();
    }
}

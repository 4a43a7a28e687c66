// expect: unsafe
// unknown: explicit, symbolic
// The inverted copy of a text takes the first letter each time.
import gov.nasa.jpf.abstraction.Verifier;

public class InvertedTextBug {
    public static void main(String[] args) {
        char[] text = new char[4];
        char[] inverted = new char[4];
        for (int i = 0; i < 4; i++) text[i] = Verifier.unknownChar();
        for (int i = 0; i < 4; i++) inverted[i] = text[0];
        for (int i = 0; i < 4; i++) assert inverted[i] == text[3 - i];
    }
}

// expect: unsafe
// unknown: explicit, symbolic
// Two counts of letters agree unless a letter is among those that only one of them looks for.
import gov.nasa.jpf.abstraction.Verifier;

public class CountedVowelsBug {
    static int count(char[] text, char[] letters, int known) {
        int found = 0;
        for (int i = 0; text[i] != '\0'; i++) {
            for (int j = 0; j < known; j++) {
                if (text[i] == letters[j]) found++;
            }
        }
        return found;
    }

    public static void main(String[] args) {
        char[] text = new char[4];
        char[] letters = {'a', 'e', 'i', 'o', 'u'};
        for (int i = 0; i < 3; i++) text[i] = Verifier.unknownChar();
        assert count(text, letters, 4) == count(text, letters, 5);
    }
}

// expect: unsafe
// unknown: explicit, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** Decodes one character of UTF-8. */
class Utf8CharacterBug {
    static int length;
    static int decode(byte[] s) {
        int c = s[0] & 0xff;
        if (c < 0x80) { length = 1; return c; }
        int more, least;
        if ((c & 0xe0) == 0xc0) { more = 1; c &= 0x1f; least = 0x80; }
        else if ((c & 0xf0) == 0xe0) { more = 2; c &= 0x0f; least = 0x800; }
        else if ((c & 0xf8) == 0xf0) { more = 3; c &= 0x07; least = 0x10000; }
        else return -1;
        if (s.length <= more) return -1;
        for (int i = 1; i <= more; i++) {
            if ((s[i] & 0xc0) != 0x80) return -1;
            c = c << 6 | s[i] & 0x3f;
        }
        length = more + 1;
        return c > 0x10ffff ? -1 : c;
    }
    public static void main(String[] args) {
        byte[] s = new byte[4];
        for (int i = 0; i < 4; i++) s[i] = Verifier.nondetByte();
        int c = decode(s);
        assert c >= -1 && c <= 0x10ffff;
        assert c < 0 || (c < 0x80) == (length == 1);
        assert c < 0 || length < 4 || c >= 0x10000;
    }
}

// expect: unsafe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** A set of numbers as bits of words. */
class BitWordsBug {
    private final int[] words;
    BitWordsBug(int most) { words = new int[(most >> 5) + 1]; }
    void add(int n) { words[n >> 5] |= 1 << (n & 31); }
    void remove(int n) { words[n >> 5] &= ~(1 << (n & 31)); }
    boolean has(int n) { return (words[n >> 5] >>> (n & 31) & 1) != 0; }
    public static void main(String[] args) {
        int most = Verifier.nondetInt();
        if (most < 0 || most > 10000) return;
        BitWordsBug set = new BitWordsBug(most);
        int a = Verifier.nondetInt(), b = Verifier.nondetInt();
        if (a < 0 || a > most || b < 0 || b > most) return;
        set.add(a);
        set.add(b);
        assert set.has(a) && set.has(b);
        set.remove(a);
        assert !set.has(a);
        assert set.has(b);
    }
}

// expect: safe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** A counter of one byte wraps, and leaves the array. */
class ByteCounter {
    public static void main(String[] args) {
        int[] x = new int[200];
        try { for (byte i = 0; i < 200; i++) { x[i] = 1; } assert false; } catch (ArrayIndexOutOfBoundsException e) { assert x[127] == 1 && x[128] == 0; }
    }
}

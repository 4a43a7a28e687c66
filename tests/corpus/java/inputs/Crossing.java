// expect: safe
// unknown: cegar, symbolic, bounded, panda
// The crossing puzzle: four people with one torch cannot cross in 16 minutes.
import org.sosy_lab.sv_benchmarks.Verifier;

class Crossing {
    static final int LIMIT = 16;
    static final int[] MINUTES = {1, 2, 5, 10};

    public static void main(String[] args) {
        boolean[] over = new boolean[4];
        boolean torch = false;
        int time = 0;
        while (true) {
            int one = Verifier.nondetInt();
            int two = Verifier.nondetInt();
            if (one < 0 || one > 3 || two < 0 || two > 3) {
                return;
            }
            if (over[one] != torch || over[two] != torch) {
                return;
            }
            time += MINUTES[one] > MINUTES[two] ? MINUTES[one] : MINUTES[two];
            if (time > LIMIT) {
                return;
            }
            over[one] = !torch;
            over[two] = !torch;
            torch = !torch;
            assert !(over[0] && over[1] && over[2] && over[3]);
        }
    }
}

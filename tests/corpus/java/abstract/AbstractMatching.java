// expect: unsafe
// Figure 6 of Abstract Pathfinder: v is POS after one branch and NEG after the other, and matching tells these apart.
// tandem: abstract AbstractMatching.main.x signs
// tandem: abstract AbstractMatching.main.y signs
// tandem: abstract AbstractMatching.main.z signs

import org.sosy_lab.sv_benchmarks.Verifier;

class AbstractMatching {
    public static void main(String[] args) {
        int x = 1;
        int y = -1;
        int z = 0;
        int v;
        boolean b = Verifier.nondetBoolean();
        if (b) {
            v = x + z;
        } else {
            b = true;
            v = y + z;
        }
        assert v > 0;
    }
}

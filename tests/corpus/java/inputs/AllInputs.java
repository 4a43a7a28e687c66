// expect: safe
// unknown: cegar, symbolic, bounded
// All the inputs that are left are fine.
import org.sosy_lab.sv_benchmarks.Verifier;

class AllInputs {
    public static void main(String[] args) {
        boolean first = Verifier.nondetBoolean();
        byte second = Verifier.nondetByte();
        Verifier.assume(second > 100);
        assert first || second * second > 10000;
        int[] array = new int[second];
        array[second - 1] = first ? 1 : 2;
        assert array[second - 1] > 0 && array.length <= 127;
    }
}

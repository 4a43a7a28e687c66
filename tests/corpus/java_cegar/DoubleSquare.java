// expect: unsafe
import org.sosy_lab.sv_benchmarks.Verifier;

class DoubleSquare {
    public static void main(String[] args) {
        double x = Verifier.nondetDouble();
        assert x * x != 2.25;
    }
}

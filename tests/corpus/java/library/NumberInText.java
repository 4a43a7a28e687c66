// expect: unsafe
// unknown: cegar, symbolic, bounded
import org.sosy_lab.sv_benchmarks.Verifier;

/** What is wrong with a number shows only where a string is one. */
public class NumberInText {
    public static void main(String[] args) {
        try {
            double number = Double.parseDouble(Verifier.nondetString());
            assert number < 0 || number != Math.floor(number) || number > 1000;
        } catch (NumberFormatException notANumber) {
            return;
        }
    }
}

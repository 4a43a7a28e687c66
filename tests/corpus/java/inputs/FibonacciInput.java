// expect: unsafe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** Values of an argument that are told apart before a recursive call belong to the path. */
public class FibonacciInput {
  static int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }

  public static void main(String[] args) {
    int n = Verifier.nondetInt();
    if (n < 0 || n > 6) return;
    assert fib(n) != 5;
  }
}

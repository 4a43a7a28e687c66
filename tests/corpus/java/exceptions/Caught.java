// expect: safe
// unknown: explicit, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** Exceptions that the virtual machine and the program throw, caught where they are expected, under any inputs. */
class Caught {
    static class Rejected extends Exception {
        final int value;

        Rejected(int value) {
            this.value = value;
        }
    }

    static int cleanups;

    static int checked(int value) throws Rejected {
        try {
            if (value > 50) {
                throw new Rejected(value);
            }
            return 100 / value;
        } finally {
            cleanups++;
        }
    }

    static int read(int[] cells, int index) {
        try {
            return cells[index];
        } catch (ArrayIndexOutOfBoundsException outside) {
            return -1;
        }
    }

    public static void main(String[] args) {
        int value = Verifier.nondetInt();
        int result;
        try {
            result = checked(value);
            assert value != 0 && value <= 50;
        } catch (Rejected rejected) {
            assert rejected.value == value && value > 50;
            result = -200;
        } catch (ArithmeticException zero) {
            assert value == 0;
            result = -300;
        }
        assert cleanups == 1;
        assert result >= -100 || result == -200 || result == -300;

        int[] cells = {7, 8, 9};
        int index = Verifier.nondetInt();
        int cell = read(cells, index);
        assert index >= 0 && index < 3 ? cell == 7 + index : cell == -1;
    }
}

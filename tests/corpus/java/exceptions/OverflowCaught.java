// expect: safe
// unknown: cegar, symbolic, bounded
/** The error of endless recursion is caught, where nothing tells how far it came. */
public class OverflowCaught {
    static int count(int n) {
        return count(n + 1) + 1;
    }

    static boolean isEven(int n) {
        return n == 0 || isOdd(n - 1);
    }

    static boolean isOdd(int n) {
        return n != 0 && isEven(n - 1);
    }

    static class Endless {
        Endless next = new Endless();
    }

    public static void main(String[] args) {
        int caught = 0;
        try {
            count(0);
        } catch (StackOverflowError e) {
            caught++;
        }
        try {
            try {
                isEven(-1);
            } finally {
                caught++;
            }
        } catch (VirtualMachineError e) {
            caught++;
        }
        try {
            caught += isEven(500) ? 10 : 20;
        } catch (Throwable e) {
            caught = 0;
        }
        try {
            new Endless();
        } catch (Error e) {
            caught += 100;
        }
        assert caught == 113;
    }
}

// expect: unsafe
// unknown: symbolic
// What leaves the initialiser of a class is wrapped, and caught so.
class InitialiserFails {
    static int zero;

    static class Bad {
        static int value = divide();

        static int divide() {
            return 1 / zero;
        }
    }

    public static void main(String[] args) {
        int caught = 0;
        try {
            caught = Bad.value;
        } catch (ExceptionInInitializerError wrapped) {
            caught = wrapped.getCause() instanceof ArithmeticException ? 1 : 2;
        }
        assert caught != 1;
    }
}

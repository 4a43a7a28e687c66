// expect: safe
// unknown: symbolic
/** A class whose initialiser has failed cannot be used, whoever catches that. */
public class FailedClass {
    static int zero;

    static class Bad {
        static int value = 1 / zero;
    }

    static int use() {
        return Bad.value;
    }

    public static void main(String[] args) {
        int caught = 0;
        for (int i = 0; i < 3; i++) {
            try {
                caught += 100 + use();
            } catch (RuntimeException | LinkageError e) {
                caught += e instanceof ExceptionInInitializerError ? 1 : e instanceof NoClassDefFoundError ? 10 : 1000;
            }
        }
        assert caught == 21;
    }
}

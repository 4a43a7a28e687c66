// expect: unknown
/** How deep the stack is, which the program finds out here, is up to the virtual machine. */
public class OverflowTells {
    static int depth;

    static void call() {
        depth++;
        call();
    }

    public static void main(String[] args) {
        try {
            call();
        } catch (StackOverflowError e) {
            assert depth > 0;
        }
    }
}

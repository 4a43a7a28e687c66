// expect: unsafe
// options: --property no-deadlock
/** One thread initialises a class and waits for the one above it, another thread the other way round. */
public class ThreadsParentInitialiser {
    static class Parent {
        static Child child = new Child();
        static int number = 1;
    }

    static class Child extends Parent {
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> Parent.number++);
        other.start();
        new Child();
        other.join();
    }
}

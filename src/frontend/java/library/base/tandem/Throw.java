package tandem;

/** The exceptions that the virtual machine itself makes. */
public final class Throw {
    public static Throwable nullPointer() {
        NullPointerException made = new NullPointerException();
        made.hideMessage();
        return made;
    }

    public static Throwable arithmetic() {
        return new ArithmeticException("/ by zero");
    }

    public static Throwable index(int index, int length) {
        ArrayIndexOutOfBoundsException made = new ArrayIndexOutOfBoundsException();
        made.setMessage(new Message("Index ", index, " out of bounds for length ", length));
        return made;
    }

    public static Throwable negativeSize(int size) {
        NegativeArraySizeException made = new NegativeArraySizeException();
        made.setMessage(new Message("", size, null, 0));
        return made;
    }

    public static Throwable classCast() {
        ClassCastException made = new ClassCastException();
        made.hideMessage();
        return made;
    }

    public static Throwable arrayStore() {
        ArrayStoreException made = new ArrayStoreException();
        made.hideMessage();
        return made;
    }

    public static Throwable notCloneable() {
        CloneNotSupportedException made = new CloneNotSupportedException();
        made.hideMessage();
        return made;
    }

    public static Throwable inInitializer(Throwable cause) {
        if (cause instanceof Error) {
            return cause;
        }
        return new ExceptionInInitializerError(cause);
    }

    public static Throwable notInitialized(String message) {
        NoClassDefFoundError made = new NoClassDefFoundError(message);
        ExceptionInInitializerError cause = new ExceptionInInitializerError();
        cause.hideMessage();
        made.initCause(cause);
        return made;
    }

    public static Throwable stackOverflow() {
        return new StackOverflowError();
    }

    public static Throwable matchError() {
        return new IncompatibleClassChangeError();
    }

    private Throw() {
    }
}

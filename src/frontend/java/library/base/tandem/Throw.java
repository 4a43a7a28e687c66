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
        return new ArrayIndexOutOfBoundsException("Index " + index + " out of bounds for length " + length);
    }

    public static Throwable negativeSize(int size) {
        return new NegativeArraySizeException(String.valueOf(size));
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

    public static Throwable notInitialized() {
        NoClassDefFoundError made = new NoClassDefFoundError();
        made.hideMessage();
        return made;
    }

    public static Throwable matchError() {
        return new IncompatibleClassChangeError();
    }

    private Throw() {
    }
}

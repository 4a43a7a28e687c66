package tandem;

/** The exceptions that the virtual machine itself makes. */
public final class Throw {
    /** With the message of that number; none if it is zero, and one that is not known if it is negative. */
    public static Throwable nullPointer(int number) {
        // An object is used right after it is made, so that no null test calls this method again.
        if (number < 0) {
            NullPointerException made = new NullPointerException();
            made.hideMessage();
            return made;
        }
        if (number > 0) {
            NullPointerException made = new NullPointerException();
            made.setMessage(new ToldMessage(number));
            return made;
        }
        return new NullPointerException();
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

    /** An object is not of the class whose name is the text of that number, and which is the user's or the library's. */
    public static Throwable classCast(Object object, int target, boolean isUsers) {
        ClassCastException made = new ClassCastException();
        made.setMessage(new CastMessage(object, target, isUsers));
        return made;
    }

    public static Throwable arrayStore(Object value) {
        ArrayStoreException made = new ArrayStoreException();
        made.setMessage(new NameMessage(value));
        return made;
    }

    public static Throwable notCloneable(Object object) {
        CloneNotSupportedException made = new CloneNotSupportedException();
        made.setMessage(new NameMessage(object));
        return made;
    }

    /** Elements cannot be copied between the two: one is no array, or they hold other things. */
    public static ArrayStoreException copyMismatch(Object from, Object to) {
        ArrayStoreException made = new ArrayStoreException();
        made.setMessage(new CopyMessage(from, 0, to, 0, 0, false));
        return made;
    }

    /** Elements that are not there cannot be copied. */
    public static ArrayIndexOutOfBoundsException copyOutside(Object from, int start, Object to, int position, int length) {
        ArrayIndexOutOfBoundsException made = new ArrayIndexOutOfBoundsException();
        made.setMessage(new CopyMessage(from, start, to, position, length, false));
        return made;
    }

    /** An element cannot be in the array that it is copied to. */
    public static ArrayStoreException copyElement(Object from, Object to) {
        ArrayStoreException made = new ArrayStoreException();
        made.setMessage(new CopyMessage(from, 0, to, 0, 0, true));
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

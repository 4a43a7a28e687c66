package tandem;

/** The constants of enums, for methods that ask the virtual machine for them. */
public final class Enums {
    @SuppressWarnings("unchecked")
    public static <E extends Enum<E>> E valueOf(Class<E> type, String name) {
        Object[] all = Native.enumConstants(type);
        if (name == null) {
            throw new NullPointerException("Name is null");
        }
        if (all == null) {
            throw new IllegalArgumentException(type.getName() + " is not an enum class");
        }
        for (int i = 0; i < all.length; i++) {
            if (((Enum<?>) all[i]).name().equals(name)) {
                return (E) all[i];
            }
        }
        throw new IllegalArgumentException("No enum constant " + type.getCanonicalName() + "." + name);
    }

    /** All constants in their order; null if the class is no enum. */
    @SuppressWarnings("unchecked")
    public static <E extends Enum<E>> E[] universe(Class<E> type) {
        return (E[]) Native.enumConstants(type);
    }

    private Enums() {
    }
}

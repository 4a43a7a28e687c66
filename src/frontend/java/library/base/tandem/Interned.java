package tandem;

/** The one string of each text: the literals of the program, and those that were added. */
public final class Interned {
    private static Interned added;

    private final String text;
    private final Interned next;

    private Interned(String text, Interned next) {
        this.text = text;
        this.next = next;
    }

    public static String intern(String text) {
        String[] literals = Native.literals();
        for (int i = 0; i < literals.length; i++) {
            if (literals[i].equals(text)) {
                return literals[i];
            }
        }
        Native.atomicBegin();
        Interned known = added;
        while (known != null && !known.text.equals(text)) {
            known = known.next;
        }
        if (known == null) {
            known = new Interned(text, added);
            added = known;
        }
        Native.atomicEnd();
        return known.text;
    }
}

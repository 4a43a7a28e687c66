package java.io;

/** What is said of a field for a stream of objects, of which there is none. */
public class ObjectStreamField {
    public ObjectStreamField(String name, Class<?> type) {
    }
}

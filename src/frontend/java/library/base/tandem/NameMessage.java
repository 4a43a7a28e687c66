package tandem;

/** A message that is the name of an object's class. */
final class NameMessage extends Message {
    private final Object object;

    NameMessage(Object object) {
        this.object = object;
    }

    public String text() {
        return object.getClass().getName();
    }
}

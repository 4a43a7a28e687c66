package tandem;

/** A message that is known before the program starts. */
final class ToldMessage extends Message {
    private final int number;

    ToldMessage(int number) {
        this.number = number;
    }

    public String text() {
        return new String(Native.told()[number]);
    }
}

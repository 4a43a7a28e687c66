package tandem;

/** A message of texts and numbers, put together where it is asked for: most never are. */
public class Message {
    private final String first;
    private final int number;
    private final String second;
    private final int other;

    protected Message() {
        this(null, 0, null, 0);
    }

    public Message(String first, int number, String second, int other) {
        this.first = first;
        this.number = number;
        this.second = second;
        this.other = other;
    }

    public String text() {
        return second == null ? first + number : first + number + second + other;
    }
}

package java.util;

/** Texts in a row, with something between them and around them. */
public final class StringJoiner {
    private final String prefix;
    private final String delimiter;
    private final String suffix;
    private String emptyValue;
    /** What was added so far, and what stands between; null before anything was added. */
    private StringBuilder parts;

    public StringJoiner(CharSequence delimiter) {
        this(delimiter, "", "");
    }

    public StringJoiner(CharSequence delimiter, CharSequence prefix, CharSequence suffix) {
        Objects.requireNonNull(prefix, "The prefix must not be null");
        Objects.requireNonNull(delimiter, "The delimiter must not be null");
        Objects.requireNonNull(suffix, "The suffix must not be null");
        this.prefix = prefix.toString();
        this.delimiter = delimiter.toString();
        this.suffix = suffix.toString();
    }

    public StringJoiner setEmptyValue(CharSequence emptyValue) {
        this.emptyValue = Objects.requireNonNull(emptyValue, "The empty value must not be null").toString();
        return this;
    }

    public String toString() {
        if (parts == null) {
            return emptyValue != null ? emptyValue : new String(new StringBuilder(prefix).append(suffix));
        }
        return new String(new StringBuilder(prefix).append(parts).append(suffix));
    }

    public StringJoiner add(CharSequence part) {
        String text = String.valueOf(part);
        if (parts == null) {
            parts = new StringBuilder();
        } else {
            parts.append(delimiter);
        }
        parts.append(text);
        return this;
    }

    public StringJoiner merge(StringJoiner other) {
        Objects.requireNonNull(other);
        return other.parts == null ? this : add(other.parts.toString());
    }

    public int length() {
        if (parts == null && emptyValue != null) {
            return emptyValue.length();
        }
        return prefix.length() + (parts == null ? 0 : parts.length()) + suffix.length();
    }
}

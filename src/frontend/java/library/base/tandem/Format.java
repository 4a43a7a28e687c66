package tandem;

import java.util.IllegalFormatConversionException;
import java.util.MissingFormatArgumentException;

/** Formatted text, as far as it needs no locale: `%d`, `%s`, `%c`, `%b`, `%x`, `%n`, `%%` without flags or widths. */
public final class Format {
    /** The text; where it is not needed, flags, widths and `%f` are looked at, and left out of it. */
    public static String text(String format, Object[] arguments, boolean isNeeded) {
        StringBuilder result = new StringBuilder();
        int next = 0;
        int length = format.length();
        for (int i = 0; i < length; i++) {
            char c = format.charAt(i);
            if (c != '%') {
                result.append(c);
                continue;
            }
            i++;
            int start = i;
            while (i < length && (format.charAt(i) >= '1' && format.charAt(i) <= '9' || format.charAt(i) == '.')) {
                i++;
            }
            if (i >= length || i > start && isNeeded) {
                Native.unmodelled();
            }
            char kind = format.charAt(i);
            if (kind == 'n') {
                result.append('\n');
                continue;
            }
            if (kind == '%') {
                result.append('%');
                continue;
            }
            boolean isKnown = kind == 'd' || kind == 's' || kind == 'c' || kind == 'b' || kind == 'x' || kind == 'f';
            if (!isKnown || kind == 'f' && isNeeded || i > start && kind != 'f' && kind != 'd' && kind != 's') {
                Native.unmodelled();
            }
            if (arguments == null || next >= arguments.length) {
                throw new MissingFormatArgumentException(format.substring(start - 1, i + 1));
            }
            append(result, kind, arguments[next], isNeeded);
            next++;
        }
        return result.toString();
    }

    private static void append(StringBuilder result, char kind, Object value, boolean isNeeded) {
        if (kind == 's') {
            if (value instanceof java.util.Formattable) {
                Native.unmodelled();
            }
            result.append(String.valueOf(value));
        } else if (kind == 'b') {
            result.append(value instanceof Boolean ? ((Boolean) value).booleanValue() : value != null);
        } else if (value == null) {
            result.append("null");
        } else if (kind == 'c' && value instanceof Character) {
            result.append(((Character) value).charValue());
        } else if (kind == 'd' && isInteger(value)) {
            result.append(((Number) value).longValue());
        } else if (kind == 'x' && value instanceof Integer) {
            result.append(Integer.toHexString((Integer) value));
        } else if (kind == 'x' && value instanceof Long) {
            result.append(Long.toHexString((Long) value));
        } else if (kind == 'f' && (value instanceof Float || value instanceof Double)) {
            result.append('0');
        } else if (isPlain(value)) {
            throw new IllegalFormatConversionException(kind, value.getClass());
        } else {
            Native.unmodelled();
        }
    }

    private static boolean isInteger(Object value) {
        return value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte;
    }

    /** Whether no conversion but those above takes the value. */
    private static boolean isPlain(Object value) {
        return value instanceof String || value instanceof Boolean || value instanceof Double || value instanceof Float;
    }

    private Format() {
    }
}

package tandem;

import java.util.IllegalFormatCodePointException;
import java.util.IllegalFormatConversionException;
import java.util.MissingFormatArgumentException;
import jdk.internal.math.FormattedFloatingDecimal;

/** Formatted text as English has it: `%d`, `%s`, `%c`, `%b`, `%x`, `%o`, `%f`, `%e`, `%n`, `%%` with their usual flags. */
public final class Format {
    private final String format;
    private final Object[] arguments;
    private final boolean isNeeded;
    private final StringBuilder result = new StringBuilder();
    private int position;
    private boolean isLeft;
    private boolean isZero;
    private boolean isGrouped;
    private boolean isSigned;
    private boolean isSpaced;
    private int width;
    private int precision;

    private Format(String format, Object[] arguments, boolean isNeeded) {
        this.format = format;
        this.arguments = arguments;
        this.isNeeded = isNeeded;
    }

    /** The text; where it is not needed, it is left out, and only what making it would do is done. */
    public static String text(String format, Object[] arguments, boolean isNeeded) {
        return new Format(format, arguments, isNeeded).text();
    }

    private String text() {
        int next = 0;
        int length = format.length();
        while (position < length) {
            char c = format.charAt(position);
            position++;
            if (c != '%') {
                if (isNeeded) {
                    result.append(c);
                }
                continue;
            }
            int start = position;
            int index = specification();
            char kind = at(position);
            position++;
            if (kind == 'n' || kind == '%') {
                if (position != start + 1) {
                    Native.unmodelled();
                }
                result.append(kind == 'n' ? '\n' : '%');
                continue;
            }
            if ("dscbxofeSCBXE".indexOf(kind) < 0) {
                Native.unmodelled();
            }
            int number = index > 0 ? index - 1 : next;
            if (index == 0) {
                next++;
            }
            if (arguments == null && number > 0 || arguments != null && number >= arguments.length) {
                throw new MissingFormatArgumentException(format.substring(start - 1, position));
            }
            append(kind, arguments == null ? null : arguments[number]);
        }
        return result.toString();
    }

    private char at(int place) {
        if (place >= format.length()) {
            Native.unmodelled();
        }
        return format.charAt(place);
    }

    /** Reads what stands before a conversion; gives the number of the argument, or 0 for the next. */
    private int specification() {
        int index = 0;
        int start = position;
        int number = number();
        if (number > 0 && at(position) == '$') {
            index = number;
            position++;
        } else {
            position = start;
        }
        isLeft = false;
        isZero = false;
        isGrouped = false;
        isSigned = false;
        isSpaced = false;
        boolean isFlag = true;
        while (isFlag) {
            char c = at(position);
            isLeft |= c == '-';
            isZero |= c == '0';
            isGrouped |= c == ',';
            isSigned |= c == '+';
            isSpaced |= c == ' ';
            if (c == '#' || c == '(' || c == '<') {
                Native.unmodelled();
            }
            isFlag = c == '-' || c == '0' || c == ',' || c == '+' || c == ' ';
            if (isFlag) {
                position++;
            }
        }
        width = number();
        precision = -1;
        if (at(position) == '.') {
            position++;
            if (at(position) < '0' || at(position) > '9') {
                Native.unmodelled();
            }
            precision = number();
        }
        if ((isLeft || isZero) && width == 0 || isLeft && isZero || isSigned && isSpaced) {
            Native.unmodelled();
        }
        return index;
    }

    private int number() {
        int value = 0;
        while (at(position) >= '0' && at(position) <= '9') {
            value = value * 10 + at(position) - '0';
            if (value > 100000) {
                Native.unmodelled();
            }
            position++;
        }
        return value;
    }

    private void append(char kind, Object value) {
        boolean isUpper = kind <= 'Z';
        char lower = isUpper ? (char) (kind + 32) : kind;
        boolean isFloat = lower == 'f' || lower == 'e';
        boolean isNumber = lower == 'd' || lower == 'x' || lower == 'o' || isFloat;
        if (!isNumber && (isZero || isGrouped || isSigned || isSpaced)
                || precision >= 0 && (lower == 'c' || isNumber && !isFloat)
                || lower == 'e' && isGrouped
                || (lower == 'x' || lower == 'o') && (isGrouped || isSigned || isSpaced)) {
            Native.unmodelled();
        }
        if (lower == 's') {
            if (value instanceof java.util.Formattable) {
                Native.unmodelled();
            }
            put(String.valueOf(value), isUpper);
        } else if (lower == 'b') {
            boolean isTrue = value instanceof Boolean ? ((Boolean) value).booleanValue() : value != null;
            put(isTrue ? "true" : "false", isUpper);
        } else if (value == null) {
            put("null", isUpper);
        } else if (lower == 'c' && value instanceof Character) {
            put(value.toString(), isUpper);
        } else if (lower == 'c' && isInteger(value) && !(value instanceof Long)) {
            int point = ((Number) value).intValue();
            if (!Character.isValidCodePoint(point)) {
                throw new IllegalFormatCodePointException(point);
            }
            put(new String(Character.toChars(point)), isUpper);
        } else if (lower == 'd' && isInteger(value)) {
            String digits = Long.toString(((Number) value).longValue());
            boolean isNegative = digits.charAt(0) == '-';
            putNumber(isNegative ? digits.substring(1) : digits, isNegative);
        } else if ((lower == 'x' || lower == 'o') && value instanceof Integer) {
            int number = (Integer) value;
            putBits(lower == 'x' ? Integer.toHexString(number) : Integer.toOctalString(number), isUpper);
        } else if ((lower == 'x' || lower == 'o') && value instanceof Long) {
            long number = (Long) value;
            putBits(lower == 'x' ? Long.toHexString(number) : Long.toOctalString(number), isUpper);
        } else if ((lower == 'x' || lower == 'o') && isInteger(value)) {
            int number = ((Number) value).intValue() & (value instanceof Byte ? 0xff : 0xffff);
            putBits(lower == 'x' ? Integer.toHexString(number) : Integer.toOctalString(number), isUpper);
        } else if (isFloat && (value instanceof Float || value instanceof Double)) {
            putDecimal(((Number) value).doubleValue(), lower == 'e', isUpper);
        } else if (isPlain(value)) {
            throw new IllegalFormatConversionException(kind, value.getClass());
        } else {
            Native.unmodelled();
        }
    }

    private void putDecimal(double value, boolean isScientific, boolean isUpper) {
        if (!isNeeded) {
            return;
        }
        if (Double.isNaN(value)) {
            justify(isUpper ? "NAN" : "NaN");
            return;
        }
        boolean isNegative = Double.compare(value, 0.0) < 0;
        double size = Math.abs(value);
        if (size > Double.MAX_VALUE) {
            String sign = isNegative ? "-" : isSigned ? "+" : isSpaced ? " " : "";
            justify(sign + (isUpper ? "INFINITY" : "Infinity"));
            return;
        }
        int places = precision < 0 ? 6 : precision;
        FormattedFloatingDecimal.Form form = isScientific
                ? FormattedFloatingDecimal.Form.SCIENTIFIC
                : FormattedFloatingDecimal.Form.DECIMAL_FLOAT;
        FormattedFloatingDecimal decimal = FormattedFloatingDecimal.valueOf(size, places, form);
        StringBuilder digits = new StringBuilder().append(decimal.getMantissa());
        int point = digits.indexOf(".");
        if (point < 0 && places > 0) {
            point = digits.length();
            digits.append('.');
        }
        if (places > 0) {
            for (int missing = places - (digits.length() - point - 1); missing > 0; missing--) {
                digits.append('0');
            }
        }
        if (isScientific) {
            digits.append(isUpper ? 'E' : 'e');
            digits.append(size == 0 ? "+00" : new String(decimal.getExponent()));
        }
        putNumber(digits.toString(), isNegative);
    }

    /** Puts a number, of which the digits are known. */
    private void putNumber(String digits, boolean isNegative) {
        String sign = isNegative ? "-" : isSigned ? "+" : isSpaced ? " " : "";
        int point = digits.indexOf('.');
        int whole = point < 0 ? digits.length() : point;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < digits.length(); i++) {
            if (isGrouped && i > 0 && i < whole && (whole - i) % 3 == 0) {
                text.append(',');
            }
            text.append(digits.charAt(i));
        }
        if (isZero) {
            while (text.length() + sign.length() < width) {
                text.insert(0, '0');
            }
        }
        justify(sign + text);
    }

    private void putBits(String digits, boolean isUpper) {
        String text = digits;
        if (isZero) {
            while (text.length() < width) {
                text = "0" + text;
            }
        }
        justify(isUpper ? text.toUpperCase() : text);
    }

    private void put(String text, boolean isUpper) {
        String cut = precision >= 0 && precision < text.length() ? text.substring(0, precision) : text;
        justify(isUpper ? cut.toUpperCase() : cut);
    }

    private void justify(String text) {
        if (!isNeeded) {
            return;
        }
        int missing = width - text.length();
        if (isLeft) {
            result.append(text);
        }
        for (int i = 0; i < missing; i++) {
            result.append(' ');
        }
        if (!isLeft) {
            result.append(text);
        }
    }

    private static boolean isInteger(Object value) {
        return value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte;
    }

    /** Whether no conversion but those above takes the value. */
    private static boolean isPlain(Object value) {
        return value instanceof String || value instanceof Boolean || value instanceof Double || value instanceof Float;
    }
}

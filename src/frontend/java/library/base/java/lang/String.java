package java.lang;

import java.io.Serializable;
import java.lang.constant.Constable;
import java.lang.constant.ConstantDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tandem.Format;
import tandem.Interned;
import tandem.Native;
import tandem.Numbers;

/** A string, as the characters that it has. */
public final class String implements Serializable, Comparable<String>, CharSequence, Constable, ConstantDesc {
    final char[] value;
    private int hash;

    public String() {
        value = new char[0];
    }

    public String(String original) {
        value = original.value;
    }

    public String(char[] value) {
        this(value, 0, value.length);
    }

    public String(char[] value, int offset, int count) {
        check(offset, count, value.length);
        char[] copy = new char[count];
        Native.copy(value, offset, copy, 0, count);
        this.value = copy;
    }

    public String(int[] points, int offset, int count) {
        check(offset, count, points.length);
        StringBuilder text = new StringBuilder();
        for (int i = offset; i < offset + count; i++) {
            text.appendCodePoint(points[i]);
        }
        value = text.toString().value;
    }

    public String(StringBuilder builder) {
        this(builder.value, 0, builder.count);
    }

    public String(StringBuffer buffer) {
        this(buffer.builder.value, 0, buffer.builder.count);
    }

    public String(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    /** Characters of which every encoding has the same bytes. */
    public String(byte[] bytes, int offset, int count) {
        check(offset, count, bytes.length);
        char[] copy = new char[count];
        for (int i = 0; i < count; i++) {
            if (bytes[offset + i] < 0) {
                Native.unmodelled();
            }
            copy[i] = (char) bytes[offset + i];
        }
        this.value = copy;
    }

    /** The array is the string's from now on. */
    String(char[] value, boolean own) {
        this.value = value;
    }

    private static void check(int offset, int count, int length) {
        if (offset < 0 || count < 0 || offset > length - count) {
            throw new StringIndexOutOfBoundsException("offset " + offset + ", count " + count + ", length " + length);
        }
    }

    private static void checkRange(int begin, int end, int length) {
        if (begin < 0 || begin > end || end > length) {
            throw new StringIndexOutOfBoundsException("begin " + begin + ", end " + end + ", length " + length);
        }
    }

    /** Any string. */
    public static String any() {
        int length = Native.anyInt();
        Native.assume(length >= 0);
        char[] text = new char[length];
        for (int i = 0; i < length; i++) {
            text[i] = Native.anyChar();
        }
        return new String(text, true);
    }

    public int length() {
        return value.length;
    }

    public boolean isEmpty() {
        return value.length == 0;
    }

    public char charAt(int index) {
        if (index < 0 || index >= value.length) {
            throw outside(index);
        }
        return value[index];
    }

    /** What is thrown for an index outside; the JDK has one message where all characters fit in a byte, and another. */
    private StringIndexOutOfBoundsException outside(int index) {
        boolean isNarrow = true;
        for (int i = 0; i < value.length; i++) {
            isNarrow &= value[i] < 256;
        }
        String message = isNarrow ? "String index out of range: " + index : "index " + index + ", length " + value.length;
        return new StringIndexOutOfBoundsException(message);
    }

    public int codePointAt(int index) {
        if (index < 0 || index >= value.length) {
            throw new StringIndexOutOfBoundsException("index " + index + ", length " + value.length);
        }
        char high = value[index];
        if (Character.isHighSurrogate(high) && index + 1 < value.length) {
            char low = value[index + 1];
            if (Character.isLowSurrogate(low)) {
                return Character.toCodePoint(high, low);
            }
        }
        return high;
    }

    public int codePointBefore(int index) {
        int i = index - 1;
        if (i < 0 || i >= value.length) {
            throw new StringIndexOutOfBoundsException(index);
        }
        char low = value[i];
        if (Character.isLowSurrogate(low) && i > 0) {
            char high = value[i - 1];
            if (Character.isHighSurrogate(high)) {
                return Character.toCodePoint(high, low);
            }
        }
        return low;
    }

    public int codePointCount(int begin, int end) {
        if (begin < 0 || begin > end || end > value.length) {
            throw new IndexOutOfBoundsException();
        }
        int count = end - begin;
        for (int i = begin; i + 1 < end; i++) {
            if (Character.isHighSurrogate(value[i]) && Character.isLowSurrogate(value[i + 1])) {
                count--;
                i++;
            }
        }
        return count;
    }

    public int offsetByCodePoints(int index, int offset) {
        if (index < 0 || index > value.length) {
            throw new IndexOutOfBoundsException();
        }
        int at = index;
        for (; offset > 0; offset--) {
            if (at >= value.length) {
                throw new IndexOutOfBoundsException();
            }
            at += Character.charCount(codePointAt(at));
        }
        for (; offset < 0; offset++) {
            if (at <= 0) {
                throw new IndexOutOfBoundsException();
            }
            at -= Character.charCount(codePointBefore(at));
        }
        return at;
    }

    public void getChars(int begin, int end, char[] target, int position) {
        checkRange(begin, end, value.length);
        check(position, end - begin, target.length);
        Native.copy(value, begin, target, position, end - begin);
    }

    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        return other instanceof String && same(value, ((String) other).value);
    }

    private static boolean same(char[] a, char[] b) {
        if (a.length != b.length) {
            return false;
        }
        for (int i = 0; i < a.length; i++) {
            if (a[i] != b[i]) {
                return false;
            }
        }
        return true;
    }

    public boolean contentEquals(CharSequence other) {
        int length = other.length();
        if (length != value.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (value[i] != other.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    public boolean contentEquals(StringBuffer other) {
        return contentEquals((CharSequence) other);
    }

    /** What a character is where case does not matter. */
    private static char fold(char c) {
        return Character.toLowerCase(Character.toUpperCase(c));
    }

    private static boolean isSurrogate(char c) {
        return c >= 0xd800 && c < 0xe000;
    }

    public boolean equalsIgnoreCase(String other) {
        return this == other
                || other != null && other.value.length == value.length && regionMatches(true, 0, other, 0, value.length);
    }

    public int compareTo(String other) {
        int limit = value.length < other.value.length ? value.length : other.value.length;
        for (int i = 0; i < limit; i++) {
            if (value[i] != other.value[i]) {
                return value[i] - other.value[i];
            }
        }
        return value.length - other.value.length;
    }

    public int compareToIgnoreCase(String other) {
        int limit = value.length < other.value.length ? value.length : other.value.length;
        for (int i = 0; i < limit; i++) {
            char a = value[i];
            char b = other.value[i];
            if (a != b) {
                if (isSurrogate(a) || isSurrogate(b)) {
                    Native.unmodelled();
                }
                a = fold(a);
                b = fold(b);
                if (a != b) {
                    return a - b;
                }
            }
        }
        return value.length - other.value.length;
    }

    public boolean regionMatches(int offset, String other, int position, int length) {
        return regionMatches(false, offset, other, position, length);
    }

    public boolean regionMatches(boolean ignoreCase, int offset, String other, int position, int length) {
        if (position < 0 || offset < 0 || offset > (long) value.length - length
                || position > (long) other.value.length - length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char a = value[offset + i];
            char b = other.value[position + i];
            if (a != b && !(ignoreCase && fold(a) == fold(b))) {
                return false;
            }
        }
        return true;
    }

    public boolean startsWith(String prefix, int offset) {
        if (offset < 0 || offset > value.length - prefix.value.length) {
            return false;
        }
        for (int i = 0; i < prefix.value.length; i++) {
            if (value[offset + i] != prefix.value[i]) {
                return false;
            }
        }
        return true;
    }

    public boolean startsWith(String prefix) {
        return startsWith(prefix, 0);
    }

    public boolean endsWith(String suffix) {
        return startsWith(suffix, value.length - suffix.value.length);
    }

    /** Nobody can tell when it is computed, or by whom. */
    public int hashCode() {
        Native.atomicBegin();
        int result = hash;
        if (result == 0) {
            for (int i = 0; i < value.length; i++) {
                result = 31 * result + value[i];
            }
            hash = result;
        }
        Native.atomicEnd();
        return result;
    }

    public int indexOf(int point) {
        return indexOf(point, 0);
    }

    public int indexOf(int point, int from) {
        if (point >= 0x10000) {
            Native.unmodelled();
        }
        for (int i = from < 0 ? 0 : from; i < value.length; i++) {
            if (value[i] == point) {
                return i;
            }
        }
        return -1;
    }

    public int lastIndexOf(int point) {
        return lastIndexOf(point, value.length - 1);
    }

    public int lastIndexOf(int point, int from) {
        if (point >= 0x10000) {
            Native.unmodelled();
        }
        for (int i = from >= value.length ? value.length - 1 : from; i >= 0; i--) {
            if (value[i] == point) {
                return i;
            }
        }
        return -1;
    }

    public int indexOf(String text) {
        return indexOf(text, 0);
    }

    public int indexOf(String text, int from) {
        return indexOf(value, value.length, text, from);
    }

    static int indexOf(char[] value, int count, String text, int from) {
        int start = from < 0 ? 0 : from > count ? count : from;
        for (int i = start; i <= count - text.value.length; i++) {
            if (isAt(value, i, text)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isAt(char[] value, int offset, String text) {
        for (int i = 0; i < text.value.length; i++) {
            if (value[offset + i] != text.value[i]) {
                return false;
            }
        }
        return true;
    }

    public int lastIndexOf(String text) {
        return lastIndexOf(text, value.length);
    }

    public int lastIndexOf(String text, int from) {
        return lastIndexOf(value, value.length, text, from);
    }

    static int lastIndexOf(char[] value, int count, String text, int from) {
        int last = count - text.value.length;
        for (int i = from > last ? last : from; i >= 0; i--) {
            if (isAt(value, i, text)) {
                return i;
            }
        }
        return -1;
    }

    public boolean contains(CharSequence text) {
        return indexOf(text.toString()) >= 0;
    }

    public String substring(int begin) {
        return substring(begin, value.length);
    }

    public String substring(int begin, int end) {
        checkRange(begin, end, value.length);
        if (begin == 0 && end == value.length) {
            return this;
        }
        return copied(value, begin, end);
    }

    /** A string of some of the characters; where there is none, it is the literal. */
    static String copied(char[] value, int begin, int end) {
        return begin == end ? "" : new String(value, begin, end - begin);
    }

    public CharSequence subSequence(int begin, int end) {
        return substring(begin, end);
    }

    public String concat(String other) {
        if (other.value.length == 0) {
            return this;
        }
        return concat(this, other);
    }

    private static String concat(String a, String b) {
        char[] both = new char[a.value.length + b.value.length];
        Native.copy(a.value, 0, both, 0, a.value.length);
        Native.copy(b.value, 0, both, a.value.length, b.value.length);
        return new String(both, true);
    }

    public String replace(char from, char to) {
        if (from == to || indexOf(from) < 0) {
            return this;
        }
        char[] copy = new char[value.length];
        for (int i = 0; i < value.length; i++) {
            copy[i] = value[i] == from ? to : value[i];
        }
        return new String(copy, true);
    }

    public String replace(CharSequence from, CharSequence to) {
        String target = from.toString();
        String replacement = to.toString();
        if (target.value.length == 1 && replacement.value.length == 1) {
            return replace(target.value[0], replacement.value[0]);
        }
        int next = indexOf(target);
        if (next < 0) {
            return this;
        }
        StringBuilder result = new StringBuilder();
        int start = 0;
        while (next >= 0) {
            result.append(value, start, next - start).append(replacement);
            start = next + target.value.length;
            if (target.value.length == 0) {
                if (next >= value.length) {
                    return result.toString();
                }
                result.append(value[next]);
                start = next + 1;
                next = start;
            } else {
                next = indexOf(target, start);
            }
        }
        return result.append(value, start, value.length - start).toString();
    }

    /** Whether the characters here and after it are one, outside of those that have a char. */
    private boolean isPair(int i) {
        return Character.isHighSurrogate(value[i]) && i + 1 < value.length && Character.isLowSurrogate(value[i + 1]);
    }

    public String toLowerCase() {
        char[] copy = new char[value.length];
        boolean isSame = true;
        for (int i = 0; i < value.length; i++) {
            char c = value[i];
            // A final sigma, and an I with a dot, have rules of their own.
            if (isPair(i) || c == 0x3a3 || c == 0x130) {
                Native.unmodelled();
            }
            copy[i] = c < 0x80 ? c >= 'A' && c <= 'Z' ? (char) (c + 32) : c : Character.toLowerCase(c);
            isSame &= copy[i] == c && !isSurrogate(c);
        }
        return isSame ? this : new String(copy, true);
    }

    /** Whether a character may be several in upper case. */
    private static boolean mayBecomeSeveral(char c) {
        return c == 0xdf
                || c == 0x149
                || c == 0x1f0
                || c == 0x390
                || c == 0x3b0
                || c == 0x587
                || c >= 0x1e96 && c <= 0x1e9a
                || c >= 0x1f50 && c <= 0x1fff
                || c >= 0xfb00 && c <= 0xfb17;
    }

    public String toUpperCase() {
        char[] copy = new char[value.length];
        boolean isSame = true;
        for (int i = 0; i < value.length; i++) {
            char c = value[i];
            if (c >= 0x80 && (isPair(i) || mayBecomeSeveral(c))) {
                Native.unmodelled();
            }
            copy[i] = c < 0x80 ? c >= 'a' && c <= 'z' ? (char) (c - 32) : c : Character.toUpperCase(c);
            isSame &= copy[i] == c && !isSurrogate(c);
        }
        return isSame ? this : new String(copy, true);
    }

    public String trim() {
        int end = value.length;
        int start = 0;
        while (start < end && value[start] <= ' ') {
            start++;
        }
        while (start < end && value[end - 1] <= ' ') {
            end--;
        }
        return substring(start, end);
    }

    public String strip() {
        return value.length == 0 ? "" : trimWhere(true, true);
    }

    public String stripLeading() {
        return trimWhere(true, false);
    }

    public String stripTrailing() {
        return trimWhere(false, true);
    }

    private String trimWhere(boolean leading, boolean trailing) {
        int end = value.length;
        int start = 0;
        while (leading && start < end && Character.isWhitespace(value[start])) {
            start++;
        }
        while (trailing && start < end && Character.isWhitespace(value[end - 1])) {
            end--;
        }
        return substring(start, end);
    }

    public boolean isBlank() {
        for (int i = 0; i < value.length; i++) {
            if (!Character.isWhitespace(value[i])) {
                return false;
            }
        }
        return true;
    }

    public String repeat(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("count is negative: " + count);
        }
        if (count == 1) {
            return this;
        }
        StringBuilder result = new StringBuilder();
        for (int i = 0; i < count; i++) {
            result.append(this);
        }
        return result.toString();
    }

    public String[] split(String expression) {
        return split(expression, 0);
    }

    /** The pieces between the separators. */
    public String[] split(String expression, int limit) {
        char separator = plainSeparator(expression);
        if (separator >= 0xd800 && separator < 0xe000) {
            return Pattern.compile(expression).split(this, limit);
        }
        int pieces = 1;
        for (int i = 0; i < value.length; i++) {
            if (value[i] == separator) {
                pieces++;
            }
        }
        if (pieces == 1) {
            return new String[] {this};
        }
        if (limit > 0 && pieces > limit) {
            pieces = limit;
        }
        String[] all = new String[pieces];
        int start = 0;
        for (int i = 0; i < pieces; i++) {
            int end = i == pieces - 1 ? value.length : indexOf(separator, start);
            if (i == pieces - 1 && (limit <= 0 || pieces < limit)) {
                int next = indexOf(separator, start);
                end = next < 0 ? value.length : next;
            }
            all[i] = substring(start, end);
            start = end + 1;
        }
        int size = pieces;
        if (limit == 0) {
            while (size > 0 && all[size - 1].isEmpty()) {
                size--;
            }
        }
        String[] result = new String[size];
        for (int i = 0; i < size; i++) {
            result[i] = all[i];
        }
        return result;
    }

    /** The character that an expression stands for; a surrogate if it means anything else. */
    private static char plainSeparator(String expression) {
        boolean isPlain = expression.length() == 1 && ".$|()[{^?*+\\".indexOf(expression.charAt(0)) < 0;
        if (expression.length() == 2 && expression.charAt(0) == '\\') {
            char c = expression.charAt(1);
            isPlain = !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z');
        }
        return isPlain ? expression.charAt(expression.length() - 1) : '\ud800';
    }

    public boolean matches(String expression) {
        return Pattern.matches(expression, this);
    }

    public String replaceFirst(String expression, String replacement) {
        return Pattern.compile(expression).matcher(this).replaceFirst(replacement);
    }

    public String replaceAll(String expression, String replacement) {
        return Pattern.compile(expression).matcher(this).replaceAll(replacement);
    }

    public Stream<String> lines() {
        ArrayList<String> lines = new ArrayList<>();
        int start = 0;
        while (start < value.length) {
            int end = start;
            while (end < value.length && value[end] != '\n' && value[end] != '\r') {
                end++;
            }
            lines.add(copied(value, start, end));
            boolean isPair = end + 1 < value.length && value[end] == '\r' && value[end + 1] == '\n';
            start = end + (isPair ? 2 : 1);
        }
        return lines.stream();
    }

    /** The bytes of characters of which every encoding has the same. */
    public byte[] getBytes() {
        byte[] bytes = new byte[value.length];
        for (int i = 0; i < value.length; i++) {
            if (value[i] >= 0x80) {
                Native.unmodelled();
            }
            bytes[i] = (byte) value[i];
        }
        return bytes;
    }

    public static String join(CharSequence separator, Iterable<? extends CharSequence> parts) {
        StringBuilder result = new StringBuilder();
        String between = separator.toString();
        boolean isFirst = true;
        for (CharSequence part : parts) {
            if (!isFirst) {
                result.append(between);
            }
            isFirst = false;
            result.append(valueOf(part));
        }
        return new String(result);
    }

    public static String join(CharSequence separator, CharSequence... parts) {
        StringBuilder result = new StringBuilder();
        String between = separator.toString();
        for (int i = 0; i < parts.length; i++) {
            if (i > 0) {
                result.append(between);
            }
            result.append(valueOf(parts[i]));
        }
        return new String(result);
    }

    public static String format(String format, Object... arguments) {
        return Format.text(format, arguments, true);
    }

    public String formatted(Object... arguments) {
        return Format.text(this, arguments, true);
    }

    public String intern() {
        return Interned.intern(this);
    }

    public String toString() {
        return this;
    }

    public char[] toCharArray() {
        char[] copy = new char[value.length];
        Native.copy(value, 0, copy, 0, value.length);
        return copy;
    }

    public static String valueOf(Object object) {
        return object == null ? "null" : object.toString();
    }

    public static String valueOf(char[] value) {
        return new String(value);
    }

    public static String valueOf(char[] value, int offset, int count) {
        return new String(value, offset, count);
    }

    public static String copyValueOf(char[] value, int offset, int count) {
        return new String(value, offset, count);
    }

    public static String copyValueOf(char[] value) {
        return new String(value);
    }

    public static String valueOf(boolean value) {
        return value ? "true" : "false";
    }

    public static String valueOf(char value) {
        char[] text = {value};
        return new String(text, true);
    }

    public static String valueOf(int value) {
        return Numbers.text(value);
    }

    public static String valueOf(long value) {
        return Numbers.text(value);
    }

    public static String valueOf(float value) {
        return Float.toString(value);
    }

    public static String valueOf(double value) {
        return Double.toString(value);
    }

    public Optional<String> describeConstable() {
        return Optional.of(this);
    }

    public String resolveConstantDesc(MethodHandles.Lookup lookup) {
        return this;
    }
}

package java.lang;

import java.io.Serializable;
import tandem.Native;

/** A string that grows. */
public final class StringBuilder implements Serializable, Comparable<StringBuilder>, CharSequence, Appendable {
    char[] value;
    int count;

    public StringBuilder() {
        value = new char[16];
    }

    public StringBuilder(int capacity) {
        value = new char[capacity];
    }

    public StringBuilder(String text) {
        value = new char[text.value.length + 16];
        append(text);
    }

    public StringBuilder(CharSequence text) {
        value = new char[text.length() + 16];
        append(text);
    }

    public int length() {
        return count;
    }

    public int capacity() {
        return value.length;
    }

    public void ensureCapacity(int least) {
        if (least > value.length) {
            int larger = 2 * value.length + 2;
            char[] copy = new char[larger < least ? least : larger];
            Native.copy(value, 0, copy, 0, count);
            value = copy;
        }
    }

    public void trimToSize() {
        if (count < value.length) {
            char[] copy = new char[count];
            Native.copy(value, 0, copy, 0, count);
            value = copy;
        }
    }

    public void setLength(int length) {
        if (length < 0) {
            throw new StringIndexOutOfBoundsException(length);
        }
        ensureCapacity(length);
        for (int i = count; i < length; i++) {
            value[i] = 0;
        }
        count = length;
    }

    private void check(int index) {
        if (index < 0 || index >= count) {
            throw new StringIndexOutOfBoundsException("index " + index + ", length " + count);
        }
    }

    private void checkOffset(int offset) {
        if (offset < 0 || offset > count) {
            throw new StringIndexOutOfBoundsException("offset " + offset + ", length " + count);
        }
    }

    private void checkRange(int start, int end) {
        if (start < 0 || start > end || end > count) {
            throw new StringIndexOutOfBoundsException("start " + start + ", end " + end + ", length " + count);
        }
    }

    public char charAt(int index) {
        if (index < 0 || index >= count) {
            throw new StringIndexOutOfBoundsException("index " + index + ", length " + count);
        }
        return value[index];
    }

    public int codePointAt(int index) {
        check(index);
        return toString().codePointAt(index);
    }

    public int codePointBefore(int index) {
        return toString().codePointBefore(index);
    }

    public int codePointCount(int begin, int end) {
        return toString().codePointCount(begin, end);
    }

    public int offsetByCodePoints(int index, int offset) {
        return toString().offsetByCodePoints(index, offset);
    }

    public void getChars(int begin, int end, char[] target, int position) {
        checkRange(begin, end);
        int last = position + end - begin;
        if (position < 0 || position > target.length - (end - begin)) {
            throw new IndexOutOfBoundsException("start " + position + ", end " + last + ", length " + target.length);
        }
        Native.copy(value, begin, target, position, end - begin);
    }

    public void setCharAt(int index, char c) {
        check(index);
        value[index] = c;
    }

    public StringBuilder append(String text) {
        String appended = text == null ? "null" : text;
        int length = appended.value.length;
        ensureCapacity(count + length);
        Native.copy(appended.value, 0, value, count, length);
        count += length;
        return this;
    }

    public StringBuilder append(Object object) {
        return append(String.valueOf(object));
    }

    public StringBuilder append(StringBuffer buffer) {
        return append((CharSequence) buffer);
    }

    public StringBuilder append(CharSequence text) {
        return append(text == null ? "null" : text.toString());
    }

    public StringBuilder append(CharSequence text, int start, int end) {
        CharSequence appended = text == null ? "null" : text;
        if (start < 0 || start > end || end > appended.length()) {
            throw new IndexOutOfBoundsException("start " + start + ", end " + end + ", length " + appended.length());
        }
        for (int i = start; i < end; i++) {
            append(appended.charAt(i));
        }
        return this;
    }

    public StringBuilder append(char[] text) {
        return append(text, 0, text.length);
    }

    public StringBuilder append(char[] text, int offset, int length) {
        if (offset < 0 || length < 0 || offset > text.length - length) {
            throw new IndexOutOfBoundsException("start " + offset + ", end " + (offset + length) + ", length " + text.length);
        }
        ensureCapacity(count + length);
        Native.copy(text, offset, value, count, length);
        count += length;
        return this;
    }

    public StringBuilder append(boolean value) {
        return append(value ? "true" : "false");
    }

    public StringBuilder append(char c) {
        ensureCapacity(count + 1);
        value[count] = c;
        count++;
        return this;
    }

    public StringBuilder append(int value) {
        return append(String.valueOf(value));
    }

    public StringBuilder append(long value) {
        return append(String.valueOf(value));
    }

    public StringBuilder append(float value) {
        return append(String.valueOf(value));
    }

    public StringBuilder append(double value) {
        return append(String.valueOf(value));
    }

    public StringBuilder appendCodePoint(int point) {
        if (point >= 0x10000 || point < 0) {
            return append(Character.toChars(point));
        }
        return append((char) point);
    }

    public StringBuilder delete(int start, int end) {
        int last = end > count ? count : end;
        checkRange(start, last);
        Native.copy(value, last, value, start, count - last);
        count -= last - start;
        return this;
    }

    public StringBuilder deleteCharAt(int index) {
        check(index);
        Native.copy(value, index + 1, value, index, count - index - 1);
        count--;
        return this;
    }

    public StringBuilder replace(int start, int end, String text) {
        int last = end > count ? count : end;
        checkRange(start, last);
        int length = text.value.length;
        int total = count + length - (last - start);
        ensureCapacity(total);
        Native.copy(value, last, value, start + length, count - last);
        Native.copy(text.value, 0, value, start, length);
        count = total;
        return this;
    }

    public String substring(int start) {
        return substring(start, count);
    }

    public CharSequence subSequence(int start, int end) {
        return substring(start, end);
    }

    public String substring(int start, int end) {
        checkRange(start, end);
        return String.copied(value, start, end);
    }

    public StringBuilder insert(int offset, String text) {
        checkOffset(offset);
        String inserted = text == null ? "null" : text;
        int length = inserted.value.length;
        ensureCapacity(count + length);
        Native.copy(value, offset, value, offset + length, count - offset);
        Native.copy(inserted.value, 0, value, offset, length);
        count += length;
        return this;
    }

    public StringBuilder insert(int offset, Object object) {
        return insert(offset, String.valueOf(object));
    }

    public StringBuilder insert(int offset, CharSequence text) {
        return insert(offset, text == null ? "null" : text.toString());
    }

    public StringBuilder insert(int offset, CharSequence text, int start, int end) {
        CharSequence inserted = text == null ? "null" : text;
        checkOffset(offset);
        if (start < 0 || start > end || end > inserted.length()) {
            throw new IndexOutOfBoundsException("start " + start + ", end " + end + ", length " + inserted.length());
        }
        return insert(offset, inserted.subSequence(start, end).toString());
    }

    public StringBuilder insert(int offset, char[] text) {
        checkOffset(offset);
        return insert(offset, String.valueOf(text));
    }

    public StringBuilder insert(int index, char[] text, int offset, int length) {
        checkOffset(index);
        if (offset < 0 || length < 0 || offset > text.length - length) {
            throw new StringIndexOutOfBoundsException(
                    "start " + offset + ", end " + (offset + length) + ", length " + text.length);
        }
        return insert(index, new String(text, offset, length));
    }

    public StringBuilder insert(int offset, boolean value) {
        return insert(offset, String.valueOf(value));
    }

    public StringBuilder insert(int offset, char value) {
        return insert(offset, String.valueOf(value));
    }

    public StringBuilder insert(int offset, int value) {
        return insert(offset, String.valueOf(value));
    }

    public StringBuilder insert(int offset, long value) {
        return insert(offset, String.valueOf(value));
    }

    public StringBuilder insert(int offset, float value) {
        return insert(offset, String.valueOf(value));
    }

    public StringBuilder insert(int offset, double value) {
        return insert(offset, String.valueOf(value));
    }

    public int indexOf(String text) {
        return indexOf(text, 0);
    }

    public int indexOf(String text, int from) {
        return String.indexOf(value, count, text, from);
    }

    public int lastIndexOf(String text) {
        return lastIndexOf(text, count);
    }

    public int lastIndexOf(String text, int from) {
        return String.lastIndexOf(value, count, text, from);
    }

    public StringBuilder reverse() {
        boolean hasSurrogates = false;
        for (int i = 0, j = count - 1; i < j; i++, j--) {
            char first = value[i];
            char last = value[j];
            value[i] = last;
            value[j] = first;
            hasSurrogates |= Character.isSurrogate(first) || Character.isSurrogate(last);
        }
        if (hasSurrogates) {
            for (int i = 0; i < count - 1; i++) {
                if (Character.isLowSurrogate(value[i]) && Character.isHighSurrogate(value[i + 1])) {
                    char low = value[i];
                    value[i] = value[i + 1];
                    value[i + 1] = low;
                    i++;
                }
            }
        }
        return this;
    }

    public int compareTo(StringBuilder other) {
        int limit = count < other.count ? count : other.count;
        for (int i = 0; i < limit; i++) {
            if (value[i] != other.value[i]) {
                return value[i] - other.value[i];
            }
        }
        return count - other.count;
    }

    public String toString() {
        return String.copied(value, 0, count);
    }

    /** What an expression with {@code +} gives, which is never a literal. */
    public String concatenated() {
        return new String(value, 0, count);
    }
}

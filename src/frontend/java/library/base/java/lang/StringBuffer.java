package java.lang;

import java.io.Serializable;

/** A string that grows, with its monitor held. */
public final class StringBuffer implements Serializable, Comparable<StringBuffer>, CharSequence, Appendable {
    final StringBuilder builder;

    public StringBuffer() {
        builder = new StringBuilder();
    }

    public StringBuffer(int capacity) {
        builder = new StringBuilder(capacity);
    }

    public StringBuffer(String text) {
        builder = new StringBuilder(text);
    }

    public StringBuffer(CharSequence text) {
        builder = new StringBuilder(text);
    }

    public synchronized int length() {
        return builder.length();
    }

    public synchronized int capacity() {
        return builder.capacity();
    }

    public synchronized void ensureCapacity(int least) {
        builder.ensureCapacity(least);
    }

    public synchronized void trimToSize() {
        builder.trimToSize();
    }

    public synchronized void setLength(int length) {
        builder.setLength(length);
    }

    public synchronized char charAt(int index) {
        return builder.charAt(index);
    }

    public synchronized int codePointAt(int index) {
        return builder.codePointAt(index);
    }

    public synchronized int codePointBefore(int index) {
        return builder.codePointBefore(index);
    }

    public synchronized int codePointCount(int begin, int end) {
        return builder.codePointCount(begin, end);
    }

    public synchronized int offsetByCodePoints(int index, int offset) {
        return builder.offsetByCodePoints(index, offset);
    }

    public synchronized void getChars(int begin, int end, char[] target, int position) {
        builder.getChars(begin, end, target, position);
    }

    public synchronized void setCharAt(int index, char c) {
        builder.setCharAt(index, c);
    }

    public synchronized StringBuffer append(String text) {
        builder.append(text);
        return this;
    }

    public synchronized StringBuffer append(Object object) {
        builder.append(object);
        return this;
    }

    public synchronized StringBuffer append(StringBuffer buffer) {
        builder.append(buffer);
        return this;
    }

    public synchronized StringBuffer append(CharSequence text) {
        builder.append(text);
        return this;
    }

    public synchronized StringBuffer append(CharSequence text, int start, int end) {
        builder.append(text, start, end);
        return this;
    }

    public synchronized StringBuffer append(char[] text) {
        builder.append(text);
        return this;
    }

    public synchronized StringBuffer append(char[] text, int offset, int length) {
        builder.append(text, offset, length);
        return this;
    }

    public synchronized StringBuffer append(boolean value) {
        builder.append(value);
        return this;
    }

    public synchronized StringBuffer append(char c) {
        builder.append(c);
        return this;
    }

    public synchronized StringBuffer append(int value) {
        builder.append(value);
        return this;
    }

    public synchronized StringBuffer append(long value) {
        builder.append(value);
        return this;
    }

    public synchronized StringBuffer append(float value) {
        builder.append(value);
        return this;
    }

    public synchronized StringBuffer append(double value) {
        builder.append(value);
        return this;
    }

    public synchronized StringBuffer appendCodePoint(int point) {
        builder.appendCodePoint(point);
        return this;
    }

    public synchronized StringBuffer delete(int start, int end) {
        builder.delete(start, end);
        return this;
    }

    public synchronized StringBuffer deleteCharAt(int index) {
        builder.deleteCharAt(index);
        return this;
    }

    public synchronized StringBuffer replace(int start, int end, String text) {
        builder.replace(start, end, text);
        return this;
    }

    public synchronized String substring(int start) {
        return builder.substring(start);
    }

    public synchronized CharSequence subSequence(int start, int end) {
        return builder.subSequence(start, end);
    }

    public synchronized String substring(int start, int end) {
        return builder.substring(start, end);
    }

    public synchronized StringBuffer insert(int offset, String text) {
        builder.insert(offset, text);
        return this;
    }

    public synchronized StringBuffer insert(int offset, Object object) {
        builder.insert(offset, object);
        return this;
    }

    public synchronized StringBuffer insert(int offset, CharSequence text) {
        builder.insert(offset, text);
        return this;
    }

    public synchronized StringBuffer insert(int offset, CharSequence text, int start, int end) {
        builder.insert(offset, text, start, end);
        return this;
    }

    public synchronized StringBuffer insert(int offset, char[] text) {
        builder.insert(offset, text);
        return this;
    }

    public synchronized StringBuffer insert(int index, char[] text, int offset, int length) {
        builder.insert(index, text, offset, length);
        return this;
    }

    public synchronized StringBuffer insert(int offset, boolean value) {
        builder.insert(offset, value);
        return this;
    }

    public synchronized StringBuffer insert(int offset, char value) {
        builder.insert(offset, value);
        return this;
    }

    public synchronized StringBuffer insert(int offset, int value) {
        builder.insert(offset, value);
        return this;
    }

    public synchronized StringBuffer insert(int offset, long value) {
        builder.insert(offset, value);
        return this;
    }

    public synchronized StringBuffer insert(int offset, float value) {
        builder.insert(offset, value);
        return this;
    }

    public synchronized StringBuffer insert(int offset, double value) {
        builder.insert(offset, value);
        return this;
    }

    public synchronized int indexOf(String text) {
        return builder.indexOf(text);
    }

    public synchronized int indexOf(String text, int from) {
        return builder.indexOf(text, from);
    }

    public synchronized int lastIndexOf(String text) {
        return builder.lastIndexOf(text);
    }

    public synchronized int lastIndexOf(String text, int from) {
        return builder.lastIndexOf(text, from);
    }

    public synchronized StringBuffer reverse() {
        builder.reverse();
        return this;
    }

    public synchronized int compareTo(StringBuffer other) {
        return builder.compareTo(other.builder);
    }

    public synchronized String toString() {
        return builder.toString();
    }
}

package java.io;

import tandem.Format;
import tandem.Native;

/** Standard output, and standard error, which nobody sees. */
public class PrintStream {
    private final boolean isShown;

    public PrintStream(boolean isShown) {
        this.isShown = isShown && Native.executes();
    }

    public void flush() {
    }

    public void close() {
        Native.unmodelled();
    }

    public void println() {
        if (isShown) {
            Native.print('\n');
        }
    }

    public void print(boolean value) {
        print(value ? "true" : "false");
    }

    public void print(char value) {
        if (isShown) {
            put(value);
        }
    }

    public void print(int value) {
        if (isShown) {
            Native.printNumber(value);
        }
    }

    public void print(long value) {
        if (isShown) {
            Native.printNumber(value);
        }
    }

    public void print(float value) {
        if (isShown) {
            print(Float.toString(value));
        }
    }

    public void print(double value) {
        if (isShown) {
            print(Double.toString(value));
        }
    }

    public void print(char[] value) {
        int length = value.length;
        if (isShown) {
            for (int i = 0; i < length; i++) {
                i += put(value, i, length);
            }
        }
    }

    public void print(String value) {
        if (isShown) {
            String text = value == null ? "null" : value;
            print(text.toCharArray());
        }
    }

    public void print(Object value) {
        print(text(value));
    }

    /** The text of an object that nobody sees but who sees what is printed. */
    static String text(Object value) {
        return value == null || Native.isTold(value) ? String.valueOf(value) : "";
    }

    public void println(boolean value) {
        print(value);
        println();
    }

    public void println(char value) {
        print(value);
        println();
    }

    public void println(int value) {
        print(value);
        println();
    }

    public void println(long value) {
        print(value);
        println();
    }

    public void println(float value) {
        print(value);
        println();
    }

    public void println(double value) {
        print(value);
        println();
    }

    public void println(char[] value) {
        print(value);
        println();
    }

    public void println(String value) {
        print(value);
        println();
    }

    public void println(Object value) {
        print(value);
        println();
    }

    public PrintStream printf(String format, Object... arguments) {
        print(Format.text(format, arguments, isShown));
        return this;
    }

    public PrintStream format(String format, Object... arguments) {
        return printf(format, arguments);
    }

    public PrintStream append(CharSequence text) {
        print(String.valueOf(text));
        return this;
    }

    public PrintStream append(CharSequence text, int start, int end) {
        return append((text == null ? "null" : text).subSequence(start, end));
    }

    public PrintStream append(char c) {
        print(c);
        return this;
    }

    public void write(int value) {
        if (isShown) {
            Native.print(value);
        }
    }

    /** Prints the character at the index as UTF-8; tells how many more units it took. */
    private static int put(char[] text, int index, int length) {
        char unit = text[index];
        if (unit >= 0xd800 && unit < 0xdc00 && index + 1 < length) {
            char low = text[index + 1];
            if (low >= 0xdc00 && low < 0xe000) {
                int point = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                Native.print(0xf0 | point >> 18);
                Native.print(0x80 | point >> 12 & 0x3f);
                Native.print(0x80 | point >> 6 & 0x3f);
                Native.print(0x80 | point & 0x3f);
                return 1;
            }
        }
        put(unit);
        return 0;
    }

    private static void put(char unit) {
        if (unit < 0x80) {
            Native.print(unit);
        } else if (unit < 0x800) {
            Native.print(0xc0 | unit >> 6);
            Native.print(0x80 | unit & 0x3f);
        } else if (unit >= 0xd800 && unit < 0xe000) {
            Native.print('?');
        } else {
            Native.print(0xe0 | unit >> 12);
            Native.print(0x80 | unit >> 6 & 0x3f);
            Native.print(0x80 | unit & 0x3f);
        }
    }
}

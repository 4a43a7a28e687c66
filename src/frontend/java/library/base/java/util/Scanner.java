package java.util;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import tandem.Native;

/** A scanner with the usual separators. Numbers that a locale may write in ways of its own are not modelled. */
public final class Scanner implements Iterator<String>, Closeable {
    /** Where more characters come from; null if there are no more. */
    private InputStream source;
    private String text;
    private int position;
    private boolean isClosed;

    public Scanner(String text) {
        if (text == null) {
            throw new NullPointerException("source");
        }
        this.text = text;
    }

    public Scanner(InputStream source) {
        if (source == null) {
            throw new NullPointerException("source");
        }
        this.source = source;
        this.text = "";
    }

    public void close() {
        isClosed = true;
    }

    private void ensureOpen() {
        if (isClosed) {
            throw new IllegalStateException("Scanner closed");
        }
    }

    /** Whether there is a character at the place. */
    private boolean has(int place) {
        while (place >= text.length()) {
            if (source == null) {
                return false;
            }
            int next = -1;
            try {
                next = source.read();
            } catch (IOException e) {
                Native.unmodelled();
            }
            if (next < 0) {
                source = null;
                return false;
            }
            if (next >= 128) {
                Native.unmodelled();
            }
            text = text + (char) next;
        }
        return true;
    }

    private int tokenStart() {
        int start = position;
        while (has(start) && Character.isWhitespace(text.charAt(start))) {
            start++;
        }
        return start;
    }

    private int tokenEnd(int start) {
        int end = start;
        while (has(end) && !Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        return end;
    }

    /** The next token, which is not taken; null if there is none. */
    private String token() {
        ensureOpen();
        int start = tokenStart();
        int end = tokenEnd(start);
        return start == end ? null : text.substring(start, end);
    }

    private void take() {
        position = tokenEnd(tokenStart());
    }

    public boolean hasNext() {
        return token() != null;
    }

    public String next() {
        String token = token();
        if (token == null) {
            throw new NoSuchElementException();
        }
        take();
        return token;
    }

    private String required() {
        String token = token();
        if (token == null) {
            throw new NoSuchElementException();
        }
        return token;
    }

    /** Whether a token is a decimal number without a point. */
    private static boolean isInteger(String token) {
        int start = token.charAt(0) == '-' || token.charAt(0) == '+' ? 1 : 0;
        return isNumber(token, start, false);
    }

    /** Whether a token is a decimal number, with a point or without. */
    private static boolean isDecimal(String token) {
        int start = token.charAt(0) == '-' || token.charAt(0) == '+' ? 1 : 0;
        return isNumber(token, start, true);
    }

    /** What could be a number in some other way of writing is not modelled. */
    private static boolean isNumber(String token, int start, boolean hasPoint) {
        int digits = 0;
        int points = 0;
        boolean isOdd = false;
        for (int i = start; i < token.length(); i++) {
            char c = token.charAt(i);
            if (c >= '0' && c <= '9') {
                digits++;
            } else if (hasPoint && c == '.') {
                points++;
            } else if (c == ',' || c >= 128 && !Character.isLetter(c) || hasPoint && isInDecimals(c)) {
                isOdd = true;
            } else {
                return false;
            }
        }
        if (isOdd) {
            Native.unmodelled();
        }
        return digits > 0 && points <= 1;
    }

    private static boolean isInDecimals(char c) {
        return "eE+-NaInfinity".indexOf(c) >= 0;
    }

    public boolean hasNextInt() {
        String token = token();
        if (token == null || !isInteger(token)) {
            return false;
        }
        try {
            Integer.parseInt(token);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    public int nextInt() {
        String token = required();
        if (!isInteger(token)) {
            throw new InputMismatchException();
        }
        try {
            int number = Integer.parseInt(token);
            take();
            return number;
        } catch (NumberFormatException e) {
            throw new InputMismatchException(e.getMessage());
        }
    }

    public boolean hasNextLong() {
        String token = token();
        if (token == null || !isInteger(token)) {
            return false;
        }
        try {
            Long.parseLong(token);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    public long nextLong() {
        String token = required();
        if (!isInteger(token)) {
            throw new InputMismatchException();
        }
        try {
            long number = Long.parseLong(token);
            take();
            return number;
        } catch (NumberFormatException e) {
            throw new InputMismatchException(e.getMessage());
        }
    }

    public boolean hasNextDouble() {
        String token = token();
        return token != null && isDecimal(token);
    }

    public double nextDouble() {
        String token = required();
        if (!isDecimal(token)) {
            throw new InputMismatchException();
        }
        take();
        return Double.parseDouble(token);
    }

    public boolean hasNextBoolean() {
        String token = token();
        return token != null && (token.equalsIgnoreCase("true") || token.equalsIgnoreCase("false"));
    }

    public boolean nextBoolean() {
        String token = required();
        if (!token.equalsIgnoreCase("true") && !token.equalsIgnoreCase("false")) {
            throw new InputMismatchException();
        }
        take();
        return token.equalsIgnoreCase("true");
    }

    public boolean hasNextLine() {
        ensureOpen();
        return has(position);
    }

    public String nextLine() {
        ensureOpen();
        if (!has(position)) {
            throw new NoSuchElementException("No line found");
        }
        int end = position;
        while (has(end) && !isSeparator(text.charAt(end))) {
            end++;
        }
        String line = text.substring(position, end);
        position = end;
        if (has(end)) {
            boolean isPair = text.charAt(end) == '\r' && has(end + 1) && text.charAt(end + 1) == '\n';
            position = end + (isPair ? 2 : 1);
        }
        return line;
    }

    private static boolean isSeparator(char c) {
        return c == '\n' || c == '\r' || c == '\u2028' || c == '\u2029' || c == '\u0085';
    }
}

package java.io;

import tandem.Native;

/** A reader of bytes that are characters: what others mean depends on the system. */
public class InputStreamReader extends Reader {
    private final InputStream source;

    public InputStreamReader(InputStream source) {
        super(source);
        this.source = source;
    }

    public int read() throws IOException {
        int next = source.read();
        if (next >= 128) {
            Native.unmodelled();
        }
        return next;
    }

    public int read(char[] target, int offset, int length) throws IOException {
        if (offset < 0 || length < 0 || offset > target.length - length) {
            throw new IndexOutOfBoundsException();
        }
        if (length == 0) {
            return 0;
        }
        // One character is as much as may be there.
        int next = read();
        if (next < 0) {
            return -1;
        }
        target[offset] = (char) next;
        return 1;
    }

    public boolean ready() throws IOException {
        return source.available() > 0;
    }

    public void close() throws IOException {
        source.close();
    }
}

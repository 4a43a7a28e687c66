package java.io;


/** A stream of bytes; what standard input holds is not modelled. */
public abstract class InputStream implements Closeable {
    public InputStream() {
    }

    public abstract int read() throws IOException;

    public int available() throws IOException {
        return 0;
    }

    public void close() throws IOException {
    }
}

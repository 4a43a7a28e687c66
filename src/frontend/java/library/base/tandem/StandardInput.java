package tandem;

import java.io.IOException;
import java.io.InputStream;

/** Standard input, which may hold any bytes. */
public final class StandardInput extends InputStream {
    private boolean isAtEnd;

    public int read() throws IOException {
        if (isAtEnd || Native.anyBoolean()) {
            isAtEnd = true;
            return -1;
        }
        return Native.anyByte() & 0xff;
    }

    public int available() throws IOException {
        int bytes = Native.anyInt();
        Native.assume(bytes >= 0);
        return bytes;
    }

    public void close() throws IOException {
        Native.unmodelled();
    }
}

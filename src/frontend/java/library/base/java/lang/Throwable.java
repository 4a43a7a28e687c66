package java.lang;

import java.io.PrintStream;
import java.io.Serializable;
import tandem.Message;
import tandem.Native;
import tandem.Traced;

/** An exception without a stack trace. */
public class Throwable implements Serializable {
    private String detailMessage;
    private Message parts;
    private Throwable cause = this;
    private Throwable[] suppressed;
    private boolean isHidden;
    private boolean suppressesNone;

    public Throwable() {
        Native.fill(this);
    }

    public Throwable(String message) {
        Native.fill(this);
        detailMessage = message;
    }

    public Throwable(String message, Throwable cause) {
        Native.fill(this);
        detailMessage = message;
        this.cause = cause;
    }

    public Throwable(Throwable cause) {
        Native.fill(this);
        detailMessage = cause == null ? null : cause.toString();
        this.cause = cause;
    }

    protected Throwable(String message, Throwable cause, boolean enableSuppression, boolean writableStackTrace) {
        if (writableStackTrace) {
            Native.fill(this);
        }
        detailMessage = message;
        this.cause = cause;
        suppressesNone = !enableSuppression;
    }

    /** The virtual machine gives it a message that is not modelled. */
    public final void hideMessage() {
        isHidden = true;
    }

    /** Gives it a message that is put together where it is asked for. */
    public final void setMessage(Message message) {
        parts = message;
    }

    public String getMessage() {
        if (isHidden) {
            Native.unmodelled();
        }
        // Nobody can tell when the message is put together.
        if (Native.hasThreads()) {
            Native.atomicBegin();
        }
        if (parts != null) {
            detailMessage = parts.text();
            parts = null;
        }
        String message = detailMessage;
        if (Native.hasThreads()) {
            Native.atomicEnd();
        }
        return message;
    }

    public String getLocalizedMessage() {
        return getMessage();
    }

    public synchronized Throwable getCause() {
        return cause == this ? null : cause;
    }

    public synchronized Throwable initCause(Throwable cause) {
        if (this.cause != this) {
            throw new IllegalStateException("Can't overwrite cause with "
                    + (cause == null ? "a null" : cause.toString()), this);
        }
        if (cause == this) {
            throw new IllegalArgumentException("Self-causation not permitted", this);
        }
        this.cause = cause;
        return this;
    }

    final void setCause(Throwable cause) {
        this.cause = cause;
    }

    public String toString() {
        String name = getClass().getName();
        String message = getLocalizedMessage();
        return message != null ? name + ": " + message : name;
    }

    public void printStackTrace() {
        printStackTrace(System.err);
    }

    public void printStackTrace(PrintStream stream) {
        if (stream == null) {
            throw new NullPointerException();
        }
        if (stream == System.out && Native.executes()) {
            Native.unmodelled();
        }
        ask();
        Throwable[] others = others();
        Throwable cause = null;
        if (others == null) {
            cause = getCause();
            if (cause == null) {
                return;
            }
        }
        Traced traced = new Traced();
        traced.isNew(this);
        if (others == null) {
            traced.push(cause, true);
        } else {
            traced.push(this, false);
            traced.push(others);
        }
        while (traced.next()) {
            if (!traced.isEnclosed) {
                cause = traced.exception.getCause();
                if (cause != null) {
                    traced.push(cause, true);
                }
                continue;
            }
            Throwable exception = traced.exception;
            boolean isNew = traced.isNew(exception);
            exception.ask();
            if (isNew) {
                traced.push(exception, false);
                traced.push(exception.others());
            }
        }
    }

    /** Asks for what is printed of it. What the virtual machine says in one of its own needs nobody to be asked. */
    private void ask() {
        if (!isHidden) {
            toString();
        }
    }

    private synchronized Throwable[] others() {
        return suppressed;
    }

    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    public StackTraceElement[] getStackTrace() {
        Native.unmodelled();
        return null;
    }

    public void setStackTrace(StackTraceElement[] trace) {
        Native.unmodelled();
    }

    public final synchronized void addSuppressed(Throwable exception) {
        if (exception == this) {
            throw new IllegalArgumentException("Self-suppression not permitted", exception);
        }
        if (exception == null) {
            throw new NullPointerException("Cannot suppress a null exception.");
        }
        if (suppressesNone) {
            return;
        }
        int length = suppressed == null ? 0 : suppressed.length;
        Throwable[] longer = new Throwable[length + 1];
        for (int i = 0; i < length; i++) {
            longer[i] = suppressed[i];
        }
        longer[length] = exception;
        suppressed = longer;
    }

    public final synchronized Throwable[] getSuppressed() {
        int length = suppressed == null ? 0 : suppressed.length;
        Throwable[] copy = new Throwable[length];
        for (int i = 0; i < length; i++) {
            copy[i] = suppressed[i];
        }
        return copy;
    }
}

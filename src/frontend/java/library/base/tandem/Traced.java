package tandem;

/** The exceptions that are still to be printed with another one, the next on top, and those that were printed. */
public final class Traced {
    /** The one that is next. */
    public Throwable exception;
    /** Whether all of it is to be printed, or only its cause. */
    public boolean isEnclosed;
    private Step top;
    private Step printed;

    /** Takes the next one, if there is any. */
    public boolean next() {
        if (top == null) {
            return false;
        }
        exception = top.exception;
        isEnclosed = top.isEnclosed;
        top = top.below;
        return true;
    }

    public void push(Throwable exception, boolean isEnclosed) {
        top = new Step(exception, isEnclosed, top);
    }

    public void push(Throwable[] exceptions) {
        if (exceptions != null) {
            for (int i = exceptions.length - 1; i >= 0; i--) {
                push(exceptions[i], true);
            }
        }
    }

    /** Whether it was not printed before; from now on it was. */
    public boolean isNew(Throwable exception) {
        for (Step step = printed; step != null; step = step.below) {
            if (step.exception == exception) {
                return false;
            }
        }
        printed = new Step(exception, true, printed);
        return true;
    }

    private static final class Step {
        final Throwable exception;
        final boolean isEnclosed;
        final Step below;

        Step(Throwable exception, boolean isEnclosed, Step below) {
            this.exception = exception;
            this.isEnclosed = isEnclosed;
            this.below = below;
        }
    }
}

// expect: safe
// unknown: cegar, symbolic, bounded
// What the virtual machine throws by itself, handlers and their order, finally, nested and rethrown exceptions.
class Exceptions {
    static class Own extends RuntimeException {
        final int code;

        Own(int code, Throwable cause) {
            super("own " + code, cause);
            this.code = code;
        }
    }

    static int trace;

    static int attempt(int what) {
        int[] array = new int[2];
        Object text = "text";
        try {
            try {
                switch (what) {
                    case 0:
                        return array[what + 2];
                    case 1:
                        return 1 / (what - 1);
                    case 2:
                        return ((String) null).length();
                    case 3:
                        return ((Integer) text).intValue();
                    case 4:
                        return new int[-what].length;
                    case 5:
                        Object[] strings = new String[1];
                        strings[0] = what;
                        return -1;
                    case 6:
                        throw new Own(6, null);
                    case 7:
                        assert what != 7 : "seven";
                        return -1;
                    default:
                        return 100 + what;
                }
            } finally {
                trace = trace * 10 + what % 10;
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            assert e.getMessage().equals("Index 2 out of bounds for length 2");
            return 10;
        } catch (ArithmeticException | NullPointerException e) {
            return e instanceof ArithmeticException ? 11 : 12;
        } catch (ClassCastException e) {
            return 13;
        } catch (NegativeArraySizeException e) {
            return e.getMessage().equals("-4") ? 14 : -1;
        } catch (ArrayStoreException e) {
            return 15;
        } catch (Own e) {
            return e.code + 10;
        } catch (AssertionError e) {
            return e.getMessage().equals("seven") ? 17 : -1;
        }
    }

    static void deep(int depth) {
        if (depth == 0) {
            throw new Own(42, new IllegalStateException("inside"));
        }
        deep(depth - 1);
    }

    static int last() {
        try {
            throw new IllegalStateException();
        } finally {
            return 3;
        }
    }

    public static void main(String[] args) {
        for (int what = 0; what < 8; what++) {
            assert attempt(what) == 10 + what : what;
        }
        assert attempt(9) == 109;
        assert trace == 12345679;
        try {
            deep(3);
            assert false;
        } catch (RuntimeException e) {
            assert e.getMessage().equals("own 42") && e.getCause().getMessage().equals("inside");
            assert e.toString().equals("Exceptions$Own: own 42") : e.toString();
        }
        assert last() == 3;
    }
}

package gov.nasa.jpf.abstraction;

import tandem.Native;

/** Inputs of PANDA's programs. */
public class Verifier {
    public static int unknownInt() {
        return Native.anyInt();
    }

    public static int unknownNonNegativeInt() {
        int value = Native.anyInt();
        Native.assume(value >= 0);
        return value;
    }

    public static int unknownPositiveInt() {
        int value = Native.anyInt();
        Native.assume(value > 0);
        return value;
    }

    public static char unknownChar() {
        return Native.anyChar();
    }

    public static boolean unknownBool() {
        return Native.anyBoolean();
    }
}

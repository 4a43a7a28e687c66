package org.sosy_lab.sv_benchmarks;

import tandem.Native;

/** Inputs of SV-COMP's programs. */
public final class Verifier {
    public static void assume(boolean condition) {
        Native.assume(condition);
    }

    public static boolean nondetBoolean() {
        return Native.anyBoolean();
    }

    public static byte nondetByte() {
        return Native.anyByte();
    }

    public static char nondetChar() {
        return Native.anyChar();
    }

    public static short nondetShort() {
        return Native.anyShort();
    }

    public static int nondetInt() {
        return Native.anyInt();
    }

    public static long nondetLong() {
        return Native.anyLong();
    }

    public static float nondetFloat() {
        return Native.anyFloat();
    }

    public static double nondetDouble() {
        return Native.anyDouble();
    }

    public static String nondetString() {
        return String.any();
    }
}

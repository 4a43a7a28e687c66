package gov.nasa.jpf.vm;

import tandem.Native;

/** Choices of Java PathFinder's programs. */
public class Verify {
    public static boolean getBoolean() {
        return Native.anyBoolean();
    }

    public static boolean randomBool() {
        return Native.anyBoolean();
    }

    public static int getInt(int least, int greatest) {
        int value = Native.anyInt();
        Native.assume(least <= value && value <= greatest);
        return value;
    }

    public static int random(int greatest) {
        return getInt(0, greatest);
    }

    public static void ignoreIf(boolean condition) {
        Native.assume(!condition);
    }

    public static void beginAtomic() {
    }

    public static void endAtomic() {
    }
}

package java.util;

import tandem.Native;

/**
 * Hash tables with keys whose hash codes are up to the virtual machine: such a code chooses a place in the table, and
 * matters only where somebody goes through the table.
 */
public final class HashOrder {
    /** How many objects were given a code for tables. */
    private static int given;

    /** What {@code HashMap.hash} gives. */
    public static int hash(Object key) {
        if (key == null) {
            return 0;
        }
        int code = Native.isIdentity(key) ? code(key) : key.hashCode();
        return code ^ (code >>> 16);
    }

    /** The hash code of an object if somebody has asked for it; else some code that it may have, kept as a negative. */
    private static int code(Object key) {
        Native.atomicBegin();
        int code = Native.hashCell(key);
        if (code == 0) {
            given++;
            code = -(given * 0x9E3779B1 >>> 1);
            Native.setHashCell(key, code);
        }
        Native.atomicEnd();
        return code < 0 ? -code : code;
    }

    /** Somebody goes through a table. With such keys the order may be another one. */
    static void look(HashMap<?, ?> map) {
        Native.atomicBegin();
        boolean isOpen = given > 0;
        Native.atomicEnd();
        HashMap.Node<?, ?>[] table = map.table;
        if (!isOpen || map.size < 2 || table == null || Native.executes()) {
            return;
        }
        for (int i = 0; i < table.length; i++) {
            for (HashMap.Node<?, ?> node = table[i]; node != null; node = node.next) {
                if (node.key != null && Native.isIdentity(node.key)) {
                    Native.openOrder();
                    return;
                }
            }
        }
    }

    private HashOrder() {
    }
}

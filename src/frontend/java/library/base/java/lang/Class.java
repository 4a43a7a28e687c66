package java.lang;

import java.io.Serializable;
import tandem.Native;

/** A class object; there is one a class. */
public final class Class<T> implements Serializable {
    private String name;
    private boolean isInterface;
    private boolean isPrimitive;

    private Class() {
    }

    static Class<?> getPrimitiveClass(String name) {
        Class<?> made = new Class<>();
        made.name = name;
        made.isPrimitive = true;
        return made;
    }

    public boolean isPrimitive() {
        return isPrimitive;
    }

    public boolean desiredAssertionStatus() {
        return true;
    }

    public String getName() {
        return name;
    }

    public String getTypeName() {
        if (name.charAt(0) == '[') {
            Native.unmodelled();
        }
        return name;
    }

    public String getSimpleName() {
        if (name.indexOf('[') >= 0 || name.indexOf('$') >= 0) {
            Native.unmodelled();
        }
        return name.substring(name.lastIndexOf('.') + 1);
    }

    public boolean isInterface() {
        return isInterface;
    }

    public boolean isArray() {
        return name.charAt(0) == '[';
    }

    public String toString() {
        return isPrimitive ? name : (isInterface ? "interface " : "class ") + name;
    }
}

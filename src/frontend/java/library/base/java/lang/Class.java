package java.lang;

import java.io.Serializable;
import tandem.Native;

/** A class object; there is one a class. */
public final class Class<T> implements Serializable {
    /** The name; null if the virtual machine makes one up. */
    private String name;
    /** The name inside the class around it, if somebody asks for it. */
    private String simpleName;
    /** The name with those of the classes around it, if somebody asks for it; null if there is none. */
    private String canonicalName;
    /** What the class extends, if somebody asks for it. */
    private Class<?> superclass;
    /** What arrays of the class hold, if somebody asks for it. */
    private Class<?> componentType;
    private boolean isInterface;
    private boolean isPrimitive;

    private Class() {
    }

    static Class<?> getPrimitiveClass(String name) {
        Class<?> made = new Class<>();
        made.name = name;
        made.simpleName = name;
        made.canonicalName = name;
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
        if (name == null) {
            Native.unmodelled();
        }
        return name;
    }

    public String getTypeName() {
        if (isArray()) {
            Native.unmodelled();
        }
        return getName();
    }

    public String getSimpleName() {
        if (simpleName == null) {
            Native.unmodelled();
        }
        return simpleName;
    }

    public String getCanonicalName() {
        if (name == null) {
            Native.unmodelled();
        }
        return canonicalName;
    }

    public String getPackageName() {
        if (name == null || isArray() || isPrimitive) {
            Native.unmodelled();
        }
        int end = name.lastIndexOf('.');
        return end < 0 ? "" : name.substring(0, end);
    }

    public Class<? super T> getSuperclass() {
        return above();
    }

    @SuppressWarnings("unchecked")
    private Class<? super T> above() {
        return (Class<? super T>) superclass;
    }

    public Class<?> getComponentType() {
        if (componentType == null && isArray()) {
            Native.unmodelled();
        }
        return componentType;
    }

    public boolean isInstance(Object object) {
        if (object == null || isPrimitive) {
            return false;
        }
        if (isInterface || isArray()) {
            Native.unmodelled();
        }
        for (Class<?> above = object.getClass(); above != null; above = above.above()) {
            if (above == this) {
                return true;
            }
        }
        return false;
    }

    @SuppressWarnings("unchecked")
    public T cast(Object object) {
        if (object != null && !isInstance(object)) {
            throw new ClassCastException("Cannot cast " + object.getClass().getName() + " to " + getName());
        }
        return (T) object;
    }

    public boolean isEnum() {
        Class<?> above = above();
        return above != null && above == (Object) Enum.class;
    }

    @SuppressWarnings("unchecked")
    public T[] getEnumConstants() {
        return (T[]) Native.enumConstants(this);
    }

    public boolean isInterface() {
        return isInterface;
    }

    public boolean isArray() {
        return name != null && name.charAt(0) == '[';
    }

    public String toString() {
        return isPrimitive ? name : (isInterface ? "interface " : "class ") + getName();
    }
}

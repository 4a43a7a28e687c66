package java.util;

import jdk.internal.access.JavaUtilCollectionAccess;

/** Lists that cannot be changed, of arrays that nobody else has. */
public final class TrustedArrays implements JavaUtilCollectionAccess {
    @SuppressWarnings("unchecked")
    public <E> List<E> listFromTrustedArray(Object[] array) {
        return (List<E>) ImmutableCollections.listFromTrustedArray(array);
    }

    @SuppressWarnings("unchecked")
    public <E> List<E> listFromTrustedArrayNullsAllowed(Object[] array) {
        return (List<E>) ImmutableCollections.listFromTrustedArrayNullsAllowed(array);
    }
}

package java.util;

import java.io.Serializable;
import tandem.Native;

/** A set of one or two elements that cannot be changed; in which order it gives two is another in every run. */
public final class SmallSet<E> extends ImmutableCollections.AbstractImmutableSet<E> implements Serializable {
    private final E first;
    private final E second;
    private final boolean isPair;

    SmallSet(E only) {
        first = Objects.requireNonNull(only);
        second = null;
        isPair = false;
    }

    SmallSet(E first, E second) {
        if (first.equals(Objects.requireNonNull(second))) {
            throw new IllegalArgumentException("duplicate element: " + first);
        }
        this.first = first;
        this.second = second;
        isPair = true;
    }

    public static <E> Set<E> of(E only) {
        return new SmallSet<>(only);
    }

    public static <E> Set<E> of(E first, E second) {
        return new SmallSet<>(first, second);
    }

    /** The order, which is one in all of a run. */
    private static class Order {
        static final boolean IS_REVERSE = Native.anyBoolean();
    }

    private boolean startsWithFirst() {
        if (isPair && Native.executes()) {
            Native.unmodelled();
        }
        return !isPair || Order.IS_REVERSE;
    }

    public int size() {
        return isPair ? 2 : 1;
    }

    public boolean isEmpty() {
        return false;
    }

    public boolean contains(Object object) {
        return object.equals(first) || isPair && object.equals(second);
    }

    public int hashCode() {
        return first.hashCode() + (isPair ? second.hashCode() : 0);
    }

    public Iterator<E> iterator() {
        boolean isFirst = startsWithFirst();
        return new Elements<>(isFirst ? first : second, isFirst ? second : first, size());
    }

    private static class Elements<E> implements Iterator<E> {
        private final E next;
        private final E last;
        private int remaining;
        private final int size;

        Elements(E next, E last, int size) {
            this.next = next;
            this.last = last;
            this.size = size;
            remaining = size;
        }

        public boolean hasNext() {
            return remaining > 0;
        }

        public E next() {
            if (remaining == 0) {
                throw new NoSuchElementException();
            }
            remaining--;
            return remaining == size - 1 ? next : last;
        }
    }

    public Object[] toArray() {
        return toArray(new Object[size()]);
    }

    @SuppressWarnings("unchecked")
    public <T> T[] toArray(T[] given) {
        int size = size();
        T[] array = given.length >= size
                ? given
                : (T[]) java.lang.reflect.Array.newInstance(given.getClass().getComponentType(), size);
        boolean isFirst = startsWithFirst();
        array[0] = (T) (isFirst ? first : second);
        if (isPair) {
            array[1] = (T) (isFirst ? second : first);
        }
        if (array.length > size) {
            array[size] = null;
        }
        return array;
    }
}

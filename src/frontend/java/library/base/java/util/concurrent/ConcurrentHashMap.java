package java.util.concurrent;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import tandem.Native;

/**
 * A hash table in which each operation is one step, but for those that call a function: as in the JDK they keep others from
 * writing meanwhile, not from reading.
 */
public class ConcurrentHashMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V>, java.io.Serializable {
    /** With more elements, or another size at the start, the JDK's class goes through them in another order. */
    private static final int MOST_IN_ORDER = 11;

    private final Object mutex = new Object();
    private final HashMap<K, V> map = new HashMap<>();
    private final boolean hasOwnSize;

    public ConcurrentHashMap() {
        hasOwnSize = false;
    }

    public ConcurrentHashMap(int capacity) {
        this(capacity, 0.75f, 1);
    }

    public ConcurrentHashMap(int capacity, float load) {
        this(capacity, load, 1);
    }

    public ConcurrentHashMap(int capacity, float load, int level) {
        if (!(load > 0.0f) || capacity < 0 || level <= 0) {
            throw new IllegalArgumentException();
        }
        hasOwnSize = true;
    }

    public ConcurrentHashMap(Map<? extends K, ? extends V> other) {
        hasOwnSize = false;
        putAll(other);
    }

    private static void check(Object something) {
        if (something == null) {
            throw new NullPointerException();
        }
    }

    public int size() {
        Native.atomicBegin();
        int size = map.size();
        Native.atomicEnd();
        return size;
    }

    public long mappingCount() {
        return size();
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    public V get(Object key) {
        check(key);
        Native.atomicBegin();
        V value = map.get(key);
        Native.atomicEnd();
        return value;
    }

    public V getOrDefault(Object key, V other) {
        V value = get(key);
        return value == null ? other : value;
    }

    public boolean containsKey(Object key) {
        return get(key) != null;
    }

    public boolean containsValue(Object value) {
        check(value);
        return super.containsValue(value);
    }

    public boolean contains(Object value) {
        return containsValue(value);
    }

    /** Writes, or removes where there is no value. Whoever calls has the lock. */
    private V write(K key, V value) {
        Native.atomicBegin();
        V old = value == null ? map.remove(key) : map.put(key, value);
        Native.atomicEnd();
        return old;
    }

    public V put(K key, V value) {
        check(key);
        check(value);
        synchronized (mutex) {
            return write(key, value);
        }
    }

    public void putAll(Map<? extends K, ? extends V> other) {
        for (Map.Entry<? extends K, ? extends V> entry : other.entrySet()) {
            put(entry.getKey(), entry.getValue());
        }
    }

    public V putIfAbsent(K key, V value) {
        check(key);
        check(value);
        synchronized (mutex) {
            V old = get(key);
            if (old == null) {
                write(key, value);
            }
            return old;
        }
    }

    @SuppressWarnings("unchecked")
    public V remove(Object key) {
        check(key);
        synchronized (mutex) {
            return write((K) key, null);
        }
    }

    @SuppressWarnings("unchecked")
    public boolean remove(Object key, Object value) {
        check(key);
        synchronized (mutex) {
            V old = get(key);
            boolean isIt = value != null && old != null && (value == old || value.equals(old));
            if (isIt) {
                write((K) key, null);
            }
            return isIt;
        }
    }

    public boolean replace(K key, V before, V value) {
        check(key);
        check(before);
        check(value);
        synchronized (mutex) {
            V old = get(key);
            boolean isIt = old != null && (before == old || before.equals(old));
            if (isIt) {
                write(key, value);
            }
            return isIt;
        }
    }

    public V replace(K key, V value) {
        check(key);
        check(value);
        synchronized (mutex) {
            V old = get(key);
            if (old != null) {
                write(key, value);
            }
            return old;
        }
    }

    public void clear() {
        synchronized (mutex) {
            Native.atomicBegin();
            map.clear();
            Native.atomicEnd();
        }
    }

    public V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
        check(key);
        check(function);
        synchronized (mutex) {
            V old = get(key);
            if (old != null) {
                return old;
            }
            V value = alone(() -> function.apply(key));
            if (value != null) {
                write(key, value);
            }
            return value;
        }
    }

    public V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> function) {
        check(key);
        check(function);
        synchronized (mutex) {
            V old = get(key);
            if (old == null) {
                return null;
            }
            V value = alone(() -> function.apply(key, old));
            write(key, value);
            return value;
        }
    }

    public V compute(K key, BiFunction<? super K, ? super V, ? extends V> function) {
        check(key);
        check(function);
        synchronized (mutex) {
            V old = get(key);
            V value = alone(() -> function.apply(key, old));
            if (old != null || value != null) {
                write(key, value);
            }
            return value;
        }
    }

    public V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> function) {
        check(key);
        check(value);
        check(function);
        synchronized (mutex) {
            V old = get(key);
            V made = old == null ? value : alone(() -> function.apply(old, value));
            write(key, made);
            return made;
        }
    }

    /** Whether a function is executed under the lock: one that writes to this map has no meaning. */
    private boolean isInside;

    private V alone(java.util.function.Supplier<? extends V> function) {
        if (isInside) {
            Native.unmodelled();
        }
        isInside = true;
        V value = function.get();
        isInside = false;
        return value;
    }

    public void forEach(BiConsumer<? super K, ? super V> action) {
        check(action);
        for (Map.Entry<K, V> entry : entrySet()) {
            action.accept(entry.getKey(), entry.getValue());
        }
    }

    public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
        check(function);
        for (Map.Entry<K, V> entry : entrySet()) {
            compute(entry.getKey(), (key, value) -> value == null ? null : function.apply(key, value));
        }
    }

    public Set<Map.Entry<K, V>> entrySet() {
        return new Entries<K, V>(this);
    }

    private static final class Entries<K, V> extends AbstractSet<Map.Entry<K, V>> {
        private final ConcurrentHashMap<K, V> all;

        Entries(ConcurrentHashMap<K, V> all) {
            this.all = all;
        }

        public int size() {
            return all.size();
        }

        public Iterator<Map.Entry<K, V>> iterator() {
            return new Through<K, V>(all);
        }
    }

    /** Goes through all. What happens where somebody adds or removes meanwhile is not modelled. */
    private static final class Through<K, V> implements Iterator<Map.Entry<K, V>> {
        private final ConcurrentHashMap<K, V> all;
        private final Object[] keys;
        private int next;
        private boolean canRemove;

        Through(ConcurrentHashMap<K, V> all) {
            this.all = all;
            Native.atomicBegin();
            if (all.map.size() > 1 && (all.hasOwnSize || all.map.size() > MOST_IN_ORDER)) {
                Native.unmodelled();
            }
            keys = all.map.keySet().toArray();
            Native.atomicEnd();
        }

        public boolean hasNext() {
            return next < keys.length;
        }

        @SuppressWarnings("unchecked")
        public Map.Entry<K, V> next() {
            if (next >= keys.length) {
                throw new NoSuchElementException();
            }
            K key = (K) keys[next++];
            canRemove = true;
            V value = all.get(key);
            if (value == null || all.size() != keys.length) {
                Native.unmodelled();
            }
            return new Found<K, V>(all, key, value);
        }

        public void remove() {
            if (!canRemove) {
                throw new IllegalStateException();
            }
            Native.unmodelled();
        }
    }

    private static final class Found<K, V> extends AbstractMap.SimpleEntry<K, V> {
        private final ConcurrentHashMap<K, V> all;

        Found(ConcurrentHashMap<K, V> all, K key, V value) {
            super(key, value);
            this.all = all;
        }

        public V setValue(V value) {
            check(value);
            V old = super.setValue(value);
            all.put(getKey(), value);
            return old;
        }
    }
}

// A cache for a few pages: where there is no room, the one that was not used for the longest time goes.
import java.util.HashMap;
import java.util.Map;
import org.sosy_lab.sv_benchmarks.Verifier;

public class LruCache {
    private static class Entry {
        final int page;
        Entry newer, older;

        Entry(int page) {
            this.page = page;
        }
    }

    private final int capacity;
    private final Map<Integer, Entry> entries = new HashMap<>();
    private Entry newest, oldest;

    LruCache(int capacity) {
        this.capacity = capacity;
    }

    /** Whether the page was there; afterwards it is, and it is the newest. */
    boolean use(int page) {
        Entry entry = entries.get(page);
        boolean wasThere = entry != null;
        if (wasThere) {
            unlink(entry);
        } else {
            if (entries.size() == capacity) {
                Entry last = oldest;
                entries.remove(last.page);
                unlink(last);
            }
            entry = new Entry(page);
            entries.put(page, entry);
        }
        link(entry);
        return wasThere;
    }

    private void unlink(Entry entry) {
        if (entry.newer != null) {
            entry.newer.older = entry.older;
        } else {
            newest = entry.older;
        }
        if (entry.older != null) {
            entry.older.newer = entry.newer;
        } else {
            oldest = entry.newer;
        }
    }

    private void link(Entry entry) {
        entry.newer = null;
        entry.older = newest;
        if (newest != null) {
            newest.newer = entry;
        } else {
            oldest = entry;
        }
        newest = entry;
    }

    int size() {
        int size = 0;
        for (Entry entry = newest; entry != null; entry = entry.older) {
            size++;
        }
        return size;
    }

    public static void main(String[] args) {
        LruCache cache = new LruCache(2);
        int before = -1;
        for (int i = 0; i < 5; i++) {
            int page = Verifier.nondetInt();
            if (page < 0 || page > 3) {
                return;
            }
            boolean wasThere = cache.use(page);
            assert wasThere || page != before;
            assert cache.size() == cache.entries.size() && cache.size() <= 2;
            before = page;
        }
    }
}

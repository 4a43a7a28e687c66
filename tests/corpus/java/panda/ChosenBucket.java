// expect: safe
// unknown: explicit, symbolic
// Which node a bucket has is known on the trace and not where the step is walked: there nothing chooses between edges.
import gov.nasa.jpf.abstraction.Verifier;

public class ChosenBucket {
    static class Entry {
        final int key; int value; Entry next;
        Entry(int key, int value, Entry next) { this.key = key; this.value = value; this.next = next; }
    }
    private final Entry[] buckets = new Entry[4];
    void put(int key, int value) {
        int h = key & 3;
        for (Entry e = buckets[h]; e != null; e = e.next)
            if (e.key == key) { e.value = value; return; }
        buckets[h] = new Entry(key, value, buckets[h]);
    }
    public static void main(String[] args) {
        int k = Verifier.unknownInt(), l = Verifier.unknownInt();
        ChosenBucket table = new ChosenBucket();
        table.put(k, 1);
        table.put(l, 2);
        assert table.buckets[k & 3].value == (k == l || (k & 3) == (l & 3) ? 2 : 1);
    }
}

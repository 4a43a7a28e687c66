// expect: safe
// options: --property no-exception
// unknown: explicit, symbolic
// References move in an array while objects of two classes go through the same slots of the stack: a field of one is where
// the other has an element.
import gov.nasa.jpf.abstraction.Verifier;

public class InsertedReferences {
    static class Entry {
        int id;
        int key;
        int bonus;
    }

    public static void main(String[] args) {
        Entry[] entries = new Entry[3];
        for (int i = 0; i < 3; i++) {
            Entry entry = new Entry();
            entry.id = Verifier.unknownInt();
            entry.key = 7 - 3 * i;
            entries[i] = entry;
        }
        Entry[] sorted = new Entry[3];
        for (int i = 0; i < entries.length; i++) {
            int pos = 0;
            for (int j = i - 1; j >= 0; j--) {
                if (entries[i].key - entries[i].bonus < sorted[j].key - sorted[j].bonus) sorted[j + 1] = sorted[j];
                else if (pos == 0) pos = j + 1;
            }
            sorted[pos] = entries[i];
        }
        int best = sorted[0].key - sorted[0].bonus;
        sorted[2].bonus = best;
    }
}

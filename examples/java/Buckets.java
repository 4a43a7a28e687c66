import org.sosy_lab.sv_benchmarks.Verifier;

/** Counts things in ten buckets, by their hash codes. */
public class Buckets {
    private final int[] counts = new int[10];

    void add(int hash) {
        int bucket = Math.abs(hash) % counts.length;
        counts[bucket]++;
    }

    public static void main(String[] args) {
        Buckets buckets = new Buckets();
        buckets.add(Verifier.nondetInt());
    }
}

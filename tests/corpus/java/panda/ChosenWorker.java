// expect: safe
// unknown: explicit, symbolic, bounded, cegar
// Which of two workers goes on is an input: the index of an array of references is chosen, and with it whose count grows.
import gov.nasa.jpf.abstraction.Verifier;

public class ChosenWorker {
    static class Worker {
        int count = 0;
        boolean isDone() { return count >= 2; }
        void step() { assert count < 2; count = count + 1; }
    }

    static void wake(Worker[] workers, int i) {
        while (workers[i].isDone()) {
            i = i + 1;
            while (i >= workers.length) i = i - workers.length;
        }
        workers[i].step();
    }

    public static void main(String[] args) {
        Worker[] workers = {new Worker(), new Worker()};
        while (!workers[0].isDone() || !workers[1].isDone()) {
            int i = Verifier.unknownNonNegativeInt();
            while (i >= workers.length) i = i - workers.length;
            wake(workers, i);
        }
        assert workers[0].count + workers[1].count == 4;
    }
}

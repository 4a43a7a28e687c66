// expect: safe
// unknown: explicit, symbolic, bounded, cegar
// Which of two workers goes on is an input: the index of an array of references is chosen, and with it whose count grows.
import gov.nasa.jpf.abstraction.Verifier;

public class TakesTurns {
    static class Worker {
        int count = 0;
        void step() { count = count + 1; }
    }

    public static void main(String[] args) {
        Worker[] workers = {new Worker(), new Worker()};
        int steps = 0;
        while (workers[0].count < 2 || workers[1].count < 2) {
            int i = Verifier.unknownNonNegativeInt();
            while (i >= 2) i = i - 2;
            while (workers[i].count >= 2) {
                i = i + 1;
                while (i >= 2) i = i - 2;
            }
            workers[i].step();
            steps = steps + 1;
        }
        assert steps == 4;
    }
}

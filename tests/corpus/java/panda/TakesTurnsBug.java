// expect: unsafe
// unknown: explicit, symbolic, bounded, cegar
// Which of two workers takes the last turn is an input.
import gov.nasa.jpf.abstraction.Verifier;

public class TakesTurnsBug {
    static class Worker {
        int count = 0;
        void step() { count = count + 1; }
    }

    public static void main(String[] args) {
        Worker[] workers = {new Worker(), new Worker()};
        int steps = 0, last = 0;
        while (workers[0].count < 2 || workers[1].count < 2) {
            int i = Verifier.unknownNonNegativeInt();
            while (i >= 2) i = i - 2;
            while (workers[i].count >= 2) {
                i = i + 1;
                while (i >= 2) i = i - 2;
            }
            workers[i].step();
            steps = steps + 1;
            last = i;
        }
        assert steps == 4 && last == 1;
    }
}

// expect: safe
// unknown: explicit, symbolic
import java.util.Random;

/** Random numbers without a seed are any; a class that makes its own has those. */
public class RandomAny {
    static class Own extends Random {
        @Override
        protected int next(int bits) {
            return bits;
        }
    }

    public static void main(String[] args) {
        Random open = new Random();
        int any = open.nextInt(3);
        assert any >= 0 && any < 3;
        Random own = new Own();
        assert own.nextInt() == 32 && own.nextBoolean() && own.nextInt(8) == 0;
    }
}

// expect: safe
// unknown: cegar, symbolic, bounded
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Random numbers of a class of one's own, and with a seed. */
public class RandomOwn {
    static class Counting extends Random {
        int asked;
        int bits;

        Counting() {
            super(5);
        }

        @Override
        protected int next(int bits) {
            asked++;
            this.bits = bits;
            return asked & ((1 << bits) - 1);
        }
    }

    static class Unseeded extends Random {
        @Override
        protected int next(int bits) {
            return bits;
        }
    }

    static class Seeds extends Random {
        static long last;

        Seeds(long seed) {
            super(seed);
        }

        @Override
        public void setSeed(long seed) {
            last = seed;
            super.setSeed(seed + 1);
        }
    }

    static class Plain extends Random {
        Plain(long seed) {
            super(seed);
        }

        int dice() {
            return nextInt(6) + 1;
        }
    }

    public static void main(String[] args) {
        Counting counting = new Counting();
        assert counting.nextInt() == 0 && counting.bits == 32;
        assert counting.nextInt(10) == 2 && counting.bits == 31;
        assert counting.nextInt(8) == 0;
        assert counting.nextBoolean() == false && counting.bits == 1;
        assert counting.nextLong() == 0 && counting.asked == 6;
        assert counting.nextFloat() == 7 / (float) (1 << 24) && counting.bits == 24;
        assert counting.nextDouble() == ((8L << 27) + 9) * 0x1.0p-53 && counting.bits == 27;
        byte[] bytes = new byte[5];
        counting.nextBytes(bytes);
        assert counting.asked == 11 && bytes[0] == 0;
        Unseeded unseeded = new Unseeded();
        assert unseeded.nextInt() == 32 && unseeded.nextInt(7) == 31 % 7 && unseeded.nextBoolean();
        assert unseeded.nextLong() == (32L << 32) + 32;
        Seeds seeds = new Seeds(6);
        assert Seeds.last == 6 && seeds.nextInt() == new Random(7).nextInt();
        assert new Plain(42).dice() == new Random(42).nextInt(6) + 1;
        Random random = new Random(42);
        assert random.nextInt() == -1170105035 && random.nextInt(100) == 63;
        assert random.nextLong() == -5843495416241995736L;
        random.setSeed(42);
        assert random.nextInt() == -1170105035;
        random.setSeed(1);
        double first = random.nextGaussian();
        random.setSeed(1);
        assert random.nextGaussian() == first && first == 1.561581040188955;
        try {
            random.nextInt(0);
            assert false;
        } catch (IllegalArgumentException e) {
            assert e.getMessage().equals("bound must be positive");
        }
        List<Integer> list = new ArrayList<>(Arrays.asList(1, 2, 3, 4));
        Collections.shuffle(list, new Random(3));
        assert list.equals(Arrays.asList(2, 1, 4, 3));
    }
}

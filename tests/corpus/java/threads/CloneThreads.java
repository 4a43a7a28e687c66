// expect: safe
// unknown: cegar, symbolic, bounded
/** Clones in threads: constants of an enum, arrays, objects. */
public class CloneThreads implements Cloneable {
    enum Colour { RED, GREEN }

    int a = 1;
    long b = 2;
    String text = "t";
    int[] numbers = {1, 2, 3};

    static int sum;

    public static void main(String[] args) throws Exception {
        CloneThreads original = new CloneThreads();
        Thread other = new Thread(() -> {
            sum = Colour.values().length + original.numbers.clone()[2];
        });
        other.start();
        Colour[] mine = Colour.values();
        mine[0] = null;
        other.join();
        CloneThreads copy = (CloneThreads) original.clone();
        assert copy != original && copy.a == 1 && copy.b == 2 && copy.text == original.text;
        assert copy.numbers == original.numbers;
        int[] numbers = original.numbers.clone();
        assert numbers.length == 3 && numbers[2] == 3;
        assert sum == 5 && Colour.values()[0] == Colour.RED;
        try {
            new Object() {
                Object copy() throws CloneNotSupportedException {
                    return clone();
                }
            }.copy();
            assert false;
        } catch (CloneNotSupportedException e) {
            assert e.getMessage().equals("CloneThreads$1");
        }
    }
}

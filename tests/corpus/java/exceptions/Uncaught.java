// expect: safe
// unknown: symbolic
// An exception that nothing catches ends the program; no assertion is false before.
class Uncaught {
    public static void main(String[] args) {
        int[] array = new int[3];
        int i = 0;
        while (true) {
            assert i < 4;
            array[i] = i;
            i++;
        }
    }
}

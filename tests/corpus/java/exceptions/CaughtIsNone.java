// expect: safe
// unknown: symbolic
// options: --property no-exception
class CaughtIsNone {
    public static void main(String[] args) {
        int[] array = new int[3];
        try {
            for (int i = 0;; i++) {
                array[i] = i;
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            array = null;
        }
    }
}

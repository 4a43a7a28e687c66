// expect: unsafe
// unknown: symbolic
// options: --property no-exception
class UncaughtIsAnError {
    public static void main(String[] args) {
        int[] array = new int[3];
        for (int i = 0; i <= array.length; i++) {
            array[i] = i;
        }
    }
}

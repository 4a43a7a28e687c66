// expect: safe
// unknown: symbolic
// Powers are known where they are exact.
class Powers {
    public static void main(String[] args) {
        int three = args.length + 3;
        assert Math.pow(three, 3) == 27 && Math.pow(-2, three) == -8 && Math.pow(10, 15) == 1e15;
        assert Math.pow(2, -three) == 0.125 && Math.pow(2, 1023) == 0x1p1023 && Math.pow(2, 1024) == 1 / 0.0;
        assert Math.pow(1.5, 2) == 2.25 && Math.pow(three, 0) == 1 && Math.pow(0.1, 1) == 0.1;
        double none = Math.pow(-8, 1.0 / three);
        assert none != none;
        assert Math.exp(three - 3) == 1 && Math.exp(-1 / 0.0) == 0;
    }
}

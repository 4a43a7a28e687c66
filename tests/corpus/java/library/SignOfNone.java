// expect: unknown
/** The sign of NaN is up to the virtual machine. */
class SignOfNone {
    public static void main(String[] args) {
        double none = Math.sqrt(Integer.parseInt("-2"));
        assert StrictMath.copySign(1.0, none) == 1.0;
        assert Math.copySign(2.0, -3.0) == -2.0;
        assert Math.copySign(1.0, none) == 1.0;
    }
}

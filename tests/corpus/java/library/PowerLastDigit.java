// expect: unknown
// unknown: symbolic
// The last digit of a power that is not exact is up to the virtual machine.
class PowerLastDigit {
    public static void main(String[] args) {
        assert Math.pow(0.5, 3.5) == 0.08838834764831845;
    }
}

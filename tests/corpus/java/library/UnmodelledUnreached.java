// expect: safe
// unknown: symbolic
// What is not modelled is not reached.
class UnmodelledUnreached {
    public static void main(String[] args) {
        if (args.length > 0) {
            assert new java.io.File(args[0]).exists();
        }
    }
}

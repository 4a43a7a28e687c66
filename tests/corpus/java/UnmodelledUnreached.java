// expect: safe
// What is not modelled is not reached.
class UnmodelledUnreached {
    public static void main(String[] args) {
        if (args.length > 0) {
            assert args[0].matches("a*b");
        }
    }
}

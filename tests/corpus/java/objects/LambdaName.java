// expect: unknown
// The virtual machine makes up the names of the classes of lambdas.
class LambdaName {
    public static void main(String[] args) {
        Runnable nothing = () -> {};
        assert nothing.getClass().getName().startsWith("LambdaName$$Lambda$");
    }
}

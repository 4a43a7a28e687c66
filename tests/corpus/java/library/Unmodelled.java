// expect: unknown
// What is not modelled is reached.
class Unmodelled {
    public static void main(String[] args) {
        assert !new java.io.File("none").exists();
    }
}

// expect: unknown
// What is not modelled is reached.
class Unmodelled {
    public static void main(String[] args) {
        assert "aab".matches("a*b");
    }
}

// expect: safe
// unknown: symbolic
// The call of Abstract Pathfinder that makes a constant abstract: its sign is kept, through a field and a call.
class AbstractCalls {
    static class Debug {
        static int makeAbstractInteger(int value) {
            return value;
        }

        static double makeAbstractReal(double value) {
            return value;
        }
    }

    int rounds;

    int half(int n) {
        return n / 2;
    }

    public static void main(String[] args) {
        AbstractCalls calls = new AbstractCalls();
        calls.rounds = Debug.makeAbstractInteger(10000000);
        boolean even = true;
        while (calls.rounds > 0) {
            even = !even;
            calls.rounds--;
        }
        assert calls.rounds <= 0;
        assert calls.half(Debug.makeAbstractInteger(-6)) <= 0;
        assert Debug.makeAbstractReal(2.5) * 2 > 0;
    }
}

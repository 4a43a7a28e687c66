// expect: safe
// unknown: symbolic
// While what a class extends is initialised, the class's own fields are not set, even to plain numbers.
class InitialisedAbove {
    static class Upper {
        static int seen = Lower.number;
    }

    static class Lower extends Upper {
        static int number = 5;
    }

    static class Other {
        static int seen = Under.number;
    }

    static class Under extends Other {
        static int number = 5;
    }

    public static void main(String[] args) {
        assert Lower.number == 5 && Upper.seen == 0;
        assert Other.seen == 5 && Under.number == 5;
    }
}

// expect: safe
// unknown: symbolic
// A static field that a call sets to null is null after it; a class whose parent fails fails too.
class Statics {
    int value;
    static Statics shared = new Statics();

    int take() {
        shared = null;
        return 5;
    }

    static class Parent {
        static int zero = shared == null ? 0 : 1;
        static int bad = 1 / zero;
    }

    static class Child extends Parent {
        static int fine() {
            return 1;
        }
    }

    static String order = "";

    static class Noted {
        static int noted = (order += "N").length();
    }

    static class Plain extends Noted {
        static int plain = 7;
    }

    public static void main(String[] args) {
        int caught = 0;
        assert order.isEmpty() && Plain.plain == 7 && order.equals("N");
        Plain.plain = 8;
        assert new Plain() != null && Plain.plain == 8 && order.equals("N");
        try {
            shared.take();
            shared.value = 1;
        } catch (NullPointerException e) {
            caught = 1;
        }
        assert caught == 1;
        for (int i = 0; i < 3; i++) {
            try {
                Child.fine();
                assert false;
            } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
                caught++;
            }
        }
        assert caught == 4;
    }
}

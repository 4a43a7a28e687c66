// expect: safe
// unknown: symbolic
// Classes are initialised when they are first used, parents first, and only once; what fails stays so.
class Initialisation {
    static String order = "";

    static int note(String what) {
        order += what;
        return order.length();
    }

    static class Parent {
        static int p = note("P");
    }

    static class Child extends Parent {
        static int c = note("C");
        static final int CONSTANT = 5;
        static final Integer BOXED = note("B");
    }

    static class Broken {
        static int zero = order.length() - order.length();
        static int value = 1 / zero;
    }

    enum Colour {
        RED, GREEN {
            int weight() {
                return 2;
            }
        };

        int weight() {
            return 1;
        }
    }

    public static void main(String[] args) {
        assert order.equals("");
        assert Child.CONSTANT == 5 && order.equals("");
        Child[] none = new Child[1];
        assert order.equals("");
        assert Child.p == 1 && order.equals("P");
        assert Child.c == 2 && order.equals("PCB");
        new Child();
        assert order.equals("PCB");
        try {
            int value = Broken.value;
            assert false;
        } catch (ExceptionInInitializerError e) {
            assert e.getCause() instanceof ArithmeticException;
        }
        try {
            int value = Broken.value;
            assert false;
        } catch (NoClassDefFoundError e) {
            order += "!";
        }
        assert order.equals("PCB!");
        assert Colour.values().length == 2 && Colour.GREEN.weight() == 2 && Colour.RED.weight() == 1;
        assert Colour.GREEN.ordinal() == 1 && Colour.RED.name().equals("RED");
        switch (Colour.GREEN) {
            case RED:
                assert false;
                break;
            case GREEN:
                order += "g";
        }
        assert order.endsWith("g");
    }
}

// expect: safe
// unknown: cegar, symbolic, bounded
// Constants by their names, and sets and maps of them.
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

class EnumLibrary {
    enum Colour {
        RED,
        GREEN {
            @Override
            int number() {
                return 7;
            }
        },
        BLUE;

        int number() {
            return ordinal();
        }
    }

    enum Late {
        ONLY;

        static {
            order += "late";
        }
    }

    static String order = "";

    public static void main(String[] args) {
        assert Colour.valueOf("GREEN").number() == 7;
        try {
            Colour.valueOf("PINK");
            assert false;
        } catch (IllegalArgumentException e) {
            assert e.getMessage().equals("No enum constant EnumLibrary.Colour.PINK");
        }
        assert Colour.GREEN.getDeclaringClass() == Colour.class && Colour.GREEN.getClass() != Colour.class;
        Map<Colour, String> names = new EnumMap<>(Colour.class);
        names.put(Colour.BLUE, "b");
        names.put(Colour.RED, "r");
        assert names.toString().equals("{RED=r, BLUE=b}");
        EnumSet<Colour> some = EnumSet.of(Colour.GREEN);
        assert EnumSet.complementOf(some).toString().equals("[RED, BLUE]");
        assert EnumSet.allOf(Colour.class).size() == 3 && some.contains(Colour.GREEN);
        Class<Late> late = Late.class;
        order += "early ";
        assert late.getEnumConstants().length == 1 && order.equals("early late");
        assert String.class.getEnumConstants() == null;
    }
}

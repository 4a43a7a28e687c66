// expect: safe
// unknown: explicit, symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** Which method is called depends on an input, and so does what is cast to what. */
class Shapes {
    interface Shape {
        int corners();
    }

    static class Square implements Shape {
        public int corners() {
            return 4;
        }
    }

    static class Fan implements Shape {
        final int blades;

        Fan(int blades) {
            this.blades = blades;
        }

        public int corners() {
            return blades > 0 && blades < 100 ? 2 * blades + 1 : 3;
        }
    }

    static Shape any() {
        return Verifier.nondetBoolean() ? new Square() : new Fan(Verifier.nondetInt());
    }

    public static void main(String[] args) {
        Shape shape = any();
        int corners = shape.corners();
        assert corners >= 3;
        if (shape instanceof Fan) {
            assert corners % 2 == 1;
            assert ((Fan) shape).blades < 100 ? corners < 200 : corners == 3;
        } else {
            assert corners == 4;
        }
    }
}

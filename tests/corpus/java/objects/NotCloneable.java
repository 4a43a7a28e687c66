// expect: safe
// unknown: symbolic
// Objects of classes that are not Cloneable have no copies.
class NotCloneable {
    static class Plain {
        int number = 3;

        Plain copy() throws CloneNotSupportedException {
            return (Plain) super.clone();
        }
    }

    static class Copied extends Plain implements Cloneable {}

    public static void main(String[] args) throws CloneNotSupportedException {
        Plain copy = new Copied().copy();
        assert copy.number == 3 && copy instanceof Copied;
        try {
            new Plain().copy();
            assert false;
        } catch (CloneNotSupportedException e) {
            copy = null;
        }
        assert copy == null;
    }
}

// expect: safe
// unknown: symbolic
// What class objects say of their names, and of what is above them.
class ClassNames {
    static class Nested {
        class Inner {}
    }

    public static void main(String[] args) {
        class Local {}
        Object nameless = new Object() {};
        assert ClassNames.class.getSimpleName().equals("ClassNames");
        assert Nested.class.getSimpleName().equals("Nested") && Nested.class.getName().equals("ClassNames$Nested");
        assert Nested.Inner.class.getCanonicalName().equals("ClassNames.Nested.Inner");
        assert Local.class.getSimpleName().equals("Local") && Local.class.getCanonicalName() == null;
        assert nameless.getClass().getSimpleName().isEmpty();
        assert int[][].class.getSimpleName().equals("int[][]") && String[].class.getSimpleName().equals("String[]");
        assert int.class.getSimpleName().equals("int");
        assert Integer.class.getSuperclass() == Number.class && Object.class.getSuperclass() == null;
        assert Runnable.class.getSuperclass() == null;
        assert Number.class.isInstance(5) && !Number.class.isInstance("5") && !Number.class.isInstance(null);
        assert Number.class.cast(7).intValue() == 7;
        try {
            Number.class.cast("x");
            assert false;
        } catch (ClassCastException e) {
            assert e.getMessage().equals("Cannot cast java.lang.String to java.lang.Number");
        }
        assert String[].class.getComponentType() == String.class && String.class.getComponentType() == null;
    }
}

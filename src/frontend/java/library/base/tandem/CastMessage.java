package tandem;

/** What is said of an object that is not of a class. */
final class CastMessage extends Message {
    private final Object object;
    private final int target;
    private final boolean isUsers;

    CastMessage(Object object, int target, boolean isUsers) {
        this.object = object;
        this.target = target;
        this.isUsers = isUsers;
    }

    public String text() {
        String from = object.getClass().getName();
        String to = Native.told()[target];
        boolean isFromUsers = Native.isUsers(object);
        String where = isFromUsers == isUsers
                ? from + " and " + to + " are in " + place(isUsers)
                : from + " is in " + place(isFromUsers) + "; " + to + " is in " + place(isUsers);
        return "class " + from + " cannot be cast to class " + to + " (" + where + ")";
    }

    private static String place(boolean isUsers) {
        return isUsers ? "unnamed module of loader 'app'" : "module java.base of loader 'bootstrap'";
    }
}

package jdk.internal.access;

import java.util.TrustedArrays;

/** What packages of the JDK tell each other. */
public class SharedSecrets {
    public static JavaUtilCollectionAccess getJavaUtilCollectionAccess() {
        return new TrustedArrays();
    }
}

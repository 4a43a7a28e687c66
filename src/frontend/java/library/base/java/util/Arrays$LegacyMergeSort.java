package java.util;

/** Whether the user asked for the sorting algorithm of old. */
final class Arrays$LegacyMergeSort {
    static final boolean userRequested = false;

    private Arrays$LegacyMergeSort() {
    }
}

// expect: safe
// unknown: explicit, bounded, cegar, symbolic
// options: --property no-exception
// Two windows are clamped to a board, edge by edge, and then painted: each of the many ways through the clamping leaves
// the edges in bounds, and what rules out one of them rules out all.
import gov.nasa.jpf.abstraction.Verifier;

public class ClampedWindow {
    static int side = 6;

    static class Window {
        int left, right, top, bottom;

        void clamp() {
            if (left < 0) left = 0;
            if (left > side - 1) left = side - 1;
            if (right < 0) right = 0;
            if (right > side - 1) right = side - 1;
            if (top < 0) top = 0;
            if (top > side - 1) top = side - 1;
            if (bottom < 0) bottom = 0;
            if (bottom > side - 1) bottom = side - 1;
        }
    }

    static Window read() {
        Window window = new Window();
        window.left = Verifier.unknownInt();
        window.right = Verifier.unknownInt();
        window.top = Verifier.unknownInt();
        window.bottom = Verifier.unknownInt();
        window.clamp();
        return window;
    }

    public static void main(String[] args) {
        Object[] board = new Object[side];
        for (int x = 0; x < side; x++) board[x] = new int[side];
        Window[] windows = {read(), read()};
        for (int number = 0; number < windows.length; number++) {
            Window window = windows[number];
            for (int x = window.left; x <= window.right; x++) {
                for (int y = window.top; y <= window.bottom; y++) {
                    ((int[]) board[x])[y] = number;
                }
            }
        }
    }
}

// expect: unsafe
// unknown: cegar, symbolic, bounded
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** What is typed may be anything. */
public class Typed {
    public static void main(String[] args) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in));
        String line = reader.readLine();
        assert line == null || line.length() < 2;
    }
}

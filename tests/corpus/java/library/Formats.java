// expect: safe
// unknown: cegar, symbolic, bounded
// Numbers as text: NaN is not cut off, characters by their codes, small numbers in hexadecimal.
import java.util.Random;
import java.util.stream.Collectors;

class Formats {
    public static void main(String[] args) {
        assert String.format("%.1f|%6.2f|%-5f|%05f", Double.NaN, -1 / 0.0, 0 / 0.0, 0 / 0.0).equals("NaN|-Infinity|NaN  |  NaN");
        assert String.format("%e|%.2e|%E|%12.1e|%e", 12345.678, 0.000123, 1e10, -5.0, 0.0)
                .equals("1.234568e+04|1.23e-04|1.000000E+10|    -5.0e+00|0.000000e+00");
        assert String.format("%c%c|%x|%X|%o", 65, 0x1F600, (byte) -1, (short) -2, (byte) -8).equals("A\uD83D\uDE00|ff|FFFE|370");
        assert "a\r\nb\n\nc".lines().collect(Collectors.joining("+")).equals("a+b++c");
        assert new String(new int[] {65, 0x1F600, 66}, 1, 2).equals("\uD83D\uDE00B") && Double.parseDouble("-0x1.8p1") == -3;
        Random random = new Random(1);
        assert random.nextGaussian() == 1.561581040188955 && random.nextGaussian() == -0.6081826070068602;
    }
}

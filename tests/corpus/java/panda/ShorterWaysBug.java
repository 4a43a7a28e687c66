// expect: unsafe
// unknown: explicit, symbolic, cegar
// The relaxation of edges writes a wrong distance: how many nodes and edges there are decides whether one is negative.
import gov.nasa.jpf.abstraction.Verifier;

public class ShorterWaysBug {
    public static void main(String[] args) {
        int nodes = Verifier.unknownInt(), edges = Verifier.unknownInt();
        if (nodes < 0 || nodes > 4 || edges < 0 || edges > 3) return;
        int[] from = {0, 3, 1};
        int[] to = {1, 2, 3};
        int[] weight = {0, 1, 2};
        int[] distance = new int[4];
        for (int i = 0; i < nodes; i++) distance[i] = i == 0 ? 0 : 899;
        for (int i = 0; i < nodes; i++) {
            for (int j = 0; j < edges; j++) {
                if (distance[to[j]] > distance[from[j]] + weight[j]) distance[to[j]] = -1;
            }
        }
        for (int i = 0; i < nodes; i++) assert distance[i] >= 0;
    }
}

package hourglass.load.lab;

import hourglass.bucketing.RowKey;
import hourglass.load.lab.ring.Ring;
import java.util.List;
import java.util.stream.IntStream;

/** The nodes of a simulated ring, which hashes a row's key as Cassandra does. */
record RingNodes(Ring ring) implements NodePlacement {
  @Override
  public List<String> names() {
    return IntStream.rangeClosed(1, ring.nodes()).mapToObj(node -> "node " + node).toList();
  }

  @Override
  public int[] of(RowKey row) {
    return ring.replicas(row.toString());
  }
}

package hourglass.program.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.sandbox.CassandraCluster;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What one node of a cluster has, in a keyspace without copies, by the driver's map of tokens.
 * Immutable.
 */
final class NodePartitions {
  /** Partitions that the directory of an hour has. */
  private static final int DIRECTORY_BUCKETS = 8;

  private final TokenMap tokens;
  private final int node;

  private NodePartitions(TokenMap tokens, int node) {
    this.tokens = tokens;
    this.node = node;
  }

  /** Returns the partitions of all nodes in order; the keyspace must exist. */
  static List<NodePartitions> of(CassandraCluster cluster) {
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoints(cluster.contactPoints())
            .withLocalDatacenter(cluster.datacenter())
            .build()) {
      TokenMap tokens = session.getMetadata().getTokenMap().orElseThrow();
      return IntStream.rangeClosed(1, cluster.size())
          .mapToObj(node -> new NodePartitions(tokens, node))
          .toList();
    }
  }

  /** The node's number in the cluster. */
  int node() {
    return node;
  }

  /** Whether it has a row's columns. */
  boolean has(RowKey row) {
    return has(ByteBuffer.wrap(row.toString().getBytes(StandardCharsets.UTF_8)));
  }

  /** Whether it knows which hours there are in the year of one. */
  boolean hasYear(Hour ofYear) {
    int year = ofYear.start().atOffset(ZoneOffset.UTC).getYear();
    return has(ByteBuffer.allocate(Integer.BYTES).putInt(0, year));
  }

  /** Whether it has a part of the directory of an hour, one that was never dropped. */
  boolean hasDirectory(Hour hour) {
    return IntStream.range(0, DIRECTORY_BUCKETS)
        .anyMatch(bucket -> has(ofInts(hour.epochHours(), 0, bucket)));
  }

  /** A key of several columns: of each its length, itself and a zero. */
  private static ByteBuffer ofInts(int... columns) {
    ByteBuffer key = ByteBuffer.allocate(columns.length * (Short.BYTES + Integer.BYTES + 1));
    for (int column : columns) {
      key.putShort((short) Integer.BYTES).putInt(column).put((byte) 0);
    }
    return key.flip();
  }

  private boolean has(ByteBuffer partitionKey) {
    Set<Node> nodes = tokens.getReplicas(WithoutCopiesIT.KEYSPACE, partitionKey);
    if (nodes.size() != 1) {
      throw new IllegalStateException("copies: " + nodes);
    }
    InetSocketAddress address = (InetSocketAddress) nodes.iterator().next().getEndPoint().resolve();
    return address.getAddress().getAddress()[3] == node; // 127.0.0.1 is that of node 1
  }
}

package hourglass.bucketing.shards;

import hourglass.bucketing.RowKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** A ring of tokens: each node at random places, copies on the nodes behind. */
final class Ring implements Placement {
  private static final int TOKENS_PER_NODE = 16;

  private final TreeMap<Long, List<String>> nodesByToken = new TreeMap<>();

  Ring(int nodes, int copies, Random random) {
    TreeMap<Long, String> owners = new TreeMap<>();
    for (int i = 0; i < nodes * TOKENS_PER_NODE; i++) {
      owners.put(random.nextLong(), "node" + i % nodes);
    }
    List<Map.Entry<Long, String>> tokens = new ArrayList<>(owners.entrySet());
    for (int i = 0; i < tokens.size(); i++) {
      Set<String> keptBy = new LinkedHashSet<>();
      for (int j = i; keptBy.size() < Math.min(copies, nodes); j++) {
        keptBy.add(tokens.get(j % tokens.size()).getValue());
      }
      nodesByToken.put(tokens.get(i).getKey(), List.copyOf(keptBy));
    }
  }

  @Override
  public List<String> nodes(RowKey row) {
    long hash = 0xcbf29ce484222325L;
    for (char c : row.toString().toCharArray()) {
      hash = (hash ^ c) * 0x100000001b3L; // FNV-1a
    }
    hash ^= hash >>> 29;
    hash *= 0xBF58476D1CE4E5B9L;
    hash ^= hash >>> 32;
    Map.Entry<Long, List<String>> owner = nodesByToken.ceilingEntry(hash);
    return owner == null ? nodesByToken.firstEntry().getValue() : owner.getValue();
  }
}

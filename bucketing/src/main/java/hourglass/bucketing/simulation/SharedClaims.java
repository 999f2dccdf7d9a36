package hourglass.bucketing.simulation;

import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ClaimRequest;
import hourglass.bucketing.shards.ShardClaim;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The claims of all writers in memory, in a partition for each type hour, as a store keeps them.
 * Not thread-safe.
 */
public final class SharedClaims {
  private record Key(int shard, String writer) {}

  /** The claims by type hour, each in the order of their first requests. */
  private final Map<TypeHour, Map<Key, ShardClaim>> partitions = new HashMap<>();

  private long published;

  public void publish(ClaimRequest request) {
    Map<Key, ShardClaim> claims =
        partitions.computeIfAbsent(request.typeHour(), added -> new LinkedHashMap<>());
    request.claims().forEach(each -> claims.put(new Key(each.shard(), each.writer()), each));
    published += request.claims().size();
  }

  /** Returns the claims of all writers for a type hour, one for each shard and writer. */
  public List<ShardClaim> of(TypeHour typeHour) {
    return List.copyOf(partitions.getOrDefault(typeHour, Map.of()).values());
  }

  /** Returns the number of claims that were published, including those that replaced others. */
  public long published() {
    return published;
  }

  /** Returns the number of claims in the largest partition. */
  public long largest() {
    return partitions.values().stream().mapToLong(Map::size).max().orElse(0);
  }
}

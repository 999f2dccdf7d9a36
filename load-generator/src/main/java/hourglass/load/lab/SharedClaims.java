package hourglass.load.lab;

import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ClaimRequest;
import hourglass.bucketing.shards.ShardClaim;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The claims of all writers in memory, in a partition for each type hour. */
final class SharedClaims {
  private record Key(int shard, String writer) {}

  /** The claims by type hour, each in the order of their first requests. */
  private final Map<TypeHour, Map<Key, ShardClaim>> partitions = new HashMap<>();

  void publish(ClaimRequest request) {
    Map<Key, ShardClaim> claims =
        partitions.computeIfAbsent(request.typeHour(), added -> new LinkedHashMap<>());
    request.claims().forEach(each -> claims.put(new Key(each.shard(), each.writer()), each));
  }

  List<ShardClaim> of(TypeHour typeHour) {
    return List.copyOf(partitions.getOrDefault(typeHour, Map.of()).values());
  }

  long largest() {
    return partitions.values().stream().mapToLong(Map::size).max().orElse(0);
  }
}

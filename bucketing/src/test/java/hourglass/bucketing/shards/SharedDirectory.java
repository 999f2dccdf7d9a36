package hourglass.bucketing.shards;

import hourglass.bucketing.TypeHour;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The claims of all writers, as a store keeps them. */
final class SharedDirectory {
  private final Map<TypeHour, Map<String, ShardClaim>> claims = new HashMap<>();
  private long published;

  void upsert(ClaimRequest request) {
    Map<String, ShardClaim> ofTypeHour = of(request);
    for (ShardClaim claim : request.claims()) {
      published++;
      ofTypeHour.put(claim.shard() + " " + claim.writer(), claim);
    }
  }

  List<ShardClaim> all(ClaimRequest request) {
    return List.copyOf(of(request).values());
  }

  private Map<String, ShardClaim> of(ClaimRequest request) {
    return claims.computeIfAbsent(request.typeHour(), any -> new TreeMap<>());
  }

  long published() {
    return published;
  }
}

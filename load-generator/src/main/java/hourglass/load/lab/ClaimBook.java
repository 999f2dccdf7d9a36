package hourglass.load.lab;

import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ClaimRequest;
import hourglass.bucketing.shards.ShardClaim;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The directory of claims that the writers of one run share, in memory. Not for several threads.
 */
final class ClaimBook {
  private record Claimed(int shard, String writer) {}

  private final Map<TypeHour, Map<Claimed, ShardClaim>> claims = new HashMap<>();
  private long requests;

  /**
   * Takes the claims of a request.
   *
   * @return all of its hour and type
   */
  List<ShardClaim> tell(ClaimRequest request) {
    requests++;
    Map<Claimed, ShardClaim> all =
        claims.computeIfAbsent(request.typeHour(), added -> new HashMap<>());
    for (ShardClaim claim : request.claims()) {
      all.put(new Claimed(claim.shard(), claim.writer()), claim);
    }
    Collection<ShardClaim> known = all.values();
    return List.copyOf(known);
  }

  /** How often it was written and read. */
  long requests() {
    return requests;
  }
}

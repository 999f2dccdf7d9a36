package hourglass.bucketing.shards;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The shards that a plan asked for, so that it asks for none twice, and the claims of those that it
 * gave up. Most plans have none.
 */
final class TriedShards {
  /** The claims to withdraw by shard, published with the next request; empty until the first. */
  private Map<Integer, ShardClaim> withdrawn = Map.of();

  private Set<Integer> numbers = Set.of();

  void add(int shard) {
    if (numbers.isEmpty()) {
      numbers = new HashSet<>();
    }
    numbers.add(shard);
  }

  boolean contains(int shard) {
    return numbers.contains(shard);
  }

  /** Forgets shards whose claims failed, so that they may be asked for again. */
  void forget(List<OpenRow> rows) {
    if (!numbers.isEmpty()) {
      rows.forEach(row -> numbers.remove(row.shard()));
    }
  }

  void withdraw(ShardClaim claim) {
    if (withdrawn.isEmpty()) {
      withdrawn = new TreeMap<>();
    }
    withdrawn.put(claim.shard(), claim);
  }

  boolean hasWithdrawn() {
    return !withdrawn.isEmpty();
  }

  /** Returns the claims to withdraw, in a map to which more claims are added, and empties them. */
  Map<Integer, ShardClaim> takeWithdrawn() {
    Map<Integer, ShardClaim> claims = new TreeMap<>(withdrawn);
    withdrawn = Map.of();
    return claims;
  }
}

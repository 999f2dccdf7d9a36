package hourglass.bucketing.shards;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The claims of other writers on a type hour, as of the last read of the directory. */
final class OtherWriters {
  static final OtherWriters NONE_KNOWN = new OtherWriters("", List.of());

  private final Map<Integer, Capacity> claimed = new HashMap<>();
  private final Set<Integer> sole = new HashSet<>();
  private final Map<Integer, Integer> writers = new HashMap<>();
  private final Map<Integer, Capacity> own = new HashMap<>();

  OtherWriters(String self, List<ShardClaim> all) {
    for (ShardClaim claim : all) {
      if (claim.writer().equals(self)) {
        own.put(claim.shard(), claim.capacity());
        addSole(claim);
      } else if (claim.columns() > 0 || claim.bytes() > 0) {
        add(claim);
      }
    }
  }

  private void add(ShardClaim claim) {
    claimed.merge(claim.shard(), claim.capacity(), Capacity::plus);
    addSole(claim);
    if (!claim.writer().equals(ShardClaim.NO_WRITER)) {
      writers.merge(claim.shard(), 1, Integer::sum);
    }
  }

  private void addSole(ShardClaim claim) {
    if (claim.sole() && claim.columns() > 0) {
      sole.add(claim.shard());
    }
  }

  /** Returns whether the directory was read. */
  boolean areKnown() {
    return this != NONE_KNOWN;
  }

  Capacity claimed(int shard) {
    return claimed.getOrDefault(shard, Capacity.NONE);
  }

  int writers(int shard) {
    return writers.getOrDefault(shard, 0);
  }

  /** Returns whether another writer claimed the row for itself alone. */
  boolean isSole(int shard) {
    return sole.contains(shard) && claimed.containsKey(shard);
  }

  boolean haveGroups() {
    return sole.stream().anyMatch(claimed::containsKey);
  }

  /** Returns whether no other writer uses the shard, and this one never claimed it. */
  boolean isFree(int shard) {
    return !claimed.containsKey(shard) && !own.containsKey(shard);
  }

  Capacity own(int shard) {
    return own.getOrDefault(shard, Capacity.NONE);
  }

  boolean isOwn(int shard) {
    return own.containsKey(shard);
  }

  /** Returns the shards that others use and that may be shared, ascending. */
  List<Integer> shared() {
    return claimed.keySet().stream().filter(shard -> !sole.contains(shard)).sorted().toList();
  }

  /** Returns the shards that one writer, perhaps this one, claimed for itself alone. */
  Set<Integer> soleShards() {
    return sole;
  }

  int others() {
    return claimed.size();
  }
}

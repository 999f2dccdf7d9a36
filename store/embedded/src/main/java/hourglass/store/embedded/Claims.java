package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.planner.ShardClaim;
import hourglass.store.RowEntry;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The claims of this process, in memory only: no other one writes here, and what an earlier one
 * wrote the rows themselves tell, since their columns are counted when an hour and type is first
 * asked for. Thread-safe.
 */
final class Claims {
  /** Hours and types remembered, some hundred bytes each; others are counted again. */
  private static final int REMEMBERED_MAX = 50_000;

  private record Key(Hour hour, String type) {}

  private record Place(int shard, String writer) {}

  private final Hours hours;
  private final Readers readers;

  private final Map<Key, Map<Place, ShardClaim>> claims =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Map<Place, ShardClaim>> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };

  Claims(Hours hours, Readers readers) {
    this.hours = hours;
    this.readers = readers;
  }

  /** As {@link hourglass.store.WideColumnStore#claim}. */
  CompletionStage<List<ShardClaim>> claim(Hour hour, String type, List<ShardClaim> told) {
    Key key = new Key(hour, type);
    if (isKnown(key) || hours.known(hour, hour).isEmpty()) {
      return CompletableFuture.completedFuture(put(key, List.of(), told));
    }
    return readers.submit(() -> put(key, counted(hour, type), told));
  }

  private synchronized boolean isKnown(Key key) {
    return claims.containsKey(key);
  }

  private synchronized List<ShardClaim> put(
      Key key, List<ShardClaim> counted, List<ShardClaim> told) {
    Map<Place, ShardClaim> all = claims.get(key);
    if (all == null) {
      all = new HashMap<>();
      putAll(all, counted);
      claims.put(key, all);
    }
    putAll(all, told);
    return List.copyOf(all.values());
  }

  private static void putAll(Map<Place, ShardClaim> all, List<ShardClaim> claims) {
    claims.forEach(claim -> all.put(new Place(claim.shard(), claim.writer()), claim));
  }

  /** What the rows have, in the name of nobody. */
  private List<ShardClaim> counted(Hour hour, String type) {
    return hours.with(
        hour,
        state -> state.rows(type).stream().map(RowEntries::of).map(Claims::unclaimed).toList());
  }

  private static ShardClaim unclaimed(RowEntry entry) {
    return new ShardClaim(
        entry.row().shard(), ShardClaim.NOBODY, false, entry.columns(), entry.bytes());
  }

  /** An hour was dropped. */
  synchronized void forget(Hour hour) {
    claims.keySet().removeIf(key -> key.hour().equals(hour));
  }
}
